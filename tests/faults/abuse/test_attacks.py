"""No single client slows a game, fills the memory or locks out who sits behind the same address (row U).

Every shape is played at every route of the application's own table; the short run takes some of them by `--seed`, and
always those that once stopped a game. It judges what the server computed while a move waited, as other tests run beside
it; the full run judges by the clock, against the same moves while a bare relay was attacked.
"""

import random

import pytest

from tests.faults.abuse.attacker import SHAPES
from tests.faults.abuse.bench import P99_MS, WORST_MS, besieged
from tests.faults.abuse.bodies import LARGEST, ORDINARY
from tests.faults.abuse.targets import MAILBOX, targets
from tests.support.live.processes import Relay

ONCE = {
    "plain flood": ("GET /", "GET /rules/{variant}", "GET /analysis", "GET /api/games/{game}"),
    "newline preamble": ("POST /import",),
    "body that never ends": ("POST /import",),
    "heads of 800 KB held open": ("GET /",),
    "hello and leave": ("GET /ws",),
    "greetings at once": ("GET /ws", "GET /ws/watch"),
    "greetings of one with many games": ("GET /ws/lobby",),
    "stale moves at once": ("GET /ws",),
    "flood from many addresses": ("POST /api/guest", "GET /{game}/board.png"),
    "pictures never drawn before": ("GET /{game}/board.png", "GET /{game}/replay.svg"),
    "sign-ins from many addresses": ("POST /sign-in",),
    "mails as bodies": ("LMTP mailbox",),
    "ids taken beforehand": ("POST /api/games/{game}/offline",),
}
"""What once held a game up for a second, took 400 MB, or kept others out."""
SHORT_S, FULL_S, CONTROL_S = 0.4, 0.5, 3.0
BY_CHANCE = 1
"""Route of each shape in the short run, beside those of `ONCE`."""
NOISE = 2.0
"""In the short run a busy machine may take so many times as long for the same work. In the full one a move may take so
many times as long as while somebody else's server is attacked on the same machine."""


def name_of(found):
    return [target.name for target in found]


def fitting_for(shape):
    return [target for target in (*targets(), MAILBOX) if SHAPES[shape].fits(target)]


def chosen(shape, rng):
    """The targets of a shape in a short run."""
    fitting = fitting_for(shape)
    by_chance = rng.sample(fitting, min(BY_CHANCE, len(fitting)))
    return [each for each in fitting if each in by_chance or each.name in ONCE.get(shape, ())]


def test_every_route_named_here_is_in_the_table():
    """Or what once was the worst would silently be left out."""
    named = {name for names in ONCE.values() for name in names} | set(ORDINARY) | set(LARGEST)
    assert named <= set(name_of((*targets(), MAILBOX)))
    assert ONCE.keys() <= SHAPES.keys()


@pytest.mark.row("U1")
@pytest.mark.alone
async def test_no_shape_of_attack_holds_a_game_up(tmp_path, seed, counted, dearest):
    rng = random.Random(seed)
    plan = [(shape, target) for shape in SHAPES for target in chosen(shape, rng)]
    async with besieged(tmp_path, [target for _, target in plan], len(plan)) as siege:
        for shape, target in plan:
            await siege.attack(shape, target, SHORT_S)
    report = siege.report
    dearest(report.holds)
    counted(f"attacks; moves {report.took}, computed {report.computed}; memory {report.memory}", len(plan))
    wrong = report.faults() + report.late(NOISE * P99_MS, NOISE * WORST_MS, by_computed=True)
    assert not wrong, "\n".join(wrong)


@pytest.mark.row("U2")
@pytest.mark.alone
@pytest.mark.timeout(900)
@pytest.mark.only_full("plays every shape at every route, for twenty minutes")
@pytest.mark.parametrize("shape", SHAPES)
async def test_no_route_lets_a_game_be_held_up(tmp_path, shape, counted, dearest):
    fitting = fitting_for(shape)
    async with Relay(tmp_path / "relay") as relay, besieged(tmp_path, fitting, len(fitting)) as siege:
        await siege.attack_relay(relay, shape, fitting[0], CONTROL_S)
        for target in fitting:
            await siege.attack(shape, target, FULL_S)
    report = siege.report
    dearest({f"{route} ({shape})": held for route, held in report.holds.items()})
    counted(f"routes; moves {report.took}, control {report.control}; memory {report.memory}", len(fitting))
    control = report.control
    wrong = report.faults() + report.late(max(P99_MS, NOISE * control.p99), max(WORST_MS, NOISE * control.worst))
    assert not wrong, "\n".join(wrong)
