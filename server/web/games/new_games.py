"""Turns what somebody asked for into the terms of a game, or refuses it. Stores nothing, knows no session."""

import random
import secrets
from collections.abc import Mapping
from typing import Annotated, Literal, Self, assert_never

from pydantic import Field, model_validator

from server.games.clocks.time_control import TimeControl
from server.games.player import LEVELS
from server.games.terms import Terms
from server.rules.endings import outcome
from server.rules.errors import InvalidFen
from server.rules.movegen.legal import king_can_be_taken
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, parse_fen, shuffled_fen, start_position
from server.rules.notation.uci import parse_uci
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.web.forms import COLORS, Form
from server.web.rendering.problems import Problem


class Realtime(Form):
    """Seconds on each clock, and seconds added after each move. Black can get a different amount of either."""

    kind: Literal["realtime"]
    initial: Annotated[int, Field(ge=0, le=10_800)]
    increment: Annotated[int, Field(ge=0, le=180)]
    black_initial: Annotated[int, Field(ge=0, le=10_800)] | None = None
    black_increment: Annotated[int, Field(ge=0, le=180)] | None = None


class Correspondence(Form):
    """Days per move."""

    kind: Literal["correspondence"]
    days: Annotated[int, Field(ge=1, le=14)]


class Bank(Form):
    """A time bank: days at the start, days after each own move, and the most days that it holds."""

    kind: Literal["bank"]
    initial: Annotated[int, Field(ge=1, le=60)]
    increment: Annotated[int, Field(ge=1, le=60)]
    cap: Annotated[int, Field(ge=1, le=60)]


class Unlimited(Form):
    kind: Literal["unlimited"]


class NewGame(Form):
    """A game against whoever opens the link or, for `others`, between two people who open a link each.

    `move`: the creator's first move, if they play and it is their turn. `to`: the name of the only possible opponent.
    `between`: the names of the only others, of whom the first has the colour. `computer`: the level of the computer, if
    that is the opponent.
    """

    variant: Annotated[str, Field(min_length=1, max_length=40)]
    chess960: bool = False
    color: Literal["white", "black", "random"] = "random"
    clock: Annotated[Realtime | Correspondence | Bank | Unlimited, Field(discriminator="kind")]
    rated: bool = False
    fen: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    move: Annotated[str, Field(min_length=2, max_length=12)] | None = None
    players: Literal["me", "others"] = "me"
    to: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    between: (
        Annotated[list[Annotated[str, Field(min_length=1, max_length=40)]], Field(min_length=2, max_length=2)] | None
    ) = None
    computer: Annotated[int, Field(ge=1, le=LEVELS)] | None = None

    @model_validator(mode="after")
    def _computer_plays_the_creator(self) -> Self:
        if self.computer is not None and (self.players == "others" or self.to is not None or self.move is not None):
            raise ValueError("the computer plays against you, and the first move is made at the board")
        return self

    @model_validator(mode="after")
    def _nobody_moves_for_others(self) -> Self:
        if self.players == "others" and (self.move is not None or self.to is not None):
            raise ValueError("whoever does not play makes no move and challenges nobody")
        if self.players == "others" and self.between is None and self.color != "random":
            raise ValueError("whoever does not play chooses no colour")
        if self.players == "me" and self.between is not None:
            raise ValueError("a game between two others is for `others`")
        return self


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
