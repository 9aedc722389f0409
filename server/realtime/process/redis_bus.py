"""Notices between processes by Redis pub/sub. The only module that imports Redis.

Redis is never the truth. What it loses (subscribers miss what is published while they are disconnected) is made up for:
whenever a subscription is confirmed, even silently after a short outage, all followed games are refreshed. A notice
that could not be published waits until it can.
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
    BlocksChanged,
    ChallengeMade,
    ChatPosted,
    Deleted,
    GameStored,
    MessageLeft,
    Notice,
    PeopleHere,
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
"""Notices kept while Redis is away; when it returns everybody refreshes anyway."""


class AccessDenied(Exception):  # noqa: N818 - says what is so
    """Redis denies access. The message says what the host can do, and contains no password."""


class RedisBus:
    """The bus of one process among several. `url`: as for redis-py (redis://, rediss://, unix://)."""

    alone = False

    def __init__(self, url: str, channel: str = CHANNEL) -> None:
        self._url = url
        self._channel = channel
        self._node = secrets.token_hex(4)
        self._unsent: dict[str, bytes] = {}
        self._some = asyncio.Event()

    @classmethod
    async def join(cls, url: str) -> Self:
        """A bus with access to Redis, or that waits for its return. Raises AccessDenied."""
        try:
            async with Redis.from_url(url) as redis:
                await redis.ping()
        except (AuthenticationError, ResponseError) as error:
            raise AccessDenied(f"Redis does not let this server in ({error}). Compare the passwords.") from None
        except (RedisError, OSError) as error:
            log.warning("Redis: %s", error)
        return cls(url)

    def tell(self, notice: Notice) -> None:
        """Queues `notice` for publishing. Of those about one game, or one player, only the newest is kept."""
        key, fields = _encoded(notice)
        if len(self._unsent) < MAX_UNSENT or key in self._unsent:
            self._unsent[key] = orjson.dumps({"node": self._node, **fields})
            self._some.set()

    async def publish(self, notices: Iterable[Notice]) -> None:
        """Publishes `notices` at once, for a process that does not `run`. They are lost if Redis is away."""
        try:
            async with Redis.from_url(self._url) as redis:
                for notice in notices:
                    await redis.publish(self._channel, orjson.dumps({"node": self._node, **_encoded(notice)[1]}))
        except (RedisError, OSError) as error:
            log.warning("Redis: %s", error)

    async def run(self, hear: Callable[[Notice], None], resync: Callable[[], None]) -> None:
        """Publishes and listens until cancelled, through every outage."""
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
        """The notice of another process; None for our own and unreadable ones."""
        try:
            match orjson.loads(data):
                case {"node": str(node)} if node == self._node:
                    return None
                case {"lobby": 1}:
                    return SeeksChanged()
                case {"here": str(node), "people": str(people)}:
                    return PeopleHere(node, tuple(people.split()))
                case {"blocks": str(person)}:
                    return BlocksChanged(person)
                case {"sessions": str(ended), "code": int(code)}:
                    return SessionsEnded(frozenset(ended.split()), code)
                case {"game": str(game), "player": str(player), "by": str(by), **more}:
                    return ChallengeMade(game, player, by, "proposed" in more, str(more.get("proposer", "")))
                case {"game": str(game), "deleted": 1, "players": str(players)}:
                    return Deleted(game, tuple(players.split()))
                case {"game": str(game), "waited": str(player)}:
                    return WaitedInVain(game, player)
                case {"game": str(game), "letter": str(player), "from": str(by)}:
                    return MessageLeft(game, player, by)
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
    """The notice as published, and its key: of those with the same key only the newest matters."""
    match notice:
        case GameStored(game, rev, players):
            return game, {"game": game, "rev": rev, "players": " ".join(players)}
        case PresenceChanged(game, color, where):
            return f"{game} {color.letter}", {"game": game, "color": color.letter, "where": where.value}
        case ChallengeMade(game, player, by, proposed, proposer):
            challenge: dict[str, str | int] = {"game": game, "player": player, "by": by}
            more = ({"proposed": 1} if proposed else {}) | ({"proposer": proposer} if proposer else {})
            return f"{game} challenge {player}", challenge | more
        case WaitedInVain(game, player):
            return f"{game} waited", {"game": game, "waited": player}
        case MessageLeft(game, player, by):
            return f"{game} letter", {"game": game, "letter": player, "from": by}
        case TurnPassed(game, player):
            return f"{game} turn", {"game": game, "turn": player}
        case ChatPosted(game):
            return f"{game} chat", {"game": game, "chat": 1}
        case SeeksChanged():
            return "seeks", {"lobby": 1}
        case PeopleHere(node, people):
            return f"{node} here", {"here": node, "people": " ".join(people)}
        case BlocksChanged(person):
            return f"{person} blocks", {"blocks": person}
        case Deleted(game, players):
            return f"{game} deleted", {"game": game, "deleted": 1, "players": " ".join(players)}
        case SessionsEnded(sessions, code):
            ended = " ".join(sorted(sessions))
            return ended, {"sessions": ended, "code": code}
        case _:
            assert_never(notice)
