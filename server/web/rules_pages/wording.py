"""The wording in which a request reads the rules: its language, and what everything is called in it."""

from collections.abc import Mapping
from dataclasses import dataclass

from aiohttp import web

from server.web.languages import language_of, names_for
from server.web.rules_pages.page_context import Say
from server.web.variant_words import Names


@dataclass(frozen=True, slots=True)
class Wording:
    """How one language says things. `called` holds the names of each variant and its pieces."""

    language: str
    say: Say
    called: Mapping[str, Names]


def wording_for(request: web.Request) -> Wording:
    """How the language of the request says the rules."""
    language = language_of(request)
    return Wording(language.code, language.plain, names_for(request))
