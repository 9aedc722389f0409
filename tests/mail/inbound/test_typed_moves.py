"""Moves as people type them into mails, in every variant."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.errors import BadMove
from server.mail.inbound.intended_moves import move_typed, near_moves
from server.rules.catalogue import load_catalogue
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.making import play_trusted
from server.rules.movegen.moves import Castle
from server.rules.notation.fen import parse_fen
from server.rules.notation.san import format_san

VARIANTS = load_catalogue()
CHESS = parse_fen(VARIANTS["chess"], VARIANTS["chess"].start_fen)


def positions(variant, seed, plies=40):
    """The positions of one game played at random."""
    draw = random.Random(f"{seed} {variant.id}")
    position = parse_fen(variant, variant.start_fen)
    for _ in range(plies):
        moves = legal_moves(position)
        if not moves:
            return
        yield position
        position = play_trusted(position, draw.choice(moves))


@pytest.mark.parametrize("name", VARIANTS)
def test_every_legal_move_is_understood_as_san_and_as_uci(name, seed):
    for position in positions(VARIANTS[name], seed):
        for move in random.Random(seed).sample(legal_moves(position), k=min(8, len(legal_moves(position)))):
            for text in (format_san(position, move), move.uci, move.uci[:2] + "-" + move.uci[2:]):
                if "@" in text and "-" in text:
                    continue
                assert move_typed(position, text).uci == move.uci, (text, move.uci)


@pytest.mark.parametrize("name", VARIANTS)
def test_in_any_case_a_text_means_that_move_or_none(name, seed):
    for position in positions(VARIANTS[name], seed, plies=20):
        for move in random.Random(seed).sample(legal_moves(position), k=min(4, len(legal_moves(position)))):
            for text in (format_san(position, move).lower(), move.uci.upper()):
                try:
                    found = move_typed(position, text)
                except BadMove:
                    continue
                same = (format_san(position, found).lower(), found.uci.lower(), found.uci.upper())
                assert text in same or isinstance(found, Castle)


@pytest.mark.parametrize(
    ("fen", "typed", "uci"),
    [
        (None, "E4", "e2e4"),
        (None, "nf3", "g1f3"),
        (None, "Ng1-f3", "g1f3"),
        (None, "e2 e4", "e2e4"),
        (None, "E2–E4", "e2e4"),
        (None, "“Nf3”", "g1f3"),
        (None, "♘f3", "g1f3"),
        (None, "♙e4", "e2e4"),
        (None, "Nf3!?", "g1f3"),
        (None, "Nf3.", "g1f3"),
        ("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1", "0–0", "e1g1"),
        ("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1", "o-o-o", "e1c1"),
        ("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1", "0—0—0", "e1c1"),
        ("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1", "a8(Q)", "a7a8q"),
        ("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1", "a7-a8=Q", "a7a8q"),
        ("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1", "a8=n", "a7a8n"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4xd5", "e4d5"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "ed5", "e4d5"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "EXD5", "e4d5"),
    ],
)
def test_the_usual_spellings_are_understood(fen, typed, uci):
    position = parse_fen(VARIANTS["chess"], fen) if fen else CHESS
    assert move_typed(position, typed).uci == uci


@pytest.mark.parametrize(
    ("fen", "typed", "why"),
    [
        ("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1", "BC3", "ambiguous"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1", "ambiguous"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "rd1", "unreadable"),
        (None, "Nf4", "illegal"),
        (None, "e5", "illegal"),
        (None, "resign", "unreadable"),
        (None, "bxc3", "illegal"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", "ambiguous"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "ambiguous"),
    ],
)
def test_nothing_is_guessed(fen, typed, why):
    position = parse_fen(VARIANTS["chess"], fen) if fen else CHESS
    with pytest.raises(BadMove) as refused:
        move_typed(position, typed)
    assert refused.value.id == why


def test_near_moves_are_legal_and_like_what_was_typed():
    near = near_moves(CHESS, "Nf4")
    assert "Nf3" in near
    assert set(near) <= {format_san(CHESS, move) for move in legal_moves(CHESS)}
    assert near_moves(CHESS, "zzzzzzzz") == []


@given(st.text(max_size=40))
def test_any_text_is_a_legal_move_or_refused(text):
    try:
        assert move_typed(CHESS, text) in legal_moves(CHESS)
    except BadMove:
        assert isinstance(near_moves(CHESS, text), list)
