"""How an answer is written: as JSON or as a page, compressed where that pays. Does not know what is in it."""

from collections.abc import Mapping
from typing import Any

import aiohttp_jinja2
import orjson
from aiohttp import web

from server.storage.time_slices import run_sliced
from server.web.edge.tracebacks import forget_where
from server.web.rendering.templates import TEMPLATES, filling

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


def compressed(answer: web.Response, size: int) -> web.Response:
    """`answer`, compressed if its body of `size` bytes is worth it and the browser can read it."""
    if size > WORTH_COMPRESSING:
        answer.enable_compression()
    return answer
