"""The templates of all pages: each is compiled in a thread when it is first needed, and rendered in short steps.

Compiling one takes up to 50 ms, and after a restart the games resume at once, so the event loop must not wait for it;
all of them take half a second and 6 MB. Requests wait for their template. Knows no page.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Generator, Mapping
from contextlib import suppress
from typing import Any, Final

import jinja2
from aiohttp import web

from server import malloc

log = logging.getLogger(__name__)

FIRST: Final = ("home/home.html", "error.html", "round/round.html")
"""What most people ask for is compiled at the start."""
PART: Final = re.compile(r"""\{%-?\s*(?:extends|include|import|from)\s+["']([^"']+)["']""")
"""Where a template names another. A parser would find the same, as a test says, but takes half as long as compiling."""


class Templates:
    """The templates that `environment` finds."""

    def __init__(self, environment: jinja2.Environment) -> None:
        self._environment = environment
        self._compiled: set[str] = set()
        self._one_at_a_time = asyncio.Lock()

    async def compile_first(self) -> None:
        """Compiles what will be asked for first."""
        for name in FIRST:
            try:
                await self.find(name)
            except Exception as error:
                # Requests for this template raise the same error, if it is still there.
                log.warning("%s cannot be compiled: %s", name, error)
        # Loading and compiling have left some 3 MB in small gaps.
        malloc.return_all_freed()

    async def find(self, name: str) -> jinja2.Template:
        """The template of that name, once it and everything it includes are compiled."""
        if name not in self._compiled:
            async with self._one_at_a_time:
                await asyncio.to_thread(self._compile, name)
        return self._environment.get_template(name)

    def _compile(self, name: str) -> None:
        if name in self._compiled:
            return
        loader = self._environment.loader
        assert loader is not None
        for part in parts_of(loader.get_source(self._environment, name)[0]):
            self._compile(part)
        self._environment.get_template(name)
        self._compiled.add(name)


def parts_of(source: str) -> set[str]:
    """The templates that a template extends, includes or imports."""
    return set(PART.findall(source))


def filling(template: jinja2.Template, shown: Mapping[str, Any]) -> Generator[None, None, str]:
    """Renders the page with a pause after each piece, and returns it."""
    pieces = []
    for piece in template.generate(shown):
        pieces.append(piece)
        yield
    return "".join(pieces)


TEMPLATES: Final = web.AppKey("TEMPLATES", Templates)


async def compiling(app: web.Application) -> AsyncIterator[None]:
    """Compiles the first templates in the background while the site opens."""
    task = asyncio.create_task(app[TEMPLATES].compile_first())
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
