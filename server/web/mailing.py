"""Mail on a site that has it: `mailing` runs what is sent, `replying` what is taken.

Only puts the parts together: what mails say is in `web.notifications` and `server.mail`, their pages in `web.accounts`.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module

from aiohttp import web

from server.games.state import Game
from server.language import Language
from server.mail.composing import Letterhead, Linked, ReplyTo
from server.mail.delivery import Connect
from server.mail.inbound.addresses import PersonalAddresses, ReplyAddresses, ReturnPaths, token_for
from server.mail.inbound.answer_text import how_to_answer
from server.mail.inbound.answers import Answers
from server.mail.inbound.enquiries import Enquiries, VariantNames
from server.mail.inbound.received_mail import MAX_BYTES
from server.mail.inbound.replies import Addresses, Bounces, Replies, ReplyLimits, SiteCalls, SmtpStatus
from server.mail.inbound.worker import MailWorker
from server.mail.mailer import Mailer
from server.mail.sender import OutboxSender
from server.realtime.runtime.background import every, running
from server.rules.notation.letters import letters_of
from server.rules.variant.pieces import Color
from server.storage.tables.addresses import MailAddress
from server.web.accounts.accounts import ACCOUNTS
from server.web.accounts.mail_addresses import MAIL_ADDRESSES, PERSONAL_ADDRESSES, RECOVERY, MailAddresses, Recovery
from server.web.games.challenges import challenge_by_mail
from server.web.games.invitations import MAIL_INVITATIONS, MailInvitations
from server.web.games.vacations import vacation_by_mail
from server.web.games.your_games import room_for_game
from server.web.joining import mail_answers
from server.web.languages import LANGUAGES, NAMES
from server.web.notifications.digests import DIGEST_MAILS, DigestMails
from server.web.notifications.letters import LetterWriter, ReplyOf, no_reply, rules_address, rules_link, terms_words
from server.web.pictures.handlers import board_png
from server.web.pictures.image_cache import IMAGES
from server.web.pictures.text_board import text_for, text_of
from server.web.rendering.problems import Problem
from server.web.rules_pages.plain_text import unwrapped
from server.web.rules_pages.rules_pages import RULES_PAGES, Wording
from server.web.site import SITE, name_of

log = logging.getLogger(__name__)

ANSWERS_EVERY_S = 5.0
"""How often it is looked who is to be told whether they may join."""


@asynccontextmanager
async def mailing(app: web.Application, connect: Connect) -> AsyncIterator[None]:
    """Mail by the server that `connect` reaches, until the block ends.

    Raises Unavailable, and OSError if the port for replies cannot be used.
    """
    site = app[SITE]
    settings, store, services = site.settings, site.store, site.live.services

    def letterhead() -> Letterhead:
        return Letterhead(settings.mail_from or "", settings.domain_of_mail, name_of(site))

    key = await store.addresses.signing_key()
    paths = None if settings.mail_lmtp_port is None else ReturnPaths(settings.domain_of_mail, key, site.now)
    sender = OutboxSender(
        store.outbox, store.addresses, store.notification_settings, connect, site.now, site.rounds.is_at_board, paths
    )
    mailer = Mailer(store.outbox, letterhead, key, sender.nudge, site.now)
    app[MAIL_ADDRESSES] = MailAddresses(store.addresses, mailer, app[ACCOUNTS], settings.address, store.sanctions)
    app[MAIL_INVITATIONS] = MailInvitations(
        store.unwanted_mail, store.ties, app[MAIL_ADDRESSES], mailer, settings.address
    )
    app[RECOVERY] = Recovery(app[MAIL_ADDRESSES], services.background)
    async with replying(app, mailer) as reply_of:
        writer = LetterWriter(mailer, app[LANGUAGES], app[NAMES], settings.address, reply_of, partial(picture_of, app))
        app[DIGEST_MAILS] = DigestMails(store, writer, site.rounds.is_at_board)
        sending = asyncio.create_task(sender.run())
        try:
            async with running(every(ANSWERS_EVERY_S, partial(mail_answers, app))):
                yield
        finally:
            sender.stop()
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)


async def picture_of(app: web.Application, game: Game, color: Color) -> bytes:
    """The board as the player of `color` sees it; empty while too many pictures are drawn, as no mail waits for one."""
    if (images := app.get(IMAGES)) is None:
        return b""
    try:
        return await board_png(images, game, flipped=color is Color.BLACK)
    except Problem:
        return b""


@asynccontextmanager
async def replying(app: web.Application, mailer: Mailer) -> AsyncIterator[ReplyOf]:
    """Takes replies until the block ends, if the host has set a port for them.

    Yields what mails say about how to answer them. Raises OSError if the port cannot be used.
    """
    site = app[SITE]
    port, domain = site.settings.mail_lmtp_port, site.settings.domain_of_mail
    if port is None:
        yield no_reply
        return
    addresses = Addresses(ReplyAddresses(domain, mailer.key), PersonalAddresses(domain, mailer.key))
    app[PERSONAL_ADDRESSES] = addresses.of_people
    worker = MailWorker()
    bounces = Bounces(
        ReturnPaths(domain, mailer.key, site.now),
        site.store.addresses,
        worker,
        site.limits.bounces_by_owner,
        site.limits.bounces_in_all,
    )
    replies = _replies(app, mailer, addresses, worker)

    def reply_of(game: Game, color: Color, to: MailAddress, language: Language) -> ReplyTo:
        how = how_to_answer(game, color, language, letters_of(game.terms.variant, to.letters))
        return ReplyTo(addresses.of_games.write_address(token_for(game, color, to.address)), how)

    # Imported only here, so that a site without replies does not need the library.
    lmtp_port = import_module("server.mail.inbound.lmtp").lmtp_port
    try:
        room = Mailroom(replies, bounces, site.now, f"postmaster@{domain}".lower())
        async with lmtp_port(room, site.live.services.background, domain, site.settings.mail_lmtp_host, port):
            yield reply_of
    finally:
        worker.close()


@dataclass(frozen=True, slots=True)
class Mailroom:
    """An `Inbox`: replies and bounces, each by the address it is sent to. `now` gives ms.

    `postmaster`: the address that every mail domain must have (RFC 5321).
    """

    replies: Replies
    bounces: Bounces
    now: Callable[[], int]
    postmaster: str

    def knows_address(self, address: str) -> bool:
        """Does this site take mail to that address?"""
        given_out = self.replies.knows_address(address) or self.bounces.knows_address(address)
        return given_out or self._is_postmaster(address)

    def _is_postmaster(self, address: str) -> bool:
        return address.lower() == self.postmaster

    async def take_mail(self, address: str, sender: str, content: bytes) -> SmtpStatus:
        """Takes one mail: a bounce, or a reply to a letter. The answer is the one for the mail server."""
        if self._is_postmaster(address):
            log.warning("a mail to %s came and is dropped: have your mail server keep mail to it", self.postmaster)
            return SmtpStatus.DONE
        if self.bounces.knows_address(address):
            return await self.bounces.take_mail(address, content, self.now())
        if len(content) > MAX_BYTES:
            return SmtpStatus.TOO_LARGE
        return await self.replies.take_mail(address, sender, content)


def _replies(app: web.Application, mailer: Mailer, addresses: Addresses, worker: MailWorker) -> Replies:
    site, names = app[SITE], _variant_names(app)
    limits = site.limits
    return Replies(
        site.rounds,
        addresses,
        ReplyLimits(
            limits.replies_by_player, limits.replies_by_seat, limits.replies_in_all, limits.replies_that_do_nothing
        ),
        worker,
        _answers(app, mailer, addresses, names, worker).send_answer,
        SiteCalls(
            Enquiries(site.rounds, site.live.tournaments, names, worker, site.now),
            partial(challenge_by_mail, site, names),
            partial(vacation_by_mail, site),
            partial(room_for_game, site),
            partial(name_of, site),
        ),
    )


def _answers(
    app: web.Application, mailer: Mailer, addresses: Addresses, names: VariantNames, worker: MailWorker
) -> Answers:
    site, languages, called = app[SITE], app[LANGUAGES], app[NAMES]

    def stands(game: Game, color: Color | None, language: str, tradition: str) -> Iterator[str]:
        variant = game.terms.variant
        how = languages[language], called[language][variant.id], site.now(), letters_of(variant, tradition)
        return text_of(game, *how) if color is None else text_for(game, color, *how)

    async def rules(variant: str, chess960: bool, language: str) -> Sequence[str]:
        wording = Wording(language, languages[language].plain, called[language])
        text = await app[RULES_PAGES].text(site.variants[variant], wording, chess960)
        return unwrapped(text.replace("(/rules/", f"({site.settings.address}/rules/"))

    def terms(game: Game, language: str) -> str:
        return terms_words(game, called[language][game.terms.variant.id], languages[language])

    def links(game: Game, language: str) -> Iterator[Linked]:
        address = rules_address(site.settings.address, game)
        return rules_link(game, called[language][game.terms.variant.id], languages[language], address)

    return Answers(mailer, addresses, languages, names, site.settings.address, stands, rules, terms, links, worker)


def _variant_names(app: web.Application) -> VariantNames:
    called = {code: {variant: one.name for variant, one in known.items()} for code, known in app[NAMES].items()}
    return VariantNames(app[SITE].variants, called)
