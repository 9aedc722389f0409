"""The budget of every route that a site can have, by "GET /api/games/{game}"."""

from itertools import chain

from aiohttp import web

from server.web import routes

PARTS = (
    *(routes.PAGES, routes.ACCOUNTS, routes.HOST, routes.SOCKETS, routes.API, routes.BOT_API),
    *(routes.STUDIES, routes.TOURNAMENTS, routes.AROUND, routes.FRAMES),
)
AT_TIMES = (routes.PICTURES, routes.VACATIONS, routes.MAIL)


def name_of(route):
    """ "GET /api/games/{game}"; of HEAD that of GET."""
    return f"{'GET' if route.method == 'HEAD' else route.method} {route.resource.canonical}"


BUDGETS = {
    name_of(added): budget
    for definition, budget in chain(*PARTS, *AT_TIMES)
    for added in definition.register(web.UrlDispatcher())
}
