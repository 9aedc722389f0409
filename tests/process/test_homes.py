"""A game has a home: proxies set up as they are described bring whatever is about one game to one node.

The nodes here only say who they are; nginx and HAProxy are real.
"""

from collections import Counter
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from aiohttp import ClientSession, web

from server.realtime.runtime.ids import new_id
from tests.support.web.balancers import balancer, needs

pytestmark = [
    pytest.mark.parametrize("program", [pytest.param(each, marks=needs(each)) for each in ("nginx", "haproxy")]),
    pytest.mark.slow,
]
GAMES = [new_id() for _ in range(240)]
OF_A_GAME = ("/{}", "/{}?ply=3", "/{}.txt", "/{}/board.svg?ply=20", "/api/games/{}", "/api/games/{}.pgn", "/ws?game={}")
OF_NO_GAME = ("/", "/games/mine", "/ws", "/ws/lobby", "/ws?game=", "/@/somebody", "/api/online", "/rules/seirawan")


async def node(name, cut_off):
    async def answer(request):
        if name in cut_off and request.path.startswith("/ws"):
            raise web.HTTPServiceUnavailable
        if request.headers.get("Upgrade", "").lower() == "websocket":
            socket = web.WebSocketResponse()
            await socket.prepare(request)
            await socket.send_str(name)
            await socket.close()
            return socket
        return web.Response(text=name)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, shutdown_timeout=0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    return runner, runner.addresses[0][1]


@pytest.fixture
def cut_off():
    """The names of nodes that take no sockets for now."""
    return set()


@pytest.fixture
async def nodes(cut_off):
    """Three, by port."""
    runners = {}
    for number in range(3):
        runner, port = await node(f"node {number}", cut_off)
        runners[port] = runner
    yield runners
    for runner in runners.values():
        await runner.cleanup()


@asynccontextmanager
async def site(program, folder, nodes):
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(balancer(program, folder, nodes))
        yield await stack.enter_async_context(ClientSession(address))


async def asked(session, path):
    if path.startswith("/ws"):
        async with session.ws_connect(path) as socket:
            return (await socket.receive()).data
    async with session.get(path) as answer:
        assert answer.status == 200
        return await answer.text()


async def homes(session):
    return {game: await asked(session, f"/{game}") for game in GAMES}


async def test_all_that_is_about_one_game_comes_to_one_node_and_the_rest_to_any(program, tmp_path, nodes):
    async with site(program, tmp_path, nodes) as session:
        for game in GAMES[:20]:
            assert len({await asked(session, path.format(game)) for path in OF_A_GAME}) == 1, game
        for path in OF_NO_GAME:
            assert len({await asked(session, path) for _ in range(12)}) == 3, path
        shares = Counter((await homes(session)).values())
        assert len(shares) == 3
        assert min(shares.values()) > len(GAMES) / 8


async def test_a_node_that_joins_takes_only_its_share(program, tmp_path, nodes):
    ports = list(nodes)
    async with site(program, tmp_path, ports[:2]) as session:
        before = await homes(session)
    async with site(program, tmp_path, ports) as session:
        after = await homes(session)
    moved = {after[game] for game in GAMES if after[game] != before[game]}
    assert moved == {"node 2"}


async def test_the_games_of_a_node_that_is_gone_go_on_at_others(program, tmp_path, nodes):
    async with site(program, tmp_path, nodes) as session:
        before = await homes(session)
        gone = before[GAMES[0]]
        await list(nodes.values())[int(gone.removeprefix("node "))].cleanup()
        after = await homes(session)
    assert gone not in after.values()
    assert all(after[game] == before[game] for game in GAMES if before[game] != gone)


async def test_players_of_a_node_that_takes_no_sockets_come_to_others(program, tmp_path, nodes, cut_off):
    async with site(program, tmp_path, nodes) as session:
        before = await homes(session)
        cut_off.add(before[GAMES[0]])
        for game in GAMES:
            home = await asked(session, f"/ws?game={game}")
            assert home not in cut_off
            assert home == before[game] or before[game] in cut_off
        assert {await asked(session, "/ws/lobby") for _ in range(12)}.isdisjoint(cut_off)
        assert await asked(session, "/rules/seirawan")
