"""Names that guests are given, short and friendly, and what a name says: whether whoever bears it has an account.

Nobody can register under the name of a guest (`web.accounts.account_names`), and nobody's name has brackets like those
of deleted accounts and of the computer. So a name says by itself whether a page belongs to it, wherever it stands and
however old the game is. That is why words may be added here, but none taken away. Pure; draws no numbers.
"""

import re
from typing import Final

from server.games.player import DELETED_NAME, Player, level_named

# fmt: off
MANNERS: Final = (
    "Amber", "Bold", "Brave", "Bright", "Brisk", "Calm", "Clever", "Cosy", "Eager", "Early", "Gentle", "Glad",
    "Golden", "Happy", "Hasty", "Jolly", "Keen", "Kind", "Lively", "Lucky", "Mellow", "Merry", "Misty", "Nimble",
    "Noble", "Patient", "Plucky", "Polite", "Proud", "Quick", "Quiet", "Royal", "Rusty", "Sleepy", "Sly", "Snowy",
    "Steady", "Sunny", "Swift", "Witty",
)
ANIMALS: Final = (
    "Badger", "Bear", "Beaver", "Bison", "Camel", "Crane", "Crow", "Deer", "Eagle", "Falcon", "Ferret", "Finch",
    "Fox", "Gecko", "Giraffe", "Goose", "Hare", "Hawk", "Heron", "Horse", "Lark", "Lion", "Lynx", "Magpie", "Mole",
    "Moose", "Newt", "Otter", "Owl", "Panda", "Raven", "Robin", "Seal", "Shrew", "Stork", "Swan", "Tiger", "Toad",
    "Weasel", "Wren",
)
# fmt: on
GUEST_NAME: Final = re.compile(rf"(?:{'|'.join(MANNERS)})(?:{'|'.join(ANIMALS)})[1-9][0-9]")
"""Such as QuietHeron27, one of some 140,000."""


def is_account_name(name: str) -> bool:
    """Has a person of this site who is called so an account? A name of an imported game means nobody of this site."""
    return not (name == DELETED_NAME or level_named(name) or GUEST_NAME.fullmatch(name))


def has_account(player: Player) -> bool:
    """Has that player an account, and so a page of their own?"""
    return bool(player.id) and is_account_name(player.name)
