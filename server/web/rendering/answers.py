"""How an answer is written: as JSON or as a page, compressed where that pays. Does not know what is in it.

Each template is compiled in a thread when it is first needed, and rendered in short steps: compiling one takes up to 50
ms, and after a restart the games resume at once, so the event loop must not wait for it; all of them take half a second
and 6 MB. Requests wait for their template.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Generator, Mapping
from contextlib import suppress
from typing import Any, Final

import aiohttp_jinja2
import jinja2
import orjson
from aiohttp import web

from server.storage.time_slices import run_sliced
from server.web.edge import forget_where

log = logging.getLogger(__name__)

FIRST: Final = ("home/home.html", "error.html", "round/round.html")
"""What most people ask for is compiled at the start."""
PART: Final = re.compile(r"""\{%-?\s*(?:extends|include|import|from)\s+["']([^"']+)["']""")
"""Where a template names another. A parser would find the same, as a test says, but takes half as long as compiling."""

POLICY: Final = {"Cross-Origin-Embedder-Policy": "require-corp"}

TEMPLATE_CONTEXT = web.RequestKey("template_context", dict[str, Any])
"""What every template gets in addition to its own values, kept with the request."""
WORTH_COMPRESSING = 1024
"""Bytes; anything shorter fits into one packet anyway."""


def as_json(value: Mapping[str, object], status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """The answer with `value` as JSON, compressed where that is worth it."""
    body = orjson.dumps(value)
    answer = web.Response(body=body, status=status, headers=headers, content_type="application/json", charset="utf-8")
    return compressed(answer, len(body))


async def as_page(request: web.Request, template: str, **shown: Any) -> web.Response:
    """The rendered template, which gets the template context and `shown`, and nothing else."""
    seen = visible(request, shown)
    found = await request.app[TEMPLATES].find(template)
    text = await run_sliced(filling(found, seen))
    answer = web.Response(text=text, content_type="text/html")
    return compressed(in_language(request, answer), len(text))


def as_small_page(request: web.Request, template: str, **shown: Any) -> web.Response:
    """The same without a pause, for small templates."""
    answer = aiohttp_jinja2.render_template(template, request, visible(request, shown))
    return compressed(in_language(request, answer), len(answer.text or ""))


def visible(request: web.Request, shown: dict[str, Any]) -> dict[str, Any]:
    """All that a template sees."""
    for each in shown.values():
        if isinstance(each, Exception):
            # A template's context is a reference cycle, and would keep the frames of the error alive.
            forget_where(each)
    context = request[TEMPLATE_CONTEXT]
    return {**context, **shown}


def in_language(request: web.Request, answer: web.Response) -> web.Response:
    """The answer with the headers that tell its language and what that depends on."""
    answer.headers["Content-Language"] = request[TEMPLATE_CONTEXT]["language"].code
    answer.headers["Vary"] = "Accept-Language, Cookie"
    return answer


def isolated(page: web.Response) -> web.Response:
    """The page, on which such programs may run."""
    page.headers.update(POLICY)
    return page


def compressed(answer: web.Response, size: int) -> web.Response:
    """`answer`, compressed if its body of `size` bytes is worth it and the browser can read it."""
    if size > WORTH_COMPRESSING:
        answer.enable_compression()
    return answer


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


TEMPLATES: Final = web.AppKey("TEMPLATES", Templates)


async def compiling(app: web.Application) -> AsyncIterator[None]:
    """Compiles the first templates in the background while the site opens."""
    task = asyncio.create_task(app[TEMPLATES].compile_first())
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def filling(template: jinja2.Template, shown: Mapping[str, Any]) -> Generator[None, None, str]:
    """Renders the page with a pause after each piece, and returns it."""
    pieces = []
    for piece in template.generate(shown):
        pieces.append(piece)
        yield
    return "".join(pieces)


def parts_of(source: str) -> set[str]:
    """The templates that a template extends, includes or imports."""
    return set(PART.findall(source))
