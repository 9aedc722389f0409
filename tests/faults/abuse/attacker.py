"""The attacker as a process of its own, so that the probe beside it is not slowed by what the attack costs to send.

    python -m tests.faults.abuse.attacker

Reads one order a line, plays it, and answers with one line: what was sent and what came back.
"""

import asyncio
import json
import os
import sys

from tests.faults.abuse.bursts import BURSTS
from tests.faults.abuse.crowds import CROWDS
from tests.faults.abuse.fragments import FRAGMENTS
from tests.faults.abuse.mails import MAILS
from tests.faults.abuse.many_games import Owner
from tests.faults.abuse.requests import REQUESTS
from tests.faults.abuse.shape import Shape
from tests.faults.abuse.targets import target_of
from tests.faults.abuse.wire import Attack, Caller, Seats

SHAPES: dict[str, Shape] = {shape.name: shape for shape in (*REQUESTS, *FRAGMENTS, *BURSTS, *CROWDS, *MAILS)}


async def play(order: dict) -> dict[str, object]:
    attack = Attack(Caller(**order["caller"]), target_of(order["target"]), order["game"], order["seconds"])
    attack.seats = Seats(**order.get("seats", {}))
    attack.owner = Owner(**order.get("owner", {}))
    await SHAPES[order["shape"]].play(attack)
    return {"began": attack.began, **attack.sent.as_json()}


def main() -> None:
    os.nice(19)
    for line in sys.stdin:
        print(json.dumps(asyncio.run(play(json.loads(line)))), flush=True)


if __name__ == "__main__":
    main()
