"""`backup FILE` and `restore FILE`: the embedded store as one file, with the server running or stopped.

A backup is the SQLite file itself, so every release from the one that wrote it onwards can open it. To move to another
engine there is `export`.
"""

import asyncio
import os
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

from server.backends import admin_commands_of, sqlite_path
from server.host.site_access import ANSWER_S, LOOK_S, WAIT_MS, CommandRefused, require_site, submit
from server.settings import Settings
from server.storage.admin_commands import AdminCommands, CommandFailed, MakeCopy
from server.storage.errors import InUse, Unavailable
from server.storage.sqlite.copy import Unusable, check, copy_unused, put_in_place, sync_folder

NO_GROWTH_S = 60.0
"""If a copy has not grown for so long, nobody is writing it."""


def back_up(settings: Settings, file: Path, replace: bool) -> None:
    """Writes a checked copy of everything the site has stored, readable only by its owner. Raises CommandRefused."""
    require_sqlite(settings, "mongodump makes copies of it, and export one that any host can import")
    require_site(settings)
    if file.exists() and not replace:
        raise CommandRefused(f"{file} exists already. Choose another name, or add --replace.")
    draft = file.with_name(f"{file.name}.draft")
    try:
        draft.unlink(missing_ok=True)
        asyncio.run(copy_site(settings, draft))
        publish(draft, file)
    except OSError as error:
        raise CommandRefused(f"{file} cannot be written ({error.strerror}).") from None
    finally:
        draft.unlink(missing_ok=True)
    sys.stderr.write(f"{file} holds all that the site had stored. Keep it as secret as the site's own file.\n")


def restore(settings: Settings, file: Path, replace: bool) -> None:
    """Replaces what the site has stored by `file`. Raises CommandRefused; then nothing has changed."""
    require_sqlite(settings, "mongorestore and import write to it")
    path = replaceable_file(settings, replace)
    aside = former_path(path)
    try:
        check(file)
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        put_in_place(file, path, aside, WAIT_MS)
    except (Unusable, Unavailable) as error:
        raise CommandRefused(f"{error} Nothing was changed.") from None
    except OSError as error:
        raise CommandRefused(f"{path} cannot be written ({error.strerror}). Nothing was changed.") from None
    if aside.exists():
        sys.stderr.write(f"What was there before is now in {aside}.\n")
    sys.stderr.write(f"The site in {settings.data_dir.absolute()} has been restored from {file}.\n")


def replaceable_file(settings: Settings, replace: bool) -> Path:
    """Where the site's file is. Raises CommandRefused if there is one, unless it may be replaced."""
    path = sqlite_path(settings)
    if path.exists() and not replace:
        raise CommandRefused(
            f"There is already a site in {settings.data_dir.absolute()}. Add --replace to put it aside."
        )
    return path


def former_path(path: Path) -> Path:
    """Where the site's former file is kept."""
    return path.with_name(f"{path.stem}.until-{datetime.now(UTC):%Y%m%d-%H%M%S}{path.suffix}")


def require_sqlite(settings: Settings, instead: str) -> None:
    """Raises CommandRefused if the site is not kept in a file."""
    if settings.mongodb_uri:
        raise CommandRefused(f"MONGODB_URI is set, so this site is kept in MongoDB: {instead}.")


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
    raise CommandRefused(f"{why} That server does not answer.")


def size_of(path: Path) -> int:
    """Bytes of the file; 0 if there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def publish(draft: Path, file: Path) -> None:
    """Puts what is written to `draft` at the path `file`, for good when this returns. Raises OSError."""
    with draft.open("rb+") as written:
        os.fsync(written.fileno())
    draft.replace(file)
    sync_folder(file.absolute().parent)
