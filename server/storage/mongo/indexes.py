"""Which indexes the collections have, all in one table. Knows no document."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pymongo import IndexModel

from server.storage.mongo.accounts import ALIKE
from server.storage.mongo.archive import UNFILED
from server.storage.mongo.explorer import UNEXPLORED
from server.storage.mongo.mail.outbox import UNTOLD
from server.storage.mongo.ratings import UNCOUNTED
from server.storage.protocols.archive import FACETS
from server.storage.record_kinds import IMPORTS

GAMES_OF_A_PLAYER: Final = ("white created-", "black created-", "white status created-", "black status created-")
INDEXES: Final[Mapping[str, Sequence[str]]] = {
    "accounts": ("user", "held_until", "bot", ALIKE),
    "addresses": ("owner",),
    "alerts": ("owner until", "until-"),
    "archive": (*(f"by_{name}" for name in FACETS), "key"),
    "challenges": ("player at-",),
    "chat": ("player", "game number-", UNTOLD),
    "counted": ("game", "player", "chart"),
    "devices": ("owner",),
    "explorer": ("position",),
    "games": (*GAMES_OF_A_PLAYER, "deadline", "remind_at", UNTOLD, UNFILED, UNEXPLORED, UNCOUNTED),
    "held": ("due", "game", "digest", "owner address"),
    IMPORTS.name: ("user at", "place at"),
    "lessons": ("owner",),
    "outbox": ("owner", "topic", "next_try"),
    "puzzle_standings": ("owner",),
    "puzzle_tries": ("owner", "puzzle"),
    "puzzles": ("variant chess960 rating",),
    "reports": ("owner", "about", "closed"),
    "scores": ("player", "opponent", "often"),
    "seeks": ("taker created",),
    "sessions": ("user", "seen", "created"),
    "standings": ("player", "board", "lively"),
    "studies": ("owner",),
    "study_chapters": ("study", "owner"),
    "ties": ("owner", "other", "kind"),
    "tokens": ("owner",),
    "vacations": ("owner", "settled"),
}
"""The fields of each index, those with a minus in descending order."""
OPTIONS: Final[Mapping[tuple[str, str], Mapping[str, bool]]] = {
    ("accounts", "user"): {"unique": True},
    ("chat", UNTOLD): {"sparse": True},
}


async def create_indexes(database: Any) -> None:
    """Creates those that are missing. Raises PyMongoError if stored values violate one."""
    for collection, indexes in INDEXES.items():
        models = [IndexModel(keys_of(index), **OPTIONS.get((collection, index), {})) for index in indexes]
        await database[collection].create_indexes(models)


def keys_of(index: str) -> list[tuple[str, int]]:
    """The fields of an index as the driver takes them: each with 1, or -1 if it descends."""
    return [(name.rstrip("-"), -1 if name.endswith("-") else 1) for name in index.split()]
