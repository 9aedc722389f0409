"""The page of who is here: everybody who wants to be shown, to everybody from whom they are not kept apart."""

from contextlib import AsyncExitStack

import pytest

from server.web.site import SITE
from tests.support.patience import PATIENCE_S
from tests.support.web.accounts import go, page_of, register


@pytest.fixture
async def here():
    """Opens a page of the site for somebody."""
    async with AsyncExitStack() as opened:

        async def come(person):
            page = await opened.enter_async_context(person.http.ws_connect("/ws/lobby"))
            await page.send_str('{"t":"hi","proto":1}')
            await page.receive(timeout=PATIENCE_S)

        yield come


async def online(person):
    answer = await person.get("/api/online")
    return answer["count"], [one["name"] for one in answer["people"]]


async def test_everybody_is_counted_and_members_are_listed_unless_they_do_not_want_it(anna, ben, carla, here):
    await register(anna, "Anna")
    await register(ben, "Ben")
    await carla.post("/api/guest")
    for person in (anna, ben, carla):
        await here(person)
    assert await online(carla) == (3, ["Anna", "Ben"])
    page = await page_of(carla, "/online")
    assert "3 people are here." in page
    assert 'href="/@/Anna"' in page
    assert await go(anna, "/account/listing", unlisted="yes") == "/account#people-title"
    assert await online(ben) == (3, ["Ben"])
    assert 'name="unlisted" value="yes" aria-describedby="unlisted-how" checked' in await page_of(anna)
    await go(anna, "/account/listing")
    assert await online(ben) == (3, ["Anna", "Ben"])


async def test_who_is_kept_apart_is_not_shown_to_the_other(anna, ben, here):
    await register(anna, "Anna")
    await register(ben, "Ben")
    for person in (anna, ben):
        await here(person)
    await go(anna, "/@/Ben/block")
    assert (await online(anna), await online(ben)) == ((2, ["Anna"]), (2, ["Ben"]))


async def test_one_sees_whom_one_follows_who_is_here_and_what_they_play(anna, ben, carla, here):
    for person, name in ((anna, "Anna"), (ben, "Ben"), (carla, "Carla")):
        await register(person, name)
    for name in ("Ben", "Carla"):
        await go(anna, f"/@/{name}/follow")
    await here(ben)
    game = await ben.challenge()
    await carla.join(game)
    async with ben.follow(game) as white, carla.follow(game) as black:
        assert (await white.move(0, "e2e4"))["t"] == "ok"
        await black.until("moved")
        assert (await black.move(1, "e7e5"))["t"] == "ok"
        for path in ("/online", "/games/mine", "/@/Anna"):
            page = await page_of(anna, path)
            mine = page[page.index("following-title") :]
            assert mine.index('href="/@/Ben"') < mine.index(f'href="/{game["id"]}"') < mine.index('href="/@/Carla"')
            assert "not here" in mine
    assert "here now" in await page_of(anna, "/@/Ben")
    assert "here now" not in await page_of(anna, "/@/Carla")
    await go(ben, "/account/listing", unlisted="yes")
    assert "here now" not in await page_of(anna, "/@/Ben")
    page = await page_of(anna, "/online")
    assert game["id"] not in page[page.index("following-title") :]


async def test_whoever_is_blocked_cannot_follow_where_the_other_is(anna, ben, here):
    await register(anna, "Anna")
    await register(ben, "Ben")
    await go(ben, "/@/Anna/follow")
    await here(anna)
    assert "here now" in await page_of(ben, "/@/Anna")
    await go(anna, "/@/Ben/block")
    assert "here now" not in await page_of(ben, "/@/Anna")
    page = await page_of(ben, "/online")
    assert 'class="person"' in page[page.index("following-title") :]


async def test_being_followed_costs_the_followed_nothing(anna, ben, server):
    await register(anna, "Anna")
    await register(ben, "Ben")
    data = await anna.get("/account/export")
    await go(ben, "/@/Anna/follow")
    assert (await anna.get("/account/export"))["ties"] == data["ties"] == []
    assert "Ben" not in await page_of(anna, "/@/Anna")
    assert await server.app[SITE].store.alerts.alerts_of((await anna.get("/api/me"))["id"], 0) == []
