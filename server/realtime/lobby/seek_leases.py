"""Who can be paired: a real-time seek can be taken while a page of its maker answers, and is kept for another minute.

The lease of a seek, which says how long it stays open, is in the store, so every process can tell from it alone whether
the maker is there: if so, more than GRACE_MS are left. Each process renews the leases of the people whose pages it
serves. When somebody's last page closes, or stops answering, it cuts their leases, and nobody can take their seeks
until they are back. A process that dies renews nothing, so its people are soon gone, too. A correspondence seek needs
nobody.
"""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

from server.games.player import Player
from server.games.seeks.seek import Seek, is_of
from server.realtime.lobby.open_seeks import OpenSeeks
from server.realtime.process.bus import SeeksChanged
from server.realtime.process.services import Services
from server.realtime.protocol.feed import Subscribers
from server.storage.errors import StoreError
from server.storage.protocols.seeks import LeasedSeek

GRACE_MS: Final = 60_000
"""How long a seek is kept, hidden, for a maker who has gone."""
LEASE_MS: Final = GRACE_MS + 60_000
RENEW_EVERY_MS: Final = 20_000
JUST_ASKED_MS: Final = 15_000
"""Whoever asks is there, and a page of theirs is expected within this time. Also for programs without a page."""


class SeekLeases:
    """The leases of `seeks`, in the store, by who has one of `pages` open."""

    def __init__(self, services: Services, pages: Subscribers, seeks: OpenSeeks) -> None:
        self._services = services
        self._pages = pages
        self._seeks = seeks
        self._cut: set[str] = set()
        """The people whose leases have yet to be cut in the store."""

    @property
    def beyond(self) -> int:
        """A lease that ends later than this (ms) is that of somebody who is there."""
        return self._services.now() + GRACE_MS

    def first(self, seek: Seek) -> int:
        """Until when (ms) a new seek by the minute stands."""
        return self._services.now() + (LEASE_MS if self._is_here(seek) else GRACE_MS + JUST_ASKED_MS)

    def waits(self, standing: LeasedSeek) -> bool:
        """Is its maker there? Whoever has a page that answers here is, whatever the store has heard so far."""
        seek = standing.seek
        leased = standing.until > self.beyond and seek.maker.player.id not in self._cut
        return seek.waits_for_days or leased or self._is_here(seek)

    def _is_here(self, seek: Seek) -> bool:
        return self._pages.answers(seek.maker.player.id)

    def _by_the_minute(self) -> Iterator[Seek]:
        return (seek for seek in self._seeks if not seek.waits_for_days)

    def came(self, player: Player) -> bool:
        """They open a page, or one of theirs answers again: their seeks can be taken again. Was any hidden?

        The store, and with it all processes, learns of it by `renew`.
        """
        self._cut.discard(player.id)
        back = [seek for seek in self._by_the_minute() if is_of(seek, player) and not self._seeks.is_waiting(seek.id)]
        for seek in back:
            self._seeks.add(seek)
        return bool(back)

    async def left(self, player: Player) -> None:
        """A page of theirs is closed, or silent; if no other one answers, nobody can take their seeks."""
        theirs = [seek for seek in self._by_the_minute() if is_of(seek, player)]
        if not theirs or self._pages.answers(player.id):
            return
        self._cut.add(player.id)
        for seek in theirs:
            self._seeks.add(seek, visible=False)
        with suppress(StoreError):
            await self.cut()

    async def cut(self) -> None:
        """Cuts the leases of all who have left, as far as the store could not do so yet. Raises Unavailable."""
        for maker in tuple(self._cut):
            await self._services.store.seeks.shorten(maker, self.beyond)
            self._cut.discard(maker)
            self._services.bus.tell(SeeksChanged())

    async def recover(self) -> None:
        """Prolongs all leases at the start: nobody could be here while the server was down. Raises Unavailable."""
        makers = {seek.maker.player.id for seek in self._by_the_minute()}
        await asyncio.gather(*(self._services.store.seeks.prolong(maker, self.beyond) for maker in makers))
        if self._services.bus.alone:
            # Nobody has a page open anywhere.
            self._cut |= makers
            await self.cut()

    async def renew(self, stored: Iterable[LeasedSeek]) -> None:
        """Prolongs the leases of those of `stored` whose maker is here. Raises Unavailable."""
        now = self._services.now()
        due = now + LEASE_MS - RENEW_EVERY_MS
        late = {one.seek.maker.player.id for one in stored if one.until < due and not one.seek.waits_for_days}
        if late := {maker for maker in late if self._pages.answers(maker)}:
            await asyncio.gather(*(self._services.store.seeks.prolong(maker, now + LEASE_MS) for maker in late))
            self._services.bus.tell(SeeksChanged())
