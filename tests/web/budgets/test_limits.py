"""Token buckets: what they allow, when they refuse, and that they stay small."""

import pytest

from server.web.budgets import buckets, limits
from server.web.budgets.buckets import SITE_SHARE, ConnectionCounter, RateLimit, networks


def test_an_allowance_can_be_used_at_once_and_comes_back_evenly():
    limit = RateLimit(20, 60)
    assert [limit.take("anna", 0) for _ in range(20)] == [0] * 20
    assert limit.take("anna", 0) == 3
    assert limit.take("ben", 0) == 0
    assert limit.take("anna", 3_000) == 0
    assert limit.take("anna", 3_000) > 0
    assert sum(limit.take("anna", 63_000 + 100 * tenth) == 0 for tenth in range(10)) == 10


def test_a_refusal_takes_nothing():
    limit = RateLimit(1, 10)
    assert limit.take("anna", 0) == 0
    for second in range(1, 10):
        assert limit.take("anna", second * 1_000) == 10 - second
    assert limit.take("anna", 10_000) == 0


def test_looking_takes_nothing():
    limit = RateLimit(1, 10)
    assert limit.wait("anna", 0) == 0
    limit.take("anna", 0)
    assert limit.wait("anna", 0) == 10
    assert limit.wait("anna", 4_000) == 6
    assert limit.wait("anna", 10_000) == 0


def test_those_who_share_a_second_key_have_a_limit_together():
    limit = RateLimit(2, 10, shared=3)
    assert [limit.take("anna", 0, shared_by="192.0.2.1") for _ in range(3)] == [0, 0, 5]
    assert [limit.take("ben", 0, shared_by="192.0.2.1") for _ in range(2)] == [0, 4]
    assert limit.take("ben", 0, shared_by="192.0.2.2") == 0, "the refused one was charged to neither key"
    assert limit.take("192.0.2.1", 0) == 0, "an address as the first key is another key"
    assert limit.take("", 0, 3, shared_by="192.0.2.3") == 0, "or the second key alone"
    assert limit.take("carla", 0, shared_by="192.0.2.3") > 0


@pytest.mark.row("A16")
def test_filling_the_map_lifts_no_shared_limit(monkeypatch):
    monkeypatch.setattr(buckets, "MAX_KEYS", 100)
    limit = RateLimit(1_000, 60, shared=2)
    assert [limit.take("", 0, shared_by="192.0.2.1") for _ in range(2)] == [0, 0]
    for number in range(500):
        limit.take(f"session {number}", 0)
    assert limit.take("", 0, shared_by="192.0.2.1") > 0


@pytest.mark.row("A16")
def test_filling_the_map_lifts_no_limit_and_refuses_nobody(monkeypatch):
    monkeypatch.setattr(buckets, "MAX_KEYS", 100)
    limit = RateLimit(50, 60)
    for _ in range(50):
        limit.take("192.0.2.1", 0)
    for number in range(1_000):
        assert limit.take(f"10.{number % 90}.{number // 90}.1", 0) == 0
    assert len(limit.whole) == 100
    assert limit.take("192.0.2.1", 0) == 2, "the limit that was used up"
    assert limit.take("198.51.100.1", 0) == 0, "somebody new"
    assert limit.take("192.0.2.1", 2_000) == 0


@pytest.mark.row("A16")
def test_what_a_shed_key_owed_is_owed_by_its_network(monkeypatch):
    monkeypatch.setattr(buckets, "MAX_KEYS", 100)
    limit = RateLimit(1, 60)
    for number in range(200):
        limit.take(f"10.9.0.{number}", 0)
    assert len(limit.whole) == 100
    assert limit.take("10.9.1.1", 0) == 60
    assert limit.take("10.10.1.1", 0) == 0
    assert limit.take("10.9.1.1", 60_000) == 0


@pytest.mark.row("A16")
def test_a_full_map_sheds_the_key_used_longest_ago(monkeypatch):
    monkeypatch.setattr(buckets, "MAX_KEYS", 3)
    limit = RateLimit(2, 60)
    for name in ("anna", "ben", "carla", "anna", "dora"):
        limit.take(name, 0)
    assert list(limit.whole) == ["carla", "anna", "dora"]


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("192.0.2.1", ("192.0", "192.0.2", "192.0.2.1")),
        ("2001:0db8:0001:0002", ("2001:0db8", "2001:0db8:0001", "2001:0db8:0001:0002")),
        *(
            (name, (name,) * 3)
            for name in ("nineteen_characters", "two.dots.of.a.name", "a.b.c.d", "2026", "1:2:3", "")
        ),
    ],
)
def test_only_addresses_are_in_networks(key, found):
    assert networks(key) == found


@pytest.mark.row("A16")
def test_many_networks_of_one_customer_are_one_network():
    limit = RateLimit(2, 60)
    taken = sum(limit.take(f"2001:0db8:0001:{number:04x}", 0) == 0 for number in range(20_000))
    assert taken == 2 * SITE_SHARE
    assert len(limit.whole) < 50
    assert limit.take("2001:0db8:0002:0000", 0) == 0, "another customer of the same network"


def test_one_home_is_limited_before_its_whole_network():
    limit = RateLimit(2, 60)
    assert [limit.take("2001:0db8:0001:0001", 0) for _ in range(3)] == [0, 0, 30]


def test_an_expensive_request_takes_more_at_once():
    limit = RateLimit(10, 60)
    assert limit.take("anna", 0, 8) == 0
    assert limit.take("anna", 0, 3) == 6
    assert limit.take("anna", 0, 2) == 0


def test_places_are_given_back_and_forgotten():
    connections = ConnectionCounter()
    connections.add(("anna", "127.0.0.1"))
    assert not connections.free("anna", 1)
    assert connections.free("anna", 2)
    connections.remove(("anna", "127.0.0.1"))
    assert connections.free("anna", 1)
    assert not connections.taken


def test_every_limit_lets_an_honest_visitor_begin():
    all_limits = limits.Limits()
    waits = {name: getattr(all_limits, name).take("anna", 0) for name in limits.Limits.__slots__}
    assert {name: wait for name, wait in waits.items() if wait} == {}
