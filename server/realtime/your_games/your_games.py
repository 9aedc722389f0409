"""Tells a person's open pages about their running games, whenever one of them begins, ends or passes the turn.

They always get the whole list, as the store has it, so the next message makes up for a lost one. In a real-time game
the turn is no news: its players sit at the board. Knows no board and no seek.
"""

from collections.abc import Collection, Sequence
from typing import Final

from server.games.state import Game
from server.realtime.bots import Bots
from server.realtime.process.bus import Deleted, GameStored, just_goes_on
from server.realtime.process.services import Services
from server.realtime.protocol.codec import encode
from server.realtime.protocol.feed import Subscriber, Subscribers
from server.realtime.protocol.lobby_messages import YourGame, YourGames
from server.realtime.your_games.running_games import RunningGames
from server.rules.variant.pieces import Color
from server.storage.errors import StoreError
from server.storage.running import RunningGame

SHOWN: Final = 8
"""The others are on a page of their own."""


class YourGamesFeed:
    """`pages` of the lobby's socket become its listeners when they ask."""

    def __init__(self, services: Services, running: RunningGames) -> None:
        self._services = services
        self._running = running
        self._pages = Subscribers()
        self._telling: set[str] = set()
        self._news: dict[str, str | None] = {}
        """What people have yet to be told: the game in which it has become their turn; None: only the list."""
        self._said: dict[str, tuple[Sequence[RunningGame], str]] = {}
        """By person: the list last sent to a page that had just opened, and its text."""

    def subscribe(self, subscriber: Subscriber) -> None:
        """As `Feed.subscribe`: tells a page of the games of its player; one without a name hears nothing."""
        if subscriber.player is not None:
            self._pages.add(subscriber)
            self._services.background.spawn(self._answer(subscriber, subscriber.player.id))

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """As `Feed.unsubscribe`."""
        self._pages.remove(subscriber)
        if subscriber.player is not None:
            self._said.pop(subscriber.player.id, None)

    def changed(self, game: Game) -> None:
        """A game has changed: tells its players, unless it is real-time and just goes on."""
        if just_goes_on(game):
            return
        for player in game.players:
            self._tell_soon(player.id)

    def turn_passed(self, game: str, player: str) -> None:
        """It is the turn of `player` there; their pages say so."""
        self._tell_soon(player, game)

    def deleted(self, deleted: Deleted) -> None:
        """A game is no longer on anybody's list."""
        for player in deleted.players:
            self._tell_soon(player)

    async def hear(self, stored: GameStored) -> None:
        """Another process has stored the game of `stored`, which is not followed here. Raises Unavailable."""
        if self._pages.people.isdisjoint(stored.players):
            return
        game = await self._services.store.load(stored.game)
        if game is not None:
            self.changed(game)

    async def catch_up(self, people: Collection[str]) -> None:
        """What another process told of the games of these people (ids) may have been missed: tells them anew.

        One after the other: it may be everybody who is here.
        """
        self._running.forget(people)
        for player in people:
            if player in self._pages.people:
                self._news.setdefault(player, None)
                if player not in self._telling:
                    self._telling.add(player)
                    await self._tell(player)

    def _tell_soon(self, player: str, news: str | None = None) -> None:
        """However much happens at once, one list is on its way to a person and at most one more waits."""
        if player not in self._pages.people:
            return
        self._news[player] = news or self._news.get(player)
        if player not in self._telling:
            self._telling.add(player)
            self._services.background.spawn(self._tell(player))

    async def _tell(self, player: str) -> None:
        try:
            while player in self._news:
                news = self._news.pop(player)
                self._pages.tell_people(self._text(await self._running.of(player), news), {player})
        except StoreError:
            # The next change, or a page that opens anew, brings the list.
            self._news.pop(player, None)
        finally:
            self._telling.discard(player)

    async def _answer(self, subscriber: Subscriber, player: str) -> None:
        """The list for a page that has just opened."""
        try:
            games = await self._running.of(player)
        except StoreError:
            return
        if subscriber in self._pages:
            said = self._said.get(player)
            if said is None or said[0] is not games:
                said = self._said[player] = games, self._text(games, None)
            subscriber.outbox.put(said[1])

    def _text(self, games: Sequence[RunningGame], news: str | None) -> str:
        now = self._services.now()
        shown = [your_game(one, now, self._services.bots) for one in games[:SHOWN]]
        waiting = sum(one.waits for one in games)
        urgent = sum(one.urgent for one in games)
        more = len(games) - len(shown)
        return encode(YourGames(games=shown, more=more, waiting=waiting, urgent=urgent, news=news))


def your_game(game: RunningGame, now: int, bots: Bots) -> YourGame:
    """What a page shows of the game at `now` (ms)."""
    return YourGame(
        id=game.id,
        variant=game.variant,
        chess960=1 if game.chess960 else None,
        by=game.opponent,
        asked=game.asked or None,
        bot=1 if bots.is_named(game.opponent or game.asked) else None,
        turn=1 if game.waits else None,
        live=1 if game.by_the_minute else None,
        to_move=1 if game.by_the_minute and game.to_move is game.color else None,
        adjourned=game.adjourned,
        left=None if game.by_the_minute or game.deadline is None else max(0, game.deadline - now),
        away=game.opponent_away or None,
        claimable=1 if game.claimable else None,
        board=game.board or None,
        last=game.last or None,
        black=1 if game.color is Color.BLACK else None,
    )
