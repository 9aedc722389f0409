"""Offers that are stale, aimed elsewhere, crossing or endless; rematches clicked by everybody (R2, R3, R9)."""

import random

import pytest

from server.games.changes.offers import MAX_OFFERS
from tests.faults.races.at_once import all_at_once
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, WHITE

KNIGHTS = ["g1f3", "g8f6", "f3g1", "f6g8"]


def accept(offer):
    return {"t": "accept", "offer": offer}


@pytest.mark.row("R2")
async def test_an_offer_cancelled_by_a_move_cannot_be_accepted(
    node, store, variants, scale, seed, counted, monkeypatch
):
    rng, races = random.Random(f"{seed} R2"), scale(4_000)
    # Three takebacks are the most that one may ask for; here every race needs one.
    monkeypatch.setattr("server.games.changes.offers.MAX_OFFERS", races)
    for number in range(races):
        if number % 6 == 0:  # before a position comes for the third time
            game, white, black = await node.opened(variants)
        plies = len(store.games[game].plies)
        mover, other = (white, black) if plies % 2 == 0 else (black, white)
        assert (await other.ask("offer", kind="takeback"))["t"] == "ok"
        gone = mover.last("offered")["offer"]
        # A move, which cancels the offer, a new offer in its place, and the answer to the old one, all in one instant.
        move = (mover, {"t": "move", "uci": KNIGHTS[plies % 4 - 2], "ply": plies})
        sent = [(other, {"t": "offer", "kind": "draw"}), (mover, accept(gone))]
        await all_at_once([move, *rng.sample(sent, 2)])
        assert len(store.games[game].plies) == plies + 1
        assert store.games[game].outcome is None
        assert mover.last("error")["code"] == "stale"
        await mover.ask("decline", offer=mover.last("offered")["offer"])
    counted("accepts", races)


@pytest.mark.row("R2")
async def test_the_number_of_an_offer_is_of_no_use_in_another_game(node, store, variants, scale, counted):
    games = scale(1_000)
    for _ in range(games):
        here, white, black = await node.opened(variants)
        there, white_there, black_there = await node.opened(variants)
        await white_there.ask("offer", kind="draw")
        offer = black_there.last("offered")["offer"]
        for client in (black, white):
            assert (await client.ask(**accept(offer)))["code"] == "stale"
        assert (await white_there.ask(**accept(offer)))["code"] == "not_allowed", "it is their own"
        assert store.games[here].outcome is store.games[there].outcome is None
        for client in (white, black, white_there, black_there):
            client.close()
    counted("games", games)


@pytest.mark.row("R3")
async def test_four_clicks_on_rematch_make_one_game(node, store, variants, scale, seed, counted):
    rng, rounds = random.Random(f"{seed} R3"), scale(2_000)
    for _ in range(rounds):
        game, white, black = await node.pair(variants)
        tabs = [white, black, await node.seat(game, WHITE), await node.seat(game, BLACK)]
        await white.move("e2e4", 0)
        await black.ask("resign")
        rng.shuffle(tabs)
        before = set(store.games)
        await all_at_once([(tab, {"t": "offer", "kind": "rematch"}) for tab in tabs])
        (following,) = set(store.games) - before
        assert {tab.last("rematch")["next"] for tab in tabs} == {following}
        assert store.games[game].offers == (), "nothing is left to be answered"
        assert (store.games[following].white, store.games[following].black) == (BLACK, WHITE)
        for tab in tabs:
            tab.close()
    counted("times four clicks", rounds)


@pytest.mark.row("R9")
@pytest.mark.parametrize("kind", ["draw", "takeback", "rematch", "adjourn"])
async def test_a_hundred_offers_reach_the_opponent_as_one(node, clock, variants, counted, kind):
    game, white, black = await node.opened(variants)
    if kind == "rematch":
        await white.ask("resign")
    for _ in range(100):
        await white.ask("offer", kind=kind)
        if standing := node.rounds.in_memory(game).game.offers:
            await black.ask("decline", offer=standing[0].id)
        clock.turn(1_000)
    await settle()
    assert len(black.all("offered")) == (1 if kind == "draw" else MAX_OFFERS)
    counted("offers", 100)
