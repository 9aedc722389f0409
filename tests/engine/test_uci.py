"""The engine as a program that speaks UCI."""

import re

import pytest

from server.rules.movegen.legal import divide, legal_moves
from server.rules.notation.fen import format_fen, start_position
from tests.support.engine.uci import Engine
from tests.support.rules.boards import after
from tests.support.rules.built_in import EVERY_VARIANT, VARIANTS

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def fresh(engine):
    engine.ask("setoption name UCI_Variant value chess", "setoption name UCI_Chess960 value false")


def test_it_introduces_itself_with_every_variant(engine):
    engine.say("uci")
    lines = engine.read_until("uciok")
    assert lines[0].startswith("id name")
    assert (
        f"option name UCI_Variant type combo default chess {' '.join(f'var {name}' for name in EVERY_VARIANT)}" in lines
    )


@pytest.mark.parametrize("name", VARIANTS)
def test_perft_by_first_move(engine, name):
    engine.say(f"setoption name UCI_Variant value {name}", "position startpos", "go perft 2")
    *counts, _, total = engine.read_until("Nodes searched")
    expected = divide(start_position(VARIANTS[name]), 2)
    assert counts == [f"{uci}: {leaves}" for uci, leaves in expected.items()]
    assert total == f"Nodes searched: {sum(expected.values())}"


def test_a_position_is_set_up_by_fen_and_moves(engine):
    reached = after(start_position(VARIANTS["crazyhouse"]), "e2e4", "d7d5", "e4d5", "d8d5")
    fen = format_fen(after(start_position(VARIANTS["crazyhouse"]), "e2e4", "d7d5"))
    engine.say("setoption name UCI_Variant value crazyhouse", f"position fen {fen} moves e4d5 d8d5", "d")
    assert engine.read_until("Fen") == [f"Fen: {format_fen(reached)}"]


def test_chess960_castling_names_the_rook(engine):
    fen = "1k1r4/8/8/8/8/8/8/RK6 w Ad - 0 1"
    assert engine.ask("setoption name UCI_Chess960 value true", f"position fen {fen}") == []
    engine.say("go perft 1")
    assert "b1a1: 1" in engine.read_until("Nodes")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("position startpos moves e2e5", "e2e5 is not legal"),
        ("position fen nonsense", "a FEN has six fields"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("setoption name UCI_Variant value checkers", 'there is no option "UCI_Variant" with the value "checkers"'),
        ("setoption name MultiPV value 6", 'there is no option "MultiPV" with the value "6"'),
        ("setoption name Seed value -1", 'there is no option "Seed"'),
        ("castle please", '"castle" is no command'),
    ],
)
def test_what_it_cannot_do_is_said_and_it_goes_on(engine, said, answer):
    (line,) = engine.ask(said)
    assert line.startswith("info string")
    assert answer in line
    assert engine.ask("position startpos") == []
    assert engine.go("depth 1").move != "(none)"


@pytest.mark.parametrize("name", VARIANTS)
def test_a_fen_with_too_few_fields_is_told_how_many_there_are(engine, name):
    engine.ask(f"setoption name UCI_Variant value {name}")
    (line,) = engine.ask("position fen nonsense")
    assert ("a seventh for the checks" in line) is bool(VARIANTS[name].endings.checks)
    engine.ask("setoption name UCI_Variant value chess")


@pytest.mark.parametrize("limits", ["depth 0", "depth -3", "nodes 0", "mate 0", "mate -1", "movetime 0", "wtime -5"])
def test_it_has_a_move_whatever_it_is_allowed(engine, limits):
    engine.ask("position startpos")
    assert engine.go(limits).move in (move.uci for move in legal_moves(start_position(VARIANTS["chess"])))


def test_a_fen_may_end_behind_the_side_to_move(engine):
    assert engine.ask("position fen 4k3/8/8/8/8/8/8/4K3 b") == []
    engine.say("d")
    assert engine.read_until("Fen") == ["Fen: 4k3/8/8/8/8/8/8/4K3 b - - 0 1"]


def test_it_has_no_move_without_a_position_or_when_the_game_is_over(engine):
    engine.ask("position startpos moves e2e5")
    assert engine.go("depth 1").move == "(none)"
    engine.ask("position startpos moves f2f3 e7e5 g2g4 d8h4")
    assert engine.go("depth 1").move == "(none)"


def test_a_mate_is_looked_for_and_only_in_the_moves_that_are_named(engine):
    engine.say("position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1", "go mate 2")
    lines = engine.read_until("bestmove")
    assert any(" mate 2 " in line for line in lines)
    assert "ponder" not in lines[-1]
    engine.say("position startpos", "go mate 1")
    assert engine.read_until("bestmove")
    engine.say("go searchmoves a2a3 h2h3 depth 3")
    assert engine.read_until("bestmove")[-1] in ("bestmove a2a3", "bestmove h2h3")


def test_it_stops_when_told_to(engine):
    engine.say("position startpos", "go infinite")
    engine.read_until("info depth 2")
    engine.say("isready", "stop")
    lines = engine.read_until("bestmove")
    assert "readyok" in lines
    assert lines[-1].split()[1] != "(none)"


def test_it_tells_of_several_lines(engine):
    engine.ask("setoption name MultiPV value 3", "position startpos")
    answer = engine.go("depth 3")
    engine.ask("setoption name MultiPV value 1")
    told = [
        re.search(r"depth (\d+) .*multipv (\d) score cp -?\d+ nodes \d+ nps \d+ .*pv (\S+)", line)
        for line in answer.infos
    ]
    assert [(one[1], one[2]) for one in told if one] == [
        (str(plies), str(rank)) for plies in (1, 2, 3) for rank in (1, 2, 3)
    ]
    assert len({one[3] for one in told[-3:] if one}) == 3
    assert answer.move == told[-3][3]


def test_a_level_plays_the_same_with_the_same_seed(engine):
    def played(seed):
        moves = []
        engine.ask("setoption name Level value 3", f"setoption name Seed value {seed}", "ucinewgame")
        for _ in range(5):
            assert engine.ask(f"position startpos moves {' '.join(moves)}") == []
            moves.append(engine.go("").move)
        return tuple(moves)

    games = [played(seed) for seed in (1, 2, 3, 4, 1)]
    engine.ask("setoption name Level value 0")
    assert games[0] == games[-1]
    assert len(set(games)) > 2


def test_even_what_it_has_solved_waits_for_stop(engine):
    engine.say("position fen 7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "go infinite")
    engine.read_until("info depth 1 ")
    said = [line for _ in range(300) for line in engine.ask()]
    assert not any(line.startswith("bestmove") for line in said)
    engine.say("stop")
    assert engine.read_until("bestmove")[-1].split()[1] == "f1f8"


def test_it_keeps_to_a_number_of_nodes_and_to_a_depth(engine):
    engine.ask("ucinewgame", "position startpos")
    assert engine.go("nodes 3000").last("nodes") <= 3000
    assert engine.go("depth 3").last("depth") == 3


@pytest.mark.parametrize("limits", ["depth 4", "infinite"])
def test_what_a_pipe_asked_is_answered_after_it_has_closed(limits):
    engine = Engine()
    engine.say("position startpos", f"go {limits}")
    engine.hang_up()
    assert engine.read_until("bestmove")
    assert engine.wait() == 0


def test_a_hosts_own_variant_is_played(tmp_path):
    text = (
        'parent = "chess"\nname = "Knightly"\ntagline = "Knights."\ndifferences = ["One.", "Two."]\nchess960 = false\n'
    )
    text += 'start = "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w - - 0 1"\ncastling = false\n'
    (tmp_path / "knightly.toml").write_text(text)
    with Engine(FAIRYHOUSE_VARIANTS_DIR=str(tmp_path)) as engine:
        engine.ask("setoption name UCI_Variant value knightly", "position startpos")
        engine.say("go perft 1")
        assert engine.read_until("Nodes")[-1] == "Nodes searched: 28"
