"""Defences of what people are told, each thing once, switched off."""

from tests.faults.mutant import Mutant

EVENTS = "tests/realtime/process/test_domain_events.py"
TEST_NOTIFIER = "tests/web/notifications/test_notifier.py"
DOMAIN_EVENTS = "server/realtime/process/domain_events.py"
NEW_GAMES = "server/realtime/lobby/new_games.py"
NOTIFIER = "server/web/notifications/notifier.py"

OF_EVENTS: tuple[Mutant, ...] = (
    Mutant(
        "web push hears of nothing",
        "server/app.py",
        "    for hear in (live.pages.hear, pushes.hear):\n",
        "    for hear in (live.pages.hear,):\n",
        f"{TEST_NOTIFIER}::TestWhoIsAway::test_a_challenger_is_notified_when_the_challenge_is_accepted",
    ),
    Mutant(
        "whoever makes a game of the lobby publishes it, though it was there",
        NEW_GAMES,
        "        if first:\n",
        "        if True:\n",
        f"{EVENTS}::test_a_game_that_two_processes_make_at_once_is_published_by_the_one_that_was_first",
    ),
    Mutant(
        "a game whose making was not answered is somebody else's",
        NEW_GAMES,
        "            mine = bool(earlier) and await self._services.store.load(game.id) in earlier\n",
        "            mine = False\n",
        f"{EVENTS}::test_a_game_whose_creation_was_not_confirmed_is_published_when_found",
    ),
    Mutant(
        "what another process has stored is published here too",
        "server/realtime/play/round.py",
        "            events = events_between(self.game, stored)\n            self.game = stored\n",
        "            events = events_between(self.game, stored)\n"
        "            from server.realtime.process.domain_events import StoredChange, events_of\n"
        "            change = StoredChange(self.game, stored, events or (), BothHere())\n"
        "            self.game = stored\n"
        "            for one in events_of(change, tuple):\n                self._services.events.publish(one)\n",
        f"{EVENTS}::test_only_the_process_that_stored_a_step_publishes_it",
    ),
    Mutant(
        "a change that no event tells is shown to nobody at another process",
        "server/realtime/play/history/events_between.py",
        "    return events if _changed(before, after) <= told else None\n",
        "    return events if told or True else None\n",
        "tests/realtime/play/test_events_between.py"
        "::test_the_whole_game_is_sent_if_something_differs_that_no_event_tells",
    ),
    Mutant(
        "a subscriber's mistake is the mover's",
        DOMAIN_EVENTS,
        "            except Exception:\n",
        "            except ZeroDivisionError:\n",
        f"{EVENTS}::test_a_subscriber_that_fails_stops_no_move_and_no_other_subscriber",
    ),
    Mutant(
        "whoever sits at the board is notified of their turn",
        DOMAIN_EVENTS,
        "                yield YourTurn(after, mover, mover in away)\n",
        "                yield YourTurn(after, mover, True)\n",
        f"{EVENTS}::test_a_turn_is_published_when_the_move_is_stored_and_says_who_is_at_the_board",
    ),
    Mutant(
        "notifications wait without end",
        NOTIFIER,
        "        if len(self._waiting) >= MAX_WAITING:\n",
        "        if False:\n",
        f"{TEST_NOTIFIER}::test_services_that_hang_slow_nothing_and_fill_no_memory",
    ),
    Mutant(
        "a push service learns which game somebody plays",
        "server/web/notifications/web_push.py",
        '        headers["Topic"] = _hidden(topic, device)\n',
        '        headers["Topic"] = topic\n',
        "tests/web/notifications/test_push.py::test_only_the_browser_itself_can_read_what_it_is_sent",
    ),
)
