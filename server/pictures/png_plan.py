"""What the renderer is asked to draw. Knows no renderer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sheet:
    """An SVG document, and how many px wide it is to be."""

    svg: str
    width: int
