"""The attack reaches every route there is, and stays within what one client has: time and bytes."""

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer, make_mocked_request

from server.app import build_app
from server.settings import Settings
from server.web.assets import find_assets
from tests.faults.abuse.attacker import SHAPES, play
from tests.faults.abuse.targets import MAILBOX, Target, targets
from tests.faults.abuse.wire import MAX_BYTES

SECONDS = 0.3
IMPORT, SOCKET = Target("POST", "/import", "/import"), Target("GET", "/ws", "/ws", True)


async def test_every_route_of_the_application_is_attacked_at_an_address_that_it_serves():
    app = build_app(Settings(), find_assets())
    found = {(target.method, target.route): target.path for target in targets()}
    for route in app.router.routes():
        if route.method != "HEAD":
            request = make_mocked_request(route.method, found[route.method, route.resource.canonical])
            assert (await app.router.resolve(request)).route.resource.canonical == route.resource.canonical


def test_sockets_are_known_as_sockets():
    sockets = [target.path for target in targets() if target.socket]
    assert sockets == ["/ws", "/ws/lobby", "/ws/watch", "/ws/study", "/ws/tournament", "/ws/embed"]


# To look through all that a long run of tests has left takes longer than an attack lasts here.
@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("shape", SHAPES)
async def test_shape_ends_by_itself_and_within_its_bytes(shape):
    async def answer(request):
        return web.Response(text="here")

    app = web.Application()
    app.router.add_route("*", "/{any:.*}", answer)
    async with TestServer(app) as server:
        target = next((each for each in (IMPORT, MAILBOX) if SHAPES[shape].fits(each)), SOCKET)
        caller = {"port": server.port, "address": "198.18.0.1"}
        order = {"shape": shape, "target": target.as_json(), "caller": caller, "game": "AAAAAAAAAA"}
        did = await play({**order, "seconds": SECONDS})
    assert 0 < did["sent"] <= MAX_BYTES
