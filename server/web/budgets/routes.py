"""The budgets that several routes share, and how routes are given theirs. Knows no handler."""

from collections.abc import Iterable
from typing import Final

from aiohttp import web

from server.web.budgets.limits import Budget

JSON: Final = 16_384
"""Bytes of the largest form that a page sends, a line of 600 half-moves, and some to spare."""
FIELDS: Final = 4_096
LINE: Final = 24_576
"""As many half-moves as a game can have."""
PGN: Final = 65_536
FILE: Final = 1_000_000
UPLOAD: Final = FILE + 4_096
"""A file and what the form adds to it."""

PAGE: Final = Budget()
OWN: Final = Budget(heavy=True)
"""A page that is rendered for its reader."""
KEPT: Final = Budget("files")
"""The same for everybody, and rendered once: browsers ask for all of it at a time, to have it offline."""
ONE_GAME: Final = Budget("reads", game=True, heavy=True)
LIST: Final = Budget("reads", heavy=True)
SEARCH: Final = Budget("searches", heavy=True)
PICTURE: Final = Budget("reads", "", embedded=True)
FORM: Final = Budget(body=FIELDS)
MAKE: Final = Budget(session="create", body=JSON)
ANSWER: Final = Budget(session="join", body=JSON, game=True)
IMPORT: Final = Budget("imports", body=FILE)
BOT_READS: Final = Budget("bots_by_address", "")
BOT: Final = Budget("bots_by_address", "", body=FIELDS, from_anywhere=True)
"""Who calls is found by a token, never by a cookie, so it may come from anywhere."""
FROM_MAIL: Final = Budget(session="", body=FIELDS, from_anywhere=True)
"""One click in a mail program, which has no session."""
SOCKET: Final = Budget("handshakes_by_address", "handshakes", game=True)
BUILT: Final = Budget("files", "", game=True)

OF_ROUTES: Final = web.AppKey("OF_ROUTES", dict[web.AbstractRoute, Budget])
"""The budget of each route of a site."""


def add_budgeted(app: web.Application, routes: Iterable[tuple[web.RouteDef, Budget]]) -> None:
    """Adds `routes` to a site, with their budgets; HEAD is charged like GET."""
    for route, budget in routes:
        for added in route.register(app.router):
            # The route for HEAD is made beside that for GET, and only found at the resource of both.
            for each in added.resource or ():
                app[OF_ROUTES].setdefault(each, budget)
