"""Letters of another tradition for the same pieces, in moves and on boards of letters.

Which pieces they name follows from how those move, whatever a variant calls them. Where such a letter belongs to
another piece of the variant, all its pieces keep their own letters: a mixture would mislead.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from server.rules.variant.movement import parse_betza
from server.rules.variant.pieces import Role
from server.rules.variant.variant import Variant

PBMSERV: Final = "pbmserv"
"""The play-by-mail servers: M is the marshall, C the cardinal."""
TRADITIONS: Final[Mapping[str, Mapping[str, str]]] = {PBMSERV: {"M": "RN", "C": "BN"}}
"""By name, letters and the movement that each names, in Betza notation."""
LANGUAGES: Final[Sequence[Mapping[str, str]]] = tuple(
    dict(zip(letters, ("K", "Q", "R", "B", "N"), strict=True))
    for letters in ("KDTLS", "RDTAC", "RDTFC", "RDTBC", "RDTNC", "KDTLP", "KDTLR", "KDVSJ", "KHWGS", "KVBFH")
)
"""The same for languages: German and Scandinavian, Spanish and Italian, French, Portuguese, Romanian, Dutch, Finnish,
Czech, Polish, Hungarian."""
LAST_LETTER: Final = re.compile(r"(.*\d\)?[\s=/(]*)([A-Za-z])(\)?[+#!?]*)", re.ASCII)
"""A move with the letter of what a piece becomes, or of what is gated, at its end."""


@dataclass(frozen=True, slots=True)
class Letters:
    """`theirs`: the letter that is shown, by the variant's own upper-case letter, where they differ."""

    theirs: Mapping[str, str]

    def san(self, text: str) -> str:
        """Moves in SAN, as they are shown."""
        return _exchanged(text, self.theirs)

    def uci(self, text: str) -> str:
        """A move in UCI, as it is shown."""
        return self._last_too(self.san(text), self.theirs)

    def read(self, text: str) -> str:
        """A move as it was typed with these letters, in the variant's own."""
        own = {shown: letter for letter, shown in self.theirs.items()}
        return self._last_too(_exchanged(text, own), own)

    @staticmethod
    def _last_too(text: str, letters: Mapping[str, str]) -> str:
        """`text` with its last letter exchanged if that is in lower case, as in UCI."""
        found = LAST_LETTER.fullmatch(text)
        if found is None or not found[2].islower():
            return text
        return f"{found[1]}{letters.get(found[2].upper(), found[2].upper()).lower()}{found[3]}"


def _exchanged(text: str, letters: Mapping[str, str]) -> str:
    return "".join(letters.get(letter, letter) for letter in text)


OWN: Final = Letters({})
"""The variant's own letters."""


def letters_of(variant: Variant, tradition: str) -> Letters:
    """The letters of that tradition for the pieces of `variant`; the variant's own for "" and for unknown ones."""
    return _shown(variant, TRADITIONS.get(tradition, {}))


@cache
def letters_of_languages(variant: Variant) -> Sequence[Letters]:
    """Those of the languages that have a letter for each piece of `variant`, as files of other programs have them."""
    return [letters for one in LANGUAGES if (letters := _shown(variant, one)) is not OWN]


def _shown(variant: Variant, letters: Mapping[str, str]) -> Letters:
    named = [(letter, frozenset(parse_betza(move))) for letter, move in letters.items()]
    theirs = {role.san: letter for role in variant.roles for letter, atoms in named if _is(role, atoms)}
    shown = [theirs.get(role.san, role.san) for role in variant.roles if not role.pawn]
    if len(set(shown)) < len(shown):
        return OWN
    return Letters({letter: other for letter, other in theirs.items() if letter != other})


def _is(role: Role, atoms: frozenset[object]) -> bool:
    return frozenset(role.atoms) == atoms and not role.pawn
