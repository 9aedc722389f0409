"""Finds the variant that people mean by what they write: its id, or its name in any language, "960" for the shuffle."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from server.mail.inbound.mail_report import NotDone
from server.rules.variant.variant import Variant

NEAR: Final = 5
SHUFFLED: Final = "960"


@dataclass(frozen=True, slots=True)
class VariantNames:
    """`called`: what variants are called, by language and id."""

    variants: Mapping[str, Variant]
    called: Mapping[str, Mapping[str, str]]

    def find(self, written: str) -> tuple[str, bool]:
        """The id, and whether the shuffled form is meant. Raises NotDone if there is none, with those that are near."""
        known = self._known()
        found = known.get(_plain(written))
        if found is None:
            near = get_close_matches(_plain(written), known, NEAR) or self.variants
            ids = dict.fromkeys(known[one][0] if one in known else one for one in near)
            raise NotDone("variant_unknown", variant=written[:40], near=", ".join(ids))
        return found

    def _known(self) -> dict[str, tuple[str, bool]]:
        known = {}
        for variant in self.variants.values():
            for name in (variant.id, *(names[variant.id] for names in self.called.values())):
                known[_plain(name)] = variant.id, False
                if variant.chess960:
                    known[_plain(name) + SHUFFLED] = variant.id, True
        return known


def _plain(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())
