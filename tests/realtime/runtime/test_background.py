"""What the log says of work in the background, and what becomes of notices whose publishing fails."""

import asyncio
import logging

import pytest

from server.realtime.cluster.bus import BlocksChanged
from server.realtime.cluster.redis_bus import CHANNEL, RedisBus
from server.realtime.play.command_queue import Busy
from server.realtime.runtime.background import Background, every
from server.storage.errors import Unavailable
from tests.support.realtime.hand_clock import settle

ORDINARY = [Busy("game_busy"), Unavailable("The store is down."), TimeoutError()]


@pytest.mark.parametrize(("error", "traceback"), [*((error, False) for error in ORDINARY), (KeyError("defect"), True)])
@pytest.mark.parametrize("regular", [False, True])
async def test_the_log_has_a_traceback_of_defects_only(caplog, error, traceback, regular):
    begun = asyncio.Event()

    async def fail():
        begun.set()
        raise error

    background, caplog_at = Background(), caplog.at_level(logging.WARNING)
    with caplog_at:
        task = asyncio.create_task(every(60, fail, at_once=True)) if regular else background.spawn(fail())
        await begun.wait()
        await settle()
        task.cancel()
    [record] = caplog.records
    assert (record.levelno == logging.ERROR, bool(record.exc_info)) == (traceback, traceback)


class Redis:
    """Keeps what is published, unless it is `away`."""

    def __init__(self):
        self.away = True
        self.published = []
        self._asked = []

    def pipeline(self, transaction):
        return self

    def publish(self, channel, message):
        self._asked.append(channel)

    async def execute(self):
        asked, self._asked = self._asked, []
        if self.away:
            raise ConnectionResetError
        self.published += asked
        return [1] * len(asked)


async def test_what_could_not_be_published_is_as_soon_as_redis_is_back():
    bus, redis = RedisBus("redis://nowhere"), Redis()
    bus.tell(BlocksChanged("anna-id"))
    with pytest.raises(ConnectionResetError):
        await bus._publish(redis)
    redis.away = False
    again = asyncio.create_task(bus._publish(redis))
    await settle()
    again.cancel()
    assert redis.published == [CHANNEL]
