"""The lobby of one process: which seeks stand, and how two people come to one game. Knows no sockets.

The store decides who takes a seek, and keeps every seek, so a restart loses none. A seek for a game on a clock of
minutes can be taken while its maker has a page open (see `seek_leases`). A seek for a game of days stands for two weeks
without anybody. With several processes the bus only says that something has changed; what it is, the store says.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from server.games.clock import DAY_MS
from server.games.errors import BadTerms, Gone, Refused
from server.games.player import Player
from server.games.seek import (
    Pairing,
    Seek,
    Seeker,
    check_seek,
    check_taker,
    is_answered,
    seats,
    suits,
)
from server.realtime.lobby.lobby_feed import LobbyFeed
from server.realtime.lobby.open_seeks import OpenSeeks
from server.realtime.lobby.pairing import choose_pairing, create_once, game_of, with_start_deadline
from server.realtime.lobby.pending_seeks import PendingSeeks
from server.realtime.lobby.seek_leases import SeekLeases
from server.realtime.play.running_games import RunningGames
from server.realtime.play.your_games import YourGamesFeed
from server.realtime.process.bus import SeeksChanged, WaitedInVain, game_stored
from server.realtime.process.services import Services
from server.realtime.protocol.feed import Subscribers
from server.rules.errors import InvalidFen
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.storage.errors import StoreError
from server.storage.protocols.seeks import Standing

log = logging.getLogger(__name__)

EXPIRE_EVERY_S: Final = 5.0
DAYS_KEPT_MS: Final = 14 * DAY_MS


class Lobby:
    """See the module. `variants` are those of this site, by id, in the order in which they are shown."""

    __slots__ = ("_leases", "_pending", "_services", "_variants", "feed", "games", "seeks")

    def __init__(self, services: Services, variants: Mapping[str, Variant], running: RunningGames) -> None:
        self._services = services
        self._variants = variants
        self._pending = PendingSeeks()
        services.waits_in_vain.append(self.put_back)
        subscribers = Subscribers()
        self.seeks = OpenSeeks(subscribers)
        self.games = YourGamesFeed(services, running)
        self._leases = SeekLeases(services, subscribers, self.seeks)
        self.feed = LobbyFeed(services, subscribers, self.seeks, self._leases, self.games, self._match_all)

    # --- what people do ---------------------------------------------------------------------------------------------

    async def seek(self, wanted: Seek) -> str | None:
        """The id of the game that `wanted` has found at once, or None: it stands now and waits.

        Raises BadSeek, BadClock, RegisteredOnly, PausedAfterAborts, NotAllowed (too many), Unavailable.
        """
        check_seek(wanted)
        self._services.playbans.check(wanted.maker.player, self._services.now())
        self._pending.check_new(wanted, self.seeks)
        self._pending.add(wanted)
        try:
            if (game := await self._find(wanted)) is not None:
                return game
            self._pending.check_room(wanted.maker.player, self.seeks)
            await self._stand(wanted)
            game = self._pending.game_of(wanted.id)
        finally:
            self._pending.remove(wanted.id)
        # It stands, whatever comes of this: `expire` compares it again.
        with suppress(Gone, StoreError):
            if game is None:
                return await self._match(wanted)
            self.seeks.drop(wanted.id)
            await self.withdraw(wanted.id, wanted.maker.player)
        return game

    async def _find(self, wanted: Seek) -> str | None:
        """The game with the first of those who wait that suits, or the one that they have found meanwhile."""
        for standing in self.seeks.waiting:
            if suits(standing, wanted) and self._pending.game_of(wanted.id) is None:
                with suppress(Gone):
                    return await self._pair_with(standing, wanted)
        return self._pending.game_of(wanted.id)

    async def _stand(self, seek: Seek) -> None:
        until = self._services.now() + DAYS_KEPT_MS if seek.waits_for_days else self._leases.first(seek)
        await self._services.store.seeks.add(Standing(seek, until))
        self.seeks.add(seek)
        self._services.bus.tell(SeeksChanged())

    async def _match(self, fresh: Seek) -> str | None:
        """The game of two seeks that stand beside each other though they suit, because both came at once.

        It is always the older one that is taken, so two processes that see this do the same. Raises Unavailable.
        """
        unsure = False
        for other in self.seeks.waiting:
            if self.seeks.is_waiting(fresh.id) and suits(other, fresh):
                older, younger = sorted((other, fresh), key=lambda seek: (seek.created, seek.id))
                try:
                    return await self._pair_with(older, younger)
                except Gone:
                    # What was known of the two was not up to date, or the game of one of them is being made.
                    unsure = unsure or self.seeks.is_waiting(other.id)
        if not unsure:
            self.seeks.compared(fresh.id)
        return None

    async def _match_all(self) -> None:
        """Raises Unavailable: who has not been compared then will be the next time."""
        for fresh in self.seeks.fresh:
            await self._match(fresh)

    async def accept(self, seek_id: str, taker: Seeker, variants: Sequence[str] = ()) -> str:
        """The id of the game that `taker` now plays against the maker; `variants`: those they would play, none: any.

        Raises Gone (taken, withdrawn), OwnSeek, RegisteredOnly, PausedAfterAborts, NotAllowed, Unavailable.
        """
        standing = self.seeks.get(seek_id)
        if standing is None or not self.seeks.is_waiting(seek_id):
            raise Gone("opponent_gone")
        check_taker(standing, taker)
        self._services.playbans.check(taker.player, self._services.now())
        return await self._pair(standing, taker, variants, None)

    async def withdraw(self, seek_id: str, player: Player) -> None:
        """Take one's own seek back. Raises Gone when it is not there any more, Unavailable."""
        if not await self._services.store.seeks.withdraw(seek_id, player.id):
            await self._look()
            raise Gone("seek_gone")
        self.seeks.drop(seek_id)
        self._services.bus.tell(SeeksChanged())

    async def withdraw_all(self, player_id: str) -> None:
        """No seek of this person stands any more. What was taken already becomes a game. Raises Unavailable."""
        for standing in await self._services.store.seeks.open():
            if standing.seek.maker.player.id == player_id:
                await self._services.store.seeks.withdraw(standing.seek.id, player_id)
                self.seeks.drop(standing.seek.id)
                self._services.bus.tell(SeeksChanged())

    async def _pair_with(self, standing: Seek, wanted: Seek) -> str:
        """The id of the game that both have come to. Raises as `_pair` does."""
        game = await self._pair(standing, wanted.maker, wanted.variants, wanted.color)
        self._services.unstarted.note(game, (standing, wanted))
        return game

    async def _pair(self, seek: Seek, taker: Seeker, variants: Sequence[str], color: Color | None) -> str:
        """The id of the game in which `taker` plays against the maker. Raises Gone, NotAllowed, Unavailable."""
        self._services.playbans.check_both(seek.maker.player, taker.player, self._services.now())
        pairing = choose_pairing(seek, taker.player, variants, color, tuple(self._variants))
        known = {other.id for other in self.seeks if is_answered(other, seek, taker.player)}
        beyond = 0 if seek.waits_for_days else self._leases.beyond
        if not await self._services.store.seeks.take(seek.id, pairing, known, beyond):
            await self._look()
            # Another process may have made the very game of this pairing before the store could answer here.
            made = await self._services.store.load(seek.game)
            if made is None or made.color_of(taker.player.id) is None:
                raise Gone("seek_taken")
            return seek.game
        await self._make(seek, pairing)
        self._services.bus.tell(SeeksChanged())
        return seek.game

    async def _make(self, seek: Seek, pairing: Pairing) -> None:
        """The game of a seek that was taken; doing it twice makes one game."""
        self.seeks.drop(seek.id)
        self._services.unstarted.note(seek.game, (seek,))
        self._pending.answer(seek, pairing.taker)
        now = self._services.now()
        game = game_of(seek, pairing, self._variants[pairing.variant], now)
        game = await with_start_deadline(self._services.store, game, now)
        await create_once(self._services.store, game)
        self.feed.tell_paired(game.id, *seats(seek, pairing))
        self._services.show(game)
        self._services.bus.tell(game_stored(game))
        # The store let go of those that it knew of when the seek was taken; more may have come since.
        self._pending.answer(seek, pairing.taker)
        for other in self.seeks:
            if is_answered(other, seek, pairing.taker):
                self.seeks.drop(other.id)
                await self._services.store.seeks.withdraw(other.id, other.maker.player.id)
        # Last: until then a crash leaves it to be done again.
        await self._services.store.seeks.remove(seek.id)

    def put_back(self, waited: WaitedInVain) -> None:
        """Nobody came: what they sought stands again, if it was paired here and they play nothing else."""
        seek = self._services.unstarted.put_back(waited.game, waited.player)
        if seek is not None:
            self._services.background.spawn(self._seek_again(seek))

    async def _seek_again(self, seek: Seek) -> None:
        with suppress(Refused, StoreError):
            games = await self._services.store.running_of(seek.maker.player.id)
            if not any(game.by_the_minute for game in games):
                await self.seek(seek)

    # --- what goes on by itself -------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Read what stands, and make the games that a crash has left unmade. Raises Unavailable."""
        self.seeks.fill(standing.seek for standing in await self._stored())
        await self._make_up()
        await self._leases.recover()
        await self._look()

    async def _stored(self) -> list[Standing]:
        """What stands. A host may have taken a variant away since: what asks for it is not shown."""
        stored = await self._services.store.seeks.open()
        return [standing for standing in stored if self._variants.keys() >= set(standing.seek.variants)]

    async def _make_up(self) -> None:
        """Whoever took these seeks died, or lost the store, before the game was made."""
        for seek, pairing in await self._services.store.seeks.taken():
            if pairing.variant not in self._variants:
                continue
            try:
                await self._make(seek, pairing)
            except (InvalidFen, BadTerms, ValueError):
                # The host's own variant may have changed while the server was down; nobody else has to wait for it.
                log.exception("the game %s of a seek cannot be made", seek.game)
                await self._services.store.seeks.remove(seek.id)

    async def renew(self) -> None:
        """The seeks of everybody who is here go on waiting. Raises Unavailable."""
        await self._leases.renew()

    async def expire(self) -> None:
        """Remove the seeks of those who have left, make games that could not be made. Raises Unavailable."""
        await self._make_up()
        for seek_id in await self._services.store.seeks.expire(self._services.now()):
            self.seeks.drop(seek_id)
        await self._leases.cut()
        await self.look_again()

    async def look_again(self) -> None:
        """Something may have changed: see what stands, and pair who suits. Raises Unavailable."""
        await self._look()
        await self._match_all()

    async def _look(self) -> None:
        """Show what the store says."""
        # What comes or goes here while the store is read is news to it, not to us.
        before = {seek.id: seek for seek in self.seeks}
        stored = await self._stored()
        # While a game is being made its seek is not gone yet: whoever made that has to learn of the game.
        there = {one.seek.id for one in stored} | {seek.id for seek, _ in await self._services.store.seeks.taken()}
        for seek in before.values():
            if seek.id not in there and seek.id in self.seeks:
                self.seeks.drop(seek.id)
                await self._look_for_game(seek)
        for standing in stored:
            if (standing.seek.id in self.seeks) == (standing.seek.id in before):
                self.seeks.add(standing.seek, self._leases.waits(standing))
        await self._leases.renew_late(stored)

    async def _look_for_game(self, seek: Seek) -> None:
        """A seek is gone that somebody here has made: was it taken?"""
        maker = seek.maker.player
        if maker.id in self.feed.people:
            game = await self._services.store.load(seek.game)
            if game is not None:
                self.feed.tell_paired(seek.game, maker)
