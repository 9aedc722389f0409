"""The rules pages of one site, each composed when it is first needed and then kept; and the list of its variants.

Reads the written texts and the drawings of the pieces. Of a request it knows only the language.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web
from markupsafe import Markup

from server.language import FIRST, FOLDER
from server.rules.diagrams.diagram import Diagram
from server.rules.movegen.tables import tables_of
from server.rules.variant.pieces import chess_pieces_in
from server.rules.variant.variant import Variant
from server.web.assets import Assets
from server.web.languages import language_of, names_for
from server.web.rules_pages.page import PageContext, Prose, RulesPage, Say, address_of
from server.web.rules_pages.plain_text import page_text
from server.web.rules_pages.prose import read_prose
from server.web.rules_pages.sections import rules_page
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


@dataclass(frozen=True, slots=True)
class RulesPages:
    variants: Mapping[str, Variant]
    shapes: Mapping[str, Markup]
    """SVG shapes by the name of a kind of piece."""
    pages: dict[tuple[str, str], tuple[RulesPage, str]] = field(default_factory=dict)
    """By language and the last part of the address."""

    async def compile_rules(self) -> None:
        """Compiles the rules of all variants, in a thread: moves must not wait until every first position is drawn."""
        await asyncio.to_thread(lambda: [tables_of(variant) for variant in self.variants.values()])

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
        kinds = {role.name for role in roles} | {kind for role in roles for kind in chess_pieces_in(role.atoms)}
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


@dataclass(frozen=True, slots=True)
class ListedVariant:
    """One variant in a list."""

    variant: Variant
    name: str
    tagline: str
    traits: tuple[str, ...]
    start: Diagram
    name_960: str
    """Of its 960 form; "" when there is none."""

    @property
    def address_960(self) -> str:
        return address_of(self.variant.id, chess960=True)


@dataclass(frozen=True, slots=True)
class Group:
    """Variants on boards of one size, in the order of display."""

    files: int
    ranks: int
    entries: tuple[ListedVariant, ...]


def group_by_board(variants: Mapping[str, Variant], wording: Wording) -> tuple[Group, ...]:
    """These variants, the small boards first."""
    found: dict[tuple[int, int], list[ListedVariant]] = {}
    for variant in variants.values():
        called = wording.called[variant.id]
        start = Diagram(variant, variant.start_fen)
        name_960 = called.of_form(True).name if variant.chess960 else ""
        entry = ListedVariant(
            variant, called.name, called.tagline, tuple(_traits(variant, wording.say)), start, name_960
        )
        found.setdefault((variant.files, variant.ranks), []).append(entry)
    by_size = sorted(found.items(), key=lambda item: item[0][0] * item[0][1])
    return tuple(Group(files, ranks, tuple(entries)) for (files, ranks), entries in by_size)


def _traits(variant: Variant, say: Say) -> Iterator[str]:
    """Follows from the variant's data, so that a host's own variant has them too."""
    pocket = variant.pocket
    if pocket is not None and pocket.setup:
        yield say("rules.trait_setup")
    elif pocket is not None and pocket.drops:
        yield say("rules.trait_drops")
    if variant.gates:
        yield say("rules.trait_gates")
    if any(role_id for role_id in variant.promotions if not variant.role(role_id).pawn):
        yield say("rules.trait_promotion")
    if any(atom.onward for role in variant.roles for atom in role.atoms):
        yield say("rules.trait_bent")
    if variant.chess960:
        yield say("rules.trait_960")
    if variant.castling is None:
        yield say("rules.trait_no_castling")
