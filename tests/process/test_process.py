"""The server as the host runs it: a process of its own, which is stopped, killed and started again."""

import asyncio
import contextlib
import html
import re
import signal
import socket
import stat
import sys

import pytest

from tests.support.patience import PATIENCE_S
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.random_games import random_game
from tests.support.web.host import Host
from tests.support.web.people import FOOLS_MATE, Person, play

pytestmark = pytest.mark.slow


@pytest.fixture
async def host(tmp_path):
    host = Host(tmp_path)
    yield host
    await host.kill()


async def test_sigterm_says_good_bye_and_loses_nothing(host):
    await host.start()
    async with Person(host.site) as anna, Person(host.site) as ben:
        game = await anna.challenge()
        await ben.join(game)
        async with anna.follow(game) as white, ben.follow(game) as black, ben.open_socket() as silent:
            await play((white, black), FOOLS_MATE[:2])
            host.process.send_signal(signal.SIGTERM)
            assert (await white.until("restart"))["within"] > 0
            codes = [await page.closing() for page in (white, black, silent)]
        code, errors = await host.end()
        assert codes == [1012] * 3, errors
        assert code == 0, errors
        assert "Traceback" not in errors
        await host.start()
        async with ben.follow(game) as black:
            assert [move[0] for move in (await black.next())["moves"]] == FOOLS_MATE[:2]


async def test_a_killed_server_goes_on_with_moves_seats_and_clocks(host):
    await host.start()
    async with Person(host.site) as anna, Person(host.site) as ben:
        game = await anna.challenge()
        await ben.join(game)
        async with anna.follow(game) as white, ben.follow(game) as black:
            before = await white.next()
            await play((white, black), FOOLS_MATE[:3])
        code, _ = await host.stop(signal.SIGKILL)
        assert code == -signal.SIGKILL
        await asyncio.sleep(2)
        await host.start()
        async with anna.follow(game, epoch=before["epoch"], v=before["v"]) as white, ben.follow(game) as black:
            after = await white.next()
            assert after["t"] == "snapshot"
            assert after["epoch"] != before["epoch"]
            assert [move[0] for move in after["moves"]] == FOOLS_MATE[:3]
            assert after["clock"]["black"] > 300_000 - 1_600, "nobody pays for the time without a server"
            assert (await black.until("clock"))["why"] == "resumed"
            assert (await black.move(3, FOOLS_MATE[3]))["t"] == "ok"
            assert (await white.until("over"))["ended"]["reason"] == "checkmate"


async def test_killed_at_any_instant_it_keeps_every_move_it_acknowledged(host):
    moves = random_game(300)
    acknowledged = 0
    async with Person(host.site) as anna, Person(host.site) as ben:
        await host.start()
        game = await anna.challenge(variant="crazyhouse")
        await ben.join(game)
        for life in range(4):
            async with anna.follow(game) as white, ben.follow(game) as black:
                stored = [move[0] for move in (await white.next())["moves"]]
                assert stored == moves[: len(stored)]
                assert len(stored) >= acknowledged
                with contextlib.suppress(AssertionError, ConnectionError):
                    for ply in range(len(stored), len(moves)):
                        if ply == len(stored) + 10:
                            asyncio.get_running_loop().call_later(0.003 * life, host.process.kill)
                        if (await (white, black)[ply % 2].move(ply, moves[ply]))["t"] == "ok":
                            acknowledged = ply + 1
            await host.process.communicate()
            await host.start()
        record = await anna.get(f"/api/games/{game['id']}")
    assert acknowledged > 20
    assert len(record["moves"]) >= acknowledged
    assert [move["uci"] for move in record["moves"]] == moves[: len(record["moves"])]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"PORT": "0"}, "PORT cannot be used"),
        ({"PUBLIC_URL": "example.org"}, "PUBLIC_URL cannot be used"),
        ({"DATA_DIR": "/dev/null/here"}, "/dev/null/here cannot be used: Not a directory"),
        ({"MONGODB_URI": "mongodb://me:hunter2@127.0.0.1:1/"}, "MongoDB cannot be used"),
    ],
)
async def test_a_server_that_cannot_start_says_what_to_change(host, settings, words):
    await host.run(**settings)
    code, errors = await host.end()
    assert code == 78
    assert words in errors
    assert "Traceback" not in errors
    assert "hunter2" not in errors


async def test_a_broken_variant_file_is_named(host, tmp_path):
    (tmp_path / "mine.toml").write_text('parent = "nonesuch"\n')
    await host.run(VARIANTS_DIR=str(tmp_path))
    code, errors = await host.end()
    assert code == 78
    assert "mine.toml" in errors
    assert "Traceback" not in errors


async def test_a_port_in_use_is_reported(host):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", host.port))
        taken.listen()
        await host.run()
        code, errors = await host.end()
    assert code == 78
    assert str(host.port) in errors
    assert "Traceback" not in errors


@pytest.mark.row("A20")
async def test_what_is_stored_is_for_the_host_only(host):
    await host.start()
    data = host.folder / "data"
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    for file in data.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file


async def published_bot(host, folder):
    """The program that the page shows, as whoever copies it has it."""
    async with Person(host.site) as reader, reader.http.get("/protocol") as page:
        shown = re.search(r'<code id="bot">(.*?)</code>', await page.text(), re.DOTALL)[1]
    bot = folder / "bot.py"
    bot.write_text(html.unescape(shown))
    return bot


AT_ONCE = 2
"""Bots that play at a time: the start of one takes a core for a second."""


async def beat(host, bot, variant):
    """Plays some moves against the bot by its link, and resigns. Returns what the bot says at the end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, bot, host.site, variant, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    link = (await process.stdout.readline()).decode().split()[-1]
    game, secret = link.rsplit("/", 1)[-1].split("#")
    async with Person(host.site) as anna:
        await anna.join({"id": game, "secret": secret})
        async with anna.follow({"id": game}) as page:
            message = await page.next()
            for _ in range(5):
                while not message.get("legal"):
                    message = await page.next(PATIENCE_S)
                ply = message["ply"] + 1 if message["t"] == "moved" else len(message["moves"])
                assert (await page.move(ply, message["legal"].split()[0]))["t"] == "ok"
                message = await page.next(PATIENCE_S)
            await page.send({"t": "resign", "id": 99})
            over = await page.until("over", PATIENCE_S)
    said, errors = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    assert process.returncode == 0, errors.decode()
    assert over["ended"]["reason"] in said.decode()
    return over


async def test_the_published_bot_plays_every_variant(host, tmp_path):
    await host.start()
    bot = await published_bot(host, tmp_path)
    assert 25 <= len(bot.read_text().splitlines()) <= 45
    left = list(VARIANTS)

    async def beat_the_rest():
        while left:
            over = await beat(host, bot, left.pop())
            assert over["ended"]["reason"] in ("resign", "checkmate")

    await asyncio.gather(*(beat_the_rest() for _ in range(AT_ONCE)))
    assert not left
