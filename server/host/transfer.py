"""`export FILE` and `import FILE`: move a whole site to another host or another engine.

An export shows one instant: SQLite is copied first, and MongoDB must not be in use. An import fills an empty site, and
is either complete and verified or leaves nothing behind.
"""

import asyncio
import os
import sys
from pathlib import Path

from server import backends
from server.host.backup import copy_site, former_path, publish, replaceable_file
from server.host.site_access import WAIT_MS, CommandRefused, catalogue, closed_after, require_site
from server.host.site_file import BrokenFile, SiteWriter
from server.host.site_transfer import SiteTotals, Variants, check_file, check_store, fill, is_empty, write_site
from server.realtime.play.players.player_ratings import count_finished
from server.realtime.process.now import Now
from server.settings import Settings
from server.storage.errors import StoreError
from server.storage.sqlite.copy import put_in_place
from server.storage.sqlite.store import SqliteStore
from server.storage.stores import Store

AT_REST_MS = 10_000
"""A database without a heartbeat for this long is at rest; a running server sends one every second."""


def export_site(settings: Settings, file: Path, replace: bool) -> None:
    """Writes everything that the site keeps to `file`, readable only by its owner. Raises CommandRefused."""
    variants = catalogue(settings)
    if file.exists() and not replace:
        raise CommandRefused(f"{file} exists already. Choose another name, or add --replace.")
    draft, copied = (file.with_name(f"{file.name}.{ending}") for ending in ("draft", "copy"))
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as opened, SiteWriter(opened, Now()()) as writer:
            asyncio.run(write_all(settings, variants, copied, writer))
        totals = check_file(draft, variants)
        publish(draft, file)
    except BrokenFile as error:
        raise CommandRefused(f"This site cannot be exported. {error}") from None
    except StoreError as error:
        raise CommandRefused(str(error)) from None
    except OSError as error:
        raise CommandRefused(f"{file} cannot be written ({error.strerror}).") from None
    finally:
        draft.unlink(missing_ok=True)
        copied.unlink(missing_ok=True)
    sys.stderr.write(f"{file} holds {contents(totals)}. Keep it as secret as the site's own store.\n")


def import_site(settings: Settings, file: Path, *, replace: bool) -> None:
    """Fills an empty site with everything in `file`. Raises CommandRefused."""
    variants = catalogue(settings)
    try:
        totals = check_file(file, variants)
        if settings.mongodb_uri:
            asyncio.run(import_to_mongo(settings, variants, file, totals))
        else:
            import_to_sqlite(settings, variants, file, totals, replace)
    except (BrokenFile, StoreError) as error:
        raise CommandRefused(f"{error} Nothing was imported.") from None
    except OSError as error:
        raise CommandRefused(
            f"{settings.data_dir} cannot be written ({error.strerror}). Nothing was imported."
        ) from None
    sys.stderr.write(f"The site has {contents(totals)}; all games were judged again.\n")


def contents(totals: SiteTotals) -> str:
    """ "3 users, 12 games"; "nothing" if there are none."""
    return ", ".join(f"{count} {kind}" for kind, count in totals.counts.items() if count) or "nothing"


async def write_all(settings: Settings, variants: Variants, copied: Path, writer: SiteWriter) -> None:
    """Raises CommandRefused, StoreError, OSError. `copied`: where the SQLite file may be copied to."""
    async with closed_after(await open_at_rest(settings, variants, copied)) as store:
        # The marks of uncounted games are not exported, so those games are counted first: none may be half counted.
        await count_finished(store.ratings)
        await write_site(store.records, writer)


async def open_at_rest(settings: Settings, variants: Variants, copied: Path) -> Store:
    """Opens the site's store, or a copy of it, while nobody plays. Raises CommandRefused, Unavailable, OSError."""
    if not settings.mongodb_uri:
        require_site(settings)
        await copy_site(settings, copied)
        return await SqliteStore.open(copied, variants, WAIT_MS)
    store = await backends.open_store(settings, variants, WAIT_MS)
    try:
        await check_at_rest(store)
    except BaseException:
        await store.close()
        raise
    return store


async def check_at_rest(store: Store) -> None:
    """Raises CommandRefused if a server uses this database, or did until just now."""
    alive, now = await store.last_alive(), Now(await store.time())
    if alive is not None and (since := now() - alive) < AT_REST_MS:
        raise CommandRefused(
            f"A server was using this database {since / 1000:.0f} s ago. Stop every server, and try again after"
            f" {AT_REST_MS // 1000} s."
        )


async def import_to_mongo(settings: Settings, variants: Variants, file: Path, totals: SiteTotals) -> None:
    """Raises CommandRefused, BrokenFile, StoreError; then the database is as empty as before."""
    async with closed_after(await backends.open_store(settings, variants, WAIT_MS)) as store:
        await check_at_rest(store)
        if not await is_empty(store.records):
            raise CommandRefused(
                "This database already has a site. Name another one in MONGODB_URI, or drop it yourself."
            )
        await fill_and_check(store, variants, file, totals)


def import_to_sqlite(settings: Settings, variants: Variants, file: Path, totals: SiteTotals, replace: bool) -> None:
    """Raises CommandRefused, BrokenFile, StoreError, OSError; then nothing has changed."""
    path = replaceable_file(settings, replace)
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.import")
    draft.unlink(missing_ok=True)
    try:
        asyncio.run(fill_file(draft, variants, file, totals))
        put_in_place(draft, path, former_path(path), WAIT_MS)
    finally:
        draft.unlink(missing_ok=True)


async def fill_file(path: Path, variants: Variants, file: Path, totals: SiteTotals) -> None:
    """Fills a new SQLite file at `path`. Raises as `fill_and_check` does, and OSError."""
    async with closed_after(await SqliteStore.open(path, variants, WAIT_MS)) as store:
        await fill_and_check(store, variants, file, totals)


async def fill_and_check(store: Store, variants: Variants, file: Path, totals: SiteTotals) -> None:
    """Raises BrokenFile or StoreError, leaving the store empty, or CommandRefused if even that failed."""
    try:
        await store.records.clear()
        await fill(store.records, file, variants)
        await check_store(store.records, variants, totals)
    except BaseException as error:
        try:
            await store.records.clear()
        except StoreError:
            raise CommandRefused(
                f"{error} What was begun could not be removed: drop it before you try again."
            ) from error
        raise
