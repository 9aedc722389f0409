"""What the marks in diagrams mean, and the signs for them in texts. Knows no board."""

from collections.abc import Iterator

from server.rules.diagrams.diagram import Diagram, Use
from server.web.rules_pages.page_context import Say

WORDS = {use: f"rules.mark_{use.name.lower()}" for use in Use}
TYPED = {
    Use.BOTH: "*",
    Use.MOVE: "o",
    Use.CAPTURE: "x",
    Use.REACHED: "*",
    Use.TAKEN: "x",
    Use.DROP: "@",
    Use.GATE: "/",
    Use.PROMOTES: "^",
    Use.MUST_PROMOTE: "=",
}
"""On boards of letters."""
DRAWN = {Use.DROP: "■", Use.GATE: "▢", Use.PROMOTES: "△", Use.MUST_PROMOTE: "▲"}
"""Below pictures, for marks that the legend of the pieces does not explain."""


def typed_legend(diagram: Diagram, say: Say) -> str:
    """The marks on a board of letters; "" when there are none."""
    parts = [f"{TYPED[use]} {say(WORDS[use])}" for use in _uses(diagram)]
    if any(mark.first for mark in diagram.marks):
        parts.append(f"! {say('rules.mark_first')}")
    return ", ".join(parts)


def drawn_legend(diagram: Diagram, say: Say) -> str:
    """The marks in a picture; "" if they need no words."""
    return ", ".join(f"{DRAWN[use]} {say(WORDS[use])}" for use in _uses(diagram) if use in DRAWN)


def spoken_legend(diagram: Diagram, say: Say) -> str:
    """The marked squares in words, for screen readers; "" if there are none."""
    names = diagram.variant.geometry.names
    parts = []
    for use in _uses(diagram):
        squares = [
            names[mark.square] + (f" ({say('rules.mark_first')})" if mark.first else "")
            for mark in diagram.marks
            if mark.use is use
        ]
        parts.append(f"{say(WORDS[use])}: {', '.join(squares)}")
    return "; ".join(parts)


def _uses(diagram: Diagram) -> Iterator[Use]:
    return iter(dict.fromkeys(mark.use for mark in diagram.marks))
