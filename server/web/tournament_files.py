"""A tournament as files: its table for spreadsheets (CSV), for programs (JSON) and for federations (TRF), and its games
(PGN).

In FIDE's report file (TRF 2016), which pairing programs read, each line begins with a number that says what it holds;
columns are counted from 1, as FIDE's description does. People are named by their starting number, and each round takes
ten columns: opponent, colour, result.
"""

import csv
import io
import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import orjson
from aiohttp import web

from server.games.tournaments.robin import TIES as ROBIN_TIES
from server.games.tournaments.swiss import Line, cards_of, starting_numbers, ties_of
from server.games.tournaments.tournament import FREE, HALF, Pairing, Scoring, Sheet, Tournament
from server.realtime.tournaments import TournamentView
from server.rules.variant.pieces import Color
from server.web.archive.search import send_pgn
from server.web.rendering.answers import compressed
from server.web.rendering.problems import Problem
from server.web.site import SITE
from server.web.tournament_sections import COUNTED
from server.web.tournaments import find_view

COLORS: Final = {Color.WHITE: "w", Color.BLACK: "b", None: "-"}
NAME: Final = 33
"""Columns of a report for the name of a person."""
TIE_COLUMNS: Final = {
    "cut1": "Buchholz cut 1",
    "buchholz": "Buchholz",
    "direct": "Direct encounter",
    "wins": "Wins",
    "sonneborn": "Sonneborn-Berger",
    "median": "Median Buchholz",
    "won": "Games won",
    "blacks": "Games with Black",
    "progressive": "Progressive",
    "koya": "Koya",
}
"""In files every language has the same columns, as programs read them."""


async def standings_csv(request: web.Request) -> web.Response:
    """GET /tournament/{tournament}.csv: the table, the best first, with all rounds where there are such."""
    view = await find_view(request)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(csv_rows(view))
    return file_answer(view, text.getvalue(), "csv", "text/csv")


def csv_rows(view: TournamentView) -> list[list[object]]:
    """The lines of the table, after that of its columns. A game is "12w1": against number 12, as White, won."""
    in_rounds, sheets = view.tournament.terms.rounds > 0, view.sheets
    half = view.tournament.terms.scoring is Scoring.PLAIN
    numbers, rounds = starting_numbers(sheets), view.field.round
    cards = cards_of(sheets, rounds, complete=bool(view.tournament.over)) if in_rounds else {}
    names = ties_of(view.tournament.terms) if in_rounds else ROBIN_TIES if view.tournament.terms.size else ()
    ties = [TIE_COLUMNS[one] for one in names]
    heads = [f"Round {at}" for at in range(1, rounds + 1)] if in_rounds else ["Games"]
    rows: list[list[object]] = [["Rank", "Number", "Name", "Rating", "Points", *ties, "Performance", *heads]]
    for place, sheet in enumerate(sheets, 1):
        entrant, lines = sheet.entrant, cards.get(sheet.person, ())
        points = halves(sheet.points) if half else str(sheet.points)
        measures = [
            measure_text(name, value) for name, value in zip(names, sheet.ties or (0,) * len(names), strict=True)
        ]
        played = [f"{numbers.get(one.opponent, '')}{COLORS[one.color].strip('-')}{one.letter}" for one in lines]
        games = played if in_rounds else [str(len(sheet.played))]
        who = [place, numbers[sheet.person], entrant.person.name, entrant.rating, points]
        rows.append([*who, *measures, sheet.performance or "", *games])
    return rows


def measure_text(name: str, value: int) -> str:
    """What somebody has in a tie-break, as a decimal fraction."""
    if name == "sonneborn":
        return f"{value / 4:g}"
    return str(value) if name in COUNTED else halves(value)


def halves(points: int) -> str:
    """Halves of a point as a decimal fraction."""
    return f"{points // 2}{'.5' if points % 2 else ''}"


async def standings_json(request: web.Request) -> web.Response:
    """GET /tournament/{tournament}.json: terms, table and all pairings with their results, for programs."""
    view = await find_view(request)
    return file_answer(view, orjson.dumps(json_facts(view)).decode(), "json", "application/json")


def json_facts(view: TournamentView) -> dict[str, Any]:
    """What the file says. `ties`: as `measure_text` writes them."""
    tournament, terms = view.tournament, view.tournament.terms
    names_of = {id: one.person.name for id, one in view.entrants.items()}
    names = ties_of(terms) if terms.rounds else ROBIN_TIES if terms.size else ()
    half = terms.scoring is Scoring.PLAIN
    return {
        "id": tournament.id,
        "name": terms.name,
        "format": terms.format,
        "variant": terms.variant,
        "chess960": terms.chess960,
        "rated": terms.rated,
        "starts": None if terms.size else terms.starts,
        "rounds": terms.rounds or None,
        "dates": list(terms.dates),
        "over": tournament.over or None,
        "calledOff": tournament.called_off,
        "table": [
            {
                "rank": place,
                "name": sheet.entrant.person.name,
                "rating": sheet.entrant.rating,
                "points": sheet.points / 2 if half else sheet.points,
                "ties": {name: measure_text(name, value) for name, value in zip(names, sheet.ties, strict=False)},
                "performance": sheet.performance or None,
                "games": sum(one.opponent not in (FREE, HALF) for one in sheet.played),
            }
            for place, sheet in enumerate(view.sheets, 1)
        ],
        "pairings": [
            pairing_facts(view, names_of, one)
            for one in sorted(view.pairings.values(), key=lambda one: (one.wave, one.board))
        ],
    }


def pairing_facts(view: TournamentView, names: Mapping[str, str], pairing: Pairing) -> dict[str, Any]:
    """One board of a round: `result` is "1-0", "0-1", "1/2-1/2", "+-", "-+", "void", "free" or "half", null in play."""
    result = view.results.get(pairing.game)
    if not pairing.is_game:
        said: str | None = "free" if pairing.black == FREE else "half"
    elif result is None:
        said = None
    elif result.void:
        said = "void"
    elif result.absent is not None:
        said = "+-" if result.absent is Color.BLACK else "-+"
    else:
        said = {Color.WHITE: "1-0", Color.BLACK: "0-1", None: "1/2-1/2"}[result.winner]
    return {
        "round": pairing.wave,
        "board": pairing.board + 1,
        "white": names.get(pairing.white, "?"),
        "black": names.get(pairing.black, "?") if pairing.is_game else None,
        "game": pairing.game if pairing.is_game else None,
        "result": said,
    }


async def report_trf(request: web.Request) -> web.Response:
    """GET /tournament/{tournament}.trf: FIDE's report file. Raises Problem (404) for what is not played in rounds."""
    view = await find_view(request)
    if not view.tournament.terms.rounds:
        raise Problem(404, "no_rounds")
    city = request.app[SITE].settings.address
    return file_answer(view, write_report(view.tournament, view.sheets, city), "trf", "text/plain")


async def games_pgn(request: web.Request) -> web.StreamResponse:
    """GET /tournament/{tournament}.pgn: all games that have been played, round by round."""
    view = await find_view(request)
    return await send_pgn(request, plain_name(view), games_of(view))


async def games_of(view: TournamentView) -> AsyncIterator[tuple[str, Mapping[str, str]]]:
    """The games of a tournament (ids) that are over, with their event and round."""
    for one in sorted((one.pairing for one in view.results.values()), key=lambda one: (one.wave, one.board)):
        yield one.game, {"Event": view.tournament.terms.name, "Round": f"{one.wave}.{one.board + 1}"}


def file_answer(view: TournamentView, text: str, kind: str, content_type: str) -> web.Response:
    """A file to download."""
    headers = {"Content-Disposition": f'attachment; filename="{plain_name(view)}.{kind}"'}
    answer = web.Response(text=text, content_type=content_type, charset="utf-8", headers=headers)
    return compressed(answer, len(text))


def plain_name(view: TournamentView) -> str:
    """A name for its files, which any system can store."""
    return re.sub(r"[^0-9A-Za-z]+", "-", view.tournament.terms.name).strip("-")[:60] or view.tournament.id


def write_report(tournament: Tournament, sheets: Sequence[Sheet], city: str = "") -> str:
    """The report on that table, the best first, after the rounds that have been played. `city`: where."""
    rounds = max((one.wave for sheet in sheets for one in sheet.played), default=0)
    cards = cards_of(sheets, rounds, complete=bool(tournament.over))
    numbers, terms = starting_numbers(sheets), tournament.terms
    initial, increment = terms.control.initial_ms[0] // 1_000, terms.control.increment_ms[0] // 1_000
    last = max((one.ended for sheet in sheets for one in sheet.played), default=terms.starts)
    head = {
        "012": terms.name,
        "022": city,
        "042": _day(terms.starts),
        "052": _day(last),
        "062": str(len(sheets)),
        "072": str(len(sheets)),
        "092": "Individual: Swiss-System",
        "102": tournament.organiser.name,
        "122": f"{initial}+{increment}",
        "XXR": str(terms.rounds),
    }
    lines = [f"{number} {said}".rstrip() for number, said in head.items()]
    if days := round_days(sheets):
        lines.append("132".ljust(91) + "  ".join(days))
    placed = sorted(enumerate(sheets, 1), key=lambda one: numbers[one[1].person])
    lines += [_person(sheet, place, numbers, cards[sheet.person]) for place, sheet in placed]
    return "\n".join([*lines, ""])


def _person(sheet: Sheet, place: int, numbers: dict[str, int], lines: Iterable[Line]) -> str:
    name = sheet.entrant.person.name[:NAME].ljust(NAME)
    points = f"{sheet.points // 2}.{5 * (sheet.points % 2)}"
    who = f"001 {numbers[sheet.person]:>4}      {name} {sheet.entrant.rating:>4}"
    rounds = "".join(f"  {numbers.get(one.opponent, 0):>04} {COLORS[one.color]} {one.letter}" for one in lines)
    return f"{who.ljust(80)}{points:>4} {place:>4}{rounds}"


def round_days(sheets: Iterable[Sheet]) -> Sequence[str]:
    """The day (UTC, YY/MM/DD) on which each round was over, as far as somebody has played it."""
    ended: dict[int, int] = {}
    for one in (one for sheet in sheets for one in sheet.played):
        ended[one.wave] = max(one.ended, ended.get(one.wave, 0))
    return [_day(ended[wave])[2:] for wave in sorted(ended)]


def _day(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1_000, UTC):%Y/%m/%d}"
