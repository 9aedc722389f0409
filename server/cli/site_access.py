"""How a command gets at what the site has stored, and how it asks the running server to do something.

The SQLite file belongs to the running server alone: a command opens the file if no server has it, and otherwise leaves
an admin command for the server. Only a server upgrades the file. What a command only reads, it reads where it is, or
in a copy if the file is older or in use. Knows no particular command.
"""

import asyncio
import fcntl
import os
import pwd
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

from server import backends
from server.backends import admin_commands_of, sqlite_path
from server.cli.audit import operator
from server.language import about_variant_file
from server.realtime.cluster.bus import Deleted
from server.realtime.runtime.timers import Now
from server.rules.catalogue import load_catalogue
from server.rules.errors import InvalidVariant
from server.rules.variant.variant import Variant
from server.settings import Settings
from server.storage.admin_commands import (
    AdminCommand,
    AdminCommands,
    CommandFailed,
    MakeCopy,
    StoreCommand,
    only_reads,
)
from server.storage.errors import InUse, StoreError, Unavailable
from server.storage.sqlite.copy import Unusable, check, copy_unused, lacks_room, version_unused
from server.storage.sqlite.scripts import SCRIPTS
from server.storage.sqlite.store import SqliteStore
from server.storage.stores import Store
from server.web.operation.host_commands import carry_out_command

WAIT_MS: Final = 200
"""A server that has the file keeps it, so waiting for it is no use."""
ANSWER_S: Final = 10.0
LOOK_S: Final = 0.1
NO_GROWTH_S: Final = 60.0
"""If a copy has not grown for so long, nobody is writing it."""
OTHER_RELEASE: Final = "If it is of another release, use the commands of that release (docs/upgrade.md)."

Variants = Mapping[str, Variant]
Opened = TypeVar("Opened", bound=Store)


class CommandRefused(Exception):
    """The command was not carried out; the message says why, and what to do."""


# --- asking the site ------------------------------------------------------------------------------------------------


async def carried_out(settings: Settings, command: StoreCommand) -> str:
    """What is said (`host_commands`) of the command when this process, or the server that has the file, has done it.

    Raises CommandRefused.
    """
    gone: list[Deleted] = []
    try:
        async with opened_for(settings, command) as store:
            return await carry_out_command(store, command, Now()(), settings.address, gone.append, operator())
    except InUse as error:
        admin_commands = admin_commands_of(settings)
        return await await_answer(admin_commands, submit(admin_commands, command, str(error)), str(error))
    finally:
        await backends.tell_servers(settings, gone)


@asynccontextmanager
async def opened_for(settings: Settings, command: StoreCommand) -> AsyncIterator[Store]:
    """The store for `command`, closed at the end; a copy of it if the file is older and the command only reads.

    Raises InUse, and CommandRefused for every other error of the store.
    """
    if only_reads(command) and (settings.mongodb_uri or await is_older(settings)):
        with place_for_copy(settings, "command") as copied:
            async with opened_to_read(settings, copied) as store:
                yield store
    else:
        async with opened_store(settings) as store:
            yield store


@asynccontextmanager
async def opened_store(settings: Settings) -> AsyncIterator[Store]:
    """The site's store, closed at the end. Raises InUse, and CommandRefused for every other error of the store, also if
    an earlier release has written the file.
    """
    variants = catalogue(settings)
    if not settings.mongodb_uri and await is_older(settings):
        raise CommandRefused(
            f"{sqlite_path(settings)} was written by an earlier release, and only the server upgrades it. Start the"
            " server of this release first, or use the command of the release before (docs/upgrade.md)."
        )
    try:
        async with closed_after(await backends.open_store(settings, variants, WAIT_MS)) as store:
            yield store
    except InUse:
        raise
    except StoreError as error:
        raise CommandRefused(str(error)) from None


async def is_older(settings: Settings) -> bool:
    """Has an earlier release written the SQLite file? Raises InUse, CommandRefused."""
    require_site(settings)
    try:
        return await asyncio.to_thread(version_unused, sqlite_path(settings), WAIT_MS) < len(SCRIPTS)
    except InUse:
        raise
    except Unavailable as error:
        raise CommandRefused(str(error)) from None


@asynccontextmanager
async def closed_after(store: Opened) -> AsyncIterator[Opened]:
    """The store, closed at the end."""
    try:
        yield store
    finally:
        await store.close()


def catalogue(settings: Settings) -> Variants:
    """The variants of the site. Raises CommandRefused."""
    try:
        return load_catalogue(settings.variants_dir)
    except InvalidVariant as error:
        raise CommandRefused(about_variant_file(error)) from None


def require_site(settings: Settings) -> None:
    """Raises CommandRefused if there is no embedded store, or not for the user of this process."""
    require_owner(settings)
    if not sqlite_path(settings).exists():
        raise CommandRefused(
            f"There is no site in {settings.data_dir.absolute()}. Set FAIRYHOUSE_DATA_DIR as for the server."
        )


def require_owner(settings: Settings) -> None:
    """Raises CommandRefused unless FAIRYHOUSE_DATA_DIR belongs to the user of this process, or is not there.

    The server could not read what root leaves there, and another user can read nothing.
    """
    try:
        owner = settings.data_dir.stat().st_uid
    except FileNotFoundError:
        return
    except OSError as error:
        raise CommandRefused(f"{settings.data_dir.absolute()} cannot be used ({error.strerror}).") from None
    if owner != os.getuid():
        try:
            name = pwd.getpwuid(owner).pw_name
        except KeyError:
            name = f"#{owner}"
        raise CommandRefused(
            f"{settings.data_dir.absolute()} belongs to the user {name}. Run this command as that user, for instance"
            f" by `sudo -u '{name}'` with the settings of the server."
        )


# --- asking the running server --------------------------------------------------------------------------------------


def submit(admin_commands: AdminCommands, command: AdminCommand, why: str) -> str:
    """Leaves `command` for the server and returns its number. Raises CommandRefused."""
    try:
        return admin_commands.submit(command, operator())
    except OSError as error:
        raise CommandRefused(f"{why} No command can be left for it either: {error.strerror}.") from None


async def await_answer(admin_commands: AdminCommands, number: str, why: str) -> str:
    """Waits for the server's answer. `why`: what kept this process from doing it. Raises CommandRefused."""
    for _ in range(round(ANSWER_S / LOOK_S)):
        await asyncio.sleep(LOOK_S)
        try:
            answer = admin_commands.answer(number)
        except CommandFailed as error:
            raise CommandRefused(str(error)) from None
        if answer is not None:
            return answer
    admin_commands.withdraw(number)
    raise CommandRefused(f"{why} That server did not answer within {ANSWER_S:.0f} seconds. {OTHER_RELEASE}")


# --- copies of the SQLite file --------------------------------------------------------------------------------------


@contextmanager
def place_for_copy(settings: Settings, command: str) -> Iterator[Path]:
    """The path to which `command` may copy the SQLite file while it runs, whatever runs beside it; unused with MongoDB.

    Raises CommandRefused, also if the copy does not fit, or would leave too little room for the site.
    """
    file = sqlite_path(settings)
    if settings.mongodb_uri:
        yield file
        return
    require_site(settings)
    try:
        with own_folder(file.parent, f"fairyhouse.{command}.copy-") as folder:
            # What killed commands have left takes no room any more.
            if lacks_room(file):
                raise CommandRefused(
                    f"The {command} needs a copy of {file} beside it, and the disk has not twice the room of that file."
                )
            yield folder / file.name
    except OSError as error:
        raise CommandRefused(
            f"No copy of {file} can be written beside it ({error.strerror}): the {command} needs room for one."
        ) from None


@contextmanager
def own_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A folder in `parent` that no other process uses, removed at the end with all in it.

    What processes that were killed have left under such names is removed too. Raises OSError.
    """
    with ExitStack() as held:
        with locked(parent):
            for left in parent.glob(f"{prefix}*"):
                # Whoever uses it may be removing it just now.
                with suppress(BlockingIOError, FileNotFoundError), locked(left, fcntl.LOCK_NB):
                    shutil.rmtree(left)
            folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
            held.enter_context(locked(folder))
            held.callback(shutil.rmtree, folder, ignore_errors=True)
        yield folder


@contextmanager
def locked(folder: Path, more: int = 0) -> Iterator[None]:
    """Holds the lock of the folder, which ends with this process. Raises OSError: BlockingIOError for LOCK_NB."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | more)
        yield
    finally:
        os.close(descriptor)


@asynccontextmanager
async def opened_to_read(settings: Settings, copied: Path) -> AsyncIterator[Store]:
    """The site's store or a copy of it at `copied`, closed at the end. Raises CommandRefused, OSError."""
    variants = catalogue(settings)
    try:
        await copy_if_file(settings, copied)
        async with closed_after(await open_to_read(settings, variants, copied)) as store:
            yield store
    except StoreError as error:
        raise CommandRefused(str(error)) from None


async def copy_if_file(settings: Settings, copied: Path) -> None:
    """Copies the SQLite file, whatever is wrong with it; does nothing for MongoDB.

    Raises CommandRefused, Unavailable, OSError.
    """
    if not settings.mongodb_uri:
        require_site(settings)
        await copy_unchecked(settings, copied)


async def open_to_read(settings: Settings, variants: Variants, copied: Path) -> Store:
    """Opens the site's store, with nothing changed in it, or the copy that `copy_if_file` made. Raises Unavailable."""
    if settings.mongodb_uri:
        store: Store = await backends.open_unprepared(settings, variants)
        return store
    return await SqliteStore.open(copied, variants, WAIT_MS)


async def copy_site(settings: Settings, to: Path) -> None:
    """Copies the site's file to `to`, checked. Raises CommandRefused, OSError."""
    try:
        await copy_unchecked(settings, to)
        await asyncio.to_thread(check, to)
    except Unusable as error:
        raise CommandRefused(f"The copy cannot be used: {error}") from None
    except Unavailable as error:
        raise CommandRefused(str(error)) from None


async def copy_unchecked(settings: Settings, to: Path) -> None:
    """Copies the site's file to `to`, whatever is wrong with it. Raises CommandRefused, Unavailable, OSError."""
    try:
        await asyncio.to_thread(copy_unused, sqlite_path(settings), to, WAIT_MS)
    except InUse as error:
        await copy_on_server(admin_commands_of(settings), to, str(error))


async def copy_on_server(admin_commands: AdminCommands, to: Path, why: str) -> None:
    """Has the server that holds the file copy it. `why`: what hindered this process. Raises CommandRefused, OSError."""
    number = submit(admin_commands, MakeCopy(), why)
    copied = admin_commands.copy_path(number)
    try:
        await await_copy(admin_commands, number, why)
        await asyncio.to_thread(shutil.move, copied, to)
    except CommandFailed as error:
        raise CommandRefused(f"The server made no copy. {error}") from None
    finally:
        copied.unlink(missing_ok=True)


async def await_copy(admin_commands: AdminCommands, number: str, why: str) -> None:
    """Waits for the server's answer as long as the copy grows. Raises CommandFailed, CommandRefused."""
    patience, size = ANSWER_S, -1
    while patience > 0:
        await asyncio.sleep(LOOK_S)
        patience -= LOOK_S
        if admin_commands.answer(number) is not None:
            return
        grown = size_of(admin_commands.copy_path(number))
        if grown > size:
            patience, size = NO_GROWTH_S if grown else ANSWER_S, grown
    admin_commands.withdraw(number)
    raise CommandRefused(f"{why} That server does not answer. {OTHER_RELEASE}")


def size_of(path: Path) -> int:
    """Bytes of the file; 0 if there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
