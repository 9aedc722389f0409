"""The wording in which a request reads the rules: its language, and what everything is called in it."""

from aiohttp import web

from server.web.languages import language_of, names_for
from server.web.rules_pages.rules_pages import RULES_PAGES, Wording


def wording_for(request: web.Request) -> Wording:
    """Made once for each language."""
    rules_pages, language = request.app[RULES_PAGES], language_of(request)
    if language.code not in rules_pages.wordings:
        rules_pages.wordings[language.code] = Wording(language.code, language.plain, names_for(request))
    return rules_pages.wordings[language.code]
