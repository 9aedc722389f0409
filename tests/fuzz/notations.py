"""Fuzz targets of the rules' texts: FEN, UCI, SAN, PGN. What is accepted can be played and comes back the same."""

from collections.abc import Callable
from functools import cache, partial
from itertools import islice

from server.rules.errors import InvalidFen, InvalidPgn, RulesError
from server.rules.movegen.legal import legal_moves, play
from server.rules.movegen.moves import Move
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.notation.pgn_file import decode_pgn, split_games
from server.rules.notation.pgn_line import PgnMove
from server.rules.notation.san import format_san, parse_san
from server.rules.notation.uci import parse_uci
from server.rules.sliced_work import run_at_once
from tests.fuzz.target import Target, answer, text_of
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import read_pgn, write_pgn
from tests.support.rules.vectors import GAME_FILES, Record, records

SEEDS_EACH = 3
"""Recorded games of each variant."""
MAX_GAMES = 200

Parse = Callable[[Position, str], Move]
Write = Callable[[Position, Move], str]


@cache
def forms() -> tuple[tuple[str, bool], ...]:
    """Every variant, with and without the shuffled start: the first byte of an input chooses one."""
    return tuple((name, shuffled) for name, one in VARIANTS.items() for shuffled in {False, one.chess960})


def form_of(record: Record) -> bytes:
    return bytes([forms().index((record["variant"], record.get("chess960", False)))])


@cache
def recorded() -> tuple[Record, ...]:
    return tuple(record for name in GAME_FILES for record in islice(records(name), SEEDS_EACH))


@cache
def positions() -> tuple[Position, ...]:
    """Some of each variant, from the middle of recorded games: the first byte of an input chooses one."""
    found = []
    for record in recorded():
        fens = [fen for fen in record["fens"] if fen]
        fen = fens[len(fens) // 2] if fens else record["start_fen"]
        found.append(parse_fen(VARIANTS[record["variant"]], fen, record.get("chess960", False)))
    return tuple(found)


def fen(data: bytes) -> None:
    name, chess960 = forms()[data[0] % len(forms())] if data else forms()[0]
    variant = VARIANTS[name]
    position = answer(InvalidFen, parse_fen, variant, text_of(data[1:]), chess960)
    if isinstance(position, InvalidFen):
        return
    assert parse_fen(variant, format_fen(position), chess960) == position
    for move in answer((), legal_moves, position)[:8]:
        # Whatever follows from a position that was let in can be written and read too.
        after = play(position, move)
        written = format_fen(after)
        # A king can be taken on the analysis board; what is left then is shown, and read by nobody.
        assert min(after.kings) < 0 or parse_fen(variant, written, chess960) == after, move.uci


def fen_seeds() -> list[bytes]:
    return [form_of(record) + text.encode() for record in recorded() for text in record["fens"][:40:10] if text]


def uci_of(position: Position, move: Move) -> str:
    return move.uci


def moves_in(parse: Parse, write: Write) -> Callable[[bytes], None]:
    """What is read as a move is legal, and is read so again when it is written."""

    def run(data: bytes) -> None:
        if data:
            position = positions()[data[0] % len(positions())]
            move = answer(RulesError, parse, position, text_of(data[1:]))
            if not isinstance(move, RulesError):
                assert move in legal_moves(position)
                assert parse(position, write(position, move)) == move

    return run


def move_seeds(write: Write) -> list[bytes]:
    return [
        bytes([at]) + write(position, move).encode()
        for at, position in enumerate(positions())
        for move in legal_moves(position)[::7]
    ]


def pgn(data: bytes) -> None:
    """What a text says of its games is in them when they are written and read again."""
    for piece in run_at_once(split_games(decode_pgn(data), MAX_GAMES)):
        game = answer(InvalidPgn, read_pgn, piece.text, VARIANTS)
        if not isinstance(game, InvalidPgn):
            start = format_fen(game.start)
            said = write_pgn(game.tags, game.variant, game.chess960, start, game.line, game.result, game.comments)
            again = read_pgn(said, VARIANTS)
            assert (again.start, again.moves, again.result) == (game.start, game.moves, game.result)
            assert (again.line, again.comments) == (game.line, game.comments)


def pgn_seeds() -> list[bytes]:
    found = [
        write_pgn(
            {"Event": 'a "name"', "White": "Ánna"},
            VARIANTS[record["variant"]],
            record.get("chess960", False),
            record["start_fen"],
            [PgnMove(uci, san) for uci, san in zip(record["moves"][:12], record["sans"], strict=False)],
            "*",
        ).encode()
        for record in recorded()
        if "sans" in record
    ]
    rich = b'[Event "x"]\n\n1. e4 {[%clk 0:05:00]} e5 $1 (1... c5 2. Nf3) ; rest\n% escaped\n2. Nf3! Nc6?? 1/2-1/2\n'
    return [*found, rich, rich + b"\n" + rich, b"\xef\xbb\xbf" + rich, rich.replace(b"x", b"\xe1")]


NOTATIONS = (
    Target("fen", fen, fen_seeds),
    Target("uci", moves_in(parse_uci, uci_of), partial(move_seeds, uci_of)),
    Target("san", moves_in(parse_san, format_san), partial(move_seeds, format_san)),
    Target("pgn", pgn, pgn_seeds),
)
