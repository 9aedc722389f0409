"""A tournament on the screen of a hall, readable at ten metres: its table and its boards in turn, eight lines each.

The page shows one slide; its script asks for the next one, and so sees whatever has changed. It needs no socket and no
sign-in, and keeps what it shows while the server is away.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from aiohttp import web
from pydantic import Field

from server.language import Language
from server.realtime.tournaments import TournamentView
from server.web.forms import Form, validate_fields
from server.web.languages import language_of
from server.web.rendering.answers import as_page
from server.web.site import SITE
from server.web.tournament_rounds import boards_of
from server.web.tournament_sections import points_words, section_name
from server.web.tournaments import clock_of, find_view, name_of

LINES: Final = 8
"""On one slide: so many fill the screen with letters that can be read at the other end of the hall."""


class AskedSlide(Form):
    """`slide`: its number from 0; beyond the last one they begin again."""

    slide: Annotated[int, Field(ge=0, le=100_000, strict=False)] = 0


@dataclass(frozen=True, slots=True)
class ScreenLine:
    """One line. `number`: a place or a board; `result`: points, or how the game ended."""

    number: int
    names: tuple[str, ...]
    result: str


@dataclass(frozen=True, slots=True)
class Slide:
    """What the screen shows at a time."""

    title: str
    lines: Sequence[ScreenLine]


async def screen_page(request: web.Request) -> web.Response:
    """GET /screen/{tournament}, with ?slide="""
    site, language, view = request.app[SITE], language_of(request), await find_view(request)
    asked = validate_fields({k: v for k, v in request.query.items() if k == "slide"}, AskedSlide).slide
    slides = slides_of(language, view)
    at = asked % len(slides)
    seconds, clock, clock_words = (0, "", "") if view.tournament.terms.size else clock_of(language, view, site.now())
    page = await as_page(
        request,
        "tournaments/screen.html",
        address=f"/tournament/{view.tournament.id}",
        name=section_name(language, view.tournament),
        slide=slides[at],
        at=at,
        slides=len(slides),
        seconds=seconds,
        clock=clock,
        clock_words=clock_words,
    )
    page.headers["Cache-Control"] = "no-store"
    return page


def slides_of(language: Language, view: TournamentView) -> Sequence[Slide]:
    """All slides: the table, then the boards of the round, or those in play. One at least."""
    scoring = view.tournament.terms.scoring
    table = [
        ScreenLine(place, (sheet.entrant.person.name,), points_words(sheet.points, scoring))
        for place, sheet in enumerate(view.sheets, 1)
    ]
    boards = board_lines(language, view)
    parts = (("tournaments.standings", table), ("tournaments.screen_boards", boards))
    slides = [
        Slide(language.plain(title), lines[begin : begin + LINES])
        for title, lines in parts
        for begin in range(0, len(lines), LINES)
    ]
    return slides or [Slide(language.plain("tournaments.standings"), ())]


def board_lines(language: Language, view: TournamentView) -> Sequence[ScreenLine]:
    """The boards of the last round, or, where there are no rounds, of the games in play; none once it is over."""
    terms = view.tournament.terms
    if view.tournament.over or terms.size:
        return ()
    if terms.rounds:
        return [
            ScreenLine(one.number, tuple(who.name for who in (one.white, one.black) if who), one.result)
            for one in boards_of(language, view, view.field.round)
        ]
    first = sorted(view.under_way, key=lambda one: min(view.places.get(who, 9_999) for who in (one.white, one.black)))
    return [
        ScreenLine(number, (name_of(view, one.white), name_of(view, one.black)), "")
        for number, one in enumerate(first, 1)
    ]
