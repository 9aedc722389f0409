"""Whether a variant is new to one of the players of a game."""

import asyncio
import logging

from server.games.state import Game
from server.storage.errors import StoreError
from server.storage.protocols.ratings import RatingStore

log = logging.getLogger(__name__)


async def has_newcomer(store: RatingStore, game: Game) -> bool:
    """Has a player of `game` never finished a game of its variant here, at any speed?

    If the store cannot say, the answer is yes: it only gives the players more time.
    """
    players = [player for player in (game.white, game.black) if player is not None]
    try:
        played = await asyncio.gather(*(store.perfs(player.id) for player in players))
    except StoreError as error:
        log.info("who is new to the variant of game %s cannot be told: %s", game.id, error)
        return True
    variant = game.terms.variant.id
    return any(all(perf.category.variant != variant for perf in perfs) for perfs in played)
