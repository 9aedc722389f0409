"""Runs the built site as a process: its event loop, its memory, and how it starts and stops listening."""

import asyncio
import ctypes
import gc
import logging
import sys
from collections.abc import Callable
from contextlib import suppress

from server.app import build_app
from server.backends import CannotStart, sqlite_path
from server.release import release
from server.settings import Settings
from server.storage.documents import SCHEMA
from server.storage.sqlite.scripts import SCRIPTS
from server.web.assets import find_assets
from server.web.edge import serve_until_told
from server.web.rendering.answers import compiling

log = logging.getLogger(__name__)

new_event_loop: Callable[[], asyncio.AbstractEventLoop]
try:
    # It halves the time per relayed move; it does not exist everywhere.
    import uvloop
except ImportError:
    new_event_loop = asyncio.new_event_loop
else:
    new_event_loop = uvloop.new_event_loop

SWITCH_S = 0.0005
"""How long the store's thread waits for the interpreter lock while messages are handled. One write takes the lock about
ten times: with Python's default of 5 ms, a move took 300 ms while somebody sent 640 messages at once."""
COLLECT_AFTER = (20_000, 5, 20)
"""New objects, young collections, middle ones. With Python's defaults a full collection, during which all games stand
still (140 ms for 400 games), came every few seconds of fast play. These make it one for every thousand games or so."""
M_TRIM_THRESHOLD = -1
M_MMAP_THRESHOLD = -3
"""Parameters of glibc's `mallopt`."""
LARGE = 131_072
"""Bytes, glibc's own initial values. Setting them explicitly is what stops it from adapting."""


def announce(settings: Settings) -> None:
    """Logs what was started, and prints the site's address, once the server listens."""
    log.info(
        "started: Fairyhouse %s at %s, listening on %s port %d; %s; with %s",
        *(release(), settings.address, settings.host, settings.port, store_of(settings), ", ".join(parts_of(settings))),
    )
    sys.stdout.write(f"Fairyhouse is running at {settings.address}\n")
    sys.stdout.flush()


def store_of(settings: Settings) -> str:
    """Where everything is kept, without what is secret, and by which schema."""
    if settings.mongodb_uri:
        return f"MongoDB, games of schema {SCHEMA}"
    return f"{sqlite_path(settings).absolute()}, schema version {len(SCRIPTS)}"


def parts_of(settings: Settings) -> list[str]:
    """What the host has switched on; "nothing more" if that is nothing."""
    parts = {
        "mail": settings.smtp_url,
        "replies by mail": settings.mail_lmtp_port,
        "web push": settings.vapid_private_key,
        "several nodes": settings.redis_url,
        "metrics": settings.metrics_port,
        "variants of its own": settings.variants_dir,
    }
    return [part for part, chosen in parts.items() if chosen] or ["nothing more"]


def serve(settings: Settings) -> None:
    """Serves until SIGTERM, SIGINT or SIGHUP. Raises CannotStart."""
    return_freed_blocks()
    app = build_app(settings, find_assets())
    app.cleanup_ctx.insert(0, compiling)
    # `__main__` switched the collector off. What is built by now, some 200,000 objects, lives as long as the process.
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    gc.enable()
    sys.setswitchinterval(SWITCH_S)
    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(serve_until_told(app, settings.host, settings.port, lambda: announce(settings)))
    except OSError as error:
        raise CannotStart(f"Cannot listen on {settings.host}:{settings.port}: {error.strerror or error}.") from None


def return_freed_blocks() -> None:
    """Returns blocks of LARGE bytes or more to the system as soon as they are freed. Does nothing without glibc.

    Whenever a large block is freed, glibc concludes that such blocks are common and from then on keeps up to twice that
    much for the next one. Hashing a password takes 19 MB for a moment: without this, a server of 83 MB has 103 MB for
    good after its first sign-in. `malloc_trim` would save 4 MB at the start, but nothing once a few pages were drawn.
    """
    with suppress(AttributeError, OSError, TypeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(M_MMAP_THRESHOLD, LARGE)
        libc.mallopt(M_TRIM_THRESHOLD, LARGE)
