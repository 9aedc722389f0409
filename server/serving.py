"""Runs the built site as a process: its event loop, its memory, and how it begins and ends to listen. Knows no part."""

import asyncio
import sys
from collections.abc import Callable

from server import gc_tuning, malloc
from server.app import build_app
from server.backends import CannotStart
from server.compiled.finding import log_build
from server.settings import Settings
from server.web.assets import find_assets
from server.web.edge.serving import serve_until_told
from server.web.rendering.templates import compiling

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


def announce(settings: Settings) -> None:
    """Prints the site's address once the server listens."""
    sys.stdout.write(f"Fairyhouse is running at {settings.address}\n")
    sys.stdout.flush()


def serve(settings: Settings) -> None:
    """Serves until SIGTERM or SIGINT. Raises CannotStart."""
    log_build()
    malloc.return_freed_blocks()
    gc_tuning.pause()
    app = build_app(settings, find_assets())
    app.cleanup_ctx.insert(0, compiling)
    gc_tuning.settle()
    sys.setswitchinterval(SWITCH_S)
    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(serve_until_told(app, settings.host, settings.port, lambda: announce(settings)))
    except OSError as error:
        raise CannotStart(f"Cannot listen on {settings.host}:{settings.port}: {error.strerror or error}.") from None
