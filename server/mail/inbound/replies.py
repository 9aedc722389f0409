"""Takes the mails that the mail server hands over: each is carried out once, and answered to whoever may write there.

Who wrote a mail is decided by the address it was sent to (`reply_address`, `personal_address`) and by nothing in it.
The answer goes to the address that the token was mailed to, if it is still in effect, never to the one that the mail
says it comes from; so nobody can have the site write to strangers.

A mail may be handed over again when the mail server has not heard that it was taken. A move and an offer are made once
even then, since they change what the token is about, and a challenge is recognised by its id; of a message that repeats
within this process the second is left out. So nothing is acknowledged before it is done and its answer is in the
outbox.
"""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from server.games.changes.beginning import player_for
from server.games.player import Player
from server.mail.inbound.addresses.personal_address import PersonalAddresses, PersonalToken
from server.mail.inbound.addresses.reply_address import ReplyAddresses, ReplyToken, mark_of
from server.mail.inbound.carrying_out import RepliedSeat
from server.mail.inbound.enquiries import Enquiries
from server.mail.inbound.mail_report import MailReport
from server.mail.inbound.personal_mail import MakeChallenge, PersonalMail, TakeLeave
from server.mail.inbound.reading.grammar import read_commands
from server.mail.inbound.reading.lines import NotACommand
from server.mail.inbound.reading.received_mail import ReceivedMail, UnreadableMail, read_mail
from server.mail.inbound.status import Limit, SmtpStatus
from server.mail.inbound.worker import MailWorker
from server.realtime.play.command_queue import Busy
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.rounds import Rounds
from server.rules.notation.letters import letters_of
from server.storage.errors import Unavailable, Unreadable
from server.storage.tables.addresses import MailAddress

log = logging.getLogger(__name__)

REMEMBERED: Final = 10_000
"""Mails that this process knows to have carried out."""


@dataclass(frozen=True, slots=True)
class ReplyLimits:
    """How many replies are taken from one player, for one seat, and in all; and how many that do nothing are answered.

    None of them can be used up by an opponent. The last ends a conversation with a program that answers our answers and
    does not say that it is one.
    """

    by_player: Limit
    by_seat: Limit
    here: Limit
    refused: Limit


Writer = RepliedSeat | PersonalMail
"""Whoever may write to an address."""


@dataclass(frozen=True, slots=True)
class MailAnswer:
    """The answer to a mail that was sent `to` one of our addresses; it goes to its writer's own `address`."""

    writer: Writer
    address: MailAddress
    to: str
    reply: ReceivedMail
    report: MailReport


@dataclass(frozen=True, slots=True)
class Addresses:
    """All that can be written to."""

    of_games: ReplyAddresses
    of_people: PersonalAddresses

    def read(self, address: str) -> ReplyToken | PersonalToken | None:
        """The token in an address; None if this site has never written it."""
        return self.of_games.read(address) or self.of_people.read(address)


@dataclass(frozen=True, slots=True)
class SiteCalls:
    """What mails ask of the rest of the site. `check_room`: as `RepliedSeat` says."""

    enquiries: Enquiries
    challenge: MakeChallenge
    vacation: TakeLeave
    check_room: Callable[[str], Awaitable[None]]


class Replies:
    """`send` puts an answer into the outbox. False: it takes no more mails now. Raises Unavailable."""

    def __init__(
        self,
        rounds: Rounds,
        addresses: Addresses,
        limits: ReplyLimits,
        worker: MailWorker,
        send: Callable[[MailAnswer], Awaitable[bool]],
        calls: SiteCalls,
    ) -> None:
        self._rounds = rounds
        self._addresses = addresses
        self._limits = limits
        self._worker = worker
        self._send = send
        self._calls = calls
        self._done: OrderedDict[bytes, None] = OrderedDict()

    def knows(self, address: str) -> bool:
        """Has this site ever given out that address?"""
        return self._addresses.read(address) is not None

    async def take(self, address: str, sender: str, content: bytes) -> SmtpStatus:
        """Carries out a mail to `address`; `sender`: its return path, "" for a mail that must not be answered."""
        token = self._addresses.read(address)
        if token is None:
            return SmtpStatus.UNKNOWN
        if self._rounds.stopping:
            return SmtpStatus.LATER
        now, about = self._rounds.services.now(), _about(token)
        # In this order: a flood to one address uses up nothing of what all share.
        if self._limits.by_seat.take(about, now) or self._limits.here.take("", now):
            return SmtpStatus.TOO_MANY
        try:
            mail = await self._worker.run(lambda: read_mail(content))
            key = sha256(f"{address.lower()} {mail.id}".encode(errors="replace")).digest()
            if sender == "" or mail.automatic or key in self._done:
                return SmtpStatus.DONE
            found = await self._writer(token, key)
            if found is None:
                # Or its owner has removed the mailbox since: whoever reads what is sent there has no rights any more.
                return SmtpStatus.UNKNOWN
            status = await self._carry_out(*found, address, mail, now)
        except UnreadableMail as error:
            log.info("a mail about %s cannot be read: %s", about, error)
            return SmtpStatus.UNREADABLE
        except Unreadable as error:
            log.warning("a mail about %s was not taken: %s", about, error)
            return SmtpStatus.UNREADABLE
        except (Busy, StorageDown, Unavailable, TimeoutError) as error:
            log.info("a mail about %s has to wait: %s", about, error)
            return SmtpStatus.LATER
        if status is SmtpStatus.DONE:
            self._remember(key)
        return status

    async def _carry_out(self, writer: Writer, own: MailAddress, to: str, mail: ReceivedMail, now: int) -> SmtpStatus:
        if self._limits.by_player.take(writer.player.id, now):
            return SmtpStatus.TOO_MANY
        try:
            wanted = await self._worker.run(lambda: read_commands(mail.lines))
            report = await writer.carry_out(wanted, now)
        except NotACommand as refusal:
            report = MailReport(refused=refusal)
        if report.refused is not None and not report.done:
            about = _about_writer(writer)
            if self._limits.refused.take(about, now):
                return SmtpStatus.DONE
            report.is_last = self._limits.refused.wait(about, now) > 0
        sent = await self._send(MailAnswer(writer, own, to, mail, report))
        return SmtpStatus.DONE if sent else SmtpStatus.LATER

    async def _writer(self, token: ReplyToken | PersonalToken, key: bytes) -> tuple[Writer, MailAddress] | None:
        """Whoever may write to the address with `token`, and where they get the answer; None: nobody any more.

        `key`: that of the mail.
        """
        store, calls = self._rounds.services.store, self._calls
        if isinstance(token, PersonalToken):
            account = await store.accounts.find(token.name)
            own = [] if account is None else [one for one in await store.addresses.of(account.user) if token.is_of(one)]
            if account is None or not own:
                return None
            return PersonalMail(
                Player(account.user, account.name), calls.enquiries, calls.challenge, calls.vacation, key
            ), own[0]
        found = await self._rounds.get(token.game)
        player = None if found is None else player_for(found.game, token.color)
        if found is None or player is None or player.deleted:
            return None
        for one in await store.addresses.of(player.id):
            if one.in_effect and mark_of(one.address) == token.mark:
                letters = letters_of(found.game.terms.variant, one.letters)
                seat = RepliedSeat(
                    self._rounds, found, player, token, letters, self._worker, calls.enquiries, calls.check_room
                )
                return seat, one
        return None

    def _remember(self, key: bytes) -> None:
        self._done[key] = None
        if len(self._done) > REMEMBERED:
            self._done.popitem(last=False)


def _about(token: ReplyToken | PersonalToken) -> str:
    """What mails to that address are counted by."""
    if isinstance(token, PersonalToken):
        return f"the site, by {token.name}"
    return f"game {token.game}, to {token.color.name.lower()}"


def _about_writer(writer: Writer) -> str:
    return writer.player.id if isinstance(writer, PersonalMail) else _about(writer.token)
