"""Defences of lessons, switched off: that the rules judge every answer, and who keeps what."""

from tests.faults.mutant import Mutant

JUDGING = "server/rules/lesson/judging.py"
JUDGED = "tests/rules/lesson/test_judging.py"
FILES = "server/rules/lesson/lesson_file.py"
READ = "tests/rules/lesson/test_lesson_files.py"
HANDLERS = "server/web/lessons/handlers.py"
ASKED = "tests/web/lessons/test_lessons_asked.py"

OF_LESSONS: tuple[Mutant, ...] = (
    Mutant(
        "any end of the game is the one asked for",
        JUDGING,
        " or end.winner is not one.before.turn or end.reason != one.goal.wins",
        " or end.winner is not one.before.turn",
        JUDGED,
    ),
    Mutant(
        "a promotion into stalemate solves a task",
        JUDGING,
        "    *(_going_on, _kind,",
        "    *(_kind,",
        JUDGED,
    ),
    Mutant(
        "a task that nobody can solve is offered",
        FILES,
        "not 0 < len(solutions(step)) < len(",
        "not 0 <= len(solutions(step)) < len(",
        READ,
    ),
    Mutant(
        "a wrong move counts as done",
        HANDLERS,
        "    if why is None and visitor is not None and",
        "    if visitor is not None and",
        ASKED,
    ),
    Mutant(
        "what somebody has done outlives their account",
        "server/realtime/account_merges.py",
        "            await store.lessons.forget(merge.user)\n",
        "",
        ASKED,
    ),
)
