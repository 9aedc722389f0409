"""What all messages share: each is one JSON object in one text frame, with its type in the tag `t`.

Unknown tags, unknown keys and wrong types are refused. Times are milliseconds; the browser sends none. `v` numbers the
events of a game without gaps within an `epoch`; a client that reconnects names both and gets what it missed.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from server.games.clocks.time_control import ClockKind, TimeControl
from server.rules.variant.pieces import Color

PROTOCOL = 1

Side = Literal["white", "black"]
Room = Literal["players", "watchers"]
OfferKind = Literal["draw", "takeback", "rematch", "adjourn", "pause"]
RequestId = Annotated[int, Field(ge=0, le=2**31)]
TreeStep = Annotated[str, Field(min_length=2, max_length=12)] | Annotated[int, Field(ge=1, le=100)]
"""A move in UCI, or how many half-moves to take back."""
GameId = Annotated[str, Field(pattern=r"^[0-9A-Za-z]{10}$")]


def side(color: Color) -> Side:
    """The wire word for `color`."""
    return "white" if color is Color.WHITE else "black"


def clock_text(control: TimeControl) -> str:
    """ "300+3": seconds at the start and a move; "3d": days a move; "10+1/30d": a time bank, up to 30 days.

    Without a clock it is "".
    """
    if control.kind is ClockKind.UNLIMITED:
        return ""
    if control.bank_days is not None:
        return "{}+{}/{}d".format(*control.bank_days)
    if control.by_days:
        return f"{control.days}d"
    return f"{control.initial_ms[0] // 1000}+{control.increment_ms[0] // 1000}"


def _number(value: Any) -> Any:
    """For Python, `true` is equal to 1."""
    if isinstance(value, bool):
        raise ValueError("1 is meant, not true")
    return value


Yes = Annotated[Literal[1], BeforeValidator(_number)]
"""A mark of what a browser sends; what is not so is left out."""


class Message(BaseModel):
    """What reads or writes a message is made with the first such message: many are only parts of others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class PlayerRating(Message):
    """A player's rating in this category when the game began. `change`: how the game changed it."""

    rating: int
    provisional: bool
    change: int | None = None
