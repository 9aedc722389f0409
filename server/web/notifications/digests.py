"""Tells people what is held for them, all together: what they did not want to be told at once, or could not be told in
their quiet hours. By mail, as far as it is still true; and by web push, also if it is to be told at once.

Nothing is kept in memory only: the process that looks next finds what is due, and what another had begun when it died.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

from aiohttp import web

from server.mail.composing import Letter
from server.mail.delivery import AtBoard
from server.mail.quiet_hours import quiet_hours_of
from server.mail.wishes import Frequency, how_often
from server.realtime.runtime.background import Background, every, running
from server.realtime.runtime.ids import new_id
from server.storage.errors import StoreError
from server.storage.stores import Store
from server.storage.tables.addresses import MailAddress
from server.storage.tables.outbox import BY_PUSH, HeldNews, Mailbox, OutboxMail
from server.web.notifications.game_news import GameNews, kinds_by_game, remaining_news
from server.web.notifications.letters import MAIL_KEPT_MS, LetterWriter
from server.web.notifications.notifier import Notifier

log = logging.getLogger(__name__)

LOOK_EVERY_S: Final = 15.0
LOOKED_UP: Final = 100
"""Mailboxes of one look-up."""
AT_ONCE: Final = 8
"""Mailboxes in which something is told at the same time. A push service may need seconds."""
MAX_WAITING: Final = 1_000
"""Mailboxes in which something is to be told soon; others are found by the next look."""
WRITING_MS: Final = 120_000
"""If it has not been told by then, the process that was at it has stopped."""
SHOWN: Final = 30
"""Games in one mail, the most urgent ones; the others are on a page."""
TOPIC: Final = "digest"
"""In the outbox; no game has that id, so no news of a game takes its place."""


@dataclass(frozen=True, slots=True)
class DigestMails:
    """Put together in `server.web.mailing`."""

    store: Store
    writer: LetterWriter
    at_board: AtBoard

    async def write_digest(self, mailbox: Mailbox, held: Sequence[HeldNews]) -> OutboxMail | None:
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
        return await self.writer.mailer.write_mail(letter, mailbox.owner, MAIL_KEPT_MS, letter.thread or TOPIC)

    async def _letter(self, address: MailAddress, held: Sequence[HeldNews]) -> Letter | None:
        digest = held[0].digest
        wanted = [one for one in held if how_often(address.wishes, one.kind) is not Frequency.NEVER]
        told: list[GameNews] = []
        for game, kinds in kinds_by_game(await self._most_urgent_first(address.owner, wanted)).items():
            if (found := await remaining_news(self.store, self.at_board, address.owner, game, kinds)) is None:
                continue
            if len(told) == SHOWN:
                return await self._write_many(told, address, digest, more=True)
            told.append(found)
        match told:
            case []:
                return None
            case [news]:
                rev = next(one.rev for one in wanted if one.game == news.game.id)
                return replace(await self.writer.write_letter(news, rev, address), id=digest)
        return await self._write_many(told, address, digest, more=False)

    async def _write_many(self, told: Sequence[GameNews], address: MailAddress, digest: str, *, more: bool) -> Letter:
        """Many games take some 10 ms, for which no move should wait, so they are written beside the event loop."""
        return await asyncio.to_thread(self.writer.write_digest, told, address, digest, more=more)

    async def _most_urgent_first(self, owner: str, held: Sequence[HeldNews]) -> Sequence[HeldNews]:
        running = await self.store.running_of(owner)
        order = {game.id: place for place, game in enumerate(running)}
        return sorted(held, key=lambda one: order.get(one.game, len(order)))


DIGEST_MAILS = web.AppKey("DIGEST_MAILS", DigestMails)
"""Only a site with mail has this."""


class Digests:
    """`mails` is None on a site without mail. `now` gives ms."""

    def __init__(
        self,
        store: Store,
        mails: DigestMails | None,
        pushes: Notifier,
        background: Background,
        now: Callable[[], int],
    ) -> None:
        self._store = store
        self._mails = mails
        self._pushes = pushes
        self._background = background
        self._now = now
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._under_way: dict[Mailbox, bool] = {}
        """Where something is being told, or is about to be; True: what is due there has not been read since."""

    async def tell_due(self) -> None:
        """Tells all that is due now. Raises Unavailable."""
        more = True
        while more:
            # Some of all that is due: what of it is for one mailbox may be any number.
            ripe = await self._store.digests.ripe_mailboxes(self._now(), LOOKED_UP)
            more = any(await asyncio.gather(*map(self._tell, ripe)))

    def tell_soon(self, mailboxes: Iterable[Mailbox]) -> None:
        """Tells what is due there, without waiting for it."""
        for mailbox in mailboxes:
            if len(self._under_way) < MAX_WAITING:
                self._background.spawn(self._tell_quietly(mailbox))

    async def _tell_quietly(self, mailbox: Mailbox) -> None:
        await self._tell(mailbox)

    async def _tell(self, mailbox: Mailbox) -> bool:
        """Tells what is due there, unless another call is at it. Returns whether nothing is due there any more."""
        others = mailbox in self._under_way
        self._under_way[mailbox] = True
        if others:
            return False
        told = False
        try:
            async with self._turns:
                while self._under_way[mailbox]:
                    self._under_way[mailbox] = False
                    told = await self._tell_claimed(mailbox)
        except StoreError as error:
            log.info("what is due is told later: %s", error)
        except Exception:
            # The other mailboxes do not wait for it.
            log.exception("what is due could not be told")
        finally:
            del self._under_way[mailbox]
        return told

    async def _tell_claimed(self, mailbox: Mailbox) -> bool:
        """Tells all that is due there. Returns whether nothing is left. Raises Unavailable."""
        now = self._now()
        over = quiet_hours_of(await self._store.notification_settings.of(mailbox.owner)).next_allowed(now)
        if over > now:
            # Quiet hours were chosen since, or nothing ran to tell it in time.
            await self._store.digests.postpone_news(mailbox, now, over)
            return True
        held = await self._store.digests.claim_news(mailbox, f"digest.{new_id()}", now, now + WRITING_MS)
        if not held:
            return False
        mail = await self._told(mailbox, held)
        told = await self._store.digests.tell_digest(held[0].digest, mail)
        if mail is not None and self._mails is not None:
            self._mails.writer.mailer.nudge()
        return told

    async def _told(self, mailbox: Mailbox, held: Sequence[HeldNews]) -> OutboxMail | None:
        """Tells `held` by web push, or gives the mail that does; None: nothing is to be mailed."""
        if mailbox.address == BY_PUSH:
            await self._pushes.tell_held(mailbox.owner, held)
            return None
        return None if self._mails is None else await self._mails.write_digest(mailbox, held)


@asynccontextmanager
async def telling_later(digests: Digests) -> AsyncIterator[None]:
    """Looks for what came due while no server ran, and then regularly, until the block ends."""
    async with running(every(LOOK_EVERY_S, digests.tell_due, at_once=True)):
        yield


DIGESTS = web.AppKey("DIGESTS", Digests)
