"""Which names people may choose. Pure; knows nobody.

People are recognised by their names, so two names that look alike count as one (`storage.folding`). Only ASCII is
allowed, as there is no end of look-alikes in other scripts. No word of a name may claim to speak for the site.
"""

import re
from collections.abc import Iterator

from server.games.people.guest_names import ANIMALS, MANNERS
from server.refusal import Refusal
from server.storage.folding import fold

SHAPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,19}")

# fmt: off
OFFICES = (
    "abuse", "account", "admin", "administrator", "anon", "anonymous", "black", "bot", "computer", "deleted",
    "engine", "everybody", "everyone", "fairyhouse", "guest", "help", "host", "info", "me", "mod", "moderator",
    "nobody", "null", "official", "operator", "opponent", "owner", "root", "security", "server", "staff", "support",
    "sysadmin", "system", "team", "undefined", "user", "webmaster", "white", "you",
)
# fmt: on
"""Names that could be mistaken for the site's own voice, or for nobody's."""
TITLES_ANYWHERE = tuple(map(fold, ("administrator", "fairyhouse", "moderator", "sysadmin", "webmaster")))
TITLES_AT_AN_END = tuple(map(fold, ("admin",)))
TITLES = frozenset(map(fold, ("mod", "official", "server", "staff", "support", "system", "team")))
"""As a word of a name these would be believed like `admin`; but Falstaff and Badminton contain no titles."""
RESERVED = frozenset(map(fold, OFFICES))
GUESTS = frozenset(fold(manner + animal) for manner in MANNERS for animal in ANIMALS)
WORD = re.compile("[-_]+|(?<=[a-z])(?=[A-Z])")
NUMBERS = frozenset("0123456789ols")


class BadName(Refusal):
    """Nobody may have this name."""

    area = "problems"


def check_name(name: str) -> str:
    """The folded form of an allowed name. Raises BadName."""
    # fullmatch, because with `$` a name could end in a line feed.
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
    """Yields the word, and the word without digits (or letters that fold to digits) or a plural s at its end."""
    yield folded
    while folded and folded[-1] in NUMBERS:
        folded = folded[:-1]
        yield folded
