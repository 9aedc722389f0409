"""Defences of puzzles, switched off: that none is wrong, that none is given away, and that a try counts once."""

from tests.faults.mutant import Mutant

MINING = "server/games/puzzles/mining.py"
MINED = "tests/games/puzzles/test_mining.py"
SOLVING = "server/games/puzzles/solving.py"
PUZZLE = "server/games/puzzles/puzzle.py"
SOLVED = "tests/games/puzzles/test_solving.py"
HANDLERS = "server/web/puzzles/handlers.py"
ASKED = "tests/web/puzzles/test_puzzles_asked.py"

OF_PUZZLES: tuple[Mutant, ...] = (
    Mutant(
        "a second move may win, too",
        MINING,
        "max(others, default=0.0) <= min(NOT_WON, chances - BETTER)",
        "max(others, default=0.0) <= 1",
        MINED,
    ),
    Mutant(
        "no deeper search confirms a move",
        MINING,
        "uci is not None and uci == only_winning_move(position, analyst, nodes * DEEPER)",
        "uci is not None",
        MINED,
    ),
    Mutant(
        "to take what stands there is a puzzle",
        MINING,
        "    return takes and not wins_at_once(play(start, move))",
        "    return False",
        MINED,
    ),
    Mutant(
        "a mate that was missed twice makes two puzzles",
        MINING,
        "            if line and line[0] not in begun:",
        "            if line:",
        MINED,
    ),
    Mutant(
        "another mate is a wrong move",
        SOLVING,
        "        if wins_at_once(after.position):\n            return Verdict(True, True, after)\n",
        "",
        SOLVED,
    ),
    Mutant(
        "the reply to a wrong move is given away",
        SOLVING,
        "            return Verdict(False, False, after)\n",
        "            return Verdict(False, False, after, solution(puzzle, variant)[2 * number])\n",
        SOLVED,
    ),
    Mutant(
        "a line that draws is a puzzle",
        PUZZLE,
        "    if outcome(position) is not None and not wins_at_once(position):",
        "    if False:",
        SOLVED,
    ),
    Mutant(
        "whoever errs reads what the puzzle is about",
        HANDLERS,
        "await _about(request, puzzle) if verdict.solved else None",
        "await _about(request, puzzle)",
        ASKED,
    ),
    Mutant(
        "a puzzle that comes up tells its game",
        "server/web/puzzles/answers.py",
        '        "id": puzzle.id,\n        "form": address_of(puzzle.variant, puzzle.chess960),\n',
        '        "id": puzzle.id,\n        "form": address_of(puzzle.variant, puzzle.chess960) + puzzle.game,\n',
        ASKED,
    ),
    Mutant(
        "a guest rates puzzles",
        HANDLERS,
        "    if member is None:\n        return None if before",
        "    if member is None:\n        await site.store.puzzles.remove([puzzle.id])\n        return None if before",
        ASKED,
    ),
    Mutant(
        "every try counts",
        "server/storage/sqlite/puzzles/tries.py",
        'insert(connection, "puzzle_tries", to_document(tried))',
        'insert(connection, "puzzle_tries", to_document(tried), "OR REPLACE")',
        ASKED,
    ),
    Mutant(
        "what somebody did at puzzles outlives their account",
        "server/realtime/account_merges.py",
        "            await store.puzzle_tries.forget(merge.user)\n",
        "",
        ASKED,
    ),
)
