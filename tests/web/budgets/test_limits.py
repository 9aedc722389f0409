"""Token buckets: what they allow, when they refuse, that they stay small, whose they are, and those of the site."""

import random

import pytest
from aiohttp.test_utils import make_mocked_request

from server.settings import Settings
from server.web.budgets import buckets, limits
from server.web.budgets.buckets import SITE_SHARE, ConnectionCounter, RateLimit, networks
from server.web.budgets.callers import address_key
from server.web.budgets.limits import Limits


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


# Whose address counts, with and without a proxy.


PLAIN = Settings(public_url="http://chess.example.org")
SECURE = Settings(public_url="https://chess.example.org")
BEHIND = Settings(public_url="http://chess.example.org", trusted_proxies="127.0.0.1, 198.51.100.0/24,2001:db8::/32")
"""Behind a proxy of this machine, which is behind others."""


def request_from(peer, *forwarded):
    headers = [("X-Forwarded-For", value) for value in forwarded]
    request = make_mocked_request("GET", "/", headers=dict(headers))
    return request.clone(remote=peer)


@pytest.mark.row("A9")
@pytest.mark.parametrize(
    ("settings", "peer", "forwarded", "key"),
    [
        (PLAIN, "203.0.113.9", (), "203.0.113.9"),
        (PLAIN, "127.0.0.1", ("198.51.100.1",), "127.0.0.1"),
        (SECURE, "203.0.113.9", ("198.51.100.1",), "203.0.113.9"),
        (SECURE, "127.0.0.1", ("198.51.100.1",), "198.51.100.1"),
        (SECURE, "172.18.0.2", ("6.6.6.6, 198.51.100.1",), "198.51.100.1"),
        (SECURE, "127.0.0.1", ("nonsense",), "127.0.0.1"),
        (SECURE, "127.0.0.1", (), "127.0.0.1"),
        (PLAIN, "2001:db8:1:2:3:4:5:6", (), "2001:0db8:0001:0002"),
        (PLAIN, "2001:db8:1:2:ffff::1", (), "2001:0db8:0001:0002"),
        (PLAIN, "::ffff:203.0.113.9", (), "203.0.113.9"),
        (PLAIN, "", (), "unknown"),
        (BEHIND, "127.0.0.1", ("203.0.113.9",), "203.0.113.9"),
        (BEHIND, "127.0.0.1", ("6.6.6.6, 203.0.113.9, 198.51.100.7",), "203.0.113.9"),
        (BEHIND, "::ffff:127.0.0.1", ("6.6.6.6, 203.0.113.9, 2001:db8::7",), "203.0.113.9"),
        (BEHIND, "127.0.0.1", ("198.51.100.1, 198.51.100.7",), "198.51.100.1"),
        (BEHIND, "127.0.0.1", ("nonsense, 198.51.100.7",), "198.51.100.7"),
        (BEHIND, "127.0.0.1", (), "127.0.0.1"),
        (BEHIND, "10.0.0.1", ("203.0.113.9",), "10.0.0.1"),
        (BEHIND, "", ("203.0.113.9",), "unknown"),
    ],
)
def test_the_address_that_limits_count_by(settings, peer, forwarded, key):
    assert address_key(request_from(peer, *forwarded), settings) == key


# A limit of the whole site: a flood from many addresses uses up what is common, and locks out nobody beside it.


SECOND = 1_000
FLOODS = {
    "one /24": lambda rng: f"198.51.100.{rng.randrange(256)}",
    "one /16": lambda rng: f"198.51.{rng.randrange(256)}.{rng.randrange(256)}",
    "a hundred /16": lambda rng: f"198.{rng.randrange(100)}.{rng.randrange(256)}.{rng.randrange(256)}",
    "one /32": lambda rng: f"2001:0db8:{rng.randrange(65_536):04x}:{rng.randrange(65_536):04x}",
    "everywhere": lambda rng: ".".join(str(rng.randrange(1, 224)) for _ in range(4)),
}


@pytest.mark.parametrize("limit", ["guests_in_all", "recognising_in_all", "join_requests_in_all", "reports_in_all"])
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
