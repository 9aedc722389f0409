"""What variants.ini says of a variant, and which parts of rules it refuses to say."""

import pytest

from server.rules.__main__ import main
from server.rules.catalogue import build_variant
from server.rules.fairy_stockfish import Inexpressible, Part, variants_ini
from server.rules.variant.variant_file import overlay
from tests.support.rules.built_in import VARIANTS

BASE = {
    "name": "Small",
    "tagline": "A small one.",
    "differences": ["One.", "Two."],
    "files": 6,
    "ranks": 6,
    "start": "r1k2r/pppppp/6/6/PPPPPP/R1K2R w - - 0 1",
    "roles": {
        "p": {"name": "pawn", "move": "fmWfceFifmW2", "pawn": True, "initial": [2]},
        "r": {"name": "rook", "move": "R"},
        "k": {"name": "king", "move": "K", "royal": True},
    },
    "promotion": {"p": {"ranks": [6], "forced": [6], "to": ["r"]}},
    "endings": {"stalemate": "draw", "bare_king": False, "move_rule": 100, "repetition": 3, "insufficient": True},
}


def ini(**changes):
    """The lines for the small variant with these changes."""
    return variants_ini(build_variant("small", {"small": overlay(BASE, changes)})).splitlines()


def piece(move, **more):
    return {"roles": {"x": {"name": "x", "move": move, **more}}}


POCKET_FEN = "r1k2r/pppppp/6/6/PPPPPP/R1K2R[] w - - 0 1"
CASTLING = {"king_from": "c", "king_to": ["e", "a"], "rook_to": ["d", "b"], "rook": "r"}


def test_a_whole_section():
    assert ini() == [
        "[our-small]",
        "maxFile = 6",
        "maxRank = 6",
        "startFen = r1k2r/pppppp/6/6/PPPPPP/R1K2R w - - 0 1",
        "pawn = p",
        "rook = r",
        "king = k",
        "doubleStepRegionWhite = *2",
        "doubleStepRegionBlack = *5",
        "promotionRegionWhite = *6",
        "promotionRegionBlack = *1",
        "promotionPieceTypes = r",
        "mandatoryPawnPromotion = true",
        "immobilityIllegal = false",
        "castling = false",
        "stalemateValue = draw",
        "nMoveRule = 50",
        "nFoldRule = 3",
    ]


@pytest.mark.parametrize(
    ("move", "line"),
    [
        ("BN", "archbishop = x"),
        ("NB", "archbishop = x"),
        ("WF", "commoner = x"),
        ("W9", "customPiece1 = x:WW"),
        ("W2F", "customPiece1 = x:FW2"),
        ("fN", "customPiece1 = x:lfrfN"),
        ("sN", "customPiece1 = x:blflbrfrN"),
        ("fFbmW", "customPiece1 = x:lfrfFmbbW"),
        ("mRcB", "customPiece1 = x:cFFmWW"),
        ("NNZ", "customPiece1 = x:NNZ"),
    ],
)
def test_pieces(move, line):
    assert line in ini(**piece(move))


def test_promoted_forms_have_letters_of_their_own():
    shogi = {
        "roles": {"+r": {"name": "dragon", "move": "RF", "san": "D", "captured_as": "r"}},
        "promotion": {"r": {"ranks": [6], "to": ["+r"], "when": "touch", "limits": {"+r": 1}}, "p": {"to": ["+p"]}},
    }
    shogi["roles"]["+p"] = {"name": "gold", "move": "WfF", "san": "G", "captured_as": "p"}
    shogi["promotion"]["p"]["when"] = "touch"
    lines = ini(**shogi)
    assert "bers = a" in lines
    assert "promotedPieceType = p:b r:a" in lines
    assert "promotionLimit = a:1" in lines
    assert "promotionPieceTypes = -" in lines


def test_drops():
    pocket = {"order": "rp", "captures": True, "drops": True, "ranks": {"p": [2, 3, 4, 5]}}
    lines = ini(pocket=pocket, start=POCKET_FEN)
    assert "capturesToHand = true" in lines
    assert "firstRankPawnDrops = false" in lines
    assert "promotionZonePawnDrops = false" in lines


def test_castling():
    lines = ini(castling=CASTLING, start=BASE["start"].replace("w -", "w KQkq"))
    assert "castlingKingsideFile = e" in lines
    assert "castlingRookPieces = r" in lines


def test_goal():
    endings = {"insufficient": False, "goal": {"squares": ["c3"], "ranks": [6]}}
    lines = ini(endings=endings)
    assert "flagPiece = k" in lines
    assert "flagRegionWhite = c3 a6 b6 c6 d6 e6 f6" in lines
    assert "flagRegionBlack = a1 b1 c1 d1 e1 f1 c3" in lines


def test_checks():
    assert "checkCounting = true" in ini(endings={"checks": 3}, start=f"{BASE['start'][:-3]}3+3 0 1")


def test_extinction():
    lines = ini(
        roles={"k": {"royal": False}},
        endings={"insufficient": False, "stalemate": "win", "extinction": {"kinds": "kp"}},
    )
    assert {"commoner = k", "stalemateValue = win", "extinctionValue = loss", "extinctionPieceTypes = kp"} <= set(lines)


def test_restrictions():
    goal = {"squares": ["c3"], "reply": True}
    lines = ini(must_capture=True, may_not_check=True, endings={"insufficient": False, "goal": goal})
    assert {"mustCapture = true", "checking = false", "flagMove = true"} <= set(lines)


def test_bare_king():
    assert "extinctionPieceCount = 1" in ini(endings={"bare_king": True})


def test_the_command_says_all_that_can_be_said(capsys):
    assert main(["ini"]) == 0
    said = capsys.readouterr().out
    for variant in VARIANTS.values():
        assert f"[our-{variant.id}]\n" in said or f"# {variant.id} cannot be said here: board" in said


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"files": 13, "start": "r1k9r/13/13/13/13/R1K9R w - - 0 1"}, Part.BOARD),
        (piece("t[FR]"), Part.PIECES),
        (piece("DD"), Part.PIECES),
        ({"roles": {"p": {"move": "fmFfcW", "initial": []}}}, Part.PIECES),
        ({"roles": {"k": {"move": "KiD", "first_move": "y"}}}, Part.PIECES),
        ({"promotion": {"p": {"by_file": ["r"] * 6}}}, Part.PROMOTION),
        ({"promotion": {"r": {"ranks": [6], "to": ["p"]}}}, Part.PROMOTION),
        ({"promotion": {"p": {"ranks": [4, 5, 6], "forced": [5]}}}, Part.PROMOTION),
        ({**piece("fN"), "promotion": {"p": {"ranks": [5, 6]}}}, Part.PROMOTION),
        ({**piece("cRmfN"), "promotion": {"p": {"ranks": [5, 6]}}}, Part.PROMOTION),
        (
            {
                "roles": {"+r": {"name": "dragon", "move": "RF", "san": "D", "captured_as": "r"}},
                "promotion": {"r": {"ranks": [6], "to": ["+r"], "when": "touch"}},
            },
            Part.PROMOTION,
        ),
        ({"pocket": {"order": "rp", "drops": True, "ranks": {"p": [3]}}, "start": POCKET_FEN}, Part.DROPS),
        (
            {
                **piece("N"),
                "pocket": {"order": "rxp", "drops": True, "ranks": {"p": [2], "r": [2]}},
                "start": POCKET_FEN,
            },
            Part.DROPS,
        ),
        ({"castling": {**CASTLING, "rook_to": ["b", "d"]}}, Part.CASTLING),
        ({"castling": CASTLING, "roles": {"k": {"move": "KD"}}}, Part.CASTLING),
        ({"endings": {"move_rule": 99}}, Part.ENDINGS),
        (
            {"endings": {"bare_king": True}, "pocket": {"order": "r"}, "start": POCKET_FEN},
            Part.ENDINGS,
        ),
        ({**piece("N"), "pocket": {"order": "rx"}, "gates": "x", "start": POCKET_FEN}, Part.GATING),
        (
            {"pocket": {"order": "r", "drops": True, "ranks": {"r": [2, 3]}}, "gates": "r", "start": POCKET_FEN},
            Part.GATING,
        ),
    ],
)
def test_what_cannot_be_said(changes, part):
    with pytest.raises(Inexpressible) as refused:
        ini(**changes)
    assert refused.value.part is part
