"""The words of commands, and one line of a mail as they see it: the word that it begins with and the rest.

The words of all languages, server/words/<language>/mail_words.json, each with its synonyms, are understood everywhere,
whatever language somebody's mails are in: no word means two things, or the server does not start.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from server.games.clocks.time_control import RATED_SPEEDS
from server.language import InvalidWords, Language, load_words
from server.rules.errors import Refusal

COMMANDS: Final = (
    *(
        "move",
        "if",
        "draw",
        "accept",
        "decline",
        "takeback",
        "rematch",
        "pause",
        "resume",
        "claim",
        "abort",
        "resign",
        "say",
        "preview",
        "show",
        "games",
    ),
    *("standings", "ratings", "history", "challenge", "pair", "vacation", "robin", "enter", "withdraw", "help"),
)
"""What a line can begin with."""
TERMS: Final = ("white", "black", "random", "rated", "casual", "days")
PARTS: Final = ("then", "off", "until", "all", "sure", *TERMS, *RATED_SPEEDS)
"""What else can stand in a line."""
THEIR_WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("signup", "add", "change", "signoff", "delete", "submit", "confirm", "multiple", "broadcast"), ""),
    "queue": "if",
    "reject": "decline",
    "undo": "takeback",
    "chat": "say",
    "message": "say",
    "list": "games",
    "propose": "draw",
}
"""Commands of the play-by-mail servers of old, and what does the same here; "": nothing."""
MOVE: Final = re.compile(
    r"""
    (?: [-*•–] \s )?
    (?: \d{1,4} \s* (?:\.{1,3}|…|\)) \s* | \d{1,4} \s (?=[a-z]) | (?:\.{3}|…) \s )?
    (?P<move>
        (?: \S{2,20} (?: \ ?[x:–—‐‑-]?\ ?[a-p]\d{1,2}\S{0,3} )?
          | [^\W\d_]? [a-p]\d{1,2} \ to\ [a-p]\d{1,2} \S{0,3}
          | [^\W\d_] \ [a-p]\d{1,2} \S{0,3}
          | [^\W\d_]? [a-p] \ \d{1,2} \S{0,3} )
        (?: \ (?: [+\#!?]{1,3} | e\.?p\.? | ch\.? | mate ) )?
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""With or without its number, and spaced as people and telephones space it: "12. Nf3", "12... e7 e5", "2) N f3"."""
LOOKS_LIKE_MOVE: Final = re.compile(
    r"(?:\d{1,4}\s*\.{1,3}\s*)?(?:[0Oo]\W[0Oo].*|[^\W\d_]?@?[a-p]?\d{0,2}\s?[x:–—‐‑-]?\s?[a-p]\d{1,2}\b.{0,6})"
    r"[+#!?]*\.?$",
    re.IGNORECASE,
)
"""What nobody writes but for a move."""
MAX_LINE: Final = 4_000
"""Characters of the longest line that is looked into."""


class NotACommand(Refusal):
    """The line cannot be carried out as it is written, so nothing is."""

    area = "replies"
    code = "bad_mail"


def word_meanings(languages: Mapping[str, Language]) -> dict[str, str]:
    """What each word means: the English one. Raises InvalidWords if one means two things."""
    found: dict[str, str] = {}
    for language in languages.values():
        for meaning in (*COMMANDS, *PARTS):
            for word in language.plain(f"mail_words.{meaning}").split():
                if found.setdefault(word, meaning) != meaning:
                    raise InvalidWords(f"{language.code}/mail_words.json: {word} means {found[word]} already.")
    return found


@cache
def command_words() -> Mapping[str, str]:
    """The meanings of all words of this server."""
    return word_meanings(load_words())


def first_word(line: str) -> str:
    """The first word as it is written, up to a space or colon."""
    return re.split(r"[\s:]", line, maxsplit=1)[0]


def command_of(line: str) -> str:
    """The English word for the command that the line begins with; "" if it begins with none."""
    meaning = command_words().get(first_word(line).lstrip("¡¿").rstrip(".!").lower(), "")
    return meaning if meaning in COMMANDS else ""


def joined_move(move: str) -> str:
    """A move that MOVE has found, with nothing between its squares that no notation has."""
    return re.sub(
        r"(?<=\w) (?=\d)|(?<=^[^\W\d_]) (?=[a-p]\d)", "", re.sub(r"(?<=\d) to (?=[a-p]\d)", "-", move, flags=re.I)
    )


def rest_of(line: str) -> str:
    """What follows the first word, without the full stop that phones put there."""
    return line[len(first_word(line)) :].lstrip(" :").rstrip(" .")


def shortened(line: str) -> str:
    """The line, cut for an answer."""
    return line if len(line) <= 60 else f"{line[:60]}…"
