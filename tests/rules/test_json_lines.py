"""The judge's contract, and its command line."""

import io
import json
import subprocess
import sys

import pytest

from server.rules.json_lines import MAX_LINE, MAX_MOVES, answer_line, serve_lines
from tests.support.rules.vectors import records

FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]


@pytest.fixture
def ask(variants):
    def ask(question=None, **fields):
        return answer_line(json.dumps(fields if question is None else question).encode(), variants)

    return ask


def test_a_whole_game(ask):
    answer = ask(variant="chess", moves=FOOLS_MATE)
    assert answer["sans"] == ["f3", "e5", "g4", "Qh4#"]
    assert answer["checks"] == [False, False, False, True]
    assert answer["fens"][0] == "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1"
    assert [len(ucis) for ucis in answer["legal"]] == [20, 20, 19, 30, 0]
    assert all(ucis == sorted(ucis) for ucis in answer["legal"])
    assert answer["outcome"] == {"result": "0-1", "reason": "checkmate"}
    assert answer.keys() == {"fens", "sans", "checks", "legal", "outcome"}


def test_no_moves_describe_the_start_position(ask, variants):
    for name, variant in variants.items():
        answer = ask(variant=name)
        assert (answer["fens"], answer["sans"], answer["checks"], answer["outcome"]) == ([], [], [], None)
        assert answer["legal"] == ask(variant=name, fen=variant.start_fen)["legal"]


def test_the_first_bad_move_is_named_by_its_index(ask):
    for bad in ("e2e4", "rubbish", "", "e7e5q"):
        answer = ask(variant="chess", moves=["e2e4", "e7e5", bad, "a2a3"])
        assert (answer["error"], answer["ply"]) == ("IllegalMove", 2)
        assert answer["message"]


def test_no_move_follows_mate(ask):
    answer = ask(variant="chess", moves=[*FOOLS_MATE, "a2a3"])
    assert (answer["error"], answer["ply"]) == ("IllegalMove", 4)


def test_a_repetition_ends_the_line_but_does_not_stop_it(ask):
    there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"]
    assert ask(variant="chess", moves=there_and_back)["outcome"] is None
    assert ask(variant="chess", moves=there_and_back * 2)["outcome"] == {"result": "1/2-1/2", "reason": "repetition"}
    assert ask(variant="chess", moves=[*there_and_back * 2, "e2e4"])["outcome"] is None


@pytest.mark.parametrize(
    ("question", "error"),
    [
        ([], "BadLine"),
        ("chess", "BadLine"),
        (None, "BadLine"),
        ({}, "BadLine"),
        ({"variant": 7}, "BadLine"),
        ({"variant": ["chess"]}, "BadLine"),
        ({"variant": "chess", "chess960": 1}, "BadLine"),
        ({"variant": "chess", "chess960": None}, "BadLine"),
        ({"variant": "chess", "fen": None}, "BadLine"),
        ({"variant": "chess", "moves": "e2e4"}, "BadLine"),
        ({"variant": "chess", "moves": ["e2e4", None]}, "BadLine"),
        ({"variant": "chess", "moves": ["e2e4"] * (MAX_MOVES + 1)}, "BadLine"),
        ({"variant": "chess", "move": ["e2e4"]}, "BadLine"),
        ({"variant": ""}, "UnknownVariant"),
        ({"variant": "Chess"}, "UnknownVariant"),
        ({"variant": "no such game"}, "UnknownVariant"),
        ({"variant": "grand", "chess960": True}, "UnknownVariant"),
        ({"variant": "chess", "fen": ""}, "InvalidFen"),
        ({"variant": "chess", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "InvalidFen"),
        ({"variant": "chess", "fen": "\ud800"}, "InvalidFen"),
    ],
)
def test_questions_that_cannot_be_answered(variants, question, error):
    answer = answer_line(json.dumps(question).encode(), variants)
    assert answer["error"] == error
    assert answer.keys() == {"error", "message"}
    assert len(answer["message"]) <= 300


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"{",
        b"\xff\xfe",
        b'{"variant": "ch\xe9ss"}',
        b'{"variant": NaN}',
        b'{"variant": "chess", "moves": [Infinity]}',
        b"[" * 200_000,
        b'{"variant": "chess", "fen": ' + b'{"a":' * 50_000,
        b'{"variant": "chess", "chess960": ' + b"9" * 10_000 + b"}",
        b"\x00",
        None,
    ],
)
def test_lines_that_are_not_questions_are_refused(variants, line):
    assert answer_line(line, variants)["error"] == "BadLine"


def test_every_line_gets_one_answer_in_order(variants):
    lines = [b'{"variant": "chess"}', b"", b"x" * (MAX_LINE + 1), b'{"variant": "chess"}\r', b" " * MAX_LINE, b"\xff"]
    answers = io.BytesIO()
    serve_lines(io.BytesIO(b"\n".join(lines)), answers, variants)
    errors = [json.loads(line).get("error") for line in answers.getvalue().splitlines()]
    assert errors == [None, "BadLine", "BadLine", None, "BadLine", "BadLine"]


def run(*arguments, feed=b""):
    return subprocess.run(
        [sys.executable, "-m", "server.rules", *arguments], input=feed, capture_output=True, check=False
    )


@pytest.mark.slow
def test_the_judge_runs_as_a_program():
    game = records("grandhouse")[0]
    question = {"variant": game["variant"], "fen": game["start_fen"], "moves": game["moves"][:30]}
    done = run("judge", feed=b"nonsense\n" + json.dumps(question).encode() + b"\n")
    refusal, answer = map(json.loads, done.stdout.splitlines())
    assert refusal["error"] == "BadLine"
    assert answer["sans"] == game["sans"][:30]
    assert [len(ucis) for ucis in answer["legal"]] == game["legal_counts"][:31]


@pytest.mark.slow
def test_perft_runs_as_a_program():
    done = run("perft", "chess", "3", "--divide")
    assert done.stdout.splitlines()[-1] == b"8902"
    assert b"e2e4: 600" in done.stdout
    assert run("perft", "no such game", "1").returncode == 2
    assert run("perft", "chess", "0").returncode == 2
    assert b"Traceback" not in run("perft", "chess", "1", "--fen", "rubbish").stderr


@pytest.mark.slow
def test_a_host_can_add_variants(tmp_path):
    (tmp_path / "knightmate.toml").write_text(
        """
        parent = "chess"
        name = "Mate the knight"
        tagline = "Kings and knights change places."
        differences = ["The royal piece moves as a knight.", "The knights of the first rank are replaced by wazirs."]
        start = "rwbqkbwr/pppppppp/8/8/8/8/PPPPPPPP/RWBQKBWR w KQkq - 0 1"
        chess960 = false
        [roles]
        n = false
        k = { name = "royal knight", move = "N", royal = true }
        w = { name = "wazir", move = "W" }
        [promotion.p]
        to = ["q", "r", "b", "w"]
        """
    )
    question = b'{"variant": "knightmate", "moves": ["e1f3", "d7d6"]}\n'
    answer = json.loads(run("judge", "--variants", str(tmp_path), feed=question).stdout)
    assert answer["sans"] == ["Kf3", "d6"]
    assert run("perft", "knightmate", "1", "--variants", str(tmp_path)).stdout == b"18\n"


@pytest.mark.slow
def test_a_host_is_told_what_is_wrong_with_their_file(tmp_path):
    (tmp_path / "mine.toml").write_text("")
    refused = run("variants", "--variants", str(tmp_path))
    assert (refused.returncode, b"mine.toml" in refused.stderr) == (2, True)


@pytest.mark.slow
def test_variants_are_listed(variants):
    listed = run("variants").stdout.decode()
    assert all(variant.start_fen in listed for variant in variants.values())
