"""What a node pays for a move of a game that it does not follow, by how notices are spread over channels.

    python -m tests.bench.notices_bench

A node follows a hundred games and listens; elsewhere moves of other games are told. Beside a channel for each game, as
the bus has it: one for all, as it was once, and games hashed over 16 or 1,024 of them. In CPU of the listening process;
needs Linux and redis-server.
"""

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from zlib import crc32

import orjson
import uvloop
from redis.asyncio import Redis

from server.realtime.process import redis_bus
from server.realtime.process.bus import GameStored, GameTopic, Missed, Topic
from server.realtime.process.notices.codec import written
from server.realtime.process.redis_bus import CHANNEL, RedisBus, channel_of
from tests.support.live.processes import cpu_s
from tests.support.redis_server import RedisServer

FOLLOWED, OTHERS = 100, 3_000
MOVES = 20_000
SCHEMES = {"one channel for all": 1, "16 channels": 16, "1,024 channels": 1024, "a channel for each game": 0}


def channel_in(scheme: int, otherwise: Callable[[Topic | None], str], topic: Topic | None) -> str:
    """Where notices of `topic` are told if games share so many channels; 0, or no game: as `otherwise`."""
    if scheme == 0 or not isinstance(topic, GameTopic):
        return otherwise(topic)
    return f"{CHANNEL}:{crc32(topic.game.encode()) % scheme}"


async def listen(url: str, scheme: int) -> None:
    """A node, as far as its bus goes. Says so when it listens, and runs until it is killed."""
    redis_bus.channel_of = partial(channel_in, scheme, redis_bus.channel_of)
    bus = RedisBus(url)
    for number in range(FOLLOWED):
        bus.follow(GameTopic(f"own{number:07}"))
    confirmed: list[object] = []

    def resync(missed: Missed) -> None:
        confirmed.extend([*missed.games, missed.rest][: len(missed.games) or 1])

    running = asyncio.create_task(bus.run(lambda notice: None, resync))
    while len(confirmed) < (FOLLOWED if scheme == 0 else 1):  # noqa: ASYNC110 - it happens in another process
        await asyncio.sleep(0.2)
    print("listens", flush=True)
    await running


async def measure(what: str, scheme: int, redis: RedisServer) -> None:
    node = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.notices_bench", redis.url, str(scheme)), stdout=asyncio.subprocess.PIPE
    )
    await node.stdout.readline()
    before, redis_before = cpu_s(node.pid), cpu_s(redis.process.pid)
    async with Redis.from_url(redis.url) as telling:
        for number in range(0, MOVES, 20):
            pipeline = telling.pipeline(transaction=False)
            for move in range(number, number + 20):
                game = f"not{move % OTHERS:07}"
                fields = {"node": "elsewhere", **written(GameStored(game, move))[1]}
                pipeline.publish(channel_in(scheme, channel_of, GameTopic(game)), orjson.dumps(fields))
            await pipeline.execute()
            await asyncio.sleep(0.005)
    await asyncio.sleep(1)
    spent, by_redis = cpu_s(node.pid) - before, cpu_s(redis.process.pid) - redis_before
    print(
        f"  {what:26} {spent / MOVES * 1e3:6.3f} ms of the node a move, {by_redis / MOVES * 1e3:6.3f} ms of Redis",
        flush=True,
    )
    node.kill()
    await node.wait()


async def main() -> None:
    redis = RedisServer()
    await redis.start()
    try:
        for what, scheme in SCHEMES.items():
            await measure(what, scheme, redis)
    finally:
        await redis.kill()


if __name__ == "__main__":
    uvloop.run(listen(sys.argv[1], int(sys.argv[2])) if len(sys.argv) > 1 else main())
