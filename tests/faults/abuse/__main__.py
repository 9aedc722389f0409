"""Prints what each shape of attack does to this server.

    python -m tests.faults.abuse [--seconds 0.5] [--every 1] [--routes WORD] [shape ...]

`--every 5`: only every fifth route; `--routes WORD`: only those with WORD in their names.
"""

import argparse
import asyncio
import tempfile
from pathlib import Path

from tests.faults.abuse.attacker import SHAPES
from tests.faults.abuse.bench import Report, besieged
from tests.faults.abuse.targets import MAILBOX, Target, targets
from tests.support.live.processes import Relay

DEAREST = 10


def lines(shape: str, report: Report) -> list[str]:
    """The shape's row of the table, and below it what is to be said of it."""
    row = f"| {shape} | {report.took} | {report.computed} | {report.control} | {report.memory} |"
    return [row, *(f"  - {text}" for text in (*report.faults(), *report.slowest(by_computed=False)[:5]))]


async def measured(shape: str, found: list[Target], seconds: float, folder: Path) -> Report:
    async with Relay(folder / "relay") as relay, besieged(folder, found, len(found) * (seconds + 1)) as siege:
        await siege.attack_relay(relay, shape, found[0], 2.0)
        for target in found:
            await siege.attack(shape, target, seconds)
    return siege.report


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--routes", default="")
    parser.add_argument("shapes", nargs="*")
    asked = parser.parse_args()
    print("| shape | a move: p50, p99, worst | computed meanwhile | control | memory before, under, after |")
    print("|---|---|---|---|---|", flush=True)
    holds: dict[tuple[str, str], float] = {}
    for shape in asked.shapes or SHAPES:
        found = [
            target for target in (*targets(), MAILBOX) if SHAPES[shape].fits(target) and asked.routes in target.name
        ]
        if not (found := found[:: asked.every]):
            continue
        with tempfile.TemporaryDirectory(prefix="abuse") as folder:
            report = await measured(shape, found, asked.seconds, Path(folder))
        holds |= {(route, shape): held for route, held in report.holds.items()}
        print("\n".join(lines(shape, report)), flush=True)
    print("\nThe dearest requests, by what one of them computed without letting others go on:")
    for (route, shape), held in sorted(holds.items(), key=lambda each: -each[1])[:DEAREST]:
        print(f"{held:7.1f} ms  {route} ({shape})")


if __name__ == "__main__":
    asyncio.run(main())
