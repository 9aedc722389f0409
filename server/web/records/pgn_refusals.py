"""What is wrong with a game in PGN, as a sentence in the reader's language."""

from server.rules.errors import InvalidPgn
from server.web.i18n.words import Language


def sentence_of(language: Language, error: InvalidPgn) -> str:
    """Every code that the rules give has a sentence in the catalogue."""
    ply = 0 if error.ply is None else error.ply + 1
    said = error.detail
    return language.plain(f"import.error_{error.code}", move=said, name=said, result=said, number=said, ply=ply)
