"""Notices between processes by Redis pub/sub. Only this and `notices.redis_client` import Redis.

Each topic has a channel of its own. What is for everybody has three: where players are, that seeks have changed, and
the rest. Redis is never the truth: what it loses (subscribers miss what is published while they are disconnected) is
made up for, because whatever a subscription is confirmed for is looked at again. A notice that could not be published
waits until it can.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Self

import orjson
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from server.realtime.process.background import heed_cancellation
from server.realtime.process.bus import (
    GameTopic,
    Missed,
    Notice,
    PersonTopic,
    PresenceChanged,
    SeeksChanged,
    Topic,
    topics_of,
)
from server.realtime.process.notices.codec import read, written
from server.realtime.process.notices.followed import Followed, Unsent
from server.realtime.process.notices.gathered import GATHER_S, Gathered
from server.realtime.process.notices.redis_client import check_redis, open_redis

log = logging.getLogger(__name__)

CHANNEL: Final = "fairyhouse:games"
"""For everybody, but for what is gathered. Earlier releases told everything here, hence its name."""
LOBBY: Final = "fairyhouse:lobby"
PRESENCE: Final = "fairyhouse:presence"
OF_GAME: Final = "fairyhouse:game:"
OF_PERSON: Final = "fairyhouse:person:"
CAME: Final = b',"came":1}'
"""The end of a message that says: from now on another process follows this, too."""
PAUSE_S: Final = 0.5
MAX_UNSENT: Final = 10_000
"""Notices kept while Redis is away; when it returns everybody refreshes anyway."""
AT_ONCE: Final = 100
"""Notices published, or topics followed, by one write."""
CONFIRMED_WITHIN_S: Final = 0.02
"""Topics confirmed within this time are looked at together."""


class RedisBus:
    """The bus of one process among several. `url`: as for redis-py (redis://, rediss://, unix://), or of Sentinels."""

    alone = False

    def __init__(self, url: str) -> None:
        self._url = url
        self._node = secrets.token_hex(4)
        self._ours = b'{"node":"%b"' % self._node.encode()
        self._unsent: dict[tuple[Topic | None, str], bytes] = {}
        self._some = asyncio.Event()
        self._gathered = Gathered()
        self._followed = Followed()
        self._to_follow = asyncio.Event()
        self._confirmed: set[Topic] = set()

    @classmethod
    async def join(cls, url: str) -> Self:
        """A bus with access to Redis, or that waits for its return. Raises UnusableRedis."""
        try:
            await check_redis(url)
        except (RedisError, OSError) as error:
            log.warning("Redis: %s", error)
        return cls(url)

    def tell(self, notice: Notice) -> None:
        """Queues `notice` for publishing. Of those about one game, or one player, only the newest is kept."""
        if isinstance(notice, PresenceChanged | SeeksChanged):
            self._gathered.add(notice)
            return
        key, fields = written(notice)
        for topic in topics_of(notice) or (None,):
            if topic is None or not self._followed.keeps(topic, key, fields):
                self._send(topic, key, fields)

    def _say(self, topic: Topic, unsaid: Unsent) -> None:
        for key, fields in unsaid.items():
            self._send(topic, key, fields)

    def _send(self, topic: Topic | None, key: str, fields: Mapping[str, Any]) -> None:
        if len(self._unsent) < MAX_UNSENT or (topic, key) in self._unsent:
            self._unsent[topic, key] = self._message(fields)
            self._some.set()

    def _message(self, fields: Mapping[str, Any]) -> bytes:
        return orjson.dumps({"node": self._node, **fields})

    def follow(self, topic: Topic) -> None:
        """As `Bus.follow`; Redis is asked soon."""
        if self._followed.follow(topic):
            self._to_follow.set()

    def unfollow(self, topic: Topic) -> None:
        """As `Bus.unfollow`; Redis is told soon."""
        if self._followed.unfollow(topic):
            self._to_follow.set()

    async def publish(self, notices: Iterable[Notice]) -> None:
        """Publishes `notices` at once, for a process that does not `run`. They are lost if Redis is away."""
        try:
            async with open_redis(self._url) as redis:
                for notice in notices:
                    for topic in topics_of(notice) or (None,):
                        await redis.publish(channel_of(topic), self._message(written(notice)[1]))
        except (RedisError, OSError) as error:
            log.warning("Redis: %s", error)

    async def run(self, hear: Callable[[Notice], None], resync: Callable[[Missed], None]) -> None:
        """Publishes and listens until cancelled, through every outage; also if `hear` or `resync` raises."""
        async with asyncio.TaskGroup() as parts:
            parts.create_task(self._again_and_again(self._publish))
            parts.create_task(self._again_and_again(self._publish_gathered))
            parts.create_task(self._again_and_again(lambda redis: self._listen(redis, hear, resync)))

    async def _again_and_again(self, work: Callable[[Redis], Coroutine[Any, Any, None]]) -> None:
        while True:
            heed_cancellation()
            try:
                async with open_redis(self._url) as redis:
                    # A task of its own: a TaskGroup that failed leaves its task marked as cancelled in Python 3.11.
                    await asyncio.create_task(work(redis))
            except* (RedisError, OSError) as errors:
                log.warning("Redis: %s", errors.exceptions[0])
            except* Exception:
                # A notice that a listener fails at must not keep this process from hearing those after it.
                log.exception("the bus begins again")
            await asyncio.sleep(PAUSE_S * random.uniform(0.5, 1.5))

    async def _publish(self, redis: Redis) -> None:
        while True:
            heed_cancellation()
            await self._some.wait()
            self._some.clear()
            while batch := list(islice(self._unsent.items(), AT_ONCE)):
                await self._publish_at_once(redis, batch)

    async def _publish_at_once(self, redis: Redis, batch: list[tuple[tuple[Topic | None, str], bytes]]) -> None:
        pipeline = redis.pipeline(transaction=False)
        for (topic, _), message in batch:
            if topic is not None:
                self._followed.sending(topic)
            pipeline.publish(channel_of(topic), message)
        for (id, message), processes in zip(batch, await pipeline.execute(), strict=True):
            if self._unsent[id] is message:
                del self._unsent[id]
            if id[0] is not None:
                self._say(id[0], self._followed.received_by(id[0], processes))

    async def _publish_gathered(self, redis: Redis) -> None:
        while True:
            heed_cancellation()
            await self._gathered.some.wait()
            for fields in self._gathered.messages():
                await redis.publish(PRESENCE if "seats" in fields else LOBBY, self._message(fields))
            await asyncio.sleep(GATHER_S)

    # --- what is heard ----------------------------------------------------------------------------------------------

    async def _listen(self, redis: Redis, hear: Callable[[Notice], None], resync: Callable[[Missed], None]) -> None:
        self._followed.start_again()
        self._to_follow.set()
        async with redis.pubsub() as subscription:
            await subscription.subscribe(LOBBY, PRESENCE, CHANNEL)
            async with asyncio.TaskGroup() as both:
                both.create_task(self._follow(subscription))
                both.create_task(self._hear(subscription, hear, resync))

    async def _follow(self, subscription: PubSub) -> None:
        while True:
            heed_cancellation()
            await self._to_follow.wait()
            self._to_follow.clear()
            while ended := list(islice(self._followed.end, AT_ONCE)):
                for topic in ended:
                    del self._followed.end[topic]
                await subscription.unsubscribe(*map(channel_of, ended))
            while begun := list(islice(self._followed.begin, AT_ONCE)):
                for topic in begun:
                    del self._followed.begin[topic]
                await subscription.subscribe(*map(channel_of, begun))

    async def _hear(
        self, subscription: PubSub, hear: Callable[[Notice], None], resync: Callable[[Missed], None]
    ) -> None:
        async for message in subscription.listen():
            channel: bytes = message["channel"]
            if message["type"] == "message":
                for notice in self._read(channel, message["data"]):
                    hear(notice)
            elif message["type"] == "subscribe" and channel == CHANNEL.encode():
                # It is confirmed last of those that are for everybody.
                resync(Missed(rest=True))
            elif message["type"] == "subscribe" and (topic := topic_of(channel)) and self._followed.confirm(topic):
                if isinstance(topic, GameTopic):
                    self._send(topic, "came", {"came": 1})
                self._look_soon(topic, resync)

    def _look_soon(self, topic: Topic, resync: Callable[[Missed], None]) -> None:
        """What was told before the subscription held is missed."""
        if not self._confirmed:
            asyncio.get_running_loop().call_later(CONFIRMED_WITHIN_S, self._look, resync)
        self._confirmed.add(topic)

    def _look(self, resync: Callable[[Missed], None]) -> None:
        confirmed, self._confirmed = self._confirmed, set()
        games = frozenset(topic.game for topic in confirmed if isinstance(topic, GameTopic))
        people = frozenset(topic.person for topic in confirmed if isinstance(topic, PersonTopic))
        resync(Missed(games, people))

    def _read(self, channel: bytes, data: bytes) -> Sequence[Notice]:
        """The notices of another process; none of our own, and none of what cannot be read."""
        topic = topic_of(channel)
        if topic is not None and data.endswith(CAME):
            if not data.startswith(self._ours):
                self._say(topic, self._followed.somebody_came(topic))
            return ()
        try:
            return () if data.startswith(self._ours) else read(data)
        except ValueError:
            log.warning("a message on %s cannot be read", channel.decode(errors="replace"))
            return ()


def channel_of(topic: Topic | None) -> str:
    """Where notices of `topic` are published; None: what is for everybody."""
    match topic:
        case None:
            return CHANNEL
        case GameTopic(game):
            return OF_GAME + game
        case PersonTopic(person):
            return OF_PERSON + person


def topic_of(channel: bytes) -> Topic | None:
    """The topic of a channel of ours; None for those of everybody."""
    name = channel.decode()
    if name.startswith(OF_GAME):
        return GameTopic(name.removeprefix(OF_GAME))
    return PersonTopic(name.removeprefix(OF_PERSON)) if name.startswith(OF_PERSON) else None
