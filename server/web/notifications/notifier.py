"""Web push to people who are away: what it says, and to whom. It sends what is held for them (`digests`), and, as a
subscriber to domain events, what is only worth telling now: of opponents who wait, and of games by the minute.

Only by web push: people with a page of the site open learn it there. Kinds of news that somebody does not want are left
out; what they want later, or comes in their quiet hours, is held. A move never waits for this, and when too many
notifications wait, the newest are not sent: the person's page of games lists everything, too.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Protocol

import orjson
from aiohttp import web

from server.games.changes.beginning import is_proposed, people_of
from server.games.news import has_just_begun
from server.games.player import Player
from server.games.seeks import Seek, is_for
from server.games.state import Game
from server.games.status import Status
from server.language import Language
from server.mail.delivery import AtBoard
from server.mail.quiet_hours import due_at, quiet_hours_of
from server.mail.wishes import CHALLENGE, MESSAGE, REMINDER, RESULT, Frequency, push_frequency
from server.realtime.domain_events import Challenged, DomainEvent, GameEnded, Paired, SeekPosted
from server.realtime.open_seeks import seek_rating
from server.realtime.runtime.background import Background
from server.storage.errors import StoreError
from server.storage.stores import Store
from server.storage.tables.outbox import BY_PUSH, HeldNews, Mailbox
from server.storage.tables.push import Device
from server.web.clock_words import clock_words, time_left
from server.web.notifications.game_news import GameNews, is_kept_apart, kinds_by_game, remaining_news
from server.web.variant_words import Names

log = logging.getLogger(__name__)

QUIET_MS: Final = 600_000
"""Nobody is notified of waiting opponents more often."""
MAX_WAITING: Final = 1_000
"""Notifications that nobody has begun to send. Push services that hang must not fill the memory."""
AT_ONCE: Final = 8
"""Notifications, and besides people whom one seek is told. A push service may need seconds."""
SEEK_STALE_S: Final = 900
"""The opponent will be gone."""
GAME_STALE_S: Final = 86_400
LONGEST_BODY: Final = 160

NamesById = Mapping[str, Names]
"""In one language, by the variant's id."""


@dataclass(frozen=True, slots=True)
class PushMessage:
    """About a game, in which the reader's opponent is called `name`; `title` is the key of a sentence.

    `kind`: one of `wishes.KINDS`, "" for what everybody is told. `left_ms`: the time left for the reader's
    move, where the sentence says it. `heard`: what the opponent has said, "" for nothing.
    """

    title: str
    name: str
    game: Game
    kind: str
    left_ms: int = 0
    heard: str = ""

    @property
    def topic(self) -> str:
        """A newer message of the same topic takes the place of this one."""
        return f"/{self.game.id}"

    @property
    def can_wait(self) -> bool:
        """Is it still worth telling hours later?"""
        return not (self.game.status is Status.LIVE and self.game.terms.control.by_the_minute)

    @property
    def stale_s(self) -> int:
        """For how long it is worth delivering."""
        return min(GAME_STALE_S, self.left_ms // 1000) if self.left_ms else GAME_STALE_S

    def said(self, language: Language, names: NamesById) -> dict[str, str]:
        """What the service worker reads and shows."""
        terms = self.game.terms
        return {
            "title": language.plain(
                self.title,
                name=language.person(self.name),
                left=time_left(self.left_ms, language),
                by="" if self.game.proposer is None else self.game.proposer.name,
            ),
            "body": _shortened(self.heard) or names[terms.variant.id].of_form(terms.chess960).name,
            "url": f"/{self.game.id}",
            "topic": self.topic,
        }


def messages_of(event: DomainEvent) -> Iterator[tuple[str, PushMessage]]:
    """Whom (an id) to tell what at once, of a game by the minute: those who play it will not wait for long.

    News of other games are stored and told as they stand (`message_about`). Seeks are left out: only the store knows
    who waits for one.
    """
    match event:
        case Challenged(game, player, by) if game.terms.control.by_the_minute:
            yield player.id, PushMessage(_challenge_title(game), by.name, game, CHALLENGE)
        case Paired(game, away) if game.terms.control.by_the_minute:
            for player in away:
                yield player.id, _of_opponent(game, player, "notifications.begun_title", "")
        case GameEnded(game, away) if game.terms.control.by_the_minute and _was_declined(game):
            for player in away:
                yield player.id, _of_opponent(game, player, _result(game, player), RESULT)
        case _:
            pass


def message_about(news: GameNews, now: int) -> PushMessage:
    """What tells `news`, by how the game stands at `now` (ms)."""
    game, player, kind = news.game, news.player, news.kinds[0]
    others = [one.name for one in people_of(game) if one.id != player.id]
    about = PushMessage(
        "", others[0] if others else "", game, kind, heard=news.heard[-1] if MESSAGE in news.kinds else ""
    )
    color = game.color_of(player.id)
    on_move = color is not None and game.has_the_move(color)
    if kind == REMINDER and on_move and game.move_due is not None:
        return replace(about, title="notifications.reminder", left_ms=max(0, game.move_due - now))
    if news.only_said:
        return replace(about, title="notifications.message")
    offered = () if color is None else game.offers_to(color)
    title = f"notifications.offers_{offered[-1].kind}" if offered else _title(game, player, on_move=on_move)
    if not offered and game.declined is not None and color is game.declined.by:
        title = f"mail.declined_{game.declined.kind}"
    return replace(about, title=title)


def _title(game: Game, player: Player, *, on_move: bool) -> str:
    """The key of what `player` reads of a game in which nothing is offered to them."""
    if game.status is Status.OPEN:
        return _challenge_title(game)
    if game.status is Status.OVER:
        return _result(game, player)
    if game.status is Status.ADJOURNED:
        return "notifications.paused"
    if has_just_begun(game):
        return "notifications.begun_title"
    if game.goes_on_again:
        return "notifications.resumed"
    return "notifications.your_move" if on_move else "notifications.time_is_up"


def _shortened(text: str) -> str:
    """`text` as long as browsers show it, and a push service carries it."""
    return text if len(text) <= LONGEST_BODY else f"{text[: LONGEST_BODY - 1]}…"


def about_several(n: int, language: Language, _names: NamesById) -> dict[str, str]:
    """Says that there is news of so many games."""
    said = language.plain("notifications.several", n=n)
    return {"title": said, "body": "", "url": "/games/mine", "topic": "several"}


def _challenge_title(game: Game) -> str:
    if game.proposer is not None:
        return "notifications.proposed_by"
    return "notifications.proposed" if is_proposed(game) else "notifications.challenged"


def _of_opponent(game: Game, player: Player, title: str, kind: str) -> PushMessage:
    opponent = next((other for other in game.players if other != player), None)
    return PushMessage(title, "" if opponent is None else opponent.name, game, kind)


def _result(game: Game, player: Player) -> str:
    """The key of what `player` reads when `game` is over."""
    assert game.outcome is not None
    if game.result == "*":
        return f"results.{game.outcome.reason}"
    if game.outcome.winner is None:
        return "notifications.drawn"
    return "notifications.won" if game.color_of(player.id) is game.outcome.winner else "notifications.lost"


def _was_declined(game: Game) -> bool:
    return game.outcome is not None and game.outcome.reason == "declined"


def waiting(seek: Seek, language: Language, names: NamesById) -> dict[str, str]:
    """Says that somebody waits with `seek`."""
    variants = ", ".join(names[variant].name for variant in seek.variants if variant in names)
    return {
        "title": language.plain("notifications.waits_title", name=seek.maker.player.name),
        "body": language.plain(
            "notifications.waits_text",
            variant=variants or language.plain("notifications.any_variant"),
            clock=clock_words(seek.control, language),
        ),
        "url": "/",
        "topic": "waits",
    }


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
            self._send_soon("", event.seek.id, partial(self._call_all, event.seek, self.push))
        for owner, message in messages_of(event):
            self._send_soon(owner, message.topic, partial(self._send_or_hold, owner, self.push, message))

    def _send_soon(self, owner: str, topic: str, send: Callable[[], Awaitable[None]]) -> None:
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

    async def _send_or_hold(self, owner: str, push: PushSender, message: PushMessage) -> None:
        """Tells it now, or has it told as late as they want it, and not in their quiet hours. Raises Unavailable."""
        how, now = await self._store.notification_settings.of(owner), self._now()
        often = push_frequency(how.silent, message.kind)
        if often is Frequency.NEVER or await is_kept_apart(self._store, message.game, owner):
            return
        mailbox, game = Mailbox(owner, BY_PUSH), message.game
        due = due_at(often, now, quiet_hours_of(how))
        if due == now:
            await self._send(owner, push, message.stale_s, message.said)
        elif message.can_wait and await self.reaches(owner):
            await self._store.digests.hold_news(HeldNews(mailbox, game.id, message.kind, game.rev, due))

    async def tell_soon(
        self, owner: str, kind: str, about: str, stale_s: int, said: Callable[[Language, NamesById], dict[str, str]]
    ) -> None:
        """Tells something that is no game, without waiting for their browsers, unless they want no such news, or now
        none at all. `about`: what it is of (an id), as of two such only the later one is told. Raises Unavailable.
        """
        if self.push is None or not await self.reaches(owner):
            return
        how, now = await self._store.notification_settings.of(owner), self._now()
        if push_frequency(how.silent, kind) is not Frequency.NEVER and quiet_hours_of(how).next_allowed(now) <= now:
            self._send_soon(owner, about, partial(self._send, owner, self.push, stale_s, said))

    async def reaches(self, owner: str) -> bool:
        """Has `owner` a browser to which this site can push? Raises Unavailable."""
        return self.push is not None and bool(await self._store.push.of(owner))

    async def tell_held(self, owner: str, held: Sequence[HeldNews]) -> None:
        """Tells what of `held` is still so, in one message. Raises Unavailable."""
        if self.push is None:
            return
        silent = (await self._store.notification_settings.of(owner)).silent
        wanted = kinds_by_game(one for one in held if push_frequency(silent, one.kind) is not Frequency.NEVER)
        messages = []
        for game, kinds in wanted.items():
            if (news := await remaining_news(self._store, self._at_board, owner, game, kinds)) is not None:
                messages.append(message_about(news, self._now()))
        match messages:
            case []:
                return
            case [message]:
                await self._send(owner, self.push, message.stale_s, message.said)
            case _:
                await self._send(owner, self.push, GAME_STALE_S, partial(about_several, len(messages)))

    async def _call_all(self, seek: Seek, push: PushSender) -> None:
        """Those who have asked for such an opponent. None of them waits for the browsers of all before them."""
        now = self._now()
        wanted = await self._store.alerts.alerts_for(seek, now)
        owners = dict.fromkeys(alert.owner for alert in wanted)
        await asyncio.gather(*(self._call(owner, seek, push, now) for owner in owners))

    async def _call(self, owner: str, seek: Seek, push: PushSender, now: int) -> None:
        """Tells `owner` of an opponent who may want them, at most every QUIET_MS. Raises Unavailable."""
        async with self._turns:
            if await self._store.ties.are_apart(owner, seek.maker.player.id) or not await self._suits(owner, seek, now):
                return
            # A person without a browser to notify must not use up their turn.
            devices = await self._store.push.of(owner)
            quiet = quiet_hours_of(await self._store.notification_settings.of(owner)).next_allowed(now) > now
            if devices and not quiet and await self._store.alerts.claim_notification(owner, now, now - QUIET_MS):
                await self._send(owner, push, SEEK_STALE_S, partial(waiting, seek))

    async def _suits(self, owner: str, seek: Seek, now: int) -> bool:
        """Has `owner`, who has an account where it matters, a rating that the seek asks for? Raises Unavailable."""
        if not seek.has_range:
            return True
        perfs = await self._store.ratings.perfs(owner)
        return is_for(seek, seek_rating(perfs, seek.variants, seek.control, now, chess960=seek.chess960))

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
