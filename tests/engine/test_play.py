"""How the engine plays: it finds what can be forced, knows what wins and loses, and never plays what is not legal."""

import pytest

from server.rules.endings import Reason, outcome
from server.rules.movegen.legal import legal_ucis
from server.rules.notation.fen import parse_fen, start_position
from tests.support.rules.boards import after
from tests.support.rules.built_in import VARIANTS

pytestmark = pytest.mark.slow


def think(engine, position_of, moves, limits, fen="startpos"):
    place = fen if fen == "startpos" else f"fen {fen}"
    complaints = engine.ask(
        f"setoption name UCI_Variant value {position_of}", f"position {place} moves {' '.join(moves)}"
    )
    assert complaints == []
    return engine.go(limits)


@pytest.mark.parametrize(
    ("variant", "fen", "moves"),
    [
        ("chess", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", 1),
        ("chess", "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
        ("chess", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("crazyhouse", "6rk/6pp/8/8/8/8/6PP/6K1[N] w - - 0 1", 1),
        ("grandhouse", "r6rkr/7ppp/10/10/10/10/10/10/10/1K8[N] w - - 0 1", 1),
        ("shogun", "7k/5+p2/6+N1/8/8/8/8/K6R[RR] w - - 0 1", 1),
    ],
)
def test_a_forced_mate_is_found(engine, variant, fen, moves):
    answer = think(engine, variant, (), "depth 7", fen)
    assert 1 <= answer.last("mate") <= moves


def test_stalemate_wins_where_the_stalemated_side_loses(engine):
    fen = "k11/6R5/5C6/12/12/12/12/7p4/7P4/12/12/6K5 w - - 0 1"
    answer = think(engine, "acedrex", (), "depth 4", fen)
    end = outcome(after(parse_fen(VARIANTS["acedrex"], fen), answer.move))
    assert answer.last("mate") == 1
    assert (end.reason, end.result) == (Reason.STALEMATE, "1-0")


def test_stalemate_is_shunned_where_it_draws(engine):
    """The queen could leave the bare king without a move at once; to mate, she needs her own."""
    assert think(engine, "chess", (), "depth 6", "7k/8/4K3/8/8/8/6Q1/8 w - - 0 1").last("mate") == 2


def test_the_last_man_is_taken_where_a_bare_king_loses(engine):
    fen = "k11/12/12/12/12/12/7p4/12/12/7L4/12/6K5 w - - 0 1"
    answer = think(engine, "acedrex", (), "depth 1", fen)
    assert (answer.move, answer.last("mate")) == ("h3h6", 1)


def test_what_repeats_a_position_is_a_draw(engine):
    """White has lost, but for the queen that checks on e8 and h5 for ever."""
    fen = "6k1/6p1/5p2/7Q/8/8/qr4PP/7K w - - 0 1"
    assert think(engine, "chess", (), "depth 8", fen).last("cp") == 0


@pytest.mark.parametrize("name", VARIANTS)
def test_it_never_plays_what_is_not_legal(engine, name):
    position, moves = start_position(VARIANTS[name]), []
    engine.ask(f"setoption name UCI_Variant value {name}", "ucinewgame")
    for ply in range(24):
        legal = legal_ucis(position)
        if not legal:
            break
        # Few nodes, and not always the same number, so that searches are cut off anywhere.
        assert engine.ask(f"position startpos moves {' '.join(moves)}") == []
        move = engine.go(f"nodes {30 + 37 * (ply % 9)}").move
        assert move in legal, f"{name} {' '.join(moves)}"
        moves.append(move)
        position = after(position, move)
