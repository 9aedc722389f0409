"""How strong the engine is: each level against the one below, the lowest against a beginner, and the highest against
another program.

    python -m tests.engine.strength [--games N] [--others N] [--all] [--only MATCH …]

Each match ends as soon as a sequential test knows whether a level scores what it should, or after N games. Every
opening is a few random moves, played with both colours, so that the games differ; the levels' games are the same in
each run. With --all no match ends before N games. Against Fairy-Stockfish, at its Elo of 1,500 and one second a move,
level 8 plays by its number of nodes. That second is counted in nodes, too, so that a busy machine makes no weaker
opponent: as many as Fairy-Stockfish looks at in a second of processor time, which is measured at the start.
Fairy-Max, which Debian has as well, plays no variant of ours by the same rules, so it is no yardstick.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
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
YARDSTICKS = ("chess", "crazyhouse")
MATCHED = ("beginner", "levels", *YARDSTICKS)
HIGHEST = 8
BEGINNER = 0
"""The level of whoever sees what hangs and no further: tests/support/engine/beginner.mjs."""
SAMPLE = 500_000
"""Nodes for which its speed is measured."""
DIGITS = 10_000
LIMITED = ("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1500")
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


def nodes_a_second(program: str, name: str) -> int:
    """As many as that program looks at in a second of a processor that it has for itself, in round numbers."""
    before = _processor_s()
    with Engine(program) as engine:
        engine.ask(f"setoption name UCI_Variant value {name}", *LIMITED)
        seen = [engine.go(f"nodes {SAMPLE}").last("nodes") for _ in range(3) if not engine.ask("ucinewgame")]
    speed = sum(seen) / (_processor_s() - before)
    return round(speed / DIGITS) * DIGITS


def _processor_s() -> float:
    """What the programs that have ended have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def told(name: str, match: Match, began: float) -> None:
    verdict = {True: "yes", False: "no", None: "not sure"}[match.verdict]
    share = f"{100 * match.share:3.0f} % ± {100 * match.margin:.0f}"
    print(
        f"{name:34} {match.games:3} games  {share:13}  {match.much:.0%} rather than {match.little:.0%}: {verdict:8}"
        f"  {perf_counter() - began:4.0f} s",
        flush=True,
    )


def taken(match: Match, games: Iterator[float], most: int, whole: bool) -> Match:
    """As many games as it takes to be sure, or all of them."""
    for score in islice(games, most):
        match.scores.append(score)
        if match.verdict is not None and not whole:
            break
        print(f"{match.games} games, {100 * match.share:.0f} %", end="\r", file=sys.stderr)
    return match


def bench_levels(most: int, whole: bool) -> None:
    for level in range(2, HIGHEST + 1):
        began = perf_counter()
        match = taken(Match(0.5, 0.65), level_games(level, level - 1, most), most, whole)
        told(f"level {level} against level {level - 1}", match, began)


def bench_beginner(most: int, whole: bool) -> None:
    began = perf_counter()
    match = taken(Match(0.35, 0.5), level_games(1, BEGINNER, most), most, whole)
    told("level 1 against a beginner", match, began)


def bench_against_others(name: str, most: int, whole: bool) -> None:
    program = shutil.which("fairy-stockfish", path="/usr/games:/usr/local/bin:/usr/bin")
    if program is None:
        print("No fairy-stockfish is here: no game against another program was played.")
        return
    nodes = nodes_a_second(program, name)
    print(f"{name}: Fairy-Stockfish looks at {nodes:,} nodes in a second", flush=True)
    began = perf_counter()
    with Engine() as ours, Engine(program) as theirs:
        chosen = f"setoption name UCI_Variant value {name}"
        ours.ask(chosen, f"setoption name Level value {HIGHEST}", "setoption name Seed value 1")
        theirs.ask(chosen, *LIMITED)
        games = scores(VARIANTS[name], Contestant(ours, ""), Contestant(theirs, f"nodes {nodes}"))
        match = taken(Match(0.3, 0.4), games, most, whole)
        told(f"{name}: level {HIGHEST}, Fairy-Stockfish 1500", match, began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=96, help="the most games of a match of levels")
    parser.add_argument("--others", type=int, default=20, help="the most games against another program, a variant")
    parser.add_argument("--all", action="store_true", help="so many games, even if fewer would do")
    parser.add_argument("--only", nargs="+", choices=MATCHED, default=MATCHED, help="which matches")
    arguments = parser.parse_args()
    if "beginner" in arguments.only:
        bench_beginner(arguments.games, arguments.all)
    if "levels" in arguments.only:
        bench_levels(arguments.games, arguments.all)
    for name in YARDSTICKS:
        if name in arguments.only:
            bench_against_others(name, arguments.others, arguments.all)


if __name__ == "__main__":
    main()
