"""Opens what a host's settings choose: the store, the bus between several nodes, web push.

What only some sites have is imported when such a site starts: drivers and ciphers that nobody uses would be a quarter
of the server's memory and of the time it takes to start. Knows no page and no route.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from stat import S_IMODE

from server.realtime.process.bus import Bus, LocalBus, Notice
from server.rules.variant.variant import Variant
from server.settings import Settings
from server.storage.admin_commands import AdminCommands
from server.storage.errors import StoreError
from server.storage.sqlite.store import WAIT_MS, SqliteStore
from server.storage.stores import Store
from server.web.notifications.notifier import PushSender

log = logging.getLogger(__name__)


class CannotStart(Exception):  # noqa: N818 - says what is so, not that something is wrong here
    """The site cannot run as it is set up; the message says what the host can do."""


async def open_store(settings: Settings, variants: Mapping[str, Variant], wait_ms: int = WAIT_MS) -> Store:
    """MongoDB where one is named, else the file in DATA_DIR, which may be another server's for `wait_ms`.

    Raises Unavailable with a sentence for the host.
    """
    if not settings.mongodb_uri:
        return await SqliteStore.open(sqlite_path(settings), variants, wait_ms)
    engine = import_module("server.storage.mongo.store")
    store: Store = await engine.MongoStore.connect(settings.mongodb_uri, variants, settings.mongodb_standalone)
    return store


async def open_store_of_site(settings: Settings, variants: Mapping[str, Variant]) -> Store:
    """The store, in a folder that is made if need be, and which nobody else may read. Raises CannotStart."""
    try:
        if not settings.mongodb_uri:
            settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            warn_of_open_folder(settings.data_dir)
        return await open_store(settings, variants)
    except (StoreError, OSError) as error:
        raise CannotStart(f"The store cannot be opened: {error}") from None


def warn_of_open_folder(folder: Path) -> None:
    """A line in the log when others on this machine can look or write into the folder. Raises OSError."""
    mode = S_IMODE(folder.stat().st_mode)
    if mode & 0o077:
        log.warning(
            "other users of this machine can get into %s (mode %o), where sessions and passwords' hashes lie:"
            " chmod 700 '%s'",
            *(folder.absolute(), mode, folder.absolute()),
        )


async def open_bus(settings: Settings) -> Bus:
    """Redis where several nodes share one site; it may be away. Raises CannotStart when it does not let us in."""
    if not settings.redis_url:
        return LocalBus()
    engine = import_module("server.realtime.process.redis_bus")
    try:
        bus: Bus = await engine.RedisBus.join(settings.redis_url)
    except engine.AccessDenied as error:
        raise CannotStart(f"REDIS_URL cannot be used: {error}") from None
    return bus


async def tell_servers(settings: Settings, notices: Sequence[Notice]) -> None:
    """Has the site's servers hear `notices`, as far as they can be reached; what they miss they find in the store."""
    if settings.redis_url and notices:
        engine = import_module("server.realtime.process.redis_bus")
        await engine.RedisBus(settings.redis_url).publish(notices)


def open_push(settings: Settings, now: Callable[[], int]) -> PushSender | None:
    """Web push, where the host has a key for it. Raises CannotStart."""
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


def sqlite_path(settings: Settings) -> Path:
    """Where the embedded store is."""
    return settings.data_dir / "fairyhouse.sqlite3"


def admin_commands_of(settings: Settings) -> AdminCommands:
    """Where the host's commands are left for the server that keeps the embedded store."""
    return AdminCommands(settings.data_dir / "orders")
