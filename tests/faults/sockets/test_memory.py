"""What stays in memory of readers who never read, of sockets that come and go, and of games that are over: nothing."""

import asyncio
import re
import time

import pytest

from tests.faults.sockets.raw import Raw, memory_kb
from tests.support.live.followers import seat_tables
from tests.support.live.guests import GAMES_EACH
from tests.support.live.play import GUESTS_PER_S
from tests.support.live.processes import SITE
from tests.support.live.wire import frame

AT_ONCE = 50
HI = b'{"t":"hi","proto":1,"game":"%s","v":-1}'
ROOM = 4_096
PAUSE_S = 0.1
"""A hello that comes while the one before is answered takes its place."""
ASKED = 45
"""How often a watcher may ask for the whole game before they are told to slow down."""
CUT_S = 10
"""After so long nobody who does not read is left."""
SEATED = 200
"""Games at once: so many need no more guests than are let in at once."""
WARM_UP = 1_000
MAX_KIB_EACH = 2
"""A game in play holds thirteen; what is kept once for all (rows of FEN, pages of the store) still grows a bit."""
KEPT_S = 40
"""A game that nobody follows is let go after half a minute."""


async def until_watchers(player, count, seconds):
    await player.until(lambda: player.crowd is not None and player.crowd["watchers"] == count, seconds)


async def timed_moves(table, plies):
    """Milliseconds that each of so many more moves took, slowest last; five a second."""
    waits = []
    for ply in range(len(table.followed), len(table.followed) + plies):
        mover = table.players[ply % 2]
        await mover.until(lambda: len(mover.view.moves) >= ply)  # noqa: B023 - awaited right here
        sent = time.monotonic()
        assert (await mover.move(ply, table.moves[ply]))["t"] == "ok"
        waits.append((time.monotonic() - sent) * 1000)
        await asyncio.sleep(0.2)
    return sorted(waits)


@pytest.mark.row("S1")
@pytest.mark.alone
@pytest.mark.timeout(300)
@pytest.mark.only_full(
    "takes a minute and a half, as four hundred and fifty readers are borne with for five seconds each"
)
async def test_watchers_who_never_read_are_cut_off_and_the_players_play_on(host, seated, rng, counted, at_most):
    """Each asks for the whole of a long game as often as they may and reads nothing; when all are cut, as many come
    again. Nobody could make 20,000 events of one game otherwise: the players' limits are ten messages a second."""
    (table,), waves, count = await seated(1, least=200), 9, 50
    await table.come()
    await table.play(140, 0, rng)
    usual = await timed_moves(table, 20)
    hello = frame(1, HI % table.game.encode())
    before, most, waits = memory_kb(host.process.pid), 0, []
    for _ in range(waves):
        raws = [await Raw.upgraded(host.port, room=ROOM) for _ in range(count)]
        try:
            for raw in raws:
                raw.writer.transport.pause_reading()
            for _ in range(ASKED):
                for raw in raws:
                    raw.write(hello)
                await asyncio.sleep(PAUSE_S)
            waits += await timed_moves(table, 4)
            most = max(most, memory_kb(host.process.pid) - before)
            await until_watchers(table.players[0], 0, CUT_S)
        finally:
            for raw in raws:
                raw.close()
    waits.sort()
    assert most <= 16 * 1024
    assert at_most(waits[int(len(waits) * 0.99)], usual[-1] + 20)
    counted("watchers cut", waves * count)
    counted("whole games asked for", waves * count * ASKED)
    counted("KiB more than before, at most", most)


@pytest.mark.row("S6")
@pytest.mark.timeout(600)
async def test_sockets_that_come_and_go_leave_nothing_behind(host, seated, scale, counted):
    (table,) = await seated(1)
    hello = frame(1, HI % table.game.encode())

    async def cycle():
        raw = await Raw.upgraded(host.port)
        raw.write(hello)
        await raw.reader.read(1)
        raw.close()

    async def cycles(count):
        for _ in range(0, count, AT_ONCE):
            await asyncio.gather(*(cycle() for _ in range(AT_ONCE)))

    count = scale(50_000)
    await cycles(2_500)
    before = memory_kb(host.process.pid)
    await cycles(count)
    grown = memory_kb(host.process.pid) - before
    assert grown <= 4 * 1024 + 0.2 * count
    counted("cycles", count)
    counted("KiB more than before", grown)


async def held(web, port):
    """(sockets, games) that the server holds, as it tells whoever runs it."""
    async with web.get(f"http://127.0.0.1:{port}/metrics") as answer:
        text = await answer.text()
    found = dict.fromkeys(("sockets", "games"), 0.0)
    for name, number in re.findall(r"^fairyhouse_(sockets|games)(?:\{.*\})? (\S+)$", text, re.MULTILINE):
        found[name] += float(number)
    return found["sockets"], found["games"]


async def play_to_the_end(table, rng):
    await table.come()
    await table.play(2, 0, rng)
    assert (await table.players[0].ask("resign"))["t"] == "ok"
    table.leave()


@pytest.mark.row("S6")
@pytest.mark.timeout(1_200)
@pytest.mark.only_full("takes some minutes, as five thousand games are played by guests who are let in ten a second")
async def test_games_that_are_over_leave_nothing_behind(web, host, ledger, rng, unused_tcp_port, counted):
    await host.start(PUBLIC_URL=SITE, METRICS_PORT=str(unused_tcp_port))
    for count in (WARM_UP, 4_000):
        before = memory_kb(host.process.pid)
        for _ in range(0, count, SEATED):
            tables = await seat_tables(web, host.port, SEATED, ledger)
            let_in_again = asyncio.create_task(asyncio.sleep(2 * SEATED / GAMES_EACH / GUESTS_PER_S))
            for some in range(0, SEATED, AT_ONCE):
                await asyncio.gather(*(play_to_the_end(table, rng) for table in tables[some : some + AT_ONCE]))
            await let_in_again
        async with asyncio.timeout(KEPT_S):
            while await held(web, unused_tcp_port) != (0, 0):  # noqa: ASYNC110 - what is waited for happens in another process
                await asyncio.sleep(0.5)
    grown = memory_kb(host.process.pid) - before
    assert grown <= MAX_KIB_EACH * count
    counted(f"games after {WARM_UP} to warm up", count)
    counted("KiB more than before", grown)
