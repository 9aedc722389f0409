"""From what somebody asked for to the terms of a game, or a sentence why not. Stores nothing, knows no session."""

import random
import secrets
from collections.abc import Mapping
from typing import assert_never

from server.games.clock import ClockKind, TimeControl
from server.games.terms import Terms
from server.rules.endings import outcome
from server.rules.errors import IllegalMove, InvalidFen, InvalidMove
from server.rules.movegen.legal import king_can_be_taken
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, parse_fen, start_position
from server.rules.notation.uci import format_uci, parse_uci
from server.rules.shuffle import shuffled_fen
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.web.forms.forms import Correspondence, NewGame, Realtime, Unlimited
from server.web.rendering.problems import Problem


def terms_of(form: NewGame, variants: Mapping[str, Variant]) -> Terms:
    """The terms asked for, checked. Raises Problem (400) with a sentence."""
    variant = variants.get(form.variant)
    if variant is None:
        raise Problem(400, "unknown_variant", f"There is no such variant here; there are {', '.join(variants)}.")
    if form.chess960 and not variant.chess960:
        raise Problem(400, "no_chess960", f"{variant.name} has no shuffled form.")
    control = control_of(form.clock)
    if form.rated:
        check_rated(form, control)
    return Terms(variant, form.chess960, format_fen(first_position(form, variant)), control, form.rated)


def check_rated(form: NewGame, control: TimeControl) -> None:
    """Raises Problem for a game that would not be an equal one."""
    if control.kind is ClockKind.UNLIMITED:
        raise Problem(400, "rated_clock", "A rated game needs a clock.")
    if control.has_odds:
        raise Problem(400, "rated_odds", "In a rated game both sides have the same time.")
    if form.fen is not None:
        raise Problem(400, "rated_start", "A rated game begins with the usual position of its variant.")


def control_of(clock: Realtime | Correspondence | Unlimited) -> TimeControl:
    """Raises Problem for a time control that nobody may ask for."""
    match clock:
        case Realtime():
            control = TimeControl.realtime(
                clock.initial * 1000,
                clock.increment * 1000,
                None if clock.black_initial is None else clock.black_initial * 1000,
                None if clock.black_increment is None else clock.black_increment * 1000,
            )
        case Correspondence(days=days):
            control = TimeControl.correspondence(days)
        case Unlimited():
            control = TimeControl.unlimited()
        case _:
            assert_never(clock)
    try:
        control.validate()
    except ValueError as error:
        raise Problem(400, "bad_clock", str(error)) from None
    return control


def first_position(form: NewGame, variant: Variant) -> Position:
    """Where the game begins: as asked, drawn by lot for a shuffled form, or the variant's own start."""
    if form.fen is None:
        if form.chess960:
            return parse_fen(variant, shuffled_fen(variant, random.SystemRandom()), chess960=True)
        return start_position(variant)
    try:
        position = parse_fen(variant, form.fen, form.chess960)
    except InvalidFen as error:
        raise Problem(400, "bad_fen", f"The position cannot be played: {error}") from None
    if king_can_be_taken(position):
        raise Problem(400, "bad_fen", "This position cannot be played: the side that has just moved is in check.")
    if outcome(position) is not None:
        raise Problem(400, "bad_fen", "This position cannot be played: the game would be over at once.")
    return position


def color_of(form: NewGame) -> Color:
    """The creator's color; drawn by lot unless they chose."""
    match form.color:
        case "white":
            return Color.WHITE
        case "black":
            return Color.BLACK
        case "random":
            return secrets.choice((Color.WHITE, Color.BLACK))
        case _:
            assert_never(form.color)


def first_move(form: NewGame, terms: Terms, color: Color) -> str | None:
    """The creator's first move in UCI, if there is one. Raises Problem unless it is their turn and it is legal."""
    if form.move is None:
        return None
    position = parse_fen(terms.variant, terms.start_fen, terms.chess960)
    if position.turn is not color:
        raise Problem(400, "not_your_turn", "You can make the first move only for the side to move.")
    try:
        return format_uci(position, parse_uci(position, form.move))
    except (InvalidMove, IllegalMove) as error:
        raise Problem(400, "illegal", str(error)) from None
