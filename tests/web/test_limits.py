"""Token buckets: what they allow, when they refuse, and that they stay small."""

import pytest

from server.web import limits
from server.web.limits import Places, RateLimit


def test_an_allowance_can_be_used_at_once_and_comes_back_evenly():
    limit = RateLimit(20, 60)
    assert [limit.take("anna", 0) for _ in range(20)] == [0] * 20
    assert limit.take("anna", 0) == 3
    assert limit.take("ben", 0) == 0
    assert limit.take("anna", 3) == 0
    assert limit.take("anna", 3) > 0
    assert sum(limit.take("anna", 63 + second / 10) == 0 for second in range(10)) == 10


def test_a_refusal_takes_nothing():
    limit = RateLimit(1, 10)
    assert limit.take("anna", 0) == 0
    for second in range(1, 10):
        assert limit.take("anna", second) == 10 - second
    assert limit.take("anna", 10) == 0


def test_looking_takes_nothing():
    limit = RateLimit(1, 10)
    assert limit.wait("anna", 0) == 0
    limit.take("anna", 0)
    assert limit.wait("anna", 0) == 10
    assert limit.wait("anna", 4) == 6
    assert limit.wait("anna", 10) == 0


@pytest.mark.row("A16")
def test_filling_the_map_lifts_no_running_limit(monkeypatch):
    monkeypatch.setattr(limits, "MAX_KEYS", 100)
    limit = RateLimit(2, 60)
    limit.take("attacker", 0)
    limit.take("attacker", 0)
    refused = sum(limit.take(f"key {number}", 0) > 0 for number in range(100_000))
    assert refused == 100_000 - 99
    assert len(limit.whole) == 100
    assert limit.take("attacker", 0) > 0


@pytest.mark.row("A16")
def test_a_full_map_has_room_again_when_its_oldest_keys_are_whole(monkeypatch):
    monkeypatch.setattr(limits, "MAX_KEYS", 100)
    limit = RateLimit(2, 60)
    for number in range(100):
        limit.take(f"key {number}", 0)
    assert limit.take("late", 1) > 0
    assert limit.take("late", 31) == 0
    assert len(limit.whole) == 100


def test_places_are_given_back_and_forgotten():
    places = Places()
    places.enter(("anna", "127.0.0.1"))
    assert not places.free("anna", 1)
    assert places.free("anna", 2)
    places.leave(("anna", "127.0.0.1"))
    assert places.free("anna", 1)
    assert not places.taken


@pytest.mark.parametrize("name", list(limits.Limits.__slots__))
def test_every_limit_lets_an_honest_visitor_begin(name):
    assert getattr(limits.Limits(), name).take("anna", 0) == 0
