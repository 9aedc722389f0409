"""Web push: what reaches a browser, what a dead one costs, which addresses are refused, and who is notified when."""

import asyncio
import contextlib
import sys

import pytest

from server.backends import CannotStart, open_push
from server.games.clock import TimeControl
from server.games.game import new_game
from server.games.player import Player
from server.games.terms import Terms
from server.realtime.process.domain_events import YourTurn
from server.settings import Settings
from server.web.notifications.notifier import AT_ONCE, MAX_WAITING, NOTIFIER, QUIET_MS
from server.web.notifications.push_addresses import PublicOnly, UnknownPushService, check_endpoint, is_public
from server.web.notifications.web_push import WebPush, open_session, read_key
from server.web.site import SITE
from tests.support.web.people import BLITZ
from tests.web.push_service import Browser, Here, new_host_key, serving

NOW = 1_700_000_000_000
CONTACT = "mailto:host@example.org"
DAYS = {"kind": "correspondence", "days": 3}


@pytest.fixture
async def reached(tmp_path):
    """A push service, and this site's way to it."""
    async with contextlib.AsyncExitStack() as opened:
        service, resolver, trust = await opened.enter_async_context(serving(tmp_path))
        push = WebPush(read_key(new_host_key()), CONTACT, open_session(resolver, trust), lambda: NOW)
        opened.push_async_callback(push.close)
        yield service, push


async def test_only_the_browser_itself_can_read_what_it_is_sent(reached):
    service, push = reached
    browser = Browser()
    assert await push.send(browser.device(), b'{"title":"Anna waits"}', "waits", 900)
    ((path, headers, body),) = service.got
    assert browser.read(body) == {"title": "Anna waits"}
    assert b"Anna" not in body
    assert "waits" not in headers["Topic"]
    assert len(headers["Topic"]) == 32
    assert (path, headers["TTL"], headers["Content-Encoding"]) == ("/one", "900", "aes128gcm")
    assert f"k={push.public_key}" in headers["Authorization"]


@pytest.mark.parametrize(("status", "alive"), [(201, True), (404, False), (410, False), (429, True), (500, True)])
async def test_a_browser_that_has_unsubscribed_is_known_by_its_services_answer(reached, status, alive):
    service, push = reached
    service.answers["/one"] = status
    assert await push.send(Browser().device(), b"{}", "waits", 900) is alive


async def test_nobody_is_followed_elsewhere(reached):
    service, push = reached
    service.answers["/one"] = 307
    assert await push.send(Browser().device(), b"{}", "waits", 900)
    assert len(service.got) == 1


async def test_a_service_that_is_away_ends_no_subscription():
    push = WebPush(read_key(new_host_key()), CONTACT, open_session(Here(9)), lambda: NOW)
    assert await push.send(Browser().device(), b"{}", "waits", 900)
    await push.close()


@pytest.mark.parametrize(
    "address",
    [
        "http://push.example.org/x",
        "https://push.example.org:8443/x",
        "https://127.0.0.1/x",
        "https://127.1/x",
        "https://2130706433/x",
        "https://0x7f.0.0.1/x",
        "https://[::1]/x",
        "https://[fe80::1]/x",
        "https://localhost/x",
        "https://localhost./x",
        "https://me:secret@push.example.org/x",
        "https://push.example.org/x#y",
        "https://push.exämple.org/x",
        "https://push.example.org:99999/x",
        "ftp://push.example.org/x",
        "https:///x",
        "https://push.example.org/" + "x" * 1000,
    ],
)
def test_what_is_no_push_service_is_never_called(address):
    with pytest.raises(UnknownPushService):
        check_endpoint(address)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("142.250.1.1", True),
        ("2a00:1450:4001::1", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:10.0.0.1", False),
        ("2002:0a00:0001::1", False),
        ("64:ff9b::a00:1", False),
        ("64:ff9b::8efa:101", True),
    ],
)
def test_private_addresses_are_not_the_worlds(address, public):
    assert is_public(address) is public


async def test_a_public_name_that_leads_home_is_not_called(reached):
    """However good the name looks: the address decides, at the moment of connecting."""
    service, _ = reached
    session = open_session(PublicOnly(Here(443)))
    push = WebPush(read_key(new_host_key()), CONTACT, session, lambda: NOW)
    assert await push.send(Browser().device(), b"{}", "waits", 900)
    await push.close()
    assert service.got == []


def test_what_a_host_set_wrong_is_said_at_the_start(monkeypatch):
    assert open_push(Settings(), lambda: NOW) is None
    with pytest.raises(CannotStart, match="VAPID_PRIVATE_KEY is no key"):
        open_push(Settings(vapid_private_key="changeme", vapid_contact=CONTACT), lambda: NOW)
    monkeypatch.delitem(sys.modules, "server.web.notifications.web_push")
    monkeypatch.setitem(sys.modules, "pywebpush", None)
    with pytest.raises(CannotStart, match="pip install"):
        open_push(Settings(vapid_private_key=new_host_key(), vapid_contact=CONTACT), lambda: NOW)


class TestNotifier:
    """Through the site: somebody has left an alert and closed the browser."""

    @pytest.fixture
    async def site(self, server, reached, monkeypatch):
        self.service, push = reached
        self.now = NOW
        notifier = server.app[NOTIFIER]
        notifier.push = push
        monkeypatch.setattr(notifier, "_now", lambda: self.now)
        return server.app[SITE]

    async def pushed(self, site):
        await site.live.services.background.finish(5)
        got, self.service.got = self.service.got, []
        return got

    async def test_a_seek_alert_notifies_in_the_players_language_once_in_ten_minutes(self, site, anna, ben):
        browser = Browser()
        anna.http.headers["Accept-Language"] = "es"
        await anna.post("/api/push", 201, **browser.subscription)
        await anna.post("/api/alerts", 201, variants=["grand"], speeds=["blitz"])
        await ben.post("/api/seeks", 201, variants=["chess"], clock=BLITZ)
        await ben.post("/api/seeks", 201, variants=["grand"], clock=DAYS)
        assert await self.pushed(site) == []
        made = await ben.post("/api/seeks", 201, variants=["grand", "chess"], clock=BLITZ)
        ((_, _, body),) = await self.pushed(site)
        said = browser.read(body)
        assert said["title"] == f"{made['seek']['name']} quiere jugar"
        assert "5+2" in said["body"]
        self.now += QUIET_MS - 1
        await ben.post("/api/seeks", 201, variants=["grand"], clock={**BLITZ, "increment": 3})
        assert await self.pushed(site) == []
        self.now += 1
        await ben.post("/api/seeks", 201, variants=["grand"], clock={**BLITZ, "increment": 4})
        assert len(await self.pushed(site)) == 1

    async def test_nobody_is_notified_of_what_was_paired_at_once(self, site, anna, ben, carla):
        await carla.post("/api/push", 201, **Browser().subscription)
        await carla.post("/api/alerts", 201)
        await anna.post("/api/seeks", 201, variants=["grand"], clock=BLITZ)
        assert len(await self.pushed(site)) == 1
        self.now += QUIET_MS
        assert "game" in await ben.post("/api/seeks", variants=["grand"], clock=BLITZ)
        assert await self.pushed(site) == []

    async def test_a_dead_subscription_is_forgotten(self, site, anna, ben):
        dead, alive = Browser("/dead"), Browser("/alive")
        self.service.answers["/dead"] = 410
        for browser in (dead, alive):
            await anna.post("/api/push", 201, **browser.subscription)
        await anna.post("/api/alerts", 201)
        await ben.post("/api/seeks", 201, variants=["grand"], clock=BLITZ)
        assert sorted(path for path, _, _ in await self.pushed(site)) == ["/alive", "/dead"]
        owner = (await anna.get("/api/me"))["id"]
        assert [device.endpoint for device in await site.store.push.of(owner)] == [alive.endpoint]

    async def test_the_maker_of_a_game_of_days_is_told_that_it_has_begun(self, site, anna, ben):
        browser = Browser()
        await anna.post("/api/push", 201, **browser.subscription)
        await anna.post("/api/seeks", 201, variants=["grand"], clock=BLITZ)
        made = await anna.post("/api/seeks", 201, variants=["grand"], clock=DAYS)
        game = (await ben.post(f"/api/seeks/{made['seek']['id']}/accept"))["game"]
        ((_, _, body),) = await self.pushed(site)
        assert browser.read(body)["url"] == f"/{game}"

    async def test_the_site_writes_to_ten_browsers_of_one_person_and_no_more(self, site, anna):
        owner = (await anna.post("/api/guest"))["id"]
        for number in range(12):
            await anna.post("/api/push", 201, **Browser(f"/{number}").subscription)
        assert len(await site.store.push.of(owner)) == 10

    async def test_an_address_in_this_network_is_refused(self, site, anna):
        wrong = Browser().subscription | {"endpoint": "https://169.254.169.254/latest"}
        assert (await anna.post("/api/push", 400, **wrong))["code"] == "bad_endpoint"


async def soon(so):
    while not so():  # noqa: ASYNC110 - nothing tells when a request has come so far
        await asyncio.sleep(0.01)


class TestWhoIsAway:
    """Somebody with web push has closed the site; something happens in a game of theirs."""

    @pytest.fixture
    async def site(self, server, reached):
        self.service, server.app[NOTIFIER].push = reached
        return server.app[SITE]

    async def subscribe(self, person):
        await person.post("/api/guest")
        browser = Browser(f"/{(await person.get('/api/me'))['id']}")
        await person.post("/api/push", 201, **browser.subscription)
        return browser

    async def pushed(self, site, *browsers):
        """What each of these browsers has been sent since the last look: lists of messages."""
        await site.live.services.background.finish(5)
        got, self.service.got = self.service.got, []
        return [
            [browser.read(body) for path, _, body in got if browser.endpoint.endswith(path)] for browser in browsers
        ]

    async def days(self, anna, ben):
        """A game of days by link that Anna plays with White; Ben has joined. Its id."""
        game = await anna.challenge(clock=DAYS, color="white")
        await ben.join(game)
        return game

    async def test_both_are_told_of_a_game_that_the_server_has_paired_by_itself(self, site, anna, ben):
        browsers = [await self.subscribe(person) for person in (anna, ben)]
        for person in (anna, ben):
            # As when they ask at two nodes at once, each of which has not heard of the other seek yet.
            made = (await person.post("/api/seeks", 201, variants=["grand"], clock=DAYS))["seek"]
            site.live.lobby.seeks.drop(made["id"])
        await site.live.lobby.look_again()
        told = await self.pushed(site, *browsers)
        (game,) = (await anna.get("/api/me/games"))["games"]
        assert [[one["url"] for one in theirs] for theirs in told] == [[f"/{game['id']}"]] * 2

    async def test_whoever_made_a_challenge_is_told_that_it_was_accepted(self, site, anna, ben):
        browsers = [await self.subscribe(person) for person in (anna, ben)]
        game = await anna.challenge(clock=BLITZ)
        await ben.join(game)
        (told,), nothing = await self.pushed(site, *browsers)
        assert told["url"] == f"/{game['id']}"
        assert "has joined your game" in told["title"]
        assert nothing == []

    async def test_a_person_who_is_away_is_told_of_their_turn_in_a_game_of_days(self, site, anna, ben):
        browsers = [await self.subscribe(person) for person in (anna, ben)]
        game = await self.days(anna, ben)
        await self.pushed(site)
        async with anna.follow(game) as white:
            await white.next()
            await white.move(0, "e2e4")
            nothing, (told,) = await self.pushed(site, *browsers)
            assert nothing == []
            assert (told["url"], "your move" in told["title"]) == (f"/{game['id']}", True)
            async with ben.follow(game) as black:
                await black.next()
                await black.move(1, "e7e5")
                # Anna has the board before her.
                assert await self.pushed(site, *browsers) == [[], []]

    async def test_a_person_who_is_away_is_told_of_the_end_of_a_game_of_days(self, site, anna, ben):
        browsers = [await self.subscribe(person) for person in (anna, ben)]
        game = await self.days(anna, ben)
        await self.pushed(site)
        async with anna.follow(game) as white:
            await white.next()
            await white.send({"t": "move", "id": 1, "ply": 0, "uci": "e2e4"})
            await white.until("ok")
            await self.pushed(site)
            await white.send({"t": "resign", "id": 2})
            await white.until("over")
        nothing, (told,) = await self.pushed(site, *browsers)
        assert nothing == []
        assert (told["url"], "won" in told["title"]) == (f"/{game['id']}", True)

    async def test_of_a_game_that_two_requests_have_found_its_maker_is_told_once(self, site, anna, ben):
        browsers = [await self.subscribe(person) for person in (anna, ben)]
        made = (await anna.post("/api/seeks", 201, variants=["grand"], clock=DAYS))["seek"]
        queue = site.live.lobby._queue
        async with queue.turn():
            asking = [
                asyncio.ensure_future(ben.post(f"/api/seeks/{made['id']}/accept")),
                asyncio.ensure_future(ben.post("/api/seeks", variants=["grand"], clock=DAYS)),
            ]
            await soon(lambda: len(queue._turns) == 3)
        found = await asyncio.gather(*asking)
        assert found[0] == found[1]
        told, nothing = await self.pushed(site, *browsers)
        assert (len(told), len(nothing)) == (1, 0)


class HangingPush:
    """A push service that takes connections and never answers."""

    public_key = ""

    def __init__(self):
        self.begun = []
        self.answer = asyncio.Event()

    async def send(self, device, message, topic, stale_s):
        self.begun.append((device.owner, topic))
        await self.answer.wait()
        return True

    async def close(self):
        pass


async def test_services_that_hang_slow_nothing_and_fill_no_memory(server, anna, ben):
    """Whoever waits for the same news twice gets the newest; beyond a bound the newest is left out."""
    site, notifier, push = server.app[SITE], server.app[NOTIFIER], HangingPush()
    people = [(await person.post("/api/guest"))["id"] for person in (anna, ben)]
    for person, owner in zip((anna, ben), people, strict=True):
        notifier.push = push
        await person.post("/api/push", 201, **Browser(f"/{owner}").subscription)
    white, black = (Player(owner, name) for owner, name in zip(people, ("Anna", "Ben"), strict=True))
    chess = site.variants["chess"]
    terms = Terms(chess, False, chess.start_fen, TimeControl.correspondence(3), rated=False)
    games = [new_game(f"game{number}", terms, NOW, white, black) for number in range(MAX_WAITING + 20)]
    for _ in range(2):
        for game in games:
            notifier.hear(YourTurn(game, white, away=True))
    assert len(notifier._waiting) == MAX_WAITING
    await soon(lambda: len(push.begun) == AT_ONCE)
    assert len(notifier._waiting) == MAX_WAITING - AT_ONCE
    push.answer.set()
    await site.live.services.background.finish(30)
    assert sorted(push.begun) == sorted((white.id, f"/{game.id}") for game in games[:MAX_WAITING])
