"""Games in frames of other sites: the page of one game, TV of one variant, and oEmbed, by which sites find them.

These pages are the same for everybody: they heed no cookie and set none, change nothing, and are the only ones that a
frame may show, on the sites that the host allows (`embed_origins`). All that one loads has 15 KB at most.
"""

import re
from html import escape
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler
from markupsafe import Markup
from pydantic import Field

from server.games.state import Game
from server.games.status import Status
from server.pictures.board import live_board
from server.pictures.scene import PIECE, POCKET, SQUARE, Scene, View
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.round import Round
from server.rules.errors import Refusal
from server.rules.notation.fen import start_position
from server.rules.variant.variant import Variant
from server.settings import ALL_SITES, Settings
from server.storage.errors import StoreError
from server.web.board_data import script_safe, to_json
from server.web.clock_words import clock_words
from server.web.languages import language_of, names_for, speak
from server.web.middlewares import socket_source
from server.web.pictures.captions import headline
from server.web.pictures.handlers import Appearance, Query, read_query
from server.web.pictures.image_cache import IMAGES
from server.web.rendering.answers import POLICY, TEMPLATE_CONTEXT, as_json, as_page
from server.web.rendering.page_cache import Look, render_once
from server.web.rendering.problems import Problem, with_status
from server.web.site import SITE, find_round, find_variant, name_of, round_of

WIDTH: Final = 400
"""Px of a frame, unless somebody wants another."""
SMALLEST: Final = 160
AROUND: Final = 2 * 40 + 92
"""Px above and below the board, as in static/css/embed.css."""
LIVE_WORDS: Final = (
    *(
        "embed.at_start",
        "embed.live",
        "embed.no_game",
        "embed.no_moves",
        "board.black_checks",
        "board.white_checks",
        "computer.name",
        "round.clock_days",
        "round.deleted_account",
    ),
    *("round.guest_named", "site.disconnected", "watch.empty_variant"),
)
"""What the script says: it comes without the words of other scripts."""
SQUARES: Final = re.compile(r"[a-p]\d{1,2}", re.ASCII)
NO_LOOK: Final = Look(Markup(""), Markup(""))


class Frame(Appearance):
    """How a frame looks, which is as large as its site makes it. `lang`: the code of a language; "", or one that is
    unknown: that of the browser.
    """

    theme: Literal["system", "light", "dark"] = "system"
    lang: Annotated[str, Field(pattern=r"^[A-Za-z-]{0,20}$")] = ""


async def game_frame(request: web.Request) -> web.StreamResponse:
    """GET /embed/{game}: one game, live until it is over, and to be stepped through then."""
    asked = read_frame(request)
    try:
        round_ = await find_round(request)
    except Problem as problem:
        if problem.status != 404:
            raise
        return with_status(await nothing_page(request, asked, language_of(request).t("embed.no_game")), problem)
    site, game = request.app[SITE], round_.game

    async def page(request: web.Request) -> web.Response:
        return await page_of_game(request, asked, round_)

    second = "" if game.status is Status.OVER else site.now() // 1000
    return await render_once(request, f"/embed {game.id} {game.rev} {second} {asked!r}", page)


async def tv_frame(request: web.Request) -> web.StreamResponse:
    """GET /embed/tv/{variant}: the best game of the variant in play, and the next one when that is over."""
    asked = read_frame(request)
    variant = find_variant(request)

    async def page(request: web.Request) -> web.Response:
        language = language_of(request)
        name = names_for(request)[variant.id].name
        return await frame_page(
            request,
            asked,
            variant,
            Scene(start_position(variant)),
            facts={"game": None, "variant": variant.id, "over": False},
            title=language.t("embed.tv_title", variant=name),
            back=f"/watch/{variant.id}",
            link_words=language.t("embed.watch", site=name_of(request.app[SITE])),
            about=name,
            who={"white": "", "black": ""},
            ratings={"white": "", "black": ""},
            state="",
        )

    return await render_once(request, f"/embed tv {variant.id} {asked!r}", page)


def read_frame(request: web.Request) -> Frame:
    """What the address asks for. From here on the request has the language that it names, and nobody's look, as if it
    had no cookie. Raises Problem (400).
    """
    asked = read_query(request, Frame)
    nobody = {"look": NO_LOOK, "notice": None, "restarts_in": None, "visitor": None}
    request[TEMPLATE_CONTEXT] |= {**speak(request, asked.lang), **nobody}
    return asked


async def page_of_game(request: web.Request, asked: Frame, round_: Round) -> web.Response:
    """The page of a game, which has no secret."""
    game, language = round_.game, language_of(request)
    called = names_for(request)[game.terms.variant.id].of_form(game.terms.chess960).name
    who = {"white": game.white, "black": game.black}
    strengths = dict(zip(who, round_.feed.ratings, strict=True))
    over = game.status is Status.OVER
    last = SQUARES.findall(game.plies[-1].uci) if game.plies else ()
    moved = tuple(found for name in last if (found := game.terms.variant.geometry.parse(name)) is not None)
    return await frame_page(
        request,
        asked,
        game.terms.variant,
        Scene(game.position, moved),
        facts={"game": game.id, "variant": game.terms.variant.id, "over": over},
        title=headline(game, language, names_for(request)[game.terms.variant.id].name),
        back=f"/{game.id}",
        link_words=language.t("embed.open", site=name_of(request.app[SITE])),
        about=" · ".join(
            (called, *([clock_words(game.terms.control, language)] if game.import_source is None else []))
        ),
        who={color: language.person(player.name) if player else "" for color, player in who.items()},
        ratings={color: f"{one.rating}{'?' * one.provisional}" if one else "" for color, one in strengths.items()},
        state=game.result.replace("1/2-1/2", "½-½") if over and game.result != "*" else "",
    )


@web.middleware
async def problems_in_frames(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Says in the frame why it shows no game: other pages of this site may not stand in one."""
    if request.match_info.handler not in (game_frame, tv_frame):
        return await handler(request)
    try:
        return await handler(request)
    except Refusal as error:
        problem = error
    except (StorageDown, StoreError):
        problem = Problem(503, "storage", retry_after=5)
    try:
        asked = read_frame(request)
    except Problem:
        asked = Frame()
    said = language_of(request).said(problem)
    return with_status(await nothing_page(request, asked, said), problem)


async def nothing_page(request: web.Request, asked: Frame, words: str) -> web.Response:
    """What a frame shows when it has no game."""
    shown: dict[str, Any] = {"title": words, "back": "/", "link_words": "", "about": "", "state": "", "svg": ""}
    return framed(request, await as_page(request, "embed/embed.html", theme=asked.theme, **shown))


async def frame_page(
    request: web.Request, asked: Frame, variant: Variant, scene: Scene, facts: dict[str, Any], **shown: Any
) -> web.Response:
    """The page with the board at `scene`. `facts`: what its script needs besides; `shown`: what its template does."""
    view = asked.view(variant, "")
    board = live_board(scene, view, request.app[IMAGES].drawings)
    texts = language_of(request).texts
    drawn = {
        "width": view.width,
        "height": view.height,
        "files": variant.files,
        "ranks": variant.ranks,
        "flip": view.flipped,
        "square": SQUARE,
        "piece": PIECE,
        "margin": view.margin,
        "pocket": POCKET,
        "held": variant.pocket.order if variant.pocket else (),
        "kinds": board.kinds,
        "checks": variant.endings.checks,
    }
    pawns = [role.id for role in variant.roles if role.pawn]
    words = {key: texts[key] if len(texts[key]) > 1 else texts[key][0] for key in LIVE_WORDS}
    page = await as_page(
        request,
        "embed/embed.html",
        theme=asked.theme,
        flip=view.flipped,
        svg=Markup(board.svg),
        page=script_safe(to_json({**facts, "pawns": pawns, "drawn": drawn, "words": words})),
        **shown,
    )
    return framed(request, page)


def framed(request: web.Request, page: web.Response) -> web.Response:
    """The page, which sites that the host allows may show in a frame, even if they are isolated."""
    settings = request.app[SITE].settings
    page.headers.update(POLICY)
    page.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    page.headers["Content-Security-Policy"] = frame_policy(request.host, settings)
    page.headers["Vary"] = "Accept-Language"
    return page


def frame_policy(host: str, settings: Settings) -> str:
    """What a frame may load, which is little, and who may show it. `host` has passed `guard`."""
    origins = settings.embed_origins
    ancestors = ALL_SITES if ALL_SITES in origins else " ".join(("'self'", *origins))
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        f"connect-src 'self'{socket_source(host, settings.secure)}; "
        f"base-uri 'none'; form-action 'none'; frame-ancestors {ancestors}; require-trusted-types-for 'script'; "
        "trusted-types 'none'"
    )
    return f"{policy}; upgrade-insecure-requests" if settings.secure else policy


# --- how sites find them ----------------------------------------------------------------------------------------------


class Asked(Query):
    """`url`: a page of this site that a frame can show. The largest frame that its site has room for, px."""

    url: Annotated[str, Field(max_length=2_000)]
    format: Annotated[str, Field(max_length=20)] = "json"
    maxwidth: Annotated[int, Field(ge=SMALLEST, le=10_000)] = WIDTH
    maxheight: Annotated[int, Field(ge=SMALLEST, le=10_000)] = 10_000


PAGES: Final = re.compile(r"/(?:embed/)?(?P<game>[0-9A-Za-z]{10})|/(?:watch|embed/tv)/(?P<variant>[^/]+)")
"""The pages that have a frame."""
AN_HOUR_S: Final = 3_600


async def oembed(request: web.Request) -> web.Response:
    """GET /oembed: how a frame shows the page `url`, as https://oembed.com asks for it. Raises Problem."""
    asked, site = read_query(request, Asked), request.app[SITE]
    if asked.format != "json":
        raise Problem(501, "bad_request", detail="This site answers with JSON only.")
    parts = urlsplit(asked.url)
    page = PAGES.fullmatch(parts.path) if f"{parts.scheme}://{parts.netloc}" == site.settings.address else None
    if page is None:
        raise Problem(404, "not_found")
    language = language_of(request)
    if page["game"]:
        game = (await round_of(request, page["game"])).game
        variant, address, card = game.terms.variant, f"/embed/{game.id}", f"/{game.id}/card.png"
        title = headline(game, language, names_for(request)[variant.id].name).unescape()
    else:
        found = site.variants.get(page["variant"])
        if found is None:
            raise Problem(404, "unknown_variant")
        variant, address, card = found, f"/embed/tv/{found.id}", f"/api/variants/{found.id}/card.png"
        title = language.plain("embed.tv_title", variant=names_for(request)[found.id].name)
    width, height = frame_size(variant, min(asked.maxwidth, WIDTH), asked.maxheight)
    answer = as_json(
        {
            "version": "1.0",
            "type": "rich",
            "provider_name": name_of(site),
            "provider_url": site.settings.address,
            "title": title,
            "html": frame_code(f"{site.settings.address}{address}", title, width, height),
            "width": width,
            "height": height,
            "thumbnail_url": f"{site.settings.address}{card}",
            "thumbnail_width": 1200,
            "thumbnail_height": 630,
            "cache_age": AN_HOUR_S,
        },
        headers={"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"},
    )
    answer.headers["Vary"] = "Accept-Language"
    return answer


def frame_size(variant: Variant, width: int = WIDTH, most: int = 10_000) -> tuple[int, int]:
    """Width and height of a frame, px, in which the board has the whole width, unless it were higher than `most`."""
    view = View(variant)
    return width, min(most, round(width * view.height / view.width) + AROUND)


def code_of_game(settings: Settings, game: Game, title: str) -> str:
    """The HTML that shows the game on another page; "" if the host allows none to."""
    if not settings.can_be_embedded:
        return ""
    return frame_code(f"{settings.address}/embed/{game.id}", title, *frame_size(game.terms.variant))


def frame_code(address: str, title: str, width: int, height: int) -> str:
    """The HTML that shows `address` in a frame."""
    size = f'width="{width}" height="{height}" loading="lazy" style="border:0;max-width:100%"'
    return f'<iframe src="{escape(address)}" title="{escape(title)}" {size}></iframe>'
