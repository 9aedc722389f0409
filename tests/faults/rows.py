"""The rows of the bench: which fault each test stands for, and one table of them at the end of the run.

A test carries `@pytest.mark.row("F1")` wherever it lies, and says with the fixture `counted` on how many cases it
stands. Of a suite that is a row as a whole, `row("F15", suite="...")`, all tests are one line of the table. A row that
was skipped is printed as skipped, with the reason. This module knows nothing of the server.
"""

import json
import platform
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path

import pytest

COUNT = "row count"
ROW = "row"
HELD = "milliseconds held"
DEAREST = 10


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one test of a row came to. `count` is empty where the test is one case."""

    row: str
    what: str
    count: str
    seconds: float
    came_to: str


class RowTable:
    """Collects the outcomes of marked tests, in one process or from the processes of xdist."""

    def __init__(self, report_to: Path | None) -> None:
        self._report_to = report_to
        self._outcomes: list[Outcome] = []
        self._seconds: dict[str, float] = {}
        self._held: dict[str, float] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            for mark in item.iter_markers("row"):
                item.user_properties += [(ROW, (name, mark.kwargs.get("suite"))) for name in mark.args]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        rows = [value for name, value in report.user_properties if name == ROW]
        if not rows:
            return
        self._seconds[report.nodeid] = self._seconds.get(report.nodeid, 0) + report.duration
        if report.when != "call" and report.passed:
            return
        for held in (value for name, value in report.user_properties if name == HELD):
            self._held |= {request: max(ms, self._held.get(request, 0)) for request, ms in held.items()}
        what = report.nodeid.partition("::")[2].removeprefix("test_").replace("_", " ")
        count = ", ".join(value for name, value in report.user_properties if name == COUNT)
        seconds = round(self._seconds[report.nodeid], 2)
        self._outcomes += [Outcome(row, suite or what, count, seconds, came_to(report)) for row, suite in rows]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self._outcomes:
            return
        outcomes = sorted(
            self._outcomes, key=lambda each: (each.row[0], int(each.row[1:]), bare(each.what), each.came_to)
        )
        terminalreporter.section("rows of the fault bench")
        for each in in_lines(outcomes):
            counted = f" [{each.count}]" if each.count else ""
            terminalreporter.write_line(f"{each.row:4} {each.seconds:7.2f} s  {each.came_to}  {each.what}{counted}")
        terminalreporter.write_line(f"all  {sum(self._seconds.values()):7.2f} s")
        if self._held:
            terminalreporter.section("requests that held the event loop the longest")
        for request, ms in sorted(self._held.items(), key=lambda each: -each[1])[:DEAREST]:
            terminalreporter.write_line(f"{ms:7.1f} ms  {request}")
        if self._report_to:
            report = {"commit": commit(), "machine": platform.platform(), "python": platform.python_version()}
            self._report_to.write_text(json.dumps(report | {"rows": [asdict(each) for each in outcomes]}, indent=1))


def in_lines(outcomes: list[Outcome]) -> Iterator[Outcome]:
    """One line for all cases of a parametrized test that came to the same, as some have a hundred."""
    for (row, what, result), cases in groupby(outcomes, key=lambda each: (each.row, bare(each.what), each.came_to)):
        first, *others = cases
        if not others:
            yield first
        else:
            yield Outcome(row, what, f"{len(others) + 1} cases", sum(one.seconds for one in (first, *others)), result)


def bare(what: str) -> str:
    return what.partition("[")[0]


def came_to(report: pytest.TestReport) -> str:
    """`passed`, `FAILED` or `SKIPPED: reason`."""
    if report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        return f"SKIPPED: {reason.removeprefix('Skipped: ')}"
    return "passed" if report.passed else "FAILED"


def commit() -> str:
    """The commit that was tested, or nothing where there is no git."""
    asked = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return asked.stdout.strip()
