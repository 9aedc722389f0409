"""Turns what somebody asked for into the terms of a game, or refuses it. Stores nothing, knows no session."""

import random
import secrets
from collections.abc import Mapping
from typing import assert_never

from server.games.clocks.time_control import TimeControl
from server.games.terms import Terms
from server.rules.endings import outcome
from server.rules.errors import InvalidFen
from server.rules.movegen.legal import king_can_be_taken
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, parse_fen, start_position
from server.rules.notation.uci import parse_uci
from server.rules.shuffle import shuffled_fen
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.web.forms.forms import COLORS, Bank, Correspondence, NewGame, Realtime, Unlimited
from server.web.rendering.problems import Problem


def terms_of(form: NewGame, variants: Mapping[str, Variant]) -> Terms:
    """The terms asked for, checked. Raises Problem (400), BadTerms, InvalidFen."""
    variant = variants.get(form.variant)
    if variant is None:
        raise Problem(400, "unknown_variant")
    if form.chess960 and not variant.chess960:
        raise Problem(400, "no_chess960")
    control = control_of(form.clock)
    terms = Terms(variant, form.chess960, format_fen(first_position(form, variant)), control, form.rated)
    if form.rated:
        terms.check_rated()
    return terms


def control_of(clock: Realtime | Correspondence | Bank | Unlimited) -> TimeControl:
    """The time control asked for. Raises BadClock if it is not allowed."""
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
        case Bank():
            control = TimeControl.bank(clock.initial, clock.increment, clock.cap)
        case Unlimited():
            control = TimeControl.unlimited()
        case _:
            assert_never(clock)
    control.validate()
    return control


def first_position(form: NewGame, variant: Variant) -> Position:
    """The first position of the game: as asked, random for a shuffled form, or the variant's own start.

    Raises InvalidFen.
    """
    if form.fen is None:
        if form.chess960:
            return parse_fen(variant, shuffled_fen(variant, random.SystemRandom()), chess960=True)
        return start_position(variant)
    position = parse_fen(variant, form.fen, form.chess960)
    if king_can_be_taken(position):
        raise InvalidFen("check")
    if outcome(position) is not None:
        raise InvalidFen("over")
    return position


def color_of(form: NewGame) -> Color:
    """The creator's color; random unless they chose."""
    return COLORS.get(form.color) or secrets.choice(tuple(Color))


def first_move(form: NewGame, terms: Terms, color: Color) -> str | None:
    """The creator's first move in UCI, if there is one. Raises Problem if it is not their turn, RulesError."""
    if form.move is None:
        return None
    position = parse_fen(terms.variant, terms.start_fen, terms.chess960)
    if position.turn is not color:
        raise Problem(400, "first_move_of_other_side", code="not_your_turn")
    return parse_uci(position, form.move).uci
