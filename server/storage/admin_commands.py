"""Commands that the host leaves for the running server, which has the SQLite file locked.

Each is a small file in a folder that only the host can write to. The server looks there every second and puts its
answer beside it. Files need no port and no privileges, and work wherever the store does. A command contains no
password, only its hash. The age of a file is measured by the file system, so the clocks of host and server may differ.
"""

import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import get_args

FRESH_S = 60.0
"""Nobody waits for older commands any more; carrying them out would come as a surprise."""
LEFT_BEHIND_S = 24 * 60 * 60
"""Copies that nobody has fetched or written to for this long are removed."""


@dataclass(frozen=True, slots=True)
class ResetPassword:
    """Give the account of that name a one-time password (here its hash)."""

    name: str
    password: str


@dataclass(frozen=True, slots=True)
class MakeCopy:
    """Copy everything that is stored to the command's `copy_path`."""


@dataclass(frozen=True, slots=True)
class DeleteGame:
    """Delete a game for good; unless `sure`, only say what would be deleted."""

    game: str
    sure: bool


@dataclass(frozen=True, slots=True)
class DeletePlayer:
    """Delete the account of that name; `sure` as above."""

    name: str
    sure: bool


@dataclass(frozen=True, slots=True)
class DeleteProfileText:
    """Delete what the account of that name says about itself; `sure` as above."""

    name: str
    sure: bool


@dataclass(frozen=True, slots=True)
class DeleteImports:
    """Delete games imported more than `days` ago (0: of any age) by `name` ("": by anybody)."""

    days: int
    name: str
    sure: bool


@dataclass(frozen=True, slots=True)
class PostNotice:
    """Show everybody what the host has to say; the times are those of `SiteNotice`."""

    text: str
    posted: int
    until: int
    restarts: int = 0


@dataclass(frozen=True, slots=True)
class RemoveNotice:
    """Show it no longer."""


@dataclass(frozen=True, slots=True)
class ListReports:
    """Say what people have told the host and what is still open."""


@dataclass(frozen=True, slots=True)
class CloseReport:
    """The host has dealt with that report (an id)."""

    report: str


@dataclass(frozen=True, slots=True)
class ClaimHost:
    """Who opens the link whose code has this SHA-256 becomes a host."""

    claim: str


@dataclass(frozen=True, slots=True)
class GiveRole:
    """Give the account of that name a role at the host's desk, "" for none."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class ListRoles:
    """Say who has which role."""


@dataclass(frozen=True, slots=True)
class ChooseJoining:
    """Say who may make an account, what guests may do, and what is asked; "": as it is."""

    sign_up: str
    guests: str
    question: str | None


@dataclass(frozen=True, slots=True)
class ListJoining:
    """Say who may join, and who asks to."""


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """Let who asked to join by that name in, or not, with the reason that they read."""

    name: str
    accept: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Invite:
    """Make an invitation with that code, for that many people (0: any number), until then (ms)."""

    code: str
    note: str
    uses: int
    made: int
    until: int


@dataclass(frozen=True, slots=True)
class ListInvitations:
    """List the invitations that are good."""


@dataclass(frozen=True, slots=True)
class EndInvitation:
    """The invitation with that code is good no longer."""

    code: str


@dataclass(frozen=True, slots=True)
class ImposeSanction:
    """Decide about the account of that name: a measure, for a reason, for so long ("": as usual), in words."""

    name: str
    measure: str
    reason: str
    length: str
    words: str


@dataclass(frozen=True, slots=True)
class Pardon:
    """Lift all that was decided about the account of that name."""

    name: str


@dataclass(frozen=True, slots=True)
class ListSanctions:
    """Say what was decided about people and holds."""


@dataclass(frozen=True, slots=True)
class AdmitAddress:
    """Let accounts use that mail address again, although one that was shut out had it when it was deleted."""

    address: str


@dataclass(frozen=True, slots=True)
class ExportPerson:
    """Say all that is kept about the account of that name, as JSON."""

    name: str


@dataclass(frozen=True, slots=True)
class KeepPuzzles:
    """Keep what was found in a game of a variant at `at` (ms): the fields of stored puzzles."""

    game: str
    variant: str
    at: int
    puzzles: list[dict[str, int | str]]


@dataclass(frozen=True, slots=True)
class ListPuzzles:
    """List the puzzles of a variant ("": of any)."""

    variant: str


@dataclass(frozen=True, slots=True)
class RemovePuzzles:
    """Remove those with these ids, or all of a variant ("": of any); `sure` as above."""

    puzzles: list[str]
    variant: str
    sure: bool


PuzzleCommand = KeepPuzzles | ListPuzzles | RemovePuzzles
Deletion = DeleteGame | DeletePlayer | DeleteProfileText | DeleteImports
DeskCommand = ClaimHost | GiveRole | ListRoles
JoiningCommand = ChooseJoining | ListJoining | AnswerRequest | Invite | ListInvitations | EndInvitation
SanctionCommand = ImposeSanction | Pardon | ListSanctions
PersonCommand = AdmitAddress | ExportPerson
StoreCommand = (
    ResetPassword
    | Deletion
    | PostNotice
    | RemoveNotice
    | ListReports
    | CloseReport
    | DeskCommand
    | JoiningCommand
    | SanctionCommand
    | PersonCommand
    | PuzzleCommand
)
"""What any process can do that has the store."""
AdminCommand = MakeCopy | StoreCommand
COMMANDS = {kind.__name__: kind for kind in get_args(AdminCommand)}


def author_of(number: str) -> str:
    """By whom the command with that number is."""
    return number.partition("-")[2]


SECRETS = ("password", "claim", "code", "address", "puzzles")
"""Fields that no log has: the last are only long."""


def only_reads(command: AdminCommand) -> bool:
    """Whether the command changes nothing of what is stored."""
    if isinstance(command, Deletion | RemovePuzzles):
        return not command.sure
    return isinstance(
        command, MakeCopy | ListReports | ListRoles | ListSanctions | ListJoining | ListInvitations | ListPuzzles
    )


def described(command: AdminCommand) -> str:
    """The command for the log, such as `DeleteGame game=… sure=True`, without passwords and whole puzzles."""
    fields = {name: value for name, value in asdict(command).items() if name not in SECRETS}
    return " ".join([type(command).__name__, *(f"{name}={value!r}" for name, value in fields.items())])


class CommandFailed(Exception):
    """The server could not carry out a command; the message says why."""


class AdminCommands:
    """The folder of commands."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def submit(self, command: AdminCommand, by: str = "somebody") -> str:
        """Submits a command and returns its number, which says by whom it is (`author_of`) in characters that a file
        name may have. Removes copies that nobody fetched. Raises OSError.
        """
        self._folder.mkdir(mode=0o700, exist_ok=True)
        for path in self._folder.glob("*.copy"):
            if self._age_s(path) > LEFT_BEHIND_S:
                path.unlink(missing_ok=True)
        number = f"{secrets.token_hex(8)}-{by}"
        self._write(f"{number}.order", json.dumps({"deed": type(command).__name__, **asdict(command)}))
        return number

    def copy_path(self, number: str) -> Path:
        """Where the server writes the copy for that command; the process that gave the command removes the file."""
        return self._folder / f"{number}.copy"

    def answer(self, number: str) -> str | None:
        """The server's answer, which is then removed; None if there is none yet. Raises CommandFailed."""
        path = self._folder / f"{number}.answer"
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        path.unlink()
        answer = json.loads(text)
        if not answer["done"]:
            raise CommandFailed(answer["text"])
        return str(answer["text"])

    def withdraw(self, number: str) -> None:
        """Removes the command: nobody waits for it any more."""
        (self._folder / f"{number}.order").unlink(missing_ok=True)

    def take(self) -> Iterator[tuple[str, AdminCommand]]:
        """The pending commands and their numbers, each given once. Stale and unreadable ones are removed."""
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
        """Answers that the command was carried out. Raises OSError."""
        self._answer(number, text, done=True)

    def refuse(self, number: str, why: str) -> None:
        """Answers that the command could not be carried out. Raises OSError."""
        self._answer(number, why, done=False)

    def _answer(self, number: str, text: str, *, done: bool) -> None:
        self._write(f"{number}.answer", json.dumps({"done": done, "text": text}))

    def _age_s(self, path: Path) -> float:
        """How long ago a file was written, by the clock of the file system. Raises OSError."""
        with TemporaryFile(dir=self._folder) as written_now:
            return os.fstat(written_now.fileno()).st_mtime - path.stat().st_mtime

    def _write(self, name: str, text: str) -> None:
        # Atomic: the other side must not read half a file.
        draft = self._folder / f"{name}.draft"
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        draft.replace(self._folder / name)
