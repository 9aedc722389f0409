"""Password hashes: argon2id, computed and compared in a thread of their own. The only module that knows argon2.

One comparison deliberately takes some 30 ms and 19 MiB. There is one thread, so that a flood of sign-ins takes at most
one core and games keep the other, and a short queue, so that anybody beyond that is told at once.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from server.web.accounts.passwords import normal
from server.web.rendering.problems import Problem

# Within OWASP's recommendation: 24 comparisons a second; the library's default would allow 3.
HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1, hash_len=32, salt_len=16)
MAX_WAITING = 8

Done = TypeVar("Done")


def hash_password(password: str, hasher: PasswordHasher = HASHER) -> str:
    """The hash to store. Takes its time: see `Hashing`."""
    return hasher.hash(normal(password))


def matches(password: str, stored: str, hasher: PasswordHasher = HASHER) -> bool:
    """Is `stored` the hash of `password`?"""
    try:
        return hasher.verify(stored, normal(password))
    except (Argon2Error, InvalidHashError):
        return False


@cache
def nobodys(hasher: PasswordHasher) -> str:
    """The hash with which a password is compared if there is no such account."""
    return hash_password("nobody's password", hasher)


class Hashing:
    """Hashes passwords without blocking the event loop. `close` it when the site stops."""

    def __init__(self, hasher: PasswordHasher = HASHER) -> None:
        self._hasher = hasher
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="argon2")
        self._waiting = 0
        # In the thread, where it is ready before the first comparison: a server that starts does not wait for it.
        self._nobodys = self._thread.submit(nobodys, hasher)

    async def hash(self, password: str) -> str:
        """The hash to store. Raises Problem (503)."""
        return await self._run(lambda: hash_password(password, self._hasher))

    async def matches(self, password: str, stored: str) -> bool:
        """Is `stored` the hash of `password`? "", for a missing account, takes as long. Raises Problem (503)."""
        same = await self._run(lambda: matches(password, stored or self._nobodys.result(), self._hasher))
        return same and stored != ""

    def outdated(self, stored: str) -> bool:
        """Was it made with other parameters than a new one would be?"""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        """Finishes what is being hashed and drops the rest."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[], Done]) -> Done:
        if self._waiting > MAX_WAITING:
            raise Problem(503, "sign_in_busy", retry_after=5)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting -= 1
