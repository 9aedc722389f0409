"""Games against the computer, which thinks in its opponent's page: whose hand moves its pieces, and what it grants.

The page sends what the computer does over that person's own connection, marked as the computer's. So what the computer
does there proves nothing about how strong it is, which is why nothing may depend on such a game: it is never rated.
"""

from typing import Final

from server.games.errors import NotAllowed
from server.games.state import Game, OfferKind
from server.rules.variant.pieces import Color

GRANTED: Final = frozenset({OfferKind.TAKEBACK, OfferKind.REMATCH})
"""What the computer accepts at once, whoever plays. About a draw it thinks."""


def acting_side(game: Game, own: Color, *, for_computer: bool) -> Color:
    """The side for which the player of `own` gives a command. Raises NotAllowed unless that is theirs to do."""
    if not for_computer:
        return own
    if game.computer is not own.other:
        raise NotAllowed("not_for_computer")
    return own.other


def is_granted(game: Game, kind: OfferKind, by: Color) -> bool:
    """Does the computer accept at once what the player of `by` offers?"""
    return game.computer is by.other and kind in GRANTED
