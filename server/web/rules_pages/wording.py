"""The language in which a request reads the rules, and what everything is called in it."""

from aiohttp import web

from server.web.languages import language_of, names_for
from server.web.rules_pages.rules_pages import LIBRARY, Shelf


def shelf_of(request: web.Request) -> Shelf:
    """Made once for each language."""
    library, language = request.app[LIBRARY], language_of(request)
    if language.code not in library.shelves:
        library.shelves[language.code] = Shelf(language.code, language.plain, names_for(request))
    return library.shelves[language.code]
