"""What a person's open pages show of their own games: the list of those that run, and what has just happened in them.

The list is sent whenever a game begins, ends or passes the turn. Pages always get the whole list, as the store has it,
so the next message makes up for a lost one. In a real-time game the turn is no news: its players sit at the board. The
store is read once for everybody who asks at about the same time: a person may have many pages open, and an attacker
many more.

An event reaches one process; the bus takes it to the pages of the others. A lost notice costs a sound and a message:
every later change brings the list up to date. Knows no board, no seek and no socket.
"""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from server.games.changes.beginning import is_proposed, named_in
from server.games.player import Player
from server.games.state import Game, OfferKind
from server.realtime.cluster.bus import (
    ChallengeMade,
    Deleted,
    GameStored,
    MessageLeft,
    RematchOffered,
    RematchShown,
    TournamentSoon,
    TurnPassed,
    just_goes_on,
)
from server.realtime.domain_events import (
    Challenged,
    DomainEvent,
    MessageWritten,
    OfferMade,
    Paired,
    YourTurn,
)
from server.realtime.moderation import Bots
from server.realtime.protocol import lobby_messages as messages
from server.realtime.protocol.codec import encode
from server.realtime.protocol.feed import Subscriber, Subscribers
from server.realtime.protocol.lobby_messages import YourGame, YourGames
from server.realtime.runtime.background import SingleFlight
from server.realtime.runtime.limits import BoundedDict
from server.realtime.shared import GameObserver, Services
from server.rules.variant.pieces import Color
from server.storage.errors import StoreError
from server.storage.running import RunningGame

KEPT_MS: Final = 2_000
"""How soon a change that this process has missed makes it read the list again; one that it sees does so at once."""
MAX_KEPT: Final = 200
UNHEARD_MS: Final = 60_000
"""How long a rematch is kept that was offered while its receiver was between two pages."""
MAX_UNHEARD: Final = 1_000


@dataclass(frozen=True, slots=True)
class _Kept:
    """`at`: when they were read, ms."""

    games: Sequence[RunningGame]
    at: int


class RunningGames(GameObserver):
    """The running games of everybody who asks this process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._kept: BoundedDict[str, _Kept] = BoundedDict(MAX_KEPT)
        self._readings: SingleFlight[Sequence[RunningGame]] = SingleFlight()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def turn_of(self, player: str) -> asyncio.Lock:
        """Held while this process begins a game for that person, so that the next one that it begins counts it."""
        return self._turns.setdefault(player, asyncio.Lock())

    async def games_of(self, player: str) -> Sequence[RunningGame]:
        """The most urgent first. The same object until there is news. Raises Unavailable."""
        kept = self._kept.get(player)
        if kept is not None and 0 <= self._services.now() - kept.at < KEPT_MS:
            return kept.games
        return await self._readings.do(player, partial(self._read, player))

    def drop_lists(self, players: Iterable[str]) -> None:
        """Drops what is known of the games of these people: it is out of date."""
        for player in players:
            self._kept.pop(player, None)
            # Those who have asked already may get the old list; those who ask from now on do not.
            self._readings.forget(player)

    def show_game(self, game: Game) -> None:
        """A game has changed: the lists of its players are out of date."""
        self.drop_lists(player.id for player in game.players)

    def remove_game(self, deleted: Deleted) -> None:
        """A game is no longer on anybody's list."""
        self.drop_lists(deleted.players)

    async def _read(self, player: str) -> Sequence[RunningGame]:
        games = await self._services.store.running_of(player)
        if self._readings.is_current(player):
            self._kept[player] = _Kept(games, self._services.now())
        return games


SHOWN: Final = 8
"""The others are on a page of their own."""


class YourGamesFeed(GameObserver):
    """`pages` of the lobby's socket become its listeners when they ask."""

    def __init__(self, services: Services, running: RunningGames) -> None:
        self._services = services
        self._running = running
        self._pages = Subscribers()
        self._telling: set[str] = set()
        self._news: dict[str, str | None] = {}
        """By person, what is yet to be sent: the game in which it has become their turn; None: only the list."""
        self._said: dict[str, tuple[Sequence[RunningGame], str]] = {}
        """By person: the list last sent to a page that had just opened, and its text."""
        self._unheard: BoundedDict[str, tuple[RematchOffered, int]] = BoundedDict(MAX_UNHEARD)
        """By person: the rematch that was offered while they had no page open, and when (ms)."""

    def subscribe(self, subscriber: Subscriber) -> None:
        """As `Feed.subscribe`: tells a page of the games of its player; one without a name hears nothing."""
        if subscriber.player is not None:
            self._pages.add(subscriber)
            self._services.background.spawn(self._answer(subscriber, subscriber.player.id))
            offered, at = self._unheard.pop(subscriber.player.id, (None, 0))
            if offered is not None and self._services.now() - at < UNHEARD_MS:
                self._services.background.spawn(self._tell_of_rematch(subscriber, offered))

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """As `Feed.unsubscribe`."""
        self._pages.remove(subscriber)
        if subscriber.player is not None:
            self._said.pop(subscriber.player.id, None)

    def show_game(self, game: Game) -> None:
        """A game has changed: tells its players, unless it is real-time and just goes on."""
        if just_goes_on(game):
            return
        for player in game.players:
            self._show_soon(player.id)

    def turn_passed(self, game: str, player: str) -> None:
        """It is the turn of `player` there; their pages say so."""
        self._show_soon(player, game)

    def remove_game(self, deleted: Deleted) -> None:
        """A game is no longer on anybody's list."""
        for player in deleted.players:
            self._show_soon(player)

    async def hear_stored_game(self, stored: GameStored) -> None:
        """Another process has stored the game of `stored`, which is not followed here. Raises Unavailable."""
        if self._pages.people.isdisjoint(stored.players):
            return
        game = await self._services.store.load(stored.game)
        if game is not None:
            self.show_game(game)

    async def catch_up(self, people: Collection[str]) -> None:
        """What another process told of the games of these people (ids) may have been missed: tells them anew.

        One after the other: it may be everybody who is here.
        """
        self._running.drop_lists(people)
        for player in people:
            if player in self._pages.people:
                self._news.setdefault(player, None)
                if player not in self._telling:
                    self._telling.add(player)
                    await self._show(player)

    def _show_soon(self, player: str, news: str | None = None) -> None:
        """However much happens at once, one list is on its way to a person and at most one more waits."""
        if player not in self._pages.people:
            return
        self._news[player] = news or self._news.get(player)
        if player not in self._telling:
            self._telling.add(player)
            self._services.background.spawn(self._show(player))

    async def _show(self, player: str) -> None:
        try:
            while player in self._news:
                news = self._news.pop(player)
                self._pages.show_people(self._text(await self._running.games_of(player), news), {player})
        except StoreError:
            # The next change, or a page that opens anew, brings the list.
            self._news.pop(player, None)
        finally:
            self._telling.discard(player)

    async def _answer(self, subscriber: Subscriber, player: str) -> None:
        """The list for a page that has just opened."""
        try:
            games = await self._running.games_of(player)
        except StoreError:
            return
        if subscriber in self._pages:
            said = self._said.get(player)
            if said is None or said[0] is not games:
                said = self._said[player] = games, self._text(games, None)
            subscriber.outbox.put(said[1])

    def keep_rematch(self, offered: RematchOffered) -> None:
        """Nobody saw it, as its receiver had no page open: the next one that opens soon is told."""
        self._unheard[offered.player] = offered, self._services.now()

    def forget_rematch(self, shown: RematchShown) -> None:
        """A page at another process has shown it: the next one here is not told again."""
        offered, _ = self._unheard.get(shown.player, (None, 0))
        if offered is not None and offered.game == shown.game:
            del self._unheard[shown.player]

    async def _tell_of_rematch(self, subscriber: Subscriber, offered: RematchOffered) -> None:
        """Tells a page that has just opened, unless the offer is no longer open."""
        with suppress(StoreError):
            game = await self._services.store.load(offered.game)
            open_offers = () if game is None else game.offers
            if subscriber in self._pages and any(offer.kind is OfferKind.REMATCH for offer in open_offers):
                subscriber.outbox.put(_rematch_text(offered))
                self._services.bus.tell(RematchShown(offered.game, offered.player))

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


TOLD_AT_ONCE: Final = 100
"""People whom one notice names."""
PersonalNotice = ChallengeMade | MessageLeft | RematchOffered | RematchShown | TurnPassed | TournamentSoon
"""The notices to people, wherever they have a page open."""


class OpenPages:
    """A subscriber to domain events. `lobby`: the pages that show it, which every page of a player does."""

    def __init__(self, services: Services, lobby: Subscribers, games: YourGamesFeed) -> None:
        self._services = services
        self._lobby = lobby
        self._games = games

    def hear_event(self, event: DomainEvent) -> None:
        """Tells the pages here, and has the other processes tell theirs."""
        notice: PersonalNotice
        match event:
            case Challenged(game, player, by) if not self._is_kept_apart(game, player):
                proposer = "" if game.proposer is None else game.proposer.name
                notice = ChallengeMade(game.id, player.id, by.name, is_proposed(game), proposer)
            case YourTurn(game, player):
                notice = TurnPassed(game.id, player.id)
            case Paired(game) if not game.terms.control.by_the_minute and (mover := game.player(game.to_move)):
                notice = TurnPassed(game.id, mover.id)
            case MessageWritten(game, player, speaker, away=True) if self._is_heard(speaker, player.id):
                notice = MessageLeft(game.id, player.id, _name_of(speaker, game))
            case OfferMade(game, player, OfferKind.REMATCH, away=True):
                other = next((one for one in game.players if one.id != player.id), None)
                if other is None or not self._is_heard(other.id, player.id):
                    return
                notice = RematchOffered(game.id, player.id, other.name)
            case _:
                return
        # First, as it may be followed by the word that it was shown here.
        self._services.bus.tell(notice)
        self.show_notice(notice)

    def _is_kept_apart(self, game: Game, player: Player) -> bool:
        """Is somebody named in `game`, who may have proposed it to two others, kept apart from `player`?"""
        return any(self._services.blocks.are_apart(player.id, one.id) for one in named_in(game))

    def _is_heard(self, speaker: str, reader: str) -> bool:
        return speaker not in self._services.blocks.unheard_by(reader)

    def remind_players(self, tournament: str, name: str, people: Sequence[str]) -> None:
        """Tells people (ids) that a tournament (an id) begins soon, on all processes."""
        for begin in range(0, len(people), TOLD_AT_ONCE):
            notice = TournamentSoon(tournament, name, tuple(people[begin : begin + TOLD_AT_ONCE]))
            self._services.bus.tell(notice)
            self.show_notice(notice)

    def show_notice(self, notice: PersonalNotice) -> None:
        """Tells the pages here."""
        match notice:
            case ChallengeMade():
                proposed, proposer = notice.proposed or None, notice.proposer or None
                asked = messages.Challenged(game=notice.game, by=notice.by, proposed=proposed, proposer=proposer)
                self._lobby.show_people(encode(asked), {notice.player})
            case MessageLeft(game, player, by):
                self._lobby.show_people(encode(messages.Written(game=game, by=by)), {player})
            case RematchOffered():
                if notice.player in self._lobby.people:
                    self._lobby.show_people(_rematch_text(notice), {notice.player})
                    self._services.bus.tell(RematchShown(notice.game, notice.player))
                else:
                    self._games.keep_rematch(notice)
            case RematchShown():
                self._games.forget_rematch(notice)
            case TurnPassed(game, player):
                self._games.turn_passed(game, player)
            case TournamentSoon(tournament, name, people):
                said = messages.TournamentSoon(tournament=tournament, name=name)
                self._lobby.show_people(encode(said), frozenset(people))


def _rematch_text(offered: RematchOffered) -> str:
    return encode(messages.RematchOffered(game=offered.game, by=offered.by))


def _name_of(player: str, game: Game) -> str:
    return next((one.name for one in game.players if one.id == player), "")
