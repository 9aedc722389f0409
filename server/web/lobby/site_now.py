"""What happens on the site just now, for the front page: people, games in play, and one game to look at.

It is the same for everybody, so it is looked up once for all who ask within `KEPT_MS`.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import web
from typing_extensions import TypedDict

from server.realtime.lobby.views import clock_text
from server.realtime.play.round import Round
from server.realtime.process.single_flight import SingleFlight
from server.realtime.protocol.tv_messages import Board
from server.realtime.tv.ranking import tv_rank, worth_showing
from server.realtime.tv.views import board_of
from server.storage.protocols.archive import GameSummary, Search
from server.web.openapi.operation import described
from server.web.rendering.answers import as_json
from server.web.site import SITE, Site

KEPT_MS: Final = 2_000


class LastGame(TypedDict):
    """A game that is over. `terms`: its clock, as in the lobby; `fen`: its pieces as a FEN begins with them."""

    game: str
    variant: str
    chess960: bool
    white: str
    black: str
    rated: bool
    terms: str
    fen: str
    result: str | None


class HappeningNow(TypedDict):
    """`people`, `playing`: how many; `variants`: how many games of each that is played, by id.

    `board`: the best game, as on TV; null if none is played on a clock. `last`: without a board, the newest finished
    game, or null.
    """

    people: int
    playing: int
    variants: dict[str, int]
    board: Board | None
    last: LastGame | None


@dataclass(slots=True)
class SiteNow:
    """`until`: how long `known` counts, ms."""

    known: dict[str, Any] = field(default_factory=dict)
    until: int = 0
    looks: SingleFlight[None] = field(default_factory=SingleFlight)

    async def of(self, site: Site) -> dict[str, Any]:
        """`HappeningNow`, JSON-able. Raises Unavailable."""
        if site.now() >= self.until:
            await self.looks.do("now", lambda: self._look(site))
        return self.known

    async def _look(self, site: Site) -> None:
        games: list[Round] = []

        def look(one: Round) -> None:
            if worth_showing(one):
                games.append(one)

        await site.rounds.do_in_each(look)
        best = max(games, key=tv_rank, default=None)
        board = (
            None
            if best is None
            else board_of(best.game, best.feed.watchers, site.now(), best.feed.ratings, site.live.services.bots)
        )
        self.known = {
            "people": len(site.live.lobby.online.people),
            "playing": len(games),
            "variants": Counter(one.game.terms.variant.id for one in games),
            "board": None if board is None else board.model_dump(mode="json", exclude_none=True),
            "last": await last_game(site) if board is None else None,
        }
        self.until = site.now() + KEPT_MS


async def last_game(site: Site) -> LastGame | None:
    """The newest finished game of this site as it is drawn. Raises Unavailable."""
    found = await site.store.archive.page(Search(source="played"), 1)
    return next((finished(one) for one in found.games if one.board and one.variant in site.variants), None)


def finished(one: GameSummary) -> LastGame:
    """The game as JSON. Its variant must be one that this site has."""
    return {
        "game": one.id,
        "variant": one.variant,
        "chess960": one.chess960,
        "white": one.white or "",
        "black": one.black or "",
        "rated": one.rated,
        "terms": clock_text(one.control),
        "fen": one.board,
        "result": one.result,
    }


NOW: Final = web.AppKey("NOW", SiteNow)


@described(answers={200: HappeningNow})
async def site_now(request: web.Request) -> web.Response:
    """GET /api/now: what happens on the site just now. Looked up anew every two seconds."""
    return as_json(await request.app[NOW].of(request.app[SITE]))
