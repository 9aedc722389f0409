"""Proxies set up as docs/proxy.md says, before a site on https: pages and sockets come through."""

import pytest
from aiohttp import ClientSession, WSMsgType

from server.web.budgets import callers
from tests.support.certificates import certificate
from tests.support.free_port import free_port
from tests.support.web.balancers import HTTPS, https_proxy, needs
from tests.support.web.in_process import InProcess

pytestmark = pytest.mark.slow
BROWSER, FORGED = "127.0.0.1", "203.0.113.7"
COUNTS = {"nginx": BROWSER, "haproxy": BROWSER, "nginx behind another proxy": FORGED}
"""Whose address counts if the caller, which only the last is told to believe, names another."""


@pytest.fixture
def counted(monkeypatch):
    """The addresses that callers were found to have, in order."""
    found, parse = [], callers.parse

    def noted(text):
        found.append(text)
        return parse(text)

    monkeypatch.setattr(callers, "parse", noted)
    return found


@pytest.mark.parametrize("program", [pytest.param(one, marks=needs(one.split()[0])) for one in HTTPS])
async def test_the_site_works_behind_it_and_knows_who_calls(program, tmp_path, monkeypatch, counted):
    chain, key = certificate(tmp_path)
    (tmp_path / "both.pem").write_text(chain.read_text() + key.read_text())
    port = free_port()
    address = f"https://localhost:{port}"
    async with (
        InProcess(tmp_path, monkeypatch, public_url=address) as site,
        https_proxy(program, tmp_path, port, site.settings.port, tmp_path / "both.pem"),
        ClientSession(address, headers={"X-Forwarded-For": FORGED}) as session,
    ):
        async with session.get("/", ssl=False) as page:
            assert page.status == 200, await page.text()
        assert counted[-1] == COUNTS[program]
        async with session.ws_connect("/ws/lobby", ssl=False, headers={"Origin": address}) as socket:
            await socket.send_str("no message")
            assert (await socket.receive()).type is WSMsgType.TEXT
