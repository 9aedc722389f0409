"""The lobby of one process: which seeks are open, who can be paired, and how two people come to one game.

Commands are decided one at a time, in order of arrival. What a command has read of the open seeks holds until it ends,
however often it waits for the store; between processes the store decides who takes a seek. It keeps every seek, so a
restart loses none; the bus only says that something has changed.

A correspondence seek stays open for two weeks, whether or not its maker is there. A real-time seek can be taken while a
page of its maker answers, and is kept for another minute. Its lease, which says how long it stays open, is in the
store, so every process can tell from it alone whether the maker is there: if so, more than GRACE_MS are left. Each
process renews the leases of the people whose pages it serves, and cuts those of somebody whose last page closes or
falls silent. A process that dies renews nothing, so its people are soon gone, too.

The lobby is the `Feed` of the pages that show it, and knows no sockets.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence, Set
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Final

from pydantic import TypeAdapter

from server.games.clocks.time_control import DAY_MS
from server.games.errors import BadTerms, Gone, NotAllowed, Refused
from server.games.joining import Way
from server.games.people import has_account
from server.games.player import Player
from server.games.seeks import (
    Pairing,
    Seek,
    Seeker,
    check_not_repeated,
    check_room,
    check_seek,
    check_taker,
    is_answered,
    is_of,
    seats,
)
from server.games.state import Game
from server.realtime.cluster.bus import NoShow, PeopleOnNode, PersonTopic, SeeksChanged
from server.realtime.cluster.presence import HEARSAY_MS
from server.realtime.domain_events import SeekPosted
from server.realtime.open_seeks import OpenSeeks
from server.realtime.play.command_queue import Busy, CommandQueue
from server.realtime.play.creation import NewGames, choose_pairing
from server.realtime.play.meetings import are_apart
from server.realtime.protocol.codec import encode
from server.realtime.protocol.feed import Subscriber, Subscribers
from server.realtime.protocol.lobby_messages import Inbound, LobbyHi, Paired
from server.realtime.runtime.background import SingleFlight
from server.realtime.runtime.ids import game_of_seek, new_id
from server.realtime.shared import GameObserver, Services
from server.realtime.your_games import RunningGames, YourGamesFeed
from server.rules.errors import InvalidFen
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.storage.errors import StoreError, Unavailable
from server.storage.tables.seeks import LeasedSeek

log = logging.getLogger(__name__)

EXPIRE_EVERY_S: Final = 5.0
DAYS_KEPT_MS: Final = 14 * DAY_MS
GRACE_MS: Final = 60_000
"""How long a real-time seek is kept, hidden, for a maker who has gone."""
LEASE_MS: Final = GRACE_MS + 60_000
RENEW_EVERY_MS: Final = 20_000
JUST_ASKED_MS: Final = 15_000
"""A person who asks is there: a page of theirs is expected within this time. Also for programs without a page."""
MAX_WAITING: Final = 256
PATIENCE_MS: Final = 5_000
"""As soon as one command has waited so long, all that wait are refused, to be tried again."""
LONGEST_TURN_S: Final = 20.0
"""What the store has not answered by then may be done or not, as when an answer is lost."""

CheckGames = Callable[[], Awaitable[None]]
"""Raises Refusal if somebody has too many games."""


@dataclass(eq=False, slots=True)
class Turn:
    """One command, from the moment `player` (an id; None: the lobby itself) asks for it until it ends.

    `came`: they had one of `pages` open then. `taken`: the seeks by which they have been paired since.
    """

    player: str | None
    pages: Subscribers
    came: bool
    taken: list[Seek] = field(default_factory=list)

    @property
    def left(self) -> bool:
        """Has their last page been closed or fallen silent since they asked?"""
        return self.came and not self.pages.answers(self.player)

    def game_instead(self, wanted: Seek) -> str | None:
        """The game they have been paired into since they asked, if it makes `wanted` pointless."""
        return next((taken.game for taken in self.taken if is_answered(wanted, taken, wanted.maker.player)), None)

    def check_free(self, seek: Seek) -> None:
        """Raises Gone if they seek a game by the minute and have left, or have been paired into one meanwhile."""
        if self.left and not seek.waits_for_days:
            raise Gone("page_lost")
        if not (seek.waits_for_days or all(taken.waits_for_days for taken in self.taken)):
            raise Gone("paired_meanwhile")


class Lobby(GameObserver):
    """`variants`: those of this site, by id, in the order in which they are shown. `pages`: those that show the lobby.

    `seeks`: the open ones; `online`: the people who have a page open; `games`: tells pages of their person's games.
    """

    kinds: TypeAdapter[Inbound] = TypeAdapter(Inbound)

    def __init__(self, services: Services, variants: Mapping[str, Variant], running: RunningGames) -> None:
        self._services = services
        self._variants = variants
        self._new_games = NewGames(services, variants)
        self._queue = CommandQueue(MAX_WAITING)
        self._turns: set[Turn] = set()
        self._refreshes: SingleFlight[None] = SingleFlight()
        self._gone: set[str] = set()
        """The people whose leases have yet to be cut in the store."""
        self._lease_change = asyncio.Lock()
        """One change of leases at a time: of two under way, the older could be the last to reach the store."""
        self.pages = Subscribers()
        self.seeks = OpenSeeks(self.pages, services.blocks, services.bots)
        self.online = OnlinePeople(services, self.pages)
        self.games = YourGamesFeed(services, running)

    # --- what people ask for ----------------------------------------------------------------------------------------

    async def post_seek(self, wanted: Seek, check_games: CheckGames | None = None) -> str | None:
        """The id of the game that `wanted` has found at once; None if it now stands in the lobby.

        `check_games` is called when the lobby makes no other game. Raises what it does; BadSeek, BadClock,
        RegisteredOnly, Playbanned, NotAllowed (too many), Gone (they have left), RestartSoon, Busy, Unavailable.
        """
        self._services.restart.check_pairing()
        return await self._post_seek(wanted, check_games)

    async def _post_seek(self, wanted: Seek, check_games: CheckGames | None = None) -> str | None:
        """As `post_seek`; if a restart is announced, it only stands, and is compared when the site is back."""
        check_seek(wanted)
        maker = wanted.maker.player
        if wanted.rated:
            self._services.check_rated(maker.id, "")
        self._services.playbans.check(maker, self._services.now())
        async with self._take_turn(maker, check_games) as turn:
            if (game := turn.game_instead(wanted)) is not None:
                return game
            turn.check_free(wanted)
            check_not_repeated(wanted, self.seeks)
            if (game := await self._find_game(wanted, turn)) is not None:
                return game
            check_room(maker, tuple(self.seeks))
            await self._store_seek(wanted)
            if turn.left:
                await self._hide_seeks_of(maker)
            # It stands, whatever comes of this: `expire_seeks` compares it again.
            with suppress(StoreError):
                if (game := await self._match_seek(wanted, turn)) is not None:
                    return game
            if self.seeks.is_waiting(wanted.id):
                self._services.events.publish(SeekPosted(wanted))
        return None

    async def _find_game(self, wanted: Seek, turn: Turn) -> str | None:
        """The game with the oldest compatible seek, or the one that its maker has been paired into meanwhile."""
        if self._services.restart.announced:
            return None
        for standing in self.seeks.compatible_with(wanted, self._services.now()):
            with suppress(Gone):
                return await self._take_seek(turn, standing, wanted.maker, wanted.variants, wanted.color, wanted)
            if (game := turn.game_instead(wanted)) is not None:
                return game
        return None

    async def _store_seek(self, seek: Seek) -> None:
        now = self._services.now()
        if seek.waits_for_days:
            until = now + DAYS_KEPT_MS
        else:
            until = now + (LEASE_MS if self._has_page(seek) else GRACE_MS + JUST_ASKED_MS)
        await self._services.store.seeks.add(LeasedSeek(seek, until))
        # Their other seeks may stand in other processes, and not be known here yet.
        if not self._services.alone and not await self._services.store.seeks.admit(seek, now):
            raise NotAllowed("too_many_seeks")
        self.seeks.add_seek(seek)
        self._services.bus.tell(SeeksChanged())

    async def accept_seek(
        self,
        seek_id: str,
        taker: Seeker,
        variants: Sequence[str] = (),
        check_games: CheckGames | None = None,
        rating: str = "",
    ) -> str:
        """The id of the game that `taker` now plays against the maker; `variants`: those they would play, none: any;
        `rating`: theirs in such games, as in `Seek`.

        Blocked users get the same error as for a seek that is gone. Raises what `check_games` does, as for `post_seek`;
        Gone (taken, withdrawn; or they have left, or found another game), OwnSeek, RegisteredOnly, Playbanned,
        NotAllowed, RestartSoon, Busy, Unavailable.
        """
        self._services.restart.check_pairing()
        async with self._take_turn(taker.player, check_games) as turn:
            standing = self.seeks.get_seek(seek_id)
            if standing is None or not self.seeks.is_waiting(seek_id):
                raise Gone("opponent_gone")
            if self._services.blocks.are_apart(standing.maker.player.id, taker.player.id):
                raise Gone("opponent_gone")
            check_taker(standing, taker, rating)
            if standing.rated:
                self._services.check_rated(taker.player.id, standing.maker.player.id)
            self._services.playbans.check(taker.player, self._services.now())
            turn.check_free(standing)
            return await self._take_seek(turn, standing, taker, variants, color=None)

    async def withdraw_seek(self, seek_id: str, player: Player) -> None:
        """Withdraws the player's own seek. Raises Gone if it no longer stands, Busy, Unavailable."""
        async with self._take_turn(player):
            if not await self._services.store.seeks.withdraw(seek_id, player.id):
                await self._show_stored_seeks()
                raise Gone("seek_gone")
            self.seeks.drop_seek(seek_id)
            self._services.bus.tell(SeeksChanged())

    async def withdraw_seeks_of(self, player_id: str, but_as: str = "") -> None:
        """Withdraws all seeks of this person but those made under the name `but_as`. Those already taken become games.

        Raises Busy, Unavailable.
        """
        await self._withdraw_seeks(lambda maker: maker.id == player_id and maker.name != but_as)

    async def withdraw_seeks_of_people(self, people: Set[str]) -> None:
        """Withdraws all seeks of these people (ids). Raises Busy, Unavailable."""
        await self._withdraw_seeks(lambda maker: maker.id in people)

    async def withdraw_seeks_of_guests(self) -> None:
        """Withdraws all seeks of people without an account. Raises Busy, Unavailable."""
        await self._withdraw_seeks(lambda maker: not has_account(maker))

    async def _withdraw_seeks(self, chosen: Callable[[Player], bool]) -> None:
        async with self._take_turn():
            for standing in await self._services.store.seeks.open():
                maker = standing.seek.maker.player
                if chosen(maker):
                    await self._services.store.seeks.withdraw(standing.seek.id, maker.id)
                    self.seeks.drop_seek(standing.seek.id)
                    self._services.bus.tell(SeeksChanged())

    def show_game(self, game: Game) -> None:
        """Remembers the two players as recent opponents."""
        self.seeks.opponents.note_game(game, self._services.now())

    def report_no_show(self, waited: NoShow) -> None:
        """Posts a player's seek again, as the opponent never came to the board.

        Only if it was paired in this process and they play nothing else; soon, in the background.
        """
        seek = self._services.unstarted.take_seek_of(waited.game, waited.player)
        if seek is not None:
            self._services.background.spawn(self._repost(seek))

    async def _repost(self, seek: Seek) -> None:
        with suppress(Refused, Busy, StoreError):
            games = await self._services.store.running_of(seek.maker.player.id)
            if not any(game.by_the_minute for game in games):
                # Ids of seeks and of their games are never reused (`storage.mongo.seeks`). Its age it keeps.
                fresh, key = new_id(), await self._services.store.addresses.signing_key()
                await self._post_seek(replace(seek, id=fresh, game=game_of_seek(key, fresh)))

    # --- how two are paired, always within a turn -------------------------------------------------------------------

    async def _match_seek(self, fresh: Seek, turn: Turn) -> str | None:
        """The game of `fresh` and one that suits and stands beside it, as one of the two was away or came elsewhere.

        It is always the older one that is taken, so two processes that see this do the same. Raises Unavailable.
        """
        if self._services.restart.announced:
            # It stays fresh, and is compared when the site has been restarted.
            return None
        now = self._services.now()
        suiting = list(self.seeks.compatible_with(fresh, now))
        for other in suiting:
            if self.seeks.is_waiting(fresh.id) and self.seeks.is_waiting(other.id):
                older, younger = sorted((other, fresh), key=lambda seek: (seek.created, seek.id))
                # What was known of them was not up to date, or the game of one is being made: they are compared again.
                with suppress(Gone):
                    return await self._take_seek(turn, older, younger.maker, younger.variants, younger.color, younger)
        if not suiting and not self.seeks.may_suit_later(fresh, now):
            self.seeks.mark_compared(fresh.id)
        return None

    async def _take_seek(
        self, turn: Turn, seek: Seek, taker: Seeker, variants: Sequence[str], color: Color | None, *sought: Seek
    ) -> str:
        """The id of the game in which `taker`, who may have `sought` it, plays against the maker.

        Raises Gone, NotAllowed, Unavailable.
        """
        now, players = self._services.now(), (seek.maker.player, taker.player)
        self._services.playbans.check_both(*players, now)
        # The seek may be older than what the host has decided.
        sanctions, guests = self._services.sanctions, self._services.guests
        if any(sanctions.shut_out(one.id, now) or not guests.may(one, Way.LOBBY) for one in players) or (
            seek.rated and any(sanctions.is_unrated(one.id, now) for one in players)
        ):
            raise Gone("opponent_gone")
        if await are_apart(self._services, seek.maker.player.id, taker.player.id):
            raise Gone("opponent_gone")
        offered = self._services.house.offered(self._variants)
        pairing = choose_pairing(seek, taker.player, variants, color, tuple(self._variants), tuple(offered))
        known = {other.id for other in self.seeks if is_answered(other, seek, taker.player)}
        beyond = 0 if seek.waits_for_days else self._services.now() + GRACE_MS
        if not await self._services.store.seeks.take(seek.id, pairing, known, beyond):
            await self._show_stored_seeks()
            # Another process may have made the very game of this pairing before the store could answer here.
            made = await self._services.store.load(seek.game)
            if made is None or made.color_of(taker.player.id) is None:
                raise Gone("seek_taken")
            return seek.game
        self._services.unstarted.note_game(seek.game, (seek, *sought))
        await self._make_game(seek, pairing, turn.player)
        self._services.bus.tell(SeeksChanged())
        return seek.game

    async def _make_game(self, seek: Seek, pairing: Pairing, asking: str | None = None) -> None:
        """Makes the game of a seek that was taken; doing it twice makes one game. Raises Gone, Unavailable."""
        self.seeks.drop_seek(seek.id)
        try:
            await self._new_games.make_game(seek, pairing, asking)
        except Gone:
            await self._services.store.seeks.remove(seek.id)
            raise
        self._show_paired(seek, *seats(seek, pairing))
        # The store let go of those that it knew of when the seek was taken; if that was long ago, more have come since.
        for other in self.seeks:
            if is_answered(other, seek, pairing.taker):
                self.seeks.drop_seek(other.id)
                await self._services.store.seeks.withdraw(other.id, other.maker.player.id)
        # Last: until then a crash leaves it to be done again.
        await self._services.store.seeks.remove(seek.id)

    async def _make_unmade_games(self) -> None:
        """Makes the games of seeks whose taker's process died, or lost the store, before it could."""
        for seek, pairing in await self._services.store.seeks.taken():
            if pairing.variant not in self._variants:
                continue
            if seek.game not in self._services.unstarted:
                self._services.unstarted.note_game(seek.game, (seek,))
            try:
                await self._make_game(seek, pairing)
            except Gone:
                log.error("the game %s of a seek cannot be made: another game has that id", seek.game)
            except (InvalidFen, BadTerms, ValueError):
                # The host's own variant may have changed while the server was down; nobody else has to wait for it.
                log.exception("the game %s of a seek cannot be made", seek.game)
                await self._services.store.seeks.remove(seek.id)

    def _show_paired(self, seek: Seek, *players: Player) -> None:
        """Shows these players' pages the game of `seek`, which has both of them, and notes it for their commands."""
        people = {player.id for player in players}
        for turn in self._turns:
            if turn.player in people:
                turn.taken.append(seek)
        self.pages.show_people(encode(Paired(game=seek.game, seek=seek.id)), people)

    # --- what goes on by itself -------------------------------------------------------------------------------------

    async def load_seeks(self) -> None:
        """Reads the open seeks at the start, and makes the games that a crash left unmade. Raises Unavailable."""
        for standing in await self._read_stored_seeks():
            self.seeks.add_seek(standing.seek, visible=False)
        await self._make_unmade_games()
        # Nobody could be here while the server was down.
        makers = {seek.maker.player.id for seek in self.seeks if not seek.waits_for_days}
        grace = self._services.now() + GRACE_MS
        await asyncio.gather(*(self._services.store.seeks.prolong(maker, grace) for maker in makers))
        if self._services.bus.alone:
            # Nobody has a page open anywhere.
            self._gone |= makers
            await self._cut_leases()
        await self._show_stored_seeks()

    async def expire_seeks(self) -> None:
        """Removes the seeks of people who have left, and creates games that a taken seek still owes. Raises Busy,
        Unavailable.
        """
        async with self._take_turn():
            await self._make_unmade_games()
            for seek_id in await self._services.store.seeks.expire(self._services.now()):
                self.seeks.drop_seek(seek_id)
        await self._cut_leases()
        await self.refresh_seeks()

    async def refresh_seeks(self) -> None:
        """Reads the open seeks again, as something may have changed, and pairs those that suit. Raises Busy,
        Unavailable.

        It is done once, however many ask before its turn comes.
        """
        await self._refreshes.do("seeks", self._refresh_in_turn)

    async def _refresh_in_turn(self) -> None:
        async with self._take_turn():
            # Callers from now on may know of something newer.
            self._refreshes.forget("seeks")
            await self._show_stored_seeks()
        for fresh in self.seeks.fresh:
            async with self._take_turn() as turn:
                await self._match_seek(fresh, turn)

    async def _show_stored_seeks(self) -> None:
        """Shows the seeks that are open in the store, and renews the leases of makers who are online here."""
        stored = await self._read_stored_seeks()
        # While a game is being made its seek is not gone yet: its maker has to learn of the game.
        there = {one.seek.id for one in stored} | {seek.id for seek, _ in await self._services.store.seeks.taken()}
        for seek in self.seeks:
            if seek.id not in there:
                self.seeks.drop_seek(seek.id)
                maker = seek.maker.player
                if maker.id in self.pages.people and await self._services.store.load(seek.game) is not None:
                    self._show_paired(seek, maker)
        for standing in stored:
            self.seeks.add_seek(standing.seek, visible=self._can_be_taken(standing))
        await self._renew_leases(stored)

    async def _read_stored_seeks(self) -> list[LeasedSeek]:
        """The open seeks, but for those whose variant the host has removed since."""
        stored = await self._services.store.seeks.open()
        return [standing for standing in stored if self._variants.keys() >= set(standing.seek.variants)]

    # --- pages come and go, and with them whose seeks can be taken --------------------------------------------------

    def subscribe(self, subscriber: Subscriber, hi: LobbyHi) -> None:
        """The page is sent all waiting seeks and every change; its person's running games only if `hi` asks."""
        # First: a page that does not find its own seek in the list asks whether somebody has taken it.
        self._show_seeks_of(subscriber)
        self.pages.add(subscriber)
        self.online.follow_person(subscriber.person)
        subscriber.outbox.put(self.seeks.listed(subscriber.person))
        if hi.games:
            self.games.subscribe(subscriber)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """If it was the last page of its person, nobody can take their seeks."""
        self.pages.remove(subscriber)
        self.games.unsubscribe(subscriber)
        self.online.unfollow_person(subscriber.person)
        self._person_left(subscriber)

    def silence_changed(self, subscriber: Subscriber) -> None:
        """Hides the seeks of a page that stopped answering, and shows them once it answers again: a closed laptop sends
        no goodbye, and nobody should be paired with it.
        """
        if subscriber in self.pages:
            (self._person_left if subscriber.silent else self._show_seeks_of)(subscriber)

    def _show_seeks_of(self, subscriber: Subscriber) -> None:
        """A page of theirs opens, or answers again: their seeks can be taken again.

        The store, and with it all processes, learns of it by `_renew_leases`.
        """
        player = subscriber.player
        if player is None:
            return
        self._gone.discard(player.id)
        hidden = [seek for seek in self._by_the_minute(player) if not self.seeks.is_waiting(seek.id)]
        for seek in hidden:
            self.seeks.add_seek(seek)
        if hidden:
            self._services.background.spawn(self._try_to_refresh())

    async def _try_to_refresh(self) -> None:
        """If that fails, `expire_seeks` makes up for it."""
        with suppress(Busy, StoreError):
            await self.refresh_seeks()

    def _person_left(self, subscriber: Subscriber) -> None:
        if subscriber.player is not None:
            self._services.background.spawn(self._hide_seeks_of(subscriber.player))

    async def _hide_seeks_of(self, player: Player) -> None:
        """A page of theirs is closed, or silent; if no other one answers, nobody can take their seeks."""
        theirs = self._by_the_minute(player)
        if not theirs or self.pages.answers(player.id):
            return
        self._gone.add(player.id)
        for seek in theirs:
            self.seeks.add_seek(seek, visible=False)
        with suppress(StoreError):
            await self._cut_leases()

    def _by_the_minute(self, player: Player) -> list[Seek]:
        return [seek for seek in self.seeks if is_of(seek, player) and not seek.waits_for_days]

    def _can_be_taken(self, standing: LeasedSeek) -> bool:
        """Is its maker online? A page that answers here is proof enough, even if the store does not know yet."""
        seek = standing.seek
        leased = standing.until > self._services.now() + GRACE_MS and seek.maker.player.id not in self._gone
        return seek.waits_for_days or leased or self._has_page(seek)

    def _has_page(self, seek: Seek) -> bool:
        return self.pages.answers(seek.maker.player.id)

    async def _cut_leases(self) -> None:
        """Ends the leases of people who left while the store could not record it. Raises Unavailable."""
        async with self._lease_change:
            for maker in tuple(self._gone):
                if maker not in self._gone:
                    continue
                await self._services.store.seeks.shorten(maker, self._services.now() + GRACE_MS)
                if maker in self._gone:
                    self._gone.discard(maker)
                else:
                    # They have come back meanwhile. If they leave again, the next cut waits for its turn.
                    await self._services.store.seeks.prolong(maker, self._services.now() + LEASE_MS)
                self._services.bus.tell(SeeksChanged())

    async def _renew_leases(self, stored: Iterable[LeasedSeek]) -> None:
        """Prolongs the leases of those of `stored` whose maker is here. Raises Unavailable."""
        now = self._services.now()
        due = now + LEASE_MS - RENEW_EVERY_MS
        late = {one.seek.maker.player.id for one in stored if one.until < due and not one.seek.waits_for_days}
        if any(self.pages.answers(maker) for maker in late):
            async with self._lease_change:
                here = [maker for maker in late if self.pages.answers(maker)]
                await asyncio.gather(*(self._services.store.seeks.prolong(maker, now + LEASE_MS) for maker in here))
            self._services.bus.tell(SeeksChanged())

    # --- one command at a time --------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _take_turn(
        self, player: Player | None = None, check_games: CheckGames | None = None
    ) -> AsyncIterator[Turn]:
        """For `async with`, never within another turn. Raises Busy; Unavailable when it has lasted too long."""
        asking, timers = None if player is None else player.id, self._services.timers
        turn = Turn(asking, self.pages, self.pages.answers(asking))
        self._turns.add(turn)
        timers.set(turn, self._services.now() + PATIENCE_MS, self._queue.reject_waiting)
        try:
            async with self._queue, asyncio.timeout(LONGEST_TURN_S):
                timers.clear(turn)
                if check_games is not None:
                    await check_games()
                yield turn
        except TimeoutError as error:
            raise Unavailable("The store has not answered.") from error
        finally:
            timers.clear(turn)
            self._turns.discard(turn)


MOST_TOLD: Final = 5_000
"""People of whom one process tells the others: about 60 KB every ten seconds."""
KEPT_MS: Final = 60_000
"""How long the notices of somebody whose last page has closed are still heard."""


class OnlinePeople:
    """`pages`: those of the lobby, which every page of a player of this site is."""

    def __init__(self, services: Services, pages: Subscribers) -> None:
        self._services = services
        self._pages = pages
        self._node = secrets.token_hex(4)
        self._elsewhere: dict[str, tuple[Set[str], int]] = {}
        """By process: its people, and until when (ms) its word counts."""

    @property
    def _here(self) -> set[str]:
        return {person for person in self._pages.people if self._pages.answers(person)}

    @property
    def people(self) -> Set[str]:
        """The ids of all who are on the site, guests too."""
        now = self._services.now()
        return self._here.union(*(people for people, until in self._elsewhere.values() if until > now))

    def includes(self, person: str) -> bool:
        """Is that person (an id) on the site?"""
        now = self._services.now()
        told = any(person in people for people, until in self._elsewhere.values() if until > now)
        return told or self._pages.answers(person)

    def tell_people_here(self) -> None:
        """Tells the other processes the people here."""
        self._services.bus.tell(PeopleOnNode(self._node, tuple(sorted(self._here)[:MOST_TOLD])))

    def hear_people(self, notice: PeopleOnNode) -> None:
        """Takes the word of another process, and forgets those that have said nothing for long."""
        now = self._services.now()
        self._elsewhere[notice.node] = frozenset(notice.people), now + HEARSAY_MS
        self._elsewhere = {node: told for node, told in self._elsewhere.items() if told[1] > now}

    def follow_person(self, person: str | None) -> None:
        """A page of `person` (an id; None: a visitor without a name) has opened."""
        if person is not None and not self._services.bus.alone:
            self._services.timers.clear((person, "followed"))
            self._services.bus.follow(PersonTopic(person))

    def unfollow_person(self, person: str | None) -> None:
        """A page of theirs has closed; if it was the last one, their notices are heard for KEPT_MS more."""
        if person is not None and not self._services.bus.alone and person not in self._pages.people:
            until = self._services.now() + KEPT_MS
            self._services.timers.set((person, "followed"), until, lambda: self._unfollow(person))

    def _unfollow(self, person: str) -> None:
        self._services.bus.unfollow(PersonTopic(person))
