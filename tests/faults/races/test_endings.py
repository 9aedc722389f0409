"""Offers, mates, resignations, flags and claims in one instant: one result, one rating change, one entry (R1, R6)."""

import random

import pytest

from server.games.clocks.time_control import Speed
from server.realtime.cluster.presence import LEFT_MS
from server.storage.protocols.ratings import Category
from tests.faults.races.at_once import MATE, all_at_once, before_mate, ended_once, rated
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, WHITE

DRAW = {"t": "offer", "kind": "draw"}
WAYS_TO_END = [
    ("white", {"t": "resign"}),
    ("black", {"t": "resign"}),
    ("white", {"t": "abort"}),
    ("black", MATE),
    ("white", DRAW),
    ("black", DRAW),
    ("white", {"t": "claim", "result": "win"}),
    ("white", {"t": "claim", "result": "draw"}),
]
BLITZ_CHESS = Category("chess", False, Speed.BLITZ)


async def counted_games(store):
    """How many rated games the records of White and of Black hold."""
    standings = [await store.ratings.perf(player.id, BLITZ_CHESS) for player in (WHITE, BLACK)]
    assert standings[0].tally.won == standings[1].tally.lost
    assert standings[0].tally.drawn == standings[1].tally.drawn
    return [standing.rating.games for standing in standings]


@pytest.mark.row("R1")
async def test_crossing_draw_offers_and_a_mate_give_one_result(node, store, variants, scale, seed, counted):
    rng, races, reasons = random.Random(f"{seed} R1"), scale(5_000), set()
    terms = rated(variants)
    for _ in range(races):
        game, white, black = await before_mate(node, terms)
        sent = [(white, DRAW), (black, DRAW), *rng.choice([[], [(black, MATE)], [(white, DRAW), (black, DRAW)]])]
        rng.shuffle(sent)
        await all_at_once(sent)
        assert ended_once(store, game, white, black)
        reasons.add(store.games[game].outcome.reason)
        white.close()
        black.close()
    assert reasons == {"agreement", "checkmate"}
    assert await counted_games(store) == [races, races]
    counted("races", races)


@pytest.mark.row("R1")
async def test_an_accepted_draw_and_a_third_repetition_give_one_draw(node, store, variants, scale, counted):
    races = scale(200)
    for number in range(races):
        game, white, black = await node.opened(variants)
        for ply, uci in enumerate(["g1f3", "g8f6", "f3g1", "f6g8"] * 2, start=2):
            if ply < 9:
                await (white, black)[ply % 2].move(uci, ply)
        await white.ask("offer", kind="draw")
        accept = {"t": "accept", "offer": black.last("offered")["offer"]}
        sent = [(black, accept), (black, {"t": "move", "uci": "f6g8", "ply": 9})]
        await all_at_once(sent[:: 1 if number % 2 else -1])
        assert len(white.all("over")) == len(black.all("over")) == 1
        assert store.games[game].outcome.winner is None
    counted("races", races)


@pytest.mark.row("R6")
async def test_any_two_endings_in_one_instant_give_one_ending(node, store, clock, variants, scale, seed, counted):
    rng, pairs, reasons, terms = random.Random(f"{seed} R6"), scale(10_000), set(), rated(variants)
    for _ in range(pairs):
        game, white, black = await before_mate(node, terms)
        sent = rng.sample(WAYS_TO_END, 2)
        if rng.random() < 0.3:
            black = await away(node, black)
            sent.insert(rng.randrange(3), ("black", {"t": "hi", "proto": 1, "game": game}))
        elif rng.random() < 0.3:
            clock.turn(310_000)
        for side, message in sent:
            (white if side == "white" else black).send(**message)
        node.live.services.timers.fire_due()
        await settle()
        if ended_once(store, game, white):
            reasons.add(store.games[game].outcome.reason)
            await refused_afterwards(white, store, game)
        white.close()
        black.close()
    assert reasons >= {"resign", "checkmate", "agreement", "time", "left"}
    counted("pairs", pairs)


async def away(node, client):
    """Leaves the player of `client` away until the game may be claimed; returns a page that has not said hi."""
    client.close(bye=True)
    await node.tick(LEFT_MS)
    return Client(node, client.connection.player)


async def refused_afterwards(client, store, game):
    ended = store.games[game]
    for command in ({"t": "resign"}, {"t": "move", "uci": "h2h3", "ply": 4}, {"t": "claim", "result": "win"}):
        assert (await client.ask(**command))["code"] in ("over", "not_allowed")
    assert store.games[game] == ended
