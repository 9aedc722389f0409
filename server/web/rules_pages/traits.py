"""Lists of variants by the size of their boards, with a word or two on what sets each apart."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from server.rules.diagrams.diagram import Diagram
from server.rules.variant.variant import Variant
from server.web.rules_pages.addresses import address_of
from server.web.rules_pages.page_context import Say
from server.web.variant_words import Names


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


def groups(variants: Mapping[str, Variant], names: Mapping[str, Names], say: Say) -> tuple[Group, ...]:
    """All variants, the small boards first."""
    found: dict[tuple[int, int], list[ListedVariant]] = {}
    for variant in variants.values():
        called = names[variant.id]
        start = Diagram(variant, variant.start_fen)
        name_960 = called.of_form(True).name if variant.chess960 else ""
        entry = ListedVariant(variant, called.name, called.tagline, tuple(traits(variant, say)), start, name_960)
        found.setdefault((variant.files, variant.ranks), []).append(entry)
    by_size = sorted(found.items(), key=lambda item: item[0][0] * item[0][1])
    return tuple(Group(files, ranks, tuple(entries)) for (files, ranks), entries in by_size)


def traits(variant: Variant, say: Say) -> Iterator[str]:
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
