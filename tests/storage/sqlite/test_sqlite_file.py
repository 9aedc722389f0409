"""The file of the embedded store: who may open it, how it survives full disks, and how often it waits for the disk."""

import asyncio
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing

import pytest

from server.cli.checking import flaws_of
from server.storage.errors import Conflict, Duplicate, Unavailable, Unreadable
from server.storage.sqlite import saves
from server.storage.sqlite.store import SqliteStore
from tests.support.games import live_game
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.sqlite_file import pragma
from tests.support.storage.stored_games import game_called, random_steps, save_all, stepped, stored


async def test_the_file_waits_for_the_disk_and_keeps_others_out(store):
    assert await pragma(store, "journal_mode") == ("wal",)
    assert await pragma(store, "synchronous") == (2,)
    assert await pragma(store, "locking_mode") == ("exclusive",)


@pytest.fixture
async def busy(store):
    """Reads of the file that note their number in a list, behind one that lasts until an event is set."""
    order, at_work, go_on = [], threading.Event(), threading.Event()

    def first_read(_):
        at_work.set()
        go_on.wait(10)

    reads = [asyncio.create_task(store._file.read(first_read))]
    await asyncio.to_thread(at_work.wait, 10)
    reads += [asyncio.create_task(store._file.read(lambda _, nth=nth: order.append(nth))) for nth in range(20)]
    await asyncio.sleep(0)
    yield order, go_on
    await asyncio.gather(*reads)


async def test_a_move_waits_for_one_read_however_many_pages_are_asked_for(store, busy):
    order, go_on = busy
    write = asyncio.create_task(store._file.write(lambda _: order.append("move")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    go_on.set()
    await write
    await store._file.read(lambda _: None)
    assert order == ["move", *range(20)]


async def test_a_read_waits_for_one_batch_of_moves_however_many_are_made(store, busy):
    order, go_on = busy
    batches = [asyncio.create_task(store._file._thread.write(lambda: order.append("moves"))) for _ in range(30)]
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(*batches)
    assert order[:40] == [one for nth in range(20) for one in ("moves", nth)]


async def test_only_its_owner_can_read_the_file_and_its_log(store, path):
    await stored(store, live_game())
    files = sorted(path.parent.iterdir())
    assert [file.name for file in files] == ["games.sqlite3", "games.sqlite3-wal"]
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600, 0o600]


async def test_a_second_server_on_the_same_file_is_refused_with_what_to_do(store, path):
    with pytest.raises(Unavailable, match=r"Another server is using .*games\.sqlite3.* FAIRYHOUSE_DATA_DIR"):
        await SqliteStore.open(path, VARIANTS, wait_ms=50)
    await stored(store, live_game())


async def test_a_second_process_on_the_same_file_is_refused(store, path):
    code = f"import sqlite3; sqlite3.connect({str(path)!r}, timeout=0.05).execute('SELECT * FROM games')"
    other = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", code], capture_output=True, text=True)
    assert "database is locked" in other.stderr


async def test_a_starting_server_waits_for_one_that_is_leaving(store, path):
    opening = asyncio.create_task(SqliteStore.open(path, VARIANTS, wait_ms=5_000))
    await asyncio.sleep(0.05)
    await store.close()
    await (await opening).close()


async def test_a_thousand_saves_at_once_share_a_few_commits(store):
    games = [game_called(f"game{number}") for number in range(1_000)]
    await asyncio.gather(*map(store.create, games))
    commits = await traced(store, "COMMIT")
    await asyncio.gather(*(store.save(game, stepped(game)) for game in games))
    assert 1 <= len(commits) <= 10


async def traced(store, statement):
    """Grows by one whenever the statement is run from now on."""
    seen = []
    await store._file.read(
        lambda connection: connection.set_trace_callback(lambda text: seen.append(text) if text == statement else None)
    )
    return seen


@pytest.mark.row("F13")
async def test_a_full_disk_loses_nothing_and_is_over_when_there_is_room_again(store):
    games = random_steps(live_game(), 30)
    await store.create(games[0])
    await save_all(store, games[:11])
    (pages,) = await pragma(store, "page_count")
    await pragma(store, f"max_page_count = {pages}")
    with pytest.raises(Unavailable, match="full"):
        await asyncio.gather(*(store.create(game_called(f"more{number}")) for number in range(200)))
    assert await store.load("game") == games[10]
    assert await store.load("more0") is None
    await pragma(store, f"max_page_count = {pages + 10_000}")
    await save_all(store, games[10:])
    assert await store.load("game") == games[-1]
    assert await pragma(store, "integrity_check") == ("ok",)


async def test_a_game_whose_half_moves_are_not_numbered_one_by_one_is_not_served(store):
    game = random_steps(live_game(), 10)[-1]
    await store.create(game)
    await store._file.write(lambda connection: connection.execute("UPDATE moves SET ply = 99 WHERE ply = 9"))
    with pytest.raises(Unreadable, match="half-move 10 is missing"):
        await store.load(game.id)


@pytest.mark.parametrize("damaged", ["ply = x'ff'", "move = x'ff00'", "move = 1.5"])
async def test_half_moves_of_a_type_that_no_release_writes_damage_their_game_alone(path, damaged):
    """Other programs cannot store these in a strict table, but a byte that the disk has changed can."""
    store = await SqliteStore.open(path, VARIANTS)
    game = random_steps(live_game(), 10)[-1]
    for name in ("game", "whole"):
        await store.create(game_called(name, game))
    await store.close()
    for change in (
        "UPDATE sqlite_schema SET sql = replace(sql, 'STRICT, ', '') WHERE name = 'moves'",
        f"UPDATE moves SET {damaged} WHERE game = 'game' AND ply = 5",
    ):
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute(change)
    store = await SqliteStore.open(path, VARIANTS)
    with pytest.raises(Unreadable):
        await store.load("game")
    assert (await store.load("whole")).plies == game.plies
    unreadable = [flaw.key async for flaw in flaws_of(store.records, VARIANTS) if "cannot be read" in flaw.what]
    assert unreadable == ["game"]
    await store.close()


@pytest.mark.row("F13")
async def test_a_read_only_file_is_unavailable_and_reads_go_on(store):
    game = await stored(store, live_game())
    await pragma(store, "query_only = 1")
    for asked in (store.save(game, stepped(game)), store.ping()):
        with pytest.raises(Unavailable, match="cannot store"):
            await asked
    assert await store.load(game.id) == game
    await pragma(store, "query_only = 0")
    await store.save(game, stepped(game))


async def test_everybody_in_a_failing_batch_hears_of_it(store):
    good, stale = await stored(store, game_called("good")), await stored(store, game_called("stale"))
    await store.save(stale, stepped(stale, 1))
    await pragma(store, "query_only = 1")
    saves = (store.save(game, stepped(game)) for game in (good, stale))
    answers = await asyncio.gather(*saves, return_exceptions=True)
    assert [type(answer) for answer in answers] == [Unavailable, Unavailable]
    await pragma(store, "query_only = 0")
    with pytest.raises(Conflict):
        await store.save(stale, stepped(stale))


async def test_what_is_refused_in_a_batch_of_moves_and_other_writes_leaves_the_rest_of_it(store):
    good, stale, known = [await stored(store, game_called(name)) for name in ("good", "stale", "known")]
    await store.save(stale, stepped(stale, 1))
    commits = await traced(store, "COMMIT")
    writes = (store.create(known), store.save(good, stepped(good)), store.save(stale, stepped(stale)), store.ping())
    answers = await asyncio.gather(*writes, return_exceptions=True)
    assert [type(answer) for answer in answers] == [Duplicate, type(None), Conflict, type(None)]
    assert len(commits) == 1
    assert await store.load(good.id) == stepped(good)
    assert await store.load(known.id) == known


def raises_value_error(_):
    raise ValueError


@pytest.mark.parametrize(
    ("broken", "error"),
    [
        (lambda connection: connection.execute("NO SQL"), Unavailable),
        (lambda connection: connection.execute(None), TypeError),
        (lambda connection: connection.execute("SELECT ?", ()), Unavailable),
        (lambda connection: connection.execute("INSERT INTO chat (game) VALUES (NULL)"), Unavailable),
        (raises_value_error, ValueError),
    ],
)
async def test_a_defect_in_one_write_fails_only_that_one(store, broken, error):
    game, played = live_game(), await stored(store, game_called("played"))
    writes = (store.create(game), store._file.write(broken), store.save(played, stepped(played)), store.ping())
    answers = await asyncio.gather(*writes, return_exceptions=True)
    assert [type(answer) for answer in answers] == [type(None), error, type(None), type(None)]
    assert await store.load(game.id) == game
    assert await store.load(played.id) == stepped(played)
    again = stepped(stepped(played))
    await store.save(stepped(played), again)
    assert await store.load(played.id) == again


async def test_a_defect_in_the_save_of_one_game_leaves_the_others_of_its_batch(store, monkeypatch):
    games = [await stored(store, game_called(name)) for name in ("good", "broken", "better")]
    write_rest = saves._write_rest

    def write_unless_broken(connection, save):
        if save.update.id == "broken":
            raise KeyError(save.update.id)
        write_rest(connection, save)

    monkeypatch.setattr(saves, "_write_rest", write_unless_broken)
    answers = await asyncio.gather(*(store.save(game, stepped(game)) for game in games), return_exceptions=True)
    assert [type(answer) for answer in answers] == [type(None), KeyError, type(None)]
    assert [(await store.load(game.id)).rev for game in games] == [1, 0, 1]


LIMITED = """
import asyncio, resource, sys
from pathlib import Path
from server.storage.sqlite.store import SqliteStore
from server.storage.errors import Unavailable
from tests.support.games import live_game
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.sqlite_file import pragma
from tests.support.storage.stored_games import random_steps

async def main():
    store = await SqliteStore.open(Path(sys.argv[1]), VARIANTS)
    games = random_steps(live_game(), 60)
    await store.create(games[0])
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, hard))
    saved = refused = 0
    for before, after in zip(games, games[1:]):
        try:
            await store.save(before, after)
            saved += 1
        except Unavailable:
            refused += 1
            assert await store.load("game") == before
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            await store.save(before, after)
            saved += 1
    await store.close()
    print(saved, refused)

asyncio.run(main())
"""


@pytest.mark.slow
async def test_a_write_that_the_system_refuses_is_over_when_it_allows_it_again(path):
    """RLIMIT_FSIZE stands for a disk that is full below SQLite."""
    ran = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", LIMITED, path], capture_output=True, text=True)
    assert (ran.stdout.strip(), ran.stderr) == ("60 1", "")
    store = await SqliteStore.open(path, VARIANTS)
    assert await store.load("game") == random_steps(live_game(), 60)[-1]
    assert await pragma(store, "integrity_check") == ("ok",)
    await store.close()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT head FROM games WHERE white = 'w' ORDER BY created DESC LIMIT 20",
        "SELECT head FROM games WHERE black = 'b' ORDER BY created DESC LIMIT 20",
        "SELECT head FROM games WHERE white = 'w' AND running = 1 ORDER BY created DESC LIMIT 20",
        "SELECT id FROM games WHERE deadline >= 0 AND deadline < 5 ORDER BY deadline LIMIT 20",
        "SELECT id FROM games WHERE remind_at >= 0 AND remind_at <= 5 ORDER BY remind_at LIMIT 20",
        "SELECT number FROM chat WHERE game = 'game' ORDER BY number DESC LIMIT 20",
    ],
)
async def test_lists_are_read_from_an_index_and_not_sorted(store, query):
    plan = await store._file.read(lambda connection: connection.execute(f"EXPLAIN QUERY PLAN {query}").fetchall())
    assert len(plan) == 1
    assert plan[0][3].startswith("SEARCH")
