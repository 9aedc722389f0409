"""The feed of the lobby: pages subscribe, leave and fall silent, and are told who has found a game.

Knows no sockets, and decides nothing about seeks but whose may be taken: those of people whose page answers.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress

from pydantic import TypeAdapter

from server.games.player import Player
from server.realtime.lobby.followed_people import FollowedPeople
from server.realtime.lobby.open_seeks import OpenSeeks
from server.realtime.lobby.seek_leases import SeekLeases
from server.realtime.play.command_queue import Busy
from server.realtime.process.bus import ChallengeMade
from server.realtime.process.services import Services
from server.realtime.protocol.codec import encode
from server.realtime.protocol.feed import Subscriber, Subscribers
from server.realtime.protocol.lobby_messages import Challenged, Inbound, LobbyHi, Paired, RematchOffered, Written
from server.realtime.your_games.your_games import YourGamesFeed
from server.storage.errors import StoreError


class LobbyFeed:
    """A `Feed`. `look_again` pairs whoever suits now that somebody is back; it raises Busy, Unavailable."""

    kinds: TypeAdapter[Inbound] = TypeAdapter(Inbound)

    def __init__(
        self,
        services: Services,
        subscribers: Subscribers,
        seeks: OpenSeeks,
        leases: SeekLeases,
        games: YourGamesFeed,
        look_again: Callable[[], Awaitable[None]],
    ) -> None:
        self._services = services
        self._subscribers = subscribers
        self._seeks = seeks
        self._leases = leases
        self._games = games
        self._followed = FollowedPeople(services, subscribers)
        self._look_again = look_again

    # --- pages come and go ------------------------------------------------------------------------------------------

    def subscribe(self, subscriber: Subscriber, hi: LobbyHi) -> None:
        """The page is sent all waiting seeks and every change; its person's running games only if `hi` asks."""
        # First: a page that does not find its own seek in the list asks whether somebody has taken it.
        self._came(subscriber)
        self._subscribers.add(subscriber)
        self._followed.came(subscriber.person)
        subscriber.outbox.put(self._seeks.listed(subscriber.person))
        if hi.games:
            self._games.subscribe(subscriber)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """If it was the last page of its person, nobody can take their seeks."""
        self._subscribers.remove(subscriber)
        self._games.unsubscribe(subscriber)
        self._followed.went(subscriber.person)
        self._went(subscriber)

    def silence_changed(self, subscriber: Subscriber) -> None:
        """A laptop that is shut says no goodbye, so nobody is paired with somebody who may be gone."""
        if subscriber in self._subscribers:
            (self._went if subscriber.silent else self._came)(subscriber)

    def _came(self, subscriber: Subscriber) -> None:
        if subscriber.player is not None and self._leases.came(subscriber.player):
            self._services.background.spawn(self._welcome())

    def _went(self, subscriber: Subscriber) -> None:
        if subscriber.player is not None:
            self._services.background.spawn(self._leases.left(subscriber.player))

    async def _welcome(self) -> None:
        """If that fails, `expire` of the lobby makes up for it."""
        with suppress(Busy, StoreError):
            await self._look_again()

    # --- what they are told -----------------------------------------------------------------------------------------

    def tell_challenged(self, made: ChallengeMade) -> None:
        """Tells the challenged player on every page they have open."""
        message = Challenged(game=made.game, by=made.by, proposed=made.proposed or None, proposer=made.proposer or None)
        self._subscribers.tell_people(encode(message), {made.player})

    def tell_written(self, game: str, reader: str, by: str) -> None:
        """Tells `reader` (an id) on every page they have open that `by` (a name) has written to them in `game`."""
        self._subscribers.tell_people(encode(Written(game=game, by=by)), {reader})

    def tell_rematch_offered(self, game: str, player: str, by: str) -> None:
        """Tells `player` (an id) on every page they have open that `by` (a name) offers a rematch of `game`."""
        self._subscribers.tell_people(encode(RematchOffered(game=game, by=by)), {player})

    def tell_paired(self, game: str, *people: Player) -> None:
        """Tells these people, on every page they have open, that `game` has both its players."""
        self._subscribers.tell_people(encode(Paired(game=game)), {person.id for person in people})

    def tell(self, text: str) -> None:
        """Sends `text` to everybody."""
        self._subscribers.tell(text)

    def dismiss(self, farewell: str, code: int) -> None:
        """Sends everybody `farewell` and closes every connection with `code`."""
        self._subscribers.dismiss(farewell, code)
