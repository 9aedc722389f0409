"""Following and blocking, as the site carries it out: a tie is stored, and a block holds from then on, everywhere.

The pages of both people show the lobby anew, and the one who blocks reads the chat of games without the other. A game
that two people play goes on. A notice has the other processes read the blocks of that person again. Lost notices are
made up for by reading all blocks now and then; a write that the store did not answer, by reading those of its owner.
Knows no request.
"""

import asyncio
from collections.abc import AsyncIterator, Set
from contextlib import asynccontextmanager, suppress
from typing import Final

from server.games.people import Tie, TieKind, check_tie, too_many_ties
from server.games.player import Player
from server.realtime.cluster.bus import BlocksChanged
from server.realtime.lobby import Lobby
from server.realtime.play.command_queue import Busy
from server.realtime.play.rounds import Rounds
from server.storage.errors import StoreError
from server.storage.time_slices import run_sliced

READ_EVERY_S: Final = 300.0


class Ties:
    """The ties of everybody on this site."""

    def __init__(self, rounds: Rounds, lobby: Lobby) -> None:
        self._rounds = rounds
        self._lobby = lobby
        self._services = rounds.services
        self._reading = asyncio.Lock()
        self._unread: set[str] = set()
        """The people whose blocks may have changed in the store, which did not answer."""

    async def make_tie(self, owner: str, kind: TieKind, other: Player) -> None:
        """`owner` (an id) follows or blocks `other`, and no longer follows whom they block. Twice is harmless.

        Raises NotAllowed, Unavailable.
        """
        store = self._services.store.ties
        tie = Tie(owner, kind, other, self._services.now())
        check_tie(tie)
        own = await store.of(owner)
        async with self._changing(owner, kind):
            if not any(one.kind is kind and one.other == other for one in own) and not await store.keep(tie):
                raise too_many_ties(kind)
            if kind is TieKind.BLOCKS:
                await store.remove(owner, TieKind.FOLLOWS, other.id)

    async def end_tie(self, owner: str, kind: TieKind, other: str) -> None:
        """`owner` follows or blocks `other` (ids) no longer. Raises Unavailable."""
        async with self._changing(owner, kind):
            await self._services.store.ties.remove(owner, kind, other)

    async def hand_over_ties(self, user: str, heir: Player) -> None:
        """A guest's ties, and those to them, become those of `heir`. Raises Unavailable."""
        await self._services.store.ties.hand_over(user, heir)
        for person in {user, heir.id}:
            await self._tell(person)

    async def forget_person(self, person: str) -> None:
        """Deletes the ties of somebody who leaves, and those to them. Raises Unavailable."""
        await self._services.store.ties.forget(person)
        await self._tell(person)

    @asynccontextmanager
    async def _changing(self, owner: str, kind: TieKind) -> AsyncIterator[None]:
        """Has what is stored within hold. Raises Unavailable."""
        try:
            yield
            if kind is TieKind.BLOCKS:
                await self._tell(owner)
        except BaseException:
            self._unread.add(owner)
            raise

    async def _tell(self, person: str) -> None:
        self._services.bus.tell(BlocksChanged(person))
        await self.read_blocks_of(person)

    async def read_blocks_of(self, person: str) -> None:
        """Reads the blocks by and of that person (an id) from the store. Raises Unavailable."""
        blocks = self._services.blocks
        # One at a time, so that the last to come in is what was read last.
        async with self._reading:
            before = blocks.apart_from(person), blocks.unheard_by(person)
            blocks.replace_of(person, await self._services.store.ties.blocks(person))
            self._unread.discard(person)
        if before != (blocks.apart_from(person), blocks.unheard_by(person)):
            await self._show({person} | before[0] | blocks.apart_from(person))

    async def read_all_blocks(self) -> None:
        """Reads all blocks from the store. Raises Unavailable."""
        async with self._reading:
            stored = await self._services.store.ties.blocks()
            changed = await run_sliced(self._services.blocks.replace_all(stored))
        if changed:
            await self._show(changed)

    async def load_blocks(self) -> None:
        """Reads all blocks at the start, before there are pages to show anything to. Raises Unavailable."""
        await run_sliced(self._services.blocks.replace_all(await self._services.store.ties.blocks()))

    async def catch_up(self) -> None:
        """Reads again whatever another process, or this one unheard, may have changed. Raises Unavailable."""
        for person in tuple(self._unread):
            await self.read_blocks_of(person)
        if not self._services.alone:
            await self.read_all_blocks()

    async def _show(self, people: Set[str]) -> None:
        self._lobby.seeks.blocks_changed(people)
        await self._rounds.do_in_each(lambda one: one.feed.blocks_changed(people))
        self._services.background.spawn(self._compare())

    async def _compare(self) -> None:
        """People who are no longer kept apart may suit each other. If that fails, a regular look makes up for it."""
        with suppress(Busy, StoreError):
            await self._lobby.refresh_seeks()
