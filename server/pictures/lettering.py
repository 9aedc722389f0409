"""How wide a text will be, near enough to make it fit: the fonts of readers differ, and none can be measured here."""

NARROW, WIDE = frozenset("iljtfrI1.,:;'|!-() "), frozenset("mwMW@%")
USUAL_WIDTH = 0.51
"""Of a letter of a sentence, as a part of the font's size."""


def width_of(text: str) -> float:
    """An upper bound for most fonts without serifs, as a multiple of the font's size."""
    return sum(_width(letter) for letter in text)


def fitting(text: str, size: float, room: float) -> float:
    """The size at which the text fits into `room`, at most `size`."""
    return min(size, room / max(0.5, width_of(text)))


def _width(letter: str) -> float:
    if letter in NARROW:
        return 0.36
    if letter in WIDE:
        return 0.98
    if letter > "\u2e7f":
        return 1.0
    return 0.74 if letter.isupper() else 0.6
