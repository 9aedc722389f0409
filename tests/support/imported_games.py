"""Texts read as imported games."""

from server.games.importing import import_game
from server.rules.sliced_work import run_at_once
from tests.support.games import START
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import read_pgn

MATE = "1. f3 e5 2. g4 Qh4#"


def imported(text):
    return run_at_once(import_game(read_pgn(text, VARIANTS), START))


def tagged(movetext="1. e4 e5 *", **tags):
    return imported("".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + movetext)
