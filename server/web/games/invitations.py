"""Invitations to a game: its link as a QR code, for a phone across the table, or sent to somebody by mail.

The secret of the link comes in the body of a POST, so it appears in no URL and no log. A mail needs no account at its
reader, and has no words of the player's own, so that it is no use for anything but a game. Whoever got one can end all
such mail to their address by one click; only a keyed mark of that address is kept.
"""

import hmac
import io
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Annotated, Final

from aiohttp import web
from pydantic import Field

from server.games.changes.beginning import is_invited
from server.games.clocks.time_control import DAY_MS
from server.games.errors import WrongInvitation
from server.games.state import Game
from server.language import Language
from server.mail.composing import Letter
from server.mail.mailer import Mailer
from server.mail.tokens import BadToken
from server.realtime.runtime.ids import digest, new_id
from server.settings import LONGEST_MAILBOX, parse_mailbox, reader_of
from server.storage.tables.addresses import NEVER, UnwantedMailStore
from server.storage.tables.ties import TieStore
from server.storage.time_slices import run_in_one_slice
from server.web.accounts.account_pages import answer
from server.web.accounts.mail_addresses import MailAddresses, link_over
from server.web.accounts.mail_pages import end_by_one_click
from server.web.budgets.limits import charge
from server.web.forms import Form, read_form
from server.web.languages import language_of, names_for
from server.web.notifications.letters import terms_words
from server.web.openapi.operation import SVG, Media, Nothing, described
from server.web.rendering.answers import as_json
from server.web.rendering.problems import Problem
from server.web.session import Visitor
from server.web.site import SITE, find_round
from server.web.variant_words import Names

QR_MASK = 3
"""The standard asks for the best of eight, and trying them all takes four times as long; readers take any."""
QR_MARGIN = 4
"""Modules of white around the code, as ISO/IEC 18004 asks for."""

NEVER_INVITE: Final = "never_invite"
"""The purpose of the tokens that end invitations."""
LINK_KEPT_MS: Final = 400 * DAY_MS
KEPT_MS: Final = DAY_MS
"""For how long the mail server may be away."""


class Sending(Form):
    """The part of a link after #: the secret and, if both seats are free, the seat that it opens."""

    fragment: Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{16,64}(\.(white|black))?$")]


@described(body=Sending, answers={200: Media(SVG)})
async def draw_qr(request: web.Request) -> web.Response:
    """POST /api/games/{game}/qr: the link with that secret, as a picture for a phone's camera."""
    site = request.app[SITE]
    form = await read_form(request, Sending)
    game = (await find_round(request)).game
    link = f"{site.settings.address}/{game.id}#{form.fragment}"
    picture = await run_in_one_slice(partial(qr_svg, link))
    return web.Response(body=picture, content_type="image/svg+xml")


def qr_svg(text: str) -> bytes:
    """A QR code, black on white whatever the page's colours are, because cameras need that."""
    drawn = io.BytesIO()
    import_module("segno").make(text, error="m", micro=False, mask=QR_MASK).save(
        drawn, kind="svg", border=QR_MARGIN, light="#fff", xmldecl=False
    )
    return drawn.getvalue()


class Mailing(Sending):
    """The same, and the mail address that the link is to be sent to."""

    address: Annotated[str, Field(min_length=1, max_length=LONGEST_MAILBOX)]


@described(body=Mailing, answers={200: Nothing})
async def send_invitation(request: web.Request) -> web.Response:
    """POST /api/games/{game}/mail: send the link of a game to a mail address."""
    form = await read_form(request, Mailing)
    game = (await find_round(request)).game
    visitor = await request.app[SITE].sessions.find(request)
    if visitor is None:
        raise Problem(403, "invite_needs_address")
    called = names_for(request)[game.terms.variant.id]
    await request.app[MAIL_INVITATIONS].send_invitation(visitor, game, form, language_of(request), called)
    return as_json({})


@dataclass(frozen=True, slots=True)
class MailInvitations:
    """`addresses`: those of accounts. `site`: the address that links begin with."""

    unwanted: UnwantedMailStore
    ties: TieStore
    addresses: MailAddresses
    mailer: Mailer
    site: str

    async def send_invitation(
        self, visitor: Visitor, game: Game, form: Mailing, language: Language, called: Names
    ) -> None:
        """Sends the link to `game` that ends in `form.fragment`, but not to anybody who has blocked the visitor: nobody
        is told that they are blocked.

        Raises WrongInvitation if it opens no seat; Problem unless the visitor has an account with a confirmed address,
        if the address cannot be written to or wants no invitations, and if too many were sent.
        """
        limits, now = self.addresses.accounts.limits, self.mailer.now()
        if not any(one.in_effect for one in await self.addresses.addresses_of(visitor)):
            raise Problem(403, "invite_needs_address")
        if not is_invited(game, None, digest(form.fragment.partition(".")[0])):
            raise WrongInvitation
        try:
            box = parse_mailbox(form.address)
        except ValueError:
            raise Problem(400, "bad_mailbox") from None
        if await self.unwanted.is_unwanted(self._mark(box)):
            raise Problem(403, "invite_unwanted")
        charge(limits.invitations, visitor.user.id, now)
        charge(limits.invitations_of_mailbox, reader_of(box), now)
        if await self._has_blocked(reader_of(box), visitor.user.id):
            return
        letter = self._letter(visitor.user.name, box, game, form.fragment, language, called)
        if not await self.mailer.post_letter(letter, visitor.user.id, KEPT_MS):
            raise Problem(503, "mail_busy", retry_after=600)

    async def _has_blocked(self, reader: str, sender: str) -> bool:
        """Has somebody who reads the mails to `reader`, as they have confirmed, blocked that person (an id)?"""
        blockers = [blocker for blocker, blocked in await self.ties.blocks(sender) if blocked == sender]
        confirmed = [
            reader_of(one.address)
            for blocker in blockers
            for one in await self.addresses.store.of(blocker)
            if one.confirmed != NEVER
        ]
        return reader in confirmed

    def _letter(self, name: str, box: str, game: Game, fragment: str, language: Language, called: Names) -> Letter:
        token = self.mailer.sign_token(NEVER_INVITE, self._mark(box), kept_ms=LINK_KEPT_MS)
        never = f"{self.site}/mail/never/{token}"
        say = language.plain
        return Letter(
            to=box,
            subject=say("mail.invite_subject", name=name, variant=called.of_form(game.terms.chess960).name),
            lines=(
                say("mail.invite_lead", name=name, site=self.site, terms=terms_words(game, called, language)),
                "",
                say("mail.invite_rated" if game.terms.rated else "mail.invite_how"),
                "",
                f"{self.site}/{game.id}#{fragment}",
                "",
                say("mail.invite_why", name=name),
            ),
            id=new_id(),
            at=self.mailer.now(),
            language=language.code,
            unsubscribe=never,
            foot=((say("mail.invite_never"), never),),
        )

    async def end_invitations(self, token: str) -> None:
        """Ends all invitations to the address that got `token`; repeating it changes nothing. Raises Problem (410)."""
        try:
            (mark,) = self.mailer.read_token(NEVER_INVITE, token)
        except BadToken:
            raise link_over() from None
        await self.unwanted.add(mark, self.mailer.now())

    def _mark(self, box: str) -> str:
        return hmac.digest(self.mailer.key, f"{NEVER_INVITE}\n{reader_of(box)}".encode(), "sha256").hex()[:32]


MAIL_INVITATIONS = web.AppKey("MAIL_INVITATIONS", MailInvitations)
"""Only a site with mail has it."""


async def never_page(request: web.Request) -> web.Response:
    """GET /mail/never/{token}"""
    return await answer(request, "accounts/never_invite.html", None, done=False)


async def never(request: web.Request) -> web.Response:
    """POST /mail/never/{token}"""
    return await end_by_one_click(request, "accounts/never_invite.html", request.app[MAIL_INVITATIONS].end_invitations)
