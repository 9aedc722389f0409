"""Defences of moves against kills, lost sockets and bad stores, and of the server against its sockets, switched off."""

from tests.faults.mutant import Mutant

KILLS = "tests/faults/moves/test_kills.py"
BROKEN = "tests/faults/moves/test_broken_sockets.py"
DEAD = "tests/faults/sockets/test_dead_sockets.py"
ATTACKS = "tests/faults/abuse/test_attacks.py"
FLOODS = "tests/faults/sockets/test_floods.py"
GAME_WRITER = "server/realtime/play/game_writer.py"
CONNECTION = "server/realtime/play/connection.py"

OF_SOCKETS: tuple[Mutant, ...] = (
    Mutant(
        "a crowd is told in one go, while all others wait",
        "server/web/websocket/socket.py",
        "        if self._keeper.crowds.take(self._flush_in_turn):\n",
        "        if True:\n",
        "tests/web/websocket/test_socket.py",
    ),
    Mutant(
        "players are told in turn with the crowd that watches them",
        "server/realtime/play/round_subscribers.py",
        "        return self.color is None and not self.invited\n",
        "        return not self.invited\n",
        "tests/realtime/test_watchers.py",
    ),
    Mutant(
        "a move is acknowledged before it is stored",
        GAME_WRITER,
        "                await self._services.store.save(base, after)\n",
        "                saving = self._services.store.save\n"
        "                loop = asyncio.get_running_loop()\n"
        "                loop.call_later(0.5, lambda: loop.create_task(saving(base, after)))\n",
        f"{KILLS}::test_fifty_kills_in_mid_game_lose_nothing",
    ),
    Mutant(
        "the store does not compare before it sets",
        "server/storage/sqlite/saves.py",
        " AND games.rev = step.start\n",
        "\n",
        "tests/storage/every_store/test_games_kept.py",
    ),
    Mutant(
        "a move that is sent again is not recognised",
        "server/games/changes/moving.py",
        "    if 0 <= ply < len(game.plies) and",
        "    if False and",
        f"{BROKEN}::test_a_move_whose_answer_was_lost_is_sent_again_and_counts_once",
    ),
    Mutant(
        "a write of unknown outcome is not read back",
        GAME_WRITER,
        "        if self._unconfirmed is not None:\n",
        "        if False:\n",
        "tests/realtime/play/outages/test_storage_failure.py",
    ),
    Mutant(
        "time runs on while nothing can be stored",
        GAME_WRITER,
        "result = await self._attempt(game, command, at)\n",
        "result = await self._attempt(game, command, self._services.now())\n",
        "tests/faults/moves/test_store.py",
    ),
    Mutant(
        "a move counts from its turn and not from its receipt",
        GAME_WRITER,
        "        at = now if self.stalled_since is None else min(now, self.stalled_since)\n",
        "        at = self._services.now()\n",
        "tests/realtime/play/test_races.py",
    ),
    Mutant(
        "clocks run while there is no server",
        "server/realtime/recovery.py",
        "            return Pause(last_alive) if running or game.both_met else None\n",
        "            return None\n",
        f"{KILLS}::test_fifty_kills_in_mid_game_lose_nothing",
    ),
    Mutant(
        "the numbers of another life count",
        "server/realtime/play/history/event_history.py",
        "        if epoch != self.epoch or v < 0",
        "        if v < 0",
        f"{KILLS}::test_event_numbers_from_before_a_restart_bring_the_whole_game",
    ),
    Mutant(
        "what waits for a reader has no limit",
        "server/realtime/protocol/outbox.py",
        "        if len(self._texts) >= MAX_TEXTS or",
        "        if False and",
        "tests/realtime/protocol/test_outbox.py",
    ),
    Mutant(
        "messages cost nothing",
        CONNECTION,
        "            if self._affords(1, now):\n",
        "            if True:\n",
        f"{FLOODS}::test_a_flood_is_cut_off_and_nobody_else_waits",
    ),
    Mutant(
        "sockets of a session are not counted",
        "server/web/websocket/open_sockets.py",
        "        most = PER_SESSION if",
        "        most = 10_000 if",
        f"{FLOODS}::test_the_eleventh_socket_of_a_session_is_refused_before_the_handshake",
    ),
    Mutant(
        "nobody has to say hello",
        CONNECTION,
        "self._services.now() + HELLO_MS,",
        "self._services.now() + 1_000 * HELLO_MS,",
        f"{DEAD}::test_a_socket_that_never_says_hello_is_closed_silent_or_slow",
    ),
    Mutant(
        "no heartbeat",
        "server/web/websocket/silence.py",
        "    if quiet >= GONE_BEATS:",
        "    if False:",
        f"{DEAD}::test_peers_that_vanish_silently_are_found",
        full=True,
    ),
    Mutant(
        "a silent socket is as good as any other",
        "server/web/websocket/silence.py",
        "    if quiet >= SILENT_BEATS and not late:",
        "    if False:",
        f"{DEAD}::test_an_opponent_whose_socket_is_dead_is_shown_as_lost_within_seconds_and_back_when_it_answers",
    ),
    Mutant(
        "a server that stood still blames its clients for their silence",
        "server/web/websocket/silence.py",
        "    if quiet >= SILENT_BEATS and not late:",
        "    if quiet >= SILENT_BEATS:",
        "tests/web/websocket/test_silence.py",
    ),
    Mutant(
        "processes vouch to each other for a player whose socket is dead",
        "server/realtime/play/round.py",
        "            if seat.answers:\n",
        "            if seat.connections:\n",
        "tests/realtime/play/test_presence.py",
    ),
    Mutant(
        "a shut laptop is paired",
        "server/realtime/protocol/feed.py",
        "any(not page.silent for page in self._by_person.get(player, ()))",
        "player in self._by_person",
        "tests/realtime/lobby/test_shut_laptops.py",
    ),
    Mutant(
        "compression is spoken",
        "server/web/websocket/handshake.py",
        '            "Upgrade": "websocket",\n',
        '            "Upgrade": "websocket",\n            "Sec-WebSocket-Extensions": "permessage-deflate",\n',
        f"{DEAD}::test_no_offer_of_compression_is_accepted",
    ),
    Mutant(
        "a frame may be of any size",
        "server/web/websocket/frames.py",
        "            if size > MOST:",
        "            if False:",
        f"{DEAD}::test_too_large_a_frame_closes_the_socket",
    ),
    Mutant(
        "the kernel keeps as much as it likes for who does not read",
        "server/web/websocket/handshake.py",
        '    transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_SNDBUF, KERNEL_BYTES)\n',
        "",
        "tests/faults/sockets/test_memory.py::test_watchers_who_never_read_are_cut_off_and_the_players_play_on",
        full=True,
    ),
    Mutant(
        "pictures are drawn where games are played",
        "server/web/pictures/image_cache.py",
        "        return await asyncio.wrap_future(self._process.submit(render, plan))\n",
        "        return drawn(plan)\n",
        "tests/faults/sockets/test_mixed_load.py",
        full=True,
    ),
    Mutant(
        "passwords are hashed where games are played",
        "server/web/accounts/hashing.py",
        "            return await asyncio.get_running_loop().run_in_executor(self._thread, work)\n",
        "            return work()\n",
        "tests/faults/sockets/test_mixed_load.py",
        full=True,
    ),
    Mutant(
        "every page of one person reads all their games for itself",
        "server/realtime/your_games/running_games.py",
        "        kept = self._kept.get(player)\n",
        "        return await self._services.store.running_of(player)\n        kept = self._kept.get(player)\n",
        f"{ATTACKS}::test_no_route_lets_a_game_be_held_up[greetings of one with many games]",
        full=True,
    ),
    Mutant(
        "every page that comes has the store read all games of its person",
        "server/realtime/your_games/running_games.py",
        "        if kept is not None and 0 <= self._services.now() - kept.at < KEPT_MS:\n",
        "        if False:\n",
        "tests/realtime/your_games/test_running_games.py",
    ),
    Mutant(
        "a board is not shown while the reader's other games cannot be read",
        "server/web/lobby/your_games.py",
        '    except StoreError as error:\n        log.info("nothing stands beside',
        '    except KeyError as error:\n        log.info("nothing stands beside',
        "tests/web/lobby/test_your_games.py",
    ),
    Mutant(
        "anybody has any number of games",
        "server/web/lobby/your_games.py",
        "    if len(await site.live.running_games.of(player_id)) >= MAX_AT_ONCE:\n",
        "    if False:\n",
        "tests/web/lobby/test_your_games.py",
    ),
)
