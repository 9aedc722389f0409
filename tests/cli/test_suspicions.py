"""`fairyhouse suspicions` on a site, beside its server and without it."""

import asyncio

import pytest

from server.cli.site_access import CommandRefused
from server.cli.suspicions import list_suspicions
from server.games.fair_play import MIN_GAMES
from server.settings import Settings
from server.storage.sqlite.store import SqliteStore
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.filled_site import contents
from tests.support.storage.rated_games import ANNA, BERTA, count_all, farm, register
from tests.support.web.host import QuickHost, command

pytestmark = pytest.mark.slow


async def fill(path, games):
    store = await SqliteStore.open(path, VARIANTS)
    await register(store, ANNA, BERTA)
    await farm(store, ANNA, BERTA, games)
    await count_all(store)
    await store.close()


def test_a_site_is_read_and_left_as_it_is(tmp_path, capsys):
    path = tmp_path / "fairyhouse.sqlite3"
    asyncio.run(fill(path, MIN_GAMES - 1))
    before = contents(path)
    list_suspicions(Settings(data_dir=tmp_path))
    assert capsys.readouterr().out == "No rated results look farmed.\n"
    assert contents(path) == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_missing_site_is_reported(tmp_path):
    with pytest.raises(CommandRefused, match="DATA_DIR"):
        list_suspicions(Settings(data_dir=tmp_path))


async def test_it_works_beside_the_running_server(tmp_path):
    host = QuickHost(tmp_path)
    (host.folder / "data").mkdir(mode=0o700, parents=True, exist_ok=True)
    await fill(host.folder / "data" / "fairyhouse.sqlite3", MIN_GAMES)
    await host.start()
    try:
        code, said, errors = await command(host, "suspicions")
    finally:
        await host.kill()
    assert (code, errors) == (0, ""), said
    assert said.startswith("Anna won 10 of 10 rated games against Berta")
