"""Properties over positions of recorded games: FEN, UCI and SAN round trips, listed if and only if accepted."""

import random
from itertools import pairwise

import pytest

from server.rules.errors import IllegalMove, InvalidMove
from server.rules.movegen.legal import is_legal, legal_moves, play
from server.rules.notation.fen import format_fen, parse_fen, shuffled_fen, start_position
from server.rules.notation.san import format_san, parse_san
from server.rules.notation.uci import parse_uci
from tests.support.rules.vectors import GAME_FILES, canonical, records

POSITIONS = 40
"""Positions looked at for each file of recorded games."""


def recorded_positions(variants, name, rng):
    """Positions picked at random from the recorded games of one file."""
    choices = [(game, fen) for game in records(name) for fen in game["fens"] if fen]
    for game, fen in rng.sample(choices, POSITIONS):
        yield parse_fen(variants[game["variant"]], fen, game.get("chess960", False))


@pytest.mark.parametrize("name", GAME_FILES)
def test_a_fen_read_and_written_is_the_same(variants, name):
    for game in records(name)[:20]:
        for fen in filter(None, game["fens"]):
            position = parse_fen(variants[game["variant"]], fen, game.get("chess960", False))
            assert canonical(format_fen(position)) == canonical(fen)
            assert parse_fen(position.variant, format_fen(position), position.chess960) == position


@pytest.mark.parametrize("name", GAME_FILES)
def test_every_legal_move_has_one_uci_and_one_san(variants, name, seed):
    for position in recorded_positions(variants, name, random.Random(f"{seed} {name}")):
        moves = legal_moves(position)
        sans = {format_san(position, move): move for move in moves}
        assert len(sans) == len(moves), format_fen(position)
        for san, move in sans.items():
            assert parse_san(position, san) == move
            assert parse_uci(position, move.uci) == move


@pytest.mark.slow
@pytest.mark.parametrize("name", GAME_FILES)
def test_listed_if_and_only_if_accepted(variants, name, seed):
    """The moves of the next recorded position of the same variant are tried here: some are legal, most are not."""
    positions = list(recorded_positions(variants, name, random.Random(f"{seed} {name} listed")))
    for position, other in pairwise(positions):
        listed = {move.uci: move for move in legal_moves(position)}
        for move in legal_moves(other):
            uci = move.uci
            try:
                accepted = parse_uci(position, uci)
            except IllegalMove:
                accepted = None
            # A shorter text of the same move is accepted too (a forced promotion without its letter).
            assert accepted == listed.get(uci) or accepted in listed.values(), f"{uci} in {format_fen(position)}"
            assert is_legal(position, move) == (move in listed.values()), f"{uci} in {format_fen(position)}"
            if not is_legal(position, move):
                with pytest.raises(IllegalMove):
                    play(position, move)


@pytest.mark.parametrize("text", ["", " ", "e2", "e2e9", "z1a1", "e2e4e5", "P@", "@e4", "0000", "é2e4", "e٢e4"])
def test_text_that_is_not_a_move_is_refused(variants, text):
    for variant in variants.values():
        with pytest.raises((InvalidMove, IllegalMove)):
            parse_uci(start_position(variant), text)


def test_shuffled_starts_can_be_read_and_differ(variants):
    for variant in variants.values():
        if not variant.chess960:
            continue
        fens = {shuffled_fen(variant, random.Random(number)) for number in range(50)}
        assert len(fens) > 40
        for fen in fens:
            assert format_fen(parse_fen(variant, fen, True)) == fen
