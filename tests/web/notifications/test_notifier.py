"""Who is notified by web push, of what and when; and that a service that hangs slows nothing."""

import asyncio

import pytest

from server.games.changes.beginning import new_game
from server.games.clocks.time_control import TimeControl
from server.games.people import TieKind
from server.games.player import Player
from server.games.terms import Terms
from server.realtime.domain_events import Challenged, Paired
from server.web.notifications import digests as digests_module
from server.web.notifications.digests import DIGESTS
from server.web.notifications.notifier import AT_ONCE, MAX_WAITING, NOTIFIER, QUIET_MS
from server.web.notifications.teller import TELLER
from server.web.site import SITE
from tests.support.patience import PATIENCE_S
from tests.support.web.accounts import register
from tests.support.web.people import BLITZ
from tests.support.web.push_service import NOW, Browser

DAYS = {"kind": "correspondence", "days": 3}


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

    async def test_a_seek_calls_only_those_whose_rating_it_asks_for(self, site, anna, ben):
        for person, name in ((anna, "Anna"), (ben, "Ben")):
            await register(person, name)
        await anna.post("/api/push", 201, **Browser().subscription)
        await anna.post("/api/alerts", 201)
        # Anna is a newcomer everywhere, with 1500.
        await ben.post("/api/seeks", 201, variants=["grand"], clock=BLITZ, lowest=1000, highest=1450)
        await ben.post("/api/seeks", 201, variants=["chess"], clock=BLITZ, lowest=1600)
        assert await self.pushed(site) == []
        # And has not used up the one call in ten minutes.
        await ben.post("/api/seeks", 201, variants=["chess"], clock=BLITZ, lowest=1400, highest=1600)
        assert len(await self.pushed(site)) == 1

    async def test_nobody_is_called_to_a_seek_of_somebody_whom_they_have_blocked_or_who_blocked_them(
        self, site, anna, ben
    ):
        for person in (anna, ben):
            await person.post("/api/push", 201, **Browser().subscription)
            await person.post("/api/alerts", 201)
        one, other = [await person.get("/api/me") for person in (anna, ben)]
        await site.live.ties.make_tie(one["id"], TieKind.BLOCKS, Player(other["id"], other["name"]))
        for person in (anna, ben):
            await person.post("/api/seeks", 201, variants=["grand"], clock=BLITZ)
        assert await self.pushed(site) == []

    async def test_a_seek_paired_at_once_notifies_nobody(self, site, anna, ben, carla):
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

    async def test_the_maker_is_notified_when_a_correspondence_game_begins(self, site, anna, ben):
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
        """A correspondence game by link that Anna plays with White; Ben has joined. Its id."""
        game = await anna.challenge(clock=DAYS, color="white")
        await ben.join(game)
        return game

    async def test_both_are_notified_of_a_game_paired_by_the_server(self, site, anna, ben):
        browsers = [await self.subscribe(person) for person in (anna, ben)]
        for person in (anna, ben):
            # As when they ask at two nodes at once, each of which has not heard of the other seek yet.
            made = (await person.post("/api/seeks", 201, variants=["grand"], clock=DAYS))["seek"]
            site.live.lobby.seeks.drop_seek(made["id"])
        await site.live.lobby.refresh_seeks()
        told = await self.pushed(site, *browsers)
        (game,) = (await anna.get("/api/me/games"))["games"]
        assert [[one["url"] for one in theirs] for theirs in told] == [[f"/{game['id']}"]] * 2

    async def test_a_challenger_is_notified_when_the_challenge_is_accepted(self, site, anna, ben):
        browsers = [await self.subscribe(person) for person in (anna, ben)]
        game = await anna.challenge(clock=BLITZ)
        await ben.join(game)
        (told,), nothing = await self.pushed(site, *browsers)
        assert told["url"] == f"/{game['id']}"
        assert "has joined your game" in told["title"]
        assert nothing == []

    async def test_nobody_is_notified_of_a_challenge_with_somebody_they_have_blocked(self, site, anna, ben):
        """As when the first of two has accepted a game that was proposed by somebody whom the second has blocked."""
        for person, name in ((anna, "Anna"), (ben, "Ben")):
            await register(person, name)
        browser = await self.subscribe(anna)
        asked, by = [Player(one["id"], one["name"]) for one in [await person.get("/api/me") for person in (anna, ben)]]
        for blocked in (False, True):
            if blocked:
                await site.live.ties.make_tie(asked.id, TieKind.BLOCKS, by)
            game = await site.game((await ben.challenge(clock=BLITZ, to="Anna"))["id"])
            site.live.services.events.publish(Challenged(game, asked, by))
            (told,) = await self.pushed(site, browser)
            assert bool(told) is not blocked

    async def test_an_absent_player_is_notified_of_their_turn_in_a_correspondence_game(self, site, anna, ben):
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

    async def test_an_absent_player_is_notified_of_the_end_of_a_correspondence_game(self, site, anna, ben):
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

    async def test_a_game_found_by_two_requests_notifies_its_maker_once(self, site, anna, ben):
        browsers = [await self.subscribe(person) for person in (anna, ben)]
        made = (await anna.post("/api/seeks", 201, variants=["grand"], clock=DAYS))["seek"]
        lobby = site.live.lobby
        async with lobby._take_turn():
            # In this order: whoever takes a seek that has become their own game already is told that it is gone.
            accepting = asyncio.ensure_future(ben.post(f"/api/seeks/{made['id']}/accept"))
            await soon(lambda: len(lobby._turns) == 2)
            seeking = asyncio.ensure_future(ben.post("/api/seeks", variants=["grand"], clock=DAYS))
            await soon(lambda: len(lobby._turns) == 3)
        found = await asyncio.gather(accepting, seeking)
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
    terms = Terms(chess, False, chess.start_fen, TimeControl.realtime(300_000, 0), rated=False)
    games = [new_game(f"game{number}", terms, NOW, white, black) for number in range(MAX_WAITING + 20)]
    for _ in range(2):
        for game in games:
            notifier.hear(Paired(game, (white,)))
    assert len(notifier._waiting) == MAX_WAITING
    await soon(lambda: len(push.begun) == AT_ONCE)
    assert len(notifier._waiting) == MAX_WAITING - AT_ONCE
    push.answer.set()
    await site.live.services.background.finish(30)
    assert sorted(push.begun) == sorted((white.id, f"/{game.id}") for game in games[:MAX_WAITING])


async def test_browsers_whose_services_hang_keep_nobody_from_hearing_of_an_opponent(server, anna, ben, carla):
    site, push = server.app[SITE], HangingPush()
    server.app[NOTIFIER].push = push
    for person in (anna, ben):
        for number in range(3):
            owner = (await person.post("/api/guest"))["id"]
            await site.store.push.keep(Browser(f"/{number}/{owner}").device(owner))
        await person.post("/api/alerts", 201)
    await carla.post("/api/seeks", 201, variants=["grand"], clock=BLITZ)
    try:
        async with asyncio.timeout(PATIENCE_S):
            await soon(lambda: len(push.begun) == 6)
    finally:
        push.answer.set()
    await site.live.services.background.finish(30)


async def test_services_that_hang_hold_up_nobody_else_and_what_finds_no_room_is_pushed_later(
    server, anna, ben, monkeypatch
):
    """What is told of games of days is stored: it is sent once, whatever comes meanwhile."""
    site, digests, push = server.app[SITE], server.app[DIGESTS], HangingPush()
    server.app[NOTIFIER].push = push
    monkeypatch.setattr(digests_module, "MAX_WAITING", AT_ONCE + 4)
    owners, games = [f"p{number:02}" for number in range(AT_ONCE + 6)], []
    chess = site.variants["chess"]
    terms = Terms(chess, False, chess.start_fen, TimeControl.correspondence(3), rated=False)
    for owner in owners:
        await site.store.push.keep(Browser(f"/{owner}").device(owner))
        games.append(new_game(f"of{owner}", terms, site.now(), Player(owner, owner), Player("ben", "Ben")))
        await site.store.create(games[-1])
        server.app[TELLER].hear(Paired(games[-1], (games[-1].white,)))
    await soon(lambda: len(push.begun) == AT_ONCE)
    await ben.join(await anna.challenge(clock=DAYS))
    push.answer.set()
    await site.live.services.background.finish(30)
    assert len(push.begun) < len(owners)
    await digests.tell_due()
    assert sorted(push.begun) == sorted((game.white.id, f"/{game.id}") for game in games)
