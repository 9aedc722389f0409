"""What people do with their mail addresses: add, confirm, choose what to be told of, remove. Knows no page.

A link that was sent to an address confirms it; the token in the link is all that is needed, as it may be opened on
another device. Whoever adds an address gives their password, since an address can recover the account.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from aiohttp import web

from server.games.clocks.time_control import DAY_MS
from server.language import Language
from server.mail.composing import Letter
from server.mail.mailer import Mailer
from server.mail.tokens import BadToken, mark_of
from server.mail.wishes import UNSUBSCRIBE, Wishes
from server.mailbox import mailbox
from server.realtime.process.ids import new_id
from server.storage.tables.addresses import NEVER as NEVER_YET
from server.storage.tables.addresses import AddressStore, MailAddress
from server.web.accounts.accounts import Accounts
from server.web.budgets.limits import charge
from server.web.rendering.problems import Problem
from server.web.session import Visitor

MOST: Final = 5
"""Addresses of one account."""
CONFIRM: Final = "confirm"
"""The purpose of the tokens that confirm an address."""
CONFIRM_WITHIN_MS: Final = DAY_MS


def link_over() -> Problem:
    """The link has done its work, or its time is over, or somebody has made it up."""
    return Problem(410, "link_over", code="gone")


@dataclass(frozen=True, slots=True)
class MailAddresses:
    """The addresses of one site's accounts. `site`: the address that links begin with."""

    store: AddressStore
    mailer: Mailer
    accounts: Accounts
    site: str

    async def add(
        self, visitor: Visitor, text: str, password: str, wishes: Wishes, letters: str, language: Language
    ) -> MailAddress:
        """Adds an address and sends the link that confirms it, again for one that is there already.

        `wishes`: what to tell there, `letters`: with whose letters for the pieces. Raises Problem.
        """
        account = await self.accounts.confirmed(visitor, await self.accounts.of(visitor), password)
        try:
            box = mailbox(text)
        except ValueError:
            raise Problem(400, "bad_mailbox") from None
        own = {one.address: one for one in await self.store.of(account.user)}
        if box not in own and len(own) >= MOST:
            raise Problem(403, "too_many_addresses", n=MOST)
        now = self.accounts.now()
        address = own.get(box) or MailAddress(account.user, box, language.code, added=now)
        address = replace(address, language=language.code, wishes=wishes, letters=letters)
        if not address.in_effect:
            charge(self.accounts.limits.confirmations, account.user, now)
            charge(self.accounts.limits.confirmations_of_mailbox, box.lower(), now)
        await self.store.keep(address)
        if not address.in_effect and not await self._ask_to_confirm(address, account.name, language):
            raise Problem(503, "mail_busy", retry_after=600)
        return address

    async def _ask_to_confirm(self, address: MailAddress, name: str, language: Language) -> bool:
        token = self.mailer.token(CONFIRM, address.owner, mark_of(address.address), kept_ms=CONFIRM_WITHIN_MS)
        letter = Letter(
            to=address.address,
            subject=language.plain("mail.confirm_title"),
            lines=(
                language.plain("mail.confirm_lead", name=name, site=self.site),
                "",
                f"{self.site}/mail/confirm#{token}",
                "",
                language.plain("mail.confirm_not_you", name=name),
            ),
            id=new_id(),
            at=self.accounts.now(),
            language=language.code,
        )
        return await self.mailer.post(letter, address.owner, CONFIRM_WITHIN_MS)

    async def confirm(self, token: str) -> MailAddress:
        """Puts the address in effect to which `token` was sent. Raises Problem (410)."""
        address = await self._of_token(CONFIRM, token)
        now = self.accounts.now()
        after = replace(address, confirmed=now, refused=NEVER_YET, bounced=NEVER_YET, bounced_mail="")
        if not await self.store.update(address, after):
            raise link_over()
        return after

    async def unsubscribe(self, token: str) -> None:
        """Ends all mail about games to the address in `token`; repeating it changes nothing. Raises Problem (410)."""
        address = await self._of_token(UNSUBSCRIBE, token)
        await self.store.update(address, replace(address, wishes=()))

    async def _of_token(self, purpose: str, token: str) -> MailAddress:
        try:
            owner, mark = self.mailer.read_token(purpose, token)
        except BadToken:
            raise link_over() from None
        found = [one for one in await self.store.of(owner) if mark_of(one.address) == mark]
        if not found:
            raise link_over()
        return found[0]

    async def choose(self, visitor: Visitor, text: str, wishes: Wishes, letters: str) -> None:
        """Decides what to tell at one's own address, and with whose letters for the pieces; does nothing if it was
        removed. Raises Problem (403).
        """
        for one in await self.of(visitor):
            if one.address == text:
                await self.store.update(one, replace(one, wishes=wishes, letters=letters))

    async def remove(self, visitor: Visitor, text: str) -> None:
        """Deletes one's own address. Raises Problem (403)."""
        await self.store.drop((await self.accounts.of(visitor)).user, text)

    async def of(self, visitor: Visitor) -> Sequence[MailAddress]:
        """One's own addresses. Raises Problem (403)."""
        return await self.store.of((await self.accounts.of(visitor)).user)


MAIL_ADDRESSES = web.AppKey("MAIL_ADDRESSES", MailAddresses)
"""Only a site with mail has it."""
