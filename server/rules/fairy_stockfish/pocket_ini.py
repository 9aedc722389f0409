"""The pocket for Fairy-Stockfish: what comes there, where it may be dropped, and gating.

It has one region of drops for all pieces of a side; pawns may be kept off the first rank and off where they promote.
"""

from collections.abc import Iterator
from itertools import product

from server.rules.fairy_stockfish.army import Army, region
from server.rules.fairy_stockfish.inexpressible import Inexpressible, Part
from server.rules.variant.variant import Pocket, Variant

_NOWHERE = frozenset[int]()


def pocket_lines(variant: Variant, pieces: Army) -> Iterator[str]:
    """The lines of variants.ini. Raises Inexpressible."""
    pocket = variant.pocket
    if pocket is None:
        return
    if pocket.captures:
        _check_captures(variant)
        yield "capturesToHand = true"
    if pocket.drops:
        yield from _drop_lines(variant, pocket, pieces)
    if variant.gates:
        yield from _gating_lines(variant, pocket)


def _check_captures(variant: Variant) -> None:
    for role in variant.roles:
        if role.captured_as != role.id.removeprefix("+"):
            raise Inexpressible(Part.DROPS, f"{role.id} comes to the pocket as {role.captured_as}")


def _drop_lines(variant: Variant, pocket: Pocket, pieces: Army) -> Iterator[str]:
    zone, first_rank, promotion_zone = _zone(variant, pocket)
    yield "pieceDrops = true"
    yield f"dropRegionWhite = {region(zone)}"
    yield f"dropRegionBlack = {region(zone, variant.ranks)}"
    yield f"firstRankPawnDrops = {'true' if first_rank else 'false'}"
    yield f"promotionZonePawnDrops = {'true' if promotion_zone else 'false'}"
    if pocket.setup:
        yield "mustDrop = true"
    if pocket.pairs:
        if {pieces.names[role] for role in pocket.pairs} != {"bishop"}:
            raise Inexpressible(Part.DROPS, "only bishops come to stand on opposite colours")
        yield "dropOppositeColoredBishop = true"


def _zone(variant: Variant, pocket: Pocket) -> tuple[frozenset[int], bool, bool]:
    """The ranks of all drops, and whether pawns may be dropped on the first one and where they promote."""
    pawns = {role.id for role in variant.roles if role.pawn}
    zones = {pocket.ranks[role] for role in pocket.order if role not in pawns}
    wanted = {pocket.ranks[role] for role in pocket.order if role in pawns}
    if len(zones) > 1:
        raise Inexpressible(Part.DROPS, "all pieces are dropped on the same ranks")
    zone = next(iter(zones | wanted)) if not zones else next(iter(zones))
    promoting = next((rule.ranks for rule in variant.promotions.values()), _NOWHERE)
    for first_rank, promotion_zone in product((False, True), repeat=2):
        left = zone - (_NOWHERE if first_rank else {1}) - (_NOWHERE if promotion_zone else promoting)
        if wanted <= {left}:
            return zone, first_rank, promotion_zone
    raise Inexpressible(Part.DROPS, "pawns are kept off the first rank and off where they promote, or nowhere")


def _gating_lines(variant: Variant, pocket: Pocket) -> Iterator[str]:
    """Any piece that could be dropped on the first rank may be gated."""
    pawns = {role.id for role in variant.roles if role.pawn}
    gated = set(pocket.order) - pawns
    if set(variant.gates) != gated:
        raise Inexpressible(Part.GATING, "whatever is in the pocket may be gated, except pawns")
    if pocket.drops and not all(1 in pocket.ranks[role] for role in gated):
        raise Inexpressible(Part.GATING, "what is gated could be dropped there")
    if any(1 in pocket.ranks[role] for role in pawns & set(pocket.order)):
        raise Inexpressible(Part.GATING, "a pawn that could be dropped on the first rank could be gated")
    yield "gating = true"
    yield "seirawanGating = true"
