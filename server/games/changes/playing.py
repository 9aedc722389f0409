"""Playing a move: whose turn it is, whether it is legal, what it does to clock and offers, whether it ends the game.

Endings on the board (mate, stalemate, bare king, a goal, repetition, move rule, insufficient material) end the game at
once: nobody has to claim them. An offer of a draw can go with the move, and conditional moves can answer it.

A player prepares conditional moves while the opponent is to move. A move, the offer made with it and the answers to it
are one change of the game, so they are stored together or not at all. An answer takes no time. It is not played over an
offer of the opponent: the player is to see that first.
"""

from dataclasses import dataclass
from sys import intern
from typing import ClassVar, Final

from server.games.changes.ending import end_game, flag_fell, lapsed
from server.games.changes.offers import make_offer
from server.games.clocks.clock import Clock, FlagFell
from server.games.clocks.time_control import for_color, with_color
from server.games.command import LIVE, OPEN, PlayerCommand
from server.games.conditional import NO_MOVES, MoveTree, after_move
from server.games.errors import AlreadyPlayed, BadMove, NotAllowed, NotYourTurn, Stale
from server.games.events import Event, Moved, OfferClosed, Transition
from server.games.frozen import replace
from server.games.state import Game, Offer, OfferKind, Ply
from server.games.status import Status
from server.rules.endings import Outcome, Reason, outcome
from server.rules.errors import RulesError
from server.rules.movegen.legal import legal_moves, repetition_key
from server.rules.movegen.making import play_trusted
from server.rules.movegen.moves import Move
from server.rules.movegen.position import Position
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.variant.pieces import Color

MOST_AT_ONCE: Final = 10
"""Half-moves in one change. Each takes up to half a millisecond, which the moves of other games wait for."""


@dataclass(frozen=True, slots=True)
class PlayMove(PlayerCommand):
    """Play `uci` as half-move `ply` (0 = first), and the conditional moves that answer it.

    `lag_ms` is the lag the server measured. `prepared`: the position after the move, and the conditional moves that are
    to follow it instead of those prepared before; None: what is left of those. `offers_draw`: a draw is offered with
    the move, or the opponent's offer of one accepted.
    """

    taken_in: ClassVar = OPEN | LIVE
    uci: str
    ply: int
    lag_ms: int = 0
    prepared: tuple[Position, MoveTree] | None = None
    offers_draw: bool = False

    def apply(self, game: Game, now: int) -> Transition:
        moved, events = play_move(game, self.color, self.uci, self.ply, self.lag_ms, now)
        if self.offers_draw:
            moved, events = _with_draw(game, moved, events, self.color, now)
        return _with_answers(moved, events, self, now)


@dataclass(frozen=True, slots=True)
class PrepareMoves(PlayerCommand):
    """Replace the own conditional moves by `tree`, judged from `position`, where the opponent is to move."""

    taken_in: ClassVar = LIVE
    position: Position
    tree: MoveTree

    def apply(self, game: Game, now: int) -> Transition:
        return prepare_moves(game, self.color, self.position, self.tree)


def prepare_moves(game: Game, color: Color, position: Position, tree: MoveTree) -> Transition:
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


def _with_draw(before: Game, game: Game, events: tuple[Event, ...], color: Color, now: int) -> Transition:
    """`game`, to which `color`'s move has just led from `before` by `events`, with the draw that goes with the move.

    If the opponent has offered one, it is drawn, unless the move has ended it otherwise. If no draw may be offered yet,
    or again, the move counts alone.
    """
    if game.status is not Status.LIVE:
        return game, events
    offered = next((one for one in before.offers_to(color) if one.kind is OfferKind.DRAW), None)
    if offered is None:
        try:
            game, more = make_offer(game, color, OfferKind.DRAW, None, now)
        except NotAllowed:
            return game, events
        return game, (*events, *more)
    # The move has cancelled the offer that it accepts.
    accepted = (replace(one, how="accepted") if _closes(one, offered) else one for one in events)
    game, more = end_game(game, Outcome(None, "agreement"), now)
    return game, (*accepted, *more)


def _closes(event: Event, offered: Offer) -> bool:
    return isinstance(event, OfferClosed) and event.offer == offered.id


def _with_answers(game: Game, events: tuple[Event, ...], played: PlayMove, now: int) -> Transition:
    """`game`, to which `played` has led by `events`, with the answers that the players have prepared, at `now` (ms).

    Raises what `prepare` raises. The side to move after MOST_AT_ONCE plays the next answer by hand, which leads on
    in their tree.
    """
    if played.prepared is not None and game.status is Status.LIVE:
        game, _ = prepare_moves(game, played.color, *played.prepared)
    while len(game.plies) < played.ply + MOST_AT_ONCE and (answer := _answer(game)) is not None:
        try:
            game, more = play_move(game, game.to_move, answer, len(game.plies), 0, now)
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


MAX_PLIES = 2_000
"""A game this long is drawn as by the move rule, so a stored game stays small where no rule would end it."""


def refuse_repeat(game: Game, color: Color, uci: str, ply: int) -> None:
    """Raises AlreadyPlayed if `color` already played exactly this move at `ply`, whatever the status is now."""
    if 0 <= ply < len(game.plies) and game.plies[ply].uci == uci and game.mover_of(ply) is color:
        raise AlreadyPlayed


def play_move(game: Game, color: Color, uci: str, ply: int, lag_ms: int, now: int) -> Transition:
    """Plays `uci` as half-move `ply`, received at `now` (ms). If the mover is out of time the game ends instead.

    Raises Stale, NotYourTurn, BadMove.
    """
    chosen = _chosen(game, color, uci, ply)
    try:
        clock, given = _pressed(game, color, lag_ms, now)
    except FlagFell:
        return flag_fell(game, now)
    position = play_trusted(game.position, chosen)
    # Whether it is check is found with them; both are asked for below.
    legal_moves(position)
    # One string for the same move in all games in memory.
    san = intern(format_san(game.position, chosen, position))
    # Days for each move are full again after it.
    left = (clock if clock.control.keeps_time else game.clock).remaining(color, now)
    played = Ply(chosen.uci, san, left, given)
    offers, closed = _lapse(game, color)
    game = replace(
        game,
        position=position,
        plies=game.plies.appended(played),
        keys=game.keys.appended(repetition_key(position)),
        clock=clock,
        offers=offers,
        conditional=_followed(game.conditional, played.uci),
        expires=_expires(game, now),
    )
    moved = Moved(color, ply, played.uci, played.san, given, position)
    ending = _board_outcome(game)
    if ending is None:
        return game, (moved, *closed)
    game, last = end_game(game, ending, now)
    return game, (moved, *closed, *last)


def _chosen(game: Game, color: Color, uci: str, ply: int) -> Move:
    """The legal move that `color` means by `uci` as half-move `ply`. Raises as `move`."""
    if ply != len(game.plies):
        raise Stale
    if game.to_move is not color:
        raise NotYourTurn
    try:
        return parse_uci(game.position, uci)
    except RulesError as why:
        raise BadMove(why.id, **why.params) from why


def _pressed(game: Game, color: Color, lag_ms: int, now: int) -> tuple[Clock, int]:
    """The clock after the move, and the lag given back; the second half-move starts it. Raises FlagFell."""
    clock, given = game.clock.press(now, lag_ms, forgiving=game.is_flagged_by_hand)
    if not game.plies:
        clock = clock.pause_again(now)
    if len(game.plies) == 1:
        clock = clock.start(color.other, now)
    return clock, given


def _lapse(game: Game, mover: Color) -> tuple[tuple[Offer, ...], tuple[Event, ...]]:
    """A move cancels all offers but the mover's own of a draw or to stop the clocks, which need thought."""
    lasting = (OfferKind.DRAW, OfferKind.ADJOURN, OfferKind.PAUSE)
    kept = tuple(offer for offer in game.offers if offer.kind in lasting and offer.by is mover)
    return kept, lapsed(offer for offer in game.offers if offer not in kept)


def _followed(trees: tuple[MoveTree, MoveTree], uci: str) -> tuple[MoveTree, MoveTree]:
    """Both sides' conditional moves after that move."""
    return NO_MOVES if trees == NO_MOVES else (after_move(trees[0], uci), after_move(trees[1], uci))


def _expires(game: Game, now: int) -> int | None:
    """When (ms) an unstarted game expires after the move; an open one keeps its time, and in a tournament a quick first
    move takes none from the opponent, who may be on the way.
    """
    if game.plies:
        return None
    if game.status is Status.OPEN:
        return game.expires
    due = game.terms.first_move_due(game.to_move.other, now, both_met=game.both_met, unhurried=game.unhurried)
    return due if due is None or not game.tournament else max(due, game.expires or 0)


def _board_outcome(game: Game) -> Outcome | None:
    ending = outcome(game.position, seen=game.keys.times_seen())
    if ending is None and len(game.plies) >= MAX_PLIES:
        return Outcome(None, Reason.MOVE_RULE)
    return ending
