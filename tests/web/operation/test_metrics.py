"""The numbers on their own port: they count what happened, on this machine only, and name nobody."""

import asyncio
import socket

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.app import build_app
from server.backends import CannotStart
from server.realtime.protocol.outbox import TOO_SLOW
from server.realtime.runtime.stats import BOUNDS_MS, Histogram
from server.release import release
from server.web.assets import find_assets
from server.web.site import SITE
from tests.support.free_port import free_port
from tests.support.patience import PATIENCE_S
from tests.support.web.fixtures import Served
from tests.support.web.origins import ORIGIN
from tests.support.web.people import FOOLS_MATE, Person, play


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
async def site(settings, port):
    """The site and its numbers."""
    server = Served(build_app(settings.model_copy(update={"metrics_port": port}), find_assets()))
    await server.start_server()
    yield server
    await server.close()


async def numbers(port):
    """Every sample by its name and labels, and the whole text."""
    async with aiohttp.ClientSession() as http, http.get(f"http://127.0.0.1:{port}/metrics") as answer:
        assert answer.status == 200
        text = await answer.text()
    samples = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
    return {(one.name, *sorted(one.labels.values())): one.value for one in samples}, text


async def test_the_host_may_choose_another_address_for_them(settings, port):
    chosen = settings.model_copy(update={"metrics_port": port, "metrics_host": "0.0.0.0"})
    server = Served(build_app(chosen, find_assets()))
    await server.start_server()
    ask = aiohttp.ClientSession(headers={"Host": f"fairyhouse:{port}"})
    async with ask as http, http.get(f"http://127.0.0.2:{port}/metrics") as answer:
        assert f'fairyhouse_build_info{{version="{release()}"}} 1.0' in await answer.text()
    await server.close()


async def test_events_are_counted_and_nobody_is_named(site, port):
    async with Person(site.make_url("/"), ORIGIN) as anna, Person(site.make_url("/"), ORIGIN) as ben:
        game = await anna.challenge()
        await ben.join(game)
        async with anna.follow(game) as white, ben.follow(game) as black:
            await play((white, black), FOOLS_MATE[:3])
            assert (await black.move(3, "a1a8"))["t"] == "error"
            found, text = await numbers(port)
        me = await anna.get("/api/me")
        cookie = next(iter(anna.http.cookie_jar)).value
    assert found["fairyhouse_sockets",] == 2
    assert found["fairyhouse_games", "live"] == 1
    assert found["fairyhouse_timers",] >= 1
    assert found["fairyhouse_moves_total",] == 3
    assert found["fairyhouse_commands_total",] == 4
    assert found["fairyhouse_refused_total", "illegal"] == 1
    assert found["fairyhouse_acknowledge_seconds_count",] == 3
    assert found["fairyhouse_store_seconds_count",] >= 3
    assert found["fairyhouse_snapshots_total",] == 2
    assert found["fairyhouse_longest_handler_hold_seconds", "POST /api/games"] > 0
    assert found["process_resident_memory_bytes",] > 10_000_000
    for name in ("store_errors_total", "rate_limited_total", "sockets_cut_total", "longest_stall_seconds"):
        assert (f"fairyhouse_{name}",) in found
    for secret in (game["id"], me["id"], me["name"], cookie, "127.0.0.1"):
        assert secret not in text


async def test_metrics_are_only_on_their_own_port(site, port):
    async with Person(site.make_url("/"), ORIGIN) as anna:
        async with anna.http.get("/metrics") as answer:
            assert answer.status == 404
        async with anna.http.get(f"http://127.0.0.1:{port}/metrics", headers={"Host": "evil.example"}) as answer:
            assert answer.status == 404
        async with anna.http.get(f"http://127.0.0.1:{port}/") as answer:
            assert answer.status == 404


async def test_a_port_in_use_is_reported_before_anything_begins(settings, port, caplog):
    app = build_app(settings.model_copy(update={"metrics_port": port}), find_assets())
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        with pytest.raises(CannotStart, match=f"METRICS_PORT {port}"):
            await Served(app).start_server()
    assert caplog.messages == []
    assert not settings.data_dir.exists()


async def test_clients_that_write_too_much_are_counted(site, port):
    async with Person(site.make_url("/"), ORIGIN) as anna, anna.open_socket() as page:
        for _ in range(55):
            await page.send({"t": "ping"})
        await page.until("error")
        found, _ = await numbers(port)
    assert found["fairyhouse_rate_limited_total",] >= 1


async def test_clients_that_do_not_read_are_counted(site, port):
    async with Person(site.make_url("/"), ORIGIN) as anna:
        game = await anna.challenge()
        async with anna.follow(game) as page:
            await page.next()
            (held,) = site.app[SITE].open_sockets._sockets
            held.cut(TOO_SLOW)
            await asyncio.wait_for(page.websocket.receive(), PATIENCE_S)
    async with asyncio.timeout(PATIENCE_S):
        while (await numbers(port))[0]["fairyhouse_sockets_cut_total",] != 1:
            pass


def test_times_fall_into_their_classes():
    waits = Histogram()
    for ms in (0, 1, 2, 3, BOUNDS_MS[-1], BOUNDS_MS[-1] + 1):
        waits.add(ms)
    assert (waits.counts[0], waits.counts[1], waits.counts[2], waits.counts[-2], waits.counts[-1]) == (2, 1, 1, 1, 1)
    assert waits.total_ms == 6 + 2 * BOUNDS_MS[-1] + 1
