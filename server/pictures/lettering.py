"""Estimates how wide a text will be, well enough to make it fit: viewers' fonts differ and cannot be measured here."""

NARROW, WIDE = frozenset("iljtfrI1.,:;'|!-() "), frozenset("mwMW@%")
USUAL_WIDTH = 0.51
"""The average width of a letter, as a fraction of the font size."""


def width_of(text: str) -> float:
    """An upper bound for most sans-serif fonts, as a multiple of the font size."""
    return sum(_width(letter) for letter in text)


def fitting(text: str, size: float, room: float) -> float:
    """The largest font size, at most `size`, at which the text fits into `room`."""
    return min(size, room / max(0.5, width_of(text)))


def _width(letter: str) -> float:
    if letter in NARROW:
        return 0.36
    if letter in WIDE:
        return 0.98
    if letter > "\u2e7f":
        return 1.0
    return 0.74 if letter.isupper() else 0.6
