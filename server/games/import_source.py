"""What the PGN file of an imported game says about it."""

from dataclasses import dataclass

from server.rules.notation.printable import one_line

LONGEST_TEXT = 120
"""Characters of a tag that a page shows."""


@dataclass(frozen=True, slots=True)
class ImportSource:
    """`tags`: names and values in the order of the file, without those that follow from the game.

    `movetext`: the moves with comments, glyphs and variations as PGN, to be exported unchanged; "" if the moves have
    nothing but clock times.
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
        """The value of a tag as a page may show it; "" if the file has none."""
        return cleaned(dict(self.tags).get(name, ""), LONGEST_TEXT)


def cleaned(text: str, longest: int) -> str:
    """`text` as one line of at most `longest` printable characters."""
    return one_line(text)[:longest]
