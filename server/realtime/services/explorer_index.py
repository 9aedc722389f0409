"""Counts finished games in the opening explorer, a few at a time beside everything else, and those of earlier releases.

It can stop anywhere and goes on where it stopped: the store counts each game once. Knows no position and no page.
"""

import asyncio
import logging
from typing import Final

from server.storage.errors import Unreadable
from server.storage.protocols.explorer import ExploredGame, explored_game
from server.storage.protocols.ratings import RatingChanges
from server.storage.stores import Store

log = logging.getLogger(__name__)

INDEX_EVERY_S: Final = 2.0
AT_ONCE: Final = 20
PAUSE_S: Final = 0.02
"""After each game, which takes some ms to replay: players come first. 100,000 old games take an hour or two."""


class ExplorerIndex:
    """Keeps the explorer of a store up to date. `pause_s`: after each game."""

    def __init__(self, store: Store, pause_s: float = PAUSE_S) -> None:
        self._store = store
        self._pause_s = pause_s
        self._unread: set[str] = set()
        """Games that could not be read: this process does not try them again."""

    async def step(self) -> None:
        """Counts all unexplored games but those that cannot be read. Raises Unavailable."""
        while games := await self._store.explorer.unexplored(AT_ONCE, self._unread):
            found = []
            for game_id in games:
                one = await _explored(self._store, game_id)
                if one is None:
                    self._unread.add(game_id)
                else:
                    found.append(one)
                await asyncio.sleep(self._pause_s)
            await self._store.explorer.take_in(found)


async def _explored(store: Store, game_id: str) -> ExploredGame | None:
    """What the game adds; None if it is damaged or was just deleted."""
    try:
        game = await store.load(game_id)
    except Unreadable as error:
        log.info("the explorer leaves out a game: %s", error)
        return None
    if game is None:
        return None
    changes: RatingChanges = await store.ratings.changes(game_id) if game.terms.rated else {}
    return explored_game(game, changes)
