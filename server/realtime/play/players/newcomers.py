"""Whether a variant is new to somebody: they have never finished a game of it here, at any speed."""

import asyncio
import logging

from server.games.state import Game
from server.storage.errors import StoreError
from server.storage.protocols.ratings import RatingStore

log = logging.getLogger(__name__)


async def has_newcomer(store: RatingStore, game: Game) -> bool:
    """Is the variant new to a player of `game`?"""
    asked = (is_new_to(store, player.id, game.terms.variant.id) for player in game.players)
    return any(await asyncio.gather(*asked))


async def is_new_to(store: RatingStore, player: str, variant: str) -> bool:
    """If the store cannot say, the answer is yes: it only gives people more time, and offers them a lesson."""
    try:
        return all(perf.category.variant != variant for perf in await store.perfs(player))
    except StoreError as error:
        log.info("whether %s is new to %s cannot be told: %s", player, variant, error)
        return True
