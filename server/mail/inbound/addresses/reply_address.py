"""The address that a mail about a game is answered to: play+TOKEN@domain.

The token is all that a reply needs to be believed: whoever sends it has read the mail. It names a seat, and the game as
that mail showed it, by the number of half-moves and of offers made; so it is of no use once either has changed, and
a move that is taken back does not revive it. It also knows the reader's conditional moves from others. It is signed,
and bound to the address that the mail went to.
"""

import hashlib
from dataclasses import dataclass
from typing import Final

from server.games.clocks.time_control import for_color
from server.games.conditional import MoveTree, steps_of
from server.games.game_id import GAME_IDS, game_id, number_of
from server.games.state import Game
from server.mail.inbound.addresses.signed_address import SignedAddresses
from server.rules.variant.pieces import Color

MAILBOX: Final = "play"
PURPOSE: Final = b"address to reply to"
MARK_BYTES: Final = 3
STATE_BYTES: Final = 12
PLIES: Final = 1 << 11
OFFERS: Final = 1 << 16
PREPARED: Final = 1 << 7


@dataclass(frozen=True, slots=True)
class ReplyToken:
    """What a mail to the player of `color` was about: `game` when it had `plies` half-moves.

    `offers`: of how many offers its players then knew. `mark`: that of the address that the mail went to.
    `confirms`: the mail asked whether what the player wrote before is meant. `prepared`: a mark of their conditional
    moves, 0 without any.
    """

    game: str
    color: Color
    plies: int
    offers: int
    mark: bytes
    confirms: bool = False
    prepared: int = 0

    def is_about_turn(self, game: Game) -> bool:
        """Is `game` still in the turn that the mail showed?

        The number of half-moves alone does not tell: some may have been taken back and others played. But then the
        offer to take them back is none of those that are open, while it is one of those made since.
        """
        made_since = (game.next_offer - self.offers) % OFFERS
        still_open = sum(offer.id >= game.next_offer - made_since for offer in game.offers)
        return (game.id, len(game.plies)) == (self.game, self.plies) and made_since == still_open

    def is_about_offers(self, game: Game) -> bool:
        """Has nobody made an offer since either?"""
        return self.is_about_turn(game) and game.next_offer % OFFERS == self.offers

    def is_about_prepared(self, game: Game) -> bool:
        """Has the player the same conditional moves as then?"""
        return _mark_of_tree(for_color(game.conditional, self.color)) == self.prepared


def token_for(game: Game, color: Color, address: str, *, confirms: bool = False) -> ReplyToken:
    """The token for a mail to `address` that shows the player of `color` how `game` stands."""
    prepared = _mark_of_tree(for_color(game.conditional, color))
    return ReplyToken(game.id, color, len(game.plies), game.next_offer % OFFERS, mark_of(address), confirms, prepared)


def _mark_of_tree(tree: MoveTree) -> int:
    """From 1 on; 0 for a tree without moves."""
    if not tree:
        return 0
    written = " ".join(map(str, steps_of(tree)))
    return 1 + hashlib.sha256(written.encode()).digest()[0] % (PREPARED - 1)


def mark_of(address: str) -> bytes:
    """By what a token tells the few addresses of one player apart."""
    return hashlib.sha256(address.encode()).digest()[:MARK_BYTES]


class ReplyAddresses:
    """Writes and reads the addresses at `domain`. `site_key`: the secret that this site signs with."""

    def __init__(self, domain: str, site_key: bytes) -> None:
        self._signed = SignedAddresses(MAILBOX, domain, site_key, PURPOSE)

    def write(self, token: ReplyToken) -> str:
        """The whole address, with the domain. Raises ValueError if it would be too long."""
        return self._signed.write(_packed(token))

    def read(self, address: str) -> ReplyToken | None:
        """The token that was written into that address; None if this site has never written it."""
        content = self._signed.read(address)
        return None if content is None else _unpacked(content)


def _packed(token: ReplyToken) -> bytes:
    number = token.prepared * GAME_IDS + number_of(token.game)
    number = number * PLIES + token.plies
    number = number * OFFERS + token.offers
    number = number << 2 | (token.color is Color.BLACK) << 1 | token.confirms
    return number.to_bytes(STATE_BYTES, "big") + token.mark


def _unpacked(signed: bytes) -> ReplyToken:
    number, mark = int.from_bytes(signed[:STATE_BYTES], "big"), signed[STATE_BYTES:]
    number, flags = divmod(number, 4)
    number, offers = divmod(number, OFFERS)
    number, plies = divmod(number, PLIES)
    prepared, game = divmod(number, GAME_IDS)
    color = Color.BLACK if flags & 2 else Color.WHITE
    return ReplyToken(game_id(game), color, plies, offers, mark, bool(flags & 1), prepared)
