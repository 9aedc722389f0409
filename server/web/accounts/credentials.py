"""Names and passwords: which people may choose, and how passwords are hashed and compared. Knows no account.

People are recognised by their names, so two names that look alike count as one (`fold`). Only ASCII is allowed, as
there is no end of look-alikes in other scripts. No word of a name may claim to speak for the site.

Length is what protects a password, so any characters are welcome and none is required. What an attacker tries first is
refused: the name, one character over and over, a run along the keyboard, and the most common passwords.

Hashes are argon2id, computed and compared in a thread of their own. One comparison deliberately takes some 30 ms and
19 MiB. There is one thread, so that a flood of sign-ins takes at most one core and games keep the other, and a short
queue, in which people who are known come first and networks take turns; whoever has most in it is told to come back.
The only module that knows argon2.
"""

import asyncio
import re
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from server.games.people import ANIMALS, MANNERS
from server.rules.errors import Refusal
from server.storage.tables.accounts import fold
from server.web.budgets.heavy import FairQueue, QueueFull
from server.web.rendering.problems import Problem

SHAPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,19}")

# fmt: off
OFFICES = (
    "abuse", "account", "admin", "administrator", "ai", "anon", "anonymous", "black", "bot", "computer", "deleted",
    "engine", "everybody", "everyone", "fairyhouse", "guest", "help", "host", "info", "me", "mod", "moderator",
    "nobody", "null", "official", "open", "operator", "opponent", "owner", "root", "security", "server", "staff",
    "support", "sysadmin", "system", "team", "undefined", "user", "webmaster", "white", "you",
)
# fmt: on
"""Names that could be mistaken for the site's own voice, or for nobody's."""
TITLES_ANYWHERE = tuple(map(fold, ("administrator", "fairyhouse", "moderator", "sysadmin", "webmaster")))
TITLES_AT_AN_END = tuple(map(fold, ("admin",)))
TITLES = frozenset(map(fold, ("mod", "official", "server", "staff", "support", "system", "team")))
"""As a word of a name these would be believed like `admin`; but Falstaff and Badminton contain no titles."""
RESERVED = frozenset(map(fold, OFFICES))
GUESTS = frozenset(fold(manner + animal) for manner in MANNERS for animal in ANIMALS)
WORD = re.compile("[-_]+|(?<=[a-z])(?=[A-Z])")
NUMBERS = frozenset("0123456789ols")

SHORTEST = 8
LONGEST = 128
FEWEST_SIGNS = 4
REST = 4
"""How many other characters a password that contains the name must have."""
RUNS = (
    "0123456789" * 2,
    "9876543210" * 2,
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiopasdfghjklzxcvbnm",
    "1qaz2wsx3edc4rfv",
)
CLEAR_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
# fmt: off
COMMON = frozenset((
    "11223344", "12341234", "1234qwer", "123qweasd", "1q2w3e4r", "1q2w3e4r5t", "a1b2c3d4", "abc12345", "abcd1234",
    "admin123", "asdf1234", "baseball", "butterfly", "changeme", "charlie1", "checkmate", "chess123", "chessmaster",
    "computer", "corvette", "dragon123", "einstein", "fairyhouse", "football", "football1", "grandmaster", "hello123",
    "iloveyou", "iloveyou1", "internet", "jennifer", "letmein1", "letmein123", "liverpool", "magnus123", "master123",
    "michelle", "monkey123", "mustang1", "p@ssw0rd", "p@ssword", "passw0rd", "password", "password!", "password1",
    "password12", "password123", "princess", "princess1", "q1w2e3r4", "qazwsxedc", "qwer1234", "qwerty12", "qwerty123",
    "samantha", "secret123", "shadow123", "starwars", "sunshine", "sunshine1", "superman", "test1234", "trustno1",
    "victoria", "welcome1", "welcome123", "whatever", "zaq12wsx",
))

# Within OWASP's recommendation: 24 comparisons a second; the library's default would allow 3.
HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1, hash_len=32, salt_len=16)
MAX_WAITING = 40
"""The last of them waits for two seconds."""

Done = TypeVar("Done")


class BadName(Refusal):
    """Nobody may have this name."""

    area = "problems"

def check_name(name: str) -> str:
    """The folded form of an allowed name. Raises BadName."""
    # fullmatch, because with `$` a name could end in a line feed.
    if not SHAPE.fullmatch(name):
        raise BadName("name_shape")
    folded = fold(name)
    if any(stem in GUESTS for stem in _stems(folded)):
        raise BadName("name_guest")
    if _speaks_for_the_site(name, folded):
        raise BadName("name_reserved")
    return folded

def _speaks_for_the_site(name: str, folded: str) -> bool:
    words = (stem for word in WORD.split(name) for stem in _stems(fold(word)))
    return (
        any(stem in RESERVED for stem in _stems(folded))
        or any(title in folded for title in TITLES_ANYWHERE)
        or folded.startswith(TITLES_AT_AN_END)
        or any(stem.endswith(TITLES_AT_AN_END) for stem in _stems(folded))
        or any(word in TITLES for word in words)
    )

def _stems(folded: str) -> Iterator[str]:
    """Yields the word, and the word without digits (or letters that fold to digits) or a plural s at its end."""
    yield folded
    while folded and folded[-1] in NUMBERS:
        folded = folded[:-1]
        yield folded

# fmt: on


class BadPassword(Refusal):
    """This is not allowed as a password."""

    area = "problems"


def check_password(password: str, name: str) -> None:
    """Raises BadPassword if somebody called `name` may not have this password."""
    plain = normalized(password).lower()
    if len(plain) < SHORTEST:
        raise BadPassword("password_short", n=SHORTEST)
    if len(password) > LONGEST:
        raise BadPassword("password_long", n=LONGEST)
    for one in (name.lower(), name.lower()[::-1]):
        if one in plain and len(plain.replace(one, "")) < REST:
            raise BadPassword("password_name")
    if plain in COMMON or len(set(plain)) < FEWEST_SIGNS or any(plain in run for run in RUNS):
        raise BadPassword("password_common")


def one_time_password() -> str:
    """A password to read out on the telephone: 59 bits in groups of four, without characters that look alike."""
    signs = "".join(secrets.choice(CLEAR_SIGNS) for _ in range(12))
    return "-".join(signs[start : start + 4] for start in range(0, 12, 4))


def normalized(password: str) -> str:
    """The same password however a keyboard composes its characters (Unicode NFKC)."""
    return normalize("NFKC", password)


def hash_password(password: str, hasher: PasswordHasher = HASHER) -> str:
    """The hash to store. Takes its time: see `Hashing`."""
    return hasher.hash(normalized(password))


def matches(password: str, stored: str, hasher: PasswordHasher = HASHER) -> bool:
    """Is `stored` the hash of `password`?"""
    try:
        return hasher.verify(stored, normalized(password))
    except (Argon2Error, InvalidHashError):
        return False


@cache
def nobodys_hash(hasher: PasswordHasher) -> str:
    """The hash with which a password is compared if there is no such account."""
    return hash_password("nobody's password", hasher)


class Hashing:
    """Hashes passwords without blocking the event loop. `close` it when the site stops."""

    def __init__(self, hasher: PasswordHasher = HASHER) -> None:
        self._hasher = hasher
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="argon2")
        self._queue = FairQueue(1, MAX_WAITING)
        self._closed = False
        # In the thread, where it is ready before the first comparison: a server that starts does not wait for it.
        self._nobodys_hash = self._thread.submit(nobodys_hash, hasher)

    async def hash(self, password: str, caller: str = "", *, known: bool = True) -> str:
        """The hash to store. `caller`, `known`: as `matches` has them. Raises Problem (503)."""
        return await self._run(lambda: hash_password(password, self._hasher), caller, known)

    async def matches(self, password: str, stored: str, caller: str = "", *, known: bool = True) -> bool:
        """Is `stored` the hash of `password`? "", for a missing account, takes as long.

        `caller`: the address that asks. `known`: the owner has signed in from there, or is signed in. Raises
        Problem (503).
        """
        same = await self._run(
            lambda: matches(password, stored or self._nobodys_hash.result(), self._hasher), caller, known
        )
        return same and stored != ""

    def outdated(self, stored: str) -> bool:
        """Was it made with other parameters than a new one would be?"""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        """Finishes what is being hashed; the rest, and whoever comes now, is told to come back."""
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[], Done], caller: str, known: bool) -> Done:
        try:
            async with self._queue.place(caller, first=known):
                if self._closed:
                    raise _busy()
                return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except QueueFull:
            raise _busy() from None


def _busy() -> Problem:
    return Problem(503, "sign_in_busy", retry_after=5)
