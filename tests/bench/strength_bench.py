"""How strong the engine is: each level against the one below, the lowest against a beginner, and the highest against
another program.

    python -m tests.bench.strength_bench [--games N] [--others N]

Each match ends as soon as a sequential test knows whether a level scores what it should, or after N games. Every
opening is a few random moves, played with both colours, so that the games differ; the levels' games are the same in
each run. Against Fairy-Stockfish, at its Elo of 1,500 and one second a move, level 8 plays by its number of nodes.
Fairy-Max, which Debian has as well, plays no variant of ours by the same rules, so it is no yardstick.
"""

import argparse
import json
import shutil
import subprocess
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from time import perf_counter

from server.rules.variant.rule_data import rule_data
from tests.support.engine.contest import Contestant, scores
from tests.support.engine.sequential import Match
from tests.support.engine.uci import Engine
from tests.support.rules.built_in import VARIANTS

MATCHES = Path(__file__).parents[1] / "support/engine/match.mjs"
MIXED = ("chess", "crazyhouse", "grandhouse", "seirawan", "shogun", "acedrex")
HIGHEST = 8
BEGINNER = 0
"""The level of whoever sees what hangs and no further: tests/support/engine/beginner.mjs."""
ROUND = 2
"""Games of one variant before the next one is played."""


def level_games(level: int, other: int, most: int) -> Iterator[float]:
    """What that level scores against the other, by turns in each variant."""
    for nth in range(-(-most // (ROUND * len(MIXED)))):
        for name in MIXED:
            question = {"variant": rule_data(VARIANTS[name]), "levels": [level, other]}
            question |= {"games": ROUND, "plies": 160, "seed": 100 + nth}
            done = subprocess.run(
                ["node", MATCHES], input=json.dumps(question), capture_output=True, text=True, check=True
            )
            yield from json.loads(done.stdout)["scores"]


def told(name: str, match: Match, began: float) -> None:
    verdict = {True: "yes", False: "no", None: "not sure"}[match.verdict]
    share = f"{100 * match.share:3.0f} % ± {100 * match.margin:.0f}"
    print(
        f"{name:34} {match.games:3} games  {share:13}  {match.much:.0%} rather than {match.little:.0%}: {verdict:8}"
        f"  {perf_counter() - began:4.0f} s",
        flush=True,
    )


def bench_levels(most: int) -> None:
    for level in range(2, HIGHEST + 1):
        began = perf_counter()
        told(
            f"level {level} against level {level - 1}",
            Match(0.5, 0.65).take(islice(level_games(level, level - 1, most), most)),
            began,
        )


def bench_beginner(most: int) -> None:
    began = perf_counter()
    match = Match(0.35, 0.5).take(islice(level_games(1, BEGINNER, most), most))
    told("level 1 against a beginner", match, began)


def bench_against_others(most: int) -> None:
    program = shutil.which("fairy-stockfish", path="/usr/games:/usr/local/bin:/usr/bin")
    if program is None:
        print("No fairy-stockfish is here: no game against another program was played.")
        return
    for name in ("chess", "crazyhouse"):
        began = perf_counter()
        with Engine() as ours, Engine(program) as theirs:
            ours.ask(
                f"setoption name UCI_Variant value {name}",
                f"setoption name Level value {HIGHEST}",
                "setoption name Seed value 1",
            )
            theirs.ask(
                f"setoption name UCI_Variant value {name}",
                "setoption name UCI_LimitStrength value true",
                "setoption name UCI_Elo value 1500",
            )
            games = scores(VARIANTS[name], Contestant(ours, ""), Contestant(theirs, "movetime 1000"))
            told(f"{name}: level {HIGHEST}, Fairy-Stockfish 1500", Match(0.15, 0.3).take(islice(games, most)), began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=96, help="the most games of a match of levels")
    parser.add_argument("--others", type=int, default=20, help="the most games against another program, a variant")
    arguments = parser.parse_args()
    bench_beginner(arguments.games)
    bench_levels(arguments.games)
    bench_against_others(arguments.others)


if __name__ == "__main__":
    main()
