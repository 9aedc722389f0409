"""Commands that the host leaves for the running server, which keeps the SQLite file to itself.

One small file for each in a folder that only the host can write; the server looks there every second and puts its
answer beside it. Files need no port and no privilege, and work wherever the store itself works. A command holds no
password, only its hash. How old a file is, is asked of the file system alone: the clocks of the command and of the
server need not agree. Knows nothing of what a command does.
"""

import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryFile

FRESH_S = 60.0
"""Nobody waits for an older command any more; carried out later, it would surprise."""
LEFT_BEHIND_S = 24 * 60 * 60
"""A copy that nobody has fetched in this time, or goes on making, is not wanted any more."""


@dataclass(frozen=True, slots=True)
class ResetPassword:
    """The account of that name gets a password for one time."""

    name: str
    password: str


@dataclass(frozen=True, slots=True)
class MakeCopy:
    """All that the site has stored is put into the file `copy_path` of this command."""


@dataclass(frozen=True, slots=True)
class DeleteGame:
    """A game goes for good; not `sure`: it is only told what would go."""

    game: str
    sure: bool


@dataclass(frozen=True, slots=True)
class DeletePlayer:
    """The account of that name goes, and the person has left; `sure` as above."""

    name: str
    sure: bool


@dataclass(frozen=True, slots=True)
class DeleteImports:
    """Games from files go: those taken in before the last `days` (0: of any age), brought by `name` ("": anybody)."""

    days: int
    name: str
    sure: bool


Deletion = DeleteGame | DeletePlayer | DeleteImports
AdminCommand = ResetPassword | MakeCopy | Deletion
COMMANDS = {kind.__name__: kind for kind in (ResetPassword, MakeCopy, DeleteGame, DeletePlayer, DeleteImports)}


class NotDone(Exception):  # noqa: N818 - says what is so
    """The server could not carry out a command; the message says why."""


class AdminCommands:
    """The folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def submit(self, command: AdminCommand) -> str:
        """Put it down; returns its number. Copies that nobody fetched go. Raises OSError."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        for path in self._folder.glob("*.copy"):
            if self._age_s(path) > LEFT_BEHIND_S:
                path.unlink(missing_ok=True)
        number = secrets.token_hex(8)
        self._write(f"{number}.order", json.dumps({"deed": type(command).__name__, **asdict(command)}))
        return number

    def copy_path(self, number: str) -> Path:
        """Where that command has its copy made; whoever gave the command removes it."""
        return self._folder / f"{number}.copy"

    def answer(self, number: str) -> str | None:
        """The server's answer, which is then forgotten; None: there is none yet. Raises NotDone."""
        path = self._folder / f"{number}.answer"
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        path.unlink()
        answer = json.loads(text)
        if not answer["done"]:
            raise NotDone(answer["text"])
        return str(answer["text"])

    def withdraw(self, number: str) -> None:
        """Nobody waits for it any more."""
        (self._folder / f"{number}.order").unlink(missing_ok=True)

    def take(self) -> Iterator[tuple[str, AdminCommand]]:
        """The commands to carry out now, each with its number; each is given once. What is stale or unreadable goes."""
        for path in sorted(self._folder.glob("*.order")):
            try:
                fields = json.loads(path.read_text(encoding="utf-8"))
                command: AdminCommand = COMMANDS[fields.pop("deed")](**fields)
                fresh = abs(self._age_s(path)) <= FRESH_S
            except (OSError, ValueError, TypeError, LookupError, AttributeError):
                fresh = False
            path.unlink(missing_ok=True)
            if fresh:
                yield path.stem, command

    def reply(self, number: str, text: str) -> None:
        """The command of that number was carried out. Raises OSError."""
        self._answer(number, text, done=True)

    def refuse(self, number: str, why: str) -> None:
        """The command of that number could not be carried out. Raises OSError."""
        self._answer(number, why, done=False)

    def _answer(self, number: str, text: str, *, done: bool) -> None:
        self._write(f"{number}.answer", json.dumps({"done": done, "text": text}))

    def _age_s(self, path: Path) -> float:
        """How long ago a file of the folder was written, by the clock of whatever keeps the folder. Raises OSError."""
        with TemporaryFile(dir=self._folder) as written_now:
            return os.fstat(written_now.fileno()).st_mtime - path.stat().st_mtime

    def _write(self, name: str, text: str) -> None:
        # Whole or not at all: the other side must not read half a file.
        draft = self._folder / f"{name}.draft"
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        draft.replace(self._folder / name)
