"""Two servers, one MongoDB (its protocol, spoken by SecantusDB) and one Redis: players need not know where they are."""

import asyncio
import json

import pytest

from server.web.websocket.open_sockets import SESSION_ENDED
from tests.support.redis_server import needs_redis, running_redis
from tests.support.storage.engines import MongoPlace
from tests.support.web.accounts import go, register, sign_in, sign_out
from tests.support.web.host import QuickHost
from tests.support.web.lobby_socket import lobby_of
from tests.support.web.people import FOOLS_MATE, Person

pytestmark = [needs_redis, pytest.mark.slow]
redis = pytest.fixture(running_redis)


@pytest.fixture
async def hosts(tmp_path, secantus, redis):
    hosts = [QuickHost(tmp_path / name) for name in ("one", "two")]
    shared = {"MONGODB_URI": MongoPlace(secantus.uri).uri, "REDIS_URL": redis.url}
    try:
        await asyncio.gather(*(host.start(**shared) for host in hosts))
        yield hosts
    finally:
        for host in hosts:
            await host.kill()


async def test_players_on_two_servers_see_one_game(hosts):
    one, two = hosts
    async with Person(one.site) as anna, Person(two.site) as ben, Person(two.site) as watcher:
        game = await anna.challenge()
        async with anna.follow(game) as white, watcher.follow(game) as watching:
            await white.next()
            await watching.next()
            await ben.join(game)
            async with ben.follow(game) as black:
                await black.next()
                for ply, uci in enumerate(FOOLS_MATE):
                    mover, other = (white, black) if ply % 2 == 0 else (black, white)
                    assert (await mover.move(ply, uci))["t"] == "ok"
                    await seen(other, ply + 1)
                    await seen(watching, ply + 1)
        for person in (anna, ben):
            record = await person.get(f"/api/games/{game['id']}")
            assert [move["uci"] for move in record["moves"]] == FOOLS_MATE
            assert record["result"] == "0-1"


async def test_chat_on_one_server_is_shown_once_on_the_other(hosts):
    one, two = hosts
    async with Person(one.site) as anna, Person(two.site) as ben:
        game = await anna.challenge()
        await ben.join(game)
        async with anna.follow(game) as white, ben.follow(game) as black:
            await white.next()
            await black.next()
            for number, (speaker, other) in enumerate([(white, black), (black, white), (white, black)]):
                await speaker.send({"t": "chat", "id": number, "text": f"line {number}"})
                said = await line_said(speaker, number)
                assert await line_said(other, number) == said
                # Whoever reads the store for another reason may show a line before it is acknowledged.
                while not any(one["t"] == "ok" and one["id"] == number for one in speaker.seen):
                    await speaker.next()
        for socket in (white, black):
            assert sum(one["t"] == "said" for one in socket.seen) == 3


async def line_said(socket, number):
    """The line of that number, as soon as the socket has been shown it."""
    while not (lines := [one["line"] for one in socket.seen if one["t"] == "said"][number:]):
        await socket.next()
    assert lines[0]["text"] == f"line {number}"
    return lines[0]


async def seen(socket, plies):
    """Waits until the socket has been shown that many half-moves, as events or as a new snapshot."""
    while not any(
        (one["t"] == "moved" and one["ply"] == plies - 1) or (one["t"] == "snapshot" and len(one["moves"]) >= plies)
        for one in socket.seen
    ):
        await socket.next()


async def test_a_session_works_on_every_server_even_when_one_dies(hosts):
    one, two = hosts
    async with Person(one.site) as anna, Person(two.site) as ben, Person(two.site) as anna_elsewhere:
        game = await anna.challenge()
        await ben.join(game)
        async with anna.follow(game) as white, ben.follow(game) as black:
            assert (await white.move(0, FOOLS_MATE[0]))["t"] == "ok"
            await seen(black, 1)
        await one.kill()
        anna_elsewhere.http.cookie_jar.update_cookies({cookie.key: cookie.value for cookie in anna.http.cookie_jar})
        async with anna_elsewhere.follow(game) as white, ben.follow(game) as black:
            assert (await white.next())["you"] == "white"
            await black.next()
            assert (await black.move(1, FOOLS_MATE[1]))["t"] == "ok"
            await seen(white, 2)
            assert (await white.move(2, FOOLS_MATE[2]))["t"] == "ok"


async def test_a_seek_is_shown_and_taken_on_the_other_server(hosts):
    one, two = hosts
    async with Person(one.site) as anna, Person(two.site) as ben, Person(two.site) as carla:
        for person in (anna, ben, carla):
            await person.post("/api/guest")
        async with lobby_of(anna) as here, lobby_of(carla) as there:
            assert (await here.next())["seeks"] == (await there.next())["seeks"] == []
            clock = {"kind": "realtime", "initial": 180, "increment": 2}
            made = await anna.post("/api/seeks", 201, variants=["grand"], clock=clock)
            assert await there.next() == {"t": "seek_added", "seek": made["seek"]}
            assert await here.next() == {"t": "seek_added", "seek": made["seek"]}
            taken = await asyncio.gather(
                *(person.http.post(f"/api/seeks/{made['seek']['id']}/accept", json={}) for person in (ben, carla))
            )
            assert sorted(answer.status for answer in taken) == [200, 410]
            gone = {"t": "seek_gone", "id": made["seek"]["id"]}
            assert await here.next() == await there.next() == gone
            game = (await here.next())["game"]
        record = await ben.get(f"/api/games/{game}")
        assert record["status"] == "live"
        assert (await anna.get("/api/me"))["id"] in {record["white"]["id"], record["black"]["id"]}


async def test_a_block_on_one_server_holds_at_once_on_the_other(hosts):
    one, two = hosts
    clock = {"kind": "realtime", "initial": 180, "increment": 2}
    async with Person(one.site) as anna, Person(two.site) as ben, Person(two.site) as carla:
        await register(anna, "Anna")
        await register(ben, "Ben")
        game = await anna.challenge()
        await ben.join(game)
        made = (await anna.post("/api/seeks", 201, variants=["grand"], clock=clock))["seek"]
        async with lobby_of(ben) as lobby, anna.follow(game) as white, ben.follow(game) as black:
            await white.next()
            await black.next()
            while made["id"] not in json.dumps(await lobby.next()):
                pass
            assert await go(anna, "/@/Ben/block") == "/@/Ben"
            assert (await ben.post(f"/api/seeks/{made['id']}/accept", 410))["refusal"] == "opponent_gone"
            assert (await ben.post("/api/seeks", 201, variants=["grand"], clock=clock))["seek"]
            while (shown := await lobby.next())["t"] != "seeks":
                pass
            assert made["id"] not in json.dumps(shown)
            await black.command(t="chat", text="Can you hear me?")
            assert (await white.move(0, "e2e4"))["t"] == "ok"
            await black.until("moved")
            assert (await black.move(1, "e7e5"))["t"] == "ok"
            await white.until("moved")
            assert "Can you hear me?" not in json.dumps(white.seen)
        assert (await carla.get("/api/seeks"))["seeks"] != []


@pytest.mark.row("A4")
async def test_signing_out_on_one_server_ends_the_session_and_sockets_on_the_other(hosts, scale, counted):
    one, two = hosts
    names, cycles = [f"Anna{number}" for number in range(scale(6))], 8  # as often as one name may sign in
    for name in names:
        async with Person(one.site) as here, Person(two.site) as there:
            await register(here, name)
            for _ in range(cycles):
                there.http.cookie_jar.update_cookies({cookie.key: cookie.value for cookie in here.http.cookie_jar})
                game = await here.challenge()
                async with there.follow(game) as socket:
                    assert (await socket.next())["you"] == "white"
                    await sign_out(here)
                    assert await socket.closing(1) == SESSION_ENDED
                assert await there.get("/api/me") == {}
                assert await sign_in(here, name) == "/"
                there.http.cookie_jar.clear()
    counted("cycles on two servers", len(names) * cycles)
