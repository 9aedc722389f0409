"""A new password for somebody who has forgotten theirs, by a link to a confirmed mail address. Knows no page.

Whoever asks is told the same at once, whether or not there is such an account. The token depends on the password that
is stored, so it dies with the first new one, however that is set.
"""

import logging
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from server.language import Language
from server.mail.composing import Letter
from server.mail.tokens import BadToken, mark_of
from server.realtime.process.background import Background
from server.realtime.process.ids import new_id
from server.storage.errors import StoreError
from server.storage.protocols.accounts import Account, PasswordChanged
from server.web.accounts.mail_addresses import MailAddresses, link_over

log = logging.getLogger(__name__)

RECOVER: Final = "recover"
"""The purpose of the tokens that allow a new password."""
RECOVER_WITHIN_MS: Final = 3_600_000


@dataclass(frozen=True, slots=True)
class Recovery:
    """Recovery of the accounts of one site."""

    addresses: MailAddresses
    background: Background

    def ask(self, name: str, language: Language) -> None:
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
        mark = mark_of(account.password)
        token = mailer.token(RECOVER, account.folded, account.user, mark, kept_ms=RECOVER_WITHIN_MS)
        for one in in_effect:
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
            await mailer.post(letter, one.owner, RECOVER_WITHIN_MS)

    async def set_password(self, token: str, password: str) -> None:
        """Gives the account in `token` that password and ends all its sessions. Raises BadPassword, Problem (410)."""
        try:
            folded, user, mark = self.addresses.mailer.read_token(RECOVER, token)
        except BadToken:
            raise link_over() from None
        account = await self.addresses.accounts.store.find(folded)
        if account is None or account.user != user or mark_of(account.password) != mark:
            raise link_over()
        try:
            await self.addresses.accounts.recover(account, password)
        except PasswordChanged:
            raise link_over() from None


RECOVERY = web.AppKey("RECOVERY", Recovery)
"""Only a site with mail has it."""
