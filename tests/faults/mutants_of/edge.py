"""Defences against what arrives before a handler decides, switched off: bodies, forms, heads of requests."""

from tests.faults.mutant import Mutant

DEAD = "tests/faults/sockets/test_dead_sockets.py"
BODIES = "server/web/bodies.py"
UPLOAD = "server/web/archive/upload.py"
OF_BODIES = "tests/web/test_bodies.py"
OF_FILES = "tests/rules/notation/test_pgn_file.py"
OF_UPLOADS = "tests/web/archive/test_upload.py"
HEADS = "server/web/edge/heads.py"
CONNECTION = "server/web/edge/http_connection.py"
OF_EDGE = "tests/web/edge/test_edge.py"
REFUSED = f"{OF_EDGE}::test_it_is_refused_with_a_sentence_and_the_connection_ends"

OF_EDGE: tuple[Mutant, ...] = (
    Mutant(
        "a body is waited for without end",
        BODIES,
        "asyncio.timeout_at(began + FIRST_SECONDS)",
        "asyncio.timeout_at(began + 3600)",
        f"{OF_BODIES}::test_a_body_that_does_not_come_in_time_is_given_up",
    ),
    Mutant(
        "the connection of a body that drips stays open",
        BODIES,
        "                asyncio.get_running_loop().call_later(HANG_UP_SECONDS, request.transport.close)\n",
        "                pass\n",
        f"{DEAD}::test_headers_and_bodies_that_trickle_in_are_cut_off",
        full=True,
    ),
    Mutant(
        "a body is read whatever its size",
        BODIES,
        "    if size > request[BUDGET].body:\n",
        "    if False:\n",
        f"{OF_BODIES}::test_a_body_that_is_too_large_is_refused_before_it_comes",
    ),
    Mutant(
        "large bodies of one address are not counted",
        BODIES,
        "self.taken[address] + size > MEMORY_PER_ADDRESS or ",
        "",
        f"{OF_BODIES}::test_large_bodies_under_way_are_bounded_by_address",
    ),
    Mutant(
        "large bodies are not counted in all",
        BODIES,
        " or self.taken.total() + size > MEMORY:",
        ":",
        f"{OF_BODIES}::test_room_is_bounded_in_all_and_comes_back",
    ),
    Mutant(
        "a form may begin with anything",
        UPLOAD,
        "    if not body.startswith(",
        "    if False and not body.startswith(",
        OF_UPLOADS,
    ),
    Mutant(
        "a field of a form may have any number of headers",
        UPLOAD,
        "            max_header_count=MAX_HEADERS,\n",
        "            max_header_count=10**9,\n",
        OF_UPLOADS,
    ),
    Mutant(
        "bodies may come in chunks",
        HEADS,
        '    if message.chunked or "Transfer-Encoding" in message.headers:\n',
        "    if False:\n",
        REFUSED,
    ),
    Mutant(
        "the head of a request may be of any size",
        CONNECTION,
        "        if self._head_bytes > MAX_BYTES:\n",
        "        if False:\n",
        REFUSED,
    ),
    Mutant(
        "requests that come together begin together",
        CONNECTION,
        "            elif self._answering or self._upgraded:\n",
        "            elif self._upgraded:\n",
        f"{OF_EDGE}::test_requests_that_come_together_are_read_one_by_one",
    ),
    Mutant(
        "requests of all connections begin at once",
        "server/realtime/process/loop_throttle.py",
        "        if self._left:\n",
        "        if True:\n",
        "tests/realtime/process/test_loop_throttle.py::test_few_begin_in_each_iteration_and_clients_take_turns",
    ),
    Mutant(
        "what comes with a handshake is dropped",
        "server/web/sockets.py",
        "            socket.data_received(early)\n",
        "            pass\n",
        f"{OF_EDGE}::test_what_is_sent_before_the_handshake_is_answered_is_not_lost",
    ),
    Mutant(
        "a refusal ends the connection at once",
        CONNECTION,
        "            self.transport.write_eof()\n            self._lost = asyncio.get_running_loop().create_future()\n",
        "            self.transport.abort()\n",
        f"{OF_EDGE}::test_what_is_still_sent_after_a_refusal_is_thrown_away_for_a_while",
    ),
    Mutant(
        "an error keeps what was at work when it was raised",
        "server/web/edge/tracebacks.py",
        "        error.__traceback__ = None\n",
        "",
        "tests/web/test_rings.py::test_a_request_is_gone_with_its_connection",
    ),
    Mutant(
        "garbage waits for an hour however much it is",
        "server/gc_tuning.py",
        "        if self._memory() - self._kept >= GROWN and",
        "        if False and",
        "tests/process/test_gc_tuning.py",
    ),
    Mutant(
        "the same event is logged as often as somebody likes",
        "server/web/operation/logs.py",
        "        return count < self.AT_MOST\n",
        "        return True\n",
        "tests/web/operation/test_logs.py::test_a_repeated_event_does_not_fill_the_disk",
    ),
    Mutant(
        "memory that large bodies took is kept",
        "server/malloc.py",
        "        libc.mallopt(M_MMAP_THRESHOLD, LARGE)\n        libc.mallopt(M_TRIM_THRESHOLD, LARGE)\n",
        "",
        "tests/process/test_malloc.py",
    ),
    Mutant(
        "the rest of a record is looked through for each brace",
        "server/rules/notation/pgn_movetext.py",
        "    | (?P<unclosed> \\{[^}]*+ )\n",
        "",
        OF_FILES,
    ),
    Mutant(
        "a record is cut up in steps of any length",
        "server/rules/notation/pgn_file.py",
        " or end - paused > PAUSE_BEHIND:",
        ":",
        f"{OF_FILES}::test_few_but_long_words_are_cut_up_with_pauses_too",
    ),
    Mutant(
        "a head is waited for as long as it drips",
        CONNECTION,
        "call_later(HEAD_S, self._head_is_late)",
        "call_later(3600, self._head_is_late)",
        OF_EDGE,
    ),
    Mutant(
        "the rest of a large body is read for the next request",
        CONNECTION,
        "        unread = self._body_left > MAX_UNREAD\n",
        "        unread = False\n",
        OF_EDGE,
    ),
    Mutant(
        "all that is thrown away is read in one round",
        CONNECTION,
        "            self._pause_transport_reading()\n            self._throttle.wait(self.go_on)\n",
        "            self._queued = False\n",
        OF_EDGE,
    ),
    Mutant(
        "any number of bytes is thrown away",
        CONNECTION,
        "        if self._thrown_away > MAX_THROWN_AWAY:\n",
        "        if False:\n",
        OF_EDGE,
    ),
    Mutant(
        "every version of HTTP is spoken", HEADS, "    if message.version not in SPOKEN:\n", "    if False:\n", REFUSED
    ),
    Mutant(
        "anything may be expected",
        HEADS,
        '    if message.headers.get("Expect", CONTINUE).lower() != CONTINUE:\n',
        "    if False:\n",
        REFUSED,
    ),
)
