"""Which push services this server connects to: only public ones, never those on its own network. Knows no message.

A subscription comes from a stranger's browser, and this server sends requests to the address in it. Without checks
that would be a way into this machine and its network.
"""

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from server.mailbox import DOMAIN

LONGEST: Final = 1000
NAT64: Final = IPv6Network("64:ff9b::/96")
"""Many networks route these to the IPv4 address in the last 32 bits (RFC 6052)."""


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
    if number in NAT64:
        return is_public(str(IPv4Address(int(number) & 0xFFFFFFFF)))
    inner = getattr(number, "ipv4_mapped", None) or getattr(number, "sixtofour", None)
    return number.is_global and not number.is_multicast and (inner is None or is_public(str(inner)))
