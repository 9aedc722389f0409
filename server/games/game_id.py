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
