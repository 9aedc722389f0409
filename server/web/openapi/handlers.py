"""The description of the API: as a document for programs, and as a page made from that document."""

import asyncio

from aiohttp import web

from server.web.budgets.routes import OF_ROUTES
from server.web.openapi.document import document
from server.web.openapi.operation import described
from server.web.openapi.page import read_page
from server.web.openapi.shapes import Schema
from server.web.rendering.answers import as_json, as_page
from server.web.rendering.page_cache import cached_for_all
from server.web.site import SITE

PUBLIC = {"Cache-Control": "public, max-age=300"}


def document_of(app: web.Application) -> Schema:
    """The OpenAPI document of this site."""
    site = app[SITE]
    budgets = app[OF_ROUTES]
    return document(budgets, site.settings.address, site.sessions.cookie)


@described(answers={200: dict[str, object]}, cached=True)
@cached_for_all
async def read_document(request: web.Request) -> web.Response:
    """GET /api/openapi.json: this description, as OpenAPI 3.1."""
    # In a thread, because it takes 60 ms.
    return as_json(await asyncio.to_thread(document_of, request.app), headers=PUBLIC)


@cached_for_all
async def api_page(request: web.Request) -> web.Response:
    """GET /api: the same to read."""
    api = await asyncio.to_thread(lambda: read_page(document_of(request.app)))
    return await as_page(request, "openapi/api.html", api=api)
