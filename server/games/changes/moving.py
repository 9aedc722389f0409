"""Playing a move: whose turn it is, whether it is legal, what it does to clock and offers, whether it ends the game.

Endings on the board (mate, stalemate, bare king, repetition, move rule, insufficient material) end the game at once:
nobody has to claim them.
"""

from sys import intern

from server.games.changes.ending import end, flag_fell, lapsed
from server.games.clocks.clock import Clock, FlagFell
from server.games.conditional import NO_MOVES, MoveTree, after_move
from server.games.errors import AlreadyPlayed, BadMove, NotYourTurn, Stale
from server.games.events import Event, Moved, Transition
from server.games.frozen import replace
from server.games.state import Game, Offer, OfferKind, Ply
from server.games.status import Status
from server.rules.endings import Outcome, Reason, outcome
from server.rules.errors import RulesError
from server.rules.movegen.making import play_trusted
from server.rules.movegen.moves import Move
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.variant.pieces import Color

MAX_PLIES = 2_000
"""A game this long is drawn as by the move rule, so a stored game stays small where no rule would end it."""


def refuse_repeat(game: Game, color: Color, uci: str, ply: int) -> None:
    """Raises AlreadyPlayed if `color` already played exactly this move at `ply`, whatever the status is now."""
    if 0 <= ply < len(game.plies) and game.plies[ply].uci == uci and game.mover_of(ply) is color:
        raise AlreadyPlayed


def move(game: Game, color: Color, uci: str, ply: int, lag_ms: int, now: int) -> Transition:
    """Plays `uci` as half-move `ply`, received at `now` (ms). If the mover is out of time the game ends instead.

    Raises Stale, NotYourTurn, BadMove.
    """
    chosen = _chosen(game, color, uci, ply)
    try:
        clock, given = _pressed(game, color, lag_ms, now)
    except FlagFell:
        return flag_fell(game, now)
    position = play_trusted(game.position, chosen)
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
        keys=game.keys.appended(position.key),
        clock=clock,
        offers=offers,
        conditional=_followed(game.conditional, played.uci),
        expires=_expires(game, now),
    )
    moved = Moved(color, ply, played.uci, played.san, given, position)
    ending = _board_outcome(game)
    if ending is None:
        return game, (moved, *closed)
    game, last = end(game, ending, now)
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
    """When (ms) an unstarted game expires after the move; an open one keeps its time."""
    if game.plies:
        return None
    if game.status is Status.OPEN:
        return game.expires
    return game.terms.first_move_due(game.to_move.other, now, both_met=game.both_met, unhurried=game.unhurried)


def _board_outcome(game: Game) -> Outcome | None:
    ending = outcome(game.position, seen=game.keys.times_seen())
    if ending is None and len(game.plies) >= MAX_PLIES:
        return Outcome(None, Reason.MOVE_RULE)
    return ending
