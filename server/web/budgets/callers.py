"""Where a request comes from, as far as the network tells: address, host, origin. Knows no session."""

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from aiohttp import web

from server.settings import Settings

Address = IPv4Address | IPv6Address

PROBES = frozenset({"/health", "/ready"})
"""What load balancers and orchestrators ask, by any name and without being anybody."""
PRIVATE = [ip_network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")]
"""Where a proxy in a neighbouring container can be."""
OF_THIS_MACHINE = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?", re.IGNORECASE)


def caller_of(request: web.Request, settings: Settings) -> Address | None:
    """The caller's address; None if the network does not tell.

    X-Forwarded-For counts only if there must be a proxy: the site is https, which this server does not speak itself,
    and the peer is on this machine or its private network. The caller is then the last entry, written by the proxy.
    Where the host has named the proxies, it is the last entry that none of them has.
    """
    peer = parse(request.remote)
    if settings.trusted_proxies:
        return _behind(peer, request.headers.getall("X-Forwarded-For", []), settings.trusted_proxies)
    if peer is not None and settings.secure and (peer.is_loopback or any(peer in network for network in PRIVATE)):
        forwarded = request.headers.getall("X-Forwarded-For", [])
        peer = parse(forwarded[-1].rsplit(",", 1)[-1].strip() if forwarded else None) or peer
    return peer


def _behind(
    peer: Address | None, forwarded: Sequence[str], proxies: Sequence[IPv4Network | IPv6Network]
) -> Address | None:
    """The nearest address that is no proxy's; the last that can be read if all are."""
    entries = [entry.strip() for header in forwarded for entry in header.split(",")]
    found = peer
    while found is not None and entries and any(found in network for network in proxies):
        if (before := parse(entries.pop())) is None:
            break
        found = before
    return found


def address_key(request: web.Request, settings: Settings) -> str:
    """The caller's address as a key for limits; for IPv6 the /64, since one person has all of it."""
    match caller_of(request, settings):
        case None:
            return "unknown"
        case IPv6Address() as caller:
            return caller.exploded[:19]
        case caller:
            return str(caller)


def parse(text: str | None) -> Address | None:
    """The IP address, as version 4 if it is one of these in the form of 6; None if it is none."""
    try:
        address = ip_address(text or "")
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address


def host_is_known(request: web.Request, settings: Settings) -> bool:
    """Whether the Host is the site's own name, or one of this machine, or does not matter."""
    if request.path in PROBES:
        return True
    host = request.headers.get("Host", "")
    return host.lower() == urlsplit(settings.address).netloc or is_this_machine(host)


def is_this_machine(host: str) -> bool:
    """Whether that Host is exactly a name of this machine, with or without a port."""
    return OF_THIS_MACHINE.fullmatch(host) is not None


def origin_is_ours(request: web.Request, settings: Settings) -> bool:
    """Whether a page of this site sent the request. A missing or repeated header, null or a look-alike is not ours."""
    origins = request.headers.getall("Origin", [])
    same_site = request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")
    return len(origins) == 1 and origins[0] in settings.origins and same_site
