"""Names that people choose: which are allowed, and which count as the same. Pure; knows nobody.

A name is a person's face here, so two names that can be taken for each other are one name: case, and the signs that
many fonts draw alike (0 and o; 1, l and i), make no difference. Only ASCII is allowed, as look-alikes in other
scripts are without number.
"""

import re

from server.web.names import ANIMALS, MANNERS

LENGTHS = (2, 20)
SHAPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,19}")
ALIKE = str.maketrans("01i", "oll")
JOINTS = str.maketrans("", "", "-_")

# fmt: off
OFFICES = (
    "abuse", "account", "admin", "administrator", "anon", "anonymous", "black", "bot", "computer", "deleted",
    "engine", "everybody", "everyone", "fairyhouse", "guest", "help", "host", "info", "me", "mod", "moderator",
    "nobody", "null", "official", "operator", "opponent", "owner", "root", "security", "server", "staff", "support",
    "sysadmin", "system", "team", "undefined", "user", "webmaster", "white", "you",
)
# fmt: on
"""Who has such a name could speak for the site, or for nobody."""


class BadName(Exception):  # noqa: N818 - named as the rules name their own
    """Nobody may have this name. `code` says why: name_shape, name_guest or name_reserved."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def fold(name: str) -> str:
    """The form by which names are compared. Names with the same form are the same name."""
    return name.lower().translate(ALIKE)


RESERVED = frozenset(map(fold, OFFICES))
GUEST = re.compile(f"(?:{'|'.join(map(fold, MANNERS))})(?:{'|'.join(map(fold, ANIMALS))})[0-9ol]*")


def check_name(name: str) -> str:
    """The folded form of a name that may be chosen. Raises BadName."""
    # fullmatch: with `$`, a name could end in a line feed.
    if not SHAPE.fullmatch(name):
        raise BadName(
            "name_shape", "A name has 2 to 20 letters of a to z, digits, - and _, and begins with a letter or a digit."
        )
    folded = fold(name)
    plain = folded.translate(JOINTS)
    if GUEST.fullmatch(plain):
        raise BadName("name_guest", "Names like this one are given to guests. Choose one of your own.")
    if plain in RESERVED or plain.rstrip("0123456789ol") in RESERVED:
        raise BadName("name_reserved", "This name could be taken for the site itself. Choose another.")
    return folded
