"""The front page: what it shows of the variants, of the reader's games and of what they have learnt."""

import asyncio
from typing import Any

from aiohttp import web

from server.games.clocks.time_control import BANK_DAYS, DAYS
from server.web.api import me
from server.web.board_data import emblems, featured_variant, script_safe, to_json
from server.web.languages import language_of, variant_names
from server.web.lessons.handlers import done_by
from server.web.lessons.lesson_book import LESSONS
from server.web.lobby.challenges import challenges_to, words_of
from server.web.lobby.your_games import as_tiles, strip
from server.web.rendering.answers import as_page
from server.web.rendering.page_cache import cached_for_all
from server.web.session import Visitor
from server.web.site import SITE


async def home(request: web.Request) -> web.StreamResponse:
    """GET /: every variant with a live board, one click to a link or an opponent, and the visitor's games.

    `?to`: whom it challenges; `?registered`: after an account was made.
    """
    visitor = await request.app[SITE].sessions.find(request)
    return await (strangers_home(request) if visitor is None else home_of(request, visitor))


@cached_for_all
async def strangers_home(request: web.Request) -> web.Response:
    """The front page for strangers. Browsers must not keep it: people who create a game and go back have to find it."""
    answer = await home_of(request, None)
    answer.headers["Cache-Control"] = "no-store"
    return answer


async def home_of(request: web.Request, visitor: Visitor | None) -> web.Response:
    """The front page for this visitor."""
    site, member = request.app[SITE], await request.app[SITE].sessions.member(request)
    shown, more = ([], 0) if visitor is None else await strip(site, visitor.user.id)
    challenges = [] if visitor is None else await challenges_to(site, visitor.player)
    tasks = await asyncio.to_thread(request.app[LESSONS].tasks, language_of(request).code)
    return await as_page(
        request,
        "home/home.html",
        page=await facts(
            request,
            visitor,
            {"games": as_tiles(shown, site.now(), site.live.services.bots), "more": more, "tasks": tasks},
        ),
        variants=site.variants.values(),
        emblems=emblems(site.variants),
        shapes=site.variants,
        shown=next(iter(site.variants.values())),
        featured=featured_variant(site.variants),
        tasks=tasks,
        days_per_move=DAYS,
        banks=BANK_DAYS,
        games=shown,
        more_games=more,
        now=site.now(),
        challenges=[(one, words_of(one, language_of(request), variant_names(request))) for one in challenges],
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
    known = more | {"me": me(visitor) or None, "done": await done_by(request)}
    starts = site.starts[language_of(request).code]
    return script_safe(f'{{"variants":{starts},{to_json(known)[1:]}')
