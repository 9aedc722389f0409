"""Defences of people who have blocked or reported somebody, switched off."""

from tests.faults.mutant import Mutant

MODEL = "tests/realtime/test_blocks_model.py"
CREATION = "server/realtime/play/creation.py"
MEETINGS = "server/realtime/play/meetings.py"
MATCHING = "server/realtime/lobby/matching.py"
SEEKS = "server/realtime/lobby/open_seeks.py"
FEED = "server/realtime/play/round_feed.py"
TIES = "tests/web/people/test_ties.py"
TEST_ONLINE = "tests/web/online/test_online.py"
REPORTS = "tests/web/people/test_reports.py"

OF_TIES: tuple[Mutant, ...] = (
    Mutant(
        "challenges of people who are blocked keep others out of sight",
        "server/web/lobby/challenges.py",
        "        before, notes = notes, await site.store.challenges.of(player.id)\n",
        "        before = notes\n",
        "tests/web/lobby/test_challenges.py::TestByName::test_who_is_blocked_keeps_no_challenge_of_others_out_of_sight",
    ),
    Mutant(
        "two who are kept apart are paired by a process that has not heard of it",
        MATCHING,
        "        if await are_apart(self._services, seek.maker.player.id, taker.player.id):\n",
        "        if False:\n",
        MODEL,
    ),
    Mutant(
        "the store is not asked whether two are kept apart",
        "server/realtime/process/meeting.py",
        "    if services.alone:\n",
        "    if True:\n",
        MODEL,
    ),
    Mutant(
        "the blocked are shown new seeks",
        SEEKS,
        ", self._blocks.apart_from(seek.maker.player.id))\n",
        ")\n",
        f"{TIES}::test_open_pages_of_the_lobby_lose_and_get_back_the_seek",
    ),
    Mutant(
        "the blocked are shown the seeks that stand",
        SEEKS,
        "        apart = self._blocks.apart_from(reader)\n",
        "        apart: Set[str] = frozenset()\n",
        f"{TIES}::test_open_pages_of_the_lobby_lose_and_get_back_the_seek",
    ),
    Mutant(
        "whoever is blocked can tell by the answer to a seek that they take",
        "server/realtime/lobby/lobby.py",
        ' or self._are_apart(standing, taker.player):\n                raise Gone("opponent_gone")\n',
        ':\n                raise Gone("opponent_gone")\n            if self._are_apart(standing, taker.player):\n'
        '                raise Gone("seek_taken")\n',
        f"{TIES}::test_seeks_of_each_are_hidden_from_the_other_and_cannot_be_taken",
    ),
    Mutant(
        "the blocked join by a link",
        MEETINGS,
        "            return player.id, people_of(game), WrongInvitation",
        "            return player.id, (), WrongInvitation",
        MODEL,
    ),
    Mutant(
        "whoever is blocked can tell by a game that they could not join anyway",
        MEETINGS,
        " and is_invited(game, player, secret)",
        "",
        f"{TIES}::test_whoever_is_blocked_cannot_tell_by_games_that_they_could_not_join_anyway",
    ),
    Mutant(
        "who waits behind somebody from whom they are kept apart joins",
        "server/realtime/play/round.py",
        """        async with self._queue:
            if isinstance(command, Claim) and self._is_about_absence():
                self._check_claim(command, now)
            if command.brings_together:
                await check_meeting(self._services, self.game, command)
""",
        """        await check_meeting(self._services, self.game, command)
        async with self._queue:
            if isinstance(command, Claim) and self._is_about_absence():
                self._check_claim(command, now)
""",
        "tests/realtime/play/test_meetings.py",
    ),
    Mutant(
        "the blocked challenge by name",
        CREATION,
        "        await check_may_meet(services, creator.id, asked, refusal)\n",
        "",
        f"{TIES}::test_the_blocked_cannot_challenge_and_are_not_told_why",
    ),
    Mutant(
        "a game is proposed to two who are kept apart",
        CREATION,
        "    if await are_apart(services, white.id, black.id):\n",
        "    if False:\n",
        f"{TIES}::test_nobody_proposes_a_game_to_two_who_are_apart_or_to_whoever_blocks_them",
    ),
    Mutant(
        "the blocked propose games",
        "server/web/lobby/proposals.py",
        "        await check_may_meet(site.live.services, by.id, asked, refusal)\n",
        "",
        f"{TIES}::test_nobody_proposes_a_game_to_two_who_are_apart_or_to_whoever_blocks_them",
    ),
    Mutant(
        "two who are kept apart agree on a rematch",
        "server/realtime/play/round.py",
        "            await check_meeting(self._services, self.game, command)\n",
        "",
        MODEL,
    ),
    Mutant(
        "the lines of the blocked are shown",
        FEED,
        "players, watchers, nothing, self._services.blocks.blockers_of(line.player))\n",
        "players, watchers)\n",
        MODEL,
    ),
    Mutant(
        "whoever comes is shown the lines of the blocked",
        FEED,
        "chat=[line for line in self.chat.lines if line.player not in unheard],\n",
        "chat=self.chat.lines,\n",
        MODEL,
    ),
    Mutant(
        "whoever comes back is shown the lines of the blocked",
        FEED,
        "        if missed is None or self.chat.speakers(self._services.blocks.unheard_by(subscriber.person)):\n",
        "        if missed is None:\n",
        f"{TIES}::test_a_game_goes_on_in_silence_and_has_no_rematch",
    ),
    Mutant(
        "mails tell what the blocked say",
        "server/web/notifications/heard.py",
        'line.room == "players" and line.player not in blocked',
        'line.room == "players"',
        "tests/web/notifications/test_game_letter.py",
    ),
    Mutant(
        "games are guessed by the form of reports",
        "server/web/people/reports.py",
        "(await round_of(request, whom.game)).game.player(SIDES[whom.side])",
        "getattr(getattr(await site.rounds.get(whom.game), 'game', None), whom.side, None)",
        f"{REPORTS}::test_games_are_guessed_by_the_form_no_faster_than_by_their_pages",
    ),
    Mutant(
        "a report is stored though its form is shown again",
        "server/web/people/reports.py",
        "    if form.also_block:\n",
        "    await site.store.reports.add(told)\n    if form.also_block:\n",
        f"{REPORTS}::test_nothing_is_told_unless_all_of_the_form_was_done",
    ),
    Mutant(
        "people are called to the seeks of those whom they have blocked",
        "server/web/notifications/notifier.py",
        "            if await self._store.ties.are_apart(owner, seek.maker.player.id):\n",
        "            if False:\n",
        "tests/web/notifications",
    ),
    Mutant(
        "a block that was stored without an answer does not hold until a restart",
        "server/realtime/ties.py",
        "            self._unread.add(owner)\n",
        "",
        "tests/realtime/test_ties.py",
    ),
    Mutant(
        "blocks are forgotten when the server stops",
        "server/realtime/live.py",
        "        await self.ties.open()\n",
        "",
        "tests/realtime/test_live.py",
    ),
    Mutant(
        "a guest who signs in is heard again",
        "server/realtime/account_merges.py",
        "        await self._ties.hand_over(merge.user, Player(merge.heir, merge.name))\n",
        "",
        f"{TIES}::test_a_block_of_a_guest_holds_when_they_sign_in",
    ),
    Mutant(
        "ties to somebody who has left stay",
        "server/realtime/account_merges.py",
        "            await self._ties.forget(merge.user)\n",
        "",
        f"{TIES}::test_with_an_account_go_its_ties_and_those_to_it",
    ),
    Mutant(
        "who does not want to be listed is listed",
        "server/storage/sqlite/accounts.py",
        " AND unlisted = 0 AND held_until = 0",
        " AND held_until = 0",
        "tests/storage/every_store/people/test_listed_kept.py",
    ),
    Mutant(
        "the blocked see who is here",
        "server/web/online/online_people.py",
        "site.store.accounts.listed(here - _apart_from(site, visitor))",
        "site.store.accounts.listed(here)",
        TEST_ONLINE,
    ),
    Mutant(
        "the blocked follow where the other is",
        "server/web/online/online_people.py",
        "    may_know = await site.store.accounts.listed(named.keys() - _apart_from(site, visitor)) if named else {}\n",
        "    may_know = await site.store.accounts.listed(named.keys()) if named else {}\n",
        TEST_ONLINE,
    ),
    Mutant(
        "a profile tells the blocked who is here",
        "server/web/online/online_people.py",
        " or person in _apart_from(site, visitor):\n",
        ":\n",
        TEST_ONLINE,
    ),
    Mutant(
        "people of a process that died stay here",
        "server/realtime/lobby/online.py",
        "        told = any(person in people for people, until in self._elsewhere.values() if until > now)\n",
        "        told = any(person in people for people, until in self._elsewhere.values())\n",
        "tests/realtime/lobby/test_online.py",
    ),
    Mutant(
        "whoever wants reports as often as they like",
        "server/web/people/reports.py",
        "    charge(site.limits.reports, visitor.user.id, now)\n",
        "",
        f"{REPORTS}::test_somebody_reports_ten_times_a_day_and_an_address_thirty_times",
    ),
    Mutant(
        "with new sessions one address reports as often as it likes",
        "server/web/people/reports.py",
        "    charge(site.limits.reports_by_address, address_key(request, site.settings), now)\n",
        "",
        f"{REPORTS}::test_somebody_reports_ten_times_a_day_and_an_address_thirty_times",
    ),
    Mutant(
        "reports are shown in the host's terminal as they were typed",
        "server/web/people/reports.py",
        "clean(written, TEXT)",
        "written",
        f"{REPORTS}::test_the_host_reads_what_somebody_tells_until_it_is_closed",
    ),
    Mutant(
        "reports of somebody who has left stay",
        "server/realtime/account_merges.py",
        "            await store.reports.forget(merge.user)\n",
        "",
        f"{REPORTS}::test_reports_are_in_the_data_of_whoever_made_them_and_go_with_the_account",
    ),
    Mutant(
        "somebody who is blocked is heard when they offer a rematch",
        "server/realtime/open_pages.py",
        "if other is None or not self._is_heard(other.id, player.id):",
        "if other is None:",
        "tests/realtime/your_games/test_your_games.py"
        "::test_a_rematch_is_offered_to_whoever_is_elsewhere_unless_they_block_who_offers_it",
    ),
    Mutant(
        "moves wait while all blocks are read again",
        "server/realtime/ties.py",
        "from server.storage.time_slices import run_sliced\n",
        "from server.rules.sliced_work import run_at_once\n\n\n"
        "async def run_sliced(work):\n    return run_at_once(work)\n",
        "tests/realtime/test_live.py::test_all_blocks_are_read_again_in_time_slices",
    ),
)
