"""What the analysis board asks of the rules: what a line, or a game as PGN, leads to.

Nothing is stored, and nobody need be signed in. A long line is judged in short steps, so that players are answered in
between.
"""

from collections.abc import Generator, Iterator, Sequence
from typing import NotRequired, TypeVar

from aiohttp import web
from typing_extensions import TypedDict

from server.realtime.protocol.wire import Side
from server.rules.errors import InvalidPgn
from server.rules.movegen.legal import in_check
from server.rules.movegen.position import Position
from server.rules.notation.analysis_line import AnalysisEnd, AnalysisMove, IllegalLine, play_line
from server.rules.notation.fen import format_fen, parse_fen, start_position
from server.rules.notation.pgn import read_pgn
from server.rules.notation.pgn_line import PgnLine, PgnMove
from server.rules.notation.pgn_tags import FOLLOWING
from server.storage.time_slices import run_sliced
from server.web.budgets.callers import address_key
from server.web.budgets.heavy import HEAVY
from server.web.budgets.limits import charge
from server.web.charging import charge_address
from server.web.exports.game_json import winner
from server.web.forms.forms import LONGEST_LINE, AskedLine, AskedPgn, read_form
from server.web.languages import language_of
from server.web.lookup import find_variant
from server.web.openapi.operation import RefusedLine, described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem, problem_fields
from server.web.site import SITE

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


class JudgedPgn(TypedDict):
    """A game. `steps`: its moves and variations, with how many half-moves to take back between them.

    `whole` is false when there were too many moves, and the variations are left out.
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
        return as_json(problem_fields(language, error) | {"message": message, "ply": error.at}, status=400)


@described(body=AskedPgn, answers={200: JudgedPgn, 400: RefusedLine})
async def try_pgn(request: web.Request) -> web.Response:
    """POST /api/analysis/pgn: one game of any variant as PGN, judged like a line, with all that is said of moves."""
    form = await read_form(request, AskedPgn)
    await charge_for(request, LONGEST_LINE)
    try:
        return as_json(await judged_pgn(request, form.pgn))
    except InvalidPgn as error:
        return refused_pgn(request, error)


def refused_pgn(request: web.Request, error: InvalidPgn) -> web.Response:
    """What is wrong with a PGN, and with which half-move."""
    return as_json(problem_fields(language_of(request), error) | {"ply": error.ply}, status=400)


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
    charge_address(request, limits.tries_by_address if short else limits.long_tries_by_address)
    key = visitor.key if visitor else address_key(request, site.settings)
    charge(limits.tries if short else limits.long_tries, key, site.now())


async def answer_of(request: web.Request, work: Generator[object, None, Made]) -> Made:
    """What `work` returns. For one address only one is under way: the others wait for it, and not the games."""
    async with request.app[HEAVY].alone(address_key(request, request.app[SITE].settings)):
        return await run_sliced(work)


def judging(start: Position, moves: Sequence[str | int]) -> Generator[AnalysisMove, None, JudgedLine]:
    """Returns the line as it is answered; yields each half-move. Raises IllegalLine."""
    plies: list[JudgedMove] = []
    found = yield from noting(play_line(start, moves), plies)
    over = found.outcome
    return {
        "fen": format_fen(start),
        "check": in_check(start),
        "plies": plies,
        "legal": list(found.legal),
        "outcome": None if over is None else {"result": over.result, "winner": winner(over), "reason": over.reason},
    }


def noting(
    steps: Generator[AnalysisMove, None, AnalysisEnd], plies: list[JudgedMove]
) -> Generator[AnalysisMove, None, AnalysisEnd]:
    """The same steps, each of which is added to `plies`."""
    while True:
        try:
            found = next(steps)
        except StopIteration as stop:
            end: AnalysisEnd = stop.value
            return end
        plies.append({"uci": found.uci, "san": found.san, "fen": found.fen, "check": found.check})
        yield found
