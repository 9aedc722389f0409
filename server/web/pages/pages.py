"""The front page, the game page and the protocol page: each handler collects what its template shows."""

from aiohttp import web

from server.games.changes.beginning import is_invited
from server.games.clocks.time_control import BANK_DAYS, DAYS
from server.games.state import Game
from server.games.status import Status
from server.realtime.play.chat.text import LETTER, LINE, form_of
from server.realtime.play.players.newcomers import is_new_to
from server.realtime.protocol.wire import PROTOCOL
from server.web.api import me
from server.web.board_data import fairy_pieces, featured_variant, script_safe, to_json
from server.web.languages import language_of, names_for
from server.web.lessons.lesson_book import LESSONS
from server.web.lobby.challenges import challenges_to
from server.web.lobby.your_games import strip
from server.web.lookup import find_round
from server.web.pictures.sharing import headline, picture_links
from server.web.records.score_sheet import score_sheet
from server.web.rendering.answers import as_page
from server.web.rendering.page_cache import cached_for_all
from server.web.rules_pages.addresses import address_of
from server.web.session import Visitor
from server.web.site import SITE
from server.web.variant_words import described
from server.web.websocket.open_sockets import PER_SESSION


async def home(request: web.Request) -> web.StreamResponse:
    """GET /: every variant with a live board, one click to a link or an opponent, and the visitor's games."""
    visitor = await request.app[SITE].sessions.find(request)
    return await (strangers_home(request) if visitor is None else home_of(request, visitor))


@cached_for_all
async def strangers_home(request: web.Request) -> web.Response:
    """The front page for strangers. Browsers must not keep it: people who create a game and go back have to find it."""
    answer = await home_of(request, None)
    answer.headers["Cache-Control"] = "no-store"
    return answer


async def home_of(request: web.Request, visitor: Visitor | None) -> web.Response:
    site = request.app[SITE]
    starts = site.starts[language_of(request).code]
    block = script_safe(f'{{"variants":{starts},"me":{to_json(me(visitor) or None)}}}')
    games = {"games": [], "more_games": 0} if visitor is None else await strip(site, visitor.user.id)
    member = visitor is not None and not visitor.user.guest
    challenges = [] if visitor is None else await challenges_to(site, visitor.player)
    return await as_page(
        request,
        "home.html",
        page=block,
        variants=site.variants.values(),
        fairy_pieces={variant.id: fairy_pieces(variant) for variant in site.variants.values()},
        shown=featured_variant(site.variants),
        days_per_move=DAYS,
        banks=BANK_DAYS,
        **games,
        challenges=challenges,
        member=member,
    )


async def play_page(request: web.Request) -> web.Response:
    """GET /{id}: the board as the reader may see it, drawn before the socket is open; the cookie tells the seat."""
    site = request.app[SITE]
    round_ = await find_round(request)
    visitor = await site.sessions.find(request)
    game = round_.game
    language, called = language_of(request), names_for(request)[game.terms.variant.id]
    description = to_json(described(game.terms.variant, called))
    player = None if visitor is None else visitor.player
    color = None if player is None else game.color_of(player.id)
    invited = color is None and is_invited(game, player, "")
    snapshot = round_.feed.snapshot(color, invited=invited, reader=None if player is None else player.id)
    block = script_safe(
        f'{{"game":"{game.id}","variant":{description},"chess960":{to_json(game.terms.chess960)},'
        f'"snapshot":{snapshot},"me":{to_json(me(visitor) or None)}}}'
    )
    return await as_page(
        request,
        "round.html",
        page=block,
        game=game,
        opponent=None if color is None else game.player(color.other),
        opponent_side="" if color is None else color.other.name.lower(),
        variant=game.terms.variant,
        rules_page=f"/rules/{address_of(game.terms.variant.id, game.terms.chess960)}",
        offers_lesson=await offers_lesson(request, game, visitor),
        headline=headline(game, language, called.name),
        sheet=None if game.outcome is None else score_sheet(game, language),
        pictures=picture_links(game, language),
        players_chat=form_of(game.terms.control, "players"),
        watchers_chat=form_of(game.terms.control, "watchers"),
    )


async def offers_lesson(request: web.Request, game: Game, visitor: Visitor | None) -> bool:
    """Does the game wait for somebody, so that no clock runs, and is its variant taught here and new to the reader?"""
    variant = game.terms.variant
    lesson = request.app[LESSONS].of(variant, game.terms.chess960)
    if game.status is not Status.OPEN or lesson is None or not lesson.intro:
        return False
    return visitor is None or await is_new_to(request.app[SITE].store.ratings, visitor.user.id, variant.id)


@cached_for_all
async def protocol_page(request: web.Request) -> web.Response:
    """GET /protocol: one game from link to result, for people who write a client or a bot."""
    assets = request.app[SITE].assets
    bot = (assets.templates / "partials" / "bot.py").read_text(encoding="utf-8")
    return await as_page(
        request,
        "protocol.html",
        bot=bot,
        protocol=PROTOCOL,
        variants=request.app[SITE].variants,
        sockets=PER_SESSION,
        line=LINE.longest,
        letter=LETTER.longest,
    )
