"""The last part of a rules page's address: the variant's id, with 960 after it for the shuffled form. Knows no page."""

from collections.abc import Mapping

from server.rules.variant.variant import Variant

SHUFFLED = "960"


def address_of(variant_id: str, chess960: bool) -> str:
    """The last part of the form's address: "grand", "grand960"."""
    return variant_id + SHUFFLED * chess960


def form_at(address: str, variants: Mapping[str, Variant]) -> tuple[Variant, bool] | None:
    """The variant, and whether its shuffled form is meant; None when no form has that address."""
    if address in variants:
        return variants[address], False
    variant = variants.get(address.removesuffix(SHUFFLED)) if address.endswith(SHUFFLED) else None
    return (variant, True) if variant is not None and variant.chess960 else None
