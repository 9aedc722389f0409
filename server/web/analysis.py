"""The analysis board: its pages, and what each move of a line, or of a game as PGN, leads to.

Nothing is stored, and nobody need be signed in; studies keep analyses. A long line is judged in short steps, so that
players are answered in between.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, NotRequired, TypeVar

from aiohttp import web
from pydantic import Field
from typing_extensions import TypedDict

from server.games.clocks.time_control import BANK_DAYS, DAYS
from server.language import Language
from server.realtime.protocol.wire import Side
from server.rules.errors import InvalidPgn
from server.rules.movegen.legal import in_check
from server.rules.movegen.position import Position
from server.rules.notation.analysis_line import IllegalLine, play_line
from server.rules.notation.fen import format_fen, parse_fen, start_position
from server.rules.notation.pgn import read_pgn
from server.rules.notation.pgn_file import split_games
from server.rules.notation.pgn_line import Mend, PgnLine, PgnMove
from server.rules.notation.pgn_tags import FOLLOWING
from server.rules.sliced_work import SlicedWork
from server.rules.variant.variant import Variant
from server.storage.time_slices import run_sliced
from server.web.board_data import board_data, script_safe, to_json
from server.web.budgets.callers import address_key
from server.web.budgets.heavy import HEAVY
from server.web.fair_play import forbid_own_game
from server.web.forms import Form, read_form
from server.web.games.game_json import winner
from server.web.languages import language_of, names_for
from server.web.openapi.operation import RefusedLine, described
from server.web.pictures.captions import card_of_position
from server.web.rendering.answers import as_json, as_page, isolated
from server.web.rendering.page_cache import cached_for_all
from server.web.rendering.problems import Problem, problem_fields
from server.web.rules_pages.drawing import draw
from server.web.rules_pages.rules_pages import RULES_PAGES, group_by_board, wording_for
from server.web.site import SITE, charge_visitor, find_variant
from server.web.variant_words import told_goal

LONGEST_LINE = 600
"""Half-moves and steps back that can be asked about at once."""


class AskedLine(Form):
    """A line on the analysis board: moves in UCI, and how many half-moves to take back before the next one."""

    fen: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    chess960: bool = False
    moves: Annotated[
        list[Annotated[str, Field(min_length=2, max_length=12)] | Annotated[int, Field(ge=1, le=LONGEST_LINE)]],
        Field(max_length=LONGEST_LINE),
    ] = []  # noqa: RUF012 - pydantic copies it


class AskedPgn(Form):
    """One game as PGN."""

    pgn: Annotated[str, Field(min_length=1, max_length=50_000)]


GAME_ID = re.compile("[0-9A-Za-z]{10}")


@cached_for_all
async def chooser(request: web.Request) -> web.Response:
    """GET /analysis: every variant that is offered, to choose one."""
    rules_pages, wording = request.app[RULES_PAGES], wording_for(request)
    found = group_by_board(request.app[SITE].offered, wording)
    return await as_page(
        request, "analysis/index.html", groups=found, shapes=rules_pages.shapes_for(rules_pages.variants), draw=draw
    )


async def analysis_page(request: web.Request) -> web.StreamResponse:
    """GET /analysis/{id}: the board; what stands on it comes from the address, which the script reads."""
    return await (show_board(request) if request.query else empty_board(request))


@cached_for_all
async def empty_board(request: web.Request) -> web.Response:
    """The board of a variant without a query: the same for everybody."""
    return await show_board(request)


async def show_board(request: web.Request) -> web.Response:
    """The board of a variant; its card for previews shows the position of the query. Not for whoever plays its game."""
    variant = find_variant(request)
    await forbid_own_game(request, request.query.get("game", ""))
    return await board_page(request, variant, card_of_position(variant, request.query.get("fen")))


async def board_page(
    request: web.Request, variant: Variant, picture: str, kept: Mapping[str, object] | None = None, **shown: object
) -> web.Response:
    """The board of a variant. `picture`: its card. `kept`: its study, for the script; `shown`: for the template."""
    called = names_for(request)[variant.id]
    shape = board_data(variant, called) | told_goal(variant, called, language_of(request).plain)
    facts = {"variant": shape, "pgnTags": [variant.pgn_tag, variant.pgn_tag_960], "study": kept}
    game = request.query.get("game", "")
    page = await as_page(
        request,
        "analysis/analysis.html",
        page=script_safe(to_json(facts)),
        variant=variant,
        name=called.name,
        game=game if GAME_ID.fullmatch(game) else "",
        picture=picture,
        days_per_move=DAYS,
        banks=BANK_DAYS,
        **shown,
    )
    return isolated(page)


MOST_COUNTED = 200
"""Games of a text."""
SHORT = 16
"""Half-moves of a line that costs no more than a move of a game."""
Made = TypeVar("Made")


class Notes(TypedDict, total=False):
    """What a PGN says of a move: glyphs, ms on the clock after it, comments after it and before a variation."""

    nags: list[int]
    clock: int
    comments: list[str]
    before: list[str]


class JudgedMove(TypedDict):
    """A half-move and the position after it."""

    uci: str
    san: str
    fen: str
    check: bool
    notes: NotRequired[Notes]


class Ending(TypedDict):
    """How a game is over."""

    result: str
    winner: Side | None
    reason: str


class JudgedLine(TypedDict):
    """`fen`, `check`: of the start. `legal`: the legal moves at the end, in UCI; `outcome`: null if there are any."""

    fen: str
    check: bool
    plies: list[JudgedMove]
    legal: list[str]
    outcome: Ending | None


class MendedGame(TypedDict):
    """What was done to read a game: its `code`, how often, what was there, and on which lines of the text.

    `line`: the first of them. `where`: all of them in words.
    """

    code: str
    line: int
    lines: list[int]
    where: str
    number: int
    detail: str
    message: str


class RefusedPgn(RefusedLine):
    """`games`: how many there are, if there are several."""

    games: NotRequired[int]


class JudgedPgn(TypedDict):
    """A game. `steps`: its moves and variations, with how many half-moves to take back between them.

    `whole` is false when there were too many moves, and the variations are left out. `mended`: what of it was not as it
    should be, and what became of that.
    """

    variant: str
    chess960: bool
    white: str
    black: str
    tags: dict[str, str]
    result: str
    comments: list[str]
    steps: list[str | int]
    whole: bool
    fen: str
    check: bool
    plies: list[JudgedMove]
    mended: list[MendedGame]


@described(body=AskedLine, answers={200: JudgedLine, 400: RefusedLine})
async def try_line(request: web.Request) -> web.Response:
    """POST /api/variants/{variant}/line: what each move of a line leads to, and what is legal at its end."""
    variant = find_variant(request)
    form = await read_form(request, AskedLine)
    await charge_for(request, len(form.moves))
    if form.chess960 and not variant.chess960:
        raise Problem(400, "no_chess960")
    start = start_position(variant, form.chess960) if form.fen is None else parse_fen(variant, form.fen, form.chess960)
    try:
        return as_json(await answer_of(request, judging(start, form.moves)))
    except IllegalLine as error:
        language = language_of(request)
        message = language.plain("problems.illegal_line", number=error.at + 1, reason=language.said(error))
        return as_json(
            problem_fields(language, error) | {"error": message, "message": message, "ply": error.at}, status=400
        )


@described(body=AskedPgn, answers={200: JudgedPgn, 400: RefusedPgn})
async def try_pgn(request: web.Request) -> web.Response:
    """POST /api/analysis/pgn: one game of any variant as PGN, judged like a line, with all that is said of moves."""
    form = await read_form(request, AskedPgn)
    await charge_for(request, LONGEST_LINE)
    pieces = await answer_of(request, split_games(form.pgn, MOST_COUNTED))
    if len(pieces) > 1:
        return refused_pgn(request, InvalidPgn("several"), len(pieces))
    try:
        return as_json(await judged_pgn(request, form.pgn))
    except InvalidPgn as error:
        return refused_pgn(request, error)


def refused_pgn(request: web.Request, error: InvalidPgn, games: int = 1) -> web.Response:
    """What is wrong with a PGN, and with which half-move. `games`: how many it has."""
    fields = problem_fields(language_of(request), error) | {"ply": error.ply}
    return as_json(fields | ({"games": games} if games > 1 else {}), status=400)


def told_mends(language: Language, mends: Sequence[Mend]) -> list[MendedGame]:
    """What was mended, in that language."""
    return [
        {
            "code": mend.id,
            "line": mend.line,
            "lines": list(mend.lines),
            "where": where_in_text(language, mend.lines),
            "number": mend.number,
            "detail": mend.quoted,
            "message": language.plain(mend.key, n=mend.number, quoted=mend.quoted),
        }
        for mend in mends
    ]


def where_in_text(language: Language, lines: Sequence[int]) -> str:
    """Lines of a text in words, those that follow each other as from the first to the last."""
    runs: list[list[int]] = []
    for line in lines:
        if runs and runs[-1][-1] == line - 1:
            runs[-1][1:] = [line]
        else:
            runs.append([line])
    return language.plain("import.where", n=len(lines), lines=", ".join("–".join(map(str, run)) for run in runs))


async def judged_pgn(request: web.Request, pgn: str) -> JudgedPgn:
    """The game, whose main line is short enough for the board. Raises InvalidPgn, Problem (400)."""
    game = await answer_of(request, read_pgn(pgn, request.app[SITE].variants))
    if len(game.moves) > LONGEST_LINE:
        raise Problem(400, "line_too_long", longest=LONGEST_LINE)
    steps, moves = steps_of(game.line)
    whole = len(steps) <= LONGEST_LINE
    if not whole:
        steps, moves = [move.uci for move in game.line], list(game.line)
    line = await answer_of(request, judging(game.start, steps))
    for ply, move in zip(line["plies"], moves, strict=True):
        ply["notes"] = notes_of(move)
    return {
        "variant": game.variant.id,
        "chess960": game.chess960,
        "white": game.tags.get("White", "?"),
        "black": game.tags.get("Black", "?"),
        "tags": {name: value for name, value in game.tags.items() if name not in FOLLOWING},
        "result": game.result,
        "comments": list(game.comments),
        "steps": steps,
        "whole": whole,
        "fen": line["fen"],
        "check": line["check"],
        "plies": line["plies"],
        "mended": told_mends(language_of(request), game.mends),
    }


def steps_of(line: PgnLine) -> tuple[list[str | int], list[PgnMove]]:
    """A line and its variations as one row of moves and half-moves to take back, and the moves in its order."""
    steps: list[str | int] = []
    moves: list[PgnMove] = []
    before = 0
    for ply, move in in_order(line, 1):
        if ply <= before:
            steps.append(before - ply + 1)
        steps.append(move.uci)
        moves.append(move)
        before = ply
    return steps, moves


def in_order(line: PgnLine, ply: int) -> Iterator[tuple[int, PgnMove]]:
    """Each move with its ply: the whole line, then from its end on what was tried instead of its moves."""
    yield from enumerate(line, ply)
    for number, move in reversed(list(enumerate(line, ply))):
        for variation in move.variations:
            yield from in_order(variation, number)


def notes_of(move: PgnMove) -> Notes:
    """The notes on a move, only those that exist."""
    notes = Notes()
    if move.nags:
        notes["nags"] = list(move.nags)
    if move.clock_ms is not None:
        notes["clock"] = move.clock_ms
    if move.comments:
        notes["comments"] = list(move.comments)
    if move.before:
        notes["before"] = list(move.before)
    return notes


async def charge_for(request: web.Request, plies: int) -> None:
    """Charges the caller. Raises Problem (429) if this person, or everybody behind the address, asks too often; long
    lines cost more than moves.
    """
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    short, limits = plies <= SHORT, site.limits
    charge_visitor(request, visitor, limits.tries if short else limits.long_tries)


async def answer_of(request: web.Request, work: SlicedWork[Made]) -> Made:
    """What `work` returns. For one address only one is under way: the others wait for it, and not the games."""
    async with request.app[HEAVY].alone(address_key(request, request.app[SITE].settings)):
        return await run_sliced(work)


def judging(start: Position, moves: Sequence[str | int]) -> SlicedWork[JudgedLine]:
    """Returns the line as it is answered. Raises IllegalLine."""
    played = yield from play_line(start, moves)
    over = played.outcome
    return {
        "fen": format_fen(start),
        "check": in_check(start),
        "plies": [{"uci": one.uci, "san": one.san, "fen": one.fen, "check": one.check} for one in played.moves],
        "legal": list(played.legal),
        "outcome": None if over is None else {"result": over.result, "winner": winner(over), "reason": over.reason},
    }
