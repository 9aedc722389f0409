"""Puts letters into the outbox, and signs the links in them. Knows no page and no game."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from server.mail import tokens
from server.mail.composing import Letter, Letterhead, written
from server.storage.protocols.outbox import OutboxMail, OutboxStore


@dataclass(frozen=True, slots=True)
class Mailer:
    """`key` signs. `nudge` tells the sender that there is something to send. `now` gives ms."""

    outbox: OutboxStore
    letterhead: Letterhead
    key: bytes
    nudge: Callable[[], None]
    now: Callable[[], int]

    async def post(self, letter: Letter, owner: str, kept_ms: int) -> bool:
        """Sends `letter` to an address of `owner`, if that is possible within `kept_ms`.

        False if too much mail waits. Raises Unavailable.
        """
        return await self.put(await self.write(letter, owner, kept_ms))

    async def put(self, mail: OutboxMail) -> bool:
        """The same with a mail that is written already, as a long one takes some 50 ms."""
        taken = await self.outbox.put(mail)
        self.nudge()
        return taken

    def for_outbox(self, letter: Letter, owner: str, kept_ms: int, topic: str = "") -> OutboxMail:
        """The letter as it waits in the outbox; a newer one of the same `topic` takes its place.

        That takes milliseconds, more with a picture: on the event loop `write` does it.
        """
        now = self.now()
        text = written(letter, self.letterhead)
        return OutboxMail(letter.id, owner, letter.to, topic, text, made=now, next_try=now, until=now + kept_ms)

    async def write(self, letter: Letter, owner: str, kept_ms: int, topic: str = "") -> OutboxMail:
        """The same beside the event loop, so that no move waits for it."""
        return await asyncio.to_thread(self.for_outbox, letter, owner, kept_ms, topic)

    def token(self, purpose: str, *fields: str, kept_ms: int) -> str:
        """A token for a link that is good for `kept_ms`."""
        return tokens.sign(self.key, purpose, fields, self.now() + kept_ms)

    def read_token(self, purpose: str, token: str) -> tuple[str, ...]:
        """Its fields. Raises BadToken."""
        return tokens.read(self.key, purpose, token, self.now())
