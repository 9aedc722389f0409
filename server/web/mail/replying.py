"""Replies by mail on a site that takes them: the parts of `server.mail.inbound`, put together and run."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module

from aiohttp import web

from server.games.state import Game
from server.language import Language
from server.mail.composing import ReplyTo
from server.mail.inbound.addresses.personal_address import PersonalAddresses
from server.mail.inbound.addresses.reply_address import ReplyAddresses, token_for
from server.mail.inbound.addresses.return_path import ReturnPaths
from server.mail.inbound.answer_text import how_to_answer
from server.mail.inbound.answers import Answers
from server.mail.inbound.bounces import Bounces
from server.mail.inbound.enquiries import Enquiries
from server.mail.inbound.reading.variants_named import VariantNames
from server.mail.inbound.replies import Addresses, Replies, ReplyLimits, SiteCalls
from server.mail.inbound.status import SmtpStatus
from server.mail.inbound.worker import MailWorker
from server.mail.mailer import Mailer
from server.rules.notation.letters import letters_of
from server.rules.variant.pieces import Color
from server.storage.tables.addresses import MailAddress
from server.web.accounts.personal_addresses import PERSONAL_ADDRESSES
from server.web.accounts.vacations import vacation_by_mail
from server.web.languages import LANGUAGES, NAMES
from server.web.lobby.mail_challenges import challenge_by_mail
from server.web.lobby.your_games import require_room
from server.web.notifications.letter_writer import ReplyOf, no_reply
from server.web.pictures.text_board import text_of
from server.web.rules_pages.plain_text import unwrapped
from server.web.rules_pages.rules_pages import RULES_PAGES
from server.web.rules_pages.wording import Wording
from server.web.site import SITE


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
        ReturnPaths(domain, mailer.key, site.now), site.store.addresses, worker, site.limits.bounces_in_all
    )
    replies = _replies(app, mailer, addresses, worker)

    def reply_of(game: Game, color: Color, to: MailAddress, language: Language) -> ReplyTo:
        how = how_to_answer(game, color, language, letters_of(game.terms.variant, to.letters))
        return ReplyTo(addresses.of_games.write(token_for(game, color, to.address)), (how,))

    # Imported only here, so that a site without replies does not need the library.
    lmtp_port = import_module("server.mail.inbound.lmtp").lmtp_port
    try:
        async with lmtp_port(Mailroom(replies, bounces, site.now), site.live.services.background, domain, port):
            yield reply_of
    finally:
        worker.close()


@dataclass(frozen=True, slots=True)
class Mailroom:
    """An `Inbox`: replies and bounces, each by the address it is sent to. `now` gives ms."""

    replies: Replies
    bounces: Bounces
    now: Callable[[], int]

    def knows(self, address: str) -> bool:
        return self.replies.knows(address) or self.bounces.knows(address)

    async def take(self, address: str, sender: str, content: bytes) -> SmtpStatus:
        """Takes one mail: a bounce, or a reply to a letter. The answer is the one for the mail server."""
        if self.bounces.knows(address):
            return await self.bounces.take(address, content, self.now())
        return await self.replies.take(address, sender, content)


def _variant_names(app: web.Application) -> VariantNames:
    called = {code: {variant: one.name for variant, one in known.items()} for code, known in app[NAMES].items()}
    return VariantNames(app[SITE].variants, called)


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
        _answers(app, mailer, addresses, names, worker).send,
        SiteCalls(
            Enquiries(site.rounds, names, worker, site.now),
            partial(challenge_by_mail, site, names),
            partial(vacation_by_mail, site),
            partial(require_room, site),
        ),
    )


def _answers(
    app: web.Application, mailer: Mailer, addresses: Addresses, names: VariantNames, worker: MailWorker
) -> Answers:
    site, languages, called = app[SITE], app[LANGUAGES], app[NAMES]

    def stands(game: Game, language: str, tradition: str) -> Iterator[str]:
        variant = game.terms.variant
        letters = letters_of(variant, tradition)
        return text_of(game, languages[language], called[language][variant.id], site.now(), letters)

    async def rules(variant: str, chess960: bool, language: str) -> Sequence[str]:
        wording = Wording(language, languages[language].plain, called[language])
        text = await app[RULES_PAGES].text(site.variants[variant], wording, chess960)
        return unwrapped(text.replace("(/rules/", f"({site.settings.address}/rules/"))

    return Answers(mailer, addresses, languages, names, site.settings.address, stands, rules, worker)
