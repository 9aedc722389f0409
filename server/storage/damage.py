"""Damaged records: they are skipped, counted, and logged once each.

One bad record must not keep the site from starting, or a page from showing the others. `fairyhouse check` lists
everything that is wrong; the log only says that something is.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from operator import itemgetter
from typing import Any, Final, TypeVar

from server.rules.errors import Refusal
from server.rules.sliced_work import SlicedWork, run_at_once
from server.storage.errors import Unreadable

log = logging.getLogger(__name__)

WRONG = (LookupError, TypeError, ValueError, OverflowError, AttributeError, Refusal)
"""What reading a damaged record may raise."""
SECRET = frozenset({"addresses", "devices", "held", "invitations", "invited", "sessions", "studies", "study_members"})
"""Kinds whose keys are secret; the log shows a digest."""
MAX_NAMED = 1_000
"""More are neither logged nor counted: then the disk is broken, not a record."""
BY_ID: Final[Callable[[Any], object]] = itemgetter("_id")
"""How most records are named."""

Stored = TypeVar("Stored")
Made = TypeVar("Made")


class Damage:
    """The damaged records that one open store has found. `found`: how many of each kind."""

    def __init__(self) -> None:
        self.found: Counter[str] = Counter()
        self._named: set[tuple[str, str]] = set()

    def note(self, kind: str, key: object, reason: object) -> None:
        """Counts and logs a record that cannot be read; repeating it changes nothing."""
        told = printable_key(kind, key)
        if (kind, told) in self._named or len(self._named) >= MAX_NAMED:
            return
        self._named.add((kind, told))
        self.found[kind] += 1
        log.error("%s %s cannot be read and is left out (%s). `fairyhouse check` tells what to do.", kind, told, reason)

    def found_in(self, kind: str, key: object) -> bool:
        """Was the record of that key found to be damaged before?"""
        return (kind, printable_key(kind, key)) in self._named

    def readable(
        self,
        kind: str,
        stored: Iterable[Stored],
        read: Callable[[Stored], Made],
        key: Callable[[Any], object] = BY_ID,
    ) -> list[Made]:
        """The results of `read` for all of `stored` that it can read; `key` names the others in the log."""
        return run_at_once(self.readable_sliced(kind, stored, read, key))

    def readable_sliced(
        self,
        kind: str,
        stored: Iterable[Stored],
        read: Callable[[Stored], Made],
        key: Callable[[Any], object] = BY_ID,
    ) -> SlicedWork[list[Made]]:
        """The same, with a pause after each: there can be thousands."""
        made = []
        for one in stored:
            try:
                made.append(read(one))
            except (*WRONG, Unreadable) as error:
                self.note(kind, _key(one, key), reason(error))
            yield
        return made

    @contextmanager
    def noted(self, kind: str, key: object) -> Iterator[None]:
        """Notes an error that reading raises within, and raises it as Unreadable."""
        try:
            yield
        except WRONG as error:
            self.note(kind, key, reason(error))
            raise Unreadable(f"{kind} {printable_key(kind, key)} cannot be read ({reason(error)}).") from error
        except Unreadable as error:
            self.note(kind, key, error)
            raise


def printable_key(kind: str, key: object) -> str:
    """The key as the log may show it."""
    return sha256(str(key).encode()).hexdigest()[:12] if kind in SECRET else repr(key)[:80].strip("'")


def reason(error: Exception) -> str:
    """For the log: the kind of the error and what it says, 200 characters at most."""
    return f"{type(error).__name__}: {error}"[:200]


def _key(one: object, key: Callable[[Any], object]) -> object:
    try:
        return key(one)
    except WRONG:
        return "without a name"
