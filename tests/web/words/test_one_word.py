"""One word for one thing: pages, mails, rules and lessons of a language never fall back to a word that was given up."""

import re
from itertools import chain

from server.language import FOLDER

RULES = FOLDER.parent / "rules"
FILES = {
    "en": [
        *(FOLDER / "en").rglob("*.*"),
        *(RULES / "data" / "lessons").glob("*.toml"),
        *(RULES / "data" / "variants").glob("*.toml"),
    ],
    "es": [*(FOLDER / "es").rglob("*.*")],
}
GIVEN_UP = {
    "en": {
        r"\be-mail|\b(a|one|this|any|your) mail\b|\b(these|such|in) mails\b": "email",
        r"\bcall(ed)? (the game )?off\b": "abort",
        r"\bmen\b": "pieces",
        r"\bthe line is\b|\ba line,? too\b": "connection",
        r"\bclocks?( of all your correspondence games)? stands?\b(?! still)": "stand still",
    },
    "es": {
        r"\bfichas?\b": "token",
        r"\b[Rr]eservas? de\b|\ben la reserva\b": "mano; bolsa de tiempo",
        r"\bbolsillos?\b": "mano",
        r"\banfitri": "quien administra este sitio",
        r"\breto\b|\bretar\b": "desafío",
        r"\brey(es)? desnudos?\b": "rey solo",
        r"\bmate ahogado\b": "mate de la coz",
        r"\bcasillas? (blanc|negr)as?\b": "casilla clara, casilla oscura",
        r"\b[Ii]nicia sesión\b": "entra, as the button says",
        r"\b[Rr]ecarga\b": "vuelve a cargar",
        r"\bmodalidad": "variante",
    },
}


def lines(code):
    """What people read in that language, without the words of commands by mail, of which some are older ones."""
    texts = (path.read_text().splitlines() for path in FILES[code] if path.stem != "mail_words")
    return [line for line in chain.from_iterable(texts) if not line.startswith("#")]


def test_a_word_that_was_given_up_is_not_used():
    used = {
        f"say: {instead}": [line for line in said if re.search(given_up, line)]
        for code, said in ((code, lines(code)) for code in GIVEN_UP)
        for given_up, instead in GIVEN_UP[code].items()
    }
    assert {instead: found for instead, found in used.items() if found} == {}
