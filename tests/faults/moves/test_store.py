"""The store is away, slow, full, or its answers are lost: games wait, nobody pays, and nothing is half done."""

import asyncio
import itertools
import time

import pytest

from tests.support.live.guests import Guest
from tests.support.proxy import UPDATE

AT_ONCE = 8
OPENING = 4
WAIT_S = 1.3
"""The server says after 0.8 s that a command waits; what is more is the machine's."""
BACK_S = 3
LOOKS_S = 10
"""After a minute nobody waits any more: a game looks for the store every two seconds, for up to three seconds."""
FILLS_S = 60
"""As long as it takes to fill what room there is: as fast as the machine can."""


async def open_all(tables, rng):
    await asyncio.gather(*(table.play(OPENING, 0, rng) for table in tables))
    for table in tables:
        for player in table.players:
            await player.until(lambda: len(player.view.moves) == OPENING)  # noqa: B023 - awaited right here


async def ready(web, port):
    async with web.get(f"http://127.0.0.1:{port}/ready") as answer:
        return answer.status


async def check_standstill(web, failing, tables, seconds):
    """While nothing can be stored: every mover is told so, no opponent sees a move, and nobody new is taken."""
    for table in tables:
        mover, other = table.players
        await mover.until(lambda: mover.heard["wait"], seconds)  # noqa: B023 - awaited right here
        assert len(other.view.moves) == OPENING
        assert (await mover.ask("resign"))["code"] == "busy"
    assert await ready(web, failing.host.port) == 503
    with pytest.raises(RuntimeError, match="503"):
        await Guest(web, failing.host.port).challenge(tables[0].score.start)


async def play_on(tables, answers, rng):
    """The next two moves of every game, after the one that had to wait if that one was stored."""
    assert {answer["t"] for answer in answers} == {"ok"}, answers
    for table in tables:
        await table.play(OPENING + 3, 0, rng)
        for player in table.players:
            await player.until(lambda: len(player.view.moves) == OPENING + 3)  # noqa: B023 - awaited right here
            assert player.view.game["ended"] is None


async def begin_a_new_log(disk, tables):
    """A log that was full once is written again from its beginning, and grows no more; a new start begins another."""
    await disk.host.stop()
    await disk.start()
    for table in tables:
        await table.come()


async def told_to_wait(table):
    """Returns when one of the players has heard that their move waits."""
    hearing = [
        asyncio.create_task(player.until(lambda player=player: player.heard["wait"], FILLS_S))
        for player in table.players
    ]
    heard, others = await asyncio.wait(hearing, return_when=asyncio.FIRST_COMPLETED)
    for other in others:
        other.cancel()
    heard.pop().result()


async def move_when_possible(mover, table):
    """The server looks every two seconds whether the store is back, and takes no command while it looks."""
    while (answer := await mover.move(OPENING, table.moves[OPENING])).get("code") in ("busy", "storage"):  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    return answer


@pytest.mark.row("F9")
@pytest.mark.timeout(300)
async def test_half_a_minute_without_a_store_costs_nobody_anything(
    web, failing, tables_at, ledger, rng, full, counted, within
):
    tables, seconds = await tables_at(failing), 30 if full else 3
    await open_all(tables, rng)
    left = [table.players[0].view.clock["white"] for table in tables]
    failing.fail()
    waiting = [asyncio.create_task(table.players[0].move(OPENING, table.moves[OPENING], 60)) for table in tables]
    sent = time.monotonic()
    await check_standstill(web, failing, tables, within(WAIT_S))
    await asyncio.sleep(seconds - (time.monotonic() - sent))
    failing.mend()
    async with asyncio.timeout(within(BACK_S)):
        answers = await asyncio.gather(*waiting)
    for table, before in zip(tables, left, strict=True):
        await table.players[1].until(lambda: len(table.players[1].view.moves) > OPENING)  # noqa: B023
        assert before - table.players[0].view.clock["white"] < 2_000, "the time without a store counted"
    await play_on(tables, answers, rng)
    assert not ledger.complaints(await failing.stored(tables))
    counted("games", len(tables))
    counted("seconds", seconds)


@pytest.mark.row("F9")
@pytest.mark.timeout(300)
@pytest.mark.only_full("takes two minutes for each store, as the server waits a whole minute for it")
async def test_after_a_minute_without_a_store_a_move_is_refused_and_can_be_made_again(
    failing, tables_at, ledger, rng, counted
):
    tables = await tables_at(failing)
    await open_all(tables, rng)
    failing.fail()
    waiting = [asyncio.create_task(table.players[0].move(OPENING, table.moves[OPENING], 90)) for table in tables]
    began = time.monotonic()
    assert {answer["code"] for answer in await asyncio.gather(*waiting)} == {"storage"}
    await asyncio.sleep(120 - (time.monotonic() - began))
    failing.mend()
    async with asyncio.timeout(LOOKS_S):
        answers = await asyncio.gather(*(move_when_possible(table.players[0], table) for table in tables))
    await play_on(tables, answers, rng)
    assert not ledger.complaints(await failing.stored(tables))
    counted("games", len(tables))


@pytest.mark.row("F11")
@pytest.mark.timeout(600)
async def test_a_write_whose_answer_is_lost_counts_once(far, tables_at, ledger, scale, counted):
    """Some games move at once, so that several writes are on their way when answers are lost."""
    tables, lost = await tables_at(far), scale(500)
    for number in itertools.count():
        if far.proxy.lost == lost:
            break
        far.proxy.lose_answers(UPDATE, min(AT_ONCE, lost - far.proxy.lost))
        await asyncio.gather(*(next_move(tables[(number * AT_ONCE + n) % len(tables)]) for n in range(AT_ONCE)))
    assert not ledger.complaints(await far.stored(tables))
    counted("answers of the store lost", lost)
    counted("moves", ledger.acknowledged)


async def next_move(table):
    ply = len(table.followed)
    mover = table.players[ply % 2]
    await mover.until(lambda: len(mover.view.moves) == ply)
    answer = await mover.move(ply, table.moves[ply])
    assert answer["t"] == "ok", answer


async def move_all(tables, ply):
    """Seconds until each table had the answer to its next move, all sent at once; slowest last."""

    async def timed(table):
        sent = time.monotonic()
        assert (await table.players[ply % 2].move(ply, table.moves[ply]))["t"] == "ok"
        return time.monotonic() - sent

    moving = [asyncio.create_task(timed(table)) for table in tables]
    for table in tables:
        idle = table.players[1 - ply % 2]
        heard = idle.heard["pong"]
        idle.say("ping")
        await idle.until(lambda: idle.heard["pong"] > heard, 0.3)  # noqa: B023 - awaited right here
    return sorted(await asyncio.gather(*moving))


@pytest.mark.row("F12")
@pytest.mark.alone
async def test_a_slow_store_delays_only_its_own_answers(far, tables_at, ledger, rng, counted, at_most):
    tables = await tables_at(far)
    await open_all(tables, rng)
    usual = await move_all(tables, OPENING)
    far.proxy.delay_s = 0.5
    waits = await move_all(tables, OPENING + 1)
    assert at_most(waits[-1], usual[-1] + far.proxy.delay_s + 0.2)
    far.proxy.delay_s = 0.0
    assert not ledger.complaints(await far.stored(tables))
    counted("moves at once", len(tables))
    counted("ms until the last was acknowledged", round(waits[-1] * 1000))


@pytest.mark.row("F13")
async def test_a_full_disk_counts_as_an_outage_and_the_file_stays_intact(
    web, disk, host, tables_at, ledger, rng, counted
):
    tables = await tables_at(disk)
    await open_all(tables, rng)
    await begin_a_new_log(disk, tables)
    log = host.folder / "data" / "fairyhouse.sqlite3-wal"
    disk.fail(beyond=log.stat().st_size + 40_000)
    playing = [asyncio.create_task(table.play(len(table.moves), 0, rng)) for table in tables]
    for table in tables:
        await told_to_wait(table)
    host.process.kill()
    await host.process.communicate()
    await asyncio.gather(*playing)
    await disk.start()
    assert await ready(web, host.port) == 200
    for table in tables:
        await table.come()
        await table.play(len(table.followed) + 2, 0, rng)
    assert not ledger.complaints(await disk.stored(tables))
    counted("games", len(tables))
