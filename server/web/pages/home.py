"""The front page: what it shows of the variants, of the reader's games and of what they have learnt."""

import asyncio
from collections import Counter
from typing import Any, Final

from aiohttp import web
from typing_extensions import TypedDict

from server.games.clocks.time_control import BANK_DAYS, DAYS
from server.realtime.play.round import Round
from server.realtime.protocol.tv_messages import Board
from server.realtime.protocol.wire import clock_text
from server.realtime.tournaments import ListedTournaments, NextTournament
from server.realtime.tv import board_of, tv_rank, worth_showing
from server.storage.protocols.archive import GameSummary, Search
from server.web.board_data import emblems, featured_variant, script_safe, to_json
from server.web.games.api import me
from server.web.games.challenges import challenge_in_words, challenges_to
from server.web.games.your_games import games_as_tiles, games_on_strip
from server.web.languages import language_of, variant_names
from server.web.lessons import LESSONS, steps_done
from server.web.openapi.operation import described
from server.web.rendering.answers import as_json, as_page
from server.web.rendering.page_cache import render_once
from server.web.session import Visitor
from server.web.site import SITE, Site
from server.web.tournaments import Line, line_of

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


@described(answers={200: HappeningNow})
async def site_now(request: web.Request) -> web.StreamResponse:
    """GET /api/now: what happens on the site just now. Looked up anew every two seconds."""
    name = f"{request.path} {request.app[SITE].now() // KEPT_MS}"
    return await render_once(request, name, look_around, depends_on_context=False)


async def look_around(request: web.Request) -> web.Response:
    """`HappeningNow`. Raises Unavailable."""
    site = request.app[SITE]
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
    happening = {
        "people": len(site.live.lobby.online.people),
        "playing": len(games),
        "variants": Counter(one.game.terms.variant.id for one in games),
        "board": None if board is None else board.model_dump(mode="json", exclude_none=True),
        "last": await last_game(site) if board is None else None,
    }
    return as_json(happening, headers={"Cache-Control": "no-store"})


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


async def home(request: web.Request) -> web.StreamResponse:
    """GET /: every variant with a live board, one click to a link or an opponent, and the visitor's games.

    `?to`: whom it challenges; `?registered`: after an account was made.
    """
    visitor = await request.app[SITE].sessions.find(request)
    cup = await request.app[SITE].live.tournaments.next_up()
    return await (strangers_home(request, cup) if visitor is None else home_of(request, visitor, cup))


async def strangers_home(request: web.Request, cup: NextTournament | None) -> web.StreamResponse:
    """The front page for strangers, made anew when another tournament is the next one, or more people join it."""
    name = request.path if cup is None else f"{request.path} {cup.tournament.id} {cup.joined} {cup.runs}"

    async def unkept_home(request: web.Request) -> web.Response:
        # Browsers must not keep it: people who create a game and go back have to find it.
        answer = await home_of(request, None, cup)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    return await render_once(request, name, unkept_home)


def card_of(request: web.Request, cup: NextTournament | None) -> Line | None:
    """That tournament as the list shows it."""
    if cup is None:
        return None
    one = cup.tournament
    running, coming = ((one,), ()) if cup.runs else ((), (one,))
    return line_of(request, one, ListedTournaments(running, coming, (), {one.id: cup.joined}, frozenset()))


async def home_of(request: web.Request, visitor: Visitor | None, cup: NextTournament | None) -> web.Response:
    """The front page for this visitor, with the tournament that is played, or begins next."""
    site, member = request.app[SITE], await request.app[SITE].sessions.member(request)
    shown, more = ([], 0) if visitor is None else await games_on_strip(site, visitor.user.id)
    challenges = [] if visitor is None else await challenges_to(site, visitor.player)
    tasks = await asyncio.to_thread(request.app[LESSONS].task_names, language_of(request).code)
    return await as_page(
        request,
        "home/home.html",
        page=await facts(
            request,
            visitor,
            {"games": games_as_tiles(shown, site.now(), site.live.services.bots), "more": more, "tasks": tasks},
        ),
        variants=site.offered.values(),
        emblems=emblems(site.variants),
        shapes=site.variants,
        shown=next(iter(site.offered.values())),
        featured=featured_variant(site.offered),
        tasks=tasks,
        days_per_move=DAYS,
        banks=BANK_DAYS,
        games=shown,
        more_games=more,
        now=site.now(),
        challenges=[(one, challenge_in_words(one, language_of(request), variant_names(request))) for one in challenges],
        cup=card_of(request, cup),
        member=member is not None,
        registered="" if member is None or "registered" not in request.query else member.user.name,
        challenged=await player_in_address(request, member),
    )


async def player_in_address(request: web.Request, member: Visitor | None) -> str:
    """The name of another player whom a registered reader is about to challenge, as profiles link: /?to=Anna; or ""."""
    name = request.query.get("to", "")
    if not name or member is None:
        return ""
    account = await request.app[SITE].store.accounts.find(name)
    return "" if account is None or account.user == member.user.id else account.name


async def facts(request: web.Request, visitor: Visitor | None, more: dict[str, Any]) -> str:
    """What the script of the page needs, as JSON."""
    site = request.app[SITE]
    known = more | {"me": me(visitor) or None, "done": await steps_done(request)}
    starts = await site.starts[language_of(request).code].in_order(site.offered)
    return script_safe(f'{{"variants":{starts},{to_json(known)[1:]}')
