"""`backup` and `restore` as the host types them, beside a server where people play and without one."""

import asyncio
import contextlib
import os
import sqlite3
import stat
import time
from contextlib import asynccontextmanager, closing
from types import SimpleNamespace

import pytest

from server.storage.admin_commands import LEFT_BEHIND_S, AdminCommands, MakeCopy
from tests.support.rules.random_games import random_game
from tests.support.web.host import QuickHost, command
from tests.support.web.people import Person

pytestmark = pytest.mark.slow


@pytest.fixture
async def host(tmp_path):
    host = QuickHost(tmp_path)
    yield host
    await host.kill()


@asynccontextmanager
async def elsewhere(folder):
    """Another host, with nothing yet."""
    folder.mkdir()
    other = QuickHost(folder)
    try:
        yield other
    finally:
        await other.kill()


@asynccontextmanager
async def same_person(person, site):
    """Whoever has the cookies of `person`, at another site."""
    async with Person(site) as same:
        same.http.cookie_jar.update_cookies({cookie.key: cookie.value for cookie in person.http.cookie_jar})
        yield same


@pytest.mark.row("F18")
async def test_copies_taken_under_load_start_and_their_games_go_on(host, tmp_path, full, counted):
    copies, pause_s = (10, 0.15) if full else (3, 0.1)
    counted("copies", copies)
    moves = random_game(300)
    acknowledged = 0
    await host.start()
    async with Person(host.site) as anna, Person(host.site) as ben:
        game = await anna.challenge(variant="crazyhouse")
        await ben.join(game)

        async def play():
            nonlocal acknowledged
            async with anna.follow(game) as white, ben.follow(game) as black:
                for ply, move in enumerate(moves):
                    assert (await (white, black)[ply % 2].move(ply, move))["t"] == "ok"
                    acknowledged = ply + 1
                    await asyncio.sleep(pause_s)

        playing = asyncio.create_task(play())
        known = []
        for number in range(copies):
            known.append(acknowledged)
            code, _, said = await command(host, "backup", str(tmp_path / f"copy{number}"))
            assert code == 0, said
        playing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await playing
        assert acknowledged > known[-1], "nobody moved while the copy was made"
        for number in range(copies):
            async with elsewhere(tmp_path / f"other{number}") as other:
                code, _, said = await command(other, "restore", str(tmp_path / f"copy{number}"))
                assert code == 0, said
                await other.start()
                async with same_person(anna, other.site) as white, same_person(ben, other.site) as black:
                    await goes_on(game, (white, black), moves, known[number])
    assert list((host.folder / "data" / "orders").iterdir()) == []


async def goes_on(game, people, moves, at_least):
    async with people[0].follow(game) as white, people[1].follow(game) as black:
        there = [move[0] for move in (await white.next())["moves"]]
        assert there == moves[: len(there)]
        assert len(there) >= at_least
        assert (await (white, black)[len(there) % 2].move(len(there), moves[len(there)]))["t"] == "ok"


async def test_a_site_that_does_not_run_is_backed_up_and_restored(host, tmp_path):
    await host.start()
    async with Person(host.site) as anna:
        game = await anna.challenge()
    await host.stop()
    file = tmp_path / "copy"
    assert (await command(host, "backup", str(file)))[0] == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    async with elsewhere(tmp_path / "other") as other:
        assert (await command(other, "restore", str(file)))[0] == 0
        await other.start()
        async with Person(other.site) as ben:
            assert (await ben.get(f"/api/games/{game['id']}"))["id"] == game["id"]


@pytest.mark.parametrize(("made", "brought_back"), [("backup", "restore"), ("export", "import")])
async def test_a_folder_that_cannot_be_made_is_named(host, tmp_path, made, brought_back):
    """Here it is a link to a disk that is gone."""
    await host.start()
    await host.stop()
    file = tmp_path / "copy"
    assert (await command(host, made, str(file)))[0] == 0
    (tmp_path / "other").mkdir()
    (folder := tmp_path / "other" / "data").symlink_to(tmp_path / "gone")
    code, _, said = await command(SimpleNamespace(folder=folder.parent), brought_back, str(file))
    assert (code, f"{folder} is not there and cannot be made (" in said) == (1, True), said


async def test_nothing_is_overwritten_unless_asked(host, tmp_path):
    await host.start()
    async with Person(host.site) as anna:
        game = await anna.challenge()
    await host.stop()
    file = tmp_path / "copy"
    file.write_text("mine")
    code, _, said = await command(host, "backup", str(file))
    assert (code, "--replace" in said, file.read_text()) == (1, True, "mine")
    assert (await command(host, "backup", str(file), "--replace"))[0] == 0
    code, _, said = await command(host, "restore", str(file))
    assert (code, "--replace" in said) == (1, True)
    code, _, said = await command(host, "restore", str(file), "--replace")
    assert code == 0
    (aside,) = (host.folder / "data").glob("*.until-*.sqlite3")
    assert str(aside) in said
    with closing(sqlite3.connect(aside)) as former_path:
        assert former_path.execute("SELECT id FROM games").fetchall() == [(game["id"],)]


async def test_nothing_is_put_under_a_running_server(host, tmp_path):
    await host.start()
    file = tmp_path / "copy"
    assert (await command(host, "backup", str(file)))[0] == 0
    code, _, said = await command(host, "restore", str(file), "--replace")
    assert code == 1
    assert "Stop it" in said
    assert "Nothing was changed" in said
    async with Person(host.site) as anna:
        await anna.challenge()


async def test_a_damaged_backup_changes_nothing(host, tmp_path):
    await host.start()
    await host.stop()
    file = tmp_path / "copy"
    assert (await command(host, "backup", str(file)))[0] == 0
    file.write_bytes(file.read_bytes()[:-4096])
    before = (host.folder / "data" / "fairyhouse.sqlite3").read_bytes()
    code, _, said = await command(host, "restore", str(file), "--replace")
    assert code == 1
    assert "Nothing was changed" in said
    assert (host.folder / "data" / "fairyhouse.sqlite3").read_bytes() == before
    assert list((host.folder / "data").glob("*.until-*")) == []


async def test_a_failed_copy_is_reported(host, tmp_path):
    await host.start()
    code, _, said = await command(host, "backup", str(tmp_path / "no-such-folder" / "copy"))
    assert code == 1
    assert "no-such-folder" in said
    assert list((host.folder / "data" / "orders").iterdir()) == []
    code, _, said = await command(QuickHost(tmp_path / "nowhere"), "backup", str(tmp_path / "copy"))
    assert code == 1
    assert "DATA_DIR" in said


def test_an_unfetched_copy_is_deleted_after_a_day(tmp_path):
    admin_commands = AdminCommands(tmp_path / "orders")
    number = admin_commands.submit(MakeCopy())
    admin_commands.copy_path(number).write_text("copy")
    admin_commands.submit(MakeCopy())
    assert admin_commands.copy_path(number).exists()
    long_ago = time.time() - LEFT_BEHIND_S - 60
    os.utime(admin_commands.copy_path(number), (long_ago, long_ago))
    admin_commands.submit(MakeCopy())
    assert not admin_commands.copy_path(number).exists()
