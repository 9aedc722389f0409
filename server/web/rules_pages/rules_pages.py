"""The rules pages of one site: each is composed when it is first needed and then kept.

Reads the written texts and the drawings of the pieces; knows no request.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web
from markupsafe import Markup

from server.language import FIRST, FOLDER
from server.rules.variant.composition import made_of
from server.rules.variant.variant import Variant
from server.web.assets import Assets
from server.web.rules_pages.addresses import address_of
from server.web.rules_pages.compose import rules_page
from server.web.rules_pages.page import RulesPage
from server.web.rules_pages.page_context import PageContext
from server.web.rules_pages.plain_text import page_text
from server.web.rules_pages.prose import Prose, read_prose
from server.web.rules_pages.wording import Wording


@dataclass(frozen=True, slots=True)
class RulesPages:
    variants: Mapping[str, Variant]
    shapes: Mapping[str, Markup]
    """SVG shapes by the name of a kind of piece."""
    pages: dict[tuple[str, str], tuple[RulesPage, str]] = field(default_factory=dict)
    """By language and the last part of the address."""

    async def page(self, variant: Variant, wording: Wording, shuffled: bool = False) -> RulesPage:
        """The page of a variant, or of its 960 form, in a language. Raises InvalidProse."""
        return (await self._kept(variant, wording, shuffled))[0]

    async def text(self, variant: Variant, wording: Wording, shuffled: bool = False) -> str:
        """The same as plain text."""
        return (await self._kept(variant, wording, shuffled))[1]

    async def _kept(self, variant: Variant, wording: Wording, shuffled: bool) -> tuple[RulesPage, str]:
        """Composed in a thread, because it takes up to 0.2 s and moves must not wait for it."""
        key = (wording.language, address_of(variant.id, shuffled))
        if key not in self.pages:
            self.pages[key] = await asyncio.to_thread(self._make, variant, wording, shuffled)
        return self.pages[key]

    def _make(self, variant: Variant, wording: Wording, shuffled: bool) -> tuple[RulesPage, str]:
        context = self._context(variant, wording, shuffled)
        page = rules_page(context)
        return page, page_text(page, context)

    def _context(self, variant: Variant, wording: Wording, shuffled: bool) -> PageContext:
        family = tuple(
            (wording.called[one.id].name, wording.called[one.id].roles, one) for one in self.variants.values()
        )
        return PageContext(
            variant, wording.say, self._prose(variant, wording), wording.called[variant.id], family, shuffled
        )

    def _prose(self, variant: Variant, wording: Wording) -> Prose:
        """In the language of the page, or else in English and marked as foreign."""
        names = {
            address_of(one.id, chess960): wording.called[one.id].of_form(chess960).name
            for one in self.variants.values()
            for chess960 in {False, one.chess960}
        }
        own = FOLDER / wording.language / "rules"
        if own.is_dir():
            return read_prose(own, variant, names)
        return read_prose(FOLDER / FIRST / "rules", variant, names, foreign=FIRST)

    def shapes_for(self, variants: Mapping[str, Variant]) -> dict[str, Markup]:
        """The drawings that boards and portraits of these variants need."""
        roles = [role for variant in variants.values() for role in variant.roles]
        kinds = {role.name for role in roles} | {kind for role in roles for kind in made_of(role.atoms)}
        return {kind: shape for kind, shape in self.shapes.items() if kind in kinds}


def open_rules_pages(variants: Mapping[str, Variant], assets: Assets) -> RulesPages:
    """No page is composed yet. Where the client is not built, pieces are letters."""
    return RulesPages(variants, _read_shapes(assets.static / "pieces.json"))


def _read_shapes(path: Path) -> Mapping[str, Markup]:
    """The first style in a file of the build; its texts are this project's own SVG, and so safe markup."""
    if not path.is_file():
        return {}
    usual = next(iter(json.loads(path.read_text(encoding="utf-8")).values()))
    return {kind: Markup(shapes) for kind, shapes in usual.items()}


RULES_PAGES = web.AppKey("RULES_PAGES", RulesPages)
