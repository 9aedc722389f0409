"""Texts from outside made fit to stand on one line of a file or a mail."""


def printable(text: str) -> str:
    """`text` with a space for each character that is not printable, such as a line break."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def one_line(text: str) -> str:
    """The same with single spaces between its words, and none around them."""
    return " ".join(printable(text).split())
