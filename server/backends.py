"""Opens what the settings choose: the store, the bus between nodes, web push, the way to the mail server.

What only some sites need is imported only when they start: unused drivers and ciphers would take a quarter of the
server's memory and startup time. Knows no page and no route.
"""

import asyncio
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from stat import S_IMODE
from typing import Any

from server.mail.delivery import Connect
from server.realtime.cluster.bus import Bus, Notice
from server.rules.variant.variant import Variant
from server.settings import Settings, UnusableRedis
from server.storage.admin_commands import AdminCommands
from server.storage.errors import StoreError
from server.storage.sqlite.copy import keep_former
from server.storage.sqlite.scripts import SCRIPTS, steps_from
from server.storage.sqlite.store import WAIT_MS, SqliteStore
from server.storage.stores import Store
from server.web.notifications.notifier import PushSender

log = logging.getLogger(__name__)


class CannotStart(Exception):
    """The site cannot run with these settings; the message says what the host can do."""


async def open_store(settings: Settings, variants: Mapping[str, Variant], wait_ms: int = WAIT_MS) -> Store:
    """MongoDB if its URI is set, otherwise a file; waits `wait_ms` for a server that still has that open.

    Raises Unavailable with a sentence for the host, CannotStart.
    """
    if not settings.mongodb_uri:
        return await SqliteStore.open(sqlite_path(settings), variants, wait_ms)
    engine = import_extra("server.storage.mongo.store", "FAIRYHOUSE_MONGODB_URI", "mongo")
    store: Store = await engine.MongoStore.connect(settings.mongodb_uri, variants, settings.mongodb_standalone)
    return store


async def open_unprepared(settings: Settings, variants: Mapping[str, Variant]) -> Any:
    """The MongoStore, with nothing changed in it. Raises Unavailable, CannotStart."""
    engine = import_extra("server.storage.mongo.store", "FAIRYHOUSE_MONGODB_URI", "mongo")
    return await engine.MongoStore.connect(settings.mongodb_uri, variants, settings.mongodb_standalone, prepare=False)


async def open_store_of_site(settings: Settings, variants: Mapping[str, Variant]) -> Store:
    """Opens the store; its folder is created if necessary, readable only by its owner. Raises CannotStart."""
    try:
        if not settings.mongodb_uri:
            settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            warn_of_open_folder(settings.data_dir)
            return await open_file_of_site(settings, variants)
        return await open_store(settings, variants)
    except StoreError as error:
        raise CannotStart(f"The store cannot be opened: {error}") from None
    except OSError as error:
        raise CannotStart(
            f"The folder {settings.data_dir.absolute()} cannot be used: {error.strerror or error}. Give its owner room"
            " and rights there, or set FAIRYHOUSE_DATA_DIR elsewhere."
        ) from None


async def open_file_of_site(settings: Settings, variants: Mapping[str, Variant]) -> Store:
    """Opens the file in the data folder; logs if the previous server did not close it. Raises Unavailable, OSError."""
    path = sqlite_path(settings)
    try:
        left = os.open(path.with_name(f"{path.name}-wal"), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return await open_upgraded(settings, variants, lambda: None)
    crashed = False

    def look() -> None:
        nonlocal crashed
        # A server that was just closing the file has removed its log by now.
        crashed = crashed or os.fstat(left).st_nlink > 0

    try:
        store = await open_upgraded(settings, variants, look)
        look()
    finally:
        os.close(left)
    if crashed:
        log.warning("the previous server did not shut down cleanly; everything it acknowledged is stored")
    return store


async def open_upgraded(settings: Settings, variants: Mapping[str, Variant], opened: Callable[[], None]) -> Store:
    """Opens the site's file. If an earlier release wrote it, a copy is kept beside it, and each step of the upgrade is
    logged.

    `opened`: as in `keep_former`. Raises Unavailable, OSError.
    """
    path = sqlite_path(settings)
    if (kept := await asyncio.to_thread(keep_former, path, WAIT_MS, opened)) is None:
        return await open_store(settings, variants)
    version, former = kept
    log.warning(
        "upgrading %s from schema version %d to %d; as it was, it is kept in %s", path, version, len(SCRIPTS), former
    )
    for step in steps_from(version):
        log.info("upgrade step to version %s", step)
    store = await open_store(settings, variants)
    log.warning("upgraded %s to schema version %d", path, len(SCRIPTS))
    return store


def warn_of_open_folder(folder: Path) -> None:
    """Logs a warning if other users of this machine can read or write the folder. Raises OSError."""
    mode = S_IMODE(folder.stat().st_mode)
    if mode & 0o077:
        log.warning(
            "other users of this machine can get into %s (mode %o), where sessions and passwords' hashes lie:"
            " chmod 700 '%s'",
            *(folder.absolute(), mode, folder.absolute()),
        )


async def open_bus(settings: Settings) -> Bus:
    """Opens Redis if several nodes share the site; it may be down for now. Raises CannotStart if it rejects us."""
    if not settings.redis_url:
        return Bus()
    engine = import_extra("server.realtime.cluster.redis_bus", "FAIRYHOUSE_REDIS_URL", "redis")
    try:
        bus: Bus = await engine.RedisBus.join(settings.redis_url)
    except UnusableRedis as error:
        raise CannotStart(f"FAIRYHOUSE_REDIS_URL cannot be used: {error}") from None
    return bus


async def tell_servers(settings: Settings, notices: Sequence[Notice]) -> None:
    """Sends `notices` to those of the site's servers that can be reached; the others find the same in the store."""
    if settings.redis_url and notices:
        engine = import_module("server.realtime.cluster.redis_bus")
        await engine.RedisBus(settings.redis_url).publish(notices)


def open_push(settings: Settings, now: Callable[[], int]) -> PushSender | None:
    """Web push, or None if the host has set no key. Raises CannotStart."""
    if not settings.vapid_private_key or not settings.vapid_contact:
        return None
    push = import_extra("server.web.notifications.web_push", "FAIRYHOUSE_VAPID_PRIVATE_KEY", "push")
    try:
        key = push.read_key(settings.vapid_private_key)
    except push.BadPushKey as error:
        raise CannotStart(str(error)) from None
    messenger: PushSender = push.WebPush(key, settings.vapid_contact, push.open_session(), now)
    return messenger


def import_extra(module: str, setting: str, extra: str) -> Any:
    """Imports a module of ours that needs packages of an extra. Raises CannotStart if `setting` is set without them."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "server":
            raise
        raise CannotStart(
            f"{setting} is set, but the package {error.name} is not installed. Install Fairyhouse with an extra:"
            f" pip install '.[{extra}]' (docs/install.md)."
        ) from None


def mail_server_of(settings: Settings) -> Connect | None:
    """How to reach the mail server, or None if the host has set none. Raises CannotStart."""
    if not settings.smtp_url or not settings.mail_from:
        return None
    smtp = import_extra("server.mail.smtp", "FAIRYHOUSE_SMTP_URL", "mail")
    connect: Connect = smtp.SmtpServer(settings.smtp_url, settings.mail_from, settings.domain_of_mail).connect
    return connect


def sqlite_path(settings: Settings) -> Path:
    """The path of the embedded store."""
    return settings.site_file


def admin_commands_of(settings: Settings) -> AdminCommands:
    """Where the host's commands are left for the server that keeps the embedded store."""
    return AdminCommands(settings.data_dir / "orders")
