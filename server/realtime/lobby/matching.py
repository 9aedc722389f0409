"""Brings two people of the lobby to one game: of seeks that suit each other, or of one that somebody takes.

The store decides between processes who takes a seek. Every method is called within a turn of the lobby's queue.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

from server.games.errors import BadTerms, Gone
from server.games.seeks.seek import Pairing, Seek, Seeker, is_answered, seats
from server.realtime.lobby.lobby_queue import Turn
from server.realtime.lobby.new_games import NewGames
from server.realtime.lobby.open_seeks import OpenSeeks
from server.realtime.lobby.pairing import choose_pairing
from server.realtime.lobby.seek_leases import SeekLeases
from server.realtime.process.bus import SeeksChanged
from server.realtime.process.meeting import are_apart
from server.realtime.process.services import Services
from server.rules.errors import InvalidFen
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant

log = logging.getLogger(__name__)


class Matching:
    """`tell_paired` is called with a seek and the people of its game; `look` reads the open seeks again."""

    def __init__(
        self,
        services: Services,
        variants: Mapping[str, Variant],
        seeks: OpenSeeks,
        leases: SeekLeases,
        tell_paired: Callable[..., None],
        look: Callable[[], Awaitable[None]],
    ) -> None:
        self._services = services
        self._variants = variants
        self._seeks = seeks
        self._leases = leases
        self._tell_paired = tell_paired
        self._look = look
        self._new_games = NewGames(services, variants)

    async def pair(
        self, turn: Turn, seek: Seek, taker: Seeker, variants: Sequence[str], color: Color | None, *sought: Seek
    ) -> str:
        """The id of the game in which `taker`, who may have `sought` it, plays against the maker.

        Raises Gone, NotAllowed, Unavailable.
        """
        self._services.playbans.check_both(seek.maker.player, taker.player, self._services.now())
        if await are_apart(self._services, seek.maker.player.id, taker.player.id):
            raise Gone("opponent_gone")
        pairing = choose_pairing(seek, taker.player, variants, color, tuple(self._variants))
        known = {other.id for other in self._seeks if is_answered(other, seek, taker.player)}
        beyond = 0 if seek.waits_for_days else self._leases.beyond
        if not await self._services.store.seeks.take(seek.id, pairing, known, beyond):
            await self._look()
            # Another process may have made the very game of this pairing before the store could answer here.
            made = await self._services.store.load(seek.game)
            if made is None or made.color_of(taker.player.id) is None:
                raise Gone("seek_taken")
            return seek.game
        self._services.unstarted.note(seek.game, (seek, *sought))
        await self._make(seek, pairing, turn.player)
        self._services.bus.tell(SeeksChanged())
        return seek.game

    async def _make(self, seek: Seek, pairing: Pairing, asking: str | None = None) -> None:
        """Makes the game of a seek that was taken; doing it twice makes one game."""
        self._seeks.drop(seek.id)
        await self._new_games.make(seek, pairing, asking)
        self._tell_paired(seek, *seats(seek, pairing))
        # The store let go of those that it knew of when the seek was taken; if that was long ago, more have come since.
        for other in self._seeks:
            if is_answered(other, seek, pairing.taker):
                self._seeks.drop(other.id)
                await self._services.store.seeks.withdraw(other.id, other.maker.player.id)
        # Last: until then a crash leaves it to be done again.
        await self._services.store.seeks.remove(seek.id)

    async def make_up(self) -> None:
        """Makes the games of seeks whose taker's process died, or lost the store, before it could."""
        for seek, pairing in await self._services.store.seeks.taken():
            if pairing.variant not in self._variants:
                continue
            if seek.game not in self._services.unstarted:
                self._services.unstarted.note(seek.game, (seek,))
            try:
                await self._make(seek, pairing)
            except (InvalidFen, BadTerms, ValueError):
                # The host's own variant may have changed while the server was down; nobody else has to wait for it.
                log.exception("the game %s of a seek cannot be made", seek.game)
                await self._services.store.seeks.remove(seek.id)

    async def match(self, fresh: Seek, turn: Turn) -> str | None:
        """The game of `fresh` and one that suits and stands beside it, as one of the two was away or came elsewhere.

        It is always the older one that is taken, so two processes that see this do the same. Raises Unavailable.
        """
        now = self._services.now()
        suiting = list(self._seeks.compatible_with(fresh, now))
        for other in suiting:
            if self._seeks.is_waiting(fresh.id) and self._seeks.is_waiting(other.id):
                older, younger = sorted((other, fresh), key=lambda seek: (seek.created, seek.id))
                # What was known of them was not up to date, or the game of one is being made: they are compared again.
                with suppress(Gone):
                    return await self.pair(turn, older, younger.maker, younger.variants, younger.color, younger)
        if not suiting and not self._seeks.may_suit_later(fresh, now):
            self._seeks.compared(fresh.id)
        return None
