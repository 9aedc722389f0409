"""Replays a whole game and checks it against the rules."""

from collections import Counter
from collections.abc import Hashable

from server.games.state import Game
from server.games.status import Status
from server.rules.endings import Outcome, Reason, outcome
from server.rules.errors import RulesError
from server.rules.movegen.making import play_trusted
from server.rules.notation.fen import parse_fen
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci

FORCED = frozenset((Reason.CHECKMATE, Reason.STALEMATE, Reason.BARE_KING))
"""Endings that end a game everywhere; on other sites the rest have to be claimed."""
SEEN_ON_THE_BOARD = FORCED | {Reason.REPETITION, Reason.MOVE_RULE}
"""Endings that the last position shows. Not insufficient material: it may be one side's when the other flags."""


class Misjudged(Exception):
    """The game contradicts the rules; the message says how."""


def judge(game: Game) -> None:
    """Replays all moves. Raises Misjudged if a move is illegal, its SAN is wrong, or the game ends otherwise."""
    terms = game.terms
    position = parse_fen(terms.variant, terms.start_fen, chess960=terms.chess960)
    seen: Counter[Hashable] = Counter([position.key])
    end: Outcome | None = None
    for number, ply in enumerate(game.plies, start=1):
        if end is not None and (game.import_source is None or end.reason in FORCED):
            raise Misjudged(f"Game {game.id} goes on after {end.reason}, with ply {number}.")
        try:
            move = parse_uci(position, ply.uci)
        except RulesError as error:
            raise Misjudged(f"Game {game.id} has no legal ply {number}: {error}") from None
        after = play_trusted(position, move)
        if format_san(position, move, after) != ply.san:
            raise Misjudged(f"Game {game.id} writes ply {number} as {ply.san}.")
        position = after
        seen[position.key] += 1
        end = outcome(position, seen[position.key])
    if game.plies:
        _judge_end(game, end)


def _judge_end(game: Game, end: Outcome | None) -> None:
    """`end`: the outcome on the board in the last position."""
    told = game.outcome if game.status is Status.OVER else None
    if end is not None and (game.import_source is None or end.reason in FORCED) and told != end:
        raise Misjudged(f"Game {game.id} does not end by {end.reason}, though its last position does.")
    if game.import_source is None and end is None and told is not None and told.reason in SEEN_ON_THE_BOARD:
        raise Misjudged(f"Game {game.id} ends by {told.reason}, which its last position does not show.")
