"""Betza texts, and the pieces they make on a board."""

import pytest

from server.rules.variant.movement import Mode, parse_betza
from tests.support.rules.boards import draw, targets


@pytest.mark.parametrize(
    ("text", "steps"),
    [("N", 8), ("W", 4), ("HC", 12), ("Z", 8), ("K", 8), ("fW", 1), ("bF", 2), ("sW", 2), ("vW", 2), ("fN", 2)],
)
def test_number_of_steps(text, steps):
    assert sum(len(atom.steps) for atom in parse_betza(text)) == steps


@pytest.mark.parametrize(("text", "limit"), [("R", 0), ("W", 1), ("W3", 3), ("NN", 0), ("N0", 0), ("K", 1)])
def test_how_often_a_step_repeats(text, limit):
    assert {atom.limit for atom in parse_betza(text)} == {limit}


def test_a_pawn():
    push, take, double = parse_betza("fmWfceFifmW2")
    assert (push.steps, push.mode) == (((0, 1),), Mode.MOVE)
    assert (take.steps, take.mode, take.en_passant) == (((-1, 1), (1, 1)), Mode.CAPTURE, True)
    assert (double.limit, double.initial) == (2, True)


@pytest.mark.parametrize("text", ["fmWfceFifmW2", "t[FR]", "t[NB]", "KiDiA"])
def test_mirrored_twice_is_the_same(text):
    for atom in parse_betza(text):
        assert atom.mirrored().mirrored() == atom


@pytest.mark.parametrize("text", ["", "X", "mcW", "meF", "N-", "t[FX]", "t[QR]", "mt[FR]", "W333", "n"])
def test_what_cannot_be_read(text):
    with pytest.raises(ValueError, match=r"movement|atom|exclude|capture|bent"):
        parse_betza(text)


@pytest.mark.parametrize(("letter", "number"), [("A", 40), ("U", 36), ("C", 21), ("L", 12), ("G", 8)])
def test_reach_on_an_empty_board(variants, letter, number):
    board = ".r.k........\n" + "............\n" * 5 + f".....{letter}......\n...\n..K........."
    assert len(targets(draw(variants["acedrex"], board), "f6")) == number


def test_a_bent_rider_stops_behind_no_piece(variants):
    """The own pawn on e7 closes both arms of the aanca there; the enemy on g7 can be taken but not passed."""
    position = draw(
        variants["acedrex"],
        """
        k...........
        ............
        ............
        ............
        ............
        ....P.p.....
        .....A......
        ............
        ............
        ............
        ............
        ...........K
        """,
    )
    reached = targets(position, "f6")
    assert "g7" in reached
    assert reached.isdisjoint({"e7", "d7", "e8", "h7", "g8"})
    assert {"e5", "e4", "e1", "d5", "a5", "g5", "l5", "g1"} <= reached


def test_neighbours_do_not_block_a_bent_rider(variants):
    position = draw(
        variants["acedrex"],
        """
        k.r.........
        ...
        .....P......
        ....PAP.....
        .....P......
        ............
        ............
        ............
        ...........K
        """,
    )
    assert {"e7", "e12", "a7", "l7", "l5", "e2"} <= targets(position, "f6")
