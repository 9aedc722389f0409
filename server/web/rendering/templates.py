"""The templates of all pages: compiled in a thread while the server starts, and rendered in short steps.

Compiling one takes up to 50 ms, and after a restart the games resume at once, so the event loop must not wait for it.
Requests that arrive meanwhile wait for their template. Knows no page.
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
"""Compiled first, after the parts that all pages include."""


class Templates:
    """The templates that `environment` finds."""

    def __init__(self, environment: jinja2.Environment) -> None:
        self._environment = environment
        self._coming: dict[str, asyncio.Event] = {}

    async def compile_all(self) -> None:
        """Compiles all templates; otherwise each is compiled when it is first needed."""
        names = self._environment.list_templates(extensions=["html"])
        self._coming = {name: asyncio.Event() for name in sorted(names, key=order)}
        for name, come in tuple(self._coming.items()):
            try:
                await asyncio.to_thread(self._environment.get_template, name)
            except Exception as error:
                # Requests for this template raise the same error; nobody waits for it any longer.
                log.warning("%s cannot be compiled: %s", name, error)
            come.set()
            del self._coming[name]

    async def find(self, name: str) -> jinja2.Template:
        """The template of that name, once it and everything it includes are compiled."""
        if (come := self._coming.get(name)) is not None:
            await come.wait()
        return self._environment.get_template(name)


def order(name: str) -> tuple[bool, int, str]:
    """Sort key that puts a page after the parts it includes, so that they are ready when it is."""
    return not name.startswith("partials/"), FIRST.index(name) if name in FIRST else len(FIRST), name


def filling(template: jinja2.Template, shown: Mapping[str, Any]) -> Generator[None, None, str]:
    """Renders the page with a pause after each piece, and returns it."""
    pieces = []
    for piece in template.generate(shown):
        pieces.append(piece)
        yield
    return "".join(pieces)


TEMPLATES: Final = web.AppKey("TEMPLATES", Templates)


async def compiling(app: web.Application) -> AsyncIterator[None]:
    """Compiles the templates in the background while the site is open."""
    task = asyncio.create_task(app[TEMPLATES].compile_all())
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
