"""Defences of routes against floods, and of the innocent against the limits, switched off."""

from tests.faults.mutant import Mutant

BUCKETS = "server/web/budgets/buckets.py"
CHARGING = "server/web/charging.py"
HEAVY = "server/web/budgets/heavy.py"
SEATS = "server/web/seats.py"
TIME_SLICES = "server/storage/time_slices.py"
TEST_BUDGETS = "tests/web/budgets/test_budgets.py"
TEST_HEAVY = "tests/web/budgets/test_heavy.py"
TEST_LIMITS = "tests/web/budgets/test_limits.py"
TEST_SEATS = "tests/web/budgets/test_seats.py"

OF_BUDGETS: tuple[Mutant, ...] = (
    Mutant(
        "a full map forgets a limit that is used up",
        BUCKETS,
        "        if whole <= now or not (wide := network(key)):\n",
        "        if not (wide := network('')):\n",
        TEST_LIMITS,
    ),
    Mutant(
        "the networks of one customer have a limit each",
        BUCKETS,
        "return ((key, 1), (key[:14], SITE_SHARE)) if is_ipv6(key) else ((key, 1),)",
        "return ((key, 1),)",
        TEST_LIMITS,
    ),
    Mutant(
        "routes of one address share a budget",
        "server/web/budgets/routes.py",
        "                app[OF_ROUTES].setdefault(each, budget)\n",
        "                app[OF_ROUTES][each] = budget\n",
        TEST_BUDGETS,
    ),
    Mutant(
        "addresses are not charged",
        CHARGING,
        "        charge_address(request, getattr(site.limits, budget.address), budget.cost)\n",
        "        pass\n",
        TEST_BUDGETS,
    ),
    Mutant(
        "sessions are not charged",
        CHARGING,
        "    charge(getattr(site.limits, budget.session), visitor.key, site.now(), budget.cost)\n",
        "",
        TEST_BUDGETS,
    ),
    Mutant(
        "what other sites load is charged to who looks at them",
        CHARGING,
        "    if from_another_site(request):\n",
        "    if False:\n",
        TEST_BUDGETS,
    ),
    Mutant(
        "a game that exists is refused after many that do not",
        "server/web/lookup.py",
        "    round_ = await site.rounds.get(game_id)\n    if",
        "    charge_address(request, site.limits.misses)\n    round_ = await site.rounds.get(game_id)\n    if",
        TEST_BUDGETS,
    ),
    Mutant(
        "who has a seat waits for the others behind the address",
        CHARGING,
        "        if not (budget.game and await site.seats.let_in(request)):\n",
        "        if True:\n",
        TEST_SEATS,
    ),
    Mutant(
        "all seats of an address together have no limit",
        SEATS,
        " or by_address.take(address, now):",
        ":",
        TEST_SEATS,
    ),
    Mutant(
        "every made-up cookie is looked up",
        SEATS,
        "            if self.limits.recognising.take(address, now) or",
        "            if False and self.limits.recognising.take(address, now) or",
        TEST_SEATS,
    ),
    Mutant(
        "any number of heavy requests is under way",
        HEAVY,
        "asyncio.Semaphore(MAX_AT_ONCE)",
        "asyncio.Semaphore(1_000)",
        TEST_HEAVY,
    ),
    Mutant(
        "any number of heavy requests waits",
        HEAVY,
        "        if self.waiting >= MAX_WAITING:\n",
        "        if False:\n",
        TEST_HEAVY,
    ),
    Mutant(
        "all long works take their steps in one round",
        TIME_SLICES,
        "            await asyncio.sleep(0)\n        await",
        "        await",
        "tests/storage/test_time_slices.py",
    ),
    Mutant(
        "short works take any number of steps in one round",
        TIME_SLICES,
        "                await asyncio.sleep(0)\n                return made\n",
        "                return made\n",
        "tests/storage/test_time_slices.py",
    ),
    Mutant(
        "a busy loop keeps the interpreter to itself",
        "server/storage/sqlite/file.py",
        "        with pausing_for_thread():\n",
        "        if True:\n",
        "tests/storage/sqlite/test_sqlite_file.py",
    ),
    Mutant(
        "the loop never pauses for a thread",
        "server/storage/thread_pauses.py",
        "        sleep(",
        "        abs(",
        "tests/storage/test_thread_pauses.py",
    ),
    Mutant(
        "everybody who asks for a game has it replayed",
        "server/realtime/process/single_flight.py",
        "        if task is None:\n",
        "        if True:\n",
        "tests/web/exports/test_long_games.py",
    ),
    Mutant(
        "what fails when nobody waits for it any more is logged as a fault of the server",
        "server/realtime/process/single_flight.py",
        "            task.exception()\n",
        "            pass\n",
        "tests/realtime/process/test_single_flight.py",
    ),
    Mutant(
        "a long game costs no more than a short one",
        "server/web/api.py",
        "    if len(game.plies) >= LONG:",
        "    if False:",
        "tests/web/exports/test_long_games.py",
    ),
    Mutant(
        "any number of long games is written in one round",
        "server/web/api.py",
        "from server.storage.time_slices import run_sliced\n",
        "from server.rules.sliced_work import run_at_once\n\n"
        "async def run_sliced(work):\n    return run_at_once(work)\n",
        "tests/web/exports/test_long_games.py::test_a_long_pgn_is_written_in_time_slices",
    ),
    Mutant(
        "a long game is written in one go",
        "server/rules/notation/pgn_writer.py",
        "        if number % PAUSE_AFTER == 0:\n",
        "        if False:\n",
        "tests/web/exports/test_long_games.py::test_its_pgn_is_written_with_pauses",
    ),
    Mutant(
        "all rounds are gone through in one go",
        "server/realtime/play/rounds.py",
        "        await run_sliced(acting())\n",
        "        for _ in acting():\n            pass\n",
        "tests/realtime/test_live.py::test_all_rounds_are_visited_in_time_slices",
    ),
    Mutant(
        "any number of files of games is written at once",
        "server/web/archive/pages.py",
        '        async with request.app[HEAVY].alone("exports"):\n',
        "        async with asyncio.Lock():\n",
        "tests/web/exports/test_long_games.py::test_files_of_games_are_written_one_game_at_a_time",
    ),
    Mutant(
        "a file of games is written though its reader has left",
        "server/web/archive/pages.py",
        "            if request.transport is None:\n",
        "            if False:\n",
        "tests/web/exports/test_long_games.py::test_no_game_is_read_for_a_file_whose_reader_has_left",
    ),
    Mutant(
        "QR codes are drawn whenever they are asked for",
        "server/web/lobby/qr.py",
        "await run_in_one_slice(partial(qr_svg, link))",
        "qr_svg(link)",
        "tests/web/lobby/test_challenges.py::test_a_qr_code_is_drawn_when_no_other_long_work_has_its_turn",
    ),
    Mutant(
        "a request goes on although its connection is gone",
        "server/web/edge/http_connection.py",
        "            answering.cancel()\n",
        "            pass\n",
        "tests/web/edge/test_edge.py::test_a_request_whose_sender_is_gone_by_its_turn_leaves_no_traceback",
    ),
    Mutant(
        "any number of lines of one address is judged at once",
        "server/web/budgets/heavy.py",
        "        async with self._alone.setdefault(key, asyncio.Lock()):\n",
        "        async with asyncio.Lock():\n",
        "tests/web/budgets/test_heavy.py",
    ),
    Mutant(
        "lines have no limit by address",
        "server/web/analysis/judging.py",
        "    charge_address(request, limits.tries_by_address if short else limits.long_tries_by_address)\n",
        "",
        "tests/web/analysis/test_analysis.py",
    ),
    Mutant(
        "an owner is nobody anywhere",
        "server/web/accounts/accounts.py",
        "        if found is None or mark_of(found.user, address) not in found.places:\n",
        "        if True:\n",
        "tests/web/accounts/test_guessing_passwords.py",
    ),
    Mutant(
        "who guesses at one address keeps the owner out at all",
        "server/web/accounts/accounts.py",
        '        charge(self.limits.sign_ins, f"{folded} {address}", self.now())\n        found',
        "        charge(self.limits.sign_ins, folded, self.now())\n        found",
        "tests/web/accounts/test_guessing_passwords.py",
    ),
    Mutant(
        "any number of places is kept",
        "server/web/accounts/known_networks.py",
        "[-MOST:]",
        "",
        "tests/web/accounts/test_guessing_passwords.py",
    ),
    Mutant(
        "one network imports many files at once",
        "server/web/archive/imports.py",
        "        if network in self._under_way:\n",
        "        if False:\n",
        "tests/web/archive/test_imports.py::test_a_network_imports_one_file_at_a_time_and_a_crowd_is_refused",
    ),
    Mutant(
        "a file is imported to its end before the next",
        "server/web/archive/imports.py",
        "        for done, piece in enumerate(pieces):\n            async with self._turn:\n",
        "        await self._turn.acquire()\n"
        "        asyncio.current_task().add_done_callback(lambda _: self._turn.release())\n"
        "        for done, piece in enumerate(pieces):\n            if True:\n",
        "tests/web/archive/test_imports.py::test_files_take_turns_game_by_game",
    ),
    Mutant(
        "refused games of a file cost nothing",
        "server/web/archive/imports.py",
        "            admission.charge(error, piece.text)\n",
        "",
        "tests/web/archive/test_import_pages.py::test_the_half_moves_of_refused_games_are_counted_too",
    ),
)
