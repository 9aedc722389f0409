"""Whose address counts, with and without a proxy."""

import pytest
from aiohttp.test_utils import make_mocked_request

from server.settings import Settings
from server.web.budgets.callers import address_key

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
