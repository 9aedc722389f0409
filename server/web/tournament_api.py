"""Tournaments by the addresses that lichess gave them: lists, tables, games; joining and leaving by a token.

Arenas and tournaments in rounds (Swiss) have addresses of their own, and neither answers for the other. Everybody may
read what the pages show to everybody. Bots join none; who is paired in an arena is whose page is open.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Annotated, Final

import orjson
from aiohttp import web
from pydantic import Field

from server.games.people import Scope
from server.games.seeks import Seeker
from server.games.tournaments.arena import ON_FIRE, last_pairing_at
from server.games.tournaments.tournament import (
    FREE,
    GameResult,
    Pairing,
    Scoring,
    Sheet,
    Standing,
    Tournament,
    TournamentTerms,
    did_not_come,
    next_round_at,
    standing_in,
)
from server.realtime.tournaments import TournamentView
from server.rules.variant.pieces import Color
from server.web.accounts.export import instant
from server.web.archive.search import send_games, send_pgn
from server.web.bots.answers import (
    ArenaFullJson,
    ArenaJson,
    ArenaResult,
    ArenaSheet,
    ArenasJson,
    ArenaStats,
    Done,
    Duel,
    Duelist,
    ExportedGame,
    LimitAndIncrement,
    PodiumRow,
    StandingRow,
    SwissJson,
    SwissResult,
    SwissStats,
    VariantTag,
    Verdict,
    Verdicts,
)
from server.web.bots.callers import BotBody, Caller, by_token, for_programs, ratings_of, readable_game
from server.web.bots.shapes import exported, perf_of, person_id, variant_name
from server.web.forms import validate_fields
from server.web.openapi.operation import NDJSON, PGN, Media, described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.site import SITE, Site
from server.web.tournament_files import games_of, plain_name
from server.web.tournaments import find_view

MOST_LISTED: Final = 20
"""Tournaments in each part of the list, Swiss ones among them."""
ROWS: Final = 10
"""Rows of the table on one page."""
MOST_DUELS: Final = 6
PODIUM: Final = 3


class AskedStanding(BotBody):
    """`page`: of the table, from 1."""

    page: Annotated[int, Field(ge=1, le=200)] = 1


class AskedResults(BotBody):
    """`nb`: how many lines at most. `sheet`: with what each game was worth."""

    nb: Annotated[int, Field(ge=1)] | None = None
    sheet: bool = False


class AskedGames(BotBody):
    """`player`: only the games of whoever is called so."""

    player: Annotated[str, Field(max_length=40)] = ""


@described(answers={200: ArenasJson})
@for_programs
async def arenas(request: web.Request) -> web.Response:
    """GET /api/tournament: the arenas that come, that are played, and that were played last."""
    site = request.app[SITE]
    listed = await site.live.tournaments.listed(MOST_LISTED)
    joined = {**listed.joined, **{one.id: await _joined(site, one) for one in listed.finished}}

    def shown(part: Iterable[Tournament]) -> list[ArenaJson]:
        return [arena_shape(site, one, joined[one.id]) for one in part if one.terms.format == "arena"]

    return as_json(
        {"created": shown(listed.coming), "started": shown(listed.running), "finished": shown(listed.finished)}
    )


async def _joined(site: Site, tournament: Tournament) -> int:
    return await site.store.tournaments.count_joined(tournament.id)


@described(answers={200: ArenaFullJson}, query=AskedStanding)
@for_programs
async def arena(request: web.Request) -> web.Response:
    """GET /api/tournament/{tournament}: an arena, with a page of its table."""
    view = await find_arena(request)
    page = validate_fields(request.query, AskedStanding).page
    return as_json(arena_full_shape(request.app[SITE], view, page))


@described(answers={200: Done}, refused=(400, 401))
@by_token(Scope.TOURNAMENT_WRITE)
async def join_arena(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/tournament/{tournament}/join: take part, or go on after a pause."""
    return await joined_by(request, caller, await find_arena(request))


@described(answers={200: Done}, refused=(400, 401))
@by_token(Scope.TOURNAMENT_WRITE)
async def withdraw_from_arena(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/tournament/{tournament}/withdraw: leave one that has not begun, or pause in one that is played."""
    return await withdrawn(request, caller, await find_arena(request))


@described(answers={200: Media(NDJSON, ArenaResult)}, query=AskedResults)
@for_programs
async def arena_results(request: web.Request) -> web.Response:
    """GET /api/tournament/{tournament}/results: its table, the best first, one person a line."""
    view, asked = await find_arena(request), validate_fields(request.query, AskedResults)
    return as_lines(
        arena_result(view, sheet, rank, with_sheet=asked.sheet)
        for rank, sheet in islice(enumerate(view.sheets, 1), asked.nb)
    )


@described(answers={200: (Media(PGN), Media(NDJSON, ExportedGame))}, query=AskedGames)
@for_programs
async def arena_games(request: web.Request) -> web.StreamResponse:
    """GET /api/tournament/{tournament}/games: its games, the newest first, as PGN or, as Accept asks, a line each."""
    return await send_games_of(request, await find_arena(request), newest_first=True)


@described(answers={200: SwissJson})
@for_programs
async def swiss(request: web.Request) -> web.Response:
    """GET /api/swiss/{tournament}: a Swiss."""
    view = await find_swiss(request)
    return as_json(swiss_shape(request.app[SITE], view))


@described(answers={200: Done}, refused=(400, 401))
@by_token(Scope.TOURNAMENT_WRITE)
async def join_swiss(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/swiss/{tournament}/join: take part, or go on after a pause."""
    return await joined_by(request, caller, await find_swiss(request))


@described(answers={200: Done}, refused=(400, 401))
@by_token(Scope.TOURNAMENT_WRITE)
async def withdraw_from_swiss(request: web.Request, caller: Caller) -> web.Response:
    """POST /api/swiss/{tournament}/withdraw: leave one that has not begun, or be excused from the next round."""
    return await withdrawn(request, caller, await find_swiss(request))


@described(answers={200: Media(NDJSON, SwissResult)}, query=AskedResults)
@for_programs
async def swiss_results(request: web.Request) -> web.Response:
    """GET /api/swiss/{tournament}/results: its table, the best first, one person a line."""
    view, asked = await find_swiss(request), validate_fields(request.query, AskedResults)
    return as_lines(swiss_result(view, sheet, rank) for rank, sheet in islice(enumerate(view.sheets, 1), asked.nb))


@described(answers={200: (Media(PGN), Media(NDJSON, ExportedGame))}, query=AskedGames)
@for_programs
async def swiss_games(request: web.Request) -> web.StreamResponse:
    """GET /api/swiss/{tournament}/games: its games, round by round, as PGN or, as Accept asks, a line each."""
    return await send_games_of(request, await find_swiss(request), newest_first=False)


async def find_arena(request: web.Request) -> TournamentView:
    """Raises Problem (404), Unavailable."""
    return await _find(request, "arena")


async def find_swiss(request: web.Request) -> TournamentView:
    """Raises Problem (404), Unavailable."""
    return await _find(request, "swiss")


async def _find(request: web.Request, format: str) -> TournamentView:
    view = await find_view(request)
    if view.tournament.terms.format != format:
        raise Problem(404, "no_tournament")
    return view


async def joined_by(request: web.Request, caller: Caller, view: TournamentView) -> web.Response:
    """Enters the caller. Raises Refused, Unavailable."""
    await request.app[SITE].live.tournaments.join(view.tournament.id, Seeker(caller.player, registered=True))
    return as_json({"ok": True})


async def withdrawn(request: web.Request, caller: Caller, view: TournamentView) -> web.Response:
    """Has the caller leave or rest. Raises Refused, Unavailable."""
    site = request.app[SITE]
    standing = Standing.PAUSED if view.tournament.has_started(site.now()) else Standing.LEFT
    await site.live.tournaments.stand_down(view.tournament.id, caller.account.user, standing)
    return as_json({"ok": True})


def as_lines(rows: Iterable[Mapping[str, object]]) -> web.Response:
    """A line of JSON for each."""
    return web.Response(body=b"".join(orjson.dumps(row) + b"\n" for row in rows), content_type=NDJSON)


async def send_games_of(request: web.Request, view: TournamentView, *, newest_first: bool) -> web.StreamResponse:
    """The games that are over, of one player if the query names one. Raises Problem, Unavailable."""
    site = request.app[SITE]
    player = validate_fields(request.query, AskedGames).player.lower()
    people = {person for person, one in view.entrants.items() if not player or one.person.name.lower() == player}
    played = [one async for one in games_of(view) if people & _people_of(view, one[0])]
    if newest_first:
        played.reverse()
    games = _each(played)
    if NDJSON not in request.headers.get("Accept", ""):
        return await send_pgn(request, plain_name(view), games)
    return await send_games(request, {"Content-Type": NDJSON}, games, partial(_line_of, site, view.tournament))


def _people_of(view: TournamentView, game: str) -> set[str]:
    pairing = view.pairings[game]
    return {pairing.white, pairing.black}


async def _each(games: Iterable[tuple[str, Mapping[str, str]]]) -> AsyncIterator[tuple[str, Mapping[str, str]]]:
    for one in games:
        yield one


async def _line_of(site: Site, tournament: Tournament, game_id: str, _: Mapping[str, str]) -> str:
    """The game as a line; "" if it is damaged: what is half sent cannot say so."""
    game = await readable_game(site, game_id)
    if game is None:
        return ""
    shape = exported(game, site.live.services.bots, await ratings_of(site, game), tournament)
    return orjson.dumps(shape).decode() + "\n"


def arena_shape(site: Site, tournament: Tournament, players: int) -> ArenaJson:
    """An arena in the list."""
    terms, now, variant = tournament.terms, site.now(), variant_tag(site, tournament.terms)
    key = perf_of(variant["key"], terms.control)
    made: ArenaJson = {
        "id": tournament.id,
        "createdBy": person_id(tournament.organiser.name),
        "system": "arena",
        "minutes": terms.minutes,
        "clock": clock_shape(terms),
        "rated": terms.rated,
        "fullName": terms.name,
        "nbPlayers": players,
        "variant": variant,
        "startsAt": terms.starts,
        "finishesAt": tournament.ends,
        "status": 30 if tournament.over else 20 if tournament.has_started(now) else 10,
        "perf": {"key": key, "name": key, "position": list(site.variants).index(terms.variant), "icon": ""},
        "hasMaxRating": terms.highest > 0,
        "botsAllowed": False,
    }
    if terms.lowest:
        made["minRating"] = {"rating": terms.lowest}
    if terms.highest:
        made["maxRating"] = {"rating": terms.highest}
    if not tournament.has_started(now):
        made["secondsToStart"] = seconds_until(terms.starts, now)
    if tournament.winner is not None:
        made["winner"] = {"id": person_id(tournament.winner.name), "name": tournament.winner.name}
    return made


def arena_full_shape(site: Site, view: TournamentView, page: int) -> ArenaFullJson:
    """An arena, with that page of its table."""
    tournament, terms, now = view.tournament, view.tournament.terms, site.now()
    variant = variant_tag(site, terms)
    key = perf_of(variant["key"], terms.control)
    first = (page - 1) * ROWS
    rows = [standing_row(view, sheet, rank) for rank, sheet in enumerate(view.sheets[first : first + ROWS], first + 1)]
    made: ArenaFullJson = {
        "id": tournament.id,
        "fullName": terms.name,
        "createdBy": person_id(tournament.organiser.name),
        "system": "arena",
        "rated": terms.rated,
        "berserkable": terms.can_go_berserk,
        "clock": clock_shape(terms),
        "minutes": terms.minutes,
        "startsAt": instant(terms.starts),
        "isFinished": bool(tournament.over),
        "pairingsClosed": bool(tournament.over) or now > last_pairing_at(tournament),
        "nbPlayers": len(view.sheets),
        "hasMaxRating": terms.highest > 0,
        "botsAllowed": False,
        "verdicts": verdicts(terms),
        "perf": {"key": key, "name": key, "icon": ""},
        "variant": variant["key"],
        "duels": [duel(view, one) for one in view.under_way[:MOST_DUELS]],
        "standing": {"page": page, "players": rows},
    }
    if terms.lowest:
        made["minRating"] = {"rating": terms.lowest}
    if terms.highest:
        made["maxRating"] = {"rating": terms.highest}
    if tournament.over:
        made["podium"] = [podium_row(sheet, rank) for rank, sheet in enumerate(view.sheets[:PODIUM], 1) if sheet.played]
        made["stats"] = arena_stats(view)
    elif tournament.has_started(now):
        made["secondsToFinish"] = seconds_until(tournament.ends, now)
    else:
        made["secondsToStart"] = seconds_until(terms.starts, now)
    return made


def swiss_shape(site: Site, view: TournamentView) -> SwissJson:
    """A Swiss."""
    tournament, terms, now = view.tournament, view.tournament.terms, site.now()
    made: SwissJson = {
        "id": tournament.id,
        "createdBy": person_id(tournament.organiser.name),
        "startsAt": instant(terms.starts),
        "name": terms.name,
        "clock": clock_shape(terms),
        "variant": variant_tag(site, terms)["key"],
        "round": view.field.round,
        "nbRounds": terms.rounds,
        "nbPlayers": len(view.sheets),
        "nbOngoing": len(view.under_way),
        "status": "finished" if tournament.over else "started" if tournament.has_started(now) else "created",
        "stats": swiss_stats(view),
        "rated": terms.rated,
        "verdicts": verdicts(terms),
    }
    if (at := next_round_of(view)) is not None and at > now:
        made["nextRound"] = {"at": instant(at), "in": seconds_until(at, now)}
    return made


def next_round_of(view: TournamentView) -> int | None:
    """When (ms) the next round begins by itself; None: that is not known, or there is none."""
    terms, round = view.tournament.terms, view.field.round
    if view.tournament.over or view.under_way or round >= terms.rounds:
        return None
    return next_round_at(terms, round, view.field.ended)


def variant_tag(site: Site, terms: TournamentTerms) -> VariantTag:
    """The variant as lichess names it."""
    found = variant_name(site.variants[terms.variant], chess960=terms.chess960)
    return {"key": found.key, "name": found.name, "short": found.name}


def clock_shape(terms: TournamentTerms) -> LimitAndIncrement:
    """Seconds at the start, and a move."""
    return {"limit": terms.control.initial_ms[0] // 1_000, "increment": terms.control.increment_ms[0] // 1_000}


def verdicts(terms: TournamentTerms) -> Verdicts:
    """What an entrant has to be; nobody in particular asks. For programmers, as lichess writes it."""
    said: list[Verdict] = []
    if terms.lowest:
        said.append({"condition": f"Rated ≥ {terms.lowest}", "verdict": "ok"})
    if terms.highest:
        said.append({"condition": f"Rated ≤ {terms.highest}", "verdict": "ok"})
    return {"accepted": True, "list": said}


def seconds_until(at: int, now: int) -> int:
    """Whole seconds, none once it is past."""
    return max(0, -(-(at - now) // 1_000))


def sheet_shape(view: TournamentView, sheet: Sheet) -> ArenaSheet:
    """What the games of one person were worth."""
    made: ArenaSheet = {"scores": "".join(str(one.points) for one in reversed(sheet.played))}
    if view.tournament.terms.scoring is Scoring.ARENA and sheet.streak >= ON_FIRE and not view.tournament.over:
        made["fire"] = True
    return made


def standing_row(view: TournamentView, sheet: Sheet, rank: int) -> StandingRow:
    """One row of the table."""
    entrant = sheet.entrant
    return {
        "name": entrant.person.name,
        "rank": rank,
        "rating": entrant.rating,
        "score": sheet.points,
        "sheet": sheet_shape(view, sheet),
    }


def arena_result(view: TournamentView, sheet: Sheet, rank: int, *, with_sheet: bool) -> ArenaResult:
    """One line of the table."""
    made: ArenaResult = {
        "rank": rank,
        "score": sheet.points,
        "rating": sheet.entrant.rating,
        "username": sheet.entrant.person.name,
        "performance": sheet.performance,
    }
    if with_sheet:
        made["sheet"] = sheet_shape(view, sheet)
    return made


def swiss_result(view: TournamentView, sheet: Sheet, rank: int) -> SwissResult:
    """One line of the table."""
    made: SwissResult = {
        "rank": rank,
        "points": sheet.points / 2,
        "tieBreak": sheet.ties[0] if sheet.ties else 0,
        "rating": sheet.entrant.rating,
        "username": sheet.entrant.person.name,
        "performance": sheet.performance,
    }
    is_in = standing_in(view.tournament, sheet.entrant, view.field.round_at) is Standing.IN
    if not view.tournament.over and (not is_in or did_not_come(sheet)):
        made["absent"] = True
    return made


def duel(view: TournamentView, pairing: Pairing) -> Duel:
    """A game in play."""
    return {"id": pairing.game, "p": [_duelist(view, person) for person in (pairing.white, pairing.black)]}


def _duelist(view: TournamentView, person: str) -> Duelist:
    entrant = view.entrants[person]
    return {"n": entrant.person.name, "r": entrant.rating, "k": view.places.get(person, 0) + 1}


def podium_row(sheet: Sheet, rank: int) -> PodiumRow:
    """One of the first."""
    return {
        "name": sheet.entrant.person.name,
        "rank": rank,
        "rating": sheet.entrant.rating,
        "score": sheet.points,
        "nb": {
            "game": len(sheet.played),
            "berserk": sum(one.berserk for one in sheet.played),
            "win": sum(one.won for one in sheet.played),
        },
        "performance": sheet.performance,
    }


def arena_stats(view: TournamentView) -> ArenaStats:
    """What has happened in all its games."""
    results = _counting(view)
    return {
        "games": len(results),
        "moves": sum(one.plies for one in results),
        "whiteWins": _won_by(Color.WHITE, results),
        "blackWins": _won_by(Color.BLACK, results),
        "draws": _won_by(None, results),
        "berserks": sum(sum(one.berserk) for one in results),
        "averageRating": _average_rating(view),
    }


def swiss_stats(view: TournamentView) -> SwissStats:
    """The same of a Swiss. `byes`: who was left over; `absences`: who was excused, and who did not come."""
    results = _counting(view)
    played = [one for one in results if one.absent is None]
    without = [one for one in view.pairings.values() if not one.is_game]
    free = sum(one.black == FREE for one in without)
    return {
        "games": len(played),
        "whiteWins": _won_by(Color.WHITE, played),
        "blackWins": _won_by(Color.BLACK, played),
        "draws": _won_by(None, played),
        "byes": free,
        "absences": len(without) - free + len(results) - len(played),
        "averageRating": _average_rating(view),
    }


def _counting(view: TournamentView) -> Sequence[GameResult]:
    return [one for one in view.results.values() if not one.void and one.pairing.is_game]


def _won_by(winner: Color | None, results: Iterable[GameResult]) -> int:
    return sum(one.winner is winner for one in results)


def _average_rating(view: TournamentView) -> int:
    ratings = [one.entrant.rating for one in view.sheets]
    return round(sum(ratings) / len(ratings)) if ratings else 0
