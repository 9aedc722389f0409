"""Lets a command read everything a site has stored without changing it: MongoDB itself, or a copy of the SQLite file.

Knows no command.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from server import backends
from server.backends import sqlite_path
from server.host.backup import copy_unchecked
from server.host.site_access import WAIT_MS, CommandRefused, catalogue, closed_after, require_site
from server.host.site_transfer import Variants
from server.settings import Settings
from server.storage.errors import StoreError
from server.storage.sqlite.store import SqliteStore
from server.storage.stores import Store


@contextmanager
def place_for_copy(settings: Settings, command: str) -> Iterator[Path]:
    """The path to which `command` may copy the SQLite file while it runs. Raises CommandRefused if it does not fit."""
    copied = sqlite_path(settings).with_name(f"fairyhouse.{command}")
    try:
        copied.unlink(missing_ok=True)
        yield copied
    except OSError as error:
        raise CommandRefused(
            f"{copied} cannot be written ({error.strerror}): the {command} needs room for a copy."
        ) from None
    finally:
        for path in (copied, *copied.parent.glob(f"{copied.name}-*")):
            path.unlink(missing_ok=True)


async def copy_if_file(settings: Settings, copied: Path) -> None:
    """Copies the SQLite file, whatever is wrong with it; does nothing for MongoDB.

    Raises CommandRefused, Unavailable, OSError.
    """
    if not settings.mongodb_uri:
        require_site(settings)
        await copy_unchecked(settings, copied)


async def open_to_read(settings: Settings, variants: Variants, copied: Path) -> Store:
    """Opens the site's store, or the copy that `copy_if_file` made. Raises Unavailable."""
    if settings.mongodb_uri:
        return await backends.open_store(settings, variants, WAIT_MS)
    return await SqliteStore.open(copied, variants, WAIT_MS)


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
