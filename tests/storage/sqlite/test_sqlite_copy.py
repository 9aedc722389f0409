"""Copies of the SQLite file: whole while moves are being written, refused when damaged, put in place or not at all."""

import asyncio
import sqlite3
import stat
import threading
from contextlib import closing
from itertools import pairwise

import pytest

from server.storage.errors import InUse, Unavailable
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.sqlite import copy as sqlite_copy
from server.storage.sqlite import file as sqlite_file
from server.storage.sqlite import schema
from server.storage.sqlite.copy import Unusable, check, copy_unused, keep_former, put_in_place
from server.storage.sqlite.scripts import SCRIPTS
from server.storage.sqlite.store import SqliteStore
from server.storage.stores import ChatLine
from server.storage.tables.stores import TABLE_KINDS
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.old_files import make_old_file
from tests.support.storage.stored_games import game_called, random_steps

pytestmark = pytest.mark.slow


async def open_store(path):
    return await SqliteStore.open(path, VARIANTS, wait_ms=50)


async def site(path, games=3):
    """A store that was closed in good order, with some games."""
    store = await open_store(path)
    for number in range(games):
        await store.create(game_called(f"game{number}"))
    await store.close()


async def loaded(path, game_ids):
    store = await open_store(path)
    games = [await store.load(game_id) for game_id in game_ids]
    await store.close()
    return games


async def test_copies_made_under_load_have_what_was_acknowledged_and_no_half_move(path, tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_copy, "STEP_PAGES", 4)
    monkeypatch.setattr(sqlite_file, "PAUSE_S", 0.0005)
    store = await open_store(path)
    ways = [random_steps(game_called(f"game{number}"), 400, seed=number) for number in range(20)]
    at = [0] * len(ways)
    for way in ways:
        await store.create(way[0])
    # Enough pages that a copy takes longer than many moves.
    await asyncio.gather(
        *(store.add_chat(ChatLine("game0", "players", "p", "P", "x" * 4_000, at)) for at in range(1_000))
    )

    async def play(number):
        for before, after in pairwise(ways[number]):
            await store.save(before, after)
            at[number] += 1

    players = [asyncio.create_task(play(number)) for number in range(len(ways))]
    during = 0
    for number in range(10):
        before, copied = list(at), tmp_path / f"copy{number}"
        await store.copy_to(copied)
        during += sum(at) - sum(before)
        check(copied)
        assert stat.S_IMODE(copied.stat().st_mode) == 0o600
        found = await loaded(copied, [way[0].id for way in ways])
        revs = [game.rev - way[0].rev for game, way in zip(found, ways, strict=True)]
        assert all(first <= rev <= last + 1 for first, rev, last in zip(before, revs, at, strict=True))
        assert found == [way[rev] for way, rev in zip(ways, revs, strict=True)]
    for player in players:
        player.cancel()
    await asyncio.gather(*players, return_exceptions=True)
    await store.close()
    assert during >= len(ways), "the moves waited for the copies"


async def test_a_copy_ends_when_the_server_stops(path, tmp_path):
    store = await open_store(path)
    gate = threading.Event()
    before = asyncio.create_task(store._file.read(lambda _: gate.wait()))
    copying = asyncio.create_task(store.copy_to(tmp_path / "copy"))
    closing_store = asyncio.create_task(store.close())
    await asyncio.sleep(0)
    gate.set()
    with pytest.raises(Unavailable, match="stopping"):
        await copying
    await asyncio.gather(before, closing_store)


async def test_a_copy_never_writes_over_a_file(path, tmp_path):
    store = await open_store(path)
    (tmp_path / "copy").write_text("mine")
    with pytest.raises(FileExistsError):
        await store.copy_to(tmp_path / "copy")
    assert (tmp_path / "copy").read_text() == "mine"
    await store.close()


async def test_a_file_that_a_server_has_open_is_not_copied_from_outside(path, tmp_path):
    store = await open_store(path)
    with pytest.raises(Unavailable, match="Another server is using"):
        copy_unused(path, tmp_path / "copy", 50)
    await store.close()
    copy_unused(path, tmp_path / "copy", 50)
    check(tmp_path / "copy")


async def test_a_file_of_an_older_release_is_copied_as_it_is(path, tmp_path):
    make_old(path, 2)
    copy_unused(path, tmp_path / "copy", 50)
    check(tmp_path / "copy")
    assert version_of(path) == version_of(tmp_path / "copy") == 2


def make_old(path, version):
    with closing(sqlite3.connect(path)) as connection:
        for script in SCRIPTS[:version]:
            connection.executescript(script)
        connection.execute(f"PRAGMA user_version = {version}")


def version_of(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def cut(path):
    path.write_bytes(path.read_bytes()[:-4096])


def scribble(path):
    content = bytearray(path.read_bytes())
    content[8192:8292] = b"\xff" * 100
    path.write_bytes(content)


def with_sql(text):
    def change(path):
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(text)

    return change


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (cut, "damaged|cannot be read"),
        (scribble, "damaged|cannot be read"),
        (lambda path: path.write_bytes(b"no database " * 1000), "cannot be read"),
        (lambda path: path.write_bytes(b""), "not have the tables"),
        (lambda path: path.unlink(), "cannot be read"),
        (with_sql("DROP TABLE users"), "not have the tables"),
        (with_sql("CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM users; END"), "not have the tables"),
        (with_sql("PRAGMA user_version = 999"), "newer release"),
        (lambda path: path.with_name(f"{path.name}-wal").write_bytes(b"moves"), "in use"),
    ],
)
async def test_a_damaged_copy_is_refused_with_the_reason(path, spoil, why):
    await site(path)
    check(path)
    spoil(path)
    with pytest.raises(Unusable, match=why):
        check(path)


async def test_a_copy_may_have_a_kind_of_record_that_no_script_made_or_be_older_than_it(path, monkeypatch):
    older, newer = path.with_name("older"), path.with_name("newer")
    await site(older)
    for module in (sqlite_copy, schema):
        monkeypatch.setattr(module, "TABLE_KINDS", (*TABLE_KINDS, RecordKind("bookmarks", typed_fields("_id owner"))))
    await site(newer)
    check(older)
    check(newer)


async def test_a_copy_takes_the_place_of_the_file_which_is_kept(path, tmp_path):
    await site(path, games=1)
    copy_unused(path, tmp_path / "copy", 50)
    store = await open_store(path)
    await store.create(game_called("later"))
    with pytest.raises(Unavailable, match="Another server is using"):
        put_in_place(tmp_path / "copy", path, tmp_path / "aside", 50)
    await store.close()
    put_in_place(tmp_path / "copy", path, tmp_path / "aside", 50)
    assert [game is None for game in await loaded(path, ["game0", "later"])] == [False, True]
    assert [game is None for game in await loaded(tmp_path / "aside", ["game0", "later"])] == [False, False]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_with_no_earlier_file_none_is_kept(path, tmp_path):
    await site(tmp_path / "copy")
    put_in_place(tmp_path / "copy", path, tmp_path / "aside", 50)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["copy", "games.sqlite3"]
    assert None not in await loaded(path, ["game0"])


@pytest.mark.parametrize("step", ["copy", "sync_folder"])
def test_of_two_that_keep_a_file_as_it_was_the_second_does_not_disturb_the_first(path, monkeypatch, step):
    make_old_file(path, len(SCRIPTS) - 1)
    refused, do = [], getattr(sqlite_copy, step)

    def done_while_another_begins(*arguments):
        do(*arguments)
        if not refused:
            with pytest.raises(InUse) as another:
                keep_former(path, 10, lambda: None)
            refused.append(another)

    monkeypatch.setattr(sqlite_copy, step, done_while_another_begins)
    version, former = keep_former(path, 10, lambda: None)
    check(former)
    assert (version, len(refused)) == (len(SCRIPTS) - 1, 1)
    assert {one.name for one in path.parent.glob("*.before-*")} == {former.name}
