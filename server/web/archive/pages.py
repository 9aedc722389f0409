"""The archive as a page, as JSON, and as one PGN file of all that a search finds. Searching itself is in search.py."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.parse import urlencode

from aiohttp import web
from typing_extensions import TypedDict

from server.storage.errors import Unreadable
from server.storage.protocols.archive import GameSummary, Page, Search, time_of
from server.storage.time_slices import run_sliced
from server.web.archive.search import SearchForm, day_of, look, question, read_search
from server.web.board_data import board_shape, script_safe, to_json
from server.web.budgets.heavy import HEAVY
from server.web.clock_words import clock_words
from server.web.exports.game_json import NO_CHANGES, ClockJson, clock, writing_pgn
from server.web.forms.forms import of_a_page
from server.web.languages import variant_names
from server.web.openapi.operation import PGN, Media, described
from server.web.rendering.answers import as_json, as_page
from server.web.rendering.problems import Problem, with_status
from server.web.site import SITE, Site

PAGE = 20
MAX_IN_FILE = 10_000
PAUSE_S = 0.02
"""Between two games of all files together, each of which takes some ms to replay: players come first."""


class FoundGame(TypedDict):
    """A game of the archive. `board`: its last position as a FEN begins, "" if nobody noted it. `ended`: ms."""

    id: str
    url: str
    variant: str
    chess960: bool
    white: str | None
    black: str | None
    rated: bool
    clock: ClockJson
    result: str | None
    reason: str | None
    plies: int
    ended: int | None
    imported: bool
    board: str


class FoundGames(TypedDict):
    """`next`: the address of the next page, null when there is none. A page may be short and still have a next one."""

    games: list[FoundGame]
    next: str | None


async def games_page(request: web.Request) -> web.Response:
    """GET /games: the search, and what it finds. A search that cannot be made is shown again with the reason."""
    site = request.app[SITE]
    form, page, problem = SearchForm(), Page((), None), None
    try:
        form = read_search(of_a_page(request.query, SearchForm))
        page = await look(site.store.archive, question(form, site.variants), PAGE, form.before)
    except Problem as refusal:
        if refusal.status != 400:
            raise
        problem = refusal
    names = variant_names(request)
    shown = {line.variant for line in page.games} & site.variants.keys()
    shapes = {one: board_shape(site.variants[one], with_pockets=False) for one in shown}
    answer = await as_page(
        request,
        "archive/games.html",
        form=form,
        fields=form.model_dump(exclude={"before"}),
        lines=[to_show(names, line) for line in page.games],
        full=PAGE,
        first=search_path("/games", form),
        following=next_path(form, page),
        download=search_path("/api/games.pgn", form),
        looked_to=day_of(time_of(page.next)) if page.next else None,
        problem=problem,
        clock_words=clock_words,
        variants=list(names.items()),
        page=script_safe(to_json({"variants": shapes})),
    )
    return with_status(answer, problem)


@described(query=SearchForm, answers={200: FoundGames})
async def find_games(request: web.Request) -> web.Response:
    """GET /api/games: search finished games. A rare search is answered step by step, in pages that may be empty."""
    site = request.app[SITE]
    form = read_search(request.query)
    page = await look(site.store.archive, question(form, site.variants), PAGE, form.before)
    path = next_path(form, page)
    return as_json(
        {
            "games": [to_read(line) for line in page.games],
            "next": f"/api{path}" if path else None,
        }
    )


@described(query=SearchForm, answers={200: Media(PGN)})
async def all_pgn(request: web.Request) -> web.StreamResponse:
    """GET /api/games.pgn: all that a search finds, newest first, as one file, written as slowly as players need it."""
    site = request.app[SITE]
    form = read_search(request.query)
    search = question(form, site.variants)
    answer = web.StreamResponse(
        headers={
            "Content-Type": f"{PGN}; charset=utf-8",
            "Content-Disposition": 'attachment; filename="fairyhouse-games.pgn"',
        }
    )
    await answer.prepare(request)
    async for line in found(site, search, form.before):
        # Reading a game of thousands of moves keeps the store for some ms, and the moves of live games wait behind it.
        async with request.app[HEAVY].alone("exports"):
            if request.transport is None:
                raise ConnectionResetError("The reader of a file of games has left.")
            text = await pgn_of(site, line.id)
            await asyncio.sleep(PAUSE_S)
        await answer.write(text.encode())
    await answer.write_eof()
    return answer


async def pgn_of(site: Site, game_id: str) -> str:
    """The game and an empty line after it; "" when it is damaged: a file that is half sent cannot say so."""
    try:
        game = await site.store.load(game_id)
    except Unreadable:
        return ""
    if game is None:
        return ""
    changes = await site.store.ratings.changes(game.id) if game.terms.rated else NO_CHANGES
    return f"{await run_sliced(writing_pgn(game, site.settings.address, changes=changes))}\n"


async def found(site: Site, search: Search, before: str) -> AsyncIterator[GameSummary]:
    """Everything that answers the search, up to MAX_IN_FILE games."""
    count, following = 0, before or None
    while count < MAX_IN_FILE:
        page = await site.store.archive.page(search, PAGE, following or "")
        for line in page.games:
            yield line
        count, following = count + len(page.games), page.next
        if following is None:
            return
        await asyncio.sleep(PAUSE_S)


def next_path(form: SearchForm, page: Page) -> str | None:
    """The path of the next page of the list with its query."""
    return None if page.next is None else search_path("/games", form, page.next)


def search_path(path: str, form: SearchForm, before: str = "") -> str:
    """The path of a search with its query, from a key on or from its beginning."""
    fields = {name: value for name, value in form.model_copy(update={"before": before}).model_dump().items() if value}
    return f"{path}?{urlencode(fields)}" if fields else path


def to_show(names: Mapping[str, str], line: GameSummary) -> dict[str, Any]:
    """One game for the page, with what the template cannot work out itself."""
    return {
        "game": line,
        "variant": names.get(line.variant, line.variant),
        "day": day_of(line.created if line.ended is None else line.ended),
        "moves": (line.plies + 1) // 2,
    }


def to_read(line: GameSummary) -> FoundGame:
    """One game for programs."""
    return {
        "id": line.id,
        "url": f"/{line.id}",
        "variant": line.variant,
        "chess960": line.chess960,
        "white": line.white,
        "black": line.black,
        "rated": line.rated,
        "clock": clock(line.control),
        "result": line.result,
        "reason": line.reason,
        "plies": line.plies,
        "ended": line.ended,
        "imported": line.imported,
        "board": line.board,
    }
