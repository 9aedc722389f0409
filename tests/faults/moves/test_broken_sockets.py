"""Sockets that break, wait and come twice: every move counts once, and whoever comes back sees what all see."""

import asyncio
import itertools
import time

import pytest

from tests.support.live.followers import Follower, stored_games
from tests.support.live.guests import Guest
from tests.support.proxy import Proxy

WATCHERS = 3


@pytest.mark.row("F2")
@pytest.mark.timeout(600)
async def test_a_move_whose_answer_was_lost_is_sent_again_and_counts_once(host, seated, ledger, scale, counted):
    lost, again = scale(1_000), 0
    tables = await seated(40, least=100)
    async with Proxy(("127.0.0.1", host.port)) as proxy:
        for table in tables:
            await table.come(proxy.port)
        for ply, table in itertools.islice(itertools.product(range(100), tables), lost):
            mover = table.players[ply % 2]
            await mover.until(lambda: len(mover.view.moves) == ply)  # noqa: B023 - awaited right here
            proxy.lose_answers(b'"t":"move"')
            assert await mover.move(ply, table.moves[ply]) is None
            await mover.come(proxy.port)
            answer = await mover.move(ply, table.moves[ply])
            assert answer["t"] == "ok", answer
            again += answer.get("dup", False)
        assert proxy.lost == lost
    assert again > lost * 0.9, "a socket that breaks right behind a move does not take it back"
    await host.stop()
    assert not ledger.complaints(await stored_games(host.folder, tables))
    counted("answers lost", lost)


@pytest.mark.row("F3")
@pytest.mark.alone
@pytest.mark.timeout(600)
async def test_a_client_that_returns_at_any_point_sees_what_everybody_sees(
    web, host, seated, ledger, rng, scale, counted, at_most
):
    tables = await seated(scale(200))
    viewers = {table.game: [*table.players] for table in tables}
    for table in tables:
        viewers[table.game] += [Follower(Guest(web, host.port), table.game, ledger) for _ in range(WATCHERS)]
    for follower in itertools.chain(*viewers.values()):
        await follower.come()
    waits, steps = [], scale(5_000)
    for _ in range(steps):
        table = rng.choice(tables)
        playing = asyncio.create_task(table.play(min(len(table.followed) + 1, len(table.moves)), 0, rng))
        back = rng.choice(viewers[table.game][2:] if rng.random() < 0.7 else table.players)
        back.leave()
        if rng.random() < 0.5:
            await playing
        began = time.monotonic()
        await back.come()
        waits.append(time.monotonic() - began)
        await playing
    for table in tables:
        most = max(follower.view.v for follower in viewers[table.game])
        for follower in viewers[table.game]:
            await follower.until(lambda: follower.view.v >= most, 2)  # noqa: B023 - awaited right here
            assert follower.view.game == viewers[table.game][0].view.game
    assert sum(follower.view.resumed for follower in itertools.chain(*viewers.values())) > steps * 0.9
    assert at_most(sorted(waits)[int(len(waits) * 0.99)], 0.2)
    await host.stop()
    assert not ledger.complaints(await stored_games(host.folder, tables))
    counted("times come back", steps)
    counted("games", len(tables))


@pytest.mark.row("F5")
@pytest.mark.timeout(600)
async def test_of_two_moves_for_one_ply_the_first_counts(host, seated, ledger, rng, scale, counted):
    """Each half-move is sent twice within 5 ms: the same move or another one, from one tab or from two."""
    tables, plies = await seated(scale(200)), 50
    for number, table in enumerate(tables):
        await table.come()
        second = [Follower(player.guest, table.game, ledger) for player in table.players]
        for tab in second:
            await tab.come()
        await send_twice(table, second if number % 2 else table.players, plies, rng)
        for follower in (*table.players, *second):
            follower.leave()
    await host.stop()
    stored = await stored_games(host.folder, tables)
    assert not ledger.complaints(stored)
    assert sum(len(game.plies) for game in stored.values()) == len(tables) * plies
    counted("pairs", len(tables) * plies)


async def send_twice(table, tabs, plies, rng):
    """From two tabs it is the same move, as nobody knows which of them arrives first."""
    for ply in range(plies):
        first, second = table.players[ply % 2], tabs[ply % 2]
        await first.until(lambda: len(first.view.moves) >= ply)  # noqa: B023 - awaited right here
        await second.until(lambda: len(second.view.moves) >= ply)  # noqa: B023
        another = first is second and rng.random() < 0.5
        other = table.moves[(ply + 2) % len(table.moves) if another else ply]
        sent = asyncio.create_task(first.move(ply, table.moves[ply]))
        await asyncio.sleep(rng.uniform(0, 0.005))
        again = await second.ask("move", ply=ply, uci=other)
        answer = await sent
        if other == table.moves[ply]:
            assert (answer["t"], again["t"]) == ("ok", "ok"), (answer, again)
            assert answer.get("dup", False) != again.get("dup", False)
        else:
            assert answer["t"] == "ok", answer
            assert again["code"] in ("stale", "not_your_turn"), again


@pytest.mark.row("F6")
@pytest.mark.alone
@pytest.mark.timeout(600)
async def test_both_tabs_of_a_player_work_and_either_may_close(host, seated, ledger, rng, scale, counted, at_most):
    tables, plies = await seated(scale(200)), 20
    late = []
    for table in tables:
        await table.come()
        pairs = [(player, Follower(player.guest, table.game, ledger)) for player in table.players]
        for _, tab in pairs:
            await tab.come()
        for ply in range(plies):
            tabs = [tab for pair in pairs for tab in pair]
            for tab in pairs[ply % 2]:
                await tab.until(lambda: len(tab.view.moves) >= ply)  # noqa: B023 - awaited right here
            sent = time.monotonic()
            assert (await rng.choice(pairs[ply % 2]).move(ply, table.moves[ply]))["t"] == "ok"
            for tab in tabs:
                await tab.until(lambda: len(tab.view.moves) > ply)  # noqa: B023
            late.append(time.monotonic() - sent)
            if ply == plies // 2:
                await one_tab_closes(rng.choice(pairs), pairs)
        for tab in tabs:
            tab.leave()
    assert at_most(sorted(late)[int(len(late) * 0.99)], 0.1)
    await host.stop()
    assert not ledger.complaints(await stored_games(host.folder, tables))
    counted("games with two tabs each", len(tables))


async def one_tab_closes(closing, pairs):
    """Whoever comes then is told that both players are here."""
    closing[1].say("bye")
    closing[1].leave()
    opponent = next(pair for pair in pairs if pair is not closing)[1]
    opponent.crowd = None
    await opponent.come()
    await opponent.until(lambda: opponent.crowd is not None)
    assert [opponent.crowd[side]["here"] for side in ("white", "black")] == ["here"] * 2, opponent.crowd
    await closing[1].come()
