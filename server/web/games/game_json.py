"""A game as everybody may read it, as JSON and as PGN. Knows the game as a value, not how it is played live.

The only secret in a game is the hash of its invitation, which is not written here.
"""

from collections.abc import Generator, Mapping
from datetime import UTC, datetime
from itertools import islice
from types import MappingProxyType
from typing import NotRequired

from typing_extensions import TypedDict

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.state import Game, ImportSource
from server.realtime.protocol.wire import Side, side
from server.rules.endings import Outcome
from server.rules.movegen.making import play_trusted
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.notation.pgn_line import PgnMove
from server.rules.notation.pgn_tags import write_tags
from server.rules.notation.pgn_writer import write_pgn
from server.rules.notation.uci import parse_uci_trusted
from server.rules.variant.pieces import Color
from server.storage.protocols.ratings import RatingChanges
from server.web.rendering.page_cache import Key

NO_CHANGES: RatingChanges = MappingProxyType({})
NO_TAGS: Mapping[str, str] = MappingProxyType({})


class SeatJson(TypedDict):
    """A player. `level`: that of the computer, which has the seat; only there."""

    id: str
    name: str
    level: NotRequired[int]


class ClockJson(TypedDict):
    """A time control; of White and Black where there are two numbers. `cap_ms`: the most that a time bank holds."""

    kind: str
    initial_ms: tuple[int, int]
    increment_ms: tuple[int, int]
    days: int | None
    cap_ms: int | None


class MoveJson(TypedDict):
    """A half-move. `left`: ms on the mover's clock after it, null if none is kept. `fen`: the position after it."""

    uci: str
    san: str
    left: int | None
    fen: str


class OriginJson(TypedDict):
    """What an imported file says about its game."""

    event: str
    site: str
    date: str


class GameJson(TypedDict):
    """A whole game. `origin`: null for a game that was played here. `annotated`: its PGN has comments or variations."""

    id: str
    variant: str
    chess960: bool
    rated: bool
    status: str
    white: SeatJson | None
    black: SeatJson | None
    clock: ClockJson
    start_fen: str
    fen: str
    moves: list[MoveJson]
    result: str | None
    winner: Side | None
    reason: str | None
    created: int
    ended: int | None
    previous: str | None
    next: str | None
    origin: OriginJson | None
    annotated: bool


def game_steps(game: Game) -> Generator[None, None, GameJson]:
    """Returns the whole game, JSON-able; yields after each half-move, as a long game takes a while."""
    terms, played = game.terms, (yield from replaying(game))
    return {
        "id": game.id,
        "variant": terms.variant.id,
        "chess960": terms.chess960,
        "rated": terms.rated,
        "status": game.status.value,
        "white": seat(game.white),
        "black": seat(game.black),
        "clock": clock(terms.control),
        "start_fen": terms.start_fen,
        "fen": format_fen(game.position),
        "moves": played,
        "result": game.result if game.outcome else None,
        "winner": winner(game.outcome),
        "reason": game.outcome.reason if game.outcome else None,
        "created": game.created,
        "ended": game.ended,
        "previous": game.previous,
        "next": game.next,
        "origin": origin(game.import_source),
        "annotated": game.import_source is not None and game.import_source.movetext != "",
    }


def seat(player: Player | None) -> SeatJson | None:
    """A player; None: the seat is empty."""
    if player is None:
        return None
    taken: SeatJson = {"id": player.id, "name": player.name}
    return {**taken, "level": player.level} if player.level else taken


def clock(control: TimeControl) -> ClockJson:
    """The time control; times in ms, None where it has none."""
    return {
        "kind": control.kind.value,
        "initial_ms": control.initial_ms,
        "increment_ms": control.increment_ms,
        "days": control.days,
        "cap_ms": control.cap_ms,
    }


def origin(said: ImportSource | None) -> OriginJson | None:
    """Where an imported game was played; None: here."""
    return None if said is None else {"event": said.event, "site": said.site, "date": said.date}


def winner(outcome: Outcome | None) -> Side | None:
    """white, black or None, also for a draw."""
    return side(outcome.winner) if outcome and outcome.winner else None


def replaying(game: Game) -> Generator[None, None, list[MoveJson]]:
    """Returns every half-move with the position after it; yields after each."""
    position = parse_fen(game.terms.variant, game.terms.start_fen, game.terms.chess960)
    played: list[MoveJson] = []
    for ply in game.plies:
        position = play_trusted(position, parse_uci_trusted(position, ply.uci))
        played.append({"uci": ply.uci, "san": ply.san, "left": ply.left_ms, "fen": format_fen(position)})
        yield
    return played


def writing_pgn(
    game: Game,
    site: str,
    plies: int | None = None,
    changes: RatingChanges = NO_CHANGES,
    event: Mapping[str, str] = NO_TAGS,
) -> Generator[None, None, str]:
    """Returns the game as PGN, or its first `plies` half-moves; yields every millisecond or so, as thousands of
    half-moves take their time. `site` is the origin of this site; dates are UTC.

    `changes` is what it did to ratings; `event`: tags that say where it was played. An imported game keeps its tags and
    all its notes; a part of it has only moves and clocks.
    """
    terms, said = game.terms, game.import_source
    line = (PgnMove(ply.uci, ply.san, clock_ms=ply.left_ms) for ply in islice(game.plies, plies))
    whole = plies is None or plies >= len(game.plies)
    result = game.result if whole else "*"
    tags = dict(said.tags) if said is not None else played_here(game, site) | ratings(changes) | dict(event)
    if not whole:
        tags.pop("Termination", None)
    elif said is not None and said.movetext:
        return f"{write_tags(tags, terms.variant, terms.chess960, terms.start_fen, result)}\n{said.movetext}"
    return (yield from write_pgn(tags, terms.variant, terms.chess960, terms.start_fen, line, result))


def played_here(game: Game, site: str) -> dict[str, str]:
    """The PGN tags of a game played here."""
    began = datetime.fromtimestamp(game.created / 1000, UTC)
    tags = {
        "Event": "Rated game" if game.terms.rated else "Casual game",
        "Site": f"{site}/{game.id}",
        "Date": began.strftime("%Y.%m.%d"),
        "White": game.white.name if game.white else "?",
        "Black": game.black.name if game.black else "?",
        "UTCDate": began.strftime("%Y.%m.%d"),
        "UTCTime": began.strftime("%H:%M:%S"),
        "TimeControl": time_control(game),
    }
    if game.computer is not None:
        # As the PGN standard tells people from programs.
        tags |= {f"{color.name.title()}Type": "program" if color is game.computer else "human" for color in Color}
    return tags if game.outcome is None else tags | {"Termination": game.outcome.reason}


def ratings(changes: RatingChanges) -> dict[str, str]:
    """PGN tags with the ratings before the game and their changes, rounded as people see them."""
    moved = [(color.name.title(), changes[color]) for color in Color if color in changes]
    before = {f"{color}Elo": str(round(change.before)) for color, change in moved}
    return before | {f"{color}RatingDiff": f"{round(c.after) - round(c.before):+}" for color, c in moved}


def time_control(game: Game) -> str:
    """The time control as in the PGN standard: seconds+increment, 1/seconds for days per move, - for no limit.

    The standard has one text for both sides; with time odds it is White's. It has none for the most that a bank holds.
    """
    control = game.terms.control
    if control.keeps_time:
        return f"{control.initial_ms[0] // 1000}+{control.increment_ms[0] // 1000}"
    return "-" if control.days is None else f"1/{control.days * 86_400}"


def key_of(game: Game) -> Key:
    """Another one after each change of the game."""
    return game.id, str(game.rev), ""
