"""The archive: a search as a page, as JSON, and as one PGN file of all that it finds.

The address is the whole search, so that it can be kept and sent.
"""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from time import perf_counter
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from aiohttp import web
from pydantic import Field
from typing_extensions import TypedDict

from server.games.clocks.time_control import DAY_MS
from server.rules.variant.variant import Variant
from server.storage.errors import Unreadable
from server.storage.protocols.archive import ArchiveStore, GameSummary, Page, ResultFilter, Search, time_of
from server.storage.time_slices import run_sliced
from server.web.board_data import board_shape, script_safe, to_json
from server.web.budgets.heavy import HEAVY
from server.web.clock_words import clock_words, day_of
from server.web.forms import COLORS, Form, known_query, validate_fields
from server.web.games.game_json import NO_CHANGES, NO_TAGS, ClockJson, clock, writing_pgn
from server.web.languages import variant_names
from server.web.openapi.operation import PGN, Media, described
from server.web.rendering.answers import as_json, as_page
from server.web.rendering.problems import Problem, with_status
from server.web.site import SITE, Site

LOOK_S = 0.020
"""Seconds after which a page is returned even if it is not full; the caller can continue from where it ends."""
TURNED: Mapping[ResultFilter | None, ResultFilter] = {"won": "lost", "lost": "won"}

NameField = Annotated[str, Field(max_length=64)]
DayField = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]

PAGE = 20
MAX_IN_FILE = 10_000
PAUSE_S = 0.02
"""Between two games of all files together, each of which takes some ms to replay: players come first."""


class SearchForm(Form):
    """The fields of the search page, all optional. `color` is the player's. Days are UTC."""

    player: NameField = ""
    color: Literal["", "white", "black"] = ""
    opponent: NameField = ""
    variant: Annotated[str, Field(max_length=40)] = ""
    start: Literal["", "usual", "960"] = ""
    result: Literal["", "white", "black", "draw", "unfinished", "won", "lost"] = ""
    reason: Annotated[str, Field(pattern=r"^[a-z-]{0,20}$")] = ""
    rated: Literal["", "yes", "no"] = ""
    source: Literal["", "played", "imported"] = ""
    since: DayField | Literal[""] = ""
    until: DayField | Literal[""] = ""
    before: Annotated[str, Field(pattern=r"^(\d{15}[0-9A-Za-z]{0,16})?$")] = ""


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


def _read_search(fields: Mapping[str, str]) -> SearchForm:
    """The fields of an address. Raises Problem (400)."""
    try:
        return validate_fields(fields, SearchForm)
    except Problem as problem:
        raise Problem(400, "bad_search", detail=problem.detail) from None


async def games_page(request: web.Request) -> web.Response:
    """GET /games: the search, and what it finds. A search that cannot be made is shown again with the reason."""
    site = request.app[SITE]
    form, page, problem = SearchForm(), Page((), None), None
    try:
        form = _read_search(known_query(request, SearchForm))
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
    form = _read_search(request.query)
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
    form = _read_search(request.query)
    games = found(site, question(form, site.variants), form.before)
    return await send_pgn(request, "fairyhouse-games", ((line.id, NO_TAGS) async for line in games))


async def send_pgn(
    request: web.Request, name: str, games: AsyncIterable[tuple[str, Mapping[str, str]]]
) -> web.StreamResponse:
    """A file of that name with these games (ids), each with tags that say where it was played. Raises Unavailable."""
    headers = {"Content-Type": f"{PGN}; charset=utf-8", "Content-Disposition": f'attachment; filename="{name}.pgn"'}
    return await send_games(request, headers, games, partial(pgn_of, request.app[SITE]))


async def send_games(
    request: web.Request,
    headers: Mapping[str, str],
    games: AsyncIterable[tuple[str, Mapping[str, str]]],
    text_of: Callable[[str, Mapping[str, str]], Awaitable[str]],
) -> web.StreamResponse:
    """These games (ids), each with the tags of its event, as `text_of` writes them. Raises Unavailable."""
    answer = web.StreamResponse(headers=headers)
    await answer.prepare(request)
    async for game, event in games:
        # Reading a game of thousands of moves keeps the store for some ms, and the moves of live games wait behind it.
        async with request.app[HEAVY].alone("exports"):
            if request.transport is None:
                raise ConnectionResetError("The reader of a file of games has left.")
            text = await text_of(game, event)
            await asyncio.sleep(PAUSE_S)
        await answer.write(text.encode())
    await answer.write_eof()
    return answer


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


async def pgn_of(site: Site, game_id: str, event: Mapping[str, str] = NO_TAGS) -> str:
    """The game, with the tags of its event, and an empty line after it; "" when it is damaged: a file that is half sent
    cannot say so.
    """
    try:
        game = await site.store.load(game_id)
    except Unreadable:
        return ""
    if game is None:
        return ""
    changes = await site.store.ratings.changes(game.id) if game.terms.rated else NO_CHANGES
    return f"{await run_sliced(writing_pgn(game, site.settings.address, changes=changes, event=event))}\n"


def question(form: SearchForm, variants: Mapping[str, Variant]) -> Search:
    """The search that the form asks for. Raises Problem (400): won by nobody, no such variant, no such day."""
    if form.result in ("won", "lost") and not (form.player.strip() or form.opponent.strip()):
        raise Problem(400, "search_player")
    if form.variant and form.variant not in variants:
        raise Problem(400, "unknown_variant")
    search = Search(
        player=form.player.strip(),
        color=COLORS.get(form.color),
        opponent=form.opponent.strip(),
        variant=form.variant,
        chess960={"usual": False, "960": True}.get(form.start),
        outcome=form.result or None,
        reason=form.reason,
        rated={"yes": True, "no": False}.get(form.rated),
        source=form.source or None,
        since=midnight(form.since),
        until=None if (last := midnight(form.until)) is None else last + DAY_MS,
    )
    if search.player or not search.opponent:
        return search
    color = None if search.color is None else search.color.other
    outcome = TURNED.get(search.outcome, search.outcome)
    return replace(search, player=search.opponent, opponent="", color=color, outcome=outcome)


def midnight(day: str) -> int | None:
    """When that day (UTC) begins, ms; None without a day. Raises Problem (400) if there is no such day."""
    if not day:
        return None
    try:
        begun = date.fromisoformat(day)
    except ValueError:
        raise Problem(400, "bad_search", detail=f"There is no day {day}.") from None
    return (begun - date(1970, 1, 1)) // timedelta(days=1) * DAY_MS


async def look(
    archive: ArchiveStore, search: Search, limit: int, before: str, seconds: Callable[[], float] = perf_counter
) -> Page:
    """A page of what is found, or as much of it as can be found in LOOK_S. Raises Unavailable."""
    end = seconds() + LOOK_S
    page = await archive.page(search, limit, before)
    games, following = [*page.games], page.next
    while following is not None and len(games) < limit and seconds() < end:
        page = await archive.page(search, limit - len(games), following)
        games, following = [*games, *page.games], page.next
    return Page(games, following)


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
