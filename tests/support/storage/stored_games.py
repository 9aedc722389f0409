"""Games to store, by the dozen."""

import itertools
from dataclasses import replace
from random import Random

from server.games.changes.offers import AcceptOffer, MakeOffer
from server.games.changes.playing import PlayMove
from server.games.game import play
from server.games.state import OfferKind
from server.rules.movegen.legal import legal_moves
from tests.support.games import START, live_game


def game_called(game_id, game=None, **changes):
    return replace(live_game(**changes) if game is None else game, id=game_id)


def stepped(game, number=0, now=START, lag=0):
    """`game` one legal move later; `number` chooses which. `lag`: ms measured on the mover's socket."""
    moves = legal_moves(game.position)
    return play(game, PlayMove(game.to_move, moves[number % len(moves)].uci, len(game.plies), lag), now)[0]


def every_step(game, now=START):
    """All games that are one legal move further."""
    return [stepped(game, number, now) for number in range(len(legal_moves(game.position)))]


def random_steps(game, plies, seed=1, ms_per_ply=700):
    """Every game on the way from `game`, itself first, over up to `plies` random moves."""
    random = Random(seed)
    games = [game]
    while len(games) <= plies and games[-1].outcome is None:
        games.append(stepped(games[-1], random.randrange(1000), START + ms_per_ply * len(games)))
    return games


def taken_back(game, now=START):
    """Two games: in the first, the side that moved last asks for a takeback; in the second it has been granted."""
    asked, _ = play(game, MakeOffer(game.to_move.other, OfferKind.TAKEBACK), now)
    granted, _ = play(asked, AcceptOffer(asked.to_move, asked.offers[-1].id), now)
    return asked, granted


async def stored(store, game):
    await store.create(game)
    return game


async def save_all(store, games):
    """Store `games` step by step; the first is there already."""
    for before, after in itertools.pairwise(games):
        await store.save(before, after)
