"""The pages of tournaments: the list, a new one, and one that is played. Plain forms that work without a script.

`realtime.tournaments` runs them; here their state becomes words. What a page shows at first and what its script asks
for later (`tournament_now`) come from the same `PageFacts`, so they cannot differ. Rights are checked for each request.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Literal

from aiohttp import web
from pydantic import Field
from typing_extensions import TypedDict

from server.games.clocks.time_control import TimeControl
from server.games.desk import Role
from server.games.errors import Refused
from server.games.tournaments.swiss import CHOICES, ties_of
from server.games.tournaments.tournament import (
    FREE,
    HALF,
    LONGEST_NAME,
    ROUNDS,
    SIZES,
    Manager,
    Played,
    Scoring,
    Sheet,
    Standing,
    Tournament,
    TournamentTerms,
    Wait,
    WaitReason,
    did_not_come,
    is_too_late,
    next_round_at,
    standing_in,
)
from server.language import Language
from server.realtime.play.chat import clean
from server.realtime.runtime.ids import new_id
from server.realtime.tournaments import ListedTournaments, TournamentView
from server.rules.errors import Refusal
from server.web.accounts.account_pages import require_account, see_other
from server.web.accounts.export import instant
from server.web.board_data import emblems, script_safe, to_json
from server.web.clock_words import clock_words
from server.web.forms import (
    FIELDS,
    Form,
    NameField,
    VariantId,
    parse_pairs,
    read_body,
    read_fields,
    validate_fields,
)
from server.web.languages import language_of, variant_names
from server.web.rendering.answers import as_json, as_page
from server.web.rendering.problems import Problem, with_status
from server.web.seeks import seeker
from server.web.session import Visitor
from server.web.site import SITE, Site, with_cookie
from server.web.tournament_sections import points_words, section_facts, section_name, tie_words

ROWS: Final = 10
"""Rows of the table on one page."""
MOST_BOARDS: Final = 12
"""Games in play that a page names."""
CELLS: Final = 12
"""A person's latest games, as far as a row has room for them."""
MOST_LISTED: Final = 20
"""Tournaments in each part of the list."""
CLOCKS: Final = ("60+0", "180+2", "300+3", "600+5", "900+10")
SOON: Final = (5, 15, 30, 60)
"""In how many minutes a tournament may begin by one press."""
LENGTHS: Final = (30, 45, 60, 90)
NO_SHOWS: Final = (5, 10, 15, 30, 60)
"""Minutes to come to the board that can be chosen, beside what is usual."""
RESTS: Final = (30, 60, 180, 600)
"""Seconds between two rounds that can be chosen."""
SHOWN_TIES: Final = 2
"""Of what decides where points are equal, so many have a column."""
SECTION_DAYS: Final = (1, 2, 3, 5, 7)
"""Days for each move that can be chosen for a section."""
MOST_FIELDS: Final = 37
LONGEST_LINES: Final = 4_000
DAY_MS: Final = 24 * 60 * 60_000
MINUTE_MS: Final = 60_000

Tick = Literal["", "yes"]
TieName = Literal["", "cut1", "buchholz", "median", "sonneborn", "direct", "wins", "won", "blacks", "progressive"]
Digits = Annotated[str, Field(pattern=r"^[0-9]{0,4}$")]


class NewTournament(Form):
    """What the form of a new tournament sends. `key`: of this form, so that pressing twice announces one.

    `clock`: seconds and seconds a move, or "own", which `minutes` and `seconds` say; `starts`: in how many minutes, or
    "at" the time `at`, by a clock that is `zone` minutes behind UTC; `lasts`: minutes, or "own", which `length` says.
    In a section of everyone against everyone there are `size` people, `days` for each move, `twice` as many games, and
    winners may `go_on`. In a Swiss there are `rounds` of them, and `rest` seconds between two; "0": the organiser
    begins each; "daily", "weekly" or "dates": `dates` has a line for each round after the first. `zones`: as `zone`,
    for each of those rounds, as summer time may begin in between. `no_show`: minutes to come to the board; "0": as in
    any game. `tie1` to `tie4`: what decides where points are equal. `apart`: a line for each group of people who are
    not paired.
    """

    key: Annotated[str, Field(pattern=r"^[0-9A-Za-z]{8,40}$")]
    zone: Annotated[str, Field(pattern=r"^-?[0-9]{1,4}$")] = "0"
    variant: VariantId
    format: Literal["arena", "swiss", "robin"] = "arena"
    rounds: Digits = "5"
    rest: Annotated[str, Field(pattern=r"^([0-9]{0,4}|daily|weekly|dates)$")] = "60"
    dates: Annotated[str, Field(max_length=LONGEST_LINES)] = ""
    zones: Annotated[str, Field(pattern=r"^(-?[0-9]{1,4}( -?[0-9]{1,4}){0,29})?$")] = ""
    tie1: TieName = ""
    tie2: TieName = ""
    tie3: TieName = ""
    tie4: TieName = ""
    apart: Annotated[str, Field(max_length=LONGEST_LINES)] = ""
    no_show: Digits = "0"
    days: Digits = "3"
    size: Digits = "5"
    twice: Tick = ""
    go_on: Tick = ""
    clock: Annotated[str, Field(pattern=r"^([0-9]{1,5}\+[0-9]{1,3}|own)$")]
    minutes: Digits = ""
    seconds: Digits = ""
    starts: Annotated[str, Field(pattern=r"^([0-9]{1,4}|at)$")]
    at: Annotated[str, Field(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?)?$")] = ""
    lasts: Annotated[str, Field(pattern=r"^([0-9]{1,3}|own)$")] = "45"
    length: Digits = ""
    name: Annotated[str, Field(max_length=4 * LONGEST_NAME)] = ""
    rated: Tick = ""
    chess960: Tick = ""
    scoring: Literal["arena", "plain", "children"] = "arena"
    berserk: Tick = ""
    late: Tick = ""
    lowest: Digits = ""
    highest: Digits = ""


class TakeOut(Form):
    """Somebody whom the organiser takes out."""

    name: NameField


class Leave(Form):
    """`sure`: also if all their games end by it."""

    sure: Tick = ""


class BegunRound(Form):
    """`round`: the number of the round that begins."""

    round: Annotated[str, Field(pattern=r"^[0-9]{1,2}$")]


class AskedPage(Form):
    """`page`: of the table, from 1; none: the one with the reader, or the first."""

    page: Annotated[int, Field(ge=1, le=1_000, strict=False)] | None = None


class Cell(TypedDict):
    """One game in a row. `kind`: w, ww (double), d, l or run; `words`: the same for who cannot see it."""

    kind: str
    points: str
    words: str


class Row(TypedDict):
    """One person in the table. `now`: what they do, in words; `double`: their next win counts double."""

    place: int
    name: str
    rating: str
    state: str
    now: str
    cells: list[Cell]
    ties: list[str]
    points: str
    double: bool
    me: bool


class Table(TypedDict):
    """A page of the table, `first` to `last` of `of` people. `mine`: the page with the reader, 0 for none."""

    rows: list[Row]
    page: int
    size: int
    first: int
    last: int
    of: int
    mine: int


class Mine(TypedDict):
    """The reader's own line. `kind`: how it looks (on, waits or nothing); `acts`: what they can do; `game`: where they
    play, "" if they do not; `was_in`: to join means to come back.
    """

    kind: str
    place: str
    of: str
    points: str
    title: str
    text: str
    acts: list[str]
    game: str
    was_in: bool
    sign_in: bool


class InPlay(TypedDict):
    """A game in play, and who plays it."""

    game: str
    words: str


class PageFacts(TypedDict):
    """All that changes on the page of a tournament. `seconds`: until it begins or ends, or the next round begins.
    `next_round`: the one that its organiser can begin now; 0: none. `begun`: the last
    one that has begun.
    """

    table: Table
    mine: Mine
    boards: list[InPlay]
    players: str
    rows_said: str
    seconds: int
    clock: str
    clock_words: str
    next_round: int
    begun: int
    over: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A tournament in the list. `at`: when it begins or began (ms), as the UTC `time` and `day`; `people`: in words;
    `runs`: it is played.
    """

    id: str
    name: str
    variant: str
    words: str
    at: int
    instant: str
    time: str
    day: str
    people: str
    mine: bool
    runs: bool


async def list_page(request: web.Request) -> web.Response:
    """GET /tournaments: what is played, what comes, what was played last."""
    site, tournaments = request.app[SITE], request.app[SITE].live.tournaments
    visitor = await site.sessions.find(request)
    person = "" if visitor is None else visitor.user.id
    listed = await tournaments.listed(MOST_LISTED, person)
    return await as_page(
        request,
        "tournaments/tournaments.html",
        running=[line_of(request, one, listed) for one in listed.running],
        coming=[line_of(request, one, listed) for one in listed.coming],
        sections=[line_of(request, one, listed) for one in listed.sections],
        finished=[line_of(request, one, listed) for one in listed.finished],
        emblems=emblems(site.variants),
    )


def line_of(request: web.Request, tournament: Tournament, listed: ListedTournaments) -> Line:
    """A tournament as the list shows it."""
    language, terms = language_of(request), tournament.terms
    if tournament.is_open_section:
        people = language.plain("tournaments.entered_of", n=listed.joined[tournament.id], of=terms.size)
    elif terms.size and not tournament.over:
        people = language.plain("tournaments.section_on")
    elif not tournament.over:
        people = language.plain("tournaments.joined_n", n=listed.joined[tournament.id])
    elif tournament.called_off:
        people = language.plain("tournaments.called_off")
    elif tournament.winner is not None:
        people = language.plain("tournaments.won_by", name=language.person(tournament.winner.name))
    else:
        people = language.plain("tournaments.nobody_played")
    when = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=terms.starts)
    return Line(
        id=tournament.id,
        name=section_name(language, tournament),
        variant=terms.variant,
        words=" · ".join(terms_words(request, terms)),
        at=0 if terms.size else terms.starts,
        instant=instant(terms.starts) or "",
        time=f"{when:%H:%M}",
        day=f"{language.day(when.date())}, UTC",
        people=people,
        mine=tournament.id in listed.mine,
        runs=tournament in listed.running,
    )


def terms_words(request: web.Request, terms: TournamentTerms) -> list[str]:
    """What was announced, in a few words each."""
    language = language_of(request)
    name = variant_names(request).get(terms.variant, terms.variant)
    words = [
        f"{name} 960" if terms.chess960 else name,
        clock_words(terms.control, language),
        language.plain("terms.rated" if terms.rated else "terms.casual"),
    ]
    if terms.size:
        each = language.plain("tournaments.twice_each" if terms.twice else "tournaments.once_each")
        on = [language.plain("tournaments.winner_goes_on")] if terms.go_on else []
        return [*words, language.plain("tournaments.section_players", n=terms.size), each, *on]
    return [
        *words,
        language.plain("tournaments.rounds", n=terms.rounds)
        if terms.rounds
        else language.plain("tournaments.minutes", n=terms.minutes),
    ]


async def new_page(request: web.Request) -> web.Response:
    """GET /tournaments/new: the form, answered beforehand."""
    names = list(request.app[SITE].offered)
    return await show_form(
        request,
        NewTournament(
            key=new_id(),
            variant=names[0],
            clock="300+3",
            starts="15",
            lasts="45",
            rated="yes",
            berserk="yes",
            late="yes",
        ),
        None,
    )


async def show_form(request: web.Request, form: NewTournament, problem: Refusal | None) -> web.Response:
    """The form as it was filled in, with what was wrong about it."""
    site, language = request.app[SITE], language_of(request)
    page = await as_page(
        request,
        "tournaments/new.html",
        form=form.model_dump(),
        problem=problem,
        key=form.key,
        member=await site.sessions.member(request) is not None,
        variants=list(site.offered.values()),
        clocks=[(one, clock_words(control_of(one), language)) for one in CLOCKS],
        soon=SOON,
        lengths=LENGTHS,
        rests=[(seconds, language.plain("tournaments.rest_of", time=time_words(seconds))) for seconds in RESTS],
        rounds=ROUNDS,
        ties=CHOICES,
        no_shows=NO_SHOWS,
        sizes=SIZES,
        days=[(n, language.plain("tournaments.days_n", n=n)) for n in SECTION_DAYS],
        longest_name=LONGEST_NAME,
    )
    return with_status(page, problem)


def control_of(clock: str) -> TimeControl:
    """The control that "300+3" stands for."""
    initial, increment = clock.split("+")
    return TimeControl.realtime(1_000 * int(initial), 1_000 * int(increment))


async def announce(request: web.Request) -> web.Response:
    """POST /tournaments: the fields of `NewTournament`. Leads to the tournament."""
    site = request.app[SITE]
    visitor = await require_account(request, "/tournaments/new")
    if request.content_type != FIELDS:
        raise Problem(415, "not_form")
    form = validate_fields(parse_pairs(await read_body(request), MOST_FIELDS), NewTournament)
    try:
        tournament = await site.live.tournaments.announce(visitor.player, asked_terms(request, form), form.key)
    except (Refused, Problem) as refusal:
        return await show_form(request, form, refusal)
    return with_cookie(site, visitor, see_other(f"/tournament/{tournament.id}"))


def asked_terms(request: web.Request, form: NewTournament) -> TournamentTerms:
    """What the form asks for. Raises Problem; whether it can be announced is decided elsewhere."""
    site, now = request.app[SITE], request.app[SITE].now()
    variant = site.offered.get(form.variant)
    if variant is None:
        raise Problem(400, "unknown_variant")
    name = clean(form.name)[:LONGEST_NAME].strip()
    clock = f"{60 * int(form.minutes or 0)}+{int(form.seconds or 0)}" if form.clock == "own" else form.clock
    in_section = form.format == "robin"
    if in_section:
        starts = now
    elif form.starts != "at":
        starts = now + int(form.starts) * MINUTE_MS
    elif form.at:
        try:
            naive = datetime.fromisoformat(form.at).replace(tzinfo=UTC)
        except ValueError:
            raise Problem(400, "tournament_no_date") from None
        starts = round(naive.timestamp() * 1000) + int(form.zone) * MINUTE_MS
    else:
        raise Problem(400, "tournament_no_date")
    in_rounds, in_arena = form.format == "swiss", form.format == "arena"
    rounds = int(form.rounds or 0) if in_rounds else 0
    called = language_of(request).plain(f"tournaments.{form.format}_of", variant=variant_names(request)[variant.id])
    return TournamentTerms(
        name=name or called,
        format=form.format,
        variant=variant.id,
        chess960=form.chess960 == "yes" and variant.chess960,
        control=TimeControl.correspondence(int(form.days or 0)) if in_section else control_of(clock),
        rated=form.rated == "yes",
        starts=starts,
        minutes=0 if not in_arena else int((form.length or 0) if form.lasts == "own" else form.lasts),
        scoring=Scoring(form.scoring) if in_arena else Scoring.PLAIN,
        berserk=form.berserk == "yes" and in_arena,
        late=form.late == "yes" or not in_arena,
        lowest=int(form.lowest or 0),
        highest=int(form.highest or 0),
        # None at all would make an arena of it.
        rounds=(rounds or -1) if in_rounds else 0,
        rest_s=int(form.rest or 0) if in_rounds and form.rest.isdigit() else 0,
        dates=asked_dates(form, starts, rounds) if in_rounds else (),
        ties=tuple(one for one in (form.tie1, form.tie2, form.tie3, form.tie4) if one) if in_rounds else (),
        apart=asked_groups(form.apart) if in_rounds else (),
        no_show_s=60 * int(form.no_show or 0) if in_rounds else 0,
        # None at all would make an arena of it.
        size=(int(form.size or 0) or -1) if in_section else 0,
        twice=form.twice == "yes" and in_section,
        go_on=form.go_on == "yes" and in_section,
    )


def asked_dates(form: NewTournament, starts: int, rounds: int) -> tuple[int, ...]:
    """When the rounds after the first begin (ms), as the form says; () if not at dates. Raises Problem."""
    zone, zones = int(form.zone), [int(one) for one in form.zones.split()]

    def behind(at: int) -> int:
        """How far (ms) the organiser's clock is behind UTC then."""
        return (zones[at] if at < len(zones) else zone) * MINUTE_MS

    if (every := {"daily": DAY_MS, "weekly": 7 * DAY_MS}.get(form.rest)) is not None:
        local = starts - zone * MINUTE_MS
        return tuple(local + (at + 1) * every + behind(at) for at in range(min(rounds, ROUNDS.stop) - 1))
    if form.rest != "dates":
        return ()
    try:
        naive = [datetime.fromisoformat(line.strip()) for line in form.dates.splitlines() if line.strip()]
        found = tuple(round(one.replace(tzinfo=UTC).timestamp() * 1000) + behind(at) for at, one in enumerate(naive))
    except (ValueError, OverflowError):
        raise Problem(400, "tournament_date_lines") from None
    if not found or any(one.tzinfo for one in naive):
        raise Problem(400, "tournament_date_lines")
    return found


def asked_groups(lines: str) -> tuple[tuple[str, ...], ...]:
    """The groups of names (folded) in lines, in which commas or spaces part them."""
    groups = (line.replace(",", " ").lower().split() for line in lines.splitlines())
    return tuple(tuple(group) for group in groups if group)


async def tournament_page(request: web.Request) -> web.Response:
    """GET /tournament/{id}, with ?page= of the table."""
    return await show_tournament(request, None)


async def show_tournament(request: web.Request, problem: Refusal | None) -> web.Response:
    """The page, with what was wrong about what was asked."""
    site, language = request.app[SITE], language_of(request)
    view = await find_view(request)
    visitor = await site.sessions.find(request)
    terms = view.tournament.terms
    if terms.size:
        return await show_section(request, view, visitor, problem)
    facts = page_facts(request, view, visitor)
    page = await as_page(
        request,
        "tournaments/tournament.html",
        page=script_safe(to_json({"id": view.tournament.id, "facts": facts})),
        problem=problem,
        tournament=view.tournament,
        terms=terms_words(request, terms),
        facts=facts,
        table=facts["table"],
        mine=facts["mine"],
        variant=variant_names(request).get(terms.variant, terms.variant),
        scoring=scoring_words(language, terms.scoring),
        rules=[*rule_words(language, terms), *apart_words(language, view)],
        ties=[language.plain(f"tournaments.tie_{one}") for one in ties_of(terms)[:SHOWN_TIES]] if terms.rounds else [],
        files=("csv", "trf", "pgn", "json") if view.tournament.terms.rounds else ("csv", "pgn", "json"),
        manages=not view.tournament.over and await may_manage(site, visitor, view.tournament),
    )
    return with_status(page, problem)


async def show_section(
    request: web.Request, view: TournamentView, visitor: Visitor | None, problem: Refusal | None
) -> web.Response:
    """The page of a section of everyone against everyone."""
    site, language, tournament = request.app[SITE], language_of(request), view.tournament
    person = "" if visitor is None or visitor.user.guest else visitor.user.id
    running = await site.store.running_of(person) if person in view.entrants else ()
    sections = await site.live.tournaments.sections_of(tournament)
    page = await as_page(
        request,
        "tournaments/section.html",
        problem=problem,
        tournament=tournament,
        name=section_name(language, tournament),
        terms=terms_words(request, tournament.terms),
        facts=section_facts(language, view, person, running, sections),
        variant=variant_names(request).get(tournament.terms.variant, tournament.terms.variant),
        scoring=scoring_words(language, tournament.terms.scoring),
        rules=rule_words(language, tournament.terms),
        manages=not tournament.over and await may_manage(site, visitor, tournament),
    )
    return with_status(page, problem)


async def tournament_now(request: web.Request) -> web.Response:
    """GET /tournament/{id}/now, with ?page= of the table: `PageFacts` for the page's script."""
    view = await find_view(request)
    visitor = await request.app[SITE].sessions.find(request)
    return as_json(page_facts(request, view, visitor), headers={"Cache-Control": "no-store"})


async def find_view(request: web.Request) -> TournamentView:
    """The tournament that the address names. Raises Problem (404), Unavailable."""
    try:
        return await request.app[SITE].live.tournaments.look(request.match_info["tournament"])
    except KeyError:
        raise Problem(404, "no_tournament") from None


async def may_manage(site: Site, visitor: Visitor | None, tournament: Tournament) -> bool:
    """Is it their own, or are they host or organiser of the site? Raises Unavailable."""
    if visitor is None or visitor.user.guest:
        return False
    if visitor.user.id == tournament.organiser.id:
        return True
    return (await site.store.desk.read()).role_of(visitor.user.id) in (Role.HOST, Role.ORGANISER)


async def join(request: web.Request) -> web.Response:
    """POST /tournament/{id}/join: also to go on after a pause."""
    site, tournament = request.app[SITE], request.match_info["tournament"]
    visitor = await require_account(request, tournament_path(request))
    return await carry_out(request, visitor, site.live.tournaments.join(tournament, seeker(request, site, visitor)))


async def pause(request: web.Request) -> web.Response:
    """POST /tournament/{id}/pause."""
    return await stand_down(request, Standing.PAUSED)


async def leave(request: web.Request) -> web.Response:
    """POST /tournament/{id}/leave: points stay. Once a section has begun `sure` is asked for: games end."""
    view, visitor = await find_view(request), await require_account(request, tournament_path(request))
    if view.ends_games_of(visitor.user.id) and not (await read_fields(request, Leave)).sure:
        return await show_tournament(request, Problem(409, "section_sure"))
    return await stand_down(request, Standing.LEFT)


async def stand_down(request: web.Request, standing: Standing) -> web.Response:
    """The visitor gets no more games, for a while or until they join again."""
    tournaments, tournament = request.app[SITE].live.tournaments, request.match_info["tournament"]
    visitor = await require_account(request, tournament_path(request))
    return await carry_out(request, visitor, tournaments.stand_down(tournament, visitor.user.id, standing))


async def again(request: web.Request) -> web.Response:
    """POST /tournament/{id}/again: they would meet their last opponent once more."""
    tournaments, tournament = request.app[SITE].live.tournaments, request.match_info["tournament"]
    visitor = await require_account(request, tournament_path(request))
    return await carry_out(request, visitor, tournaments.meet_again(tournament, visitor.user.id))


async def berserk(request: web.Request) -> web.Response:
    """POST /tournament/{id}/berserk: half of the time in the visitor's game. Leads to that game."""
    tournaments, view = request.app[SITE].live.tournaments, await find_view(request)
    visitor = await require_account(request, tournament_path(request))
    game = own_game(view, visitor.user.id)
    going = tournaments.go_berserk(view.tournament.id, visitor.user.id)
    return await carry_out(request, visitor, going, f"/{game}" if game else "")


async def call_off(request: web.Request) -> web.Response:
    """POST /tournament/{id}/end: for its organiser, and the site's."""
    manager, visitor, view = await require_manager(request)
    ending = request.app[SITE].live.tournaments.call_off(view.tournament.id, manager)
    return await carry_out(request, visitor, ending)


async def take_out(request: web.Request) -> web.Response:
    """POST /tournament/{id}/out: name."""
    tournaments = request.app[SITE].live.tournaments
    manager, visitor, view = await require_manager(request)
    form = await read_fields(request, TakeOut)
    named = next((id for id, one in view.entrants.items() if one.person.name.lower() == form.name.lower()), None)
    if named is None:
        return await show_tournament(request, Problem(404, "tournament_nobody", name=form.name))
    return await carry_out(request, visitor, tournaments.take_out(view.tournament.id, manager, named))


async def begin_round(request: web.Request) -> web.Response:
    """POST /tournament/{id}/round: round, its number; for the organiser, and the site's."""
    manager, visitor, view = await require_manager(request)
    form = await read_fields(request, BegunRound)
    begun = request.app[SITE].live.tournaments.begin_round(view.tournament.id, manager, int(form.round))
    return await carry_out(request, visitor, begun)


async def require_manager(request: web.Request) -> tuple[Manager, Visitor, TournamentView]:
    """Who may act as its organiser. Raises Problem (403, 404), Unavailable."""
    site = request.app[SITE]
    view, visitor = await find_view(request), await require_account(request, tournament_path(request))
    if not await may_manage(site, visitor, view.tournament):
        raise Problem(403, "not_organiser")
    of_site = visitor.user.id != view.tournament.organiser.id
    return Manager(visitor.player, of_site), visitor, view


async def carry_out(
    request: web.Request,
    visitor: Visitor,
    act: Awaitable[object],
    to: str = "",
    show: Callable[[web.Request, Refusal], Awaitable[web.Response]] = show_tournament,
) -> web.Response:
    """Does it, and leads to that page or to that of the tournament; `show` else says why not. Raises Problem (404)."""
    try:
        await act
    except KeyError:
        raise Problem(404, "no_tournament") from None
    except Refused as refusal:
        return await show(request, refusal)
    return with_cookie(request.app[SITE], visitor, see_other(to or tournament_path(request)))


def tournament_path(request: web.Request) -> str:
    """The page of the tournament that the address names."""
    return f"/tournament/{request.match_info['tournament']}"


def scoring_words(language: Language, scoring: Scoring) -> list[tuple[str, str]]:
    """What a win, a draw and a loss are worth."""
    worth = {Scoring.ARENA: ("2", "1", "0"), Scoring.PLAIN: ("1", "½", "0"), Scoring.CHILDREN: ("3", "2", "1")}[scoring]
    return [
        (points, language.plain(f"tournaments.a_{one}"))
        for points, one in zip(worth, ("win", "draw", "loss"), strict=True)
    ]


def rule_words(language: Language, terms: TournamentTerms) -> list[str]:
    """The rest of how it counts, a sentence each."""
    rules = []
    if terms.lowest or terms.highest:
        low, high = terms.lowest, terms.highest
        kind = "both" if low and high else "from" if low else "to"
        bounds = language.plain(f"tournaments.range_{kind}", n=low or high, low=low, high=high)
        rules.append(language.plain("tournaments.range", range=bounds))
    if terms.size:
        said = ["begin", "lots", "first", "withdraw", "ties", *(["goes_on"] if terms.go_on else [])]
        return rules + [language.plain(f"tournaments.robin_{one}_rule") for one in said]
    if terms.rounds:
        rest = language.plain("tournaments.rest_rule", time=time_words(terms.rest_s)) if terms.rest_s else ""
        rest = date_words(language, terms) or rest
        rules += [rest or language.plain("tournaments.by_hand_rule")]
        if terms.no_show_s:
            rules.append(language.plain("tournaments.no_show_rule", n=terms.no_show_s // 60))
        usual = () if terms.ties else ("ties_rule",)
        rules += [language.plain(f"tournaments.{one}") for one in ("free_rule", "excused_rule", "absent", *usual)]
        if terms.ties:
            order = ", ".join(language.plain(f"tournaments.tie_name_{one}") for one in terms.ties)
            rules.append(language.plain("tournaments.ties_chosen", order=order))
        return rules
    if terms.scoring is Scoring.ARENA:
        rules += [language.plain("tournaments.doubling"), language.plain("tournaments.short_draws")]
    if terms.scoring is Scoring.CHILDREN:
        rules.append(language.plain("tournaments.short_games"))
    if terms.can_go_berserk:
        rules.append(language.plain("tournaments.berserk_rule"))
    rules.append(language.plain("tournaments.late_counts" if terms.late else "tournaments.late_not"))
    return [*rules, language.plain("tournaments.absent"), language.plain("tournaments.ties")]


def date_words(language: Language, terms: TournamentTerms) -> str:
    """When the rounds after the first begin, "" if not at dates."""
    when = [datetime.fromtimestamp(at / 1_000, UTC) for at in terms.dates]
    dates = ", ".join(f"{language.day(one.date())} {one:%H:%M}" for one in when)
    return language.plain("tournaments.dates_rule", dates=dates) if when else ""


def apart_words(language: Language, view: TournamentView) -> list[str]:
    """The rule of who are not paired, of those that have joined. Nobody else is named, whatever was typed."""
    names = {one.person.name.lower(): one.person.name for one in view.entrants.values()}
    groups = [[names[name] for name in group if name in names] for group in view.tournament.terms.apart]
    said = ", ".join(" – ".join(map(language.person, group)) for group in groups if len(group) > 1)
    return [language.plain("tournaments.apart_rule", groups=said)] if said else []


def page_facts(request: web.Request, view: TournamentView, visitor: Visitor | None) -> PageFacts:
    """All that changes on the page, as this reader sees it."""
    language, now = language_of(request), request.app[SITE].now()
    tournament, person = view.tournament, "" if visitor is None else visitor.user.id
    asked = validate_fields({k: v for k, v in request.query.items() if k == "page"}, AskedPage).page
    table = page_of_table(language, view, person, asked)
    rounds, begun, places = tournament.terms.rounds, view.field.round, view.places
    seconds, clock, clock_words = clock_of(language, view, now)
    by_hand = rounds and 0 < begun < rounds and next_round_at(tournament.terms, begun, view.field.ended) is None
    can_begin = by_hand and not view.field.under_way and not tournament.over and tournament.called <= begun
    first = sorted(view.under_way, key=lambda one: min(places.get(one.white, 9_999), places.get(one.black, 9_999)))
    return PageFacts(
        table=table,
        mine=own_line(language, view, visitor, now),
        boards=[
            InPlay(
                game=one.game,
                words=language.plain(
                    "tournaments.versus",
                    white=language.person(name_of(view, one.white)),
                    black=language.person(name_of(view, one.black)),
                ),
            )
            for one in first[:MOST_BOARDS]
        ],
        players=language.plain("tournaments.players", n=len(view.sheets)),
        rows_said=language.plain("tournaments.rows", **{"from": table["first"]}, to=table["last"], n=table["of"]),
        seconds=seconds,
        clock=clock,
        clock_words=clock_words,
        next_round=begun + 1 if can_begin else 0,
        begun=begun,
        over=bool(tournament.over),
    )


def clock_of(language: Language, view: TournamentView, now: int) -> tuple[int, str, str]:
    """The seconds until it begins or ends, or the next round begins, 0 for none; the same as a clock shows it, or which
    round it is; and what that is, in words.
    """
    tournament, begun = view.tournament, view.field.round
    rounds, has_started = tournament.terms.rounds, tournament.has_started(now)
    until = tournament.ends if has_started else tournament.terms.starts
    if rounds and has_started:
        rests = not view.field.under_way and 0 < begun < rounds
        until = (next_round_at(tournament.terms, begun, view.field.ended) if rests else now) or now
    seconds = 0 if tournament.over else max(0, -(-(until - now) // 1000))
    clock = time_words(seconds) if seconds else "–"
    words = "is_over" if not seconds else "left" if has_started else "until"
    if rounds and tournament.is_played(now):
        clock, words = (clock, "until_round") if seconds else (f"{begun}/{rounds}", "round")
    return seconds, clock, language.plain(f"tournaments.{words}")


def name_of(view: TournamentView, person: str) -> str:
    """What an entrant (an id) is called."""
    return view.entrants[person].person.name if person in view.entrants else "?"


def page_of_table(language: Language, view: TournamentView, person: str, asked: int | None) -> Table:
    """The page `asked` for, else the one with this person, else the first."""
    of = len(view.sheets)
    pages = max(1, -(-of // ROWS))
    own = view.places.get(person)
    mine = 0 if own is None else own // ROWS + 1
    page = min(asked or mine or 1, pages)
    begin = (page - 1) * ROWS
    shown = view.sheets[begin : begin + ROWS]
    rows = [row_of(language, view, one, begin + at + 1, person) for at, one in enumerate(shown)]
    return Table(rows=rows, page=page, size=ROWS, first=min(begin + 1, of), last=begin + len(rows), of=of, mine=mine)


def row_of(language: Language, view: TournamentView, sheet: Sheet, place: int, person: str) -> Row:
    """One row."""
    scoring, entrant, over = view.tournament.terms.scoring, sheet.entrant, bool(view.tournament.over)
    state = state_of(view, sheet)
    cells = [cell_of(language, one, scoring) for one in sheet.played[-CELLS:][::-1]]
    if state == "playing":
        cells.insert(0, Cell(kind="run", points="", words=language.plain("tournaments.result_running")))
    return Row(
        place=place,
        name=entrant.person.name,
        rating=f"{entrant.rating}{'?' if entrant.provisional else ''}",
        state="" if over else state,
        now="" if over else language.plain(f"tournaments.state_{state}"),
        cells=cells,
        ties=[
            tie_words(name, one)
            for name, one in zip(ties_of(view.tournament.terms)[:SHOWN_TIES], sheet.ties, strict=False)
        ],
        points=points_words(sheet.points, scoring),
        double=scoring is Scoring.ARENA and sheet.streak >= 2 and not over,
        me=sheet.person == person,
    )


def state_of(view: TournamentView, sheet: Sheet) -> str:
    """What they do just now: the end of an id of words."""
    standing = standing_in(view.tournament, sheet.entrant, view.field.round_at)
    if own_game(view, sheet.person):
        return "playing"
    if standing is not Standing.IN:
        return {Standing.PAUSED: "paused", Standing.LEFT: "left", Standing.OUT: "out"}[standing]
    if did_not_come(sheet):
        return "paused"
    return "waiting" if sheet.person in view.waiting else "away"


def own_game(view: TournamentView, person: str) -> str:
    """The id of the game that they play in it, "" for none."""
    return view.playing[person].game if person in view.playing else ""


def cell_of(language: Language, played: Played, scoring: Scoring) -> Cell:
    """One game in a row."""
    kind = ("ww" if played.doubled else "w") if played.won else "d" if played.drawn else "l"
    points = points_words(played.points, scoring)
    result = "win" if played.won else "draw" if played.drawn else "loss"
    if played.opponent in (FREE, HALF):
        result = "free" if played.opponent == FREE else "half"
    return Cell(kind=kind, points=points, words=language.plain(f"tournaments.result_{result}", points=points))


def time_words(seconds: int) -> str:
    """ "18:24", "1:02:03", and days as hours."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def own_line(language: Language, view: TournamentView, visitor: Visitor | None, now: int) -> Mine:
    """What the reader is told on top, and what they can do."""
    tournament = view.tournament
    person = "" if visitor is None or visitor.user.guest else visitor.user.id
    entrant = view.entrants.get(person)
    game = own_game(view, person)
    title, text, acts = situation(language, view, person, now)
    at = view.places.get(person)
    if not tournament.has_started(now):
        at = None
    return Mine(
        kind="waits" if game else "on" if "leave" in acts and "join" not in acts else "",
        place="" if at is None else language.plain("tournaments.place_nth", n=at + 1),
        of="" if at is None else language.plain("tournaments.place_of", n=len(view.sheets)),
        points="" if at is None else played_words(language, view.sheets[at], tournament.terms.scoring),
        title=title,
        text=text,
        acts=list(acts) if person else [],
        game=game,
        was_in=entrant is not None,
        sign_in=not person
        and not tournament.over
        and now < tournament.ends
        and not is_too_late(tournament, view.field.round),
    )


def played_words(language: Language, sheet: Sheet, scoring: Scoring) -> str:
    """ "10 points · 5 games"."""
    whole = sheet.points if scoring is not Scoring.PLAIN else 1 if sheet.points == 2 else 0
    points = language.plain("tournaments.points", n=whole, points=points_words(sheet.points, scoring))
    games = sum(one.opponent not in (FREE, HALF) for one in sheet.played)
    return f"{points} · {language.plain('tournaments.games', n=games)}"


def situation(language: Language, view: TournamentView, person: str, now: int) -> tuple[str, str, Sequence[str]]:
    """How things stand for a person ("" for nobody known), in a title and a sentence, and what they can do."""
    tournament, entrant = view.tournament, view.entrants.get(person)
    if tournament.over:
        return (*_over(language, view, person), ())
    if entrant is None or entrant.standing is Standing.LEFT:
        key = "left_mine" if entrant else "not_in" if tournament.has_started(now) else "not_in_before"
        if now >= tournament.ends:
            return _waiting(language, view, Wait(WaitReason.OVER)), _text(language, view, Wait(WaitReason.OVER)), ()
        if entrant is None and is_too_late(tournament, view.field.round):
            return language.plain("tournaments.late_now"), language.plain("tournaments.late_now_text"), ()
        return language.plain(f"tournaments.{key}"), language.plain(f"tournaments.{key}_text"), ("join",)
    if entrant.standing is Standing.OUT:
        return language.plain("tournaments.wait_out"), language.plain("tournaments.wait_out_text"), ()
    pairing = view.playing.get(person)
    if pairing is not None:
        opponent = view.entrants.get(pairing.opponent_of(person))
        called = language.person(opponent.person.name) if opponent else "?"
        text = language.plain("tournaments.wait_in_game_text", person=called)
        return language.plain("tournaments.wait_in_game"), text, ("pause",)
    wait, standing = view.wait_of(person, now), standing_in(tournament, entrant, view.field.round_at)
    own = view.sheets[view.places[person]] if person in view.places else None
    if standing is Standing.PAUSED or (own is not None and did_not_come(own)):
        wait = Wait(WaitReason.PAUSED)
    if tournament.terms.rounds and standing is Standing.PAUSED:
        return language.plain("tournaments.excused"), language.plain("tournaments.excused_text"), ("join", "leave")
    if wait.reason is WaitReason.PAUSED:
        acts: tuple[str, ...] = ("join", "leave")
    elif wait.reason is WaitReason.OVER:
        acts = ()
    elif wait.reason is WaitReason.NOT_STARTED:
        acts = ("leave",)
    else:
        acts = ("again",) * (wait.reason is WaitReason.ONLY_LAST) + ("pause", "leave")
    return _waiting(language, view, wait), _text(language, view, wait), acts


def _over(language: Language, view: TournamentView, person: str) -> tuple[str, str]:
    if view.tournament.called_off:
        return language.plain("tournaments.over_called_off"), language.plain("tournaments.over_called_off_text")
    at = view.places.get(person)
    if at is not None and view.sheets[at].played:
        place = language.plain("tournaments.place_nth", n=at + 1)
        text = played_words(language, view.sheets[at], view.tournament.terms.scoring)
        return language.plain("tournaments.over_place", place=place), text
    winner = next((one.entrant.person.name for one in view.sheets[:1] if one.played), "")
    text = language.plain("tournaments.over_winner", name=language.person(winner)) if winner else ""
    return language.plain("tournaments.over_not_in"), text


def _waiting(language: Language, view: TournamentView, wait: Wait) -> str:
    """The title for who waits."""
    return language.plain(f"tournaments.wait_{wait.reason.value}", person=_name(language, view, wait))


def _text(language: Language, view: TournamentView, wait: Wait) -> str:
    """The sentence that says why, and how long."""
    key = f"tournaments.wait_{wait.reason.value}_text"
    if wait.reason is WaitReason.OVER and not view.under_way:
        key += "_not"
    time = time_words(wait.seconds)
    return language.plain(key, n=wait.others, person=_name(language, view, wait), time=time)


def _name(language: Language, view: TournamentView, wait: Wait) -> str:
    entrant = view.entrants.get(wait.person)
    return language.person(entrant.person.name) if entrant else ""
