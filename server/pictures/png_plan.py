"""What the renderer is asked to turn into a PNG."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PngPlan:
    """An SVG document, and how many px wide to draw it."""

    svg: str
    width: int
