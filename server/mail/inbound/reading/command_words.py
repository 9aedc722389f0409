"""The words of commands in all languages: server/words/<language>/mail_words.json, each with its synonyms.

All of them are understood everywhere, whatever language somebody's mails are in: no word means two things, or the
server does not start.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from server.games.clocks.speed import RATED_SPEEDS
from server.language import InvalidWords, Language, load_words

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
    *("standings", "ratings", "history", "challenge", "pair", "vacation", "help"),
)
"""What a line can begin with."""
TERMS: Final = ("white", "black", "random", "rated", "casual", "days")
PARTS: Final = ("then", "off", "until", *TERMS, *RATED_SPEEDS)
"""What else can stand in a line."""


def meanings(languages: Mapping[str, Language]) -> dict[str, str]:
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
    return meanings(load_words())
