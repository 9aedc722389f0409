"""Players on two nodes, and what becomes of the notices between them: everybody sees the same game (N1, N2, N3)."""

import asyncio
import statistics
import time

import pytest

from tests.support.redis_server import needs_redis

pytestmark = [needs_redis, pytest.mark.asyncio(loop_scope="package")]

AT_ONCE, OPENING = 100, 2
ADDED_MS = 30
QUIET_GAMES, QUIET = 4, 12
"""So many half-moves of each of a few games, played one after the other."""
BACK_S = 3
LOOKS_S = 6
"""Each node looks at its games every three seconds, whatever it has heard."""
LONG_S, SHORT_S = 30, 3
"""So long is Redis away: as when it is ill, and as when it is restarted."""


async def begun(across, games, rng, **how):
    """So many tables, of which each few have made their first moves before the next sit down.

    A game that nobody begins within half a minute is called off, and to seat them all can take longer.
    """
    tables = []
    while len(tables) < games:
        seated = await across(min(AT_ONCE, games - len(tables)), **how)
        await asyncio.gather(*(table.play(OPENING, 0, rng) for table in seated))
        tables += seated
    return tables


async def all_seen(tables, seconds):
    """Returns when every player has seen every move that their opponent has seen by now."""
    async with asyncio.timeout(seconds):
        for table in tables:
            plies = len(table.followed)
            for player in table.players:
                await player.until(lambda: len(player.view.moves) >= plies)  # noqa: B023 - awaited right here


def divided(tables):
    """The games that their two players do not see alike."""
    return [table.game for table in tables if table.players[0].view.game != table.players[1].view.game]


async def added_delays(table, plies):
    """How much later each of so many moves is seen at the other node than at the mover's own, ms."""
    found, first = [], len(table.followed)
    for ply in range(first, first + plies):
        mover, other = table.players[ply % 2], table.players[1 - ply % 2]
        await mover.move(ply, table.moves[ply])
        shown = mover.heard_at
        await other.until(lambda: len(other.view.moves) > ply)  # noqa: B023 - awaited right here
        found.append((other.heard_at - shown) * 1000)
    return found


@pytest.mark.row("N1")
@pytest.mark.timeout(900)
async def test_two_players_on_two_nodes_see_the_same_game(cluster, across, ledger, rng, scale, full, counted, within):
    games, plies = scale(500), 60 if full else 8
    tables = await begun(across, games, rng, least=plies)
    await asyncio.gather(*(table.play(plies, 0.3, rng) for table in tables))
    await all_seen(tables, within(BACK_S))
    assert not divided(tables)
    assert not ledger.complaints(await cluster.stored(tables))
    assert ledger.acknowledged == sum(min(plies, len(table.moves)) for table in tables)
    counted("games", games)
    counted("moves", ledger.acknowledged)


@pytest.mark.row("N1")
@pytest.mark.alone
async def test_a_quiet_move_is_seen_at_the_other_node_at_once(across, rng, counted, at_most):
    tables = await across(QUIET_GAMES, least=2 + QUIET)
    for table in tables:
        await table.play(2, 0, rng)
    added = [ms for table in tables for ms in await added_delays(table, QUIET)]
    middle, late = statistics.median(added), statistics.quantiles(added, n=100)[98]
    assert at_most(late, ADDED_MS)
    counted(f"quiet moves seen {middle:.1f} ms later at the other node, p99 {late:.1f} ms", len(added))


@pytest.mark.row("N2")
@pytest.mark.timeout(1800)
async def test_games_survive_redis_forgetting_restarting_and_being_away(
    cluster, across, ledger, rng, full, counted, within
):
    outages = [LONG_S] * 2 + [SHORT_S] * 18 if full else [SHORT_S]
    tables, at_one_node = await across(12, least=150), await across(4, least=150)
    for table in at_one_node:
        await table.come(cluster.port(0))
    playing = [asyncio.create_task(table.play(140 if full else 14, 0.3, rng)) for table in tables]
    for away_s in outages:
        await cluster.redis.ask("FLUSHALL")
        await cluster.redis.kill()
        back_at = time.monotonic() + away_s
        async with asyncio.timeout(within(away_s)):
            for table in at_one_node:
                await table.play(len(table.followed) + 4, 0, rng)
        await asyncio.sleep(max(0, back_at - time.monotonic()))
        await cluster.redis.start()
        await all_seen(tables, within(BACK_S))
    await asyncio.gather(*playing)
    await all_seen(tables, within(BACK_S))
    assert not divided(tables + at_one_node)
    assert not ledger.complaints(await cluster.stored(tables + at_one_node))
    counted("times without Redis", len(outages))
    counted("s the longest", max(outages))
    counted("acknowledged moves", ledger.acknowledged)


@pytest.mark.row("N3")
@pytest.mark.timeout(1800)
async def test_lost_doubled_or_late_notices_leave_both_nodes_agreeing(
    cluster, across, ledger, rng, full, counted, within
):
    games, plies = (170, 58) if full else (40, OPENING)
    tables = await begun(across, games, rng, least=30)
    for proxy in cluster.proxies:
        proxy.lossy, proxy.doubled, proxy.swapped = 0.05 if full else 0.1, 0.05, 0.1
    disturbed, enough, longest = 0, games * plies // 10, max(len(table.moves) for table in tables)
    # A busy node tells of several moves in one message: how many messages are disturbed cannot be said beforehand.
    while disturbed < enough:
        assert plies < longest, "too few notices between the nodes"
        plies += 2
        await asyncio.gather(*(table.play(plies, 0.2, rng) for table in tables))
        disturbed = sum(proxy.disturbed for proxy in cluster.proxies)
    await all_seen(tables, within(LOOKS_S))
    assert not divided(tables)
    assert not ledger.complaints(await cluster.stored(tables))
    assert ledger.acknowledged == sum(min(plies, len(table.moves)) for table in tables)
    counted("moves", ledger.acknowledged)
    counted("notices lost, doubled or swapped", disturbed)
