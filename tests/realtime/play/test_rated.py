"""Rated games at the board: the ratings beside the seats, and what the game does to them, told once to everybody."""

from contextlib import contextmanager

import pytest

from server.games.clocks.time_control import Speed
from server.games.rating import Rating
from server.games.terms import Terms
from server.realtime.play.creation import create_open_game
from server.realtime.play.player_ratings import count_finished
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from server.storage.protocols.ratings import Category, Tally
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, FIVE_MINUTES, WHITE, Node

NEW = {"rating": 1500, "provisional": True}


@pytest.fixture
def terms(variants):
    return Terms(variants["chess"], False, variants["chess"].start_fen, FIVE_MINUTES, rated=True)


async def seated(node, terms):
    """A rated game with both at the board: (id, white, black)."""
    created = await create_open_game(node.rounds.services, terms, WHITE, Color.WHITE)
    game = created.game.id
    await node.rounds.join(game, created.secret, BLACK)
    return game, await node.seat(game, WHITE), await node.seat(game, BLACK)


async def begun(node, terms):
    game, white, black = await seated(node, terms)
    """Both have moved twice: what is given up earlier moves no rating."""
    for ply, uci in enumerate(("e2e4", "e7e5", "g1f3", "b8c6")):
        await (white, black)[ply % 2].move(uci, ply)
    return game, white, black


@contextmanager
def not_counting(store):
    """Games can be stored, and not counted."""

    async def refuse(_due):
        raise Unavailable("The store is down.")

    count, store.ratings.count = store.ratings.count, refuse
    yield
    store.ratings.count = count


async def test_seats_show_the_ratings_and_the_end_shows_what_they_gained_and_lost(node, terms):
    _game, white, black = await begun(node, terms)
    assert white.last("snapshot")["white_strength"] == black.last("snapshot")["black_strength"] == NEW
    assert (await black.ask("resign"))["t"] == "ok"
    await settle()
    for client in (white, black):
        assert client.last("rated")["white"] == {**NEW, "change": 162}
        assert client.last("rated")["black"] == {**NEW, "change": -162}
        assert client.last("rated")["v"] == client.last("over")["v"] + 1


async def test_a_client_that_comes_after_the_end_sees_the_rating_change_in_the_snapshot(node, terms, store, clock):
    game, _white, black = await begun(node, terms)
    await black.ask("resign")
    await settle()
    for where in (node, Node(store, clock)):
        watcher = Client(where, None)
        await watcher.hi(game)
        assert watcher.last("snapshot")["white_strength"] == {**NEW, "change": 162}


async def test_the_first_player_sees_the_rating_of_the_second(node, terms):
    created = await create_open_game(node.rounds.services, terms, WHITE, Color.WHITE)
    white = await node.seat(created.game.id, WHITE)
    assert "black_strength" not in white.last("snapshot")
    assert white.last("snapshot")["white_strength"] == NEW
    await node.rounds.join(created.game.id, created.secret, BLACK)
    await settle()
    assert white.last("rated")["black"] == NEW


async def test_a_game_that_could_not_be_rated_at_its_end_is_rated_later_and_once(node, terms, store):
    _game, _white, black = await begun(node, terms)
    with not_counting(store):
        await black.ask("resign")
        await settle()
        assert store.ratings.kept == {}
    for _ in range(2):
        await count_finished(store.ratings)
    standing = await store.ratings.perf(WHITE.id, Category.of(terms))
    assert (standing.rating.games, standing.tally.won) == (1, 1)


async def test_a_game_that_could_not_be_rated_at_its_end_is_rated_when_it_is_opened_elsewhere(
    node, terms, store, clock
):
    game, _white, black = await begun(node, terms)
    with not_counting(store):
        await black.ask("resign")
        await settle()
    watcher = Client(Node(store, clock), None)
    await watcher.hi(game)
    await settle()
    assert watcher.last("rated")["white"] == {**NEW, "change": 162}


async def test_ratings_wait_for_the_store_but_the_result_does_not(node, terms, store):
    _game, white, black = await begun(node, terms)
    with not_counting(store):
        await black.ask("resign")
        await settle()
        assert white.last("over")["ended"]["result"] == "1-0"
        assert "change" not in white.last("rated")["white"]
    assert (await white.ask("offer", kind="rematch"))["t"] == "ok"
    await settle()
    assert white.last("rated")["white"]["change"] == 162


async def test_a_casual_game_shows_no_ratings_of_unrated_players(node, variants):
    _game, white, black = await node.opened(variants)
    assert "white_strength" not in white.last("snapshot")
    await black.ask("resign")
    await settle()
    assert white.last("rated") is None


async def test_the_rematch_of_a_rated_game_is_rated(node, terms, store):
    _game, white, black = await begun(node, terms)
    await black.ask("resign")
    await white.ask("offer", kind="rematch")
    await black.ask("offer", kind="rematch")
    assert store.games[white.last("rematch")["next"]].terms.rated


async def test_a_rated_game_has_no_takebacks(node, terms):
    _game, white, _black = await begun(node, terms)
    answer = await white.ask("offer", kind="takeback")
    assert answer["code"] == "not_allowed"


async def test_an_aborted_game_rates_nobody(node, terms, store):
    _game, white, _black = await seated(node, terms)
    await white.ask("abort")
    await settle()
    await count_finished(store.ratings)
    assert store.ratings.kept == {}
    assert "change" not in white.last("rated")["white"]


async def test_a_casual_game_counts_in_the_records_as_soon_as_it_is_over(node, variants, store):
    _game, _white, black = await node.opened(variants)
    await black.ask("resign")
    await settle()
    chess = Category("chess", False, Speed.BLITZ)
    won, lost = [await store.ratings.perf(player.id, chess) for player in (WHITE, BLACK)]
    assert (won.tally, lost.tally) == (Tally(won=1), Tally(lost=1))
    assert won.rating == lost.rating == Rating()
