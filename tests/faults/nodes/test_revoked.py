"""Whatever ends somebody's rights at one node, or by a command: within five seconds nothing that they had open at the
other reads on, whether that node hears of it or not (A23).
"""

import asyncio
import time
from contextlib import AsyncExitStack, suppress
from itertools import count

import aiohttp
import pytest
import pytest_asyncio

from server.games.clocks.time_control import TimeControl
from server.games.desk import Role
from server.games.player import Player
from server.games.sanctions import Measure, Reason, Sanction
from server.games.tournaments.tournament import Tournament, TournamentTerms
from server.realtime.runtime.ids import digest
from server.realtime.services.desk import give_role
from server.realtime.services.sanctions import impose_sanction
from server.web.routes import SOCKETS
from tests.support.live.processes import SITE
from tests.support.redis_server import needs_redis
from tests.support.web.accounts import PASSWORD
from tests.support.web.tokens import TOKEN

pytestmark = [needs_redis, pytest.mark.asyncio(loop_scope="package")]

WITHIN_S = 5.0
BY_SESSION = {
    "/ws": lambda ids: {"game": ids["game"]},
    "/ws/lobby": lambda _: {"games": 1},
    "/ws/watch": lambda _: {},
    "/ws/study": lambda ids: {"study": ids["study"]},
    "/ws/tournament": lambda ids: {"tournament": ids["cup"]},
}
"""What is said first at each."""
BY_TOKEN = ("/api/stream/event", "/api/bot/game/stream/{game}")
NUMBERS = count(1)


class Browser:
    """Somebody in a network of their own, who keeps cookies also where there is no https."""

    def __init__(self, web, cluster):
        self.web, self.cluster, self.cookies = web, cluster, {}
        self.address = f"198.51.{next(NUMBERS) % 200}.7"

    @property
    def headers(self):
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Origin": SITE, "X-Forwarded-For": self.address, **({"Cookie": cookies} if cookies else {})}

    async def send(self, method, path, node=0, **sent):
        at = f"http://127.0.0.1:{self.cluster.port(node)}{path}"
        async with self.web.request(method, at, headers=self.headers, allow_redirects=False, **sent) as answer:
            self.cookies |= {name: one.value for name, one in answer.cookies.items()}
            assert answer.status < 400, (path, answer.status, await answer.text())
            return await (answer.json() if answer.content_type == "application/json" else answer.text())

    async def form(self, path, **fields):
        return await self.send("POST", path, data=fields)


async def by_form(victim, store, desk, **_):
    await victim.form("/account/tokens/revoke", token=digest(victim.token))


async def signed_out(victim, **_):
    await victim.form("/account/sign-out-everywhere")


async def new_password(victim, **_):
    await victim.form("/account/password", old=PASSWORD, new="another good one")


async def deleted(victim, **_):
    await victim.form("/account/delete", password=PASSWORD)


async def suspended(victim, desk, measure="suspend", **_):
    about = {"id": f"decided{victim.name}", "person": victim.id, "measure": measure, "reason": "spam", "sure": "yes"}
    await desk.form("/host/people", **about, length="1d" if measure == "suspend" else "")


async def closed(victim, desk, **_):
    await suspended(victim, desk, "close")


async def by_command(victim, store, **_):
    assert await store.accounts.reset_password(victim.name, "no hash", 1)


async def suspended_by_command(victim, store, **_):
    person, now = Player(victim.id, victim.name), time.time_ns() // 1_000_000
    until = now + 86_400_000
    sanction = Sanction(
        f"cli{victim.name}", person, Measure.SUSPEND, Reason.SPAM, "", "", Player("", "root"), now, until
    )
    await impose_sanction(store, sanction, now)


ENDINGS = {
    "a token is revoked": (by_form, False, True),
    "signed out everywhere": (signed_out, True, False),
    "a new password": (new_password, True, True),
    "the account is deleted": (deleted, True, True),
    "the account is suspended": (suspended, True, True),
    "the account is closed": (closed, True, True),
    "a command gives a new password": (by_command, True, True),
    "a command suspends": (suspended_by_command, True, True),
}
"""What happens, and whether it ends what is open by a session, and by a token."""


@pytest_asyncio.fixture(loop_scope="package")
async def store(cluster):
    return await cluster.place.open()


@pytest_asyncio.fixture(loop_scope="package")
async def desk(cluster, web, store):
    """A host at the first node."""
    host = Browser(web, cluster)
    name = f"Hilda{next(NUMBERS)}"
    await host.form("/register", name=name, password=PASSWORD)
    account = await store.accounts.find(name)
    await give_role(store.desk, Player(account.user, name), Role.HOST, Player("", "root"), 1)
    await host.form("/host/password", password=PASSWORD)
    return host


@pytest_asyncio.fixture(loop_scope="package")
async def busy_lobby(cluster, web):
    """Somebody seeks and thinks better of it, all the time, so that everybody has something to read."""

    async def seek():
        body = {"variants": ["chess"], "clock": {"kind": "realtime", "initial": 300, "increment": 2}, "color": "random"}
        while True:
            with suppress(AssertionError, aiohttp.ClientError):
                guest = Browser(web, cluster)
                await guest.send("POST", "/api/guest", json={})
                await guest.send("POST", "/api/seeks", json=body)
            await asyncio.sleep(0.3)

    seeking = asyncio.create_task(seek())
    yield
    seeking.cancel()


async def victim_at(cluster, web, store):
    """Somebody with an account, a token, a game, a study and a tournament."""
    victim = Browser(web, cluster)
    victim.name = f"Vic{next(NUMBERS)}"
    await victim.form("/register", name=victim.name, password=PASSWORD)
    victim.id = (await store.accounts.find(victim.name)).user
    everything = {"bot_play": "yes", "read": "yes", "write": "yes"}
    victim.token = TOKEN.search(await victim.form("/account/tokens", name="t", **everything))[0]
    by_token = {"Authorization": f"Bearer {victim.token}"}
    at = f"http://127.0.0.1:{cluster.port(0)}"
    async with web.post(f"{at}/api/bot/account/upgrade", headers=by_token) as answer:
        assert answer.status == 200, await answer.text()
    clock = {"kind": "correspondence", "days": 3}
    made = await victim.send("POST", "/api/games", json={"variant": "chess", "color": "white", "clock": clock})
    other = Browser(web, cluster)
    await other.send("POST", f"/api/games/{made['id']}/join", json={"secret": made["secret"]})
    study = await victim.send("POST", "/api/studies", json={"name": "Mine", "chapter": "One", "pgn": "1. e4"})
    now = time.time_ns() // 1_000_000
    terms = TournamentTerms("Cup", "arena", "chess", False, TimeControl.realtime(180, 0), False, now + 3_600_000, 60)
    cup = Tournament(f"cup{next(NUMBERS):07}", Player(victim.id, victim.name), terms, now, terms.starts + 3_600_000)
    await store.tournaments.announce_tournament(cup)
    return victim, {"game": made["id"], "study": study["id"], "cup": cup.id}


async def read_on(answer):
    async for _ in answer.content:
        pass


async def listen_on(socket):
    async for _ in socket:
        pass


async def open_all(cluster, web, victim, ids, stack):
    """All that can be open at the second node: by the session, and by the token, as tasks that end with it."""
    at = f"http://127.0.0.1:{cluster.port(1)}"
    assert {route.path for route, _ in SOCKETS} == {*BY_SESSION}
    sockets, streams = {}, {}
    for path, hi in BY_SESSION.items():
        socket = await stack.enter_async_context(web.ws_connect(at + path, headers=victim.headers))
        await socket.send_json({"t": "hi", "proto": 1, **hi(ids)})
        assert (await socket.receive_json())["t"] not in ("error", "gone"), path
        sockets[path] = asyncio.create_task(listen_on(socket))
    by_token = {"Authorization": f"Bearer {victim.token}", "X-Forwarded-For": victim.address}
    for path in BY_TOKEN:
        answer = await stack.enter_async_context(web.get(at + path.format(**ids), headers=by_token))
        assert answer.status == 200, path
        await answer.content.readline()
        streams[path] = asyncio.create_task(read_on(answer))
    return sockets, streams


@pytest.mark.row("A23")
@pytest.mark.usefixtures("busy_lobby")
@pytest.mark.parametrize("heard", [True, False], ids=["heard", "unheard"])
@pytest.mark.parametrize("ending", ENDINGS)
async def test_all_that_is_open_ends(cluster, web, store, desk, ending, heard, counted):
    end, sessions, tokens = ENDINGS[ending]
    victim, ids = await victim_at(cluster, web, store)
    async with AsyncExitStack() as stack:
        sockets, streams = await open_all(cluster, web, victim, ids, stack)
        cluster.proxies[1].lossy = 0.0 if heard else 1.0
        await asyncio.sleep(0)
        assert not [path for path, one in (sockets | streams).items() if one.done()]
        await end(victim=victim, store=store, desk=desk)
        due = (sockets if sessions else {}) | (streams if tokens else {})
        await asyncio.wait(due.values(), timeout=WITHIN_S)
        assert [path for path, one in due.items() if not one.done()] == []
        others = [one for path, one in (sockets | streams).items() if path not in due]
        assert not any(one.done() for one in others)
        for one in others:
            one.cancel()
    counted("channels", len(due))
