"""The stream of an account's events: challenges, and games that begin and end.

It is a page of the lobby like any other, so whatever reaches open pages on whatever process wakes it; then it looks
at what stands now.
"""

import asyncio
from collections.abc import Mapping
from typing import Final

from aiohttp import web

from server.games.changes.beginning import named_in
from server.games.people.api_tokens import Scope
from server.games.state import Game
from server.games.status import Status
from server.realtime.protocol.feed import Subscriber
from server.realtime.protocol.lobby_messages import LobbyHi
from server.realtime.protocol.wake import Wake
from server.realtime.protocol.wire import PROTOCOL
from server.storage.errors import Unreadable
from server.storage.running import RunningGame
from server.web.bots.callers import Caller, by_token, people_of_site
from server.web.bots.news import EventWriter, LastTold, Stage, told_of
from server.web.bots.open_streams import OPEN_STREAMS, LineStream
from server.web.bots.shapes.answers import BotEvent
from server.web.openapi.operation import NDJSON, Media, described
from server.web.site import SITE, Site

PAUSE_S: Final = 0.05
"""Between two looks: in a busy lobby there is something new all the time."""


@described(answers={200: Media(NDJSON, BotEvent)}, refused=(401,))
@by_token(Scope.BOT_PLAY, Scope.CHALLENGE_READ)
async def event_stream(request: web.Request, caller: Caller) -> web.StreamResponse:
    """GET /api/stream/event: challenges and games that stand, and then what happens.

    Another one with the same token ends this one.
    """
    site, streams = request.app[SITE], request.app[OPEN_STREAMS]
    wake, key = Wake(), caller.token.hashed
    lines = LineStream(request, caller, wake)
    page = Subscriber(wake, caller.player)
    async with streams.counted(caller.account.user):
        answer = await lines.open()
        if (former := streams.of_events.get(key)) is not None:
            former.close(1000)
        streams.of_events[key] = wake
        site.live.lobby.feed.subscribe(page, LobbyHi(t="hi", proto=PROTOCOL, games=1))
        try:
            await tell(site, caller, lines)
        except ConnectionResetError:
            pass
        finally:
            site.live.lobby.feed.unsubscribe(page)
            if streams.of_events.get(key) is wake:
                del streams.of_events[key]
    return answer


async def tell(site: Site, caller: Caller, lines: LineStream) -> None:
    """Returns when the stream has to end. Raises ConnectionResetError, Unavailable."""
    writer = EventWriter(caller.account.user, people_of_site(site), site.settings.address, site.now)
    told: dict[str, LastTold] = {}
    while True:
        after, games = await look(site, caller.account.user, told)
        await lines.write(writer.news(told, after, games))
        told = after
        if not await lines.goes_on():
            return
        await asyncio.sleep(PAUSE_S)


async def look(site: Site, person: str, told: Mapping[str, LastTold]) -> tuple[dict[str, LastTold], dict[str, Game]]:
    """How everything stands for `person` (an id), and the games that may differ from what they were `told`.

    Raises Unavailable.
    """
    asking = await site.store.challenges.of(person)
    running = {one.id: one for one in await site.live.running_games.of(person)}
    after: dict[str, LastTold] = {}
    games: dict[str, Game] = {}
    for game_id in {*asking, *running, *told}:
        was = told.get(game_id)
        if was is not None and _stands(was, running.get(game_id)):
            after[game_id] = was
            continue
        game = await _game(site, game_id)
        if game is None or _is_kept_apart(site, person, game):
            continue
        games[game_id] = game
        if (now := told_of(game, person)) is not None:
            after[game_id] = now
    return after, games


def _stands(was: LastTold, running: RunningGame | None) -> bool:
    """Is it certain without reading the game that nothing is new? A note of a challenge may outlive it."""
    if running is None or was.stage is Stage.ASKED:
        return False
    return (running.status == Status.OPEN) is (was.stage is not Stage.PLAYING)


async def _game(site: Site, game_id: str) -> Game | None:
    try:
        return await site.game(game_id)
    except Unreadable:
        return None


def _is_kept_apart(site: Site, person: str, game: Game) -> bool:
    """Does somebody whom `person` has blocked, or who has blocked them, challenge them?"""
    if game.status is not Status.OPEN:
        return False
    return any(site.live.services.blocks.are_apart(person, one.id) for one in named_in(game))
