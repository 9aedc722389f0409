"""Reads and writes PGN without a pause, for tests that have nothing else to do meanwhile."""

from server.rules.notation import pgn, pgn_writer
from server.rules.sliced_work import run_at_once


def read_pgn(*args):
    return run_at_once(pgn.read_pgn(*args))


def write_pgn(*args):
    return run_at_once(pgn_writer.write_pgn(*args))
