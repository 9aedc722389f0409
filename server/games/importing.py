"""Makes a finished game out of the PGN of a game that was played elsewhere.

Its players have names but no accounts here, and it is never rated. If the last position ends the game, that is the
outcome; otherwise it is what the PGN says.
"""

import re
from collections.abc import Mapping
from hashlib import sha256

from server.games.append_only import AppendOnlySequence, RepetitionHistory
from server.games.clocks.clock import Clock
from server.games.clocks.time_control import BANKS, TimeControl
from server.games.errors import BadClock
from server.games.frozen import replace
from server.games.game_id import own_id
from server.games.judging import FORCED
from server.games.player import Player
from server.games.state import Game, ImportSource, Ply, cleaned
from server.games.status import Status
from server.games.terms import Terms
from server.rules.endings import Outcome, outcome
from server.rules.errors import InvalidPgn
from server.rules.movegen.legal import king_can_be_taken, repetition_key
from server.rules.movegen.making import play_trusted
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, start_position
from server.rules.notation.pgn import PgnGame
from server.rules.notation.pgn_tags import FOLLOWING
from server.rules.notation.pgn_writer import write_movetext
from server.rules.sliced_work import SlicedWork
from server.rules.variant.pieces import Color

LONGEST_NAME = 60
WINNERS: Mapping[str, Color | None] = {"1-0": Color.WHITE, "0-1": Color.BLACK, "1/2-1/2": None}
TERMINATIONS = frozenset(("resign", "time", "left", "agreement", "forgiven", "insufficient", "repetition", "move-rule"))
"""Values that this site writes into the Termination tag for endings that the last position need not show."""
TIME_FORFEIT = "time forfeit"
TIME = re.compile(r"(\d{1,7})(?:\+(\d{1,6}))?", re.ASCII)
DAYS = re.compile(r"1/(\d{1,8})", re.ASCII)
TELLING_APART = (
    *("Board", "Time", "UTCDate", "UTCTime", "EndDate", "StartTime", "EndTime"),
    *("Link", "GameId", "GameURL", "FICSGamesDBGameNo"),
)
"""Tags in which games of the same two on one day may differ: when, at which board, and as which of a site's."""


def import_game(pgn: PgnGame, played: int) -> SlicedWork[Game]:
    """The game of `pgn`, played at `played` (ms). Pauses after each move.

    Raises InvalidPgn if it has no moves, begins where a king could be taken, or its result contradicts the board.
    """
    if king_can_be_taken(pgn.start):
        raise InvalidPgn("king_can_be_taken")
    if not pgn.moves:
        raise InvalidPgn("no_moves")
    position, plies = pgn.start, list[Ply]()
    keys = [repetition_key(position)]
    for move, told in zip(pgn.moves, pgn.line, strict=True):
        after = play_trusted(position, move)
        plies.append(Ply(told.uci, told.san, told.clock_ms, 0))
        position = after
        keys.append(repetition_key(position))
        yield
    game = _over(pgn, played, position, AppendOnlySequence(plies), RepetitionHistory(keys))
    yield
    game = replace(game, import_source=(yield from import_source_of(pgn, game)))
    return replace(game, id=imported_id(game))


def _over(pgn: PgnGame, played: int, last: Position, plies: AppendOnlySequence[Ply], keys: RepetitionHistory) -> Game:
    """The game without its id."""
    tags = pgn.tags
    control = control_of(tags.get("TimeControl", ""))
    return Game(
        id="",
        rev=0,
        terms=Terms(pgn.variant, pgn.chess960, start_fen_of(pgn), control, rated=False),
        white=player_of_tag(tags.get("White", "")),
        black=player_of_tag(tags.get("Black", "")),
        invites=(None, None),
        status=Status.OVER,
        position=last,
        plies=plies,
        keys=keys,
        clock=clock_of(control, pgn),
        created=played,
        outcome=outcome_of(pgn, last, keys.times_seen()),
        ended=played,
    )


def import_source_of(pgn: PgnGame, game: Game) -> SlicedWork[ImportSource]:
    """What to keep of the PGN beside the game, so that it can be exported as it came."""
    tags = tuple((name, value) for name, value in pgn.tags.items() if name not in FOLLOWING)
    if not pgn.annotated:
        return ImportSource(tags)
    movetext = yield from write_movetext(pgn.line, game.terms.start_fen, game.result, pgn.comments)
    return ImportSource(tags, movetext)


def imported_id(game: Game, attempt: int = 0) -> str:
    """An id derived from the game itself, so that importing the same game twice gives the same id.

    Another `attempt` gives another id, in case a different game has this one. The first two depend on less than
    `same_game` compares, as they did when it compared less: games that are there are found by them. By the third, which
    depends on all of it, nobody is kept out, whatever others have imported before.
    """
    assert game.white is not None
    assert game.black is not None
    assert game.import_source is not None
    terms = game.terms
    parts = (
        *(str(attempt), terms.variant.id, str(terms.chess960), terms.start_fen),
        *(game.white.name, game.black.name, game.result, *_told_of(game.import_source)),
        *(ply.uci for ply in game.plies),
        *filter(None, [game.import_source.movetext]),
        *(_told_apart_by(game.import_source) if attempt else ()),
        *(str(ply.left_ms) for ply in (game.plies if attempt > 1 else ())),
    )
    return own_id(int.from_bytes(sha256("\n".join(parts).encode()).digest()))


def same_game(one: Game, other: Game) -> bool:
    """Do both come from the same game of a file with the same annotations, whenever they were imported?

    Two games with the same moves and players are not the same if they were played elsewhere, or in another round.
    """
    return _as_played(one) == _as_played(other)


def _as_played(game: Game) -> tuple[object, ...]:
    source = game.import_source
    said = source and (source.movetext, *_told_of(source), *_told_apart_by(source))
    return game.plies, game.white, game.black, game.result, said, game.terms.start_fen, game.terms.variant.id


def _told_of(source: ImportSource) -> tuple[str, ...]:
    """What a file says of when and where a game was played; "" for what it does not know."""
    said = (source.date, source.event, source.site, source.tag("Round"))
    return tuple("" if not value.strip("?-. ") else value for value in said)


def _told_apart_by(source: ImportSource) -> tuple[str, ...]:
    """What is known of TELLING_APART, with its name."""
    more = ((name, source.tag(name)) for name in TELLING_APART)
    return tuple(f"{name}={value}" for name, value in more if value.strip("?-.: "))


def start_fen_of(pgn: PgnGame) -> str:
    """The start FEN; for the variant's usual start in the variant's own spelling."""
    fen = format_fen(pgn.start)
    if pgn.chess960 or fen != format_fen(start_position(pgn.variant)):
        return fen
    return pgn.variant.start_fen


def outcome_of(pgn: PgnGame, last: Position, seen: int) -> Outcome:
    """How the game ended. Raises InvalidPgn if the PGN's result contradicts the board."""
    on_board = outcome(last, seen)
    if on_board is not None and pgn.result in ("*", on_board.result):
        return on_board
    if on_board is not None and on_board.reason in FORCED:
        raise InvalidPgn("result", result=pgn.result)
    if pgn.result == "*":
        return Outcome(None, "unfinished")
    said = pgn.tags.get("Termination", "").strip().casefold()
    if said == TIME_FORFEIT:
        return Outcome(WINNERS[pgn.result], "time")
    return Outcome(WINNERS[pgn.result], said if said in TERMINATIONS else "imported")


def clock_of(control: TimeControl, pgn: PgnGame) -> Clock:
    """The clocks at the end, as far as the PGN has them."""
    clock = Clock.of(control)
    if not control.keeps_time:
        return clock
    left = list(clock.left_ms)
    for ply, move in enumerate(pgn.line, pgn.start.turn.value):
        if move.clock_ms is not None:
            left[ply % 2] = move.clock_ms if control.cap_ms is None else min(move.clock_ms, control.cap_ms)
    return replace(clock, left_ms=(left[0], left[1]))


def control_of(text: str) -> TimeControl:
    """The time control of a TimeControl tag; unlimited if this site has no such clock."""
    control = TimeControl.unlimited()
    if timed := TIME.fullmatch(text):
        control = TimeControl.realtime(int(timed[1]) * 1000, int(timed[2] or 0) * 1000)
        control = next((bank for bank in BANKS if _counts_alike(bank, control)), control)
    elif daily := DAYS.fullmatch(text):
        control = TimeControl.correspondence(int(daily[1]) // 86_400)
    try:
        control.validate()
    except BadClock:
        return TimeControl.unlimited()
    return control


def _counts_alike(bank: TimeControl, control: TimeControl) -> bool:
    """Are both written alike? A tag cannot say how much a time bank may hold."""
    return (bank.initial_ms, bank.increment_ms) == (control.initial_ms, control.increment_ms)


def player_of_tag(tag: str) -> Player:
    """The player of that tag, who has no account here; "?" if the tag says nothing."""
    return Player("", cleaned(tag, LONGEST_NAME) or "?")
