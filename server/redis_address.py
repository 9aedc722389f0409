"""Where Redis is: one server, or the one of several that Sentinels name. Reads a setting, and connects nowhere."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit, urlunsplit

THROUGH_SENTINEL: Final = {"redis+sentinel": "redis", "rediss+sentinel": "rediss"}
"""Schemes of addresses that name Sentinels, and the scheme by which these and Redis itself are then reached."""
SENTINEL_PORT: Final = 26379


class UnusableRedis(Exception):
    """The Redis there cannot join the nodes. The message says what the host can do, and contains no password."""


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """`url`: for redis-py. With `sentinels` (hosts and ports), which know where the Redis called `master` is, all but
    its host and port counts.
    """

    url: str
    sentinels: tuple[tuple[str, int], ...] = ()
    master: str = ""


def redis_address(text: str) -> RedisAddress:
    """What `text` says, for instance `redis+sentinel://:password@one:26379,two:26379/mymaster/0`.

    Raises ValueError with a sentence, which does not repeat it.
    """
    parts = urlsplit(text)
    if parts.scheme not in THROUGH_SENTINEL:
        return RedisAddress(text)
    access, at, hosts = parts.netloc.rpartition("@")
    sentinels = tuple(_host_and_port(one) for one in hosts.split(","))
    master, _, database = parts.path.strip("/").partition("/")
    if not master or not (database or "0").isdecimal():
        raise ValueError(
            "give the Sentinels and what they call Redis: redis+sentinel://:password@one,two,three/mymaster/0"
        )
    scheme = THROUGH_SENTINEL[parts.scheme]
    url = urlunsplit((scheme, f"{access}{at}localhost", f"/{database}", parts.query, ""))
    return RedisAddress(url, sentinels, master)


def hosts_of(address: RedisAddress) -> tuple[str, ...]:
    """The hosts that are asked first; none for a socket of this machine."""
    if address.sentinels:
        return tuple(host for host, _ in address.sentinels)
    parts = urlsplit(address.url)
    return () if parts.scheme == "unix" else (parts.hostname or "",)


def _host_and_port(text: str) -> tuple[str, int]:
    try:
        host: SplitResult = urlsplit(f"//{text}")
        port = host.port or SENTINEL_PORT
    except ValueError:
        raise ValueError("give each Sentinel as host:port, with commas between them") from None
    if not host.hostname:
        raise ValueError("give each Sentinel as host:port, with commas between them")
    return host.hostname, port
