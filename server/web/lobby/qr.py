"""A link to a game as a QR code, for a phone across the table. Stores nothing.

The secret comes in the body of a POST and goes into the picture, so it appears in no URL and no log.
"""

import io
from functools import partial
from importlib import import_module

from aiohttp import web

from server.storage.time_slices import run_in_one_slice
from server.web.forms.forms import Sending, read_form
from server.web.lookup import find_round
from server.web.openapi.operation import SVG, Media, described
from server.web.site import SITE

MASK = 3
"""The standard asks for the best of eight, and trying them all takes four times as long; readers take any."""
MARGIN = 4
"""Modules of white around the code, as ISO/IEC 18004 asks for."""


@described(body=Sending, answers={200: Media(SVG)})
async def draw_qr(request: web.Request) -> web.Response:
    """POST /api/games/{game}/qr: the link with that secret, as a picture for a phone's camera."""
    site = request.app[SITE]
    form = await read_form(request, Sending)
    game = (await find_round(request)).game
    link = f"{site.settings.address}/{game.id}#{form.fragment}"
    picture = await run_in_one_slice(partial(qr_svg, link))
    return web.Response(body=picture, content_type="image/svg+xml")


def qr_svg(text: str) -> bytes:
    """A QR code, black on white whatever the page's colours are, because cameras need that."""
    drawn = io.BytesIO()
    import_module("segno").make(text, error="m", micro=False, mask=MASK).save(
        drawn, kind="svg", border=MARGIN, light="#fff", xmldecl=False
    )
    return drawn.getvalue()
