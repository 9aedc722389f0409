"""A puzzle that everybody knows, and games in which puzzles are found."""

import tomllib
from pathlib import Path

from server.games.changes.beginning import new_game
from server.games.changes.ending import Resign
from server.games.game import play
from server.games.puzzles import Puzzle, Theme
from server.games.rating import Rating
from server.games.terms import Terms
from tests.support.games import BORIS, FIVE_MINUTES, START, WANDA, moved
from tests.support.rules.built_in import VARIANTS

SMOTHERED = Puzzle(
    id="a1b2c3d4e5",
    variant="chess",
    chess960=False,
    fen="r4r1k/6pp/7N/8/2Q5/8/8/1K6 w - - 3 30",
    last="g8h8",
    line=("c4g8", "f8g8", "h6f7"),
    themes=frozenset({Theme.MATE}),
    game="game0001",
    ply=58,
    made=1_700_000_000_000,
    rating=Rating(),
)
"""The queen is given away, and the knight mates the king among its own men."""

CASTLED = Puzzle(
    id="f6a7b8c9d0",
    variant="chess",
    chess960=True,
    fen="n1rkr3/2p3Q1/n7/8/8/7n/8/RK5n w A - 1 2",
    last="f8e8",
    line=("b1a1",),
    themes=frozenset({Theme.CASTLING, Theme.MATE}),
    game="game0960",
    ply=1,
    made=1_700_000_000_000,
    rating=Rating(),
)
"""Only castling mates; the king may also go by itself to the square on which it would then stand."""
BEFORE_CASTLING = "n1rk1r2/2p3Q1/n7/8/8/7n/8/RK5n b A - 0 1"
"""Black's move that led there still to come."""


def games_with_puzzles():
    """By variant, a game that is over after a mistake that lets one move win; both players are registered."""
    told = tomllib.loads(Path(__file__).with_name("puzzle_games.toml").read_text())
    return {variant: mistaken(f"game-{variant}", VARIANTS[variant], **one) for variant, one in told.items()}


def mistaken(game_id, variant, moves, fen=None, chess960=False):
    """The last two states of a game with these moves: its loser resigns instead of waiting for what wins."""
    start = variant.start_fen if fen is None else fen
    game = new_game(
        game_id, Terms(variant, chess960, start, FIVE_MINUTES, rated=False), START, white=WANDA, black=BORIS
    )
    game = moved(game, moves)
    over, _ = play(game, Resign(game.to_move.other), START)
    return game, over


async def fill_with_games(store, games):
    for before, over in games:
        await store.create(before)
        await store.save(before, over)
