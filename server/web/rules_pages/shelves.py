"""The language in which a request reads the rules."""

import json

from aiohttp import web

from server.web.rules_pages.guide import Names
from server.web.rules_pages.library import LIBRARY, TEXTS, Shelf


def shelf_of(request: web.Request) -> Shelf:
    sentences = json.loads((TEXTS / "en" / "rules.json").read_text(encoding="utf-8"))

    def say(key: str, /, **arguments: object) -> str:
        return str(sentences[key.partition(".")[2]].format(**arguments))

    called = {
        variant.id: Names(
            variant.name, variant.tagline, variant.differences, {role.id: role.name for role in variant.roles}
        )
        for variant in request.app[LIBRARY].variants.values()
    }
    return Shelf("en", say, called)
