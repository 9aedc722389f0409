"""A bounded cache of images: each is drawn once, even if a hundred people paste the same link.

Everything is bounded: how many wait, how long each waits, how much is kept. Knows no game and no address.

PNG and whole games are drawn in one process of low priority, as the renderer blocks all other threads and no move may
wait for it; it is started for the first such picture.
"""

import asyncio
import concurrent.futures
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from importlib import import_module
from typing import TypeVar, assert_never

from aiohttp import web

from server.pictures.drawings import Drawings, read_drawings
from server.pictures.markup import PngPlan
from server.pictures.rendering import Film, render, settle
from server.realtime.runtime.background import SingleFlight
from server.rules.sliced_work import SlicedWork
from server.storage.time_slices import run_sliced
from server.web.assets import Assets
from server.web.budgets.heavy import FairQueue, QueueFull
from server.web.rendering.problems import Problem

Drawn = TypeVar("Drawn")
Given = TypeVar("Given")


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
            self._pool = concurrent.futures.ProcessPoolExecutor(1, context, settle)
        return self._pool

    def close(self) -> None:
        """Finishes what is being drawn and drops the rest."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


MAX_KEPT = 16 * 1024 * 1024
"""Bytes of pictures kept in memory."""
PLANNED_AT_ONCE = 4
MAX_WAITING = 24
MAILS = "mails"
"""Who asks for pictures in mails."""
PATIENCE_S = 15
SVG = "image/svg+xml"

Drawable = str | PngPlan | Film
"""An SVG, an SVG to draw as PNG, or a game to draw move by move."""


@dataclass(frozen=True, slots=True)
class Picture:
    """`tag` is the same if and only if the picture is."""

    body: bytes
    content_type: str
    tag: str


class ImageCache:
    """The images of one site."""

    def __init__(self, drawings: Drawings) -> None:
        self.drawings = drawings
        self._fingerprint = repr(drawings)
        self._process = DrawingProcess()
        self._kept: OrderedDict[str, Picture] = OrderedDict()
        self._size = 0
        self._under_way: SingleFlight[Picture] = SingleFlight()
        self._planning = FairQueue(PLANNED_AT_ONCE, MAX_WAITING)
        self._drawing = FairQueue(1, MAX_WAITING)

    def tag(self, shown: Hashable) -> str:
        """The tag of a picture of `shown`, which is everything that it depends on besides the drawings."""
        return blake2b(f"{shown!r}{self._fingerprint}".encode(), digest_size=12).hexdigest()

    def has(self, tag: str) -> bool:
        """Whether the picture is drawn or being drawn."""
        return tag in self._kept or tag in self._under_way

    async def picture(self, tag: str, plan: SlicedWork[Drawable], caller: str) -> Picture:
        """The picture with that tag, drawn according to `plan` unless it is cached.

        `caller`: the address that asks, or MAILS, which come first: networks take turns. Raises Problem (503).
        """
        if tag in self._kept:
            self._kept.move_to_end(tag)
            return self._kept[tag]
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await self._made(tag, plan, caller)
        except (TimeoutError, BrokenExecutor, QueueFull):
            raise _busy() from None

    async def _made(self, tag: str, plan: SlicedWork[Drawable], caller: str) -> Picture:
        """Raises QueueFull if `caller` has no place, whoever else has asked for the same picture."""
        while True:
            joins = tag in self._under_way
            try:
                return await self._under_way.do(tag, partial(self._draw, tag, plan, caller))
            except QueueFull:
                # It waited in the place of whoever asked first, and the others may have better ones.
                if not joins:
                    raise

    async def _draw(self, tag: str, plan: SlicedWork[Drawable], caller: str) -> Picture:
        async with self._planning.place(caller, first=caller == MAILS):
            planned = await run_sliced(plan)
        match planned:
            case str():
                picture = Picture(planned.encode(), SVG, tag)
            case PngPlan():
                picture = Picture(await self._drawn(planned, caller), "image/png", tag)
            case Film():
                picture = Picture(
                    await self._drawn(planned, caller), SVG if planned.format == "svg" else "image/gif", tag
                )
            case _:
                assert_never(planned)
        self._keep(picture)
        return picture

    async def _drawn(self, plan: PngPlan | Film, caller: str) -> bytes:
        async with self._drawing.place(caller, first=caller == MAILS):
            return await asyncio.wrap_future(self._process.submit(render, plan))

    def _keep(self, picture: Picture) -> None:
        self._kept[picture.tag] = picture
        self._size += len(picture.body)
        while self._size > MAX_KEPT:
            _, oldest = self._kept.popitem(last=False)
            self._size -= len(oldest.body)

    async def close(self) -> None:
        """Stops drawing."""
        self._under_way.cancel()
        await asyncio.to_thread(self._process.close)


def _busy() -> Problem:
    return Problem(503, "busy_drawing", retry_after=5)


IMAGES = web.AppKey("IMAGES", ImageCache)


def open_image_cache(assets: Assets) -> ImageCache | None:
    """The cache, or None if the client is not built: then there are no drawings, and so no pictures."""
    drawings = read_drawings(assets.static)
    return None if drawings is None else ImageCache(drawings)
