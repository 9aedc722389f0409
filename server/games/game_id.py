"""How the id of a game is written: ten base-62 characters. Knows no game, and draws no numbers."""

import string
from typing import Final

ALPHABET: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
LENGTH: Final = 10
GAME_IDS: Final = len(ALPHABET) ** LENGTH
"""How many there are: 59 bits."""


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
