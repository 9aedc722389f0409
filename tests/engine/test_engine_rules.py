"""The engine's rules are those of the server: the same perft, and the same games at random, written in the same way.

More and other games: `pytest tests/engine --seed N --plies N`; every recorded depth: `--deep`; more variants: `--full`.
"""

import random
from collections import Counter
from itertools import groupby

import pytest

from server.rules.endings import outcome
from server.rules.errors import InvalidFen
from server.rules.json_lines import Question, judge
from server.rules.movegen.legal import legal_moves, perft, play, repetition_key
from server.rules.notation.fen import format_fen, parse_fen, shuffled_fen
from server.rules.notation.uci import parse_uci
from server.rules.variant.rule_data import rule_data
from tests.support.engine.random_variants import random_variant
from tests.support.engine.rules import EngineRules
from tests.support.rules.built_in import EVERY_VARIANT
from tests.support.rules.vectors import records

SHALLOW = 40_000
"""Leaves counted for one position without `--deep`."""
AT_ONCE = 2_500
"""Leaves of a random position that are counted two plies deep."""
EACH = 0.1
"""The share of a random game's positions that is counted."""
FORMS = [
    pytest.param(variant.id, chess960, id=f"{variant.id}960" if chess960 else variant.id)
    for variant in EVERY_VARIANT.values()
    for chess960 in ((False, True) if variant.chess960 else (False,))
]


@pytest.mark.parametrize("record", [*records("perft"), *records("unoffered/perft")], ids=lambda record: record["id"])
def test_perft(engine_rules, record, deep):
    for depth, leaves in record["perft"].items():
        if deep or leaves <= SHALLOW:
            question = {key: record[key] for key in ("variant", "chess960", "fen")}
            assert engine_rules.ask(**question, perft=int(depth)) == leaves


def random_line(variant, chess960, rng, plies):
    """A start position, and moves from there until the game ends; captures and promotions more often than others."""
    start = shuffled_fen(variant, rng) if chess960 else variant.start_fen
    position, moves = parse_fen(variant, start, chess960), []
    seen = Counter([repetition_key(position)])
    while len(moves) < plies and outcome(position, seen[repetition_key(position)]) is None:
        times = Counter(move.uci for move in legal_moves(position))
        # A made-up king may step where it could castle to: then nobody can say which is meant.
        legal = [move for move in legal_moves(position) if times[move.uci] == 1]
        if not legal:
            break
        move = max(rng.choices(legal, k=2), key=lambda one: (len(one.uci), position.board[one.target] > 0))
        moves.append(move.uci)
        position = play(position, move)
        seen[repetition_key(position)] += 1
    return start, moves


def assert_same_game(engine_rules, variant, chess960, start, moves, *, written=True):
    """`written`: also in SAN, for which a made-up variant has no letters, and some picked positions make no sense."""
    ours = judge(Question(variant, chess960, start, tuple(moves)))
    theirs = engine_rules.ask(variant=variant.id, chess960=chess960, fen=start, moves=moves)
    first = format_fen(parse_fen(variant, start, chess960))
    assert theirs.pop("undone") == {"fen": first, "sameHash": True}
    for ply in range(len(moves) + 1):
        where = f"{start} {' '.join(moves[:ply])}"
        assert theirs["legal"][ply] == ours["legal"][ply], where
        if ply:
            assert theirs["fens"][ply - 1] == ours["fens"][ply - 1], where
            assert theirs["checks"][ply - 1] == ours["checks"][ply - 1], where
    assert theirs["outcome"] == theirs["ended"] == ours["outcome"], f"{start} {' '.join(moves)}"
    if written:
        assert theirs["sans"] == ours["sans"], f"{start} {' '.join(moves)}"


@pytest.mark.parametrize(("name", "chess960"), FORMS)
def test_random_games(engine_rules, name, chess960, seed, plies):
    rng = random.Random(f"{seed} {name} {chess960} engine")
    for _ in range(2):
        start, moves = random_line(EVERY_VARIANT[name], chess960, rng, plies * 3)
        assert_same_game(engine_rules, EVERY_VARIANT[name], chess960, start, moves)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "chess960"), FORMS)
def test_perft_of_random_positions(engine_rules, name, chess960, seed, scale, plies):
    """A thousand positions of random games with --full; two plies deep where that is soon counted, else one."""
    variant = EVERY_VARIANT[name]
    rng = random.Random(f"{seed} {name} {chess960} perft")
    left = scale(1_000)
    while left > 0:
        start, moves = random_line(variant, chess960, rng, plies * 3)
        position = parse_fen(variant, start, chess960)
        for uci in moves:
            position = play(position, parse_uci(position, uci))
            if rng.random() > EACH:
                continue
            depth = 2 if len(legal_moves(position)) ** 2 < AT_ONCE else 1
            fen = format_fen(position)
            theirs = engine_rules.ask(variant=name, chess960=chess960, fen=fen, perft=depth)
            assert theirs == perft(position, depth), f"{fen} {depth}"
            left -= 1


def test_the_same_positions_count_as_repeated(engine_rules):
    """The pawn on h5 may not be taken en passant, so it has stood there three times."""
    fen = "6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1"
    moves = ["h7h5", "e6h6", "g7h7", "h6e6", "h7g7", "e6h6", "g7h7", "h6e6", "h7g7"]
    assert_same_game(engine_rules, EVERY_VARIANT["chess"], False, fen, moves)
    assert_same_game(engine_rules, EVERY_VARIANT["chess"], False, fen, moves[:-4])


@pytest.mark.parametrize("name", EVERY_VARIANT)
def test_picked_positions(engine_rules, name):
    """En passant, castling, gating and the like at their edges, and positions in which the game is over."""
    for record in (*records("positions"), *records("unoffered/positions")):
        if record["variant"] == name:
            position = parse_fen(EVERY_VARIANT[name], record["fen"], record["chess960"])
            fen = format_fen(position)
            assert_same_game(engine_rules, EVERY_VARIANT[name], record["chess960"], fen, (), written=False)
            for move in legal_moves(position)[:3]:
                assert_same_game(engine_rules, EVERY_VARIANT[name], record["chess960"], fen, (move.uci,), written=False)


def few_pieces(variant, rng):
    """A random FEN, which may be impossible: kings, and up to four other pieces, as many weak ones as any."""
    others = [role.id for role in variant.roles if not role.royal]
    weak = [role.id for role in variant.roles if not (role.royal or role.mates)] or others
    cases = (str.upper, str.lower)
    pieces = [rng.choice(cases)(rng.choice(rng.choice((weak, others)))) for _ in range(rng.randrange(5))]
    pieces += [case(variant.king) for case, missing in zip(cases, variant.kingless, strict=True) if not missing]
    squares = [""] * (variant.files * variant.ranks)
    for at, piece in zip(rng.sample(range(len(squares)), len(pieces)), pieces, strict=True):
        squares[at] = piece
    rows = [squares[at : at + variant.files] for at in range(0, len(squares), variant.files)]
    board = "/".join(
        "".join(str(len([*run])) if empty else "".join(run) for empty, run in groupby(row, "".__eq__)) for row in rows
    )
    return f"{board}{'[]' if variant.pocket else ''} {rng.choice('wb')} - - 0 1"


@pytest.mark.parametrize("name", EVERY_VARIANT)
def test_the_same_material_is_too_little(engine_rules, name, seed):
    variant, rng, ends = EVERY_VARIANT[name], random.Random(f"{seed} {name} material"), Counter()
    for _ in range(150):
        fen = few_pieces(variant, rng)
        try:
            end = outcome(parse_fen(variant, fen))
        except InvalidFen:
            continue
        assert_same_game(engine_rules, variant, False, fen, (), written=False)
        ends[end and end.reason] += 1
    assert bool(ends["insufficient"]) is variant.endings.insufficient
    assert ends.total() > 40


@pytest.mark.slow
def test_made_up_variants(seed, scale, plies):
    """Rules that no variant has yet: the data says them, and so does a host's file."""
    rng = random.Random(f"{seed} made-up")
    for number in range(scale(200)):
        variant = random_variant(rng)
        with EngineRules([variant]) as engine_rules:
            start, moves = random_line(variant, False, rng, plies * 2)
            try:
                assert_same_game(engine_rules, variant, False, start, moves, written=False)
            except AssertionError as error:
                raise AssertionError(f"variant {number} of seed {seed}: {rule_data(variant)}") from error
