"""Orders that the host leaves by the command line for the server which keeps the SQLite file to itself.

One small file for each in a folder that only the host can write; the server looks there every second and puts its
answer beside it. Files need no port and no privilege, and work wherever the store itself works. An order holds no
password, only its hash. Knows nothing of what an order does.
"""

import json
import os
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

FRESH_MS = 60_000
"""Nobody waits for an older order any more; carried out later, it would surprise."""
LEFT_BEHIND_S = 24 * 60 * 60
"""A copy that nobody has fetched in this time, or goes on making, is not wanted any more."""


@dataclass(frozen=True, slots=True)
class ResetPassword:
    """The account of the folded name gets a password for one time. `at`: when it was asked for, ms since the epoch."""

    folded: str
    password: str
    at: int


@dataclass(frozen=True, slots=True)
class MakeCopy:
    """All that the site has stored is put into the file `copy_path` of this order. `at`: as above."""

    at: int


Order = ResetPassword | MakeCopy
DEEDS = {deed.__name__: deed for deed in (ResetPassword, MakeCopy)}


class Orders:
    """The folder. `now` gives ms since the epoch."""

    def __init__(self, folder: Path, now: Callable[[], int]) -> None:
        self._folder = folder
        self._now = now

    def leave(self, folded: str, password: str) -> str:
        """Put down an order for a new password; returns the order's number. Raises OSError."""
        return self._leave(ResetPassword(folded, password, self._now()))

    def leave_copy(self) -> str:
        """Order a copy of all that is stored; returns the order's number. Raises OSError."""
        for path in self._folder.glob("*.copy"):
            if time.time() - path.stat().st_mtime > LEFT_BEHIND_S:
                path.unlink(missing_ok=True)
        return self._leave(MakeCopy(self._now()))

    def _leave(self, order: Order) -> str:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        number = secrets.token_hex(8)
        self._write(f"{number}.order", json.dumps({"deed": type(order).__name__, **asdict(order)}))
        return number

    def copy_path(self, number: str) -> Path:
        """Where the copy of that order is made; whoever gave the order removes it."""
        return self._folder / f"{number}.copy"

    def answer(self, number: str) -> str | None:
        """The server's answer, which is then forgotten; None: there is none yet."""
        path = self._folder / f"{number}.answer"
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        path.unlink()
        return text

    def withdraw(self, number: str) -> None:
        """Nobody waits for it any more."""
        (self._folder / f"{number}.order").unlink(missing_ok=True)

    def take(self) -> Iterator[tuple[str, Order]]:
        """The orders to carry out now, each with its number; each is given once. What is stale or unreadable goes."""
        for path in sorted(self._folder.glob("*.order")):
            try:
                fields = json.loads(path.read_text(encoding="utf-8"))
                order: Order = DEEDS[fields.pop("deed")](**fields)
                fresh = abs(self._now() - order.at) <= FRESH_MS
            except (OSError, ValueError, TypeError, LookupError, AttributeError):
                fresh = False
            path.unlink(missing_ok=True)
            if fresh:
                yield path.stem, order

    def reply(self, number: str, text: str) -> None:
        """Answer the order of that number. Raises OSError."""
        self._write(f"{number}.answer", text)

    def _write(self, name: str, text: str) -> None:
        # Whole or not at all: the other side must not read half a file.
        draft = self._folder / f"{name}.draft"
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        draft.replace(self._folder / name)
