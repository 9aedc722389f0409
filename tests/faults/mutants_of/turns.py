"""Defences of moves against what one client sends at once on many sockets, switched off."""

from tests.faults.mutant import Mutant

CONNECTION = "server/realtime/play/connection.py"
TEST_LIMITS = "tests/realtime/play/test_limits.py"
TEST_TV = "tests/realtime/tv/test_tv.py"
TEST_SOCKET = "tests/web/websocket/test_socket.py"

OF_TURNS: tuple[Mutant, ...] = (
    Mutant(
        "a whole game is put together anew for everybody who asks",
        "server/realtime/play/history/snapshot_cache.py",
        "        if text is None:\n",
        "        if True:\n",
        f"{TEST_LIMITS}::test_a_snapshot_is_encoded_once_for_everybody_until_the_next_move",
    ),
    Mutant(
        "every stale move brings the whole game",
        CONNECTION,
        "        if self._resynced != state and",
        "        if",
        f"{TEST_LIMITS}::test_stale_moves_bring_one_snapshot_until_the_next_move",
    ),
    Mutant(
        "any number of refused moves brings a whole game each",
        CONNECTION,
        "RESYNCS: Final = 10\n",
        "RESYNCS: Final = 10_000\n",
        f"{TEST_LIMITS}::test_a_board_that_stays_wrong_gets_a_bounded_number_of_snapshots",
    ),
    Mutant(
        "to ask for a whole game costs no more than a word",
        CONNECTION,
        "self._affords(HELLO_COST - 1, now)",
        "self._affords(0, now)",
        f"{TEST_LIMITS}::test_asking_for_whole_games_costs_more_than_chatting",
    ),
    Mutant(
        "to ask for all boards costs no more than a word",
        "server/realtime/feed_connection.py",
        "self._bucket.take(now, HELLO_COST - 1)",
        "self._bucket.take(now, 0)",
        f"{TEST_TV}::test_asking_for_all_boards_again_and_again_closes_the_socket",
    ),
    Mutant(
        "whoever opens TV first has all games ranked in one go",
        "server/realtime/tv/tv.py",
        "        best = await self._best()\n        self._add_boards(name, channel, best)\n        channel.ready",
        "        best = sorted(filter(worth_showing, self._rounds), key=tv_rank, reverse=True)\n"
        "        self._add_boards(name, channel, best)\n        channel.ready",
        f"{TEST_TV}::test_who_comes_while_the_first_boards_are_chosen_gets_them_too",
    ),
    Mutant(
        "all texts that come together are taken in together",
        "server/web/websocket/socket.py",
        "            if self._text is not None:\n                self._keeper.throttle.wait(self.go_on)\n",
        "            while self._text is not None:\n                self._hand_on()\n"
        "                self._text = self._next_text()\n",
        f"{TEST_SOCKET}::test_texts_that_come_together_are_taken_in_one_by_one_between_those_of_others",
    ),
    Mutant(
        "sockets need no turn",
        "server/web/websocket/socket.py",
        " and self._keeper.throttle.take(self.go_on):",
        ":",
        f"{TEST_SOCKET}::test_all_sockets_together_take_in_few_texts_in_a_round",
    ),
    Mutant(
        "who has texts waiting is read on",
        "server/web/websocket/socket.py",
        "        self._hold(self._text is not None)\n",
        "",
        f"{TEST_SOCKET}::test_a_client_with_waiting_texts_is_not_read_and_they_count_from_their_arrival",
    ),
    Mutant(
        "a socket that breaks takes what waits with it",
        "server/web/websocket/socket.py",
        "        # What arrived before the end still counts.\n        self._hand_on()\n",
        "",
        f"{TEST_SOCKET}::test_a_text_that_waits_for_its_turn_when_the_socket_breaks_is_taken_in",
    ),
    Mutant(
        "a flag falls before a move that waits for its turn",
        "server/realtime/process/loop_throttle.py",
        "        if self._waiting:\n            self.wait(then)\n",
        "        if False:\n            self.wait(then)\n",
        "tests/realtime/play/test_races.py::test_a_move_waiting_for_its_turn_is_decided_before_the_flag",
    ),
    Mutant(
        "the store waits for the interpreter as long as Python lets it",
        "server/serving.py",
        "    sys.setswitchinterval(SWITCH_S)\n",
        "",
        "tests/process/test_start.py",
    ),
)
