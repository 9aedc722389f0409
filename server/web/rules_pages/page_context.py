"""What every part of a rules page is made from: the variant, the sentences, the prose and the names.

Knows no diagram and no markup.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from server.rules.variant.movement import Atom
from server.rules.variant.pieces import Role
from server.rules.variant.variant import Variant
from server.web.rules_pages.page import Block, Bullets, Paragraph, Text
from server.web.rules_pages.prose import Prose
from server.web.variant_words import Names

PAIR = 2


class Say(Protocol):
    """Returns a sentence as plain text."""

    def __call__(self, key: str, /, **arguments: object) -> str: ...


@dataclass(frozen=True, slots=True)
class PageContext:
    variant: Variant
    say: Say
    prose: Prose
    names: Names
    family: tuple[tuple[str, Mapping[str, str], Variant], ...]
    """Every variant of the site with its name and the names of its pieces, in the order of display."""
    shuffled: bool = False
    """Whether the page is that of the variant's 960 form."""

    @property
    def called(self) -> Names:
        """The names of the form that the page is about."""
        return self.names.of_form(self.shuffled)

    def piece(self, role_id: str) -> str:
        return self.names.roles[role_id]

    def kind(self, name: str) -> str:
        """What people call a kind of piece by its English name; that itself if no variant here has it."""
        found = (roles[role.id] for _, roles, variant in self.family for role in variant.roles if role.name == name)
        return next(found, name)

    def title(self, role: Role) -> str:
        """The piece with a capital and its letter: "Archbishop (A)"."""
        name = self.piece(role.id)
        return f"{name[:1].upper()}{name[1:]} ({role.san})"

    def pieces(self, role_ids: Iterable[str], either: bool = False) -> str:
        """A list of names, each once: "queen, rook and bishop", or with "or"."""
        return self.listed(dict.fromkeys(self.piece(one) for one in role_ids), either)

    def listed(self, texts: Iterable[str], either: bool = False) -> str:
        """ "a, b and c", or with "or". Raises ValueError if there is none."""
        *head, last = texts
        if not head:
            return last
        first = ", ".join(head)
        return self.say("rules.or", first=first, last=last) if either else self.say("rules.and", first=first, last=last)

    def ranks(self, own: Iterable[int]) -> str:
        """Ranks for both colours: "8 to 10 (Black: 3 to 1)"."""
        ranks = sorted(own)
        black = [self.variant.ranks + 1 - rank for rank in ranks]
        return self.say("rules.ranks", white=self.numbers(ranks), black=self.numbers(black))

    def numbers(self, numbers: list[int]) -> str:
        """The numbers as a list, or as a range if they are consecutive."""
        if len(numbers) == 1:
            return str(numbers[0])
        if len(numbers) > PAIR and abs(numbers[-1] - numbers[0]) == len(numbers) - 1:
            return self.say("rules.range", low=numbers[0], high=numbers[-1])
        return self.listed(map(str, numbers))

    def paragraph(self, text: str) -> Paragraph:
        return Paragraph((Text(text),))

    def with_prose(self, section: str, *blocks: Block | None) -> tuple[Block, ...]:
        """The generated blocks, without None, then what people wrote."""
        return (*(block for block in blocks if block is not None), *self.prose.of(section))

    def namesakes(self, atoms: tuple[Atom, ...], name: str) -> str:
        """What other variants call a piece that moves like this: "hawk (S-Chess)"; "" if they have none."""
        found: dict[str, list[str]] = {}
        for title, roles, variant in self.family:
            for role in variant.roles:
                if set(role.atoms) == set(atoms) and roles[role.id] != name and not role.royal:
                    found.setdefault(roles[role.id], []).append(title)
        return self.listed([f"{other} ({', '.join(titles)})" for other, titles in found.items()]) if found else ""


def bullets(*items: str) -> Bullets | None:
    """The items that are not empty."""
    kept = tuple(filter(None, items))
    return Bullets(kept) if kept else None
