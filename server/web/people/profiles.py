"""The profile of a registered player: what they say about themselves, what they play, their ratings, their opponents,
and their games in play; and what the reader and they are to each other.
"""

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final
from urllib.parse import quote

from aiohttp import web
from pydantic import Field

from server.games.clocks.time_control import DAY_MS, Speed
from server.games.people import LONGEST_NOTE, LONGEST_PROFILE_TEXT
from server.games.rating import Rating
from server.language import Language
from server.realtime.play.chat import ChatForm, clean
from server.rules.variant.variant import Variant
from server.storage.protocols.archive import GameSummary, Search
from server.storage.protocols.ratings import Category, Perf, RatingChange, Tally
from server.storage.tables.accounts import Account
from server.storage.tables.profiles import ProfileText
from server.web.accounts.account_pages import require_account, see_other
from server.web.board_data import emblems
from server.web.budgets.limits import charge
from server.web.clock_words import day_of
from server.web.forms import Form, read_fields
from server.web.languages import language_of, variant_names
from server.web.people.online import following, is_seen_here
from server.web.people.statistics import read_statistics
from server.web.people.ties import tie_shown
from server.web.pictures.image_cache import IMAGES
from server.web.rendering.answers import as_page
from server.web.rendering.problems import Problem
from server.web.session import Visitor
from server.web.site import SITE, Site
from server.web.tournament_sections import points_words, section_name

PROFILE_TEXT: Final = ChatForm(LONGEST_PROFILE_TEXT, line_breaks=True)

WIDTH: Final = 400
HEIGHT: Final = 190
LEFT: Final = 50
"""Room for the numbers of the scale."""
EDGE: Final = 12
MIN_STEP: Final = 10
MAX_LINES: Final = 6

MOST_CARDS: Final = 6
"""Cards; the table has every rating."""
LATEST: Final = 20
"""Games on a line."""
MONTH_MS: Final = 30 * DAY_MS
CARD_WIDTH: Final = 100
CARD_HEIGHT: Final = 32
CARD_EDGE: Final = 3

GAMES_IN_CHART = 300
GAMES_IN_TABLE = 20
OPPONENTS = 8
LAST_GAMES = 8
OPPONENTS_LOOKED_AT = 200
RUNNING = 20
LAST_TOURNAMENTS = 5
"""Of each format."""
WITH_BOARD = 4
"""Games in play with a picture."""
ORDER = {speed: number for number, speed in enumerate(Speed)}


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in a list, as its player sees it. `outcome`: won, drawn, lost, or "" while it goes on or for none."""

    game: GameSummary
    opponent: str
    outcome: str
    day: str


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """What somebody has come to in a tournament; `place` and `points` as they are written."""

    id: str
    format: str
    name: str
    place: str
    points: str
    day: str


async def profile_page(request: web.Request) -> web.Response:
    """GET /@/{name}; `?rating=` chooses the history to draw. Any spelling of the name redirects to the same page."""
    site = request.app[SITE]
    name = request.match_info["name"]
    account = await site.store.accounts.find(name)
    if account is None:
        raise Problem(404, "no_player")
    if account.name != name:
        raise web.HTTPMovedPermanently(f"/@/{quote(account.name)}")
    visitor = await site.sessions.find(request)
    shown = await profile_of(site, account, variant_names(request), request.query.get("rating"))
    tie = await tie_shown(site, visitor, account.user)
    shown |= {
        "text": await text_shown(site, account, hidden=tie.blocks, own=tie.own),
        "own": tie.own,
        "note": None if tie.own else await note_shown(site, visitor, account),
        "longest_note": LONGEST_NOTE,
        "follows": tie.follows,
        "blocks": tie.blocks,
        "with_board": {game.id for game in shown["running"][:WITH_BOARD]} if IMAGES in request.app else frozenset(),
        "here": await is_seen_here(site, account.user, visitor),
        "met": await met(site, visitor, account),
        "following": await following(site, visitor) if tie.own else (),
        "tournaments": await tournament_rows(site, language_of(request), account.user),
    }
    return await as_page(request, "people/profile.html", **shown)


class ProfileTextForm(Form):
    """What somebody says about themselves. Browsers send a line break as two characters."""

    text: Annotated[str, Field(max_length=2 * LONGEST_PROFILE_TEXT)] = ""


async def write_profile_text(request: web.Request) -> web.Response:
    """POST /account/profile: text. Leads to the page as others see it."""
    site = request.app[SITE]
    visitor = await require_account(request)
    form = await read_fields(request, ProfileTextForm)
    charge(site.limits.ties, visitor.user.id, site.now())
    site.live.services.sanctions.check_speech(visitor.user.id, "", site.now())
    text = clean(form.text, PROFILE_TEXT)
    site.live.services.sanctions.check_text(text)
    await site.store.profiles.keep_text(ProfileText(visitor.user.id, text, site.now()))
    return see_other(f"/@/{quote(visitor.user.name)}")


async def text_shown(site: Site, account: Account, *, hidden: bool, own: bool) -> str:
    """What somebody says about themselves, "" for nothing, or as long as the host lets them write nowhere: `own`, they
    still see it. Raises Unavailable.
    """
    if hidden or not (own or site.live.services.sanctions.may_be_read(account.user, site.now())):
        return ""
    return await site.store.profiles.text_of(account.user)


async def profile_of(site: Site, account: Account, called: Mapping[str, str], wanted: str | None) -> dict[str, Any]:
    """All that the template shows. Raises Unavailable."""
    ratings, now = site.store.ratings, site.now()
    perfs, scores, games, page, allowance, statistics = await asyncio.gather(
        ratings.perfs(account.user),
        ratings.scores(account.user, OPPONENTS),
        site.live.running_games.games_of(account.user),
        site.store.archive.page(Search(player=account.name, source="played"), LAST_GAMES),
        site.live.vacations.allowance_of(account.user),
        read_statistics(site.store, account, site.variants, now),
    )
    rated = by_kind([one for one in perfs if one.rating.games], site.variants)
    category = chosen(rated, wanted)
    history = await ratings.history(account.user, category, GAMES_IN_CHART) if category else ()
    on_cards = most_played(rated)
    latest = [ratings.history(account.user, one.category, LATEST) for one in on_cards]
    lines = await asyncio.gather(*latest)
    return {
        "cards": [card_of(one, line, now) for one, line in zip(on_cards, lines, strict=True)],
        "portrait": emblems(site.variants),
        "player": account.name,
        "since": day_of(account.created),
        "away": allowance.until,
        "rated": [(one, one.rating.aged(now)) for one in rated],
        "tallies": tallies(perfs, site.variants),
        "scores": scores,
        "running": [game for game in games if game.opponent is not None][:RUNNING],
        "finished": [game_row(account.name, game) for game in page.games],
        "called": called,
        "statistics": statistics,
        "category": category,
        "chart": chart_of(history),
        "size": {"width": WIDTH, "height": HEIGHT, "left": LEFT},
        "table": table(history),
        "charted": len(history),
    }


async def tournament_rows(site: Site, language: Language, person: str) -> Sequence[TournamentRow]:
    """What they (an id) have come to in tournaments, by format, the last one first. Raises Unavailable."""
    return [
        TournamentRow(
            id=tournament.id,
            format=tournament.terms.format,
            name=section_name(language, tournament),
            place=f"{placing.place}/{placing.of}",
            points=points_words(placing.points, tournament.terms.scoring),
            day=day_of(placing.ended),
        )
        for tournament, placing in await site.live.tournaments.placings_of(person, LAST_TOURNAMENTS)
    ]


async def note_shown(site: Site, visitor: Visitor | None, account: Account) -> str | None:
    """What the visitor has written for themselves about that person; None if they have no account, and so no notes.

    Raises Unavailable.
    """
    if visitor is None or visitor.user.guest:
        return None
    return await site.store.notes.text_of(visitor.user.id, person=account.user)


async def met(site: Site, visitor: Visitor | None, account: Account) -> Tally | None:
    """The visitor's tally against that person; None if they have not met. Raises Unavailable."""
    if visitor is None or visitor.user.id == account.user:
        return None
    scores = await site.store.ratings.scores(visitor.user.id, OPPONENTS_LOOKED_AT)
    return next((one.tally for one in scores if one.opponent == account.user), None)


def by_kind(perfs: Sequence[Perf], variants: Mapping[str, Variant]) -> Sequence[Perf]:
    """`perfs` in the order of the site's variants, usual starts before shuffled ones, fast speeds before slow ones."""
    order = {variant: number for number, variant in enumerate(variants)}
    return sorted(
        (one for one in perfs if one.category.variant in order),
        key=lambda one: (order[one.category.variant], one.category.chess960, ORDER[one.category.speed]),
    )


def chosen(rated: Sequence[Perf], wanted: str | None) -> Category | None:
    """The category whose history is drawn: the one asked for, else that of the last rated game."""
    asked = next((one.category for one in rated if one.category.key == wanted), None)
    latest = max(rated, key=lambda one: one.rating.at, default=None)
    return asked or (latest.category if latest else None)


def tallies(perfs: Sequence[Perf], variants: Mapping[str, Variant]) -> Sequence[tuple[str, bool, Tally]]:
    """Variant, whether shuffled, and the tally at all speeds together, most played first."""
    totals: dict[tuple[str, bool], Tally] = {}
    for one in by_kind(perfs, variants):
        key = one.category.variant, one.category.chess960
        totals[key] = totals.get(key, Tally()) + one.tally
    return sorted(((*key, tally) for key, tally in totals.items()), key=lambda one: -one[2].games)


def game_row(player: str, game: GameSummary) -> GameRow:
    """One game in the list of `player` (a name): the opponent, how it ended for the player, and the day."""
    white = game.white == player
    opponent = (game.black if white else game.white) or "?"
    outcome = {"1-0": "won" if white else "lost", "0-1": "lost" if white else "won", "1/2-1/2": "drawn"}
    return GameRow(
        game, opponent, outcome.get(game.result or "", ""), day_of(game.created if game.ended is None else game.ended)
    )


def table(history: Sequence[RatingChange]) -> Sequence[tuple[str, int, int]]:
    """Day, rating after the game, and change, newest first."""
    newest = history[: -GAMES_IN_TABLE - 1 : -1]
    return [(day_of(one.at), round(one.after), round(one.after) - round(one.before)) for one in newest]


@dataclass(frozen=True, slots=True)
class RatingCard:
    """`rating`: as of now. `line`: the points of an SVG polyline, CARD_WIDTH by CARD_HEIGHT. `gained`: in a month."""

    category: Category
    rating: Rating
    line: str
    gained: int


def most_played(rated: Sequence[Perf]) -> Sequence[Perf]:
    """Those that get a card: the ones with most rated games."""
    return sorted(rated, key=lambda one: -one.rating.games)[:MOST_CARDS]


def card_of(perf: Perf, history: Sequence[RatingChange], now: int) -> RatingCard:
    """`history`: their latest changes in that category, the oldest first; `now` in ms."""
    month = [change for change in history if change.at > now - MONTH_MS]
    gained = round(month[-1].after - month[0].before) if month else 0
    return RatingCard(perf.category, perf.rating.aged(now), line_of(history), gained)


def line_of(history: Sequence[RatingChange]) -> str:
    """A level line if there are no changes."""
    values = [history[0].before, *(change.after for change in history)] if history else [0.0, 0.0]
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    flat = high == low
    points = [
        (
            round(CARD_WIDTH * number / (len(values) - 1), 1),
            CARD_HEIGHT / 2
            if flat
            else round(CARD_HEIGHT - CARD_EDGE - (value - low) / span * (CARD_HEIGHT - 2 * CARD_EDGE), 1),
        )
        for number, value in enumerate(values)
    ]
    return " ".join(f"{x},{y}" for x, y in points)


@dataclass(frozen=True, slots=True)
class GridLine:
    """A line across the chart at a round rating."""

    value: int
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """`line` holds the points of an SVG polyline. `end` is where the last of them is."""

    line: str
    marks: Sequence[GridLine]
    end: tuple[float, float]


def chart_of(history: Sequence[RatingChange]) -> Chart | None:
    """The chart of a history, oldest game first; None if there is nothing to see yet."""
    if not history:
        return None
    values = [history[0].before, *(change.after for change in history)]
    step = _step(min(values), max(values))
    bottom = int(min(values) // step * step)
    top = int(-(-max(values) // step) * step)
    if top == bottom:
        top += step
    points = [(_x(number, len(values)), _y(value, bottom, top)) for number, value in enumerate(values)]
    marks = [GridLine(value, _y(value, bottom, top)) for value in range(bottom, top + 1, step)]
    return Chart(" ".join(f"{x},{y}" for x, y in points), marks, points[-1])


def _step(low: float, high: float) -> int:
    """The distance between two lines: 1, 2 or 5 times a power of ten, so that there are few whatever the span."""
    least = max((high - low) / (MAX_LINES - 2), MIN_STEP)
    power: int = 10 ** math.floor(math.log10(least))
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= least)


def _x(number: int, count: int) -> float:
    return round(LEFT + number / (count - 1) * (WIDTH - LEFT - EDGE), 1)


def _y(value: float, bottom: int, top: int) -> float:
    return round(HEIGHT - EDGE - (value - bottom) / (top - bottom) * (HEIGHT - 2 * EDGE), 1)
