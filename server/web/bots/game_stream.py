"""The stream of one game of a bot: the game, and then each change of it, until it is over.

It follows the round as an open page does, so the bot is at the board as long as it reads, on any process. What it reads
is made from the round as it stands, not from the texts that pages get.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from server.games.status import Status
from server.realtime.play import views
from server.realtime.play.round import Round
from server.realtime.play.round_subscribers import RoundSubscriber
from server.realtime.process.presence import PresenceState
from server.realtime.protocol.wake import Wake
from server.rules.variant.pieces import Color
from server.storage.stores import ChatLine
from server.web.bots.callers import Caller, for_bots, people_of_site
from server.web.bots.game_commands import seat_of
from server.web.bots.open_streams import OPEN_STREAMS, LineStream
from server.web.bots.shapes.answers import BotGameLine
from server.web.bots.shapes.games import changes_of, game_full, game_state
from server.web.openapi.operation import NDJSON, Media, described
from server.web.site import SITE, Site

ROOM_NAMES = {"players": "player", "watchers": "spectator"}


@described(answers={200: Media(NDJSON, BotGameLine)}, refused=(400, 401))
@for_bots
async def game_stream(request: web.Request, caller: Caller) -> web.StreamResponse:
    """GET /api/bot/game/stream/{game}: the game, and then each change of it, until it is over."""
    site = request.app[SITE]
    found, color = await seat_of(request, caller)
    wake = Wake()
    lines = LineStream(request, caller, wake)
    subscriber = RoundSubscriber(wake, caller.player)
    async with request.app[OPEN_STREAMS].counted(caller.account.user):
        answer = await lines.open()
        found.subscribe(subscriber, "", -1, site.now())
        try:
            await follow(Following(site, found, color), lines)
        except ConnectionResetError:
            pass
        finally:
            found.unsubscribe(subscriber, False, site.now())
    return answer


@dataclass(slots=True)
class Following:
    """What the reader of a game's stream, who plays `color`, has been told so far."""

    site: Site
    round: Round
    color: Color
    _state: tuple[object, ...] = ()
    _gone: bool = False
    _heard: set[ChatLine] = field(default_factory=set)

    def begin(self) -> dict[str, Any]:
        """The first line. What was said before is not repeated."""
        game, ratings = self.round.feed.shown, self.round.feed.ratings
        self._state = changes_of(game)
        self._heard = set(self.round.feed.chat.lines)
        return game_full(game, people_of_site(self.site), ratings, self.site.now())

    @property
    def is_over(self) -> bool:
        return self.round.feed.shown.status is Status.OVER

    def news(self) -> Iterator[dict[str, Any]]:
        """What has changed since."""
        yield from self._said()
        game = self.round.feed.shown
        if (state := changes_of(game)) != self._state:
            self._state = state
            yield game_state(game, self.site.now())
        if not self.is_over:
            yield from self._presence()

    def _said(self) -> Iterator[dict[str, Any]]:
        lines = self.round.feed.chat.lines
        player = self.round.feed.shown.player(self.color)
        unheard = self.site.live.services.blocks.unheard_by(None if player is None else player.id)
        for line in lines:
            readable = views.may_read(line, self.round.feed.shown, self.color) and line.player not in unheard
            if line not in self._heard and readable:
                yield {
                    "type": "chatLine",
                    "room": ROOM_NAMES[line.room],
                    "username": line.name,
                    "text": line.text,
                }
        self._heard = set(lines)

    def _presence(self) -> Iterator[dict[str, Any]]:
        game, presence = self.round.game, self.round.presence
        gone = game.started and presence[self.color.other].state is not PresenceState.HERE
        if gone is self._gone or game.computer is not None:
            return
        self._gone = gone
        claim_at = presence.claimable_at(game, self.color.other)
        wait = {} if claim_at is None else {"claimWinInSeconds": max(0, claim_at - self.site.now()) // 1000}
        yield {"type": "opponentGone", "gone": gone, **wait}


async def follow(following: Following, lines: LineStream) -> None:
    """Follows the game until it is over or the stream has to end. Raises ConnectionResetError, Unavailable."""
    await lines.write([following.begin()])
    while not following.is_over:
        if not await lines.goes_on():
            return
        await lines.write(following.news())
