"""Web push: what reaches a browser, what a dead one costs, and which addresses are refused."""

import sys
from ipaddress import IPv4Address, IPv6Address

import pytest

from server.backends import CannotStart, open_push
from server.settings import Settings
from server.web.notifications.push_addresses import PublicOnly, UnknownPushService, check_endpoint, is_public
from server.web.notifications.web_push import WebPush, open_session, read_key
from tests.support.web.push_service import CONTACT, NOW, Browser, Here, new_host_key


async def test_only_the_browser_itself_can_read_what_it_is_sent(reached):
    service, push = reached
    browser = Browser()
    assert await push.send(browser.device(), b'{"title":"Anna waits"}', "waits", 900)
    ((path, headers, body),) = service.got
    assert browser.read(body) == {"title": "Anna waits"}
    assert b"Anna" not in body
    assert "waits" not in headers["Topic"]
    assert len(headers["Topic"]) == 32
    assert (path, headers["TTL"], headers["Content-Encoding"]) == ("/one", "900", "aes128gcm")
    assert f"k={push.public_key}" in headers["Authorization"]


@pytest.mark.parametrize(("status", "alive"), [(201, True), (404, False), (410, False), (429, True), (500, True)])
async def test_a_browser_that_has_unsubscribed_is_known_by_its_services_answer(reached, status, alive):
    service, push = reached
    service.answers["/one"] = status
    assert await push.send(Browser().device(), b"{}", "waits", 900) is alive


async def test_no_redirect_of_a_push_service_is_followed(reached):
    service, push = reached
    service.answers["/one"] = 307
    assert await push.send(Browser().device(), b"{}", "waits", 900)
    assert len(service.got) == 1


async def test_a_service_that_is_away_ends_no_subscription():
    push = WebPush(read_key(new_host_key()), CONTACT, open_session(Here(9)), lambda: NOW)
    assert await push.send(Browser().device(), b"{}", "waits", 900)
    await push.close()


@pytest.mark.parametrize(
    "address",
    [
        "http://push.example.org/x",
        "https://push.example.org:8443/x",
        "https://127.0.0.1/x",
        "https://127.1/x",
        "https://2130706433/x",
        "https://0x7f.0.0.1/x",
        "https://[::1]/x",
        "https://[fe80::1]/x",
        "https://localhost/x",
        "https://localhost./x",
        "https://127.0.0.1./x",
        "https://0x7f.1./x",
        "https://%31%32%37.0.0.1/x",
        "https://push..example.org/x",
        "https://" + "p" * 64 + ".example.org/x",
        "https://push example.org/x",
        "https://me:secret@push.example.org/x",
        "https://push.example.org/x#y",
        "https://push.exämple.org/x",
        "https://push.example.org:99999/x",
        "ftp://push.example.org/x",
        "https:///x",
        "https://push.example.org/" + "x" * 1000,
    ],
)
def test_an_unknown_push_service_is_never_called(address):
    with pytest.raises(UnknownPushService):
        check_endpoint(address)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("142.250.1.1", True),
        ("2a00:1450:4001::1", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:10.0.0.1", False),
        ("2002:0a00:0001::1", False),
        ("64:ff9b::a00:1", False),
        ("64:ff9b::8efa:101", True),
        ("::ffff:142.250.1.1", True),
        ("64:ff9b:1::8efa:101", False),
        ("fec0::1", False),
        ("5f00::1", False),
        ("3fff::1", False),
        ("192.88.99.1", False),
        ("192.0.0.1", False),
        ("ff0e::1", False),
        ("2001:0:8efa:101::1", False),
        ("2001:db8::1", False),
    ],
)
def test_private_addresses_are_not_public(address, public):
    assert is_public(address) is public


INSIDE = ("127.0.0.1", "10.1.2.3", "172.16.0.9", "192.168.0.1", "169.254.169.254", "100.64.0.7", "0.0.0.0", "224.0.0.1")
WAYS = {
    "compatible": lambda inner: inner,
    "mapped": lambda inner: 0xFFFF << 32 | inner,
    "translated": lambda inner: 0xFFFF << 48 | inner,
    "NAT64": lambda inner: 0x64FF9B << 96 | inner,
    "local NAT64": lambda inner: 0x64FF9B0001 << 80 | inner,
    "6to4": lambda inner: 0x2002 << 112 | inner << 80 | 1,
    "server of Teredo": lambda inner: 0x20010000 << 96 | inner << 64 | 0x71010571,
    "client of Teredo": lambda inner: 0x20010000 << 96 | 0x8EFA0101 << 64 | (inner ^ 0xFFFFFFFF),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("inside", INSIDE)
def test_no_way_to_write_an_address_within_another_leads_into_a_network(way, inside):
    assert not is_public(inside)
    assert not is_public(str(IPv6Address(WAYS[way](int(IPv4Address(inside))))))


async def test_a_public_name_that_leads_home_is_not_called(reached):
    """However good the name looks: the address decides, at the moment of connecting."""
    service, _ = reached
    session = open_session(PublicOnly(Here(443)))
    push = WebPush(read_key(new_host_key()), CONTACT, session, lambda: NOW)
    assert await push.send(Browser().device(), b"{}", "waits", 900)
    await push.close()
    assert service.got == []


def test_wrong_settings_are_reported_at_the_start(monkeypatch):
    assert open_push(Settings(), lambda: NOW) is None
    with pytest.raises(CannotStart, match="VAPID_PRIVATE_KEY is no key"):
        open_push(Settings(vapid_private_key="changeme", vapid_contact=CONTACT), lambda: NOW)
    monkeypatch.delitem(sys.modules, "server.web.notifications.web_push")
    monkeypatch.setitem(sys.modules, "pywebpush", None)
    with pytest.raises(CannotStart, match=r"\[push\]"):
        open_push(Settings(vapid_private_key=new_host_key(), vapid_contact=CONTACT), lambda: NOW)
