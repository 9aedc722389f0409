"""The templates of all pages: compiled beside the games while the server starts, and filled in short steps.

To compile one holds the event loop for up to 50 ms, and after a restart the games go on at once. So a thread does it,
and who asks for a page meanwhile waits for its template. Knows no page.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Generator, Mapping
from contextlib import suppress
from typing import Any, Final

import jinja2
from aiohttp import web

log = logging.getLogger(__name__)

FIRST: Final = ("base.html", "error.html", "home.html", "round.html")
"""What is asked for first, behind the parts that all pages are made of."""


class Templates:
    """The templates that `environment` finds."""

    def __init__(self, environment: jinja2.Environment) -> None:
        self._environment = environment
        self._coming: dict[str, asyncio.Event] = {}

    async def compile_all(self) -> None:
        """Returns when each can be had at once; without it each is compiled when it is first asked for."""
        names = self._environment.list_templates(extensions=["html"])
        self._coming = {name: asyncio.Event() for name in sorted(names, key=order)}
        for name, come in tuple(self._coming.items()):
            try:
                await asyncio.to_thread(self._environment.get_template, name)
            except Exception as error:
                # Whoever asks for this template is told the same; nobody waits for it any longer.
                log.warning("%s cannot be compiled: %s", name, error)
            come.set()
            del self._coming[name]

    async def find(self, name: str) -> jinja2.Template:
        """The template of that name, as soon as it and all that it is made of are compiled."""
        if (come := self._coming.get(name)) is not None:
            await come.wait()
        return self._environment.get_template(name)


def order(name: str) -> tuple[bool, int, str]:
    """A page comes behind the parts that it includes, so whoever has waited for it finds them too."""
    return not name.startswith("partials/"), FIRST.index(name) if name in FIRST else len(FIRST), name


def filling(template: jinja2.Template, shown: Mapping[str, Any]) -> Generator[None, None, str]:
    """The page, with a pause after each piece of it."""
    pieces = []
    for piece in template.generate(shown):
        pieces.append(piece)
        yield
    return "".join(pieces)


TEMPLATES: Final = web.AppKey("TEMPLATES", Templates)


async def compiling(app: web.Application) -> AsyncIterator[None]:
    """While the site is open; nobody waits for the end of it."""
    task = asyncio.create_task(app[TEMPLATES].compile_all())
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
