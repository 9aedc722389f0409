"""Who is notified, and of what: an opponent waits, somebody has taken their seek, somebody challenges them.

Only by web push: whoever has a page of the site open learns it there. Decides nothing about seeks.
"""

from collections.abc import Callable, Mapping
from typing import Final, Protocol

import orjson
from aiohttp import web

from server.games.clock import ClockKind, TimeControl
from server.games.game import Game
from server.games.player import Player
from server.games.seek import Seek
from server.language import Language
from server.realtime.process.background import Background
from server.storage.protocols.push import Device
from server.storage.stores import Store
from server.web.i18n.variant_words import Names

QUIET_MS: Final = 600_000
"""Nobody is notified of waiting opponents more often."""


class PushSender(Protocol):
    """Brings a message to a browser whose pages are closed."""

    public_key: str
    """What browsers subscribe with."""

    async def send(self, device: Device, message: bytes, topic: str) -> bool:
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
    ) -> None:
        self.push = push
        self._store = store
        self._languages = languages
        self._names = names
        self._background = background
        self._now = now

    def somebody_waits(self, seek: Seek) -> None:
        """Notify those who have asked for such an opponent. Does not wait for it."""
        if self.push is not None:
            self._background.spawn(self._notify_of(seek, self.push))

    def game_begins(self, game: str, by: Player) -> None:
        """`by` has taken a seek: its maker may be away if the game is one of days. Does not wait for it."""
        if self.push is not None:
            self._background.spawn(self._notify_maker(game, by, self.push))

    def challenged(self, asked: Player, game: Game, by: Player) -> None:
        """`by` asks `asked` for `game`. Does not wait for it."""
        if self.push is not None:
            variant = game.terms.variant.id

            def said(language: Language) -> dict[str, str]:
                return {
                    "title": language.plain("notifications.challenged", name=by.name),
                    "body": self._names[language.code][variant].name,
                    "url": f"/{game.id}",
                }

            self._background.spawn(self._send(asked.id, self.push, "challenge", said))

    async def _notify_of(self, seek: Seek, push: PushSender) -> None:
        now = self._now()
        wanted = await self._store.alerts.answering(seek, now)
        for owner in dict.fromkeys(alert.owner for alert in wanted):
            # A person without a browser to notify must not use up their turn.
            devices = await self._store.push.of(owner)
            if devices and await self._store.alerts.claim_notification(owner, now, now - QUIET_MS):
                await self._send(owner, push, "waits", lambda language: self._waiting(seek, language))

    async def _notify_maker(self, game_id: str, by: Player, push: PushSender) -> None:
        game = await self._store.load(game_id)
        if game is None or game.terms.control.kind is not ClockKind.CORRESPONDENCE:
            return
        variant = game.terms.variant.id

        def said(language: Language) -> dict[str, str]:
            return {
                "title": language.plain("notifications.begun_title", name=by.name),
                "body": language.plain("notifications.begun_text", variant=self._names[language.code][variant].name),
                "url": f"/{game_id}",
            }

        for player in (game.white, game.black):
            if player is not None and player.id != by.id:
                await self._send(player.id, push, "begun", said)

    def _waiting(self, seek: Seek, language: Language) -> dict[str, str]:
        names = self._names[language.code]
        variants = ", ".join(names[variant].name for variant in seek.variants if variant in names)
        return {
            "title": language.plain("notifications.waits_title", name=seek.maker.player.name),
            "body": language.plain(
                "notifications.waits_text",
                variant=variants or language.plain("notifications.any_variant"),
                clock=clock_words(seek.control, language),
            ),
            "url": "/",
        }

    async def _send(self, owner: str, push: PushSender, topic: str, said: Callable[[Language], dict[str, str]]) -> None:
        for device in await self._store.push.of(owner):
            language = self._languages.get(device.language) or next(iter(self._languages.values()))
            message = orjson.dumps({**said(language), "topic": topic})
            if not await push.send(device, message, topic):
                await self._store.push.drop(device.endpoint)


def clock_words(control: TimeControl, language: Language) -> str:
    """ "5+3", "3 days a move"."""
    if control.kind is ClockKind.CORRESPONDENCE:
        return language.plain("terms.days", n=control.days)
    return f"{control.initial_ms[0] / 60_000:g}+{control.increment_ms[0] // 1000}"


NOTIFIER = web.AppKey("NOTIFIER", Notifier)
