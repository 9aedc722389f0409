"""The process that draws PNG and whole games: the renderer blocks all other threads, and no move may wait for it.

There is one process of low priority, started for the first such picture; the modules to start it are loaded only then.
Knows no game and no request.
"""

import concurrent.futures
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from importlib import import_module
from typing import TypeVar

Drawn = TypeVar("Drawn")
Given = TypeVar("Given")

LESS_URGENT = 5


class DrawingProcess:
    """Draws one thing after another. `close` it when the site stops."""

    def __init__(self) -> None:
        self._pool: concurrent.futures.ProcessPoolExecutor | None = None

    def submit(self, draw: Callable[[Given], Drawn], given: Given) -> Future[Drawn]:
        """Calls the module-level function `draw` in the process; replaces the process if it was killed."""
        try:
            return self._started().submit(draw, given)
        except BrokenExecutor:
            self._pool = None
            return self._started().submit(draw, given)

    def _started(self) -> "concurrent.futures.ProcessPoolExecutor":
        if self._pool is None:
            # A fresh interpreter, because a fork would copy the locks of the running threads.
            context = import_module("multiprocessing").get_context("spawn")
            self._pool = concurrent.futures.ProcessPoolExecutor(1, context, _settle)
        return self._pool

    def close(self) -> None:
        """Finishes what is being drawn and drops the rest."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def _settle() -> None:
    """Runs in the process: leaves Ctrl-C to the server, and ends with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(LESS_URGENT)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = import_module("multiprocessing").parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
