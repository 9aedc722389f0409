"""What somebody can choose, each with its default, and how that is written: as one short text in the account or in a
cookie, and as attributes of the page. Knows no request.

Which boards and pieces there are follows from what the server can draw, so that a new one can be chosen as soon as it
can be drawn. The client reads the attributes by the names of these fields (static/js/ui/preferences.js).
"""

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Final, Literal, get_args

from markupsafe import Markup
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from server.pictures.theme import BOARDS, USUAL_BOARD, USUAL_SET, PieceSetName

Switch = Literal["on", "off"]
LETTERS: Final = "letters"
"""The set that needs no drawings."""
DRAWN_SETS: Final[tuple[str, ...]] = get_args(PieceSetName)
PIECE_SETS: Final = (*DRAWN_SETS, LETTERS)


def one_of(names: Collection[str]) -> AfterValidator:
    """Lets a field have one of these names only."""

    def known(name: str) -> str:
        if name not in names:
            raise ValueError(f"choose one of {', '.join(names)}")
        return name

    return AfterValidator(known)


class Preferences(BaseModel):
    """`size`: the board's, in per cent of what fits. `volume`: in per cent. `language`: "" for the browser's."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    theme: Literal["system", "light", "dark"] = "system"
    contrast: Literal["usual", "more"] = "usual"
    board: Annotated[str, one_of(BOARDS)] = USUAL_BOARD
    pieces: Annotated[str, one_of(PIECE_SETS)] = USUAL_SET
    letters: Switch = "off"
    size: Annotated[int, Field(ge=50, le=100, multiple_of=5)] = 100
    coordinates: Literal["inside", "beside", "off"] = "inside"
    animation: Literal["off", "quick", "slow"] = "quick"
    targets: Switch = "on"
    confirm: Literal["days", "always", "never"] = "days"
    premove: Switch = "on"
    zen: Switch = "off"
    sound: Switch = "on"
    volume: Annotated[int, Field(ge=10, le=100, multiple_of=10)] = 100
    sound_move: Switch = "on"
    sound_capture: Switch = "on"
    sound_check: Switch = "on"
    sound_join: Switch = "on"
    sound_start: Switch = "on"
    sound_low: Switch = "on"
    sound_end: Switch = "on"
    sound_chat: Switch = "on"
    sound_offer: Switch = "on"
    sound_pairing: Switch = "on"
    sound_turn: Switch = "on"
    language: Annotated[str, Field(pattern=r"^[0-9A-Za-z-]{0,20}$")] = ""


USUAL: Final = Preferences()
SWITCHES: Final = tuple(
    name for name, field in Preferences.model_fields.items() if get_args(field.annotation) == get_args(Switch)
)
SOUNDS: Final = tuple(name for name in SWITCHES if name.startswith("sound_"))
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "board": tuple(BOARDS),
    "pieces": PIECE_SETS,
    **{
        name: get_args(field.annotation)
        for name, field in Preferences.model_fields.items()
        if name not in SWITCHES and get_args(field.annotation)
    },
}
"""What each field that has several values can be."""

WRITTEN: Final = "1"
"""What each text begins with, so that somebody who has chosen the defaults has chosen."""
LONGEST: Final = 1_000


def changed(before: Preferences, given: Mapping[str, str]) -> Preferences:
    """`before` with the given fields as texts. Raises ValidationError for an unknown field or value."""
    return Preferences.model_validate({**before.model_dump(), **given})


def written(preferences: Preferences) -> str:
    """What differs from the defaults, as one text of letters, digits and `:|_-`."""
    return "|".join((WRITTEN, *(f"{name}:{value}" for name, value in _chosen(preferences).items())))


def read(text: str) -> Preferences:
    """The preferences of a text. What this release does not know, or cannot be, is as if it had not been chosen."""
    pairs = (pair.partition(":") for pair in text[:LONGEST].split("|"))
    chosen: dict[str, Any] = {name: value for name, _, value in pairs if name in Preferences.model_fields}
    try:
        return Preferences.model_validate(chosen)
    except ValidationError as error:
        wrong = {problem["loc"][0] for problem in error.errors(include_url=False)}
        return Preferences.model_validate({name: value for name, value in chosen.items() if name not in wrong})


def attributes(preferences: Preferences) -> Markup:
    """What is written into the page's first tag, so that its first picture is right: ` data-board="slate"` …"""
    shown = {name: value for name, value in _chosen(preferences).items() if name != "language"}
    return Markup("").join(Markup(' data-{}="{}"').format(name, value) for name, value in shown.items())


def _chosen(preferences: Preferences) -> Mapping[str, str | int]:
    return preferences.model_dump(exclude_defaults=True)
