"""How many small changes of the pure code its short tests notice: drawn at random, made by Cosmic Ray (`make score`).

    python -m tests.faults.mutation_score [--count 300] [--seed 1] [word ...]    words: only files whose paths hold one

Each change runs in a copy of the checkout, against the tests alone that run its line. One that no test notices is
printed: a test is missing, or the change changes nothing. It takes an hour, and measures tests, not the change at hand,
so it is no part of any other run.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from random import Random

import coverage
import pytest
from cosmic_ray.commands.init import _all_work_items
from cosmic_ray.mutating import use_mutation
from cosmic_ray.plugins import get_operator

from tests.faults.mutants import copy_checkout

AREAS = ("server/rules", "server/games", "server/realtime/play", "server/web/budgets", "server/mail/inbound")
TESTS = ("tests/rules", "tests/games", "tests/realtime", "tests/web/budgets", "tests/mail", "tests/web/mail/inbound")
SHORT = ("-m", "not slow", "-p", "no:xdist", "-p", "no:cacheprovider", "--quiet")
LINES = "lines-of-tests"
TOO_LONG_S = 300
NONE_FAILED = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


class Contexts:
    """Notes of each line by which tests it is run. A test's tasks count as the test, so a decorator would not do."""

    def __init__(self, measured):
        self._measured = measured

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        self._measured.switch_context(item.nodeid.partition("[")[0])
        try:
            return (yield)
        finally:
            self._measured.switch_context("")


def measure_lines() -> None:
    """Runs all of the tests once, in this process and folder."""
    measured = coverage.Coverage(LINES, source=AREAS, config_file=False)
    measured.start()
    failed = pytest.main([*SHORT, *TESTS], plugins=[Contexts(measured)])
    measured.stop()
    measured.save()
    sys.exit(failed)


def draw(count: int, seed: int, words: list[str]):
    """At so many places one change each, though each could be changed in ten ways. None of `a | b`, mostly a type."""
    files = [file for area in AREAS for file in sorted(Path(area).rglob("*.py"))]
    changes = defaultdict(list)
    for work in _all_work_items([file for file in files if any(word in str(file) for word in words or [""])], {}):
        (change,) = work.mutations
        if "BitOr_" not in change.operator_name:
            changes[str(change.module_path), change.start_pos, change.end_pos].append(change)
    random = Random(seed)
    places = random.sample(sorted(changes), min(count, len(changes)))
    print(f"{len(places)} of {len(changes)} places", flush=True)
    return [random.choice(changes[place]) for place in places]


def is_noticed(tests) -> bool:
    """Whether one of these fails, or takes so long that somebody would look."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", *SHORT, "-x", *tests]
    try:
        ended = subprocess.run(command, env=environment, capture_output=True, timeout=TOO_LONG_S).returncode
    except subprocess.TimeoutExpired:
        return True
    return ended not in NONE_FAILED


def print_change(change, before: str, after: str) -> None:
    print(f"{change.module_path}:{change.start_pos[0]} {change.operator_name}")
    for old, new in zip(before.splitlines(), after.splitlines(), strict=False):
        if old != new:
            print(f"  - {old.strip()}\n  + {new.strip()}", flush=True)
            return


def score_changes(changes) -> None:
    lines = coverage.CoverageData(LINES)
    lines.read()
    noticed, tried = Counter(), Counter()
    for change in changes:
        area = next(area for area in AREAS if str(change.module_path).startswith(area))
        runs = lines.contexts_by_lineno(str(Path(change.module_path).resolve()))
        changed = range(change.start_pos[0], change.end_pos[0] + 1)
        tests = sorted({test for line in changed for test in runs.get(line, ()) if test}) or TESTS
        operator = get_operator(change.operator_name)()
        with use_mutation(change.module_path, operator, change.occurrence) as (before, after):
            tried[area] += 1
            if is_noticed(tests):
                noticed[area] += 1
            else:
                print_change(change, before, after)
    for area in filter(tried.get, AREAS):
        print(f"{area}: {noticed[area]} of {tried[area]} noticed")
    print(f"all: {noticed.total()} of {tried.total()}, {noticed.total() / tried.total():.1%}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("words", nargs="*")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy_checkout(Path(folder))
        os.chdir(folder)
        changes = draw(asked.count, asked.seed, asked.words)
        measure = "from tests.faults.mutation_score import measure_lines; measure_lines()"
        subprocess.run([sys.executable, "-c", measure], check=True, capture_output=True)
        score_changes(changes)


if __name__ == "__main__":
    main()
