"""Searches the archive for people and programs: turns the fields of an address into a search, and fills a page.

The address is the whole search, so that it can be kept and sent. Knows no markup.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from time import perf_counter
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from server.games.clocks.time_control import DAY_MS
from server.rules.variant.variant import Variant
from server.storage.protocols.archive import ArchiveStore, Page, ResultFilter, Search
from server.web.forms.forms import COLORS, Form, sentence
from server.web.rendering.problems import Problem

LOOK_S = 0.020
"""Seconds after which a page is returned even if it is not full; the caller can continue from where it ends."""
TURNED: Mapping[ResultFilter | None, ResultFilter] = {"won": "lost", "lost": "won"}

NameField = Annotated[str, Field(max_length=64)]
DayField = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]


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


def read_search(query: Mapping[str, str]) -> SearchForm:
    """The fields of an address. Raises Problem (400) if one is not valid."""
    try:
        return SearchForm.model_validate(dict(query))
    except ValidationError as error:
        raise Problem(400, "bad_search", detail=sentence(error)) from None


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


def day_of(ms: int) -> str:
    """The day (UTC) of an instant, as a form wants it."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)).date().isoformat()
