"""The lobby of one process: which seeks are open, and how people are paired. Knows no sockets.

Commands are decided one at a time, in order of arrival (see `lobby_queue`). Between processes the store decides who
takes a seek. It keeps every seek, so a restart loses none; the bus only says that something has changed. A real-time
seek can be taken while its maker has a page open (see `seek_leases`). A correspondence seek stays open for two weeks,
whether or not its maker is there.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from server.games.clocks.time_control import DAY_MS
from server.games.errors import Gone
from server.games.player import Player
from server.games.seeks.seek import (
    Seek,
    Seeker,
    check_new,
    check_room,
    check_seek,
    check_taker,
)
from server.realtime.lobby.lobby_feed import LobbyFeed
from server.realtime.lobby.lobby_queue import LobbyQueue, Turn
from server.realtime.lobby.matching import Matching
from server.realtime.lobby.online import OnlinePeople
from server.realtime.lobby.open_seeks import OpenSeeks
from server.realtime.lobby.recent_opponents import RecentOpponents
from server.realtime.lobby.seek_leases import SeekLeases
from server.realtime.process.bus import SeeksChanged
from server.realtime.process.domain_events import SeekPosted
from server.realtime.process.services import Services
from server.realtime.process.single_flight import SingleFlight
from server.realtime.protocol.feed import Subscribers
from server.realtime.your_games.running_games import RunningGames
from server.realtime.your_games.your_games import YourGamesFeed
from server.rules.variant.variant import Variant
from server.storage.errors import StoreError
from server.storage.protocols.seeks import LeasedSeek

EXPIRE_EVERY_S: Final = 5.0
DAYS_KEPT_MS: Final = 14 * DAY_MS


class Lobby:
    """The lobby of one process. `variants`: those of this site, by id, in the order in which they are shown."""

    def __init__(self, services: Services, variants: Mapping[str, Variant], running: RunningGames) -> None:
        self._services = services
        self._variants = variants
        self._looks: SingleFlight[None] = SingleFlight()
        self._subscribers = subscribers = Subscribers()
        self._queue = LobbyQueue(services, subscribers)
        self.opponents = RecentOpponents()
        self.seeks = OpenSeeks(subscribers, services.blocks, self.opponents, services.bots)
        self.online = OnlinePeople(services, subscribers)
        self.games = YourGamesFeed(services, running)
        self._leases = SeekLeases(services, subscribers, self.seeks)
        self.feed = LobbyFeed(services, subscribers, self.seeks, self._leases, self.games, self.look_again)
        self._matching = Matching(services, variants, self.seeks, self._leases, self._tell_paired, self._look)

    # --- what people do ---------------------------------------------------------------------------------------------

    async def seek(self, wanted: Seek) -> str | None:
        """The id of the game that `wanted` has found at once; None if it now stands in the lobby.

        Raises BadSeek, BadClock, RegisteredOnly, Playbanned, NotAllowed (too many), Gone (they have left), Busy,
        Unavailable.
        """
        check_seek(wanted)
        maker = wanted.maker.player
        if wanted.rated:
            self._services.bots.check_rated(maker.id, "")
        self._services.playbans.check(maker, self._services.now())
        async with self._queue.turn(maker) as turn:
            if (game := turn.game_instead(wanted)) is not None:
                return game
            turn.check_free(wanted)
            check_new(wanted, self.seeks)
            if (game := await self._find(wanted, turn)) is not None:
                return game
            check_room(maker, tuple(self.seeks))
            await self._stand(wanted)
            if turn.left:
                await self._leases.left(maker)
            # It stands, whatever comes of this: `expire` compares it again.
            with suppress(StoreError):
                if (game := await self._matching.match(wanted, turn)) is not None:
                    return game
            if self.seeks.is_waiting(wanted.id):
                self._services.events.publish(SeekPosted(wanted))
        return None

    async def _find(self, wanted: Seek, turn: Turn) -> str | None:
        """The game with the oldest compatible seek, or the one that its maker has been paired into meanwhile."""
        for standing in self.seeks.compatible_with(wanted, self._services.now()):
            with suppress(Gone):
                return await self._matching.pair(turn, standing, wanted.maker, wanted.variants, wanted.color, wanted)
            if (game := turn.game_instead(wanted)) is not None:
                return game
        return None

    async def _stand(self, seek: Seek) -> None:
        until = self._services.now() + DAYS_KEPT_MS if seek.waits_for_days else self._leases.first(seek)
        await self._services.store.seeks.add(LeasedSeek(seek, until))
        self.seeks.add(seek)
        self._services.bus.tell(SeeksChanged())

    async def accept(self, seek_id: str, taker: Seeker, variants: Sequence[str] = ()) -> str:
        """The id of the game that `taker` now plays against the maker; `variants`: those they would play, none: any.

        Raises Gone (taken, withdrawn; or they have left, or found another game), OwnSeek, RegisteredOnly,
        Playbanned, NotAllowed, Busy, Unavailable.
        """
        async with self._queue.turn(taker.player) as turn:
            standing = self.seeks.get(seek_id)
            if standing is None or not self.seeks.is_waiting(seek_id) or self._are_apart(standing, taker.player):
                raise Gone("opponent_gone")
            check_taker(standing, taker)
            if standing.rated:
                self._services.bots.check_rated(taker.player.id, standing.maker.player.id)
            self._services.playbans.check(taker.player, self._services.now())
            turn.check_free(standing)
            return await self._matching.pair(turn, standing, taker, variants, color=None)

    def _are_apart(self, seek: Seek, taker: Player) -> bool:
        """Whoever is blocked is told the same as if the seek was gone."""
        return self._services.blocks.are_apart(seek.maker.player.id, taker.id)

    async def withdraw(self, seek_id: str, player: Player) -> None:
        """Withdraws the player's own seek. Raises Gone if it no longer stands, Busy, Unavailable."""
        async with self._queue.turn(player):
            if not await self._services.store.seeks.withdraw(seek_id, player.id):
                await self._look()
                raise Gone("seek_gone")
            self._drop(seek_id)

    async def withdraw_all(self, player_id: str) -> None:
        """Withdraws all seeks of this person. Those already taken become games. Raises Busy, Unavailable."""
        async with self._queue.turn():
            for standing in await self._services.store.seeks.open():
                if standing.seek.maker.player.id == player_id:
                    await self._services.store.seeks.withdraw(standing.seek.id, player_id)
                    self._drop(standing.seek.id)

    def _drop(self, seek_id: str) -> None:
        self.seeks.drop(seek_id)
        self._services.bus.tell(SeeksChanged())

    # --- what goes on by itself -------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Reads the open seeks, and makes the games that a crash left unmade. Raises Unavailable."""
        for standing in await self._stored():
            self.seeks.add(standing.seek, visible=False)
        await self._matching.make_up()
        await self._leases.recover()
        await self._look()

    async def _stored(self) -> list[LeasedSeek]:
        """The open seeks, but for those whose variant the host has removed since."""
        stored = await self._services.store.seeks.open()
        return [standing for standing in stored if self._variants.keys() >= set(standing.seek.variants)]

    async def expire(self) -> None:
        """Removes the seeks of those who have left, and makes games still unmade. Raises Busy, Unavailable."""
        async with self._queue.turn():
            await self._matching.make_up()
            for seek_id in await self._services.store.seeks.expire(self._services.now()):
                self.seeks.drop(seek_id)
        await self._leases.cut()
        await self.look_again()

    async def look_again(self) -> None:
        """Reads the open seeks again, as something may have changed, and pairs whoever suits. Raises Busy, Unavailable.

        It is done once, however many ask before its turn comes.
        """
        await self._looks.do("seeks", self._look_in_turn)

    async def _look_in_turn(self) -> None:
        async with self._queue.turn():
            # Whoever asks from now on may know of something newer.
            self._looks.forget("seeks")
            await self._look()
        for fresh in self.seeks.fresh:
            async with self._queue.turn() as turn:
                await self._matching.match(fresh, turn)

    async def _look(self) -> None:
        """Shows the seeks that the store says are open."""
        stored = await self._stored()
        # While a game is being made its seek is not gone yet: whoever made that has to learn of the game.
        there = {one.seek.id for one in stored} | {seek.id for seek, _ in await self._services.store.seeks.taken()}
        for seek in self.seeks:
            if seek.id not in there:
                self.seeks.drop(seek.id)
                maker = seek.maker.player
                if maker.id in self._subscribers.people and await self._services.store.load(seek.game) is not None:
                    self._tell_paired(seek, maker)
        for standing in stored:
            self.seeks.add(standing.seek, self._leases.waits(standing))
        await self._leases.renew(stored)

    def _tell_paired(self, seek: Seek, *people: Player) -> None:
        self._queue.paired(seek, *people)
        self.feed.tell_paired(seek.game, *people)
