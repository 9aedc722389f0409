"""Checks a whole game that was stored, and may have been damaged, or imported: its moves against the rules, and its
seats, status, times and ending against each other.
"""

from collections import Counter
from collections.abc import Hashable

from server.games.clocks.time_control import for_color
from server.games.conditional import is_complete
from server.games.player import LEVELS
from server.games.reminders import SHARES, TIME_IS_UP
from server.games.state import Game
from server.games.status import Status
from server.rules.endings import Outcome, Reason, outcome
from server.rules.errors import RulesError
from server.rules.movegen.legal import repetition_key
from server.rules.movegen.making import play_trusted
from server.rules.notation.fen import parse_fen
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.variant.pieces import Color

FORCED = frozenset(
    (
        *(Reason.CHECKMATE, Reason.STALEMATE, Reason.BARE_KING),
        *(Reason.GOAL, Reason.CHECKS, Reason.EXTINCTION, Reason.EXPLOSION),
    )
)
"""Endings that end a game everywhere; on other sites the rest have to be claimed."""
SEEN_ON_THE_BOARD = FORCED | {Reason.REPETITION, Reason.MOVE_RULE}
"""Endings that the last position shows. Not insufficient material: it may be one side's when the other flags."""


class Misjudged(Exception):
    """The game contradicts the rules; the message says how."""


def judge_game(game: Game) -> None:
    """Replays all moves. Raises Misjudged if a move is illegal, its SAN is wrong, or the game ends otherwise."""
    terms = game.terms
    position = parse_fen(terms.variant, terms.start_fen, chess960=terms.chess960)
    seen: Counter[Hashable] = Counter([repetition_key(position)])
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
        seen[repetition_key(position)] += 1
        end = outcome(position, seen[repetition_key(position)])
    if game.plies:
        _judge_end(game, end)


def _judge_end(game: Game, end: Outcome | None) -> None:
    """`end`: the outcome on the board in the last position."""
    told = game.outcome if game.status is Status.OVER else None
    if end is not None and (game.import_source is None or end.reason in FORCED) and told != end:
        raise Misjudged(f"Game {game.id} does not end by {end.reason}, though its last position does.")
    if game.import_source is None and end is None and told is not None and told.reason in SEEN_ON_THE_BOARD:
        raise Misjudged(f"Game {game.id} ends by {told.reason}, which its last position does not show.")


def check_consistent(game: Game) -> None:
    """Raises ValueError saying what is inconsistent, or BadClock."""
    game.terms.control.validate()
    _check(game.rev >= 0, "its revision is below 0")
    _check((game.status is Status.OVER) == (game.outcome is not None), "its status and its outcome disagree")
    _check((game.status is Status.OVER) == (game.ended is not None), "its status and the time of its end disagree")
    _check((game.status is Status.ADJOURNED) == (game.adjourned is not None), "its status and its adjournment disagree")
    is_aborted = game.outcome is not None and game.outcome.reason == "abort"
    _check(game.aborted_by is None or is_aborted, "a side aborted it, and it ended otherwise")
    cap = game.terms.control.cap_ms
    _check(cap is None or max(game.clock.left_ms) <= cap, "its clock holds more than it may")
    _check(game.clock.reminded in (0, *SHARES, TIME_IS_UP), "there is no such reminder")
    _check(game.terms.control.by_days or not any(game.flags_by_hand), "it is flagged by hand, and not correspondence")
    _check(game.proposer is None or game.status is Status.OPEN, "it waits for nobody, and is still proposed")
    _check_conditional(game)
    _check_away(game)
    _check_computer(game)
    if game.status is not Status.OVER:
        _check_seats(game)
        _check(game.clock.turn in (None, game.to_move), "the clock runs for the side that is not to move")
        _check(game.import_source is None, "it came from a file, and goes on")


def _check_conditional(game: Game) -> None:
    """Checks only the shape of its conditional moves: an illegal one is dropped when it would be played."""
    for color in Color:
        tree = for_color(game.conditional, color)
        played = game.status in (Status.LIVE, Status.ADJOURNED)
        _check(not tree or played, "it is not being played, and has conditional moves")
        _check(not tree or is_complete(tree, own=color is game.to_move), "a conditional move has not one answer")


def _check_away(game: Game) -> None:
    if game.on_vacation:
        _check(game.terms.control.by_days, "somebody is on vacation, and it is not correspondence")
        _check(game.status in (Status.LIVE, Status.ADJOURNED), "somebody is on vacation, and it is not being played")
        _check(game.clock.paused_at is not None, "somebody is on vacation, and the clock runs")


def _check_computer(game: Game) -> None:
    levels = [player.level for player in game.players]
    _check(all(0 <= level <= LEVELS for level in levels), "the computer has no such level")
    if game.computer is not None:
        _check(0 in levels, "the computer plays against nobody")
        _check(not game.terms.rated, "it is rated, and played against the computer")
        _check(not game.terms.control.by_days, "it is correspondence, and played against the computer")


def _check_seats(game: Game) -> None:
    seats = (game.white, game.black)
    _check((game.status is Status.OPEN) == (None in seats), "its status and its seats disagree")
    invited = zip(seats, game.invites, strict=True)
    _check(
        all((player is None) != (invite is None) for player, invite in invited), "its seats and invitations disagree"
    )


def _check(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
