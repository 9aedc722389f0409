"""How the id of a game is written: ten base-62 characters. Knows no game, and draws no numbers.

A browser names a game that it plays offline by itself, so those ids are a space of their own, which their last letter
marks: nobody can take the id of anything that this server is going to name.
"""

import string
from typing import Final

ALPHABET: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
LENGTH: Final = 10
GAME_IDS: Final = len(ALPHABET) ** LENGTH
"""How many there are: 59 bits."""
OFFLINE: Final = ALPHABET[-1]
"""The last letter of ids that browsers have drawn, and of no other new id."""
OWN_IDS: Final = GAME_IDS // len(ALPHABET) * (len(ALPHABET) - 1)
"""How many ids this server draws from: all that are not of games played offline."""


def game_id(number: int) -> str:
    """The id for `number`, of which only what is below GAME_IDS matters."""
    letters = []
    for _ in range(LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[digit])
    return "".join(letters)


def number_of(id: str) -> int:
    """The number of which `id` is the id. Raises ValueError if it is none."""
    if len(id) != LENGTH:
        raise ValueError(f"{id} is not the id of a game")
    number = 0
    for letter in reversed(id):
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    return number


def own_id(number: int) -> str:
    """The id for `number`, however large: never that of a game played offline."""
    id = game_id(number)
    return id if id[-1] != OFFLINE else id[:-1] + ALPHABET[number // GAME_IDS % (len(ALPHABET) - 1)]


def offline_id(id: str) -> str:
    """The id here of the game that a browser calls `id`: the same, unless that is not marked as one played offline.

    Browsers that still have an older script do not mark theirs.
    """
    return id[:-1] + OFFLINE
