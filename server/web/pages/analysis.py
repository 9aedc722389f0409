"""The analysis board: its pages, and what they ask of the rules. Nothing is stored, and nobody need be somebody.

A long line is judged in short steps, so that players are answered in between.
"""

import re
from collections.abc import Generator, Iterator, Sequence
from typing import Any, TypeVar

from aiohttp import web

from server.games.clocks.time_control import BANK_DAYS, DAYS
from server.rules.errors import InvalidPgn
from server.rules.movegen.legal import in_check
from server.rules.movegen.position import Position
from server.rules.notation.analysis_line import AnalysisEnd, AnalysisMove, IllegalLine, play_line
from server.rules.notation.fen import format_fen, parse_fen, start_position
from server.rules.notation.pgn import read_pgn
from server.rules.notation.pgn_line import Line, PgnMove
from server.rules.notation.pgn_tags import FOLLOWING
from server.storage.time_slices import run_sliced
from server.web.board_data import board_data, script_safe, to_json
from server.web.budgets.callers import address_key
from server.web.budgets.heavy import HEAVY
from server.web.budgets.limits import charge
from server.web.charging import charge_address
from server.web.forms.forms import LONGEST_LINE, AskedLine, AskedPgn, read_form
from server.web.languages import language_of, names_for
from server.web.lookup import find_variant
from server.web.pictures.sharing import card_of_position
from server.web.records.records import winner
from server.web.rendering.answers import as_json, as_page
from server.web.rendering.page_cache import cached_for_all
from server.web.rendering.problems import Problem, as_record
from server.web.rules_pages.drawing import draw
from server.web.rules_pages.rules_pages import RULES_PAGES
from server.web.rules_pages.traits import groups
from server.web.rules_pages.wording import wording_for
from server.web.site import SITE

GAME_ID = re.compile("[0-9A-Za-z]{10}")
SHORT = 16
"""Half-moves of a line that costs no more than a move of a game."""
Made = TypeVar("Made")


@cached_for_all
async def chooser(request: web.Request) -> web.Response:
    """GET /analysis: every variant, to choose one."""
    rules_pages, wording = request.app[RULES_PAGES], wording_for(request)
    found = groups(rules_pages.variants, wording.called, wording.say)
    return await as_page(
        request, "analysis_index.html", groups=found, shapes=rules_pages.shapes_for(rules_pages.variants), draw=draw
    )


async def analysis_page(request: web.Request) -> web.StreamResponse:
    """GET /analysis/{id}: the board; what stands on it comes from the address, which the script reads."""
    return await (show_board(request) if request.query else empty_board(request))


@cached_for_all
async def empty_board(request: web.Request) -> web.Response:
    return await show_board(request)


async def show_board(request: web.Request) -> web.Response:
    variant = find_variant(request)
    called = names_for(request)[variant.id]
    facts = {"variant": board_data(variant, called), "pgnTags": [variant.pgn_tag, variant.pgn_tag_960]}
    game = request.query.get("game", "")
    picture = card_of_position(variant, request.query.get("fen"))
    return await as_page(
        request,
        "analysis.html",
        page=script_safe(to_json(facts)),
        variant=variant,
        name=called.name,
        game=game if GAME_ID.fullmatch(game) else "",
        picture=picture,
        days_per_move=DAYS,
        banks=BANK_DAYS,
    )


async def try_line(request: web.Request) -> web.Response:
    """POST /api/variants/{id}/line: what each move of a line leads to, and what is legal at its end."""
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
        return as_json(as_record(language, error) | {"message": message, "ply": error.at}, status=400)


async def try_pgn(request: web.Request) -> web.Response:
    """POST /api/analysis/pgn: one game of any variant as PGN, judged like a line, with all that is said of its moves.

    `whole` is false when there were too many moves, and the variations are left out.
    """
    form = await read_form(request, AskedPgn)
    await charge_for(request, LONGEST_LINE)
    try:
        game = await answer_of(request, read_pgn(form.pgn, request.app[SITE].variants))
    except InvalidPgn as error:
        return as_json(as_record(language_of(request), error) | {"ply": error.ply}, status=400)
    if len(game.moves) > LONGEST_LINE:
        raise Problem(400, "line_too_long", longest=LONGEST_LINE)
    steps, moves = steps_of(game.line)
    whole = len(steps) <= LONGEST_LINE
    if not whole:
        steps, moves = [move.uci for move in game.line], list(game.line)
    line = await answer_of(request, judging(game.start, steps))
    for ply, move in zip(line["plies"], moves, strict=True):
        ply["notes"] = notes_of(move)
    return as_json(
        {
            "variant": game.variant.id,
            "chess960": game.chess960,
            "white": game.tags.get("White", "?"),
            "black": game.tags.get("Black", "?"),
            "tags": {name: value for name, value in game.tags.items() if name not in FOLLOWING},
            "result": game.result,
            "comments": game.comments,
            "steps": steps,
            "whole": whole,
            **{name: line[name] for name in ("fen", "check", "plies")},
        }
    )


def steps_of(line: Line) -> tuple[list[str | int], list[PgnMove]]:
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


def in_order(line: Line, ply: int) -> Iterator[tuple[int, PgnMove]]:
    """Each move with its ply: the whole line, then from its end on what was tried instead of its moves."""
    yield from enumerate(line, ply)
    for number, move in reversed(list(enumerate(line, ply))):
        for variation in move.variations:
            yield from in_order(variation, number)


def notes_of(move: PgnMove) -> dict[str, Any]:
    """The notes on a move, JSON-able, only those that exist. `clock` is in ms."""
    notes = {"nags": move.nags, "clock": move.clock_ms, "comments": move.comments, "before": move.before}
    return {name: said for name, said in notes.items() if said not in ((), None)}


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


def judging(start: Position, moves: Sequence[str | int]) -> Generator[AnalysisMove, None, dict[str, Any]]:
    """Returns the line as it is answered, JSON-able; yields each half-move. Raises IllegalLine."""
    plies: list[dict[str, Any]] = []
    found = yield from noting(play_line(start, moves), plies)
    over = found.outcome
    return {
        "fen": format_fen(start),
        "check": in_check(start),
        "plies": plies,
        "legal": found.legal,
        "outcome": over and {"result": over.result, "winner": winner(over), "reason": over.reason},
    }


def noting(
    steps: Generator[AnalysisMove, None, AnalysisEnd], plies: list[dict[str, Any]]
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
