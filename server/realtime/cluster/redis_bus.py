"""Notices between processes by Redis pub/sub. Only this module imports Redis.

Each topic has a channel of its own, and its notices are published there whether or not another process follows it. What
is for everybody has three: where players are, that seeks have changed, and the rest. Redis is never the truth: what it
loses (subscribers miss what is published while they are disconnected) is made up for, because whatever a subscription
is confirmed for is looked at again. A notice that could not be published waits until it can.

Notices are JSON, by the name of their kind. What cannot be read comes from another release, or is not ours: it is
ignored.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import islice
from typing import Any, Final, Self, get_args

import orjson
from pydantic import TypeAdapter
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError, ResponseError

from server.realtime.cluster.bus import (
    Beat,
    Bus,
    GameStored,
    GameTopic,
    Missed,
    Notice,
    PeopleInStudy,
    PeopleInTournament,
    PeopleOnNode,
    PersonTopic,
    PresenceChanged,
    SeeksChanged,
    SpectatorsOnNode,
    StudyTopic,
    Topic,
    topics_of,
)
from server.realtime.runtime.background import heed_cancellation
from server.rules.variant.pieces import Color
from server.settings import RedisAddress, UnusableRedis, parse_redis_url

log = logging.getLogger(__name__)

CHANNEL: Final = "fairyhouse:games"
"""For everybody, but for what is gathered. Earlier releases told everything here, hence its name."""
LOBBY: Final = "fairyhouse:lobby"
PRESENCE: Final = "fairyhouse:presence"
OF_GAME: Final = "fairyhouse:game:"
OF_PERSON: Final = "fairyhouse:person:"
OF_STUDY: Final = "fairyhouse:study:"
PAUSE_S: Final = 0.5
MAX_UNSENT: Final = 10_000
"""Notices kept while Redis is away; when it returns everybody refreshes anyway."""
AT_ONCE: Final = 100
"""Notices published, or topics followed, by one write."""
CONFIRMED_WITHIN_S: Final = 0.02
"""Topics confirmed within this time are looked at together."""


class RedisBus(Bus):
    """The bus of one process among several. `url`: as for redis-py (redis://, rediss://, unix://), or of Sentinels."""

    alone = False

    def __init__(self, url: str) -> None:
        self._url = url
        self._node = secrets.token_hex(4)
        self._ours = b'{"node":"%b"' % self._node.encode()
        self._our_beat = self._ours + b',"kind":"Beat"'
        self._unsent: dict[tuple[Topic | None, Hashable], bytes] = {}
        self._some = asyncio.Event()
        self._gathered = Gathered()
        self._followed: set[Topic] = set()
        self._to_subscribe: dict[Topic, None] = {}
        self._to_unsubscribe: dict[Topic, None] = {}
        """Before anything of `_to_subscribe` is."""
        self._to_follow = asyncio.Event()
        self._confirmed: set[Topic] = set()
        self._lost = False

    @classmethod
    async def join(cls, url: str) -> Self:
        """A bus with access to Redis, or that waits for its return. Raises UnusableRedis."""
        try:
            await check_redis(url)
        except (RedisError, OSError) as error:
            bus = cls(url)
            bus._note_loss(error)
            return bus
        return cls(url)

    def _note_loss(self, error: BaseException) -> None:
        """Logs it once."""
        if not self._lost:
            self._lost = True
            log.warning("Redis is lost: %s", error)

    def _note_return(self) -> None:
        if self._lost:
            self._lost = False
            log.warning("Redis is found again")

    def tell(self, notice: Notice) -> None:
        """Queues `notice` for publishing. Of those about one game, or one player, only the newest is kept."""
        if isinstance(notice, PresenceChanged | SeeksChanged | Beat):
            self._gathered.add(notice)
            return
        key, message = key_of(notice), write_notices(self._node, (notice,))
        for topic in topics_of(notice) or (None,):
            if len(self._unsent) < MAX_UNSENT or (topic, key) in self._unsent:
                self._unsent[topic, key] = message
                self._some.set()

    def follow(self, topic: Topic) -> None:
        """As `Bus.follow`; Redis is asked soon."""
        if topic not in self._followed:
            self._followed.add(topic)
            self._to_subscribe[topic] = None
            self._to_follow.set()

    def unfollow(self, topic: Topic) -> None:
        """As `Bus.unfollow`; Redis learns of it soon."""
        if topic in self._followed:
            self._followed.remove(topic)
            if topic in self._to_subscribe:
                del self._to_subscribe[topic]
            else:
                self._to_unsubscribe[topic] = None
                self._to_follow.set()

    async def publish(self, notices: Iterable[Notice]) -> None:
        """Publishes `notices` at once, for a process that does not `run`. They are lost if Redis is away."""
        try:
            async with open_redis(self._url) as redis:
                for notice in notices:
                    for topic in topics_of(notice) or (None,):
                        await redis.publish(channel_of(topic), write_notices(self._node, (notice,)))
        except (RedisError, OSError) as error:
            self._note_loss(error)

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
                self._note_loss(errors.exceptions[0])
            except* Exception:
                # A notice that a listener fails at must not keep this process from hearing those after it.
                log.exception("the bus begins again")
            await asyncio.sleep(PAUSE_S * random.uniform(0.5, 1.5))

    async def _publish(self, redis: Redis) -> None:
        if self._unsent:
            # Left from a connection that broke.
            self._some.set()
        while True:
            heed_cancellation()
            await self._some.wait()
            self._some.clear()
            while batch := list(islice(self._unsent.items(), AT_ONCE)):
                await self._publish_at_once(redis, batch)

    async def _publish_at_once(self, redis: Redis, batch: list[tuple[tuple[Topic | None, Hashable], bytes]]) -> None:
        pipeline = redis.pipeline(transaction=False)
        for (topic, _), message in batch:
            pipeline.publish(channel_of(topic), message)
        await pipeline.execute()
        self._note_return()
        for id, message in batch:
            if self._unsent[id] is message:
                del self._unsent[id]

    async def _publish_gathered(self, redis: Redis) -> None:
        while True:
            heed_cancellation()
            await self._gathered.some.wait()
            for notices in self._gathered.messages():
                channel = LOBBY if isinstance(notices[0], SeeksChanged) else PRESENCE
                await redis.publish(channel, write_notices(self._node, notices))
            await asyncio.sleep(GATHER_S)

    # --- what is heard ----------------------------------------------------------------------------------------------

    async def _listen(self, redis: Redis, hear: Callable[[Notice], None], resync: Callable[[Missed], None]) -> None:
        # On a new connection nothing is subscribed to yet.
        self._to_subscribe, self._to_unsubscribe = dict.fromkeys(self._followed), {}
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
            while ended := list(islice(self._to_unsubscribe, AT_ONCE)):
                for topic in ended:
                    del self._to_unsubscribe[topic]
                await subscription.unsubscribe(*map(channel_of, ended))
            while begun := list(islice(self._to_subscribe, AT_ONCE)):
                for topic in begun:
                    del self._to_subscribe[topic]
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
                self._note_return()
                resync(Missed(rest=True))
            elif message["type"] == "subscribe" and (topic := topic_of(channel)) in self._followed and topic:
                self._look_soon(topic, resync)

    def _look_soon(self, topic: Topic, resync: Callable[[Missed], None]) -> None:
        """Notices published before the subscription held were missed, so what they were about is read again."""
        if not self._confirmed:
            asyncio.get_running_loop().call_later(CONFIRMED_WITHIN_S, self._look, resync)
        self._confirmed.add(topic)

    def _look(self, resync: Callable[[Missed], None]) -> None:
        confirmed, self._confirmed = self._confirmed, set()
        games = frozenset(topic.game for topic in confirmed if isinstance(topic, GameTopic))
        people = frozenset(topic.person for topic in confirmed if isinstance(topic, PersonTopic))
        studies = frozenset(topic.study for topic in confirmed if isinstance(topic, StudyTopic))
        resync(Missed(games, people, studies=studies))

    def _read(self, channel: bytes, data: bytes) -> Sequence[Notice]:
        """The notices of another process; none of our own but beats, and none of what cannot be read."""
        if data.startswith(self._ours) and not data.startswith(self._our_beat):
            return ()
        try:
            return read_notices(data)
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
        case StudyTopic(study):
            return OF_STUDY + study


def topic_of(channel: bytes) -> Topic | None:
    """The topic of a channel of ours; None for those of everybody."""
    name = channel.decode()
    if name.startswith(OF_GAME):
        return GameTopic(name.removeprefix(OF_GAME))
    if name.startswith(OF_STUDY):
        return StudyTopic(name.removeprefix(OF_STUDY))
    return PersonTopic(name.removeprefix(OF_PERSON)) if name.startswith(OF_PERSON) else None


NOTICE_KINDS: Final[Mapping[str, TypeAdapter[Notice]]] = {kind.__name__: TypeAdapter(kind) for kind in get_args(Notice)}


def write_notices(node: str, notices: Sequence[Notice]) -> bytes:
    """The message in which the process `node` gives these notices, one or more of one kind. It begins with the node."""
    return orjson.dumps({"node": node, "kind": type(notices[0]).__name__, "notices": notices}, default=_list_of)


def _list_of(ids: Any) -> list[str]:
    if isinstance(ids, frozenset):
        return sorted(ids)
    raise TypeError


def read_notices(message: bytes) -> Sequence[Notice]:
    """The notices of a message; none if their kind is unknown here. Raises ValueError if it cannot be read."""
    fields = orjson.loads(message)
    if not isinstance(fields, dict):
        raise ValueError("a message is an object")
    kind = NOTICE_KINDS.get(str(fields.get("kind")))
    if kind is None:
        return ()
    if not isinstance(notices := fields.get("notices"), list):
        raise ValueError("a message has notices")
    return [kind.validate_python(notice) for notice in notices]


def key_of(notice: Notice) -> Hashable:
    """Of the notices with one key only the newest matters."""
    match notice:
        case GameStored(game):
            return GameStored, game
        case PeopleOnNode(node):
            return PeopleOnNode, node
        case PeopleInStudy(study, node):
            return PeopleInStudy, study, node
        case PeopleInTournament(tournament, node):
            return PeopleInTournament, tournament, node
        case SpectatorsOnNode(game, node):
            return SpectatorsOnNode, game, node
        case _:
            return notice


GATHER_S: Final = 0.1
SEATS_AT_ONCE: Final = 500
"""Seats in one message, which takes half a millisecond to read."""
MAX_SEATS: Final = 100_000
"""Seats that wait while nothing can be sent. Where players are is repeated anyway."""


class Gathered:
    """What waits to be sent. `some` is set while anything does."""

    def __init__(self) -> None:
        self._seats: dict[tuple[str, Color], PresenceChanged] = {}
        self._seeks = False
        self._beat: Beat | None = None
        self.some = asyncio.Event()

    def add(self, notice: PresenceChanged | SeeksChanged | Beat) -> None:
        """Keeps a notice until the next message; an older one of the same seat is replaced."""
        match notice:
            case SeeksChanged():
                self._seeks = True
            case Beat():
                self._beat = notice
            case PresenceChanged(game, color) if len(self._seats) < MAX_SEATS or (game, color) in self._seats:
                self._seats[game, color] = notice
        self.some.set()

    def messages(self) -> Iterator[Sequence[Notice]]:
        """The notices of each message to send now. They count as sent when the next message is asked for."""
        while self._seats:
            part = dict(islice(self._seats.items(), SEATS_AT_ONCE))
            yield tuple(part.values())
            for seat, seen in part.items():
                if self._seats[seat] is seen:
                    del self._seats[seat]
        if self._seeks:
            # A change while this is on its way is published again.
            self._seeks = False
            try:
                yield (SeeksChanged(),)
            except GeneratorExit:
                self._seeks = True
                raise
        if self._beat is not None:
            beat, self._beat = self._beat, None
            yield (beat,)
        self.some.clear()


SENTINEL_WAITS_S: Final = 1.0
"""A Sentinel that takes longer is passed over."""
STANDALONE: Final = "standalone"


@asynccontextmanager
async def open_redis(url: str) -> AsyncIterator[Redis]:
    """A client for the Redis at `url`, a setting's value. It connects when it is first used.

    A broken connection is not restored silently: what was missed has to be looked at.
    """
    address = parse_redis_url(url)
    async with AsyncExitStack() as opened:
        if address.sentinels:
            sentinel = await opened.enter_async_context(_sentinels(address))
            client: Redis = sentinel.master_for(address.master)
        else:
            client = Redis.from_url(address.url, retry=_never())
        opened.push_async_callback(client.aclose)
        yield client


@asynccontextmanager
async def _sentinels(address: RedisAddress) -> AsyncIterator[Sentinel]:
    """The same user, password and certificates open the Sentinels and Redis."""
    options: dict[str, Any] = {**parse_url(address.url), "retry": _never()}
    # What says so for a single address has no place here.
    for name in ("host", "port", "connection_class"):
        options.pop(name, None)
    if address.url.startswith("rediss:"):
        options["ssl"] = True
    patience = {"socket_timeout": SENTINEL_WAITS_S, "socket_connect_timeout": SENTINEL_WAITS_S}
    asking = {name: value for name, value in options.items() if name != "db"}
    sentinel = Sentinel(address.sentinels, sentinel_kwargs={**asking, **patience}, **options)  # type: ignore[no-untyped-call]
    async with AsyncExitStack() as opened:
        for asked in sentinel.sentinels:
            opened.push_async_callback(asked.aclose)
        yield sentinel


def _never() -> Retry:
    return Retry(NoBackoff(), 0)


async def check_redis(url: str) -> None:
    """Raises UnusableRedis if this Redis denies access or is of the wrong kind; RedisError, OSError if it is away."""
    mode = STANDALONE
    try:
        await _ask_sentinels(parse_redis_url(url))
        async with open_redis(url) as redis:
            await redis.ping()
            # A host whose server may not ask has chosen its rights on purpose.
            with suppress(NoPermissionError):
                mode = (await redis.info("server")).get("redis_mode", STANDALONE)
    except (AuthenticationError, ResponseError) as error:
        raise UnusableRedis(f"Redis does not let this server in ({error}). Compare the passwords.") from None
    if mode == "cluster":
        raise UnusableRedis(
            "This Redis belongs to a Cluster, which tells nobody how many nodes hear a message. Use a single Redis,"
            " or several with Sentinels."
        )
    if mode == "sentinel":
        raise UnusableRedis("This is a Sentinel. Begin the address with redis+sentinel:// and end it with /mymaster.")


async def _ask_sentinels(address: RedisAddress) -> None:
    """Raises AuthenticationError, ResponseError if one of the Sentinels does not let us in: a client would go by it."""
    if address.sentinels:
        async with _sentinels(address) as sentinel:
            answers = await asyncio.gather(*(one.ping() for one in sentinel.sentinels), return_exceptions=True)
        for answer in answers:
            if isinstance(answer, AuthenticationError | ResponseError):
                raise answer
