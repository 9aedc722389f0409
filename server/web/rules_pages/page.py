"""What a rules page consists of, before anybody decides whether it becomes HTML or plain text. Knows no words."""

from dataclasses import dataclass

from server.rules.diagrams.diagram import Diagram
from server.rules.variant.variant import Variant


@dataclass(frozen=True, slots=True)
class Text:
    """Words as they are; `strong` ones stand out."""

    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """Moves in the variant's notation, judged already: legal one after the other from the position `fen`."""

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


Span = Text | Line | Link | Elsewhere
Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    spans: Spans
    foreign: str = ""
    """The language of the text when it is not the page's; "" when it is."""


@dataclass(frozen=True, slots=True)
class Legend:
    """The marks on the pictures of pieces. Boards of letters explain their own."""

    entries: tuple[tuple[str, bool, str], ...]
    """What a mark says of its square, whether only of a first move, and the words for it."""
    note: str


@dataclass(frozen=True, slots=True)
class Bullets:
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts; the first text of a row names it. Without a head the table is a list of facts."""

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
    """Diagrams that belong beside each other."""

    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Sided:
    """One side of a piece that is turned over when it promotes: the English name of its kind, and what it is called."""

    kind: str
    name: str
    letters: str
    """As in a FEN, for a kind nobody has drawn."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pieces beside what they promote to."""

    head: tuple[str, str]
    pairs: tuple[tuple[Sided, Sided], ...]
    caption: str


Block = Paragraph | Legend | Bullets | Table | Figures | Pairs


@dataclass(frozen=True, slots=True)
class Section:
    """`id` is the fragment of its address; `parts` are one level deeper and have none of their own."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    parts: tuple["Section", ...] = ()


@dataclass(frozen=True, slots=True)
class RulesPage:
    variant: Variant
    address: str
    """What follows /rules/ in the page's address."""
    name: str
    tagline: str
    differences: tuple[str, ...]
    sections: tuple[Section, ...]
