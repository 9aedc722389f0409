"""Opening the file of the embedded store: old ones are upgraded, and what cannot be used is refused with the remedy."""

import sqlite3

import pytest

from server.storage.errors import Unavailable
from server.storage.sqlite import schema as sqlite_schema
from server.storage.sqlite.store import SqliteStore
from tests.support.games import live_game
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.sqlite_file import pragma
from tests.support.storage.stored_games import stored


async def test_a_file_of_a_later_release_is_refused(path):
    store = await SqliteStore.open(path, VARIANTS)
    await pragma(store, "user_version = 99")
    await store.close()
    with pytest.raises(Unavailable, match="newer release"):
        await SqliteStore.open(path, VARIANTS)


@pytest.mark.row("F17")
async def test_a_file_of_an_earlier_release_goes_through_every_later_script(path, monkeypatch):
    store = await SqliteStore.open(path, VARIANTS)
    game = await stored(store, live_game())
    await store.close()
    later = (*sqlite_schema.SCRIPTS, "CREATE TABLE later (id INTEGER) STRICT;", "INSERT INTO later (id) VALUES (7);")
    monkeypatch.setattr(sqlite_schema, "SCRIPTS", later)
    for _ in range(2):
        store = await SqliteStore.open(path, VARIANTS)
        assert await store._file.read(lambda connection: connection.execute("SELECT id FROM later").fetchall()) == [
            (7,)
        ]
        assert await pragma(store, "user_version") == (len(later),)
        assert await store.load(game.id) == game
        await store.close()


async def test_an_upgrade_that_fails_leaves_the_file_as_it_was(path, monkeypatch):
    store = await SqliteStore.open(path, VARIANTS)
    await store.close()
    with monkeypatch.context() as patched:
        later = ("CREATE TABLE half (id);", "CREATE TABLE other (id); NO SQL;")
        patched.setattr(sqlite_schema, "SCRIPTS", (*sqlite_schema.SCRIPTS, *later))
        with pytest.raises(Unavailable, match="cannot be used"):
            await SqliteStore.open(path, VARIANTS)
    store = await SqliteStore.open(path, VARIANTS)
    assert await pragma(store, "user_version") == (len(sqlite_schema.SCRIPTS),)
    assert (
        await store._file.read(
            lambda connection: connection.execute("SELECT * FROM sqlite_schema WHERE name = 'half'").fetchone()
        )
        is None
    )
    await store.close()


async def test_a_file_that_is_something_else_is_refused_and_left_alone(path):
    path.write_bytes(b"my dear diary\n" * 100)
    with pytest.raises(Unavailable, match="not a file of this server"):
        await SqliteStore.open(path, VARIANTS)
    assert path.read_bytes() == b"my dear diary\n" * 100


async def test_a_missing_folder_is_reported(tmp_path):
    with pytest.raises(Unavailable, match="DATA_DIR"):
        await SqliteStore.open(tmp_path / "nowhere" / "games.sqlite3", VARIANTS)


def test_the_bundled_sqlite_knows_what_the_schema_uses():
    assert sqlite3.sqlite_version_info >= (3, 37)


async def test_a_damaged_file_is_reported_with_the_remedy(path, store):
    await stored(store, live_game())
    await store.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xff" * 3996 + whole[4096:])
    with pytest.raises(Unavailable, match="fairyhouse restore") as refused:
        await SqliteStore.open(path, VARIANTS, wait_ms=50)
    assert "Make room" not in str(refused.value)
