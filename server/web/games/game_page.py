"""The page of a game, with its score sheet once it is over; and the page about the protocol."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import Any, NamedTuple

from aiohttp import web

from server.games.changes.beginning import is_invited
from server.games.clocks.time_control import for_color
from server.games.people import LONGEST_NOTE
from server.games.player import Player
from server.games.state import Game
from server.games.status import Status
from server.language import Language
from server.realtime.play.chat import LETTER, LINE, form_of
from server.realtime.play.connection import PLAYER_MESSAGES, WINDOW_MS
from server.realtime.play.creation import is_new_to
from server.realtime.play.round import Round
from server.realtime.protocol.wire import PROTOCOL
from server.rules.variant.pieces import Color
from server.storage.running import RunningGame
from server.web.assets import Assets
from server.web.board_data import board_shape, script_safe, to_json
from server.web.clock_words import clock_words
from server.web.embedding import code_of_game
from server.web.games.api import me
from server.web.games.your_games import games_as_tiles, others_waiting
from server.web.languages import language_of, names_for, variant_names
from server.web.lessons import LESSONS
from server.web.people.notes import takes_notes
from server.web.pictures.captions import headline, picture_links
from server.web.rendering.answers import as_page, isolated
from server.web.rendering.page_cache import cached_for_all, render_once
from server.web.rules_pages.page import address_of
from server.web.session import Visitor
from server.web.site import SITE, Site, find_round
from server.web.variant_words import described, told_goal
from server.web.websocket.open_sockets import PER_SESSION

IN_PAIRS = 2


async def play_page(request: web.Request) -> web.StreamResponse:
    """GET /{id}: the board as the reader may see it, drawn before the socket is open; the cookie tells the seat.

    Strangers all see the same, so a crowd that follows a link gets one page, which is a second old at most.
    """
    site, round_ = request.app[SITE], await find_round(request)
    visitor = await site.sessions.find(request)
    if visitor is not None or request.query_string:
        return await page_of(request, round_, visitor)

    async def of_stranger(request: web.Request) -> web.Response:
        page = await page_of(request, round_, None)
        page.headers["Cache-Control"] = "no-store"
        return page

    name = f"{request.path} {round_.game.rev} {round_.feed.v} {site.now() // 1000}"
    return await render_once(request, name, of_stranger)


async def page_of(request: web.Request, round_: Round, visitor: Visitor | None) -> web.Response:
    """The page of a game for this visitor."""
    site, game = request.app[SITE], round_.game
    beside = await others_waiting(site, visitor, game.id)
    language, called = language_of(request), names_for(request)[game.terms.variant.id]
    player = None if visitor is None else visitor.player
    color = None if player is None else game.color_of(player.id)
    invited = color is None and is_invited(game, player, "")
    snapshot = round_.feed.snapshot(color, invited=invited, reader=None if player is None else player.id)
    known = {
        "game": game.id,
        "variant": described(game.terms.variant, called) | told_goal(game.terms.variant, called, language.plain),
        "chess960": game.terms.chess960,
        "me": me(visitor) or None,
        **computer_facts(site.assets, language, game, color),
        **beside_facts(request, beside),
    }
    noted = {}
    if visitor is not None and takes_notes(game, visitor):
        noted = {"note": await site.store.notes.text_of(visitor.user.id, game=game.id), "longest_note": LONGEST_NOTE}
    page = await as_page(
        request,
        "round/round.html",
        **noted,
        page=script_safe(f'{{"snapshot":{snapshot},{to_json(known)[1:]}'),
        game=game,
        seated=color is not None,
        against_computer=color is not None and game.computer is color.other,
        computer_plays="computer" in known,
        opponent=None if color is None else game.player(color.other),
        opponent_side="" if color is None else color.other.name.lower(),
        may_go_berserk=await may_go_berserk(site, game, color),
        variant=game.terms.variant,
        rules_page=f"/rules/{address_of(game.terms.variant.id, game.terms.chess960)}",
        beside=beside,
        shapes=site.variants,
        now=site.now(),
        offers_lesson=await offers_lesson(request, game, visitor),
        headline=headline(game, language, called.name),
        sheet=None if game.outcome is None else score_sheet(game, language),
        pictures=picture_links(game, language),
        frame_code=code_of_game(site.settings, game, headline(game, language, called.name).unescape()),
        players_chat=form_of(game.terms.control, "players"),
        watchers_chat=form_of(game.terms.control, "watchers"),
    )
    return page if game.outcome is None else isolated(page)


async def may_go_berserk(site: Site, game: Game, color: Color | None) -> bool:
    """May the player of that colour still halve their time for a point more? Raises Unavailable, Unreadable."""
    if not game.tournament or color is None or game.status is not Status.LIVE or for_color(game.clock.berserk, color):
        return False
    if any(game.mover_of(ply) is color for ply in range(len(game.plies))):
        return False
    tournament = await site.store.tournaments.find_tournament(game.tournament)
    return tournament is not None and tournament.terms.can_go_berserk


def computer_facts(assets: Assets, language: Language, game: Game, color: Color | None) -> dict[str, Any]:
    """Where the page of the player of `color` finds what plays the other seat, JSON-able; nothing unless the computer
    has that seat and the game goes on.
    """
    if color is None or game.computer is not color.other or game.status is Status.OVER:
        return {}
    return {"computer": computer_addresses(assets, language)}


def computer_addresses(assets: Assets, language: Language) -> dict[str, str]:
    """Where a page finds what plays as the computer."""
    return {
        "script": assets.url("computer_opponent.js"),
        "words": assets.url(f"words-engine-{language.code}.js"),
        "engine": assets.url("worker.js"),
    }


def beside_facts(request: web.Request, games: Sequence[RunningGame]) -> dict[str, Any]:
    """What a script needs to draw the reader's other games, JSON-able; nothing if none is shown."""
    if not games:
        return {}
    site, called = request.app[SITE], variant_names(request)
    drawn = {one.variant for one in games} & site.variants.keys()
    shapes = {one: board_shape(site.variants[one], with_pockets=False) | {"name": called[one]} for one in drawn}
    return {"beside": {"games": games_as_tiles(games, site.now(), site.live.services.bots), "variants": shapes}}


async def offers_lesson(request: web.Request, game: Game, visitor: Visitor | None) -> bool:
    """Does the game wait for somebody, so that no clock runs, and is its variant taught here and new to the reader?"""
    variant = game.terms.variant
    lesson = request.app[LESSONS].find_lesson(variant, game.terms.chess960)
    if game.status is not Status.OPEN or lesson is None or not lesson.intro:
        return False
    return visitor is None or await is_new_to(request.app[SITE].store.ratings, visitor.user.id, variant.id)


class Row(NamedTuple):
    """A numbered move of both sides; "" where a side has not moved."""

    number: int
    white: str
    black: str


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """`heads` are labels (keys) and values, without those that are unknown. `rows` can be iterated once: a page is
    rendered in slices, and to make all rows of a long game would take longer than one.
    """

    heads: tuple[tuple[str, str], ...]
    rows: Iterator[Row]


def score_sheet(game: Game, language: Language) -> ScoreSheet:
    """The sheet of a game that is over, for a page in that language. Days are UTC."""
    said = game.import_source
    day = language.full_date(datetime.fromtimestamp(game.created / 1000, UTC).date())
    heads = (
        ("white", _player(game.white, language, said.tag("WhiteElo") if said else "")),
        ("black", _player(game.black, language, said.tag("BlackElo") if said else "")),
        ("result", game.result.replace("1/2", "½")),
        ("event", said.event if said else ""),
        ("site", said.site if said else ""),
        ("round", said.tag("Round") if said else ""),
        ("date", said.date if said else day),
        ("time", said.tag("TimeControl") if said else clock_words(game.terms.control, language)),
    )
    return ScoreSheet(tuple(head for head in heads if head[1].strip("-?. ")), _rows(game))


def _player(player: Player | None, language: Language, rating: str) -> str:
    name = language.person(player.name) if player else "?"
    return f"{name} ({rating})" if rating else name


def _rows(game: Game) -> Iterator[Row]:
    fields = game.terms.start_fen.split()
    black_first = fields[1] == "b"
    sans = list(chain([""] if black_first else [], (ply.san for ply in game.plies)))
    for number, at in enumerate(range(0, len(sans), IN_PAIRS), int(fields[-1])):
        white, black = (*sans[at : at + IN_PAIRS], "")[:IN_PAIRS]
        yield Row(number, white, black)


@cached_for_all
async def protocol_page(request: web.Request) -> web.Response:
    """GET /protocol: one game from link to result, for people who write a client or a bot."""
    assets = request.app[SITE].assets
    bot = (assets.templates / "bots" / "bot.py").read_text(encoding="utf-8")
    return await as_page(
        request,
        "bots/protocol.html",
        bot=bot,
        protocol=PROTOCOL,
        variants=request.app[SITE].variants,
        sockets=PER_SESSION,
        messages=PLAYER_MESSAGES,
        seconds=WINDOW_MS // 1000,
        line=LINE.longest,
        letter=LETTER.longest,
    )
