"""What the site says of itself: to people at /about, to crawlers, security researchers and password managers where
these look for it.
"""

from datetime import UTC, datetime, timedelta
from typing import Final

from aiohttp import web

from server.web.accounts.account_pages import ACCOUNT
from server.web.assets import Assets
from server.web.languages import language_of
from server.web.rendering.answers import as_page
from server.web.rendering.page_cache import cached_for_all
from server.web.site import SITE, contact_of

SOURCE: Final = "source.tar.gz"
"""What a wheel has among its built files: the source of the program, as it was when the wheel was built."""
PARTS: Final = (
    ("ours", "", "AGPL-3.0-or-later", "licence-fairyhouse.txt"),
    ("board", "chessgroundx", "GPL-3.0-or-later", "licence-chessgroundx.txt"),
    ("typeface", "Figtree", "SIL OFL 1.1", "licence-figtree.txt"),
    ("strong_engine", "", "GPL-3.0-or-later", "licence-fairy-stockfish.txt"),
)
"""What browsers get from here: the word for it, its own name, its licence, and the built file with the text of that."""
LIBRARIES: Final = "aiohttp, Jinja, Motor, Pydantic, uvloop, Pillow, resvg, Segno, argon2-cffi, orjson, markdown-it-py"
CRAWLERS: Final = """\
User-agent: *
Disallow: /account
Disallow: /api/
Disallow: /ws
Disallow: /report
Disallow: /sign-in
Disallow: /register
"""
VALID_DAYS: Final = 180
"""For how long security.txt says that it holds; it is written anew at each request."""


def source_address(assets: Assets, source_url: str | None) -> str:
    """Where the source of the program is: as the host has set it, else in the wheel; "" for a checkout."""
    return source_url or (assets.url(SOURCE) if SOURCE in assets.names else "")


@cached_for_all
async def about_page(request: web.Request) -> web.Response:
    """GET /about: the release, the licences of what browsers get from here, and where the source is."""
    assets, said = request.app[SITE].assets, language_of(request).plain
    parts = [
        (said(f"about.{word}"), name, licence, assets.url(file) if file in assets.names else "")
        for word, name, licence, file in PARTS
    ]
    return await as_page(request, "about/about.html", parts=parts, libraries=LIBRARIES)


async def robots(request: web.Request) -> web.Response:
    """GET /robots.txt: crawlers may read everything but forms and what is made for programs."""
    return web.Response(text=CRAWLERS)


async def security_contact(request: web.Request) -> web.Response:
    """GET /.well-known/security.txt (RFC 9116): whom to tell of a vulnerability. 404 if the host names nobody."""
    settings, contact = request.app[SITE].settings, contact_of(request.app[SITE])
    if not contact:
        raise web.HTTPNotFound
    until = datetime.fromtimestamp(request.app[SITE].now() / 1000, UTC) + timedelta(days=VALID_DAYS)
    lines = (
        f"Contact: {contact}",
        f"Expires: {until:%Y-%m-%dT00:00:00Z}",
        f"Canonical: {settings.address}/.well-known/security.txt",
        "Preferred-Languages: en, es",
    )
    return web.Response(text="\n".join(lines) + "\n")


async def password_page(request: web.Request) -> web.Response:
    """GET /.well-known/change-password: where password managers look for the page on which a password is changed."""
    raise web.HTTPFound(ACCOUNT)
