"""Hints between processes by Redis pub/sub. The only file that knows Redis; knows no games.

Redis is never the truth. What it forgets (its subscribers are not told while they are away) is made up for: every time
a subscription is confirmed, also silently after a short outage, all followed games are looked at again; and a hint that
could not be published stays until it can.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Self, assert_never

import orjson
from redis.asyncio import Redis
from redis.exceptions import AuthenticationError, RedisError, ResponseError

from server.realtime.process.bus import (
    ChallengeMade,
    ChatPosted,
    Deleted,
    GameStored,
    Notice,
    PresenceChanged,
    SeeksChanged,
    SessionsEnded,
    TurnPassed,
    WaitedInVain,
)
from server.realtime.process.presence import PresenceState
from server.rules.variant.pieces import Color

log = logging.getLogger(__name__)

CHANNEL: Final = "fairyhouse:games"
PAUSE_S: Final = 0.5
MAX_UNSENT: Final = 10_000
"""More games than this are not remembered while Redis is away; its return makes everybody look anyway."""


class AccessDenied(Exception):  # noqa: N818 - says what is so
    """Redis answers, and does not let us in; the message says what the host can do, and holds no password."""


class RedisBus:
    """The bus of one process among several. `url` as redis-py takes it (redis://, rediss://, unix://)."""

    alone = False

    def __init__(self, url: str, channel: str = CHANNEL) -> None:
        self._url = url
        self._channel = channel
        self._node = secrets.token_hex(4)
        self._unsent: dict[str, bytes] = {}
        self._some = asyncio.Event()

    @classmethod
    async def join(cls, url: str) -> Self:
        """A bus that Redis lets in, or may let in when it is back. Raises NotLetIn."""
        try:
            async with Redis.from_url(url) as redis:
                await redis.ping()
        except (AuthenticationError, ResponseError) as error:
            raise AccessDenied(f"Redis does not let this server in ({error}). Compare the passwords.") from None
        except (RedisError, OSError) as error:
            log.warning("Redis: %s", error)
        return cls(url)

    def tell(self, notice: Notice) -> None:
        """Have `notice` published as soon as Redis takes it; of one game, or one player, only the newest matters."""
        key, fields = _encoded(notice)
        if len(self._unsent) < MAX_UNSENT or key in self._unsent:
            self._unsent[key] = orjson.dumps({"node": self._node, **fields})
            self._some.set()

    async def publish(self, notices: Iterable[Notice]) -> None:
        """Tell all of `notices` now, for a process that does not `run`. If Redis is away nobody hears them."""
        try:
            async with Redis.from_url(self._url) as redis:
                for notice in notices:
                    await redis.publish(self._channel, orjson.dumps({"node": self._node, **_encoded(notice)[1]}))
        except (RedisError, OSError) as error:
            log.warning("Redis: %s", error)

    async def run(self, hear: Callable[[Notice], None], resync: Callable[[], None]) -> None:
        """Publish and listen until cancelled, through every outage."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self._again_and_again(self._publish))
            both.create_task(self._again_and_again(lambda redis: self._listen(redis, hear, resync)))

    async def _again_and_again(self, work: Callable[[Redis], Any]) -> None:
        while True:
            redis = Redis.from_url(self._url)
            try:
                await work(redis)
            except (RedisError, OSError) as error:
                log.warning("Redis: %s", error)
            finally:
                await redis.aclose()
            await asyncio.sleep(PAUSE_S * random.uniform(0.5, 1.5))

    async def _publish(self, redis: Redis) -> None:
        while True:
            await self._some.wait()
            while self._unsent:
                key, message = next(iter(self._unsent.items()))
                await redis.publish(self._channel, message)
                if self._unsent[key] is message:
                    del self._unsent[key]
            self._some.clear()

    async def _listen(self, redis: Redis, hear: Callable[[Notice], None], resync: Callable[[], None]) -> None:
        async with redis.pubsub() as subscription:
            await subscription.subscribe(self._channel)
            async for message in subscription.listen():
                if message["type"] == "subscribe":
                    resync()
                elif message["type"] == "message" and (notice := self._read(message["data"])) is not None:
                    hear(notice)

    def _read(self, data: bytes) -> Notice | None:
        """What another process tells; None for our own words, and for what cannot be read."""
        try:
            match orjson.loads(data):
                case {"node": str(node)} if node == self._node:
                    return None
                case {"lobby": 1}:
                    return SeeksChanged()
                case {"sessions": str(ended), "code": int(code)}:
                    return SessionsEnded(frozenset(ended.split()), code)
                case {"game": str(game), "player": str(player), "by": str(by)}:
                    return ChallengeMade(game, player, by)
                case {"game": str(game), "deleted": 1, "players": str(players)}:
                    return Deleted(game, tuple(players.split()))
                case {"game": str(game), "waited": str(player)}:
                    return WaitedInVain(game, player)
                case {"game": str(game), "turn": str(player)}:
                    return TurnPassed(game, player)
                case {"game": str(game), "chat": 1}:
                    return ChatPosted(game)
                case {"game": str(game), "rev": int(rev), "players": str(players)}:
                    return GameStored(game, rev, tuple(players.split()))
                case {"game": str(game), "color": "w" | "b" as letter, "where": str(where)}:
                    return PresenceChanged(game, Color.WHITE if letter == "w" else Color.BLACK, PresenceState(where))
        except ValueError:
            log.warning("a message on %s cannot be read", self._channel)
        return None


def _encoded(notice: Notice) -> tuple[str, Mapping[str, str | int]]:
    """What is published, under a key: of what has the same one, only the newest matters."""
    match notice:
        case GameStored(game, rev, players):
            return game, {"game": game, "rev": rev, "players": " ".join(players)}
        case PresenceChanged(game, color, where):
            return f"{game} {color.letter}", {"game": game, "color": color.letter, "where": where.value}
        case ChallengeMade(game, player, by):
            return f"{game} challenge", {"game": game, "player": player, "by": by}
        case WaitedInVain(game, player):
            return f"{game} waited", {"game": game, "waited": player}
        case TurnPassed(game, player):
            return f"{game} turn", {"game": game, "turn": player}
        case ChatPosted(game):
            return f"{game} chat", {"game": game, "chat": 1}
        case SeeksChanged():
            return "seeks", {"lobby": 1}
        case Deleted(game, players):
            return f"{game} deleted", {"game": game, "deleted": 1, "players": " ".join(players)}
        case SessionsEnded(sessions, code):
            ended = " ".join(sorted(sessions))
            return ended, {"sessions": ended, "code": code}
        case _:
            assert_never(notice)
