"""The games of seeks that were taken: each is made once, and published once by whoever made it. Knows no pages.

A seek stays taken until its game is made, so after a crash, or while the store gives no answers, the same game is made
again: by this process or by another.
"""

from collections.abc import Mapping
from typing import Final

from server.games.changes.beginning import both_here
from server.games.seeks.seek import Pairing, Seek
from server.games.state import Game
from server.realtime.lobby.pairing import game_of
from server.realtime.play.players.flagging_choices import with_chosen_flagging
from server.realtime.play.players.newcomers import has_newcomer
from server.realtime.process.bounded_dict import BoundedDict
from server.realtime.process.bus import game_stored
from server.realtime.process.domain_events import Paired
from server.realtime.process.services import Services
from server.rules.variant.variant import Variant
from server.storage.errors import Duplicate

MAX_UNCONFIRMED: Final = 1_000
"""Games that the store may or may not have, because its answer was lost."""


class NewGames:
    """Those of one process."""

    def __init__(self, services: Services, variants: Mapping[str, Variant]) -> None:
        self._services = services
        self._variants = variants
        self._unconfirmed: BoundedDict[str, tuple[Game, ...]] = BoundedDict(MAX_UNCONFIRMED)

    async def make(self, seek: Seek, pairing: Pairing, asking: str | None) -> None:
        """Doing it again changes nothing. `asking` (an id) gets the game as an answer, so they need not be told.

        Raises Unavailable; InvalidFen, BadTerms, ValueError for a variant that does not allow the game any more.
        """
        now = self._services.now()
        game = game_of(seek, pairing, self._variants[pairing.variant], now)
        # Both have just asked for it, so its first moves are due soon, whoever comes to the board.
        game, _ = both_here(game, now, unhurried=await has_newcomer(self._services.store.ratings, game))
        game = await with_chosen_flagging(game, self._services.store.accounts)
        first = await self._create(game)
        self._services.game_changed(game)
        self._services.bus.tell(game_stored(game))
        if first:
            # To play by the minute one has to be there, so pages of both show it.
            seated = () if seek.control.by_the_minute else (game.white, game.black)
            away = tuple(player for player in seated if player is not None and player.id != asking)
            self._services.events.publish(Paired(game, away))

    async def _create(self, game: Game) -> bool:
        """Has this process made it? False: another one has, and tells of it. Raises Unavailable."""
        earlier = self._unconfirmed.get(game.id, ())
        self._unconfirmed[game.id] = (*earlier, game)
        try:
            await self._services.store.create(game)
        except Duplicate:
            mine = bool(earlier) and await self._services.store.load(game.id) in earlier
        else:
            mine = True
        self._unconfirmed.pop(game.id, None)
        return mine
