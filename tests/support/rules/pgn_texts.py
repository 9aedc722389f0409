"""Reads and writes PGN without a pause, for tests that have nothing else to do meanwhile."""

from server.rules.movegen.legal import play
from server.rules.notation import pgn, pgn_writer
from server.rules.notation.fen import parse_fen
from server.rules.notation.pgn_line import PgnMove
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.sliced_work import run_at_once


def read_pgn(*args):
    return run_at_once(pgn.read_pgn(*args))


def write_pgn(*args):
    return run_at_once(pgn_writer.write_pgn(*args))


def as_pgn(variants, game, **tags):
    """A recorded game as PGN, its SANs made here (some records have none)."""
    variant, chess960 = variants[game["variant"]], game.get("chess960", False)
    position, line = parse_fen(variant, game["start_fen"], chess960), []
    for text in game["moves"]:
        move = parse_uci(position, text)
        line.append(PgnMove(move.uci, format_san(position, move)))
        position = play(position, move)
    return write_pgn(tags, variant, chess960, game["start_fen"], line, game["result"])
