"""What the pages of puzzles ask for: one to solve, whether a move solves it, and its solution.

The server judges all moves from the start each time. No answer holds a move of the solution before it was played, given
up or failed; only the first try of somebody with an account counts, in the store. A guest's browser keeps what comes of
their tries, and changes no rating of a puzzle.
"""

import asyncio
import secrets
from typing import Annotated, Final

from aiohttp import web
from pydantic import Field

from server.games.puzzles.puzzle import Puzzle
from server.games.puzzles.solving import judge, solution
from server.games.puzzles.standing import PuzzleStanding, after_try
from server.games.rating import MAX_DEVIATION, MAX_VOLATILITY, Rating
from server.rules.variant.variant import Variant
from server.storage.protocols.puzzles.tries import FormStanding, PuzzleTry
from server.storage.protocols.ratings import MAX_GAMES
from server.web.budgets.callers import address_key
from server.web.budgets.limits import charge
from server.web.charging import charge_address
from server.web.forms.forms import Form, read_form
from server.web.languages import language_of
from server.web.openapi.operation import described
from server.web.puzzles.answers import (
    JudgedMoves,
    NextPuzzle,
    OnePuzzle,
    PuzzleSolution,
    SettledTry,
    SolvedPuzzle,
    judged_moves,
    reached,
    settled_try,
    shown_puzzle,
    solved_puzzle,
    told_standing,
)
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.rules_pages.addresses import form_at
from server.web.site import SITE

NEAR: Final = 8
"""Of so many puzzles on each side of somebody's rating one is drawn."""
MOST_TRIED: Final = 400
"""Puzzles that a guest's browser says it has had."""
SETTLING = web.AppKey("SETTLING", asyncio.Lock)
"""Ratings are read and written by one request at a time, so that none is lost."""

PuzzleId = Annotated[str, Field(pattern=r"^[0-9a-z]{1,16}$")]
Count = Annotated[int, Field(ge=0, le=MAX_GAMES)]


class GuestStanding(Form):
    """A `PuzzleStanding`, as a guest's browser has kept it. Nobody else relies on it."""

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
    charge_address(request, site.limits.tries_by_address)
    found = form_at(asked.form, site.variants)
    if found is None:
        raise Problem(404, "unknown_variant")
    variant, chess960 = found
    member = await request.app[SITE].sessions.member(request)
    standing, tried = asked.standing.standing(), frozenset(asked.tried)
    if member is not None:
        standing = await site.store.puzzle_tries.standing(member.user.id, variant.id, chess960)
        tried = frozenset(await site.store.puzzle_tries.tried(member.user.id))
    near = await site.store.puzzles.near(variant.id, chess960, standing.rating.value, tried, NEAR)
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
    verdict = await asyncio.to_thread(judge, puzzle, variant, tried.moves)
    decided = verdict.solved or not verdict.right
    settled = await _settle(request, puzzle, tried.standing, verdict.solved) if decided else None
    about = await _about(request, puzzle) if verdict.solved else None
    return as_json(judged_moves(verdict, settled, about, language_of(request)))


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
    charge_address(request, site.limits.tries_by_address)
    charge(site.limits.tries, visitor.key if visitor else address_key(request, site.settings), site.now())


async def _find(request: web.Request) -> tuple[Puzzle, Variant]:
    """The puzzle that the address names. Raises Problem (404)."""
    site = request.app[SITE]
    puzzle = await site.store.puzzles.find(request.match_info["puzzle"])
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
    store, owner = site.store, member.user.id
    async with request.app[SETTLING]:
        newest = await store.puzzles.find(puzzle.id) or puzzle
        before = await store.puzzle_tries.standing(owner, puzzle.variant, puzzle.chess960)
        after, rating = after_try(before, newest.rating, solved, now)
        standing = FormStanding(owner, puzzle.variant, puzzle.chess960, after)
        first = await store.puzzle_tries.note(PuzzleTry(owner, puzzle.id, solved, now), standing, rating)
    return settled_try(before, after) if first else None


async def _about(request: web.Request, puzzle: Puzzle) -> SolvedPuzzle:
    site = request.app[SITE]
    known = await site.store.progress([puzzle.game], site.now())
    return solved_puzzle(puzzle, puzzle.game in known.revs, language_of(request))
