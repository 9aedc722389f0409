"""A player's account page: what it lists, what it exports, and how an account is deleted."""

import asyncio
import json
import re

import pytest
from aiohttp.test_utils import make_mocked_request

from server.games.clocks.time_control import DAY_MS
from server.games.player import DELETED_NAME
from server.realtime.runtime.ids import digest
from server.realtime.services.account_merges import AccountMerges
from server.web.accounts.accounts import ACCOUNTS, NAME_HELD
from server.web.operation import housekeeping
from server.web.session import IDLE, browser_of
from server.web.site import SITE
from tests.support.web.accounts import PASSWORD, go, page_of, register, sign_in, token_of


async def finished_game(white, black):
    game = await white.challenge()
    await black.join(game)
    async with white.follow(game) as socket, black.follow(game) as other:
        await socket.next()
        await other.next()
        await socket.send({"t": "chat", "id": 1, "text": "well <b>played</b>"})
        await socket.until("ok")
        await socket.send({"t": "resign", "id": 2})
        await other.until("over")
    return game


async def test_strangers_and_guests_are_sent_to_the_sign_in_page(anna):
    assert await page_of(anna) == "/sign-in?next=/account"
    await anna.post("/api/guest")
    assert await page_of(anna) == "/sign-in?next=/account"


async def test_the_sign_in_page_sends_a_signed_in_player_on(anna):
    await register(anna, "Anna")
    assert await page_of(anna, "/sign-in") == await page_of(anna, "/register") == "/account"


PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9 Pro/secret-model) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36"


async def test_every_browser_is_listed_by_name_and_no_more_is_kept_of_what_it_tells(server, anna, ben):
    await register(anna, "Anna")
    ben.http.headers["User-Agent"] = PHONE
    await sign_in(ben, "Anna")
    page = await page_of(anna)
    assert page.count("This browser") == 1
    assert page.count("<strong>Chrome on Android</strong>") == page.count("<strong>A browser</strong>") == 1
    assert token_of(anna) not in page
    opened = (await anna.get("/account/export"))["sessions"]
    assert sorted(one["browser"] for one in opened) == ["/", "Chrome/Android"]


@pytest.mark.parametrize(
    ("told", "browser"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox/Linux"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605 Version/18 Safari/604",
            "Safari/iPhone",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0",
            "Edge/Windows",
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 14_7) AppleWebKit/605 Version/18 Safari/605", "Safari/macOS"),
        ("curl/8.5.0", "/"),
        ("", "/"),
    ],
)
def test_browsers_are_known_by_their_names(told, browser):
    assert browser_of(make_mocked_request("GET", "/", headers={"User-Agent": told})) == browser


async def test_days_are_written_in_words(anna):
    await register(anna, "Anna")
    await go(anna, "/account/tokens", name="my bot", bot_play="yes")
    await anna.post("/api/studies", name="Traps", chapter="First", pgn='[Variant "Chess"]\n\n1. e4 *')
    for path in ("/account", "/account/tokens", "/studies"):
        page = await page_of(anna, path)
        assert re.search(r"\d{1,2} [A-Z][a-z]+ \d{4}", page), path
        assert not re.search(r"\d{4}-\d\d-\d\d", page), path


async def test_a_choice_for_new_games_of_days_is_kept_and_begins_with_them(anna, ben):
    await register(anna, "Anna")
    box = 'name="by_hand" value="yes"'
    assert f'{box} aria-describedby="by-hand-how">' in await page_of(anna)
    async with anna.http.post("/account/games", data={"by_hand": "yes"}) as answer:
        assert "Saved for new games." in await answer.text()
    assert f'{box} aria-describedby="by-hand-how" checked>' in await page_of(anna)
    for clock, by_hand in (({"kind": "correspondence", "days": 3}, [True, False]), (None, None)):
        game = await anna.challenge(**({"clock": clock} if clock else {}))
        await ben.join(game)
        async with ben.follow(game) as socket:
            assert (await socket.until("snapshot")).get("by_hand") == by_hand
    await go(anna, "/account/games")
    assert f'{box} aria-describedby="by-hand-how">' in await page_of(anna)


async def test_a_player_who_accepts_brings_their_choice_along(anna, ben):
    await register(anna, "Anna")
    await go(anna, "/account/games", by_hand="yes")
    game = await ben.challenge(clock={"kind": "bank", "initial": 10, "increment": 1, "cap": 30})
    async with ben.follow(game) as socket:
        await socket.until("snapshot")
        await anna.join(game)
        assert (await socket.until("flagging"))["by_hand"] == [False, True]


async def test_the_frame_of_every_page_says_who_is_here(anna):
    for path in ("/", "/rules", "/nothing-here"):
        assert 'href="/sign-in' in await page_of(anna, path)
    await register(anna, "Anna")
    for path in ("/", "/rules", "/nothing-here"):
        page = await page_of(anna, path)
        assert ">Anna<" in page
        assert 'href="/sign-in' not in page


async def test_the_export_is_complete_and_opens_no_door(anna, ben, server):
    await register(anna, "Anna")
    game = await finished_game(anna, ben)
    async with anna.http.get("/account/export") as answer:
        assert "attachment" in answer.headers["Content-Disposition"]
        text = await answer.text()
    told = json.loads(text)
    assert told["profile"]["name"] == "Anna"
    assert [(one["white"], one["result"]) for one in told["games"]] == [("Anna", "0-1")]
    assert told["games"][0]["pgn"].endswith(f"/api/games/{game['id']}.pgn")
    assert [one["text"] for one in told["chat"]] == ["well <b>played</b>"]
    assert [one["this_browser"] for one in told["sessions"]] == [True]
    site = server.app[SITE]
    session = (await site.store.accounts.sessions(told["profile"]["id"]))[0]
    secrets = (token_of(anna), session.token_hash, (await site.store.accounts.find("anna")).password, game["secret"])
    assert not any(secret in text for secret in secrets)


async def test_only_the_owner_gets_the_export_and_not_too_often(anna, ben):
    await register(anna, "Anna")
    await ben.post("/api/guest")
    assert await page_of(ben, "/account/export") == "/sign-in?next=/account"
    statuses = []
    for _ in range(7):
        async with anna.http.get("/account/export") as answer:
            statuses.append(answer.status)
    assert statuses == [200] * 5 + [429] * 2


async def test_a_deleted_player_is_named_nowhere_and_their_games_stay(anna, ben, visitor):
    await register(anna, "Anna")
    over = await finished_game(anna, ben)
    going_on = await anna.challenge()
    await ben.join(going_on)
    open_yet = await anna.challenge()
    status, _ = await go(anna, "/account/delete", password="not this one")
    assert status == 403
    async with ben.follow(going_on) as black:
        await black.next()
        assert await go(anna, "/account/delete", password=PASSWORD) == "/sign-in?deleted"
        assert "Your account has been deleted." in await page_of(anna, "/sign-in?deleted")
        assert (await black.until("over"))["ended"]["reason"] in ("abort", "resign")
    assert await anna.get("/api/me") == {}
    assert await sign_in(await visitor(), "Anna") == 403
    for game in (over, going_on, open_yet):
        record = await ben.get(f"/api/games/{game['id']}")
        assert record["white"]["name"] == DELETED_NAME
        assert record["status"] == "over"
    assert (await ben.get("/api/games?player=Anna"))["games"] == []
    assert await register(await visitor(), "Anna") == 409


async def test_in_another_language_too_pages_say_whose_account_is_deleted(anna, ben):
    await register(anna, "Anna")
    await register(ben, "Ben")
    game = await finished_game(anna, ben)
    await go(anna, "/account/delete", password=PASSWORD)
    for path in (f"/{game['id']}.txt", f"/{game['id']}", "/games?player=Ben", "/@/Ben"):
        async with ben.http.get(path, headers={"Accept-Language": "es"}) as answer:
            text = (await answer.text()).partition('<script type="application/json"')[0]
        assert ("(cuenta borrada)" in text, DELETED_NAME in text) == (True, False), path


async def test_what_was_cut_short_is_finished_later(anna, ben, server, monkeypatch):
    game = await finished_game(anna, ben)
    site = server.app[SITE]
    monkeypatch.setattr(AccountMerges, "start", lambda *_: asyncio.create_task(asyncio.sleep(0)))
    await register(anna, "Anna")
    assert (await ben.get(f"/api/games/{game['id']}"))["white"]["name"] != "Anna"
    await server.app[ACCOUNTS].merges.carry_out_all()
    assert (await ben.get(f"/api/games/{game['id']}"))["white"]["name"] == "Anna"
    assert await site.store.accounts.merges() == []
    found = await ben.get("/api/games?player=Anna")
    assert [one["id"] for one in found["games"]] == [game["id"]]


async def test_old_sessions_are_forgotten_and_a_held_name_is_free_in_time(anna, ben, visitor, server):
    await register(anna, "Anna")
    await go(anna, "/account/delete", password=PASSWORD)
    await ben.post("/api/guest")
    store, left_at = server.app[SITE].store, server.app[SITE].now()
    for later, remembered in ((IDLE - DAY_MS, True), (IDLE + DAY_MS, False), (NAME_HELD - DAY_MS, False)):
        await housekeeping.forget_the_old(store.accounts, left_at + later)
        assert (await store.session(digest(token_of(ben))) is not None) == remembered
        assert await register(await visitor(), "Anna") == 409
    await housekeeping.forget_the_old(store.accounts, left_at + NAME_HELD + DAY_MS)
    assert await register(await visitor(), "Anna") == "/?registered"


async def test_what_is_old_of_one_kind_goes_whatever_is_wrong_with_another(ben, server, monkeypatch):
    await ben.post("/api/guest")
    site = server.app[SITE]
    expire = ("alerts", "challenges", "vacations", "received_mail", "reports", "quotas", "desk", "sanctions")
    for kind in expire:

        async def fails(*_):
            raise RuntimeError("a defect")

        monkeypatch.setattr(getattr(site.store, kind), "expire", fails)
    closed = []

    async def delete_closed(*_):
        closed.append(True)
        return 0

    monkeypatch.setattr(housekeeping, "delete_closed_accounts", delete_closed)
    later = site.now() + IDLE + DAY_MS
    monkeypatch.setattr(type(site), "now", property(lambda _: lambda: later))
    await housekeeping.forget(site)
    assert await site.store.session(digest(token_of(ben))) is None
    assert closed


async def test_a_session_that_was_ended_elsewhere_loses_its_sockets_here(anna, server):
    await register(anna, "Anna")
    site = server.app[SITE]
    async with anna.follow(await anna.challenge()) as socket:
        await socket.next()
        await housekeeping.close_what_has_ended(site)
        assert len(site.open_sockets.sessions) == 1
        await site.store.accounts.end_sessions((await anna.get("/api/me"))["id"])
        await housekeeping.close_what_has_ended(site)
        assert await socket.closing() == 4401
