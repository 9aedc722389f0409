"""Conditional moves in a game: a player prepares them while the opponent is to move, and a move plays their answers.

A move and the answers to it are one change of the game, so they are stored together or not at all. An answer takes no
time. It is not played over an offer of the opponent: the player is to see that first.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

from server.games.changes.moving import move
from server.games.clocks.time_control import for_color, with_color
from server.games.command import LIVE, OPEN, PlayerCommand
from server.games.conditional import NO_MOVES, MoveTree
from server.games.errors import BadMove, NotAllowed, Stale
from server.games.events import Transition
from server.games.frozen import replace
from server.games.state import Game
from server.games.status import Status
from server.rules.movegen.position import Position
from server.rules.variant.pieces import Color

MOST_AT_ONCE: Final = 10
"""Half-moves in one change. Each takes up to half a millisecond, which the moves of other games wait for."""


@dataclass(frozen=True, slots=True)
class PlayMove(PlayerCommand):
    """Play `uci` as half-move `ply` (0 = first), and the conditional moves that answer it.

    `lag_ms` is the lag the server measured. `prepared`: the position after the move, and the conditional moves that are
    to follow it instead of those prepared before; None: what is left of those.
    """

    taken_in: ClassVar = OPEN | LIVE
    uci: str
    ply: int
    lag_ms: int = 0
    prepared: tuple[Position, MoveTree] | None = None

    def apply(self, game: Game, now: int) -> Transition:
        return move_and_answers(game, self.color, self.uci, self.ply, self.lag_ms, now, self.prepared)


@dataclass(frozen=True, slots=True)
class PrepareMoves(PlayerCommand):
    """Replace the own conditional moves by `tree`, judged from `position`, where the opponent is to move."""

    taken_in: ClassVar = LIVE
    position: Position
    tree: MoveTree

    def apply(self, game: Game, now: int) -> Transition:
        return prepare(game, self.color, self.position, self.tree)


def prepare(game: Game, color: Color, position: Position, tree: MoveTree) -> Transition:
    """`color` replaces its conditional moves by `tree`, which was judged from `position`. Nobody else is told.

    Raises NotAllowed unless a side has days for each move, and on its own turn; Stale if the game has moved on.
    """
    if not game.terms.control.by_days:
        raise NotAllowed("conditional_not_by_days")
    if game.position != position:
        raise Stale
    if game.to_move is color:
        raise NotAllowed("conditional_own_turn")
    if for_color(game.conditional, color) == tree:
        return game, ()
    return _with_tree(game, color, tree), ()


def move_and_answers(
    game: Game,
    color: Color,
    uci: str,
    ply: int,
    lag_ms: int,
    now: int,
    prepared: tuple[Position, MoveTree] | None = None,
) -> Transition:
    """As `move`, and then the answers that the players have prepared, all at `now` (ms).

    With `prepared`, `color` replaces its conditional moves before the first answer. Raises what `move` and `prepare`
    raise.

    Whoever comes to move after MOST_AT_ONCE plays the next answer by hand, which leads on in their tree.
    """
    game, events = move(game, color, uci, ply, lag_ms, now)
    if prepared is not None and game.status is Status.LIVE:
        game, _ = prepare(game, color, *prepared)
    while len(game.plies) < ply + MOST_AT_ONCE and (answer := _answer(game)) is not None:
        try:
            game, more = move(game, game.to_move, answer, len(game.plies), 0, now)
        except BadMove:
            # The rules have changed since it was judged: a host's own variant was edited.
            return _with_tree(game, game.to_move, ()), events
        events = (*events, *more)
    return game, events


def _answer(game: Game) -> str | None:
    """The move in UCI that the side to move has prepared for this position and that is to be played; None: none is."""
    if game.conditional == NO_MOVES:
        return None
    tree = for_color(game.conditional, game.to_move)
    if not tree or game.status is not Status.LIVE or any(offer.by is not game.to_move for offer in game.offers):
        return None
    return tree[0].uci


def _with_tree(game: Game, color: Color, tree: MoveTree) -> Game:
    return replace(game, conditional=with_color(game.conditional, color, tree))
