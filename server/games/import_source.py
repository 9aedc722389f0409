"""Where a game comes from that was not played here: what the file it was read from says of it. Knows no files."""

from dataclasses import dataclass

LONGEST_TEXT = 120
"""Letters of what a page shows of it."""


@dataclass(frozen=True, slots=True)
class ImportSource:
    """`tags`: names and values as that file has them, in its order, but for those that follow from the game.

    `movetext`: the moves with comments, glyphs and variations as PGN, to be given back as they are; "" when nothing
    is said of them but when they were played.
    """

    tags: tuple[tuple[str, str], ...] = ()
    movetext: str = ""

    @property
    def event(self) -> str:
        return self.tag("Event")

    @property
    def site(self) -> str:
        return self.tag("Site")

    @property
    def date(self) -> str:
        return self.tag("Date")

    def tag(self, name: str) -> str:
        """What a page may show of a tag, "" where the file does not say."""
        return cleaned(dict(self.tags).get(name, ""), LONGEST_TEXT)


def cleaned(text: str, longest: int) -> str:
    """One line of printable letters, no longer than that."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:longest]
