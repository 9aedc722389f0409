"""How Redis is reached: at its address, or where Sentinels say that it is now. Knows nothing of what is said there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, NoPermissionError, ResponseError

from server.redis_address import RedisAddress, UnusableRedis, redis_address

SENTINEL_WAITS_S: Final = 1.0
"""A Sentinel that takes longer is passed over."""
ALONE: Final = "standalone"


@asynccontextmanager
async def open_redis(url: str) -> AsyncIterator[Redis]:
    """A client for the Redis at `url`, a setting's value. It connects when it is first used.

    A broken connection is not restored silently: what was missed has to be looked at.
    """
    address = redis_address(url)
    async with AsyncExitStack() as opened:
        if address.sentinels:
            sentinel = await opened.enter_async_context(_sentinels(address))
            client: Redis = sentinel.master_for(address.master)
        else:
            client = Redis.from_url(address.url, retry=_never())
        opened.push_async_callback(client.aclose)
        yield client


@asynccontextmanager
async def _sentinels(address: RedisAddress) -> AsyncIterator[Sentinel]:
    """The same user, password and certificates open the Sentinels and Redis."""
    options: dict[str, Any] = {**parse_url(address.url), "retry": _never()}
    # What says so for a single address has no place here.
    for name in ("host", "port", "connection_class"):
        options.pop(name, None)
    if address.url.startswith("rediss:"):
        options["ssl"] = True
    patience = {"socket_timeout": SENTINEL_WAITS_S, "socket_connect_timeout": SENTINEL_WAITS_S}
    asking = {name: value for name, value in options.items() if name != "db"}
    sentinel = Sentinel(address.sentinels, sentinel_kwargs={**asking, **patience}, **options)  # type: ignore[no-untyped-call]
    async with AsyncExitStack() as opened:
        for asked in sentinel.sentinels:
            opened.push_async_callback(asked.aclose)
        yield sentinel


def _never() -> Retry:
    return Retry(NoBackoff(), 0)


async def check_redis(url: str) -> None:
    """Raises UnusableRedis if this Redis denies access or is of the wrong kind; RedisError, OSError if it is away."""
    mode = ALONE
    try:
        await _ask_sentinels(redis_address(url))
        async with open_redis(url) as redis:
            await redis.ping()
            # A host whose server may not ask has chosen its rights on purpose.
            with suppress(NoPermissionError):
                mode = (await redis.info("server")).get("redis_mode", ALONE)
    except (AuthenticationError, ResponseError) as error:
        raise UnusableRedis(f"Redis does not let this server in ({error}). Compare the passwords.") from None
    if mode == "cluster":
        raise UnusableRedis(
            "This Redis belongs to a Cluster, which tells nobody how many nodes hear a message. Use a single Redis,"
            " or several with Sentinels."
        )
    if mode == "sentinel":
        raise UnusableRedis("This is a Sentinel. Begin the address with redis+sentinel:// and end it with /mymaster.")


async def _ask_sentinels(address: RedisAddress) -> None:
    """Raises AuthenticationError, ResponseError if one of the Sentinels does not let us in: a client would go by it."""
    if address.sentinels:
        async with _sentinels(address) as sentinel:
            answers = await asyncio.gather(*(one.ping() for one in sentinel.sentinels), return_exceptions=True)
        for answer in answers:
            if isinstance(answer, AuthenticationError | ResponseError):
                raise answer
