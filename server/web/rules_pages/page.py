"""What a rules page consists of, whether it becomes HTML or plain text. Knows no words."""

from dataclasses import dataclass

from server.rules.diagrams.diagram import Diagram
from server.rules.variant.variant import Variant

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
