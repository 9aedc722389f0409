"""`backup FILE` and `restore FILE`: the embedded store as one file, with the server running or stopped.

A backup is the SQLite file itself, so every release from the one that wrote it onwards can open it. To move to another
engine there is `export`.
"""

import asyncio
import os
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from server.backends import sqlite_path
from server.cli.site_access import WAIT_MS, CommandRefused, copy_site, require_owner, require_site
from server.settings import Settings
from server.storage.errors import Unavailable
from server.storage.sqlite.copy import Unusable, check, put_in_place, sync_folder


def back_up(settings: Settings, file: Path, replace: bool) -> None:
    """Writes a checked copy of everything the site has stored, readable only by its owner. Raises CommandRefused."""
    require_sqlite(settings, "mongodump makes copies of it, and export one that any host can import")
    require_site(settings)
    draft = file.with_name(f"{file.name}.draft")
    try:
        if file.exists() and not replace:
            raise CommandRefused(f"{file} exists already. Choose another name, or add --replace.")
        draft.unlink(missing_ok=True)
        asyncio.run(copy_site(settings, draft))
        publish(draft, file)
    except OSError as error:
        raise CommandRefused(f"{file} cannot be written ({error.strerror}).") from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    sys.stderr.write(f"{file} holds all that the site had stored. Keep it as secret as the site's own file.\n")


def restore(settings: Settings, file: Path, replace: bool) -> None:
    """Replaces what the site has stored by `file`. Raises CommandRefused; then nothing has changed."""
    require_sqlite(settings, "mongorestore and import write to it")
    path = replaceable_file(settings, replace)
    aside = former_path(path)
    if not os.access(file, os.R_OK):
        raise CommandRefused(f"{file} is not there, or this user may not read it. Nothing was changed.")
    try:
        check(file)
        make_folder(settings)
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
    require_owner(settings)
    path = sqlite_path(settings)
    if path.exists() and not replace:
        raise CommandRefused(
            f"There is already a site in {settings.data_dir.absolute()}. Add --replace to put it aside."
        )
    return path


def make_folder(settings: Settings) -> None:
    """Makes the folder of the site, for its owner only, if it is not there. Raises CommandRefused."""
    folder = settings.data_dir.absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CommandRefused(
            f"{folder} is not there and cannot be made ({error.strerror}). Make it, for the server's user alone"
            " (docs/install.md); nothing was changed."
        ) from None


def former_path(path: Path) -> Path:
    """Where the site's former file is kept."""
    return path.with_name(f"{path.stem}.until-{datetime.now(UTC):%Y%m%d-%H%M%S}{path.suffix}")


def require_sqlite(settings: Settings, instead: str) -> None:
    """Raises CommandRefused if the site is not kept in a file."""
    if settings.mongodb_uri:
        raise CommandRefused(f"FAIRYHOUSE_MONGODB_URI is set, so this site is kept in MongoDB: {instead}.")


def publish(draft: Path, file: Path) -> None:
    """Puts what is written to `draft` at the path `file`, for good when this returns. Raises OSError."""
    with draft.open("rb+") as written:
        os.fsync(written.fileno())
    draft.replace(file)
    sync_folder(file.absolute().parent)
