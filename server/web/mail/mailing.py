"""The parts of a site with mail, put together and run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from aiohttp import web

from server.games.state import Game
from server.mail.composing import Letterhead
from server.mail.delivery import Connect
from server.mail.inbound.addresses.return_path import ReturnPaths
from server.mail.mailer import Mailer
from server.mail.sender import OutboxSender
from server.rules.variant.pieces import Color
from server.web.accounts.accounts import ACCOUNTS
from server.web.accounts.mail_addresses import MAIL_ADDRESSES, MailAddresses
from server.web.accounts.mail_invitations import MAIL_INVITATIONS, MailInvitations
from server.web.accounts.recovery import RECOVERY, Recovery
from server.web.languages import LANGUAGES, NAMES
from server.web.mail.replying import replying
from server.web.notifications.digest_mails import DIGEST_MAILS, DigestMails
from server.web.notifications.letter_writer import LetterWriter
from server.web.pictures.game_pictures import board_png
from server.web.pictures.image_cache import IMAGES
from server.web.rendering.problems import Problem
from server.web.site import SITE


async def picture_of(app: web.Application, game: Game, color: Color) -> bytes:
    """The board as the player of `color` sees it; empty while too many pictures are drawn, as no mail waits for one."""
    if (images := app.get(IMAGES)) is None:
        return b""
    try:
        return await board_png(images, game, flipped=color is Color.BLACK)
    except Problem:
        return b""


@asynccontextmanager
async def mailing(app: web.Application, connect: Connect) -> AsyncIterator[None]:
    """Mail by the server that `connect` reaches, until the block ends.

    Raises Unavailable, and OSError if the port for replies cannot be used.
    """
    site = app[SITE]
    settings, store, services = site.settings, site.store, site.live.services
    letterhead = Letterhead(settings.mail_from or "", settings.domain_of_mail)
    key = await store.addresses.signing_key()
    paths = None if settings.mail_lmtp_port is None else ReturnPaths(settings.domain_of_mail, key, site.now)
    sender = OutboxSender(
        store.outbox, store.addresses, store.notification_settings, connect, site.now, site.rounds.is_at_board, paths
    )
    mailer = Mailer(store.outbox, letterhead, key, sender.nudge, site.now)
    app[MAIL_ADDRESSES] = MailAddresses(store.addresses, mailer, app[ACCOUNTS], settings.address)
    app[MAIL_INVITATIONS] = MailInvitations(
        store.unwanted_mail, store.ties, app[MAIL_ADDRESSES], mailer, settings.address
    )
    app[RECOVERY] = Recovery(app[MAIL_ADDRESSES], services.background)
    async with replying(app, mailer) as reply_of:
        writer = LetterWriter(mailer, app[LANGUAGES], app[NAMES], settings.address, reply_of, partial(picture_of, app))
        app[DIGEST_MAILS] = DigestMails(store, writer, site.rounds.is_at_board)
        sending = asyncio.create_task(sender.run())
        try:
            yield
        finally:
            sender.stop()
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
