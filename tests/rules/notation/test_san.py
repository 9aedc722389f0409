"""SAN: what is written, and what is read."""

import pytest

from server.rules.errors import AmbiguousMove, IllegalMove, InvalidMove
from server.rules.movegen.legal import play
from server.rules.notation.fen import parse_fen, start_position
from server.rules.notation.san import format_san, parse_san
from server.rules.notation.uci import parse_uci


@pytest.mark.parametrize(
    ("name", "fen", "uci", "san"),
    [
        ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "exd6"),
        ("chess", "1n1k4/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+"),
        ("chess", "4k3/8/8/8/Q6Q/8/8/K6Q w - - 0 1", "h4d4", "Qhd4"),
        ("chess", "4k3/8/8/8/Q6Q/8/8/K6Q w - - 0 1", "h4h2", "Q4h2"),
        ("chess", "4k3/8/8/8/Q6Q/8/8/K6Q w - - 0 1", "h4e4", "Qh4e4+"),
        ("chess", "4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2"),
        ("chess", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("chess", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8", "Ra8#"),
        ("crazyhouse", "7k/5K2/6Q1/8/8/8/8/8[P] w - - 0 1", "P@g7", "P@g7#"),
        ("grand", "1k8/10/10/P9/10/10/10/10/10/RNB1KCABNR w - - 0 1", "a7a8", "a8"),
        ("grand", "1k8/10/10/P9/10/10/10/10/10/RNB1KCABNR w - - 0 1", "a7a8q", "a8=Q"),
        ("seirawan", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R[HEhe] w KQkq - 0 1", "h1e1h", "O-O/Hh1"),
        ("seirawan", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R[HEhe] w KQkq - 0 1", "e1c1e", "O-O-O/Ee1"),
        ("seirawan", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[EHeh] w KQBCDFGkqbcdfg - 0 1", "b1c3h", "Nc3/H"),
        ("shogun", "8/8/3k4/8/N7/8/8/K7[] w - - 0 1", "a4b6+", "Nb6=G"),
        ("shogun", "7k/8/8/F7/8/8/8/K7[] w - - 0 1", "a5b6+", "Fb6=Q"),
        ("shogun", "7k/8/8/3+P4/8/8/8/K7[] w - - 0 1", "d5d6", "Cd6"),
        ("acedrex", "k10g/11R/12/12/12/12/12/12/12/12/12/K11 w - - 0 1", "l11l12", "Rxl12+"),  # a bare king, not mated
        ("acedrex", "k10g/10RR/12/12/12/12/12/12/12/12/12/K11 w - - 0 1", "l11l12", "Rxl12#"),  # bared and mated
        ("acedrex", "2r9/1P10/12/12/12/k11/12/12/12/12/12/K11 w - - 0 1", "b11c12u", "bxc12=U"),
    ],
)
def test_written_and_read_back(variants, name, fen, uci, san):
    position = parse_fen(variants[name], fen)
    move = parse_uci(position, uci)
    assert format_san(position, move) == san
    assert format_san(position, move, play(position, move)) == san
    assert parse_san(position, san) is move


@pytest.mark.parametrize(
    ("name", "fen", "text", "uci"),
    [
        ("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "0-0", "e1g1"),
        ("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "0-0-0+", "e1c1"),
        ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "ed6", "e5d6"),
        ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6 e.p.", "e5d6"),
        ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5e6!?", "e5e6"),
        ("chess", "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8N", "a7a8n"),
        ("chess", "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8=q", "a7a8q"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[PN] w - - 0 1", "@e4", "P@e4"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[PN] w - - 0 1", "N@e4+", "N@e4"),
        ("shogun", "7k/P7/8/8/8/8/8/K7[] w - - 0 1", "a8", "a7a8+"),
        ("grand", "4k5/10/10/10/10/10/10/10/10/4K4R w - - 0 1", "Rj10", "j1j10"),
        ("acedrex", "k10g/11R/12/12/12/12/12/12/12/12/12/K11 w - - 0 1", "Rxl12#", "l11l12"),
    ],
)
def test_read_as_others_write_it(variants, name, fen, text, uci):
    assert parse_san(parse_fen(variants[name], fen), text).uci == uci


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("Nf6", IllegalMove),
        ("O-O", IllegalMove),
        ("Qd4", IllegalMove),
        ("e5", IllegalMove),
        ("P@e4", IllegalMove),
        ("Ze4", IllegalMove),
        ("", InvalidMove),
        ("e", InvalidMove),
        ("N" * 1000, InvalidMove),
        ("O-O-O-O", InvalidMove),
        ("e٤", InvalidMove),
    ],
)
def test_refused(variants, text, error):
    with pytest.raises(error):
        parse_san(start_position(variants["chess"]), text)


def test_a_text_that_fits_two_moves(variants):
    position = parse_fen(variants["chess"], "4k3/8/8/8/8/8/8/R3K2R w - - 0 1")
    with pytest.raises(AmbiguousMove, match="a1d1"):
        parse_san(parse_fen(variants["chess"], "4k3/8/8/8/8/8/4K3/R6R w - - 0 1"), "Rd1")
    assert parse_san(position, "Rd1").uci == "a1d1"


@pytest.mark.parametrize("text", ["e4\n", "Nf3\n", "O-O\n", "\ne4"])
def test_a_line_break_is_no_part_of_a_move(variants, text):
    with pytest.raises(InvalidMove):
        parse_san(start_position(variants["chess"]), text)
