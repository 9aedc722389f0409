"""What people do with their mail addresses: add, confirm, choose what to be told of, remove, and recover the account
after its password is forgotten. Knows no page.

A link that was sent to an address confirms it; the token in the link is all that is needed, as it may be opened on
another device. Whoever adds an address gives their password, since an address can recover the account. The answer to
whoever asks for a new password is the same at once, whether or not there is such an account; the token depends on the
password that is stored, so it dies with the first new one, however that is set.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from aiohttp import web

from server.games.clocks.time_control import DAY_MS
from server.language import Language
from server.mail.composing import Letter
from server.mail.inbound.addresses import PersonalAddresses
from server.mail.mailer import Mailer
from server.mail.tokens import BadToken, mark_of_secret
from server.mail.wishes import UNSUBSCRIBE, Wishes
from server.realtime.runtime.background import Background
from server.realtime.runtime.ids import new_id
from server.realtime.services.sanctions import mark_of_address
from server.settings import parse_mailbox, reader_of
from server.storage.errors import StoreError
from server.storage.tables.accounts import Account, PasswordChanged
from server.storage.tables.addresses import MOST_ADDRESSES, AddressStore, MailAddress
from server.storage.tables.addresses import NEVER as NEVER_YET
from server.storage.tables.sanctions import SanctionStore
from server.web.accounts.accounts import Accounts
from server.web.budgets.limits import charge
from server.web.rendering.problems import Problem
from server.web.session import Visitor

log = logging.getLogger(__name__)

RECOVER: Final = "recover"
"""The purpose of the tokens that allow a new password."""
RECOVER_WITHIN_MS: Final = 3_600_000

CONFIRM: Final = "confirm"
"""The purpose of the tokens that confirm an address."""
CONFIRM_WITHIN_MS: Final = DAY_MS


@dataclass(frozen=True, slots=True)
class MailAddresses:
    """The addresses of one site's accounts. `site`: the address that links begin with."""

    store: AddressStore
    mailer: Mailer
    accounts: Accounts
    site: str
    sanctions: SanctionStore

    async def add_address(
        self, visitor: Visitor, text: str, password: str, wishes: Wishes, letters: str, language: Language
    ) -> MailAddress:
        """Adds an address and sends the link that confirms it, again for one that is there already.

        `wishes`: what to tell there, `letters`: with whose letters for the pieces. Raises Problem.
        """
        account = await self.accounts.confirmed(visitor, await self.accounts.of(visitor), password)
        try:
            box = parse_mailbox(text)
        except ValueError:
            raise Problem(400, "bad_mailbox") from None
        own = {one.address: one for one in await self.store.of(account.user)}
        full = Problem(403, "too_many_addresses", n=MOST_ADDRESSES)
        if box not in own and len(own) >= MOST_ADDRESSES:
            raise full
        now = self.accounts.now()
        address = own.get(box) or MailAddress(account.user, box, language.code, now, wishes=wishes, letters=letters)
        if not address.in_effect:
            charge(self.accounts.limits.confirmations, account.user, now, shared_by=reader_of(box))
        if box not in own and not await self.store.add(address):
            raise full
        wanted = partial(replace, language=language.code, wishes=wishes, letters=letters)
        address = await self.store.change(account.user, box, wanted) or address
        if not address.in_effect and not await self._ask_to_confirm(address, account.name, language):
            raise Problem(503, "mail_busy", retry_after=600)
        return address

    async def correct_address(self, account: Account, old: str, new: str, language: Language) -> None:
        """Has the address `old` of that account go, and asks at `new` for confirmation; "": of none, at none. Repeating
        it changes nothing but asks again. Raises Problem.
        """
        own = {one.address: one for one in await self.store.of(account.user)}
        before, address, now = own.get(old), own.get(new), self.accounts.now()
        if new and not (address and address.in_effect):
            charge(self.accounts.limits.confirmations, account.user, now, shared_by=reader_of(new))
        if new and address is None:
            address = MailAddress(account.user, new, before.language if before else language.code, now)
            address = replace(address, wishes=before.wishes, letters=before.letters) if before else address
            if before is not None:
                await self.store.put_in_place_of(before, address)
            elif not await self.store.add(address):
                raise Problem(403, "too_many_addresses", n=MOST_ADDRESSES)
        elif before is not None and old != new:
            await self.store.drop(account.user, old)
        if (
            address is not None
            and not address.in_effect
            and not await self._ask_to_confirm(address, account.name, language)
        ):
            raise Problem(503, "mail_busy", retry_after=600)

    async def _ask_to_confirm(self, address: MailAddress, name: str, language: Language) -> bool:
        token = self.mailer.sign_token(
            CONFIRM, address.owner, mark_of_secret(address.address), kept_ms=CONFIRM_WITHIN_MS
        )
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
        return await self.mailer.post_letter(letter, address.owner, CONFIRM_WITHIN_MS)

    async def confirm_address(self, token: str) -> MailAddress:
        """Puts the address in effect to which `token` was sent. Raises Problem: 410; 403 if whoever reads it was shut
        out under another account, which only they are told, as nobody else has the token.
        """
        address = await self._of_token(CONFIRM, token)
        now = self.accounts.now()
        mark = await mark_of_address(self.store, address.address)
        if until := (await self.sanctions.kept_out([mark], now)).get(mark):
            raise Problem(403, "address_kept_out", n=-(-(until - now) // DAY_MS))
        confirmed = partial(replace, confirmed=now, refused=NEVER_YET, bounced=NEVER_YET, bounced_mail="")
        after = await self.store.change(address.owner, address.address, confirmed)
        if after is None:
            raise link_over()
        return after

    async def unsubscribe(self, token: str) -> None:
        """Ends all mail about games to the address in `token`; repeating it changes nothing. Raises Problem (410)."""
        address = await self._of_token(UNSUBSCRIBE, token)
        await self.store.change(address.owner, address.address, partial(replace, wishes=()))

    async def _of_token(self, purpose: str, token: str) -> MailAddress:
        try:
            owner, mark = self.mailer.read_token(purpose, token)
        except BadToken:
            raise link_over() from None
        found = [one for one in await self.store.of(owner) if mark_of_secret(one.address) == mark]
        if not found:
            raise link_over()
        return found[0]

    async def choose_wishes(self, visitor: Visitor, text: str, wishes: Wishes, letters: str) -> None:
        """Decides what to tell at one's own address, and with whose letters for the pieces; does nothing if it was
        removed. Raises Problem (403).
        """
        owner = (await self.accounts.of(visitor)).user
        await self.store.change(owner, text, partial(replace, wishes=wishes, letters=letters))

    async def remove_address(self, visitor: Visitor, text: str) -> None:
        """Deletes one's own address. Raises Problem (403)."""
        await self.store.drop((await self.accounts.of(visitor)).user, text)

    async def addresses_of(self, visitor: Visitor) -> Sequence[MailAddress]:
        """One's own addresses. Raises Problem (403)."""
        return await self.store.of((await self.accounts.of(visitor)).user)


MAIL_ADDRESSES = web.AppKey("MAIL_ADDRESSES", MailAddresses)
"""Only a site with mail has it."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """Recovery of the accounts of one site."""

    addresses: MailAddresses
    background: Background

    def send_link(self, name: str, language: Language) -> None:
        """Sends a link to the confirmed addresses of that account, if there is one, without waiting for it."""
        self.background.spawn(self._send(name, language))

    async def _send(self, name: str, language: Language) -> None:
        try:
            account = await self.addresses.accounts.store.find(name)
            if account is not None:
                await self._send_to(account, language)
        except StoreError as error:
            log.info("a link for a new password was not sent: %s", error)

    async def _send_to(self, account: Account, language: Language) -> None:
        accounts, mailer, site = self.addresses.accounts, self.addresses.mailer, self.addresses.site
        in_effect = [one for one in await self.addresses.store.of(account.user) if one.in_effect]
        if not in_effect or accounts.limits.recoveries.take(account.folded, accounts.now()):
            return
        mark = mark_of_secret(account.password)
        token = mailer.sign_token(RECOVER, account.folded, account.user, mark, kept_ms=RECOVER_WITHIN_MS)
        for one in in_effect:
            if accounts.limits.recoveries_of_mailbox.take(reader_of(one.address), accounts.now()):
                continue
            letter = Letter(
                to=one.address,
                subject=language.plain("mail.password_title"),
                lines=(
                    language.plain("mail.recover_lead", name=account.name, site=site),
                    "",
                    f"{site}/mail/password#{token}",
                    "",
                    language.plain("mail.recover_not_you"),
                ),
                id=new_id(),
                at=accounts.now(),
                language=language.code,
            )
            await mailer.post_letter(letter, one.owner, RECOVER_WITHIN_MS)

    async def set_password(self, token: str, password: str) -> None:
        """Gives the account in `token` that password and ends all its sessions. Raises BadPassword, Problem (410)."""
        try:
            folded, user, mark = self.addresses.mailer.read_token(RECOVER, token)
        except BadToken:
            raise link_over() from None
        account = await self.addresses.accounts.store.find(folded)
        if account is None or account.user != user or mark_of_secret(account.password) != mark:
            raise link_over()
        try:
            await self.addresses.accounts.recover(account, password)
        except PasswordChanged:
            raise link_over() from None


RECOVERY = web.AppKey("RECOVERY", Recovery)
"""Only a site with mail has it."""


def link_over() -> Problem:
    """The link has done its work, or its time is over, or somebody has made it up."""
    return Problem(410, "link_over", code="gone")


PERSONAL_ADDRESSES = web.AppKey("PERSONAL_ADDRESSES", PersonalAddresses)
"""Only a site that takes mails has them."""


def addresses_to_write_to(request: web.Request, name: str, own: Sequence[MailAddress]) -> dict[str, str]:
    """Where its owner writes to the site, for each address in effect; none on a site that takes no mail."""
    personal = request.app.get(PERSONAL_ADDRESSES)
    return {one.address: personal.write_address(name, one) for one in own if one.in_effect} if personal else {}
