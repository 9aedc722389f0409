"""Every fuzz target bears its own seeds, cut and changed a little: so none is broken when somebody wants to fuzz.

atheris is not needed for it.
"""

import random

import pytest

from tests.fuzz.every_target import TARGETS
from tests.fuzz.target import MAX_BYTES

MAX_SEEDS, CHANGES = 40, 3


def changed(seed, rng):
    """`seed` with some bytes drawn anew, and its end cut off now and then."""
    text = bytearray(seed)
    for _ in range(rng.choice((1, 2, 5))):
        text[rng.randrange(len(text))] = rng.randrange(256)
    return bytes(text if rng.random() < 0.7 else text[: rng.randrange(len(text))])


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.name)
def test_each_target_accepts_its_seeds(target, seed):
    rng = random.Random(f"{seed} {target.name}")
    seeds = list(target.seeds())
    assert seeds
    assert max(map(len, seeds)) <= MAX_BYTES
    for one in rng.sample(seeds, min(MAX_SEEDS, len(seeds))):
        target.run(one)
        for _ in range(CHANGES):
            target.run(changed(one, rng))
    target.run(b"")
