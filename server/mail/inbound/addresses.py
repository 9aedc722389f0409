"""The signed addresses that people and mail servers write to, MAILBOX+TOKEN@domain. Reads no mail.

`me+…` is where somebody writes to the site itself, `play+…` where a mail about a game is answered to, `bounce+…` where
mail servers say that a mail could not be delivered. A token proves who may write there, not that what they write is
allowed. Mail servers may write the part before the @ in capitals, and need not carry more than 64 characters there
(RFC 5321, 4.5.3.1.1).
"""

import hashlib
import hmac
from base64 import b32decode, b32encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from server.games.clocks.time_control import DAY_MS, for_color
from server.games.conditional import MoveTree, steps_of
from server.games.game_id import GAME_IDS, game_id, number_of
from server.games.state import Game
from server.rules.variant.pieces import Color
from server.storage.tables.addresses import MailAddress
from server.storage.tables.outbox import OutboxMail

SEPARATOR: Final = "+"
SIGNATURE_BYTES: Final = 10
LONGEST_LOCAL: Final = 64


class SignedAddresses:
    """Writes and reads the addresses of one `mailbox` at `domain`. Knows nothing of what is signed.

    `site_key`: the secret that this site signs with. The key for these signatures is derived from it and `purpose`, so
    that no other signature fits.
    """

    def __init__(self, mailbox: str, domain: str, site_key: bytes, purpose: bytes) -> None:
        self._mailbox = mailbox
        self._domain = domain.lower()
        self._key = hmac.digest(site_key, purpose, "sha256")

    def write_address(self, content: bytes) -> str:
        """The address that carries `content`. Raises ValueError if that is too long."""
        text = b32encode(content + self._signature(content)).decode().lower().rstrip("=")
        local = f"{self._mailbox}{SEPARATOR}{text}"
        if len(local) > LONGEST_LOCAL:
            raise ValueError(f"{len(content)} bytes are too many for an address")
        return f"{local}@{self._domain}"

    def read_address(self, address: str) -> bytes | None:
        """What was written into that address; None if this site has never written it."""
        local, _, domain = address.rpartition("@")
        mailbox, _, text = local.partition(SEPARATOR)
        if domain.lower() != self._domain or mailbox.lower() != self._mailbox or len(local) > LONGEST_LOCAL:
            return None
        try:
            signed = b32decode(text.encode("ascii") + b"=" * (-len(text) % 8), casefold=True)
        except ValueError:
            return None
        # Compared as a whole, since some of the last bits mean nothing: only one spelling counts.
        content = signed[:-SIGNATURE_BYTES]
        written, _, _ = self.write_address(content).partition("@")
        return content if hmac.compare_digest(written.encode(), local.lower().encode()) else None

    def _signature(self, content: bytes) -> bytes:
        return hmac.digest(self._key, content, "sha256")[:SIGNATURE_BYTES]


PERSONAL_MAILBOX: Final = "me"
PERSONAL_PURPOSE: Final = b"address to write to"
ADDRESS_MARK_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class PersonalToken:
    """Proves that a mail comes from the owner of an account, as only they know the address with this token.

    `name`: of the account. `mark`: of the mail address that the token was made for, so that it expires once that is
    removed; adding the same again makes another token.
    """

    name: str
    mark: bytes

    def is_of(self, address: MailAddress) -> bool:
        """Was it made for that address, since it was confirmed?"""
        return address.in_effect and mark_of_confirmed(address) == self.mark


class PersonalAddresses:
    """Writes and reads the addresses at `domain`. `site_key`: the secret that this site signs with."""

    def __init__(self, domain: str, site_key: bytes) -> None:
        self._signed = SignedAddresses(PERSONAL_MAILBOX, domain, site_key, PERSONAL_PURPOSE)

    def write_address(self, name: str, address: MailAddress) -> str:
        """Where the owner of `address`, whose account is called `name`, writes to the site."""
        return self._signed.write_address(mark_of_confirmed(address) + name.encode())

    def read_address(self, address: str) -> PersonalToken | None:
        """The token that was written into that address; None if this site has never written it."""
        content = self._signed.read_address(address)
        if content is None:
            return None
        return PersonalToken(content[ADDRESS_MARK_BYTES:].decode(errors="replace"), content[:ADDRESS_MARK_BYTES])


def mark_of_confirmed(address: MailAddress) -> bytes:
    """A mark that binds a token to that address since it was confirmed."""
    written = f"{address.owner} {address.address} {address.confirmed}"
    return hashlib.sha256(written.encode()).digest()[:ADDRESS_MARK_BYTES]


REPLY_MAILBOX: Final = "play"
REPLY_PURPOSE: Final = b"address to reply to"
REPLY_MARK_BYTES: Final = 3
STATE_BYTES: Final = 12
PLIES: Final = 1 << 11
OFFERS: Final = 1 << 16
PREPARED: Final = 1 << 7


@dataclass(frozen=True, slots=True)
class ReplyToken:
    """What a mail to the player of `color` was about: `game` when it had `plies` half-moves.

    The token proves that a reply comes from somebody who has read the mail. It expires once a move or an offer is made,
    and a move that is taken back does not revive it.

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

        The number of half-moves alone does not tell: some may have been taken back and others played. But then more
        numbers of offers were used since than are open: that of the offer to take them back, or the one after it.
        """
        made_since = self.offers_since(game)
        still_open = sum(offer.id >= game.next_offer - made_since for offer in game.offers)
        return (game.id, len(game.plies)) == (self.game, self.plies) and made_since == still_open

    def is_about_next_turn(self, game: Game) -> bool:
        """Has nothing happened since but one move?"""
        return (game.id, len(game.plies)) == (self.game, self.plies + 1) and self.offers_since(game) == 0

    def is_about_offers(self, game: Game, made: int = 0) -> bool:
        """Is it the same turn, in which only `made` offers have been made, by the reader?"""
        return self.is_about_turn(game) and self.offers_since(game) == made

    def offers_since(self, game: Game) -> int:
        """How many offers were made since."""
        return (game.next_offer - self.offers) % OFFERS

    def is_about_prepared(self, game: Game) -> bool:
        """Does the player have the same conditional moves as then?"""
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
    """A mark that tells the few addresses of one player apart."""
    return hashlib.sha256(address.encode()).digest()[:REPLY_MARK_BYTES]


class ReplyAddresses:
    """Writes and reads the addresses at `domain`. `site_key`: the secret that this site signs with."""

    def __init__(self, domain: str, site_key: bytes) -> None:
        self._signed = SignedAddresses(REPLY_MAILBOX, domain, site_key, REPLY_PURPOSE)

    def write_address(self, token: ReplyToken) -> str:
        """The whole address, with the domain. Raises ValueError if it would be too long."""
        return self._signed.write_address(_packed(token))

    def read_address(self, address: str) -> ReplyToken | None:
        """The token that was written into that address; None if this site has never written it."""
        content = self._signed.read_address(address)
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


BOUNCE_MAILBOX: Final = "bounce"
BOUNCE_PURPOSE: Final = b"address for bounces"
MAIL_BYTES: Final = 3
DAY_BYTES: Final = 2
KEPT_DAYS: Final = 14
"""Mail servers try for five days, as a rule."""


@dataclass(frozen=True, slots=True)
class BounceToken:
    """Which mail came back: only a server that got the mail can report it.

    `owner`: the user whose address it is. `mark`: that of the address, so that the token is of no use once that is
    removed or confirmed anew. `mail`: that of the mail. `last_day`: since the epoch, the last on which it is good.
    """

    owner: str
    mark: bytes
    mail: str
    last_day: int

    def is_of(self, address: MailAddress) -> bool:
        """Was the mail sent to that address, since it was confirmed?"""
        return mark_of_confirmed(address) == self.mark


def mark_of_mail(mail_id: str) -> str:
    """A mark that tells the mails to one address apart."""
    return hashlib.sha256(mail_id.encode()).digest()[:MAIL_BYTES].hex()


class ReturnPaths:
    """Writes and reads the addresses at `domain`. `site_key`: the secret that this site signs with. `now` gives ms."""

    def __init__(self, domain: str, site_key: bytes, now: Callable[[], int]) -> None:
        self._signed = SignedAddresses(BOUNCE_MAILBOX, domain, site_key, BOUNCE_PURPOSE)
        self._now = now

    def write_address(self, mail: OutboxMail, to: MailAddress) -> str:
        """The address that takes the report if `mail` cannot be delivered to `to`."""
        day = (self._now() // DAY_MS + KEPT_DAYS).to_bytes(DAY_BYTES, "big")
        marks = mark_of_confirmed(to) + bytes.fromhex(mark_of_mail(mail.id))
        return self._signed.write_address(marks + day + to.owner.encode())

    def knows_address(self, address: str) -> bool:
        """Has this site ever written it?"""
        return self._signed.read_address(address) is not None

    def read_address(self, address: str) -> BounceToken | None:
        """The token that was written into that address; None if this site has not written it, or too long ago."""
        content = self._signed.read_address(address)
        if content is None:
            return None
        mark, rest = content[:ADDRESS_MARK_BYTES], content[ADDRESS_MARK_BYTES:]
        mail, day, owner = rest[:MAIL_BYTES], rest[MAIL_BYTES:][:DAY_BYTES], rest[MAIL_BYTES + DAY_BYTES :]
        token = BounceToken(owner.decode(errors="replace"), mark, mail.hex(), int.from_bytes(day, "big"))
        return token if self._now() // DAY_MS <= token.last_day else None
