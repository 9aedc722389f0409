"""The rounds of a Swiss as a page: who plays whom, and how it ended; and what its organisers have done.

Whoever organises corrects results there. What was decided is told to everybody, with who has decided it.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated, Final, Literal

from aiohttp import web
from pydantic import Field

from server.games.player import Player
from server.games.tournaments.tournament import FREE, Act, ActKind, Correction, GameResult, Pairing, check_correction
from server.language import Language
from server.realtime.tournaments import TournamentView
from server.rules.errors import Refusal
from server.rules.variant.pieces import Color
from server.web.forms import Form, read_fields, validate_fields
from server.web.languages import language_of
from server.web.rendering.answers import as_page
from server.web.rendering.problems import Problem, with_status
from server.web.session import Visitor
from server.web.site import SITE
from server.web.tournaments import carry_out, find_view, may_manage, name_of, require_manager, tournament_path

RESULTS: Final = {
    Correction.WHITE: "1 – 0",
    Correction.DRAW: "½ – ½",
    Correction.BLACK: "0 – 1",
    Correction.NO_BLACK: "+ – −",
    Correction.NO_WHITE: "− – +",
    Correction.VOID: "–",
}
"""How results are written; no language has others."""


class AskedRound(Form):
    """`round`: which one, from 1; none: the last one."""

    round: Annotated[int, Field(ge=1, le=100, strict=False)] | None = None


class Corrected(Form):
    """`game`: of which the result is another one."""

    game: Annotated[str, Field(pattern=r"^[0-9A-Za-z]{10}$")]
    result: Literal["white", "draw", "black", "no_black", "no_white", "void"]


@dataclass(frozen=True, slots=True)
class Board:
    """One line of a round. `game`: its id, "" for who has none; `black` is then None. `number`: from 1.

    `result`: as `RESULTS` has it, "" while it is played; `words`: the same for who cannot see it; `correction`: the
    same as the form names it.
    """

    number: int
    game: str
    white: Player
    black: Player | None
    result: str
    words: str
    correction: str


async def rounds_page(request: web.Request) -> web.Response:
    """GET /tournament/{tournament}/rounds, with ?round="""
    return await show_rounds(request, None)


async def show_rounds(request: web.Request, problem: Refusal | None, wanted: int | None = None) -> web.Response:
    """The page of the `wanted` round, else of the one that was asked for, with what was wrong about what was done.

    Raises Problem (404) where there are no rounds.
    """
    site, language, view = request.app[SITE], language_of(request), await find_view(request)
    visitor = await site.sessions.find(request)
    if not view.tournament.terms.rounds:
        raise Problem(404, "no_rounds")
    asked = validate_fields({k: v for k, v in request.query.items() if k == "round"}, AskedRound).round
    begun = view.field.round
    number = min(wanted or asked or begun, begun)
    corrects = await may_correct(request, view, visitor)
    page = await as_page(
        request,
        "tournaments/rounds.html",
        problem=problem,
        tournament=view.tournament,
        number=number,
        begun=begun,
        boards=boards_of(language, view, number),
        corrections=[(one.value, language.plain(f"tournaments.correct_{one.value}")) for one in Correction],
        corrects=corrects,
        acts=[act_words(language, view, one) for one in reversed(view.acts)],
    )
    return with_status(page, problem)


async def may_correct(request: web.Request, view: TournamentView, visitor: Visitor | None) -> bool:
    """May they correct its results, and are these not final?"""
    site = request.app[SITE]
    try:
        check_correction(view.tournament, site.now())
    except Refusal:
        return False
    return await may_manage(site, visitor, view.tournament)


def boards_of(language: Language, view: TournamentView, number: int) -> list[Board]:
    """The boards of a round, the first board first; last who has no game."""
    pairings = [one for one in view.pairings.values() if one.wave == number]
    return [board_of(language, view, one) for one in sorted(pairings, key=lambda one: one.board)]


def board_of(language: Language, view: TournamentView, pairing: Pairing) -> Board:
    """One line of a round."""
    white = view.entrants[pairing.white].person
    if not pairing.is_game:
        free = pairing.black == FREE
        words = language.plain(f"tournaments.result_{'free' if free else 'half'}")
        return Board(pairing.board + 1, "", white, None, "1" if free else "½", words, "")
    result = view.results.get(pairing.game)
    found = None if result is None else correction_of(result)
    return Board(
        number=pairing.board + 1,
        game=pairing.game,
        white=white,
        black=view.entrants[pairing.black].person,
        result="" if found is None else RESULTS[found],
        words=language.plain(f"tournaments.correct_{found.value}" if found else "tournaments.result_running"),
        correction="" if found is None else found.value,
    )


def correction_of(result: GameResult) -> Correction:
    """What would make this result of any other."""
    if result.void:
        return Correction.VOID
    if result.absent is not None:
        return Correction.NO_BLACK if result.absent is Color.BLACK else Correction.NO_WHITE
    if result.winner is None:
        return Correction.DRAW
    return Correction.WHITE if result.winner is Color.WHITE else Correction.BLACK


def act_words(language: Language, view: TournamentView, act: Act) -> tuple[str, str, str]:
    """When it was done (UTC), by whom, and what."""
    when = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=act.at)
    if act.kind is ActKind.RESULT and act.about in view.pairings:
        pairing = view.pairings[act.about]
        what = language.plain(
            "tournaments.act_result",
            round=pairing.wave,
            white=language.person(name_of(view, pairing.white)),
            black=language.person(name_of(view, pairing.black)),
            result=language.plain(f"tournaments.correct_{act.said}"),
        )
    else:
        about = language.person(name_of(view, act.about)) if act.kind is ActKind.OUT else act.about
        what = language.plain(f"tournaments.act_{act.kind.value}", about=about)
    return f"{when:%Y-%m-%d %H:%M}", act.by.name, what


async def correct_result(request: web.Request) -> web.Response:
    """POST /tournament/{tournament}/result: game, result; for the organiser, and the site's. Leads to its round."""
    manager, visitor, view = await require_manager(request)
    form = await read_fields(request, Corrected)
    pairing = view.pairings.get(form.game)
    wave = pairing.wave if pairing else None
    to = f"{tournament_path(request)}/rounds" + (f"?round={wave}" if wave else "")
    correcting = request.app[SITE].live.tournaments.correct_result(
        view.tournament.id, manager, form.game, Correction(form.result)
    )
    return await carry_out(request, visitor, correcting, to, partial(show_rounds, wanted=wave))
