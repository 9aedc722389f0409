"""The import of PGN as a page with a plain form, and for programs. imports.py decides what becomes of a file."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from aiohttp import web
from typing_extensions import TypedDict

from server.games.state import Game
from server.language import Language
from server.rules.errors import InvalidPgn
from server.rules.notation.pgn_file import decoded
from server.storage.time_slices import run_in_one_slice
from server.web.archive.import_quota import RETRY_S, ImportQuota, charged_for, place_of
from server.web.archive.imports import IMPORTS, MAX_GAMES, ImportedGame, RejectedGame, SkippedGames
from server.web.archive.upload import BadUpload, TooLarge, field_of
from server.web.bodies import read_body
from server.web.budgets.buckets import RateLimit
from server.web.budgets.callers import address_key
from server.web.budgets.routes import FILE
from server.web.languages import language_of
from server.web.openapi.operation import PGN, TEXT, Media, described
from server.web.rendering.answers import as_json, as_page
from server.web.rendering.problems import Problem, too_many, with_status
from server.web.session import Visitor
from server.web.site import SITE, Site, with_cookie

MULTIPART = "multipart/form-data"
PGN_TYPES = (PGN, "application/x-chess-pgn", TEXT)
MEGABYTES = FILE // 1_000_000
Results = list[ImportedGame | RejectedGame | SkippedGames]


class TakenGame(TypedDict):
    """A game of the file that is here now: its `number` in the file; `known`: it was here before."""

    number: int
    known: bool
    id: str
    url: str
    variant: str
    chess960: bool
    white: str
    black: str
    result: str
    plies: int


class RefusedGame(TypedDict):
    """A game that is not taken: its `number` and `line` in the file; `ply`: the move to blame, from 0, or null.

    `detail`: what the `code` speaks of, such as the move.
    """

    number: int
    line: int
    ply: int | None
    code: str
    detail: str
    params: dict[str, str | int]
    message: str


class Imported(TypedDict):
    """`left`: how many games at the end of the file were not looked at."""

    games: list[TakenGame]
    refused: list[RefusedGame]
    left: int


async def import_form(request: web.Request) -> web.Response:
    """POST /import: the fields `file` and `text` of the page's form, of which one holds games."""
    site = request.app[SITE]
    try:
        if request.content_type != MULTIPART:
            raise Problem(415, "not_form")
        body = await read_upload(request)
        visitor = await site.sessions.require(request)
        results = await take(request, site, visitor, body)
    except Problem as problem:
        return await import_page(request, problem=problem)
    return with_cookie(site, visitor, await import_page(request, results))


@described(body=Media(PGN), answers={200: Imported})
async def import_games(request: web.Request) -> web.Response:
    """POST /api/import: take in games as PGN. The answer says which, and what is wrong with the others."""
    site = request.app[SITE]
    if request.content_type not in PGN_TYPES:
        raise Problem(415, "not_pgn")
    body = await read_text(request)
    visitor = await site.sessions.require(request)
    results = await take(request, site, visitor, body)
    answer = {
        "games": [{"url": f"/{one.id}", **asdict(one)} for one in results if isinstance(one, ImportedGame)],
        "refused": [to_explain(language_of(request), one) for one in results if isinstance(one, RejectedGame)],
        "left": left_out(results),
    }
    return with_cookie(site, visitor, as_json(answer))


async def read_upload(request: web.Request) -> bytes:
    """The chosen file, else the pasted text. Raises Problem (400, 408, 411, 413, 503)."""
    body = await read_text(request)
    try:
        return await run_in_one_slice(lambda: field_of(body, request.headers["Content-Type"], FILE))
    except TooLarge:
        raise too_large() from None
    except BadUpload:
        raise Problem(400, "bad_request", detail="The fields of the form cannot be read.") from None


async def read_text(request: web.Request) -> bytes:
    """The body of an import. Raises Problem."""
    try:
        return await read_body(request)
    except Problem as problem:
        raise too_large() if problem.status == 413 else problem from None


@dataclass(frozen=True, slots=True)
class DailyAdmission:
    """What one person may take in on one day: an `Admission`. `keys`: under which games taken are counted in memory.

    `refused` counts the half-moves of the others, of this address.
    """

    quota: ImportQuota
    keys: Sequence[tuple[RateLimit, str]]
    refused: tuple[RateLimit, str]
    now: Callable[[], int]

    async def is_open(self) -> bool:
        """May another game be tried? Raises Unavailable."""
        return not self.wait() and not await self.quota.is_used_up(self.now())

    def wait(self) -> int:
        """Seconds until the next try makes sense, as far as this process knows."""
        return max(limit.wait(key, self.now()) for limit, key in (*self.keys, self.refused))

    async def admit(self, game: Game, text: str) -> bool:
        """False: the day's quota does not reach for it. Raises Unavailable."""
        return await self.quota.admit(game.id, charged_for(len(game.plies), text), self.now())

    def charge(self, error: InvalidPgn, text: str) -> None:
        """Counts the half-moves up to where the game was refused: they were judged, too."""
        limit, key = self.refused
        limit.force(key, self.now(), charged_for(1 if error.ply is None else error.ply + 1, text))


async def take(request: web.Request, site: Site, visitor: Visitor, body: bytes) -> Results:
    """Takes in what `body` holds. Raises Problem."""
    text = await run_in_one_slice(lambda: decoded(body))
    if not text or text.isspace():
        raise Problem(400, "no_games")
    address = address_key(request, site.settings)
    keys = ((site.limits.imported, visitor.key), (site.limits.imported_by_address, address))
    now = site.now()
    quota = ImportQuota(site.store.imports, visitor.user.id, place_of(address))
    day = DailyAdmission(quota, keys, (site.limits.refused_plies, address), site.now)
    results: Results = []
    async for one in request.app[IMPORTS].take(text, quota.place, day):
        results.append(one)
        if isinstance(one, ImportedGame) and not one.known:
            for limit, key in keys:
                limit.take(key, now)
    if not results:
        raise Problem(400, "no_games")
    if isinstance(results[0], SkippedGames):
        raise too_many(day.wait() or RETRY_S)
    return results


def too_large() -> Problem:
    """The refusal of a file of more than MEGABYTES."""
    return Problem(413, "file_too_large", mb=MEGABYTES)


async def import_page(
    request: web.Request, results: Results | None = None, problem: Problem | None = None
) -> web.Response:
    """GET /import: a file to choose or a text to paste. `results`: what came of it."""
    language = language_of(request)
    page = await as_page(
        request,
        "archive/import.html",
        taken=[one for one in results or () if isinstance(one, ImportedGame)],
        refused=[(one, language.said(one.error)) for one in results or () if isinstance(one, RejectedGame)],
        left=left_out(results or []),
        done=results is not None,
        problem=problem,
        most=MAX_GAMES,
        megabytes=MEGABYTES,
    )
    return with_status(page, problem)


def left_out(results: Results) -> int:
    """How many games at the end of the file were not looked at."""
    return sum(one.games for one in results if isinstance(one, SkippedGames))


def to_explain(language: Language, one: RejectedGame) -> RefusedGame:
    """The refused game as JSON, in that language. `ply`: null if no move is at fault."""
    return {
        "number": one.number,
        "line": one.line,
        "ply": one.error.ply,
        "code": one.error.id,
        "detail": str(next(iter(one.error.params.values()), "")),
        "params": one.error.params,
        "message": language.said(one.error),
    }
