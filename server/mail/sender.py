"""Sends what is in the outbox: each mail by one of the nodes, again and again until the mail server has taken it.

A mail is claimed before it is handed over, and deleted after. So whatever dies in between, it is sent once more rather
than not at all, under the same id. Claims nothing while the server is away. Runs in the background.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Final

from server.mail.delivery import AtBoard, Connect, Deliver, DeliveryOutcome, ServerAway, after_failure
from server.mail.inbound.addresses import ReturnPaths, mark_of_mail
from server.mail.quiet_hours import quiet_hours_of
from server.mail.wishes import wants_any
from server.storage.errors import StoreError, Unavailable
from server.storage.tables.addresses import AddressStore, MailAddress
from server.storage.tables.notification_settings import NotificationSettingsStore
from server.storage.tables.outbox import OutboxMail, OutboxStore

log = logging.getLogger(__name__)

LOOK_EVERY_S: Final = 15.0
"""How often the outbox is looked at without a nudge: another node may have died after claiming a mail."""
AT_ONCE: Final = 50
"""Mails sent over one connection."""
MINUTE_MS: Final = 60_000
PAUSES_MIN: Final = (2, 5, 15, 30, 60, 120, 240)
"""Before the next try of a mail, in minutes; then always the last. No try takes as long as the first."""
AWAY_S: Final = (5, 15, 30, 60, 120, 300)
"""The same in seconds while the server is away."""


class OutboxSender:
    """`connect` reaches the mail server. `now` gives ms. `return_paths` is None where bounces are not taken."""

    def __init__(
        self,
        outbox: OutboxStore,
        addresses: AddressStore,
        notification_settings: NotificationSettingsStore,
        connect: Connect,
        now: Callable[[], int],
        at_board: AtBoard,
        return_paths: ReturnPaths | None = None,
    ) -> None:
        self._outbox = outbox
        self._addresses = addresses
        self._notification_settings = notification_settings
        self._connect = connect
        self._return_paths = return_paths
        self._now = now
        self._at_board = at_board
        self._nudged = asyncio.Event()
        self._away_until = 0
        self._failures = 0
        self._stopping = False

    def nudge(self) -> None:
        """Wakes `run`: there is a new mail in the outbox."""
        self._nudged.set()

    def stop(self) -> None:
        """Lets `run` return soon. Cancelling alone can be lost, as the SMTP library waits by `asyncio.wait_for`."""
        self._stopping = True
        self.nudge()

    async def run(self) -> None:
        """Sends until it is stopped."""
        while not self._stopping:
            self._nudged.clear()
            try:
                more = await self.send_due()
            except StoreError as error:
                log.info("the outbox cannot be used: %s", error)
                more = False
            except Exception:
                log.exception("sending mail failed")
                more = False
            if not more:
                await self._wait()

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(LOOK_EVERY_S):
                await self._nudged.wait()
        except TimeoutError:
            return

    async def send_due(self) -> bool:
        """Sends the mails that are due, up to AT_ONCE. Returns whether there may be more. Raises Unavailable."""
        now = self._now()
        if now < self._away_until:
            return False
        mails = await self._outbox.due(now, AT_ONCE)
        if not mails:
            return False
        try:
            async with self._connect() as deliver:
                for mail in mails:
                    await self._try_to_send(mail, deliver)
        except ServerAway as error:
            pause = AWAY_S[min(self._failures, len(AWAY_S) - 1)]
            self._failures += 1
            self._away_until = self._now() + pause * 1000
            log.warning("the mail server is away, the next try is in %d s: %s", pause, error)
            return False
        self._failures = 0
        return len(mails) == AT_ONCE

    async def _try_to_send(self, mail: OutboxMail, deliver: Deliver) -> None:
        """One that cannot be sent keeps no other waiting, which it would for ever. Raises ServerAway, Unavailable."""
        try:
            await self._send(mail, deliver)
        except (ServerAway, Unavailable):
            raise
        except Exception:
            log.exception("a mail could not be sent")
            await self._outbox.claim_mail(mail, self._now() + _pause_min(mail) * MINUTE_MS)

    async def _send(self, mail: OutboxMail, deliver: Deliver) -> None:
        """Raises ServerAway, Unavailable."""
        now = self._now()
        address = await self._address_of(mail)
        if mail.until <= now or not _is_wanted(mail, address) or await self._at_board(mail.topic, mail.owner):
            await self._outbox.drop_mail(mail.id)
            return
        if (
            mail.topic
            and (over := quiet_hours_of(await self._notification_settings.of(mail.owner)).next_allowed(now)) > now
        ):
            await self._outbox.claim_mail(mail, over)
            return
        pause = _pause_min(mail)
        if not await self._outbox.claim_mail(mail, now + pause * MINUTE_MS):
            return
        return_path = self._return_paths.write_address(mail, address) if self._return_paths and address else ""
        match await deliver(mail.address, return_path, mail.message):
            case DeliveryOutcome.TAKEN:
                await self._outbox.drop_mail(mail.id)
            case (DeliveryOutcome.REFUSED | DeliveryOutcome.NO_MAILBOX) as refused:
                log.info("the mail server refuses a mail for good; if it refuses the next, the address is given up")
                if address is not None:
                    no_mailbox = refused is DeliveryOutcome.NO_MAILBOX
                    mark = mark_of_mail(mail.id)
                    failed = partial(after_failure, mail=mark, at=self._now(), no_mailbox=no_mailbox)
                    await self._addresses.change(address.owner, address.address, failed)
                await self._outbox.drop_mail(mail.id)
            case DeliveryOutcome.LATER:
                log.info("the mail server does not take a mail now; the next try is in %d min", pause)

    async def _address_of(self, mail: OutboxMail) -> MailAddress | None:
        own = await self._addresses.of(mail.owner)
        return next((one for one in own if one.address == mail.address), None)


def _pause_min(mail: OutboxMail) -> int:
    return PAUSES_MIN[min(mail.tries, len(PAUSES_MIN) - 1)]


def _is_wanted(mail: OutboxMail, address: MailAddress | None) -> bool:
    """Mail about games goes only where it is still wanted."""
    return not mail.topic or (address is not None and address.in_effect and wants_any(address.wishes))
