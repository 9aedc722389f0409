"""Two processes' worth of live play over one store, joined by a real redis-server (skipped where there is none)."""

import asyncio
import signal

import pytest
from redis.asyncio import Redis

from server.realtime.cluster.bus import (
    Beat,
    BlocksChanged,
    ChallengeMade,
    ChatPosted,
    Deleted,
    GameStored,
    GameTopic,
    MessageLeft,
    NeverBegan,
    NoShow,
    PeopleOnNode,
    PersonTopic,
    PresenceChanged,
    RematchOffered,
    RematchShown,
    SanctionsChanged,
    SeeksChanged,
    SessionsEnded,
    TournamentSoon,
    TurnPassed,
    topics_of,
)
from server.realtime.cluster.presence import PresenceState
from server.realtime.cluster.redis_bus import LOBBY, PRESENCE, SEATS_AT_ONCE, RedisBus
from server.rules.variant.pieces import Color
from tests.support.realtime.listener import Listener, until
from tests.support.realtime.node import BLACK, WHITE, Node
from tests.support.redis_server import needs_redis, running_redis

pytestmark = [needs_redis, pytest.mark.slow]
redis = pytest.fixture(running_redis)


GAME = "abcdefghij"
MARK = BlocksChanged("the mark")
"""Everybody hears it, so what comes before it has arrived."""


async def rest(listeners):
    """Returns when whatever was told before has been heard."""
    for listener in listeners:
        listener.bus.tell(MARK)
    others = len(listeners) - 1
    await until(lambda: all(listener.heard.count(MARK) == others for listener in listeners))
    for listener in listeners:
        listener.heard[:] = [notice for notice in listener.heard if notice != MARK]


@pytest.fixture
async def listeners(redis):
    """Two that follow a game and a person."""
    both = [Listener(redis.url, GameTopic(GAME), PersonTopic("anna-id")) for _ in range(2)]
    await until(lambda: all(listener.resyncs and listener.games for listener in both))
    yield both
    for listener in both:
        await listener.stop()


NOTICES = (
    GameStored(GAME, 3),
    GameStored(GAME, 3, ("ben-id", "carla-id")),
    GameStored("klmnopqrst", 3, ("ben-id", "anna-id")),
    ChatPosted(GAME),
    TurnPassed("klmnopqrst", "anna-id"),
    MessageLeft("klmnopqrst", "anna-id", "Ben"),
    RematchOffered("klmnopqrst", "anna-id", "Ben"),
    RematchShown("klmnopqrst", "anna-id"),
    ChallengeMade("klmnopqrst", "anna-id", "Ben"),
    ChallengeMade("klmnopqrst", "anna-id", "Ben", proposed=True),
    ChallengeMade("klmnopqrst", "anna-id", "Ben", proposed=True, proposer="Carla"),
    ChallengeMade("klmnopqrst", "anna-id", "Ben", proposer="Carla"),
    PresenceChanged("klmnopqrst", Color.BLACK, PresenceState.LOST),
    TournamentSoon("cup", "Friday", ("anna-id", "ben-id")),
    SeeksChanged(),
    BlocksChanged("anna-id"),
    SanctionsChanged(),
    Deleted("klmnopqrst", ("ben-id",)),
    NoShow("klmnopqrst", "ben-id"),
    NeverBegan("klmnopqrst", ("ben-id", "anna-id")),
    NeverBegan("klmnopqrst", ("ben-id",), counts=True),
    SessionsEnded(frozenset({"digest"}), 4401),
    PeopleOnNode("node", ("anna-id", "ben-id")),
    PeopleOnNode("node", ()),
)


@pytest.mark.parametrize("notice", NOTICES)
async def test_others_hear_a_notice_and_we_do_not(redis, listeners, notice):
    here, there = listeners
    elsewhere = Listener(redis.url, GameTopic("0000000000"), PersonTopic("dora-id"))
    await until(lambda: elsewhere.resyncs and elsewhere.games)
    here.bus.tell(notice)
    await until(lambda: there.heard)
    await rest([here, there, elsewhere])
    assert there.heard == [notice]
    assert here.heard == []
    assert elsewhere.heard == ([] if topics_of(notice) else [notice])
    await elsewhere.stop()


async def test_where_thousands_of_players_are_comes_in_a_few_messages(redis, listeners):
    here, there = listeners
    await rest(listeners)
    spoken = await published(redis)
    seats = [
        PresenceChanged(f"{game:010}", color, PresenceState.HERE) for game in range(SEATS_AT_ONCE) for color in Color
    ]
    for seen in seats:
        here.bus.tell(seen)
    here.bus.tell(SeeksChanged())
    await until(lambda: len(there.heard) == len(seats) + 1)
    assert set(there.heard) == {*seats, SeeksChanged()}
    assert await published(redis) - spoken == 3


async def published(redis):
    """How many messages there have been."""
    async with Redis.from_url(redis.url) as asking:
        return (await asking.info("commandstats")).get("cmdstat_publish", {"calls": 0})["calls"]


@pytest.mark.parametrize(
    ("notice", "channel"),
    [(SeeksChanged(), LOBBY), (PresenceChanged(GAME, Color.WHITE, PresenceState.HERE), PRESENCE)],
)
async def test_the_lobby_and_who_is_where_have_channels_of_their_own(redis, listeners, notice, channel):
    async with Redis.from_url(redis.url) as outsider, outsider.pubsub() as heard:
        await heard.psubscribe("fairyhouse:*")
        assert (await anext(heard.listen()))["type"] == "psubscribe"
        listeners[0].bus.tell(notice)
        assert (await anext(heard.listen()))["channel"].decode() == channel


async def test_whoever_beats_hears_that_too_behind_where_players_are(redis, listeners):
    here, there = listeners
    here.bus.tell(Beat("here"))
    seen = PresenceChanged(GAME, Color.WHITE, PresenceState.LEFT)
    here.bus.tell(seen)
    await until(lambda: here.heard == [Beat("here")] and there.heard == [seen, Beat("here")])


async def test_a_redis_that_stands_still_is_not_heard(redis, listeners):
    here, _ = listeners
    redis.process.send_signal(signal.SIGSTOP)
    here.bus.tell(Beat("here"))
    await asyncio.sleep(0.3)
    assert here.heard == []
    redis.process.send_signal(signal.SIGCONT)
    await until(lambda: here.heard == [Beat("here")])


async def test_a_command_that_only_speaks_is_heard_and_needs_no_answer(redis, listeners):
    gone = Deleted("abcdefghij", ("white-id", "black-id"))
    await RedisBus(redis.url).publish([gone, Deleted("klmnopqrst")])
    await until(lambda: all(len(listener.heard) == 2 for listener in listeners))
    assert [listener.heard for listener in listeners] == [[gone, Deleted("klmnopqrst")]] * 2
    await redis.kill()
    await RedisBus(redis.url).publish([gone])


async def test_after_an_outage_unsent_notices_go_out_and_everybody_refreshes(redis, listeners):
    here, there = listeners
    await redis.kill()
    here.bus.tell(GameStored("abcdefghij", 1))
    here.bus.tell(GameStored("abcdefghij", 2))
    await asyncio.sleep(0.2)
    there.missed.clear()
    await redis.start()
    await until(lambda: there.resyncs and there.games == {GAME})
    await until(lambda: not here.bus._unsent)
    assert there.heard in ([], [GameStored("abcdefghij", 2)])


async def test_after_a_notice_that_a_listener_fails_at_others_are_heard(redis, listeners):
    here, there = listeners

    def hear(notice):
        there.heard.append(notice)
        if notice == MARK:
            raise RuntimeError("not this one")

    third = RedisBus(redis.url)
    task = asyncio.create_task(third.run(hear, there.missed.append))
    await until(lambda: there.resyncs == 2)
    here.bus.tell(MARK)
    await until(lambda: there.resyncs == 3)
    here.bus.tell(SeeksChanged())
    await until(lambda: there.heard.count(SeeksChanged()) == 2)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_an_unknown_message_is_ignored(redis, listeners):
    here, there = listeners
    raw = Redis.from_url(redis.url)
    notices = b'"notices":[{"game":"g","rev":"x"}]'
    for junk in (
        *(
            b"{",
            b"[]",
            b"7",
            b'{"kind":"GameStored"}',
            b'{"kind":"GameStored","notices":[{}]}',
            b'{"kind":[],"notices":[]}',
        ),
        *(
            b'{"kind":"GameStored",%b}' % notices,
            b'{"kind":"OfAnotherRelease",%b}' % notices,
            b'{"seats":{"gw":"here"}}',
        ),
        b'{"kind":"PresenceChanged","notices":[{"game":"g","color":2,"state":"here"}]}',
    ):
        for channel in ("fairyhouse:games", f"fairyhouse:game:{GAME}"):
            await raw.publish(channel, junk)
    await raw.aclose()
    here.bus.tell(GameStored("abcdefghij", 9))
    await until(lambda: there.heard)
    assert there.heard == [GameStored("abcdefghij", 9)]


async def test_two_players_on_two_processes_play_a_game(redis, store, clock, variants):
    nodes = [Node(store, clock, RedisBus(redis.url)) for _ in range(2)]
    heard = [0, 0]
    buses = []
    for index, node in enumerate(nodes):

        def resync(missed, index=index, node=node):
            heard[index] += 1
            node.live.others.resync(missed)

        buses.append(asyncio.create_task(node.live.services.bus.run(node.live.others.hear_notice, resync)))
    await until(lambda: all(heard))
    game = await nodes[0].new_game(variants)
    white, black = await nodes[0].seat(game, WHITE), await nodes[1].seat(game, BLACK)
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]
    for ply, uci in enumerate(moves):
        mover, other = ((white, black), (black, white))[ply % 2]
        assert (await mover.move(uci, ply))["t"] == "ok"
        await until(lambda other=other, uci=uci: knows(other, uci))
    for node, bus in zip(nodes, buses, strict=True):
        bus.cancel()
        await asyncio.gather(bus, return_exceptions=True)
        await node.live.services.background.finish(1)
    assert [ply.uci for ply in store.games[game].plies] == moves


async def test_a_player_at_another_process_counts_as_here(redis, store, clock, variants):
    nodes = [Node(store, clock, RedisBus(redis.url)) for _ in range(2)]
    confirmed = []
    buses = [
        asyncio.create_task(node.live.services.bus.run(node.live.others.hear_notice, confirmed.append))
        for node in nodes
    ]
    await until(lambda: len(confirmed) == 2)
    game = await nodes[0].new_game(variants)
    white, black = await nodes[0].seat(game, WHITE), await nodes[1].seat(game, BLACK)
    presence = nodes[0].rounds.in_memory(game).presence
    await until(lambda: presence.players_here == 2)
    black.close(bye=True)
    await until(lambda: presence.players_here == 1)
    clock.turn(2_000)
    nodes[0].live.services.timers.fire_due()
    assert white.last("crowd")["black"]["here"] == "left"
    for node, bus in zip(nodes, buses, strict=True):
        bus.cancel()
        await asyncio.gather(bus, return_exceptions=True)
        await node.live.services.background.finish(1)


def knows(client, uci):
    """Has the client been shown that move, as an event or in a snapshot?"""
    client.read()
    moved, snapshot = client.last("moved"), client.last("snapshot")
    return (moved is not None and moved["uci"] == uci) or (snapshot["moves"] and snapshot["moves"][-1][0] == uci)
