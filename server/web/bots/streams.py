"""The streams of the Bot API: of an account's events, and of one game of a bot. Lines of JSON, open until they end.

The event stream subscribes to the lobby like a page, so whatever its person is told on open pages, by whatever process,
wakes it; then it compares what stands now with what it told last. The game stream subscribes to the round like a page,
so the bot is at the board as long as it reads, on any process; its lines are made from the round as it stands.

Nothing is queued for a reader: the next line is made when there is room for it (see `WakingOutbox`). A stream
ends with its token, as sockets do with their sessions (`close_what_has_ended`). A store that is away ends none.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

import orjson
from aiohttp import web

from server.games.changes.beginning import challenged_player, named_in
from server.games.people import Scope
from server.games.player import Player
from server.games.state import Game
from server.games.status import Status
from server.games.tournaments.tournament import Tournament
from server.realtime.cluster.bus import SessionsEnded
from server.realtime.cluster.presence import PresenceState
from server.realtime.play import views
from server.realtime.play.round import Round
from server.realtime.play.round_subscribers import RoundSubscriber
from server.realtime.protocol.feed import Subscriber
from server.realtime.protocol.lobby_messages import LobbyHi
from server.realtime.protocol.outbox import WakingOutbox
from server.realtime.protocol.wire import PROTOCOL
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from server.storage.running import RunningGame
from server.storage.stores import ChatLine
from server.web.bots.answers import BotEvent, BotGameLine
from server.web.bots.callers import Caller, by_token, for_bots, ratings_of, readable_game, tournament_of
from server.web.bots.game_api import seat_of
from server.web.bots.shapes import (
    ChallengeStatus,
    Ratings,
    challenge_shape,
    changes_of,
    decline_shape,
    game_event,
    game_full,
    game_state,
)
from server.web.budgets.buckets import ConnectionCounter
from server.web.openapi.operation import NDJSON, Media, described
from server.web.rendering.problems import Problem
from server.web.site import SITE, Site

PER_ACCOUNT: Final = 64
"""Streams of one account at once, one of them of its events."""
KEEP_ALIVE_S: Final = 6.0
"""An empty line that often tells both sides that the other is there; clients of lichess wait for 15 seconds."""
SEND_S: Final = 10.0
"""A client that reads nothing for this long is disconnected."""
UNACKNOWLEDGED_MS: Final = 20_000
"""The same for one whose connection is dead, where the system can tell."""


PAUSE_S: Final = 0.05
"""Between two looks of an event stream: in a busy lobby there is something new all the time."""
ROOM_NAMES: Final = {"players": "player", "watchers": "spectator"}
Line = dict[str, Any]
Known = tuple[Game, Ratings, Tournament | None]
"""A game, the ratings of White and Black, and its tournament."""


@dataclass(slots=True)
class OpenStreams:
    """The streams of this process."""

    connections: ConnectionCounter = field(default_factory=ConnectionCounter)
    of_events: dict[str, WakingOutbox] = field(default_factory=dict)
    """By token: a new stream of events takes the place of the old one."""
    by_token: dict[str, set[WakingOutbox]] = field(default_factory=dict)
    """What each open stream reads with, by the hashes of tokens."""

    @asynccontextmanager
    async def count_stream(self, caller: Caller, wake: WakingOutbox) -> AsyncIterator[None]:
        """Counts one more stream of the caller, woken by `wake`, until the block ends.

        Raises Problem (429) if they have as many as an account may have.
        """
        account, token = caller.account.user, caller.token.hashed
        if not self.connections.free(account, PER_ACCOUNT):
            raise Problem(429, "too_many_streams", retry_after=30)
        self.connections.add((account,))
        self.by_token.setdefault(token, set()).add(wake)
        try:
            yield
        finally:
            self.connections.remove((account,))
            self.by_token[token].discard(wake)
            if not self.by_token[token]:
                del self.by_token[token]

    @property
    def tokens(self) -> Collection[str]:
        """The hashes of the tokens that read something."""
        return self.by_token.keys()

    def close_streams(self, ended: SessionsEnded) -> None:
        """Ends the streams of the tokens that have ended."""
        for token in ended.sessions & self.by_token.keys():
            for wake in self.by_token[token]:
                wake.close(ended.code)


OPEN_STREAMS = web.AppKey("OPEN_STREAMS", OpenStreams)


class LineStream:
    """The lines of one answer, each a JSON object. `wake` says when to look for more."""

    def __init__(self, request: web.Request, wake: WakingOutbox) -> None:
        self._wake = wake
        self._request = request
        self._answer = web.StreamResponse(headers={"Content-Type": NDJSON, "X-Accel-Buffering": "no"})

    async def send_head(self) -> web.StreamResponse:
        """Begins the answer. Raises Problem (503) if the server is about to stop."""
        if self._request.app[SITE].open_sockets.draining:
            raise Problem(503, "restarting", retry_after=5)
        await self._answer.prepare(self._request)
        connection = None if self._request.transport is None else self._request.transport.get_extra_info("socket")
        if connection is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
        return self._answer

    async def send_lines(self, lines: Iterable[Line]) -> None:
        """Raises ConnectionResetError if the reader is gone or too slow."""
        text = b"".join(orjson.dumps(line) + b"\n" for line in lines)
        if text:
            await self._send(text)

    async def _send(self, text: bytes) -> None:
        try:
            async with asyncio.timeout(SEND_S):
                await self._answer.write(text)
        except TimeoutError:
            if self._request.transport is not None:
                self._request.transport.abort()
            raise ConnectionResetError("The reader of a stream reads nothing.") from None

    async def wait_for_news(self) -> bool:
        """Waits for news; False when the stream has to end.

        The stream stays open while the store is away: bots could only come back once it is there, and all at once.
        Raises ConnectionResetError.
        """
        if not await self._wake.news(KEEP_ALIVE_S) and not self._wake.closed:
            await self._send(b"\n")
        return not self._wake.closed


@described(answers={200: Media(NDJSON, BotGameLine)}, refused=(400, 401))
@for_bots
async def game_stream(request: web.Request, caller: Caller) -> web.StreamResponse:
    """GET /api/bot/game/stream/{game}: the game, and then each change of it, until it is over."""
    site = request.app[SITE]
    found, color = await seat_of(request, caller)
    wake = WakingOutbox()
    stream = LineStream(request, wake)
    subscriber = RoundSubscriber(wake, caller.player)
    async with request.app[OPEN_STREAMS].count_stream(caller, wake):
        answer = await stream.send_head()
        found.subscribe(subscriber, "", -1, site.now())
        try:
            lines = GameLines(site, found, color)
            await stream.send_lines([lines.first_line()])
            while not lines.is_over and await stream.wait_for_news():
                await stream.send_lines(lines.new_lines())
        except ConnectionResetError:
            pass
        finally:
            found.unsubscribe(subscriber, PresenceState.LOST, site.now())
    return answer


class GameLines:
    """The lines of a game's stream, whose reader plays `color`: what has changed since the last ones."""

    def __init__(self, site: Site, found: Round, color: Color) -> None:
        self._site = site
        self._round = found
        self._color = color
        self._state: tuple[object, ...] = ()
        self._gone = False
        self._heard: set[ChatLine] = set()

    def first_line(self) -> Line:
        """The whole game. What was said before is not repeated."""
        feed = self._round.feed
        self._state = changes_of(feed.shown)
        self._heard = set(feed.chat.lines)
        return game_full(feed.shown, self._site.live.services.bots, feed.ratings, self._site.now())

    @property
    def is_over(self) -> bool:
        return self._round.feed.shown.status is Status.OVER

    def new_lines(self) -> Iterator[Line]:
        """What has changed since."""
        yield from self._chat_lines()
        game = self._round.feed.shown
        if (state := changes_of(game)) != self._state:
            self._state = state
            yield game_state(game, self._site.now())
        if not self.is_over:
            yield from self._presence()

    def _chat_lines(self) -> Iterator[Line]:
        lines, game = self._round.feed.chat.lines, self._round.feed.shown
        player = game.player(self._color)
        unheard = self._site.live.services.blocks.unheard_by(None if player is None else player.id)
        for line in lines:
            readable = views.may_read(line, game, self._color) and line.player not in unheard
            if line not in self._heard and readable:
                yield {"type": "chatLine", "room": ROOM_NAMES[line.room], "username": line.name, "text": line.text}
        self._heard = set(lines)

    def _presence(self) -> Iterator[Line]:
        game, presence = self._round.game, self._round.presence
        gone = game.started and presence[self._color.other].state is not PresenceState.HERE
        if gone is self._gone or game.computer is not None:
            return
        self._gone = gone
        claim_at = presence.claimable_at(game, self._color.other)
        wait = {} if claim_at is None else {"claimWinInSeconds": max(0, claim_at - self._site.now()) // 1000}
        yield {"type": "opponentGone", "gone": gone, **wait}


@described(answers={200: Media(NDJSON, BotEvent)}, refused=(401,))
@by_token(Scope.BOT_PLAY, Scope.CHALLENGE_READ)
async def event_stream(request: web.Request, caller: Caller) -> web.StreamResponse:
    """GET /api/stream/event: challenges and games that stand, and then what happens.

    Another one with the same token ends this one.
    """
    site, streams = request.app[SITE], request.app[OPEN_STREAMS]
    # Seeks that come and go are no news here: with each of them every stream would read the store.
    wake, key = WakingOutbox(own_only=True), caller.token.hashed
    stream = LineStream(request, wake)
    page = Subscriber(wake, caller.player)
    async with streams.count_stream(caller, wake):
        answer = await stream.send_head()
        if (former := streams.of_events.get(key)) is not None:
            former.close(1000)
        streams.of_events[key] = wake
        site.live.lobby.subscribe(page, LobbyHi(t="hi", proto=PROTOCOL, games=1))
        try:
            await send_events(AccountEvents(site, caller.account.user), stream)
        except ConnectionResetError:
            pass
        finally:
            site.live.lobby.unsubscribe(page)
            if streams.of_events.get(key) is wake:
                del streams.of_events[key]
    return answer


async def send_events(events: "AccountEvents", stream: LineStream) -> None:
    """Returns when the stream has to end. What the store cannot say now is sent later. Raises ConnectionResetError."""
    while True:
        with suppress(Unavailable):
            await stream.send_lines(await events.read_new())
        if not await stream.wait_for_news():
            return
        await asyncio.sleep(PAUSE_S)


class Stage(Enum):
    """How a game stands for somebody."""

    ASKED = "they are challenged"
    ASKING = "they challenge somebody by name"
    PLAYING = "they play"
    WAITING = "anybody with a link may join, which is no news"


@dataclass(frozen=True, slots=True)
class LastTold:
    """What somebody was told of a game. `asked`: the player who was challenged, if any."""

    stage: Stage
    asked: Player | None = None


def told_of(game: Game, person: str) -> LastTold | None:
    """What there is to tell `person` (an id) about the game; None: nothing, or no longer anything."""
    seated = game.color_of(person) is not None
    if game.status is not Status.OPEN:
        return LastTold(Stage.PLAYING) if seated and game.status is not Status.OVER else None
    asked = challenged_player(game)
    if asked is not None and asked.id == person:
        return LastTold(Stage.ASKED, asked)
    if not seated:
        return None
    return LastTold(Stage.WAITING) if asked is None else LastTold(Stage.ASKING, asked)


class AccountEvents:
    """The events of `person` (an id): what has changed in their challenges and games since they were last told.

    Everything follows from the present state, so no event can be missed, however much happens between two looks.
    """

    def __init__(self, site: Site, person: str) -> None:
        self._site = site
        self._person = person
        self._told: dict[str, LastTold] = {}

    async def read_new(self) -> list[Line]:
        """The events since the last call. Raises Unavailable."""
        before, (after, games) = self._told, await self._look()
        self._told = after
        return [
            event
            for game_id in before.keys() | after.keys()
            if game_id in games
            for event in self._events(before.get(game_id), after.get(game_id), games[game_id])
        ]

    async def _look(self) -> tuple[dict[str, LastTold], dict[str, Known]]:
        """How everything stands, and the games that may differ from what was told. Raises Unavailable."""
        site, person = self._site, self._person
        asking = await site.store.challenges.of(person)
        running = {one.id: one for one in await site.live.running_games.games_of(person)}
        after: dict[str, LastTold] = {}
        games: dict[str, Known] = {}
        for game_id in {*asking, *running, *self._told}:
            was = self._told.get(game_id)
            if was is not None and _is_unchanged(was, running.get(game_id)):
                after[game_id] = was
                continue
            game = await readable_game(site, game_id)
            if game is None or self._is_kept_apart(game):
                continue
            games[game_id] = game, await ratings_of(site, game), await tournament_of(site, game)
            if (now := told_of(game, person)) is not None:
                after[game_id] = now
        return after, games

    def _is_kept_apart(self, game: Game) -> bool:
        """Is the game a challenge by somebody whom the person has blocked, or who has blocked them?"""
        blocks = self._site.live.services.blocks
        return game.status is Status.OPEN and any(blocks.are_apart(self._person, one.id) for one in named_in(game))

    def _events(self, was: LastTold | None, now: LastTold | None, known: Known) -> Iterator[Line]:
        game = known[0]
        if now is not None:
            if was is not None and was.stage is now.stage:
                return
            if now.stage is Stage.PLAYING:
                yield self._game_event("gameStart", *known)
            elif now.asked is not None:
                yield self._challenge_event("challenge", game, now.asked, "created")
        elif was is not None:
            yield from self._last_events(was, known)

    def _last_events(self, was: LastTold, known: Known) -> Iterator[Line]:
        """What is to be told of a game that no longer concerns the person."""
        game = known[0]
        if game.white is not None and game.black is not None and game.color_of(self._person) is not None:
            if was.stage is not Stage.PLAYING:
                # It has begun and ended since the last look.
                yield self._game_event("gameStart", *known)
            yield self._game_event("gameFinish", *known)
        elif was.asked is not None:
            if game.outcome is None or game.outcome.reason != "declined":
                yield self._challenge_event("challengeCanceled", game, was.asked, "canceled")
            elif was.stage is Stage.ASKING:
                event = self._challenge_event("challengeDeclined", game, was.asked, "declined")
                yield {**event, "challenge": {**event["challenge"], **decline_shape(game)}}

    def _game_event(self, kind: str, game: Game, ratings: Ratings, tournament: Tournament | None) -> Line:
        color = game.color_of(self._person)
        assert color is not None
        bots = self._site.live.services.bots
        return {"type": kind, "game": game_event(game, color, bots, ratings, self._site.now(), tournament)}

    def _challenge_event(self, kind: str, game: Game, asked: Player, status: ChallengeStatus) -> Line:
        shape = challenge_shape(game, asked, self._site.live.services.bots, self._site.settings.address, status)
        return {"type": kind, "challenge": shape, "compat": {"bot": not game.terms.rated, "board": True}}


def _is_unchanged(was: LastTold, running: RunningGame | None) -> bool:
    """Is it certain without reading the game that nothing is new? A note of a challenge may outlive it."""
    if running is None or was.stage is Stage.ASKED:
        return False
    return (running.status == Status.OPEN) is (was.stage is not Stage.PLAYING)
