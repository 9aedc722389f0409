"""Puzzles over HTTP: their pages, one to solve, whether a move solves it, and its solution.

The server judges all moves from the start each time, as `games.puzzles` decides. No answer reveals a move of the
solution before the solver has found it, failed or given up. Of people with accounts the first try counts, in the
store. Guests' results stay in their browser and change no rating of a puzzle.
"""

import asyncio
import secrets
from dataclasses import dataclass
from typing import Annotated, Final

from aiohttp import web
from pydantic import Field
from typing_extensions import TypedDict

from server.games.puzzles import Puzzle, PuzzleStanding, Reached, after_try, judge_moves, solution
from server.games.rating import MAX_DEVIATION, MAX_VOLATILITY, Rating
from server.language import Language
from server.rules.diagrams.diagram import Diagram
from server.rules.movegen.legal import in_check, legal_ucis
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.variant.variant import Variant
from server.storage.protocols.ratings import MAX_GAMES
from server.storage.tables.puzzles import PuzzleTry
from server.web.board_data import script_safe, to_json
from server.web.forms import Form, read_form
from server.web.languages import language_of
from server.web.openapi.operation import described
from server.web.rendering.answers import as_json, as_page
from server.web.rendering.problems import Problem
from server.web.rules_pages.drawing import draw
from server.web.rules_pages.handlers import find_form, try_board_data
from server.web.rules_pages.page import address_of, form_at
from server.web.rules_pages.rules_pages import RULES_PAGES, Wording, wording_for
from server.web.site import SITE, charge_address, charge_visitor

NEAR: Final = 8
"""The next puzzle is drawn from so many on each side of the solver's rating."""
MOST_TRIED: Final = 400
"""The most puzzles that a guest's browser may name as already tried."""
SENTENCES = ("wrong", "failed", "gave_up", "streak", "rating", "gained", "all_solved", "unrated", "board", "rated")
"""What the script shows, once it has filled in the placeholders."""


@dataclass(frozen=True, slots=True)
class FormPuzzles:
    """A form that has puzzles: its address and name, and how many."""

    address: str
    name: str
    number: int
    start: Diagram


async def index(request: web.Request) -> web.Response:
    """GET /puzzles: the forms that have puzzles."""
    site, wording = request.app[SITE], wording_for(request)
    forms = []
    for variant in site.offered.values():
        for chess960 in (False, True) if variant.chess960 else (False,):
            if number := await site.store.puzzles.count_puzzles(variant.id, chess960):
                name = wording.called[variant.id].of_form(chess960).name
                start = Diagram(variant, variant.start_fen)
                forms.append(FormPuzzles(address_of(variant.id, chess960), name, number, start))
    rules_pages = request.app[RULES_PAGES]
    return await as_page(
        request,
        "puzzles/puzzles.html",
        forms=forms,
        shapes=rules_pages.shapes_for({one.start.variant.id: one.start.variant for one in forms}),
        draw=draw,
    )


async def puzzles_of_form(request: web.Request) -> web.Response:
    """GET /puzzles/{variant}: the board. The script asks for the puzzle."""
    variant, chess960 = find_form(request)
    wording = wording_for(request)
    called = wording.called[variant.id].of_form(chess960)
    address = address_of(variant.id, chess960)
    facts = {
        "form": address,
        "chess960": chess960,
        "variant": try_board_data(variant, called, chess960),
        "words": _words(wording, called.name),
    }
    number = await request.app[SITE].store.puzzles.count_puzzles(variant.id, chess960)
    return await as_page(
        request,
        "puzzles/puzzle.html",
        page=script_safe(to_json(facts)),
        variant=variant,
        address=address,
        name=called.name,
        number=number,
    )


def _words(wording: Wording, name: str) -> dict[str, str]:
    """`SENTENCES` by the end of their key; the script fills in the {placeholders}."""
    places = {place: f"{{{place}}}" for place in ("n", "best", "gained", "themes", "rating")}
    return {one: wording.say(f"puzzles.{one}", **places | {"name": name}) for one in SENTENCES}


class ToldStanding(TypedDict):
    """Somebody's results at the puzzles of a form: their Glicko-2 rating as of `at` (ms), how many they have tried, how
    many they solved at the first try, and their current and longest run of these."""

    value: float
    deviation: float
    volatility: float
    tried: int
    at: int
    solved: int
    streak: int
    best: int


class ShownPuzzle(TypedDict):
    """What may be known of a puzzle before it is solved: neither its game nor its themes. Moves are in UCI."""

    id: str
    form: str
    chess960: bool
    fen: str
    check: bool
    last: str
    legal: list[str]
    turn: str
    say: str


class OnePuzzle(TypedDict):
    puzzle: ShownPuzzle


class NextPuzzle(TypedDict):
    """`puzzle`: null if there is none that they have not had."""

    puzzle: ShownPuzzle | None
    standing: ToldStanding


class SettledTry(TypedDict):
    """What a first try made of the standing, and by how many points the rating changed."""

    standing: ToldStanding
    gained: int


class SolvedPuzzle(TypedDict):
    """`rating`: the puzzle's. `game`: where it comes from; null if that has been deleted. `moves`: the whole line."""

    rating: int
    themes: list[str]
    game: str | None
    moves: list[str]


class ReachedPosition(TypedDict):
    """A position and the move that led to it."""

    uci: str
    fen: str
    check: bool


class PuzzleReply(ReachedPosition):
    """The opponent's move, and what is legal then."""

    legal: list[str]


class JudgedMoves(TypedDict):
    """`settled`: null unless this decided a first try. `about`: null unless it is solved."""

    right: bool
    solved: bool
    say: str
    after: ReachedPosition
    reply: PuzzleReply | None
    settled: SettledTry | None
    about: SolvedPuzzle | None


class PuzzleSolution(TypedDict):
    line: list[ReachedPosition]
    settled: SettledTry | None
    about: SolvedPuzzle


def told_standing(one: PuzzleStanding) -> ToldStanding:
    """The standing as the API and the account's export show it."""
    rating = one.rating
    return {
        "value": rating.value,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
        "tried": rating.games,
        "at": rating.at,
        "solved": one.solved,
        "streak": one.streak,
        "best": one.best,
    }


def settled_try(before: PuzzleStanding, after: PuzzleStanding) -> SettledTry:
    """What a first try has made of the standing, in rounded points."""
    return {"standing": told_standing(after), "gained": after.rating.rounded - before.rating.rounded}


def shown_puzzle(puzzle: Puzzle, variant: Variant, language: Language) -> ShownPuzzle:
    """What may be known before it is solved."""
    position = parse_fen(variant, puzzle.fen, puzzle.chess960)
    side = position.turn.name.lower()
    return {
        "id": puzzle.id,
        "form": address_of(puzzle.variant, puzzle.chess960),
        "chess960": puzzle.chess960,
        "fen": puzzle.fen,
        "check": in_check(position),
        "last": puzzle.last,
        "legal": legal_ucis(position),
        "turn": side,
        "say": language.plain(f"puzzles.find_{side}"),
    }


def reached(one: Reached) -> ReachedPosition:
    """A move and the position after it, as the page shows them."""
    return {"uci": one.move.uci, "fen": format_fen(one.position), "check": in_check(one.position)}


PuzzleId = Annotated[str, Field(pattern=r"^[0-9a-z]{1,16}$")]
Count = Annotated[int, Field(ge=0, le=MAX_GAMES)]


class GuestStanding(Form):
    """A `PuzzleStanding`, as a guest's browser has kept it. It matters to that guest alone."""

    value: Annotated[float, Field(ge=0, le=5_000)] = 1_500.0
    deviation: Annotated[float, Field(ge=1, le=MAX_DEVIATION)] = MAX_DEVIATION
    volatility: Annotated[float, Field(ge=0.001, le=MAX_VOLATILITY)] = 0.06
    tried: Count = 0
    at: Annotated[int, Field(ge=0, le=10**14)] = 0
    solved: Count = 0
    streak: Count = 0
    best: Count = 0

    def standing(self) -> PuzzleStanding:
        """The same as a value."""
        rating = Rating(self.value, self.deviation, self.volatility, self.tried, self.at)
        return PuzzleStanding(rating, self.solved, self.streak, self.best)


class AnyPuzzle(Form):
    """`form`: as in the addresses of rules pages. The rest is said for guests only."""

    form: Annotated[str, Field(max_length=50)]
    tried: Annotated[list[PuzzleId], Field(max_length=MOST_TRIED, default_factory=list)]
    standing: GuestStanding = GuestStanding()


class GivenUp(Form):
    """`standing`: a guest's, if this is their first try at the puzzle."""

    standing: GuestStanding | None = None


class TriedMoves(GivenUp):
    """All moves of the solver's so far, in UCI."""

    moves: Annotated[list[Annotated[str, Field(min_length=2, max_length=12)]], Field(min_length=1, max_length=20)]


@described(body=AnyPuzzle, answers={200: NextPuzzle}, refused=(404,))
async def next_puzzle(request: web.Request) -> web.Response:
    """POST /api/puzzles: one near the asker's rating that they have not had; `puzzle` is null if there is none."""
    asked = await read_form(request, AnyPuzzle)
    site = request.app[SITE]
    charge_address(request, site.limits.tries)
    found = form_at(asked.form, site.variants)
    if found is None:
        raise Problem(404, "unknown_variant")
    variant, chess960 = found
    member = await request.app[SITE].sessions.member(request)
    standing, tried = asked.standing.standing(), frozenset(asked.tried)
    if member is not None:
        standing = await site.store.puzzle_tries.find_standing(member.user.id, variant.id, chess960)
        tried = frozenset(await site.store.puzzle_tries.tried_puzzles(member.user.id))
    near = await site.store.puzzles.puzzles_near(variant.id, chess960, standing.rating.value, tried, NEAR)
    chosen = secrets.choice(near) if near else None
    shown = None if chosen is None else shown_puzzle(chosen, variant, language_of(request))
    return as_json({"puzzle": shown, "standing": told_standing(standing)})


@described(answers={200: OnePuzzle})
async def read_puzzle(request: web.Request) -> web.Response:
    """GET /api/puzzles/{puzzle}: its position."""
    puzzle, variant = await _find(request)
    return as_json({"puzzle": shown_puzzle(puzzle, variant, language_of(request))})


@described(body=TriedMoves, answers={200: JudgedMoves})
async def try_puzzle(request: web.Request) -> web.Response:
    """POST /api/puzzles/{puzzle}: judges the solver's moves."""
    tried = await read_form(request, TriedMoves)
    await _charge(request)
    puzzle, variant = await _find(request)
    verdict = await asyncio.to_thread(judge_moves, puzzle, variant, tried.moves)
    decided, reply = verdict.solved or not verdict.right, verdict.reply
    said = "solved" if verdict.solved else "right" if verdict.right else "wrong"
    return as_json(
        {
            "right": verdict.right,
            "solved": verdict.solved,
            "say": language_of(request).plain(f"puzzles.{said}"),
            "after": reached(verdict.after),
            "reply": None if reply is None else {**reached(reply), "legal": legal_ucis(reply.position)},
            "settled": await _settle(request, puzzle, tried.standing, verdict.solved) if decided else None,
            "about": await _about(request, puzzle) if verdict.solved else None,
        }
    )


@described(body=GivenUp, answers={200: PuzzleSolution})
async def show_solution(request: web.Request) -> web.Response:
    """POST /api/puzzles/{puzzle}/solution: gives up, and is shown every move."""
    asked = await read_form(request, GivenUp)
    await _charge(request)
    puzzle, variant = await _find(request)
    settled = await _settle(request, puzzle, asked.standing, False)
    line = [reached(one) for one in await asyncio.to_thread(solution, puzzle, variant)]
    return as_json({"line": line, "settled": settled, "about": await _about(request, puzzle)})


async def _charge(request: web.Request) -> None:
    site = request.app[SITE]
    visitor = await site.sessions.find(request)
    charge_visitor(request, visitor, site.limits.tries)


async def _find(request: web.Request) -> tuple[Puzzle, Variant]:
    """The puzzle that the address names. Raises Problem (404)."""
    site = request.app[SITE]
    puzzle = await site.store.puzzles.find_puzzle(request.match_info["puzzle"])
    variant = None if puzzle is None else site.variants.get(puzzle.variant)
    if puzzle is None or variant is None:
        charge_address(request, site.limits.misses)
        raise Problem(404, "no_puzzle")
    return puzzle, variant


async def _settle(
    request: web.Request, puzzle: Puzzle, guests: GuestStanding | None, solved: bool
) -> SettledTry | None:
    """What comes of a try: the new standing, and the change of the rating. None: it was not the first."""
    site, member = request.app[SITE], await request.app[SITE].sessions.member(request)
    now, before = site.now(), None if guests is None else guests.standing()
    if member is None:
        return None if before is None else settled_try(before, after_try(before, puzzle.rating, solved, now)[0])
    settled = await site.store.puzzle_tries.note_try(PuzzleTry(member.user.id, puzzle.id, solved, now), puzzle)
    return None if settled is None else settled_try(*settled)


async def _about(request: web.Request, puzzle: Puzzle) -> SolvedPuzzle:
    """What may be known once the puzzle is solved or given up."""
    site, language = request.app[SITE], language_of(request)
    known = await site.store.progress([puzzle.game], site.now())
    return {
        "rating": puzzle.rating.rounded,
        "themes": [language.plain(f"puzzles.theme_{theme.replace('-', '_')}") for theme in sorted(puzzle.themes)],
        "game": f"/{puzzle.game}#{puzzle.ply}" if puzzle.game in known.revs else None,
        "moves": list(puzzle.line),
    }
