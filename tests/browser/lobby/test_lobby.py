"""Finding an opponent in real browsers: seeks, quick pairing, surprise, and the page as it comes."""

import gzip
import re

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import audit_on_each_screen

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.browser]


async def test_a_seek_is_seen_and_taken_and_both_are_at_the_board(visitor):
    anna, ben, carla = await visitor(), await visitor(), await visitor()
    await anna.choose("grand")
    await anna.unfold_own_seek()
    await anna.page.fill("#seek-minutes", "12")
    await anna.page.click("#find")
    await anna.waits()
    await expect(ben.row("Grand Chess")).to_contain_text("12+10")
    await ben.takes("Grand Chess")
    assert await ben.is_playing() == await anna.is_playing()
    await carla.hears("seek_gone")
    await expect(carla.page.locator("#seeks .seek")).to_have_count(0)
    kinds = [message["t"] for message, _ in carla.heard if message["t"] not in ("ping", "pong")]
    assert kinds == ["seeks", "seek_added", "seek_gone"]
    assert all(size < 200 for message, size in carla.heard if message["t"] != "seeks")


async def test_quick_pairing_pairs_two_and_draws_their_colours_whatever_was_chosen_for_a_friend(visitor):
    """It wanted the colour that was chosen for a link, so two who had both chosen White were never paired."""
    anna, ben = await visitor(), await visitor()
    for person in (anna, ben):
        await person.choose("shogun")
        await person.unfold_terms()
        await person.page.locator("label.chip:has([name='color'][value='white'])").click()
        await person.quick("1800+20")
    assert await ben.is_playing() == await anna.is_playing()
    await expect(ben.page.locator("#clock-bottom")).to_contain_text("30:00")


async def test_surprise_me_meets_whoever_waits(visitor):
    anna, ben = await visitor(), await visitor()
    await anna.choose("acedrex")
    await anna.quick("900+10")
    await anna.waits()
    await ben.unfold_own_seek()
    await ben.page.locator("label.chip", has_text="Surprise me").click()
    await ben.page.fill("#seek-minutes", "15")
    await ben.page.click("#find")
    assert await ben.is_playing() == await anna.is_playing()
    await expect(ben.page).to_have_title(re.compile("Acedrex"))


async def test_several_variants_and_the_filter(visitor):
    anna, ben = await visitor(), await visitor()
    await anna.unfold_own_seek()
    await anna.page.locator("label.chip", has_text="Several").click()
    await anna.page.click("#find")
    await expect(anna.page.locator("#problem")).to_contain_text("at least one variant")
    for variant in ("grandhouse", "shogun"):
        await anna.page.locator(f"#several .chip:has([value='{variant}'])").click()
    await anna.page.click("#find")
    await anna.waits()
    await expect(ben.row("Grandhouse, Shogun")).to_be_visible()
    await ben.page.select_option("#seek-filter", "chess")
    await expect(ben.page.locator("#seeks .seek")).to_have_count(0)
    await expect(ben.page.locator("#seeks-empty")).to_contain_text("Nobody is waiting for Chess")
    await ben.page.select_option("#seek-filter", "shogun")
    await ben.takes("Grandhouse, Shogun")
    await ben.is_playing()
    await anna.is_playing()
    await expect(ben.page).to_have_title(re.compile("Shogun"))


async def test_guests_read_why_they_play_no_rated_games(visitor):
    anna = await visitor()
    await expect(anna.page.locator("[name='rated']")).to_have_count(0)
    await expect(anna.page.locator(".play-now").get_by_role("link", name="Sign in for rated games")).to_be_visible()


SHIFT = """async () => new Promise(resolve => {
    let sum = 0;
    const add = list => list.getEntries().forEach(({ value }) => (sum += value));
    new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
})"""
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
DESKTOP = {"viewport": {"width": 1440, "height": 900}}


@pytest.mark.parametrize("motion", ["no-preference"])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_the_first_page_is_small_and_stands_still(seat, host, screen):
    """Both ways to play are in view, nothing jumps while it comes, and it is ten requests and 110 KB at most."""
    page = (await seat(**screen)).page
    answers = []
    page.on("response", lambda answer: answers.append(answer))
    await page.goto(host.site)
    await expect(page.locator("cg-board piece").first).to_be_visible()
    for way in ("#create", "[data-clock='600+5']"):
        box = await page.locator(way).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= screen["viewport"]["height"]
        assert box["height"] >= 44
    loaded = [answer for answer in answers if not answer.url.startswith("data:") and not answer.from_service_worker]
    assert len(loaded) < 10, [answer.url for answer in loaded]
    sizes = [int(await answer.header_value("content-length") or 0) for answer in loaded[1:]]
    assert all(sizes)
    assert sum(sizes) + len(gzip.compress(await loaded[0].body())) < 110_000
    assert await page.evaluate(SHIFT) == 0
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_the_lobby_in_use_violates_no_guideline_and_is_used_by_keys(visitor):
    anna, ben = await visitor(), await visitor()
    await anna.choose("grand")
    await anna.unfold_own_seek()
    await anna.page.locator("label.chip:has([name='wanted-color'][value='white'])").click()
    await anna.page.fill("#seek-minutes", "5")
    await anna.page.fill("#seek-seconds", "3")
    await anna.page.click("#find")
    await anna.waits()
    await ben.quick("3d")
    await ben.waits()
    await ben.page.locator("#seek-alerts summary").click()
    await ben.unfold_terms()
    await ben.page.click("#waiting-more")
    await ben.unfold_own_seek()
    await ben.page.locator("label.chip", has_text="Several").click()
    take = ben.row("Grand Chess").get_by_role("button")
    await expect(take).to_have_accessible_name(re.compile(r"^Play \w+: Grand Chess, 5\+3, wants White, casual$"))
    assert await audit_on_each_screen(ben.page) == []
    await take.focus()
    await ben.page.keyboard.press("Enter")
    assert await ben.is_playing() == await anna.is_playing()
