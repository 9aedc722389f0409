"""Which push services this server connects to: only public ones, never those on its own network. Knows no message.

A subscription comes from a stranger's browser, and this server sends requests to the address in it. Without checks
that would be a way into this machine and its network.
"""

import asyncio
import socket
from collections.abc import Iterator, Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from server.settings import DOMAIN

LONGEST: Final = 1000
MAPPED: Final = IPv6Network("::ffff:0:0/96")
EMBEDDING: Final[Mapping[IPv6Network, int]] = {
    IPv6Network("::/96"): 0,
    MAPPED: 0,
    IPv6Network("::ffff:0:0:0/96"): 0,
    IPv6Network("64:ff9b::/96"): 0,
    IPv6Network("2002::/16"): 80,
    IPv6Network("2001::/32"): 64,
}
"""Networks whose addresses have an IPv4 address in them, to which some routers pass them on, and how many bits
follow it: compatible, mapped, translated (RFC 2765), NAT64 (RFC 6052), 6to4, and the server of Teredo."""
TEREDO: Final = IPv6Network("2001::/32")
"""In these the client's IPv4 address comes last, with every bit inverted."""
LOCAL: Final = (
    IPv6Network("64:ff9b:1::/48"),
    IPv6Network("fec0::/10"),
    IPv6Network("5f00::/16"),
    IPv6Network("3fff::/20"),
    IPv4Network("192.88.99.0/24"),
    IPv4Network("192.0.0.0/24"),
)
"""For use within a network or to be passed on by it, although Python's releases do not all say so: NAT64 (RFC 8215),
site-local, segment routing, examples, relays of 6to4, protocol assignments."""


class UnknownPushService(ValueError):
    """No push service can have this address."""


def check_endpoint(address: str) -> str:
    """`address`, if it can be that of a push service. Raises UnknownPushService.

    It must use https on the default port and a host name that can be looked up, and so no IP address in any notation:
    one would be called without a lookup.
    """
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise UnknownPushService from None
    if parts.scheme != "https" or port not in (None, 443) or parts.username is not None or parts.fragment:
        raise UnknownPushService
    if not DOMAIN.fullmatch(parts.hostname or "") or not address.isascii() or len(address) > LONGEST:
        raise UnknownPushService
    return address


class PublicOnly(AbstractResolver):
    """Resolves names to public addresses only. The connection goes to exactly these addresses, so a name that resolves
    differently in between gains nothing."""

    def __init__(self, ask: AbstractResolver | None = None) -> None:
        self._ask = ask or ThreadedResolver(asyncio.get_running_loop())

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The public addresses of `host`. Raises OSError if it has none."""
        found = [one for one in await self._ask.resolve(host, port, family) if is_public(one["host"])]
        if not found:
            raise OSError(f"{host} leads to no public address")
        return found

    async def close(self) -> None:
        await self._ask.close()


def is_public(address: str) -> bool:
    """Does the address lead to the internet, also where it has another one in it? Raises ValueError."""
    number = ip_address(address.partition("%")[0])
    inner = list(embedded_in(number)) if isinstance(number, IPv6Address) else []
    if any(number in network for network in LOCAL) or not all(is_public(str(one)) for one in inner):
        return False
    # Releases of Python differ in what they say of a mapped address, which is but another way to write the IPv4 one.
    return number in MAPPED or (number.is_global and not number.is_multicast)


def embedded_in(number: IPv6Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses to which a router may pass on what is sent to `number`."""
    for network, after in EMBEDDING.items():
        if number in network:
            yield IPv4Address(int(number) >> after & 0xFFFFFFFF)
    if number in TEREDO:
        yield IPv4Address(~int(number) & 0xFFFFFFFF)
