"""Puts letters into the outbox, and signs the links in them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from server.mail.composing import Letter, Letterhead, compose_text
from server.mail.tokens import read_token, sign_token
from server.storage.tables.outbox import OutboxMail, OutboxStore


@dataclass(frozen=True, slots=True)
class Mailer:
    """`letterhead` is asked for each mail, as the host may give the site another name. `key` signs. `nudge` tells the
    sender that there is something to send. `now` gives ms.
    """

    outbox: OutboxStore
    letterhead: Callable[[], Letterhead]
    key: bytes
    nudge: Callable[[], None]
    now: Callable[[], int]

    async def post_letter(self, letter: Letter, owner: str, kept_ms: int) -> bool:
        """Sends `letter` to an address of `owner`, if that is possible within `kept_ms`.

        False if too much mail waits. Raises Unavailable.
        """
        return await self.put_mail(await self.write_mail(letter, owner, kept_ms))

    async def put_mail(self, mail: OutboxMail) -> bool:
        """Puts a written mail into the outbox. False if too much mail waits. Raises Unavailable."""
        taken = await self.outbox.put(mail)
        self.nudge()
        return taken

    def compose_mail(self, letter: Letter, owner: str, kept_ms: int, topic: str = "") -> OutboxMail:
        """The letter as it waits in the outbox; a newer one of the same `topic` takes its place.

        That takes milliseconds, a long one some 50: on the event loop use `write_mail`.
        """
        now = self.now()
        text = compose_text(letter, self.letterhead())
        return OutboxMail(letter.id, owner, letter.to, topic, text, made=now, next_try=now, until=now + kept_ms)

    async def write_mail(self, letter: Letter, owner: str, kept_ms: int, topic: str = "") -> OutboxMail:
        """As `compose_mail`, in a thread, so that no move waits for it."""
        return await asyncio.to_thread(self.compose_mail, letter, owner, kept_ms, topic)

    def sign_token(self, purpose: str, *fields: str, kept_ms: int) -> str:
        """A token for a link that is good for `kept_ms`."""
        return sign_token(self.key, purpose, fields, self.now() + kept_ms)

    def read_token(self, purpose: str, token: str) -> tuple[str, ...]:
        """The fields of a token that `sign_token` made for that purpose. Raises BadToken."""
        return read_token(self.key, purpose, token, self.now())
