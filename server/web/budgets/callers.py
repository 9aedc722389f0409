"""Where a request comes from, as far as the network tells: address, host, origin. Knows no session."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from aiohttp import web

from server.settings import Settings

PRIVATE = [ip_network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")]
"""Where a proxy in a neighbouring container can be."""
OF_THIS_MACHINE = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?", re.IGNORECASE)


def address_key(request: web.Request, settings: Settings) -> str:
    """The caller's address as a key for limits; for IPv6 the /64, since one person has all of it.

    X-Forwarded-For counts only if there must be a proxy: the site is https, which this server does not speak itself,
    and the peer is on this machine or its private network. The caller is then the last entry, written by the proxy.
    """
    peer = parse(request.remote)
    if peer is not None and settings.secure and (peer.is_loopback or any(peer in network for network in PRIVATE)):
        forwarded = request.headers.getall("X-Forwarded-For", [])
        peer = parse(forwarded[-1].rsplit(",", 1)[-1].strip() if forwarded else None) or peer
    match peer:
        case None:
            return "unknown"
        case IPv6Address():
            return str(peer.ipv4_mapped) if peer.ipv4_mapped else peer.exploded[:19]
        case _:
            return str(peer)


def parse(text: str | None) -> IPv4Address | IPv6Address | None:
    """The IP address; None if it is none."""
    try:
        return ip_address(text or "")
    except ValueError:
        return None


def host_is_known(request: web.Request, settings: Settings) -> bool:
    """Whether the Host is the site's own name, or one of this machine, for health checks."""
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
