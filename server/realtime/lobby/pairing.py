"""From a seek that somebody takes to their game: what is drawn by lot, and the game itself.

Knows no pages. The lobby decides who takes what, and the store whether they were the first.
"""

import random
import secrets
from collections.abc import Sequence

from server.games.changes.beginning import new_game
from server.games.player import Player
from server.games.seeks.seek import Pairing, Seek, common_variants, seats
from server.games.state import Game
from server.games.terms import Terms
from server.rules.notation.fen import format_fen, start_position
from server.rules.shuffle import shuffled_fen
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant


def choose_pairing(
    seek: Seek, taker: Player, wanted: Sequence[str], color: Color | None, variants: Sequence[str]
) -> Pairing:
    """What `taker` gets who would play the variants `wanted` (none: any of `variants`) with `color` (None: either).

    What both leave open is drawn by lot. Raises NotAllowed if there is no variant that both would play.
    """
    variant = secrets.choice(common_variants(seek, wanted, variants))
    free = secrets.choice(tuple(Color))
    return Pairing(taker, variant, seek.color or (free if color is None else color.other))


def game_of(seek: Seek, pairing: Pairing, variant: Variant, now: int) -> Game:
    """Raises InvalidFen, BadTerms, ValueError for a variant that does not allow it any more."""
    fen = shuffled_fen(variant, random.SystemRandom()) if seek.chess960 else format_fen(start_position(variant))
    white, black = seats(seek, pairing)
    return new_game(seek.game, Terms(variant, seek.chess960, fen, seek.control, seek.rated), now, white, black)
