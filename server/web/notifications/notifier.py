"""Web push to people who are away: what is held for them (`digests`), and as a subscriber to domain events what is only
worth telling now, of opponents who wait and of games by the minute.

Only by web push: whoever has a page of the site open learns it there. Kinds of news that somebody does not want are
left out; what they want later, or comes in their quiet hours, is held. A move never waits for this, and when too many
notifications wait, the newest are not sent: the person's page of games lists everything, too.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final, Protocol

import orjson
from aiohttp import web

from server.games.seeks.seek import Seek
from server.language import Language
from server.mail.at_board import AtBoard
from server.mail.due import due_at
from server.mail.quiet_hours import quiet_hours_of
from server.mail.wishes import Often, pushed
from server.realtime.process.background import Background
from server.realtime.process.domain_events import DomainEvent, SeekPosted
from server.storage.errors import StoreError
from server.storage.protocols.held import BY_PUSH, HeldNews, Mailbox
from server.storage.stores import Store
from server.storage.tables.push import Device
from server.web.notifications.held_games import kinds_by_game, still_so
from server.web.notifications.messages import (
    GAME_STALE_S,
    SEEK_STALE_S,
    PushMessage,
    about_several,
    message_about,
    messages_of,
    waiting,
)
from server.web.variant_words import Names

log = logging.getLogger(__name__)

QUIET_MS: Final = 600_000
"""Nobody is notified of waiting opponents more often."""
MAX_WAITING: Final = 1_000
"""Notifications that nobody has begun to send. Push services that hang must not fill the memory."""
AT_ONCE: Final = 8
"""Notifications, and besides people whom one seek is told. A push service may need seconds."""


class PushSender(Protocol):
    """Sends a message to a browser whose pages are closed."""

    public_key: str
    """What browsers subscribe with."""

    async def send(self, device: Device, message: bytes, topic: str, stale_s: int) -> bool:
        """False if the browser has ended its subscription."""

    async def close(self) -> None: ...


class Notifier:
    """`push` is None on a site that has no keys for it. `names` are those of the variants, by language and id."""

    def __init__(
        self,
        store: Store,
        push: PushSender | None,
        languages: Mapping[str, Language],
        names: Mapping[str, Mapping[str, Names]],
        background: Background,
        now: Callable[[], int],
        at_board: AtBoard,
    ) -> None:
        self.push = push
        self._store = store
        self._languages = languages
        self._names = names
        self._background = background
        self._now = now
        self._at_board = at_board
        self._waiting: OrderedDict[tuple[str, str], Callable[[], Awaitable[None]]] = OrderedDict()
        self._senders = 0
        self._turns = asyncio.Semaphore(AT_ONCE)

    def hear(self, event: DomainEvent) -> None:
        """Notifies those whom `event` concerns, without waiting for it."""
        if self.push is None:
            return
        if isinstance(event, SeekPosted):
            self._soon("", event.seek.id, partial(self._notify_of, event.seek, self.push))
        for owner, message in messages_of(event):
            self._soon(owner, message.topic, partial(self._tell, owner, self.push, message))

    def _soon(self, owner: str, topic: str, send: Callable[[], Awaitable[None]]) -> None:
        """What waits already for the same person and topic is not sent any more."""
        self._waiting.pop((owner, topic), None)
        if len(self._waiting) >= MAX_WAITING:
            log.warning("%d notifications wait; one more is not sent", MAX_WAITING)
            return
        self._waiting[owner, topic] = send
        if self._senders < AT_ONCE:
            self._senders += 1
            self._background.spawn(self._send_all())

    async def _send_all(self) -> None:
        try:
            while self._waiting:
                _, send = self._waiting.popitem(last=False)
                try:
                    await send()
                except StoreError as error:
                    log.info("a notification was not sent: %s", error)
                except Exception:
                    # The others do not wait for it.
                    log.exception("a notification could not be sent")
        finally:
            self._senders -= 1

    async def _tell(self, owner: str, push: PushSender, message: PushMessage) -> None:
        """Tells it now, or has it told as late as they want it, and not in their quiet hours. Raises Unavailable."""
        how, now = await self._store.notification_settings.of(owner), self._now()
        often = pushed(how.silent, message.kind)
        if often is Often.NEVER:
            return
        mailbox, game = Mailbox(owner, BY_PUSH), message.game
        due = due_at(often, now, quiet_hours_of(how))
        if due == now:
            await self._send(owner, push, message.stale_s, message.said)
        elif message.can_wait and await self.reaches(owner):
            await self._store.digests.hold(HeldNews(mailbox, game.id, message.kind, game.rev, due))

    async def reaches(self, owner: str) -> bool:
        """Has `owner` a browser to which this site can push? Raises Unavailable."""
        return self.push is not None and bool(await self._store.push.of(owner))

    async def tell_held(self, owner: str, held: Sequence[HeldNews]) -> None:
        """Tells what of `held` is still so, in one message. Raises Unavailable."""
        if self.push is None:
            return
        silent = (await self._store.notification_settings.of(owner)).silent
        wanted = kinds_by_game(one for one in held if pushed(silent, one.kind) is not Often.NEVER)
        messages = []
        for game, kinds in wanted.items():
            if (news := await still_so(self._store, self._at_board, owner, game, kinds)) is not None:
                messages.append(message_about(news, self._now()))
        match messages:
            case []:
                return
            case [message]:
                await self._send(owner, self.push, message.stale_s, message.said)
            case _:
                await self._send(owner, self.push, GAME_STALE_S, partial(about_several, len(messages)))

    async def _notify_of(self, seek: Seek, push: PushSender) -> None:
        """Those who have asked for such an opponent. None of them waits for the browsers of all before them."""
        now = self._now()
        wanted = await self._store.alerts.answering(seek, now)
        owners = dict.fromkeys(alert.owner for alert in wanted)
        await asyncio.gather(*(self._call(owner, seek, push, now) for owner in owners))

    async def _call(self, owner: str, seek: Seek, push: PushSender, now: int) -> None:
        """Tells `owner` of an opponent, at most every QUIET_MS. Raises Unavailable."""
        async with self._turns:
            if await self._store.ties.are_apart(owner, seek.maker.player.id):
                return
            # A person without a browser to notify must not use up their turn.
            devices = await self._store.push.of(owner)
            quiet = quiet_hours_of(await self._store.notification_settings.of(owner)).over(now) > now
            if devices and not quiet and await self._store.alerts.claim_notification(owner, now, now - QUIET_MS):
                await self._send(owner, push, SEEK_STALE_S, partial(waiting, seek))

    async def _send(
        self,
        owner: str,
        push: PushSender,
        stale_s: int,
        said: Callable[[Language, Mapping[str, Names]], dict[str, str]],
    ) -> None:
        async def tell(device: Device) -> None:
            language = self._languages.get(device.language) or next(iter(self._languages.values()))
            message = said(language, self._names[language.code])
            if not await push.send(device, orjson.dumps(message), message["topic"], stale_s):
                await self._store.push.drop(device.endpoint)

        # All at once: only one of them may be at hand, and the service of another may hang.
        await asyncio.gather(*map(tell, await self._store.push.of(owner)))


NOTIFIER = web.AppKey("NOTIFIER", Notifier)
