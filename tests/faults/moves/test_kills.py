"""The server is killed or stopped in mid-game: no acknowledged move is lost, and nobody pays for its absence."""

import asyncio
import signal
import time
from statistics import median

import pytest

from tests.support.live.followers import stored_games
from tests.support.live.processes import SITE

PAUSE_S = 0.25
READY_S = 5
"""As long a server may need until it can be played on again, half of the times: the slowest is the machine's."""
MOVER_MS = (-250, 10_000)
"""How far from the truth the clock of the side to move may be after a kill: a mark of life is left once a second, on a
machine that keeps up, and what passed after the last one is given back."""


async def play_for(tables, seconds, rng):
    """All play at once; returns as soon as the time is over, with the games in mid-move."""
    playing = [asyncio.create_task(table.play(len(table.moves), PAUSE_S, rng)) for table in tables]
    await asyncio.sleep(seconds)
    return playing


def clocks_at(table, died):
    """(half-moves, side to move or None, its least and its most time, the other side's time) when the server died, ms.

    The time of whoever is to move began to run between the sending of the last move and our hearing of it.
    """
    player = table.players[0]
    clock, plies = player.view.clock, len(player.view.moves)
    running = clock.get("run")
    waiting = "black" if running == "white" else "white"
    if running is None:
        return plies, None, 0, 0, clock[waiting]
    sent = max(table.players[1 - plies % 2].sent_at.get(plies - 1, 0), *(each.came_at for each in table.players))
    least, most = (clock[running] - (died - since) * 1000 for since in (sent, player.heard_at))
    return plies, running, least, most, clock[waiting]


def check_clocks(table, before):
    """Whoever waited has exactly their time; whoever was to move has what they had when the server died.

    Returns how many clocks were looked at: none where the server had stored a move that nobody has seen.
    """
    clock = table.players[0].view.clock
    plies, running, least, most, waited = before
    if len(table.players[0].view.moves) != plies or running is None:
        return 0
    assert clock.get("paused") == "restart", clock
    assert clock["black" if running == "white" else "white"] == waited, (before, clock)
    assert least + MOVER_MS[0] <= clock[running] <= most + MOVER_MS[1], (before, clock)
    return 1


@pytest.mark.row("F1", "T4")
@pytest.mark.timeout(900)
async def test_fifty_kills_in_mid_game_lose_nothing(
    host, open_host, seated, ledger, rng, scale, full, counted, at_most
):
    tables, kills, starts, clocks = await seated(40 if full else 10, least=100), scale(50), [], 0
    for table in tables:
        await table.come()
    for _ in range(kills):
        playing = await play_for(tables, rng.uniform(0.3, 1.5), rng)
        host.process.kill()
        died = time.monotonic()
        await host.process.communicate()
        await asyncio.gather(*playing)
        before = [clocks_at(table, died) for table in tables]
        await asyncio.sleep(rng.uniform(0, 2))
        started = time.monotonic()
        await host.start(PUBLIC_URL=SITE)
        starts.append(time.monotonic() - started)
        for table, shown in zip(tables, before, strict=True):
            epochs = [player.view.epoch for player in table.players]
            await table.players[0].come()
            clocks += check_clocks(table, shown)
            await table.players[1].come()
            assert not {player.view.epoch for player in table.players} & set(epochs), "a new life has new numbers"
    await host.stop()
    assert not ledger.complaints(await stored_games(host.folder, tables))
    assert at_most(median(starts), READY_S)
    assert ledger.acknowledged >= (2_000 if full else 1)
    assert clocks
    counted("kills", kills)
    counted("ms until it could be played on", round(1000 * median(starts)))
    counted("ms at most", round(1000 * max(starts)))
    counted("acknowledged moves", ledger.acknowledged)
    counted("clocks", clocks)


@pytest.mark.row("F10")
@pytest.mark.timeout(600)
async def test_thirty_stops_under_load_lose_nothing(
    host, open_host, seated, ledger, rng, scale, full, counted, at_most
):
    tables, stops = await seated(40 if full else 10, least=100), scale(30)
    for _ in range(stops):
        for table in tables:
            await table.come()
        playing = await play_for(tables, rng.uniform(0.2, 1.0), rng)
        asked = time.monotonic()
        code, errors = await host.stop(signal.SIGTERM)
        assert at_most(time.monotonic() - asked, 10)
        assert code == 0, errors
        assert "Traceback" not in errors
        await asyncio.gather(*playing)
        assert {await player.socket.closed for table in tables for player in table.players} == {1012}
        await host.start(PUBLIC_URL=SITE)
    await host.stop()
    assert not ledger.complaints(await stored_games(host.folder, tables))
    counted("stops", stops)
    counted("acknowledged moves", ledger.acknowledged)


@pytest.mark.row("F4")
async def test_event_numbers_from_before_a_restart_bring_the_whole_game(host, open_host, seated, rng, scale, counted):
    """A page returns with an early number of the old life: by the number alone it would get what it has seen."""
    tables, restarts = await seated(4), scale(20)
    for table in tables:
        await table.come()
        await table.play(4, 0, rng)
    for _ in range(restarts):
        await host.stop(signal.SIGKILL)
        await host.start(PUBLIC_URL=SITE)
        for table in tables:
            late, other = table.players
            late.view.v = 0
            await late.come()
            assert late.view.resumed == 0, "told that nothing was missed"
            await other.come()
            assert late.view.game == other.view.game
    counted("restarts", restarts)
    counted("games", len(tables))
