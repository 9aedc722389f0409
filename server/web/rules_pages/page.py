"""What a rules page consists of, whether it becomes HTML or plain text; what all its parts are made from; its address.

Knows no markup.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from server.rules.diagrams.diagram import Diagram
from server.rules.variant.movement import Atom
from server.rules.variant.pieces import Role
from server.rules.variant.variant import Variant
from server.web.variant_words import Names, capitalised

SHUFFLED = "960"
NEW_PIECES = "pieces"
"""The fragment of the section with the pieces that chess does not have."""


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text; `strong` is emphasised."""

    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class MoveLine:
    """Moves in the variant's notation, which have been checked: they are legal from the position `fen`."""

    text: str
    fen: str
    moves: tuple[str, ...]
    """UCI."""


@dataclass(frozen=True, slots=True)
class Link:
    """The rules page of another variant."""

    text: str
    variant_id: str


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A page of another site."""

    text: str
    address: str


Span = Text | MoveLine | Link | Elsewhere
Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    spans: Spans
    foreign: str = ""
    """The language of the text, or "" if it is that of the page."""


@dataclass(frozen=True, slots=True)
class Legend:
    """The marks on the pictures of pieces. Boards of letters explain their own."""

    entries: tuple[tuple[str, bool, str], ...]
    """What a mark means, whether it is about a first move only, and the words for it."""
    note: str


@dataclass(frozen=True, slots=True)
class Bullets:
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextTable:
    """Rows of texts, each named by its first text. A table without a head is a list of facts."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    diagram: Diagram
    caption: str
    foreign: str = ""
    large: bool = False


@dataclass(frozen=True, slots=True)
class Figures:
    """Diagrams that are shown side by side."""

    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Sided:
    """One side of a piece that is turned over when it promotes: the name of its drawing, and what people call it."""

    kind: str
    name: str
    letters: str
    """As in a FEN, for a piece without a drawing."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pieces beside what they promote to."""

    head: tuple[str, str]
    pairs: tuple[tuple[Sided, Sided], ...]
    caption: str


@dataclass(frozen=True, slots=True)
class Portrait:
    """A piece by itself: what it is worth, and the pieces of chess that it is made of, if it is."""

    piece: Sided
    worth: str
    """A sentence; "" if nobody has said."""
    parts: tuple[Sided, ...]


Block = Paragraph | Legend | Bullets | TextTable | Figures | Pairs | Portrait


@dataclass(frozen=True, slots=True)
class Section:
    """`id` is the fragment of its address. `parts` are subsections, which have no parts themselves."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    parts: tuple["Section", ...] = ()
    folded: str = ""
    """Words about what is inside, if a page shows the section only when asked to; "" if it is open."""


@dataclass(frozen=True, slots=True)
class RulesPage:
    variant: Variant
    address: str
    """What follows /rules/ in the page's address."""
    name: str
    tagline: str
    differences: tuple[str, ...]
    start: Diagram
    """The position in which the board of the page begins."""
    sections: tuple[Section, ...]

    @property
    def newcomers(self) -> Section | None:
        """The pieces that chess does not have; None if there are none. A page shows them first."""
        return next((section for section in self.sections if section.id == NEW_PIECES), None)

    @property
    def others(self) -> tuple[Section, ...]:
        return tuple(section for section in self.sections if section.id != NEW_PIECES)


@dataclass(frozen=True, slots=True)
class Prose:
    """The written part of one page."""

    sections: Mapping[str, tuple[Block, ...]]
    pieces: Mapping[str, tuple[Block, ...]]
    """By role id."""
    also: tuple[str, ...] = ()
    """Other names of the game; `also_960` of its shuffled form."""
    also_960: tuple[str, ...] = ()

    def blocks_of(self, section: str) -> tuple[Block, ...]:
        return self.sections.get(section, ())


class Say(Protocol):
    """Returns a sentence as plain text."""

    def __call__(self, key: str, /, **arguments: object) -> str: ...


@dataclass(frozen=True, slots=True)
class PageContext:
    """What every part of a page is made from: the variant, the sentences, the prose and the names."""

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

    def the(self, role_id: str) -> str:
        """The piece with its article, in languages in which that depends on the piece."""
        return self.names.with_article(role_id)

    def the_pieces(self, role_ids: Iterable[str]) -> str:
        """A list of pieces, each once and with its article: "la torre y el alfil"."""
        return self.listed(dict.fromkeys(map(self.the, role_ids)))

    def kind(self, name: str) -> str:
        """What people call a kind of piece by its English name; that itself if no variant here has it."""
        found = (roles[role.id] for _, roles, variant in self.family for role in variant.roles if role.name == name)
        return next(found, name)

    def title(self, role: Role) -> str:
        """The piece with a capital and its letter: "Archbishop (A)"."""
        name = self.piece(role.id)
        return f"{capitalised(name)} ({role.san})"

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
        if len(numbers) > 2 and abs(numbers[-1] - numbers[0]) == len(numbers) - 1:
            return self.say("rules.range", low=numbers[0], high=numbers[-1])
        return self.listed(map(str, numbers))

    def paragraph(self, text: str) -> Paragraph:
        return Paragraph((Text(text),))

    def with_prose(self, section: str, *blocks: Block | None) -> tuple[Block, ...]:
        """The generated blocks, without None, then what people wrote."""
        return (*(block for block in blocks if block is not None), *self.prose.blocks_of(section))

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


def address_of(variant_id: str, chess960: bool) -> str:
    """The last part of the form's address: "grand", "grand960"."""
    return variant_id + SHUFFLED * chess960


def form_at(address: str, variants: Mapping[str, Variant]) -> tuple[Variant, bool] | None:
    """The variant, and whether its shuffled form is meant; None when no form has that address."""
    if address in variants:
        return variants[address], False
    variant = variants.get(address.removesuffix(SHUFFLED)) if address.endswith(SHUFFLED) else None
    return (variant, True) if variant is not None and variant.chess960 else None
