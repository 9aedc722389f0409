"""What a mail says about how to write mails: all commands, one of them, a variant's rules, or what pbmserv had."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from server.games.clocks.speed import RATED_SPEEDS
from server.language import Language
from server.mail.inbound.reading.command_words import TERMS

TOPICS: Final = (
    *("move", "if", "draw", "accept", "takeback", "rematch", "pause", "claim", "abort", "resign"),
    *("say", "preview", "show", "games"),
    *("standings", "ratings", "history", "challenge", "pair", "vacation"),
)
TOPIC_OF: Final[Mapping[str, str]] = {
    "decline": "accept",
    "off": "if",
    "then": "if",
    "resume": "pause",
    "until": "vacation",
    **dict.fromkeys(TERMS, "challenge"),
    **dict.fromkeys(RATED_SPEEDS, "standings"),
}
"""Words that are explained with another."""
ELSEWHERE: Final = "pbmserv"
"""The topic of those who know the play-by-mail servers: which of their commands do not exist here, and why."""
THEIR_WORDS: Final = (
    *("signup", "add", "change", "signoff", "delete", "submit", "confirm", "queue", "propose", "reject", "undo"),
    *("chat", "message", "list", "multiple", "broadcast"),
)
"""Commands of those servers, whose help here is about all of them."""
MISSING: Final = (
    "accounts",
    "confirm",
    "queue",
    "offers",
    "challenge",
    "letters",
    "words",
    "lists",
    "multiple",
    "everybody",
)


@dataclass(frozen=True, slots=True)
class HelpTexts:
    """`variants`: their ids. `rules`: what is said about those that were asked about, by the topic. `personal`: where
    the reader writes to the site, "" if they cannot.
    """

    language: Language
    variants: Iterable[str]
    rules: Mapping[str, Sequence[str]]
    personal: str = ""


def help_lines(texts: HelpTexts, topic: str) -> Iterator[str]:
    """Help on `topic`; on all commands if it is "" or unknown."""
    say = texts.language.plain
    topic = ELSEWHERE if topic in THEIR_WORDS else TOPIC_OF.get(topic, topic)
    if topic in TOPICS:
        yield say(f"mail_answers.help_{topic}")
    elif topic == ELSEWHERE:
        yield say("mail_answers.pbmserv")
        for one in MISSING:
            yield say(f"mail_answers.pbmserv_{one}")
    elif topic in texts.rules:
        yield from texts.rules[topic]
    else:
        yield say("mail_answers.help")
        for one in TOPICS:
            yield say(f"mail_answers.help_{one}")
        yield say("mail_answers.help_help", variants=", ".join(texts.variants))
    if texts.personal:
        yield ""
        yield say("mail_answers.write_to", address=texts.personal)
