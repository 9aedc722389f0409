"""The documentation of the release, at /docs: its Markdown files as pages of the site."""

from asyncio import to_thread
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from aiohttp import web

from server.web.rendering.answers import as_page
from server.web.rendering.page_cache import cached_for_all

if TYPE_CHECKING:
    from server.web.rendering.markdown import Document

INDEX: Final = "index"
BESIDE: Final = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""Pages that lie beside the folder."""
ELSEWHERE: Final = {"LICENSE": "/about"}
"""Of what pages link, the files that are no pages, and where the site has what is in them."""


@dataclass(frozen=True, slots=True)
class Docs:
    """`files` by the last part of their addresses; `made`: the pages that somebody has read."""

    files: dict[str, Path]
    made: dict[str, "Document"] = field(default_factory=dict)

    async def read_document(self, name: str) -> "Document":
        """The page of that name, made in a thread when it is first read. Raises KeyError."""
        if name not in self.made:
            self.made[name] = await to_thread(self._make, self.files[name])
        return self.made[name]

    def _make(self, file: Path) -> "Document":
        made: Document = import_module("server.web.rendering.markdown").make_document(
            file.read_text(encoding="utf-8"),
            ELSEWHERE | {each.name: address_of(name) for name, each in self.files.items()},
        )
        return made


DOCS: Final = web.AppKey("DOCS", Docs)


def find_docs(folder: Path) -> Docs:
    """The pages in the folder and beside it."""
    files = [*folder.glob("*.md"), *(folder.parent / name for name in BESIDE if (folder.parent / name).is_file())]
    return Docs({file.stem.lower(): file for file in files})


def address_of(name: str) -> str:
    """Where the page of that name is read."""
    return "/docs" if name == INDEX else f"/docs/{name}"


@cached_for_all
async def docs_page(request: web.Request) -> web.Response:
    """GET /docs and /docs/{page}: a page of the documentation, which is in English."""
    name = request.match_info.get("page", INDEX)
    docs = request.app[DOCS]
    if name not in docs.files or request.path != address_of(name):
        raise web.HTTPNotFound
    return await as_page(request, "docs/docs.html", document=await docs.read_document(name), first=name == INDEX)
