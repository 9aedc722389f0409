"""What a mail about a game says of its chat: what the reader has not answered yet, of people whom they hear."""

from collections.abc import Sequence, Set
from typing import Final

from server.games.people.ties import TieKind
from server.games.player import Player
from server.storage.stores import ChatLine, Store

LINES_READ: Final = 20
"""Of the chat in a game."""
WORDS_SHOWN: Final = 3
"""Where they are not themselves the news."""


async def heard_in(store: Store, game_id: str, reader: Player, most: int = WORDS_SHOWN) -> list[str]:
    """What was said to `reader` in that game since they last spoke, the last `most` times. Raises Unavailable."""
    ties = await store.ties.of(reader.id)
    blocked = {tie.other.id for tie in ties if tie.kind is TieKind.BLOCKS}
    return heard_last(await store.chat(game_id, LINES_READ), reader, blocked, most)


def heard_last(
    lines: Sequence[ChatLine], reader: Player, blocked: Set[str] = frozenset(), most: int = WORDS_SHOWN
) -> list[str]:
    """What `lines`, oldest first, say to `reader` since they last spoke, the last `most` of it.

    `blocked`: the ids of those whom they do not hear.
    """
    said: list[str] = []
    for line in lines:
        if line.room == "players" and line.player not in blocked:
            said = [] if line.player == reader.id else [*said, line.text]
    return said[-most:]
