"""A limit of the whole site: a flood from many addresses uses up what is common, and locks out nobody beside it."""

import random

import pytest

from server.web.budgets.limits import Limits

SECOND = 1_000
FLOODS = {
    "one /24": lambda rng: f"198.51.100.{rng.randrange(256)}",
    "one /16": lambda rng: f"198.51.{rng.randrange(256)}.{rng.randrange(256)}",
    "a hundred /16": lambda rng: f"198.{rng.randrange(100)}.{rng.randrange(256)}.{rng.randrange(256)}",
    "one /32": lambda rng: f"2001:0db8:{rng.randrange(65_536):04x}:{rng.randrange(65_536):04x}",
    "everywhere": lambda rng: ".".join(str(rng.randrange(1, 224)) for _ in range(4)),
}


@pytest.mark.parametrize("limit", ["guests_in_all", "recognising_in_all"])
@pytest.mark.parametrize("flood", FLOODS)
def test_newcomers_beside_a_flood_get_in_at_the_first_try(flood, limit, seed):
    """Nine of ten were refused, with 30 guests a second from many addresses."""
    rng, shared = random.Random(seed), getattr(Limits(), limit)
    taken = 0
    for second in range(60):
        now = second * SECOND
        taken += sum(shared.take(FLOODS[flood](rng), now) == 0 for _ in range(60))
        assert shared.take(f"203.{second}.113.9", now) == 0
        assert shared.take(f"2a0{second // 10}:0db8:{second:04x}:0001", now) == 0
    if flood != "everywhere":
        assert taken <= 60 * 60, "a flood from few networks gets little more than what is common"


def test_what_one_network_gets_beyond_the_common_part_is_small_and_comes_back():
    shared = Limits().guests_in_all
    assert [shared.take("198.51.100.7", 0) for _ in range(100)] == [0] * 100
    assert shared.take("198.51.100.7", 0) > 0, "it has had its share with the common part"
    others = [shared.take(f"203.0.{n}.9", 0) for n in range(60)]
    assert others.count(0) == shared.by_wide.amount
    assert shared.take("203.0.5.9", 61 * SECOND) == 0


def test_there_is_an_end_to_it_whatever_the_networks():
    shared = Limits().guests_in_all
    taken = sum(shared.take(f"{n % 200 + 1}.{n // 200}.1.1", 0) == 0 for n in range(5_000))
    assert taken == shared.in_all.amount + shared.beyond.amount
