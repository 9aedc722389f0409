"""Tells people later of what they did not want to be told at once, or could not be in their quiet hours: all together.

Nothing is kept in memory: whatever process looks next finds what is due, and what another had begun when it died.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from server.mail.quiet_hours import quiet_hours_of
from server.realtime.process.background import every
from server.realtime.process.ids import new_id
from server.storage.errors import StoreError, Unavailable
from server.storage.protocols.held import BY_PUSH, HeldNews, Mailbox
from server.storage.protocols.outbox import OutboxMail
from server.storage.stores import Store
from server.web.notifications.digest_mails import DigestMails
from server.web.notifications.notifier import Notifier

log = logging.getLogger(__name__)

LOOK_EVERY_S: Final = 60.0
AT_ONCE: Final = 100
"""Mailboxes of one look-up."""
WRITING_MS: Final = 120_000
"""If it was not told by then, whoever was at it has stopped."""


class Digests:
    """`mails` is None on a site without mail. `now` gives ms."""

    def __init__(self, store: Store, mails: DigestMails | None, pushes: Notifier, now: Callable[[], int]) -> None:
        self._store = store
        self._mails = mails
        self._pushes = pushes
        self._now = now

    async def tell_due(self) -> None:
        """Tells all that is due now. Raises Unavailable."""
        while await self._tell_some():
            pass

    async def _tell_some(self) -> bool:
        """Tells what is due in at most AT_ONCE mailboxes. May there be more? Raises Unavailable."""
        ripe = await self._store.digests.ripe(self._now(), AT_ONCE)
        told = [await self._tell(mailbox) for mailbox in ripe]
        return len(ripe) == AT_ONCE and any(told)

    async def _tell(self, mailbox: Mailbox) -> bool:
        """Is nothing due there any more, thanks to this process? Raises Unavailable."""
        now = self._now()
        over = quiet_hours_of(await self._store.how_told.of(mailbox.owner)).over(now)
        if over > now:
            # They were chosen since, or nobody was there to tell it in time.
            await self._store.digests.put_off(mailbox, now, over)
            return True
        held = await self._store.digests.claim(mailbox, f"digest.{new_id()}", now, now + WRITING_MS)
        if not held:
            return False
        try:
            mail = await self._told(mailbox, held)
        except Unavailable:
            raise
        except Exception:
            # The others do not wait for it.
            log.exception("news of several games could not be told")
            return False
        told = await self._store.digests.tell(held[0].digest, mail)
        if mail is not None and self._mails is not None:
            self._mails.writer.mailer.nudge()
        return told

    async def _told(self, mailbox: Mailbox, held: Sequence[HeldNews]) -> OutboxMail | None:
        """Tells `held` by web push, or gives the mail that does; None: nothing is to be mailed."""
        if mailbox.address == BY_PUSH:
            await self._pushes.tell_held(mailbox.owner, held)
            return None
        return None if self._mails is None else await self._mails.write(mailbox, held)


@asynccontextmanager
async def telling_later(digests: Digests) -> AsyncIterator[None]:
    """Looks for what came due while no server ran, and then regularly, until the block ends."""
    looks = asyncio.create_task(_look_from_now_on(digests))
    try:
        yield
    finally:
        looks.cancel()
        await asyncio.gather(looks, return_exceptions=True)


async def _look_from_now_on(digests: Digests) -> None:
    try:
        await digests.tell_due()
    except StoreError as error:
        log.warning("what is due is told later: %s", error)
    except Exception:
        log.exception("what is due could not be told")
    await every(LOOK_EVERY_S, digests.tell_due)


DIGESTS = web.AppKey("DIGESTS", Digests)
