"""Alerts by HTTP: left, listed, ended, and gone with their owner, also where there is no push."""

import pytest

from server.games.clocks.time_control import DAY_MS
from server.storage.tables.push import Device
from server.web.accounts.accounts import ACCOUNTS
from server.web.accounts.credentials import fold
from server.web.site import SITE
from tests.support.web.accounts import PASSWORD, go, register, sign_in
from tests.support.web.people import BLITZ

GRAND = {"variants": ["grand", "grandhouse"], "speeds": ["blitz", "correspondence"]}
DEVICE = {"endpoint": "https://push.example.org/x", "p256dh": "B" * 87, "auth": "A" * 22}


async def test_they_are_listed_and_ended_by_their_owner(anna, ben, server):
    assert await anna.get("/api/alerts") == {"alerts": [], "push_key": None}
    made = await anna.post("/api/alerts", 201, **GRAND)
    assert {name: made[name] for name in GRAND} == GRAND
    assert made["until"] - server.app[SITE].now() == pytest.approx(30 * DAY_MS, abs=60_000)
    anything = await anna.post("/api/alerts", 201)
    assert (anything["variants"], anything["speeds"]) == ([], [])
    assert (await anna.get("/api/alerts"))["alerts"] == [made, anything]
    assert (await ben.get("/api/alerts"))["alerts"] == []
    async with ben.http.delete(f"/api/alerts/{made['id']}") as answer:
        assert answer.status == 410
    async with anna.http.delete(f"/api/alerts/{made['id']}") as answer:
        assert answer.status == 200
    assert (await anna.get("/api/alerts"))["alerts"] == [anything]


async def test_a_player_has_at_most_five_alerts(anna):
    chosen = [{"variants": [variant]} for variant in ("chess", "grand", "gothic", "shogun", "acedrex")]
    for games in chosen:
        await anna.post("/api/alerts", 201, **games)
    assert (await anna.post("/api/alerts", 403))["code"] == "too_many_alerts"
    await anna.post("/api/alerts", 201, **chosen[0])


async def test_an_alert_takes_the_place_of_one_for_the_same_games(anna, clock):
    first = await anna.post("/api/alerts", 201, variants=["grand", "chess"], speeds=["blitz"])
    other = await anna.post("/api/alerts", 201, variants=["grand", "chess"])
    clock.turn(60_000)
    again = await anna.post("/api/alerts", 201, variants=["chess", "grand"], speeds=["blitz"])
    assert again["until"] > first["until"]
    assert (await anna.get("/api/alerts"))["alerts"] == [other, again]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"variants": ["nonesuch"]}, "unknown_variant"),
        ({"variants": ["chess"] * 15}, "bad_request"),
        ({"variants": "chess"}, "bad_request"),
        ({"speeds": ["unlimited"]}, "bad_request"),
        ({"owner": "somebody"}, "bad_request"),
    ],
)
async def test_what_is_refused(anna, asked, code):
    assert (await anna.post("/api/alerts", 400, **asked))["code"] == code


async def test_a_site_without_keys_takes_no_browser_and_needs_none(anna, ben):
    assert (await anna.post("/api/push", 404, **DEVICE))["code"] == "no_push"
    await anna.post("/api/alerts", 201)
    await ben.post("/api/seeks", 201, variants=["grand"], clock=BLITZ)


async def test_what_a_guest_left_is_theirs_when_they_sign_in(anna, ben):
    await register(ben, "Ben")
    await go(ben, "/sign-out")
    left = await anna.post("/api/alerts", 201, **GRAND)
    await sign_in(anna, "Ben")
    assert (await anna.get("/api/alerts"))["alerts"] == [{**left, "rated": True}]


async def test_alerts_and_browsers_of_a_deleted_account_are_gone(anna, server):
    assert await register(anna, "Anna") == "/?registered"
    await anna.post("/api/alerts", 201, **GRAND)
    owner = (await anna.get("/api/me"))["id"]
    assert len(await server.app[SITE].store.alerts.alerts_of(owner, 0)) == 1
    assert await go(anna, "/account/delete", password=PASSWORD) == "/sign-in?deleted"
    assert await server.app[SITE].store.alerts.alerts_of(owner, 0) == []


async def test_it_is_gone_too_when_the_server_dies_while_somebody_leaves(anna, server):
    assert await register(anna, "Anna") == "/?registered"
    await anna.post("/api/alerts", 201, **GRAND)
    site, accounts = server.app[SITE], server.app[ACCOUNTS]
    owner = (await anna.get("/api/me"))["id"]
    await site.store.push.keep(Device(**DEVICE, owner=owner, language="en"))
    account = await accounts.store.find(fold("Anna"))
    await accounts.store.delete(account, site.now())
    await accounts.merges.carry_out_all()
    assert await site.store.alerts.alerts_of(owner, 0) == []
    assert await site.store.push.of(owner) == []


async def test_one_machine_cannot_fill_the_list_with_ever_new_guests(anna, server):
    limit = server.app[SITE].limits.alerts_by_address
    for _ in range(limit.amount):
        limit.take("127.0.0.1", server.app[SITE].now())
    await anna.post("/api/alerts", 429)
