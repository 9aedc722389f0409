"""Writes the mails of `digests`: what people were to be told later at an address, as far as it is still true."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from aiohttp import web

from server.mail.at_board import AtBoard
from server.mail.composing import Letter
from server.mail.wishes import Often, how_often
from server.storage.protocols.held import HeldNews, Mailbox
from server.storage.protocols.outbox import OutboxMail
from server.storage.stores import Store
from server.storage.tables.addresses import MailAddress
from server.web.notifications.game_news import GameNews
from server.web.notifications.held_games import kinds_by_game, still_so
from server.web.notifications.letter_writer import MAIL_KEPT_MS, LetterWriter

SHOWN: Final = 30
"""Games in one mail, the most urgent ones; the others are on a page."""
TOPIC: Final = "digest"
"""In the outbox; no game has that id, so no news of a game takes its place."""


@dataclass(frozen=True, slots=True)
class DigestMails:
    """Put together in `server.web.mail.mailing`."""

    store: Store
    writer: LetterWriter
    at_board: AtBoard

    async def write(self, mailbox: Mailbox, held: Sequence[HeldNews]) -> OutboxMail | None:
        """The mail that tells what part of `held`, claimed for one mail, is still true and still wanted; None: nothing
        is.

        Raises Unavailable.
        """
        own = await self.store.addresses.of(mailbox.owner)
        address = next((one for one in own if one.address == mailbox.address and one.in_effect), None)
        letter = None if address is None else await self._letter(address, held)
        if letter is None:
            return None
        # A letter about one game is of no use once there is a newer one, or its reader looks at the board.
        return await self.writer.mailer.write(letter, mailbox.owner, MAIL_KEPT_MS, letter.thread or TOPIC)

    async def _letter(self, address: MailAddress, held: Sequence[HeldNews]) -> Letter | None:
        digest = held[0].digest
        wanted = [one for one in held if how_often(address.wishes, one.kind) is not Often.NEVER]
        told: list[GameNews] = []
        for game, kinds in kinds_by_game(await self._most_urgent_first(address.owner, wanted)).items():
            if (found := await still_so(self.store, self.at_board, address.owner, game, kinds)) is None:
                continue
            if len(told) == SHOWN:
                return await self._about(told, address, digest, more=True)
            told.append(found)
        match told:
            case []:
                return None
            case [news]:
                rev = next(one.rev for one in wanted if one.game == news.game.id)
                return replace(await self.writer.about(news, rev, address), id=digest)
        return await self._about(told, address, digest, more=False)

    async def _about(self, told: Sequence[GameNews], address: MailAddress, digest: str, *, more: bool) -> Letter:
        """Many games take some 10 ms, for which no move should wait, so they are written beside the event loop."""
        return await asyncio.to_thread(self.writer.about_several, told, address, digest, more=more)

    async def _most_urgent_first(self, owner: str, held: Sequence[HeldNews]) -> Sequence[HeldNews]:
        running = await self.store.running_of(owner)
        order = {game.id: place for place, game in enumerate(running)}
        return sorted(held, key=lambda one: order.get(one.game, len(order)))


DIGEST_MAILS = web.AppKey("DIGEST_MAILS", DigestMails)
"""Only a site with mail has this."""
