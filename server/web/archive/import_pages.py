"""The import of PGN as a page with a plain form, and for programs. `imports` decides what becomes of a file.

The form with which a browser sends a file (multipart/form-data, RFC 7578) is read strictly: everything that a sender
could make long is bounded, and anything that no browser sends, such as text before the first boundary or a header
without a colon, is refused.
"""

from dataclasses import asdict, dataclass
from typing import Annotated, Any, Final, NotRequired, cast

from aiohttp import web
from multipart import MultipartError, MultipartSegment, PushMultipartParser, parse_options_header
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from server.games.clocks.time_control import DAY_MS
from server.games.errors import NotAllowed
from server.games.joining import Way
from server.language import Language
from server.rules.errors import Refusal
from server.rules.notation.pgn_file import decode_pgn
from server.rules.notation.pgn_line import one_line
from server.storage.time_slices import run_in_one_slice
from server.web.analysis import MendedGame, told_mends
from server.web.archive.imports import (
    IMPORTS,
    MAX_GAMES,
    RETRY_S,
    DailyAdmission,
    ImportedGame,
    RejectedGame,
    SkippedGames,
    place_of,
)
from server.web.bots.callers import caller_of
from server.web.budgets.callers import address_key
from server.web.budgets.limits import FILE
from server.web.forms import FIELDS, parse_pairs, read_body, validate_fields
from server.web.guests import require_welcome
from server.web.languages import language_of
from server.web.openapi.operation import PGN, TEXT, Media, described
from server.web.rendering.answers import as_json, as_page
from server.web.rendering.problems import Problem, too_many, with_status
from server.web.session import Visitor
from server.web.site import SITE, Site, with_cookie

UPLOAD_FIELDS: Final = ("file", "text")
LONGEST_BOUNDARY: Final = 70
"""Characters (RFC 2046, section 5.1.1)."""
KNOWN_MS: Final = DAY_MS
"""An account of that age was not made for a flood."""
MAX_HEADERS: Final = 4
LONGEST_NAME: Final = 60
"""Characters of the file's name that are shown: its last ones, as they say more than the first."""
LONGEST_HEADER: Final = 1_024
"""Bytes; it holds the file's name."""

MULTIPART = "multipart/form-data"
PGN_TYPES = (PGN, "application/x-chess-pgn", TEXT)
MEGABYTES = FILE // 1_000_000
Results = list[ImportedGame | RejectedGame | SkippedGames]


class BadUpload(Exception):
    """No browser sends the form like this."""


class TooLarge(Exception):
    """A field has too many bytes."""


@dataclass(frozen=True, slots=True)
class Upload:
    """What was sent. `name`: of the file, on one line; "" for a pasted text."""

    content: bytes
    name: str = ""


class TakenGame(TypedDict):
    """A game of the file that is here now: its `number` and `line` in the file; `known`: it was here before.

    `mended`: what of it was not as it should be, and what became of that.
    """

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
    line: int
    mended: list[MendedGame]


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


class FileName(BaseModel):
    """`file`: what the file is called, so that the answer says what its numbers and lines are of."""

    file: Annotated[str, Field(max_length=200)] = ""


class Imported(TypedDict):
    """`left`: how many games at the end of the file were not looked at. `file`: its name, if the request had one.

    `busy`: they were not because other people were importing games, too, and may be sent again in a minute; else the
    limit of the day is reached.
    """

    file: NotRequired[str]
    games: list[TakenGame]
    refused: list[RefusedGame]
    left: int
    busy: bool
    id: NotRequired[str]
    url: NotRequired[str]


async def import_page(
    request: web.Request, results: Results | None = None, problem: Refusal | None = None, file: str = ""
) -> web.Response:
    """GET /import: a file to choose or a text to paste. `results`: what came of it; `file`: its name, if it has one."""
    language = language_of(request)
    page = await as_page(
        request,
        "archive/import.html",
        taken=[(one, to_tell(language, one)["mended"]) for one in results or () if isinstance(one, ImportedGame)],
        refused=[(one, language.said(one.error)) for one in results or () if isinstance(one, RejectedGame)],
        left=left_out(results or []),
        busy=gave_way(results or []),
        done=results is not None,
        problem=problem,
        file=file,
        most=MAX_GAMES,
        megabytes=MEGABYTES,
    )
    return with_status(page, problem)


async def import_form(request: web.Request) -> web.Response:
    """POST /import: the fields `file` and `text` of the page's form, of which one holds games."""
    site = request.app[SITE]
    try:
        if request.content_type != MULTIPART:
            raise Problem(415, "not_form")
        await require_welcome(request, Way.IMPORT)
        upload = await read_upload(request)
        visitor = await site.sessions.require(request)
        results = await take_games(request, site, visitor, upload.content)
    except (NotAllowed, Problem) as problem:
        return await import_page(request, problem=problem)
    return with_cookie(site, visitor, await import_page(request, results, file=upload.name))


@described(body=Media(PGN), query=FileName, answers={200: Imported})
async def import_games(request: web.Request) -> web.Response:
    """POST /api/import: take in games as PGN. The answer says which, and what is wrong with the others.

    By a token, also the field `pgn` of a form; `id` and `url` are then of the first game that is here.
    """
    site, token = request.app[SITE], "Authorization" in request.headers
    by_form = token and request.content_type == FIELDS
    if not by_form and request.content_type not in PGN_TYPES:
        raise Problem(415, "not_pgn")
    file = validate_fields(request.query, FileName).file
    visitor = (await caller_of(request)).visitor if token else None
    if visitor is None:
        await require_welcome(request, Way.IMPORT)
    body = await read_text(request)
    if by_form:
        body = parse_pairs(body, 1).get("pgn", "").encode()
    visitor = visitor or await site.sessions.require(request)
    results = await take_games(request, site, visitor, body)
    answer: dict[str, Any] = {
        "games": [to_tell(language_of(request), one) for one in results if isinstance(one, ImportedGame)],
        "refused": [to_explain(language_of(request), one) for one in results if isinstance(one, RejectedGame)],
        "left": left_out(results),
        "busy": gave_way(results),
    }
    if file:
        answer["file"] = file
    if token and answer["games"]:
        first = answer["games"][0]["id"]
        answer |= {"id": first, "url": f"{site.settings.address}/{first}"}
    return with_cookie(site, visitor, as_json(answer))


async def take_games(request: web.Request, site: Site, visitor: Visitor, body: bytes) -> Results:
    """Takes in what `body` holds. Raises Problem; NotAllowed if the host has muted the visitor, as all read games."""
    site.live.services.sanctions.check_speech(visitor.user.id, "", site.now())
    text = await run_in_one_slice(lambda: decode_pgn(body))
    if not text or text.isspace():
        raise Problem(400, "no_games")
    address = address_key(request, site.settings)
    now, place = site.now(), place_of(address)
    day = DailyAdmission(site.store.imports, site.limits, visitor.user.id, place, visitor.key, address, site.now)
    results: Results = []
    known = not visitor.user.guest and now - visitor.user.created >= KNOWN_MS
    imported = request.app[IMPORTS].import_games(text, address, day, known=known)
    async for one in imported:
        results.append(one)
        if isinstance(one, ImportedGame) and not one.known:
            site.limits.imported.take(visitor.key, now, shared_by=address)
    if not results:
        raise Problem(400, "no_games")
    if isinstance(results[0], SkippedGames):
        raise too_many(day.seconds_to_wait() or RETRY_S)
    return results


def left_out(results: Results) -> int:
    """How many games at the end of the file were not looked at."""
    return sum(one.games for one in results if isinstance(one, SkippedGames))


def gave_way(results: Results) -> bool:
    """Were they not looked at because too many files were being read?"""
    return any(one.busy for one in results if isinstance(one, SkippedGames))


def to_tell(language: Language, one: ImportedGame) -> TakenGame:
    """The game that is here as JSON, in that language."""
    mended = told_mends(language, one.mends)
    told = {name: value for name, value in asdict(one).items() if name != "mends"}
    return cast("TakenGame", {"url": f"/{one.id}", **told, "mended": mended})


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


async def read_text(request: web.Request) -> bytes:
    """The body of an import. Raises Problem."""
    try:
        return await read_body(request)
    except Problem as problem:
        raise too_large() if problem.status == 413 else problem from None


async def read_upload(request: web.Request) -> Upload:
    """The chosen file, else the pasted text. Raises Problem (400, 408, 411, 413, 503)."""
    body = await read_text(request)
    try:
        return await run_in_one_slice(lambda: field_of(body, request.headers["Content-Type"], FILE))
    except TooLarge:
        raise too_large() from None
    except BadUpload:
        raise Problem(400, "bad_request", detail="The fields of the form cannot be read.") from None


def too_large() -> Problem:
    """The refusal of a file of more than MEGABYTES."""
    return Problem(413, "file_too_large", mb=MEGABYTES)


def field_of(body: bytes, content_type: str, most_bytes: int) -> Upload:
    """The chosen file, else the pasted text, b"" when both are empty. Raises BadUpload, TooLarge."""
    boundary = boundary_of(content_type)
    if not body.startswith(b"--" + boundary.encode()):
        raise BadUpload("something before the first boundary")
    fields: dict[str, bytes] = {}
    name = ""
    part: MultipartSegment | None = None
    try:
        with PushMultipartParser(
            boundary,
            max_header_count=MAX_HEADERS,
            max_header_size=LONGEST_HEADER,
            max_segment_count=len(UPLOAD_FIELDS),
            strict=True,
        ) as parser:
            for event in parser.parse(body):
                if isinstance(event, MultipartSegment):
                    part = event
                    if part.name not in UPLOAD_FIELDS or part.name in fields:
                        raise BadUpload("a field that the form does not have, or already has")
                    fields[part.name] = b""
                    name = part.filename or name
                elif event is not None and part is not None:
                    # The whole body is there, so each field comes in one piece.
                    fields[part.name] = bytes(event)
    except MultipartError as error:
        raise BadUpload(str(error)) from None
    if any(len(content) > most_bytes for content in fields.values()):
        raise TooLarge
    if content := fields.get("file"):
        return Upload(content, one_line(name)[-LONGEST_NAME:])
    return Upload(fields.get("text", b""))


def boundary_of(content_type: str) -> str:
    """Raises BadUpload."""
    _, options = parse_options_header(content_type[:300])
    boundary = options.get("boundary", "")
    if not (0 < len(boundary) <= LONGEST_BOUNDARY and boundary.isascii()):
        raise BadUpload("no boundary that can be one")
    return str(boundary)
