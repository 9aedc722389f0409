"""Opens what the settings choose: the store, the bus between nodes, web push, the way to the mail server.

What only some sites need is imported only when they start: unused drivers and ciphers would take a quarter of the
server's memory and startup time. Knows no page and no route.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from stat import S_IMODE
from typing import Any

from server.mail.delivery import Connect
from server.realtime.process.bus import Bus, LocalBus, Notice
from server.redis_address import UnusableRedis
from server.rules.variant.variant import Variant
from server.settings import Settings
from server.storage.admin_commands import AdminCommands
from server.storage.errors import StoreError
from server.storage.sqlite.store import WAIT_MS, SqliteStore
from server.storage.stores import Store
from server.web.notifications.notifier import PushSender

log = logging.getLogger(__name__)


class CannotStart(Exception):
    """The site cannot run with these settings; the message says what the host can do."""


async def open_store(settings: Settings, variants: Mapping[str, Variant], wait_ms: int = WAIT_MS) -> Store:
    """MongoDB if its URI is set, otherwise the file in DATA_DIR; waits `wait_ms` for a server that still has it open.

    Raises Unavailable with a sentence for the host.
    """
    if not settings.mongodb_uri:
        return await SqliteStore.open(sqlite_path(settings), variants, wait_ms)
    engine = import_module("server.storage.mongo.store")
    store: Store = await engine.MongoStore.connect(settings.mongodb_uri, variants, settings.mongodb_standalone)
    return store


async def open_unprepared(settings: Settings, variants: Mapping[str, Variant]) -> Any:
    """The MongoStore, with nothing changed in it. Raises Unavailable."""
    engine = import_module("server.storage.mongo.store")
    return await engine.MongoStore.connect(settings.mongodb_uri, variants, settings.mongodb_standalone, prepare=False)


async def open_store_of_site(settings: Settings, variants: Mapping[str, Variant]) -> Store:
    """The store; its folder is created if necessary, readable only by its owner. Raises CannotStart."""
    try:
        if not settings.mongodb_uri:
            settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            warn_of_open_folder(settings.data_dir)
        return await open_store(settings, variants)
    except (StoreError, OSError) as error:
        raise CannotStart(f"The store cannot be opened: {error}") from None


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
    """Redis if several nodes share the site; it may be down for now. Raises CannotStart if it rejects us."""
    if not settings.redis_url:
        return LocalBus()
    engine = import_module("server.realtime.process.redis_bus")
    try:
        bus: Bus = await engine.RedisBus.join(settings.redis_url)
    except UnusableRedis as error:
        raise CannotStart(f"REDIS_URL cannot be used: {error}") from None
    return bus


async def tell_servers(settings: Settings, notices: Sequence[Notice]) -> None:
    """Sends `notices` to the site's servers that can be reached; the others find the same in the store."""
    if settings.redis_url and notices:
        engine = import_module("server.realtime.process.redis_bus")
        await engine.RedisBus(settings.redis_url).publish(notices)


def open_push(settings: Settings, now: Callable[[], int]) -> PushSender | None:
    """Web push, or None if the host has set no key. Raises CannotStart."""
    if not settings.vapid_private_key or not settings.vapid_contact:
        return None
    try:
        push = import_module("server.web.notifications.web_push")
    except ImportError:
        raise CannotStart(
            "VAPID_PRIVATE_KEY is set, but web push is not installed: pip install 'fairyhouse[push]'."
        ) from None
    try:
        key = push.read_key(settings.vapid_private_key)
    except push.BadPushKey as error:
        raise CannotStart(str(error)) from None
    messenger: PushSender = push.WebPush(key, settings.vapid_contact, push.open_session(), now)
    return messenger


def mail_server_of(settings: Settings) -> Connect | None:
    """How to reach the mail server, or None if the host has set none."""
    if not settings.smtp_url or not settings.mail_from:
        return None
    smtp = import_module("server.mail.smtp")
    connect: Connect = smtp.SmtpServer(settings.smtp_url, settings.mail_from, settings.domain_of_mail).connect
    return connect


def sqlite_path(settings: Settings) -> Path:
    """The path of the embedded store."""
    return settings.data_dir / "fairyhouse.sqlite3"


def admin_commands_of(settings: Settings) -> AdminCommands:
    """Where the host's commands are left for the server that keeps the embedded store."""
    return AdminCommands(settings.data_dir / "orders")
