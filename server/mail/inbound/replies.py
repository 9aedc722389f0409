"""Takes the mails that the mail server hands over: replies, mails to the site, and bounces.

A mail is executed once and answered. Its writer is known by the address it was sent to (`addresses`) and by nothing in
it. The answer goes to the address that the token was mailed to, if that is still in effect, never to the sender that
the mail names; so nobody can make the site write to strangers.

A mail may be handed over again if the mail server did not get our acknowledgement, or the store failed between two of
its commands. Commands that were executed are recognised by the state of the game, and by the note that the mail has
been begun (`execute`), a challenge by its id, and the rest is executed. So a mail is acknowledged only when its
commands are done and its answer is in the outbox.

Bounces, in which other mail servers report mails that they could not deliver (RFC 3464), are noted and never answered.
"""

import logging
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from email.message import EmailMessage, Message
from enum import StrEnum
from functools import partial
from hashlib import sha256
from typing import Final, Protocol

from server.games.changes.beginning import player_for
from server.games.errors import DecisionRefused, NotAllowed
from server.games.player import Player
from server.mail.delivery import after_failure
from server.mail.inbound.addresses import (
    PersonalAddresses,
    PersonalToken,
    ReplyAddresses,
    ReplyToken,
    ReturnPaths,
    mark_of,
)
from server.mail.inbound.command_words import NotACommand, shortened
from server.mail.inbound.enquiries import Enquiries
from server.mail.inbound.execute import MakeChallenge, PersonalMail, RepliedSeat, TakeLeave
from server.mail.inbound.grammar import is_command, read_commands, words_within
from server.mail.inbound.intended_moves import moves_within
from server.mail.inbound.mail_commands import MailCommand
from server.mail.inbound.mail_report import MailReport
from server.mail.inbound.received_mail import (
    MAX_BYTES,
    STATUS_TYPE,
    ReceivedMail,
    UnreadableMail,
    header_value,
    parse_mail,
    read_mail,
    status_blocks,
)
from server.mail.inbound.worker import MailWorker
from server.realtime.play.command_queue import Busy
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.rounds import Rounds
from server.rules.errors import Refusal
from server.rules.notation.letters import letters_of
from server.storage.errors import Unavailable, Unreadable
from server.storage.tables.addresses import AddressStore, MailAddress

log = logging.getLogger(__name__)
REMEMBERED: Final = 10_000
"""Mails that this process knows to have carried out."""
FAILED: Final = "failed"
"""The action of a report that says that a mail was not delivered, and will not be."""
PERMANENT: Final = re.compile(r"5\.\d{1,3}\.\d{1,3}\b")
NO_MAILBOX: Final = "5.1.1"
WRITTEN_BY_QMAIL: Final = "Hi. This is the"
"""How reports in its format begin, whoever writes them."""
LONGEST_REPORT: Final = 10_000
"""Characters of what is told in words."""
BELOW_IS_A_COPY: Final = re.compile(r"^-{2,} ?(?:Below this line|This is a copy|Enclosed)", re.MULTILINE)
TOLD_STATUS: Final = re.compile(r"(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.])")
TOLD_REPLY: Final = re.compile(r"\b55[0-4][ -]")
"""The answer of a server to which the mail was handed over."""


class SmtpStatus(StrEnum):
    """As RFC 5321 and RFC 3463 have it."""

    DONE = "250 2.0.0 Done"
    UNKNOWN = "550 5.1.1 There is no such address here"
    TOO_LARGE = "552 5.3.4 This mail is too large"
    UNREADABLE = "554 5.6.0 This mail cannot be read"
    TOO_MANY = "451 4.7.1 Too many mails; try again later"
    LATER = "451 4.3.0 The site cannot take it now; try again later"


class Limit(Protocol):
    def take(self, key: str, now: int, cost: int = 1) -> int:
        """Takes `cost` at `now` (ms) and returns 0, or takes nothing and returns how many seconds to wait."""

    def wait(self, key: str, now: int, cost: int = 1) -> int:
        """How many seconds to wait at `now` (ms) until `cost` can be taken; 0: none. Takes nothing."""


@dataclass(frozen=True, slots=True)
class ReplyLimits:
    """How many replies are taken from one player, for one seat, and in all; and how many refused ones are answered.

    None of them can be used up by an opponent. The last ends a conversation with a program that answers our answers
    without being marked as one.
    """

    by_player: Limit
    by_seat: Limit
    here: Limit
    refused: Limit


Writer = RepliedSeat | PersonalMail
"""A person who may write to one of our addresses."""


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
    """All addresses that people can write to."""

    of_games: ReplyAddresses
    of_people: PersonalAddresses

    def read_address(self, address: str) -> ReplyToken | PersonalToken | None:
        """The token in an address; None if this site has never written it."""
        return self.of_games.read_address(address) or self.of_people.read_address(address)


@dataclass(frozen=True, slots=True)
class SiteCalls:
    """What the commands of mails need of the rest of the site. `room_for_game`: as in `RepliedSeat`; `name`: what the
    site is called now.
    """

    enquiries: Enquiries
    challenge: MakeChallenge
    vacation: TakeLeave
    room_for_game: Callable[[str], AbstractAsyncContextManager[None]]
    name: Callable[[], str]


class Replies:
    """Replies and mails to the site. `send` puts an answer into the outbox; False: that is full. Raises Unavailable."""

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

    def knows_address(self, address: str) -> bool:
        """Has this site ever given out that address?"""
        return self._addresses.read_address(address) is not None

    async def take_mail(self, address: str, sender: str, content: bytes) -> SmtpStatus:
        """Executes a mail to `address`; `sender`: its return path, "" for a mail that must not be answered."""
        token = self._addresses.read_address(address)
        if token is None:
            return SmtpStatus.UNKNOWN
        if self._rounds.stopping:
            return SmtpStatus.LATER
        now, about = self._rounds.services.now(), _about(token)
        # The limit that all share is only looked at: it is charged once its writer is known to be within their own.
        if self._limits.by_seat.take(about, now) or self._limits.here.wait("", now):
            return SmtpStatus.TOO_MANY
        if sender == "":
            return SmtpStatus.DONE
        try:
            found = await self._writer(token) or await self._decliner(token, address, content)
            if found is None:
                # Or its owner has removed the mailbox since: its reader has no rights any more.
                return SmtpStatus.UNKNOWN
            # In this order: a flood by one person, to any number of addresses, takes little from the limit that all
            # share. And before the mail is read, which takes longer than all the rest.
            if self._limits.by_player.take(found[0].player.id, now) or self._limits.here.take("", now):
                return SmtpStatus.TOO_MANY
            mail = await self._worker.run(lambda: read_mail(content, self._calls.name()))
            key = _key_of(address, mail)
            if mail.automatic or key in self._done:
                return SmtpStatus.DONE
            status = await self._carry_out(*found, address, mail, key, now)
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

    async def _carry_out(
        self, writer: Writer, own: MailAddress, to: str, mail: ReceivedMail, key: bytes, now: int
    ) -> SmtpStatus:
        try:
            if self._rounds.services.sanctions.shut_out(writer.player.id, now) is not None:
                raise DecisionRefused("shut_out")
            wanted = await self._worker.run(lambda: _commands_of(mail))
            report = await writer.execute_commands(wanted, key, now)
        except (NotACommand, NotAllowed) as refusal:
            report = MailReport(refused=refusal, near=await self._near(writer, refusal))
        if report.refused is not None and not report.done:
            about = _about_writer(writer)
            if self._limits.refused.take(about, now):
                return SmtpStatus.DONE
            report.is_last = self._limits.refused.wait(about, now) > 0
        sent = await self._send(MailAnswer(writer, own, to, mail, report))
        return SmtpStatus.DONE if sent else SmtpStatus.LATER

    async def _near(self, writer: Writer, refusal: Refusal) -> Sequence[str]:
        """What may be meant by a line that was not understood: moves that it has in it, or else commands."""
        if refusal.id != "not_understood":
            return ()
        line = str(refusal.params["line"])
        words = words_within(line)[:1]
        if isinstance(writer, RepliedSeat) and writer.game.has_the_move(writer.token.color):
            position, letters = writer.game.position, writer.letters
            return await self._worker.run(lambda: moves_within(position, line, letters)) or words
        return words

    async def _writer(
        self, token: ReplyToken | PersonalToken, player: Player | None = None
    ) -> tuple[Writer, MailAddress] | None:
        """Who may write to the address with `token`, and where they get the answer; None: nobody any more.

        `player`: who that is, if the game does not say it any more.
        """
        store, calls = self._rounds.services.store, self._calls
        if isinstance(token, PersonalToken):
            account = await store.accounts.find(token.name)
            own = [] if account is None else [one for one in await store.addresses.of(account.user) if token.is_of(one)]
            if account is None or not own:
                return None
            writer = Player(account.user, account.name)
            return PersonalMail(writer, calls.enquiries, calls.challenge, calls.vacation), own[0]
        found = await self._rounds.get(token.game)
        player = player or (None if found is None else player_for(found.game, token.color))
        if found is None or player is None or player.deleted:
            return None
        for one in await store.addresses.of(player.id):
            if one.in_effect and mark_of(one.address) == token.mark:
                letters = letters_of(found.game.terms.variant, one.letters)
                seat = RepliedSeat(
                    self._rounds, found, player, token, letters, self._worker, calls.enquiries, calls.room_for_game
                )
                return seat, one
        return None

    async def _decliner(
        self, token: ReplyToken | PersonalToken, address: str, content: bytes
    ) -> tuple[Writer, MailAddress] | None:
        """The same of a mail that has declined a challenge when it came before: its writer has no seat any more."""
        found = await self._rounds.get(token.game) if isinstance(token, ReplyToken) else None
        if found is None or found.game.outcome is None or found.game.outcome.reason != "declined":
            return None
        store, mail = (
            self._rounds.services.store,
            await self._worker.run(lambda: read_mail(content, self._calls.name())),
        )
        owner = await store.received_mail.owner_of_mail(_key_of(address, mail).hex())
        account = None if owner is None else await store.accounts.of_user(owner)
        return None if account is None else await self._writer(token, Player(account.user, account.name))

    def _remember(self, key: bytes) -> None:
        self._done[key] = None
        if len(self._done) > REMEMBERED:
            self._done.popitem(last=False)


def _commands_of(mail: ReceivedMail) -> tuple[MailCommand, ...]:
    """The commands of a mail. Raises NotACommand, and says so if the only one stands in the subject."""
    if not mail.lines and is_command(mail.subject):
        raise NotACommand("only_subject", line=shortened(mail.subject))
    return read_commands(mail.lines)


def _key_of(address: str, mail: ReceivedMail) -> bytes:
    """By what the mail to that address is recognised if it comes again."""
    return sha256(f"{address.lower()} {mail.id}".encode(errors="replace")).digest()


def _about(token: ReplyToken | PersonalToken) -> str:
    """The key by which mails to that address are counted."""
    if isinstance(token, PersonalToken):
        return f"the site, by {token.name}"
    return f"game {token.game}, to {token.color.name.lower()}"


def _about_writer(writer: Writer) -> str:
    return writer.player.id if isinstance(writer, PersonalMail) else _about(writer.token)


class Bounces:
    """Reports about mails that came back. `by_owner` limits those about one person's mails, so that they cannot use up
    `here`.
    """

    def __init__(
        self, paths: ReturnPaths, addresses: AddressStore, worker: MailWorker, by_owner: Limit, here: Limit
    ) -> None:
        self._paths = paths
        self._addresses = addresses
        self._worker = worker
        self._by_owner = by_owner
        self._here = here

    def knows_address(self, address: str) -> bool:
        """Has this site ever given out that address?"""
        return self._paths.knows_address(address)

    async def take_mail(self, address: str, content: bytes, now: int) -> SmtpStatus:
        """Notes a failure that a mail to `address` reports at `now` (ms). Takes other mails, too, and ignores them."""
        token = self._paths.read_address(address)
        if token is None:
            return SmtpStatus.DONE
        if self._by_owner.take(token.owner, now) or self._here.take("", now):
            return SmtpStatus.TOO_MANY
        try:
            code = await self._worker.run(lambda: failure_in(content))
            if code is None:
                return SmtpStatus.DONE
            for one in await self._addresses.of(token.owner):
                if token.is_of(one):
                    failed = partial(after_failure, mail=token.mail, at=now, no_mailbox=code == NO_MAILBOX)
                    await self._addresses.change(one.owner, one.address, failed)
        except UnreadableMail as error:
            log.info("a report about a mail cannot be read: %s", error)
        except (Busy, Unavailable, TimeoutError) as error:
            log.info("a report about a mail has to wait: %s", error)
            return SmtpStatus.LATER
        return SmtpStatus.DONE


def failure_in(content: bytes) -> str | None:
    """The status (RFC 3463) with which a mail failed for good, as a report says; None if it says nothing of the kind.

    A large report is not read to its end, where it repeats the mail. Raises UnreadableMail.
    """
    return parse_mail(content[:MAX_BYTES], _failure)


def _failure(mail: EmailMessage) -> str | None:
    return _reported_failure(mail) or _told_failure(mail)


def _told_failure(mail: EmailMessage) -> str | None:
    """What servers say in words that report in no other way: exim of old, qmail and those that write as it does."""
    text = mail.get_body(("plain",))
    content = text.get_payload(decode=True) if isinstance(text, EmailMessage) else None
    if not isinstance(content, bytes):
        return None
    told = BELOW_IS_A_COPY.split(content.decode("latin-1").lstrip()[:LONGEST_REPORT])[0]
    if "X-Failed-Recipients" not in mail and not told.startswith(WRITTEN_BY_QMAIL):
        return None
    codes = TOLD_STATUS.findall(told)
    permanent = [code for code in codes if code.startswith("5.")]
    if not permanent and not codes and TOLD_REPLY.search(told):
        return "5.0.0"
    return NO_MAILBOX if NO_MAILBOX in permanent else next(iter(permanent), None)


def _reported_failure(mail: EmailMessage) -> str | None:
    """What the part of a mail says in which servers report to programs."""
    # Some servers do not write multipart/report but multipart/mixed.
    if mail.get_content_maintype() != "multipart":
        return None
    codes = [
        found[0]
        for part in _parts(mail)
        if part.get_content_type() == STATUS_TYPE
        for recipient in status_blocks(part)
        if header_value(recipient, "Action").strip().lower() == FAILED
        and (found := PERMANENT.match(header_value(recipient, "Status").strip()))
    ]
    return NO_MAILBOX if NO_MAILBOX in codes else next(iter(codes), None)


def _parts(mail: Message) -> Iterator[Message]:
    """The parts of a mail, and of those that hold parts: a gateway may wrap a report. Not those of a mail within it."""
    parts = mail.get_payload()
    for part in parts if isinstance(parts, list) else ():
        if not isinstance(part, Message):
            continue
        if part.get_content_maintype() == "multipart":
            yield from _parts(part)
        else:
            yield part
