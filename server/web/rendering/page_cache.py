"""Pages that are the same for everybody: rendered once for each language, compressed once, and served from memory.

It is the only cache besides those of pictures and of built files. What stays: pages and API answers that change only
with a release, pages about problems, and the page and JSON of a game or of the whole site as of now, under a name that
changes with them. A crowd that follows one link costs one rendering (2 to 10 ms), and a game of 5,000 half-moves, a
third of a second, is replayed once. All share one memory, from which what was used longest ago goes first.

JSON of a game or of the site is the same for everybody. A page depends on its address without the query, the language,
the host's notice, and the kind of visitor, of which there are three: a stranger, a guest, or somebody with a name; each
of them may have chosen how pages look, and be told that the host has decided something about them. Names and looks are
not cached, nor is how long it is until an announced restart: the page is rendered with marks in their place, and each
answer has its own there. Nothing else on such a page may depend on the visitor, so only a handler that asks for no
visitor may be marked as `cached_for_all`.
"""

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import wraps
from hashlib import blake2b
from typing import Any, Final
from weakref import WeakValueDictionary

from aiohttp import ETag, web
from aiohttp.typedefs import Handler
from markupsafe import Markup, escape

from server.web.rendering.answers import TEMPLATE_CONTEXT


@dataclass(frozen=True, slots=True)
class Look:
    """`attributes` of the page's first tag, and the `sheet` of another set of pieces; both empty: the usual look."""

    attributes: Markup
    sheet: Markup


@dataclass(frozen=True, slots=True)
class Countdown:
    """How long it is until the site is restarted: `ms`, and as a page shows it, in minutes and seconds."""

    ms: str
    shown: str


NO_COUNTDOWN: Final = Countdown("", "")


def countdown_of(ms: int | None) -> Countdown | None:
    """That of `ms`; None: no restart is announced."""
    return None if ms is None else Countdown(str(ms), f"{ms // 60_000}:{ms // 1_000 % 60:02d}")


MAX_KEPT: Final = 32 * 1024 * 1024
"""Bytes."""
BESIDE_BODY: Final = 2_000
"""Bytes that a page takes besides its body."""
NAME: Final = "\ue000name\ue000"
HERE: Final = "\ue000here\ue000"
LOOK: Final = Look(Markup("\ue000attributes\ue000"), Markup("\ue000sheet\ue000"))
COUNTDOWN: Final = Countdown("\ue000ms\ue000", "\ue000shown\ue000")
"""Marks for the address of the page, the visitor's name, the look of their pages and the countdown: private characters,
which none of our texts contain."""
MARKS: Final = tuple(mark.encode() for mark in (NAME, HERE, LOOK.attributes, LOOK.sheet, COUNTDOWN.ms, COUNTDOWN.shown))
NAMED: Final = "named"
"""The kind of visitor whose name is on the page."""
CHOOSY: Final = "choosy"
"""Visitors of any kind who chose how pages look."""
DECIDED: Final = "decided"
"""Visitors of any kind about whom the host has decided something that they should read."""
QUICKLY: Final = 1
"""The compression level for pages that are compressed for each answer."""
ASK_AGAIN: Final = "private, no-cache"
"""Browsers keep the page and ask whether it is still the same."""


Key = tuple[str, str, str]
"""The address or the problem, the language, the kind of visitor with how often the host has chosen and the
time of the notice."""


@dataclass(frozen=True, slots=True)
class CachedPage:
    """`body` is compressed unless it has marks to fill in. `headers` are those that the handler set."""

    body: bytes
    headers: dict[str, str]
    tag: str
    marked: bool

    @property
    def size(self) -> int:
        """The bytes that it takes, about."""
        return len(self.body) + BESIDE_BODY


@dataclass(slots=True)
class PageCache:
    """The cached pages of one site, least recently used first, `most` bytes in all."""

    most: int = MAX_KEPT
    pages: OrderedDict[Key, CachedPage] = field(default_factory=OrderedDict)
    size: int = 0
    making: WeakValueDictionary[Key, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    """Locks of the pages that are being made."""

    def find(self, key: Key) -> CachedPage | None:
        """The page, which counts as just used; None if it is not kept."""
        page = self.pages.get(key)
        if page is not None:
            self.pages.move_to_end(key)
        return page

    def keep(self, key: Key, page: CachedPage) -> None:
        """Keeps the page, and drops the least recently used ones if there are too many bytes."""
        before = self.pages.pop(key, None)
        self.pages[key] = page
        self.size += page.size - (before.size if before else 0)
        while self.size > self.most and len(self.pages) > 1:
            _, oldest = self.pages.popitem(last=False)
            self.size -= oldest.size


PAGE_CACHE: Final = web.AppKey("PAGE_CACHE", PageCache)


def cached_for_all(handler: Handler) -> Handler:
    """A handler whose page is cached. It is called as if there were no query."""

    @wraps(handler)
    async def from_cache(request: web.Request) -> web.StreamResponse:
        return await render_once(request, request.path, handler)

    return from_cache


async def render_once(
    request: web.Request, name: str, handler: Handler, *, depends_on_context: bool = True
) -> web.StreamResponse:
    """The answer of `handler`, called as if there were no query, from memory if it is there under `name`.

    A page that is valid only for a moment may be kept under a name that changes with it. What does not depend on the
    context (language, kind of visitor, notice) is made once for all of them.
    """
    context, pages = request[TEMPLATE_CONTEXT], request.app[PAGE_CACHE]
    key = key_of(name, context) if depends_on_context else (name, "", "")
    page = pages.find(key)
    if page is None:
        # Requests that arrive while it is being made wait for it.
        async with pages.making.setdefault(key, asyncio.Lock()):
            page = pages.find(key)
            if page is None:
                request[TEMPLATE_CONTEXT] = impersonal({**context, "here": context["page_path"]})
                try:
                    answer = await handler(request)
                finally:
                    # A page about a problem has the name on it too.
                    request[TEMPLATE_CONTEXT] = context
                if not isinstance(answer, web.Response) or answer.status != 200:
                    return answer
                # In a thread, because compressing releases the interpreter lock.
                page = await asyncio.to_thread(_keepable, answer, marked=has_marks(answer))
                pages.keep(key, page)
    return _answer(request, page)


def cached_problem(request: web.Request, said: str, render: Callable[[], web.Response]) -> web.Response:
    """The page about a problem: `said` is all that `render` shows besides the context."""
    context, pages = request[TEMPLATE_CONTEXT], request.app[PAGE_CACHE]
    key = key_of(said, context)
    page = pages.find(key)
    if page is None:
        request[TEMPLATE_CONTEXT] = impersonal({**context, "here": HERE, "page_path": ""})
        try:
            page = _keepable(render(), marked=True)
        finally:
            request[TEMPLATE_CONTEXT] = context
        pages.keep(key, page)
    return _answer(request, page)


def key_of(page: str, context: dict[str, Any]) -> Key:
    """The key of a page by its address or problem: with all that its context depends on."""
    notice = context["notice"]
    kind = f"{kind_of(context)} {context['chosen'].rev}"
    if notice is not None:
        kind = f"{kind} {notice.posted}"
    kind = f"{kind} {DECIDED}" if context["decided"] else kind
    return page, context["language"].code, kind


def kind_of(context: dict[str, Any]) -> str:
    """The kind of visitor."""
    visitor = context["visitor"]
    kind = "stranger" if visitor is None else "guest" if visitor.user.guest else NAMED
    return f"{kind} {CHOOSY}" if context["look"].attributes else kind


def impersonal(context: dict[str, Any]) -> dict[str, Any]:
    """The context with marks for the name and the look, if the visitor chose them, and for the countdown."""
    visitor = context["visitor"]
    if context["restarts_in"] is not None:
        context = {**context, "restarts_in": COUNTDOWN}
    if context["look"].attributes:
        context = {**context, "look": LOOK}
    if visitor is None or visitor.user.guest:
        return context
    return {**context, "visitor": replace(visitor, user=replace(visitor.user, name=NAME))}


def has_marks(answer: web.Response) -> bool:
    """Whether there are marks in the answer, as on a page; a script or JSON can do without."""
    body = answer.body
    return isinstance(body, bytes) and any(mark in body for mark in MARKS)


def _keepable(answer: web.Response, *, marked: bool) -> CachedPage:
    """The answer as it is kept. `marked`: it is filled for each visitor, and so compressed only then."""
    body = answer.body
    assert isinstance(body, bytes)
    headers = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
    tag = blake2b(body, digest_size=12).hexdigest()
    return CachedPage(body if marked else gzip.compress(body, mtime=0), headers, tag, marked)


def _answer(request: web.Request, page: CachedPage) -> web.Response:
    """The page with what is filled in for this answer; browsers do not keep a page that has any of it."""
    headers = dict(page.headers)
    headers["Vary"] = f"{headers['Vary']}, Accept-Encoding" if "Vary" in headers else "Accept-Encoding"
    zipped = "gzip" in request.headers.get("Accept-Encoding", "")
    if page.marked:
        body = filled(page.body, request[TEMPLATE_CONTEXT])
        body = gzip.compress(body, QUICKLY, mtime=0) if zipped else body
    else:
        if headers.get("Cache-Control") != "no-store":
            headers |= {"ETag": f'"{page.tag}"', "Cache-Control": headers.get("Cache-Control", ASK_AGAIN)}
            if ETag(page.tag) in (request.if_none_match or ()):
                return web.Response(status=304, headers=headers)
        body = page.body if zipped else gzip.decompress(page.body)
    return web.Response(body=body, headers=headers | {"Content-Encoding": "gzip"} if zipped else headers)


def filled(body: bytes, context: dict[str, Any]) -> bytes:
    """The page with this visitor's name and look, and the countdown as of now, in place of the marks."""
    name = context["visitor"].user.name if context["visitor"] is not None else ""
    look, countdown = context["look"], context["restarts_in"] or NO_COUNTDOWN
    texts = (name, context["here"], look.attributes, look.sheet, countdown.ms, countdown.shown)
    for mark, text in zip(MARKS, texts, strict=True):
        body = body.replace(mark, str(escape(text)).encode())
    return body
