"""How much quicker the rules are compiled than in plain Python, move by move and in perft.

    make fast
    python -m tests.bench.compiled_bench

Each build runs in a process of its own, in turns, so that a busy machine slows both alike, and what counts is the time
of the processor. A move is all that `rules_bench` counts as one, but that the position is known, as in a game in play.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from operator import itemgetter
from statistics import mean
from time import process_time

from server.compiled.finding import PLAIN, Build, build_in_use
from server.rules.catalogue import load_catalogue
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.position import Position
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.perft import perft
from server.rules.variant.variant import Variant
from tests.bench.rules_bench import middle_game, our_move
from tests.support.rules.vectors import GAME_FILES, records

TURNS = 3
LEAVES = 50_000
"""The most that are counted in one position, at the deepest recorded depth that has no more."""
Times = dict[str, tuple[float, float]]
"""By variant: seconds of the processor for a move, and for a leaf."""


def seconds_a_move(moves: list[tuple[Position, str]]) -> float:
    fresh = [(parse_fen(one.variant, format_fen(one), one.chess960), text) for one, text in moves]
    for position, _ in fresh:
        legal_moves(position)
    began = process_time()
    for position, text in fresh:
        our_move(position, text)
    return (process_time() - began) / len(fresh)


def seconds_a_leaf(variants: Mapping[str, Variant], name: str) -> float:
    leaves, took = 0, 0.0
    for record in records("perft"):
        if record["variant"] + "960" * record["chess960"] == name:
            depth, known = max((pair for pair in record["perft"].items() if pair[1] <= LEAVES), key=itemgetter(1))
            position = parse_fen(variants[record["variant"]], record["fen"], record["chess960"])
            began = process_time()
            assert perft(position, int(depth)) == known
            took += process_time() - began
            leaves += known
    return took / leaves


def measure() -> Times:
    """The times of this process. The first round of moves makes what is made once for each variant."""
    variants = load_catalogue()
    moves = {name: middle_game(variants, name) for name in GAME_FILES}
    rounds = [{name: seconds_a_move(some) for name, some in moves.items()} for _ in range(4)]
    return {name: (min(one[name] for one in rounds[1:]), seconds_a_leaf(variants, name)) for name in GAME_FILES}


def of_build(plain: bool) -> Times:
    """The times of a process that runs this build."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.compiled_bench", "once"],
        env=os.environ | ({PLAIN: "1"} if plain else {}),
        stdout=subprocess.PIPE,
        check=True,
    )
    return {name: (times[0], times[1]) for name, times in json.loads(done.stdout).items()}


def best(turns: list[Times]) -> Times:
    return {name: (min(one[name][0] for one in turns), min(one[name][1] for one in turns)) for name in turns[0]}


def main() -> None:
    if sys.argv[1:] == ["once"]:
        print(json.dumps(measure()))
        return
    if build_in_use() is not Build.COMPILED:
        sys.exit(f"The rules in use are {build_in_use()}: run `make fast` first.")
    both: tuple[list[Times], list[Times]] = ([], [])
    for _ in range(TURNS):
        for plain in (False, True):
            both[plain].append(of_build(plain))
    compiled, plain_times = map(best, both)
    print("                    a move, us: compiled   plain  ratio | perft, leaves/s: compiled       plain  ratio")
    for name, (move, leaf) in compiled.items():
        plain_move, plain_leaf = plain_times[name]
        print(
            f"{name:20} {move * 1e6:19.1f} {plain_move * 1e6:7.1f} {plain_move / move:5.2f}x |"
            f" {1 / leaf:25,.0f} {1 / plain_leaf:11,.0f} {plain_leaf / leaf:5.2f}x"
        )
    for nth, what in enumerate(("a move", "a leaf")):
        one, other = (mean(times[nth] for times in some.values()) for some in (compiled, plain_times))
        print(f"mean of all: {what} takes {one * 1e6:.2f} us, in plain Python {other * 1e6:.2f}: {other / one:.2f}x")


if __name__ == "__main__":
    main()
