"""Names that people choose: which are allowed. Pure; knows nobody.

A name is a person's face here, so two that can be taken for each other are one name (`storage.folding`). Only ASCII is
allowed, as look-alikes in other scripts are without number. Nobody's name speaks for the site, by none of its words.
"""

import re
from collections.abc import Iterator

from server.refusal import Refusal
from server.storage.folding import fold
from server.web.guest_names import ANIMALS, MANNERS

SHAPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,19}")

# fmt: off
OFFICES = (
    "abuse", "account", "admin", "administrator", "anon", "anonymous", "black", "bot", "computer", "deleted",
    "engine", "everybody", "everyone", "fairyhouse", "guest", "help", "host", "info", "me", "mod", "moderator",
    "nobody", "null", "official", "operator", "opponent", "owner", "root", "security", "server", "staff", "support",
    "sysadmin", "system", "team", "undefined", "user", "webmaster", "white", "you",
)
# fmt: on
"""Who has such a name could speak for the site, or for nobody."""
TITLES_ANYWHERE = tuple(map(fold, ("administrator", "fairyhouse", "moderator", "sysadmin", "webmaster")))
TITLES_AT_AN_END = tuple(map(fold, ("admin",)))
TITLES = frozenset(map(fold, ("mod", "official", "server", "staff", "support", "system", "team")))
"""Whoever has one for a word of their name would be believed like `admin`; but Falstaff and Badminton are no titles."""
RESERVED = frozenset(map(fold, OFFICES))
GUESTS = frozenset(fold(manner + animal) for manner in MANNERS for animal in ANIMALS)
WORD = re.compile("[-_]+|(?<=[a-z])(?=[A-Z])")
NUMBERS = frozenset("0123456789ols")


class BadName(Refusal):
    """Nobody may have this name."""

    area = "problems"


def check_name(name: str) -> str:
    """The folded form of a name that may be chosen. Raises BadName."""
    # fullmatch: with `$`, a name could end in a line feed.
    if not SHAPE.fullmatch(name):
        raise BadName("name_shape")
    folded = fold(name)
    if any(stem in GUESTS for stem in _stems(folded)):
        raise BadName("name_guest")
    if _speaks_for_the_site(name, folded):
        raise BadName("name_reserved")
    return folded


def _speaks_for_the_site(name: str, folded: str) -> bool:
    words = (stem for word in WORD.split(name) for stem in _stems(fold(word)))
    return (
        any(stem in RESERVED for stem in _stems(folded))
        or any(title in folded for title in TITLES_ANYWHERE)
        or folded.startswith(TITLES_AT_AN_END)
        or any(stem.endswith(TITLES_AT_AN_END) for stem in _stems(folded))
        or any(word in TITLES for word in words)
    )


def _stems(folded: str) -> Iterator[str]:
    """The word, and what is left when numbers, which some letters stand for, or a plural's s are taken off its end."""
    yield folded
    while folded and folded[-1] in NUMBERS:
        folded = folded[:-1]
        yield folded
