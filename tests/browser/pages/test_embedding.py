"""Games in frames of another site, in a real browser: live moves, steps, and how little they load."""

from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from playwright.async_api import expect

from tests.support.browser.accessibility import audit
from tests.support.free_port import free_port
from tests.support.web.people import FOOLS_MATE, play

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MOST = 15_000
"""Bytes that a frame loads, with its moves."""


@asynccontextmanager
async def another_site(address):
    """A page of another origin with a frame: its address."""
    port = free_port()

    async def page(_):
        frame = f'<!doctype html><title>Club</title><iframe src="{address}" title="A game" width="400" height="560">'
        return web.Response(text=frame, content_type="text/html")

    app = web.Application()
    app.router.add_get("/", page)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "localhost", port).start()
    yield f"http://localhost:{port}/"
    await runner.cleanup()


async def loaded_by(context):
    """Every answer from now on, with the cookies of its request."""
    answers = []
    context.on("response", lambda answer: answers.append(answer))
    return answers


async def test_a_frame_on_another_site_shows_each_move_and_then_the_steps(off_screen, seat):
    maker, guest, viewer = await off_screen(), await off_screen(), await seat()
    game = await maker.challenge(variant="crazyhouse")
    await guest.join(game)
    # Who has a cookie here is as unknown in the frame as anybody.
    await viewer.context.add_cookies([{"name": "sid", "value": "x" * 43, "url": viewer.site}])
    answers = await loaded_by(viewer.context)
    async with another_site(f"{viewer.site}/embed/{game['id']}") as club:
        async with maker.follow(game) as white, guest.follow(game) as black:
            await viewer.page.goto(club)
            frame = viewer.page.frame_locator("iframe")
            await expect(frame.locator("#state")).to_have_text("Live")
            await play((white, black), FOOLS_MATE[:3])
            to = frame.locator("#marks use[href='#to']")
            # g4, in the seventh column and below the pocket the fifth row.
            await expect(to).to_have_attribute("x", "660")
            await expect(to).to_have_attribute("y", "536")
            await expect(frame.locator(".clock.runs")).to_have_count(1)
            await expect(frame.locator("#steps")).to_be_hidden()
            await expect(frame.get_by_role("log")).to_have_text("2. g4")
            await play((white, black), FOOLS_MATE[3:], first=3)
        await expect(frame.locator("#state")).to_have_text("0-1")
        await frame.get_by_role("button", name="Back").click()
        await expect(frame.locator("#says")).to_have_text("2. g4")
        await expect(to).to_have_attribute("x", "660")
        await frame.locator("body").press("Home")
        await expect(frame.locator("#says")).to_have_text("Start")
        await expect(to).to_have_count(0)
        await expect(frame.get_by_role("button", name="Back")).to_be_disabled()
        await frame.locator("body").press("End")
        await expect(frame.locator("#says")).to_have_text("2... Qh4#")
        for button in await frame.get_by_role("button").all():
            box = await button.bounding_box()
            assert min(box["width"], box["height"]) >= 44
        link = frame.get_by_role("link")
        assert await link.get_attribute("target") == "_blank"
        assert await link.get_attribute("href") == f"http://localhost:{viewer.site.rpartition(':')[2]}/{game['id']}"
    ours = [answer for answer in answers if answer.url.startswith(viewer.site)]
    assert len(ours) == 4, [answer.url for answer in ours]
    sizes = [await answer.request.sizes() for answer in ours]
    assert sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes) < MOST
    for answer in ours:
        assert "cookie" not in await answer.request.all_headers()
        assert "set-cookie" not in await answer.all_headers()


@pytest.mark.parametrize("variant", ["acedrex", "shouse"])
async def test_the_largest_frames_are_small_too(off_screen, seat, variant):
    maker, viewer = await off_screen(), await seat()
    game = await maker.challenge(variant=variant)
    answers = await loaded_by(viewer.context)
    await viewer.page.goto(f"{viewer.site}/embed/{game['id']}?lang=es")
    await expect(viewer.page.locator("#state")).to_have_text("En directo")
    sizes = [await answer.request.sizes() for answer in answers]
    assert sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes) < MOST


async def test_tv_in_a_frame_shows_the_next_game_when_one_is_over(off_screen, seat):
    people, viewer = [await off_screen() for _ in range(2)], await seat(viewport={"width": 320, "height": 480})
    page = viewer.page
    await page.goto(f"{viewer.site}/embed/tv/crazyhouse")
    await expect(page.locator("#waiting")).to_have_text("Nobody is playing this variant on a clock at the moment.")
    assert await audit(page) == []
    game = await people[0].challenge(variant="crazyhouse")
    await people[1].join(game)
    async with people[0].follow(game) as white, people[1].follow(game) as black:
        await play((white, black), ["e2e4", "d7d5", "e4d5"])
        await expect(page.locator("#state")).to_have_text("Live")
        await expect(page.locator("#over text")).to_have_text("1")
        assert (await page.locator("#game-link").get_attribute("href")).endswith(f"/{game['id']}")
        await viewer.stop_time()
        await black.send({"t": "resign", "id": 9})
        await expect(page.locator("#state")).to_have_text("1-0")
        await page.clock.run_for(11_000)
        await expect(page.locator("#waiting")).to_have_text("Nobody is playing this variant on a clock at the moment.")
    assert await page.evaluate("document.documentElement.scrollHeight <= innerHeight")


async def test_checks_that_were_given_are_counted_in_a_frame_and_told(off_screen, seat):
    people, viewer = [await off_screen() for _ in range(2)], await seat()
    page = viewer.page
    game = await people[0].challenge(variant="3check", fen="4k3/8/8/8/8/8/7r/R3K3 w - - 3+2 0 1")
    await people[1].join(game)

    async def given(white, black):
        for side, number in (("white", white), ("black", black)):
            stars = page.locator(f"#checks-{side} path")
            await expect(stars).to_have_count(3)
            await expect(stars.and_(page.locator('[fill-opacity="1"]'))).to_have_count(number)

    await page.goto(f"{viewer.site}/embed/{game['id']}")
    await expect(page.locator("#state")).to_have_text("Live")
    await given(0, 1)
    async with people[0].follow(game) as white, people[1].follow(game) as black:
        await play((white, black), ["a1a8"])
        await given(1, 1)
        await expect(page.get_by_role("log")).to_have_text("1. Ra8. White has given 1 of 3 checks.")
        await play((white, black), ["e8e7"], first=1)
        await expect(page.get_by_role("log")).to_have_text("1... Ke7")
