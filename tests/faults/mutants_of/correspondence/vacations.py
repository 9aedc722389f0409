"""Defences of vacations, switched off: what stands while somebody is away, what ends it, and what it may cost."""

from tests.faults.mutant import Mutant

VACATION = "server/games/changes/vacation.py"
DAYS = "server/games/clocks/vacations.py"
OF_A_GAME = "tests/games/test_vacations_of_a_game.py"
IN_A_GAME = "tests/games/changes/test_vacation.py"
PEOPLE = "server/realtime/vacations.py"
OF_PEOPLE = "tests/realtime/test_vacations.py"
WEB = "tests/web/accounts/test_vacations.py"
ROUNDS = "tests/realtime/play/standing_still/test_vacation_of_a_game.py"

OF_VACATIONS: tuple[Mutant, ...] = (
    Mutant(
        "the clock goes on when the first of two is back",
        VACATION,
        "    goes_on = not game.on_vacation and game.status is Status.LIVE\n",
        "    goes_on = game.status is Status.LIVE\n",
        OF_A_GAME,
    ),
    Mutant(
        "the clock runs while somebody is away",
        VACATION,
        ", clock=game.clock.pause(now))\n        return _without_surprise",
        ")\n        return _without_surprise",
        IN_A_GAME,
    ),
    Mutant(
        "coming back from a vacation resumes an adjourned game's clock",
        VACATION,
        "    goes_on = not game.on_vacation and game.status is Status.LIVE\n",
        "    goes_on = not game.on_vacation\n",
        IN_A_GAME,
    ),
    Mutant(
        "somebody comes back from a vacation by surprise and flags their opponent",
        VACATION,
        "    return with_a_day(after, now) if surprised and",
        "    return after if surprised and",
        IN_A_GAME,
    ),
    Mutant(
        "time that was over is given back when the other is back from a vacation",
        VACATION,
        " if surprised and after.clock.remaining(after.to_move, now) else after\n",
        " if surprised else after\n",
        IN_A_GAME,
    ),
    Mutant(
        "whoever is to move gains a day by a short vacation",
        VACATION,
        "    surprised = soon and after.to_move is not color and",
        "    surprised = soon and",
        OF_A_GAME,
    ),
    Mutant(
        "the server's own resuming ends a vacation",
        "server/games/changes/pausing.py",
        "    if game.clock.paused_at is None or game.on_vacation:\n",
        "    if game.clock.paused_at is None:\n",
        IN_A_GAME,
    ),
    Mutant(
        "a first move made on a vacation gives its opponent the time before it",
        "server/games/changes/moving.py",
        "    if not game.plies:\n        clock = clock.pause_again(now)\n",
        "",
        IN_A_GAME,
    ),
    Mutant(
        "a game that waits for somebody on vacation has no deadline in the store",
        "server/storage/documents.py",
        "    if deadline is None and game.status is Status.LIVE",
        "    if (deadline is None or game.on_vacation) and game.status is Status.LIVE",
        "tests/storage/every_store/test_games_found.py",
    ),
    Mutant(
        "a round resumes a clock that stands for a vacation",
        "server/realtime/play/round_presence.py",
        " or game.waits_for_players:\n",
        ":\n",
        ROUNDS,
    ),
    Mutant(
        "after a restart every game that waits for somebody on vacation is loaded",
        "server/realtime/recovery.py",
        " or game.waits_for_players):\n",
        "):\n",
        ROUNDS,
    ),
    Mutant(
        "a day counts as often as somebody goes away on it",
        DAYS,
        "    return max(0, allowed - len({day for one in taken for day in one.days if day.year == year}))\n",
        "    return max(0, allowed - len([day for one in taken for day in one.days if day.year == year]))\n",
        "tests/games/clocks/test_vacations.py",
    ),
    Mutant(
        "the day on which somebody goes away is free if they come back on it",
        DAYS,
        "max(day_at(self.began), last_day(self.until))",
        "last_day(self.until)",
        "tests/games/clocks/test_vacations.py",
    ),
    Mutant(
        "a vacation over New Year counts in the old year alone",
        DAYS,
        "    while left.get(day.year, 0) or day in used:\n",
        "    while left.get(day_at(began).year, 0) or day in used:\n",
        "tests/games/clocks/test_vacations.py",
    ),
    Mutant(
        "games begun on a vacation do not wait",
        PEOPLE,
        "            nothing_to_do = await self._follow(player_id)\n",
        "            nothing_to_do = True\n",
        OF_PEOPLE,
    ),
    Mutant(
        "after a kill games that a vacation has not reached wait for the next look",
        "server/realtime/live.py",
        '        self.others.try_to("who is on vacation", self.vacations.follow())\n',
        "",
        "tests/faults/clocks/test_vacations.py",
        full=True,
    ),
    Mutant(
        "a node that has not heard of a change believes that a game does what its vacation says",
        PEOPLE,
        "            if not services.alone:\n",
        "            if services.alone:\n",
        OF_PEOPLE,
    ),
    Mutant(
        "a deleted account leaves its vacations behind",
        "server/realtime/account_merges.py",
        "            await store.vacations.forget(merge.user)\n",
        "",
        WEB,
    ),
    Mutant(
        "a site without vacations takes them all the same",
        "server/app.py",
        "    if settings.vacation_days:\n        add_vacation_routes(app)\n",
        "    add_vacation_routes(app)\n",
        WEB,
    ),
    Mutant(
        "a list counts the end of a vacation as the end of the time for a move",
        "server/storage/running.py",
        "deadline=_move_due(head) if away == NOBODY_AWAY else None,\n",
        "deadline=_move_due(head),\n",
        WEB,
    ),
    Mutant(
        "a vacation is settled while a game still waits for it",
        PEOPLE,
        "                if record.owner == player_id and over and nothing_to_do:\n",
        "                if record.owner == player_id and over:\n",
        OF_PEOPLE,
    ),
    Mutant(
        "a vacation is settled the moment it is over, whoever may have read it before",
        PEOPLE,
        "                over = record.vacation.until + SETTLED_AFTER_MS < services.now()\n",
        "                over = record.vacation.until < services.now()\n",
        OF_PEOPLE,
    ),
    Mutant(
        "a game that a vacation cannot reach keeps the others from hearing of it",
        PEOPLE,
        "        except (Busy, StorageDown, Unavailable) as error:\n",
        "        except Busy as error:\n",
        OF_PEOPLE,
    ),
    Mutant(
        "a vacation that was given another end meanwhile is settled",
        "server/storage/tables/vacations.py",
        "_id=key_of(record), until=record.vacation.until)",
        "_id=key_of(record))",
        "tests/storage/every_store/people/test_vacations_kept.py",
    ),
    Mutant(
        "an opponent keeps a game busy until a vacation comes too late for it",
        PEOPLE,
        "        for pause in PAUSES_S:\n",
        "        for pause in ():\n",
        f"{OF_PEOPLE}::test_an_opponent_who_keeps_a_game_busy_does_not_keep_it_from_waiting",
    ),
)
