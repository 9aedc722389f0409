"""Options of the whole test run."""

import functools
import gc
from pathlib import Path

import pytest
from hypothesis import settings

from tests.faults.rows import COUNT, HELD, RowTable
from tests.support.patience import PATIENCE_S
from tests.support.storage.secantus import secantus

__all__ = ["secantus"]

HERE = Path(__file__).parent
SLOW_FOLDERS = [HERE / "browser", *(folder for folder in (HERE / "faults").iterdir() if folder.is_dir())]

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("ours", deadline=None)
settings.load_profile("ours")


@functools.cache
def is_slow(path):
    return any(path.is_relative_to(folder) for folder in SLOW_FOLDERS)


@functools.cache
def may_hold_slow(path):
    """Whether a test of this file may be slow. Outside of the suite of each store, a file says so itself."""
    return is_slow(path) or path.is_relative_to(HERE / "storage") or "mark.slow" in path.read_text(encoding="utf-8")


def holds_only_slow(path):
    module_marks = path.read_text(encoding="utf-8").partition("\npytestmark = ")[2].partition("\n\n")[0]
    return is_slow(path) or "mark.slow" in module_marks


def pytest_ignore_collect(collection_path, config):
    """A file without a test of the kind that is asked for is not even imported, which was half of each start; nor are
    the conftest and Playwright of a folder.
    """
    if config.option.markexpr == "not slow" and is_slow(collection_path):
        return True
    if not collection_path.name.startswith("test_") or collection_path.suffix != ".py":
        return None
    asked_for = config.option.markexpr
    if asked_for == "slow" and not may_hold_slow(collection_path):
        return True
    return True if asked_for == "not slow" and holds_only_slow(collection_path) else None


def pytest_addoption(parser):
    parser.addoption("--deep", action="store_true", help="count every recorded perft depth, for some minutes")
    parser.addoption("--seed", type=int, default=1, help="seed of the tests that play or mutate at random")
    parser.addoption("--plies", type=int, default=40, help="plies of each random game against another program")
    parser.addoption("--full", action="store_true", help="run the rows of the fault bench with all their numbers")
    parser.addoption("--slow-pages", action="store_true", help="scripts and messages reach browsers late")
    parser.addoption("--report", type=Path, help="write the rows of the fault bench to this file, as JSON")


def pytest_configure(config):
    config.pluginmanager.register(RowTable(config.getoption("--report")), "rows")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """All tests with a browser and all of the fault bench are slow; what only `--full` runs is skipped without it."""
    for item in items:
        if is_slow(item.path):
            item.add_marker("slow")
        elif item.get_closest_marker("slow") and not may_hold_slow(item.path):
            raise pytest.UsageError(f"{item.path}: `-m slow` looks only into files that say `mark.slow` themselves")
    if config.getoption("--full"):
        return
    for item in items:
        for mark in item.iter_markers("only_full"):
            item.add_marker(
                pytest.mark.skip(reason=f"{mark.args[0]}; run it with --full, or all of them by `make faults`")
            )


@pytest.fixture
def uncollected():
    """Nobody looks for rings of garbage until the test ends. What was there before is not among `gc.get_objects`."""
    gc.freeze()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="session")
def deep(request):
    return request.config.getoption("--deep")


@pytest.fixture(scope="session")
def seed(request):
    return request.config.getoption("--seed")


@pytest.fixture(scope="session")
def plies(request):
    return request.config.getoption("--plies")


@pytest.fixture(scope="session")
def full(request):
    return request.config.getoption("--full")


@pytest.fixture(scope="session")
def at_most(full):
    """Whether a measured time or share is within its limit: asked with --full, when nothing else runs. In any other run
    the machine is shared, and may be slow: what is measured then is only printed."""
    return lambda measured, limit: not full or measured <= limit


@pytest.fixture(scope="session")
def within(full):
    """How long to wait for what comes within so many seconds with --full, when nothing else runs."""
    return lambda seconds: seconds if full else PATIENCE_S


@pytest.fixture(scope="session")
def scale(full):
    """How many of `n` cases this run takes: all of them with --full, else a twentieth."""
    return lambda n: n if full else max(1, n // 20)


@pytest.fixture
def counted(record_property):
    """Says in the table of rows on how many cases a test stands: `counted("games", 40)`."""
    return lambda what, n: record_property(COUNT, f"{n:,} {what}")


@pytest.fixture
def dearest(record_property):
    """Has the most expensive requests printed behind the rows: `dearest({"GET /": 12.5})`, in ms of the event loop."""
    return lambda held: record_property(HELD, held)


def pytest_collection_finish():
    """The tests themselves are no garbage: looking through them again and again was a part of each test's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 5, 10)
