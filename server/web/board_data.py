"""What pages give their boards: variants as JSON that is safe inside a script element. Knows no request."""

import re
from asyncio import to_thread
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import orjson
from markupsafe import Markup

from server.rules.movegen.legal import legal_ucis
from server.rules.notation.fen import shuffled_fen, start_position
from server.rules.variant.rule_data import shown_endings
from server.rules.variant.variant import Variant
from server.web.variant_words import Names, described, fairy_pieces

ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def script_safe(json: str) -> Markup:
    """`json` escaped for a script element: no text in it can end the element or begin markup."""
    return Markup(json.translate(ESCAPES))


def to_json(value: Any) -> str:
    """The text for a JSON block of a page, in which the template escapes what could end it."""
    return orjson.dumps(value).decode()


def board_data(variant: Variant, names: Names) -> dict[str, Any]:
    """What a live board needs of a variant: `described` and the legal first moves in UCI."""
    position = start_position(variant)
    return {**described(variant, names), "legal": legal_ucis(position)}


def board_shape(variant: Variant, with_pockets: bool) -> dict[str, Any]:
    """What a script needs to draw positions of a variant."""
    return {
        "files": variant.files,
        "ranks": variant.ranks,
        "pocketRoles": variant.pocket.order if with_pockets and variant.pocket else (),
        "roles": {role.id: {"name": role.name} for role in variant.roles},
        **shown_endings(variant),
    }


class Starts:
    """Board data of all variants in one language, as one JSON array. Made as a site starts, in the usual order."""

    def __init__(self, variants: Mapping[str, Variant], names: Mapping[str, Names]) -> None:
        self._variants = variants
        self._names = names
        self._made = tuple(variants), self._array(tuple(variants))

    async def in_order(self, offered: Iterable[str]) -> str:
        """The array with those that are `offered` first, in that order. It is made again only for another order."""
        order = tuple(dict.fromkeys((*offered, *self._variants)))
        if self._made[0] != order:
            self._made = order, await to_thread(self._array, order)
        return self._made[1]

    def _array(self, order: Sequence[str]) -> str:
        """Only the first, which the front page shows, has its first moves: for them the rules of a variant must be
        compiled.
        """
        described_all = []
        for number, id in enumerate(order):
            one, names = self._variants[id], self._names[id]
            data = described(one, names) if number else board_data(one, names)
            described_all.append(data | example_960(one))
        return to_json(described_all)


def example_960(variant: Variant) -> dict[str, str]:
    """`fen960`: a start of its shuffled form, if it has one; the same after a restart, so that pages stay the same."""
    return {"fen960": shuffled_fen(variant, Random(variant.id))} if variant.chess960 else {}


SPACES = re.compile(r"\W+")
"""What a class of the style sheet has "-" for."""
USUAL_EMBLEMS = ("knight", "queen", "pawn", "rook", "bishop", "king")
BLACK_EMBLEMS = tuple(f"{kind} black" for kind in reversed(USUAL_EMBLEMS))


def emblems(variants: Mapping[str, Variant]) -> dict[str, str]:
    """The kind of piece whose drawing stands for each variant on every page, by its id; with " black", the black one.

    It is one that chess lacks, if there is one. Each variant has its own, as far as the pieces go round.
    """
    taken: dict[str, str] = {}
    for number, variant in enumerate(variants.values()):
        fairy = [SPACES.sub("-", name.lower()) for name in fairy_pieces(variant)]
        turned = number % len(fairy) if fairy else 0
        kinds = [*fairy[turned:], *fairy[:turned], *USUAL_EMBLEMS, *BLACK_EMBLEMS]
        free = (kind for kind in kinds if kind not in taken.values())
        taken[variant.id] = next(free, kinds[0])
    return taken


def featured_variant(variants: Mapping[str, Variant]) -> Variant:
    """The variant that newcomers are offered to try: the first one with a fairy piece to discover."""
    return next((variant for variant in variants.values() if fairy_pieces(variant)), next(iter(variants.values())))
