"""Taking back moves by agreement.

The clocks keep their times, and a move that replaces one earns no increment: nobody makes time out of takebacks. Old
positions are not kept, so the game is replayed from its start: takebacks are rare.
"""

from server.games.append_only import AppendOnlySequence
from server.games.clocks.time_control import PerSide
from server.games.conditional import NO_MOVES
from server.games.frozen import replace
from server.games.state import Game
from server.rules.movegen.making import play_trusted
from server.rules.movegen.position import Position
from server.rules.notation.fen import parse_fen
from server.rules.notation.uci import parse_uci_trusted
from server.rules.variant.pieces import Color


def plies_to_take_back(game: Game, color: Color) -> int | None:
    """How many half-moves to undo so that `color` can replace its last move; None if it has not moved."""
    count = 2 if game.to_move is color else 1
    return count if count <= len(game.plies) else None


def after_takeback(game: Game, color: Color, now: int) -> Game:
    """The game with `color`'s last move undone, its turn beginning at `now` (ms). Raises ValueError if it has none."""
    count = plies_to_take_back(game, color)
    if count is None:
        raise ValueError("no move to take back")
    plies = game.plies[:-count]
    clock = game.clock.takeback(color, now)
    waits = len(plies) < 2 and clock.turn is None
    met, unhurried = game.both_met, game.unhurried
    due = game.terms.first_move_due(color, now, both_met=met, unhurried=unhurried) if waits else None
    limits = game.offer_limits
    drawn: PerSide = (min(limits.draw_ply[0], len(plies)), min(limits.draw_ply[1], len(plies)))
    taken: PerSide = (0, limits.takebacks[1]) if color is Color.WHITE else (limits.takebacks[0], 0)
    return replace(
        game,
        position=position_after(game, len(plies)),
        plies=AppendOnlySequence(plies),
        keys=game.keys.without_last(count),
        clock=clock.pause_again(now) if waits else clock,
        expires=due,
        conditional=NO_MOVES,
        pause_ended=None,
        offer_limits=replace(limits, draw_ply=drawn, takebacks=taken),
    )


def position_after(game: Game, count: int) -> Position:
    """The position after the first `count` half-moves of the game; each takes a tenth of a millisecond."""
    terms = game.terms
    position = parse_fen(terms.variant, terms.start_fen, chess960=terms.chess960)
    for ply in game.plies[:count]:
        position = play_trusted(position, parse_uci_trusted(position, ply.uci))
    return position
