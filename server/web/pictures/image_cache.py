"""A bounded cache of images: each is drawn once, even if a hundred people paste the same link.

Everything is bounded: how many wait, how long each waits, how much is kept. Knows no game and no address.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import assert_never

from aiohttp import web

from server.pictures.drawings import Drawings, read_drawings
from server.pictures.film import Film
from server.pictures.png_plan import PngPlan
from server.pictures.rendering import render
from server.realtime.process.single_flight import SingleFlight
from server.rules.sliced_work import SlicedWork
from server.storage.time_slices import run_sliced
from server.web.assets import Assets
from server.web.pictures.drawing_process import DrawingProcess
from server.web.rendering.problems import Problem

MAX_KEPT = 16 * 1024 * 1024
"""Bytes of pictures kept in memory."""
MAX_WAITING = 24
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

    def tag(self, shown: Hashable) -> str:
        """The tag of a picture of `shown`, which is everything that it depends on besides the drawings."""
        return blake2b(f"{shown!r}{self._fingerprint}".encode(), digest_size=12).hexdigest()

    def has(self, tag: str) -> bool:
        """Whether the picture is drawn or being drawn."""
        return tag in self._kept or tag in self._under_way

    async def picture(self, tag: str, plan: SlicedWork[Drawable]) -> Picture:
        """The picture with that tag, drawn according to `plan` unless it is cached. Raises Problem (503)."""
        if tag in self._kept:
            self._kept.move_to_end(tag)
            return self._kept[tag]
        if tag not in self._under_way and len(self._under_way) >= MAX_WAITING:
            raise _busy()
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await self._under_way.do(tag, partial(self._draw, tag, plan))
        except (TimeoutError, BrokenExecutor):
            raise _busy() from None

    async def _draw(self, tag: str, plan: SlicedWork[Drawable]) -> Picture:
        match planned := await run_sliced(plan):
            case str():
                picture = Picture(planned.encode(), SVG, tag)
            case PngPlan():
                picture = Picture(await self._drawn(planned), "image/png", tag)
            case Film():
                picture = Picture(await self._drawn(planned), SVG if planned.format == "svg" else "image/gif", tag)
            case _:
                assert_never(planned)
        self._keep(picture)
        return picture

    async def _drawn(self, plan: PngPlan | Film) -> bytes:
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
