"""Every bench can be started, and finds what it measures: they are run by hand, so nobody else would see it."""

from importlib import import_module
from pathlib import Path

from server.storage.protocols.archive import Search
from server.web.archive.search import look
from tests.bench.storage_bench import PAGE, archive_entries, file_games, opened
from tests.support.storage.engines import SqlitePlace

BENCHES = [f"tests.bench.{path.stem}" for path in sorted(Path(__file__).parent.glob("*_bench.py"))]
BY_HAND = [*BENCHES, "tests.engine.strength"]


def test_each_bench_finds_what_it_imports():
    assert [name for name in BY_HAND if not callable(import_module(name).main)] == []


async def test_the_archive_bench_searches_games_that_can_be_found(tmp_path):
    async with opened(SqlitePlace(tmp_path)) as store:
        await file_games(store, archive_entries(2 * PAGE))
        assert len((await look(store.archive, Search(), PAGE, "")).games) == PAGE
