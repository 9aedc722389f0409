"""What all wire messages share: one JSON object in one text frame, told apart by its tag `t`. No logic.

Unknown tags, unknown keys and wrong types are refused. Times are milliseconds; the browser sends none. `v` numbers the
events of one game without gaps within one `epoch`; a client that comes back names both and gets what it missed.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

PROTOCOL = 1

Side = Literal["white", "black"]
Room = Literal["players", "watchers"]
OfferKind = Literal["draw", "takeback", "rematch", "adjourn"]
RequestId = Annotated[int, Field(ge=0, le=2**31)]
GameId = Annotated[str, Field(pattern=r"^[0-9A-Za-z]{10}$")]


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PlayerRating(Message):
    """A player's rating in games of this kind when the game began; `change`: by how much the game has moved it."""

    rating: int
    provisional: bool
    change: int | None = None
