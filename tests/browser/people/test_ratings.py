"""Two registered people play a rated game: what the board shows of their ratings, and their pages afterwards."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import ON_COLORS, STANDARD, audit
from tests.support.browser.player import fill_in
from tests.support.web.accounts import register

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture
def members(seat):
    """Annabel and Benedict, at a game that Annabel made."""

    async def sit_down(rated=True, **settings):
        white, black = await seat(**settings), await seat(**settings)
        await fill_in(white, "/register", "Annabel")
        await expect(white.page).to_have_url(f"{white.site}/")
        await fill_in(black, "/register", "Benedict")
        await expect(black.page).to_have_url(f"{black.site}/")
        await black.open(await white.challenge("chess", rated=rated))
        await black.join()
        return white, black

    return sit_down


def rating(player, place):
    return player.page.locator(f"#seat-{place} .seat-rating")


async def test_a_rated_game_moves_the_ratings_on_the_board_and_on_the_pages(members):
    white, black = await members()
    for player in (white, black):
        await expect(rating(player, "top")).to_have_text("1500?")
        await expect(rating(player, "bottom")).to_have_text("1500?")
        await expect(player.page.locator("#terms")).to_contain_text("rated")
        await expect(player.page.locator("#takeback")).to_be_hidden()
    for ply, uci in enumerate(("f2f3", "e7e5", "g2g4", "d8h4")):
        await (white, black)[ply % 2].make(uci, ply)
    await expect(rating(black, "bottom")).to_have_text("1500? +162")
    await expect(rating(white, "bottom")).to_have_text("1500? −162")
    await expect(black.page.locator("#live")).to_contain_text("gone up by 162 points")
    await black.page.reload()
    await expect(rating(black, "top")).to_have_text("1500? −162")

    await black.page.goto(f"{black.site}/@/Benedict")
    ratings = black.page.get_by_role("region", name="Ratings")
    await expect(ratings.get_by_role("row")).to_have_count(2)
    await expect(ratings.get_by_role("row").last).to_contain_text(re.compile(r"Chess\s*Blitz\s*1662\?"))
    chart = black.page.get_by_role("img", name=re.compile("from 1500 to 1662"))
    await expect(chart).to_be_visible()
    await black.page.get_by_text("The latest changes as a table").click()
    await expect(black.page.get_by_role("row", name=re.compile("1662 \\+162"))).to_be_visible()
    await expect(black.page.get_by_role("link", name="Won against Annabel")).to_be_visible()
    await black.page.get_by_role("region", name="Frequent opponents").get_by_role("link", name="Annabel").click()
    await expect(black.page.get_by_role("heading", level=1)).to_have_text("Annabel")
    await expect(black.page.get_by_role("link", name="Lost to Benedict")).to_be_visible()

    await black.page.get_by_role("navigation").get_by_role("link", name="Players").click()
    leaders = black.page.get_by_role("region", name="Chess, Blitz").get_by_role("row")
    await expect(leaders.nth(1)).to_contain_text("Benedict")
    await expect(leaders.nth(2)).to_contain_text("Annabel")


async def test_the_pages_of_players_violate_no_guideline(members):
    white, black = await members(viewport={"width": 360, "height": 740})
    for ply, uci in enumerate(("f2f3", "e7e5", "g2g4", "d8h4")):
        await (white, black)[ply % 2].make(uci, ply)
    await expect(rating(white, "bottom")).to_contain_text("−162")
    page, found = white.page, {}
    for path in (None, "/@/Annabel", "/players", "/players?name=b"):
        if path:
            await page.goto(white.site + path)
            await expect(page.get_by_role("heading", level=1)).to_be_visible()
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        for scheme, rules in (("light", STANDARD), ("dark", ON_COLORS)):
            await page.emulate_media(color_scheme=scheme)
            if violations := await audit(page, rules):
                found[path or "the game", scheme] = violations
    assert found == {}


async def test_the_widest_name_fits_on_a_phone(off_screen, seat):
    white, friend = await seat(), await off_screen()
    link = await white.challenge("chess")
    game = {"id": white.page.url.rsplit("/", 1)[1], "secret": link.split("#")[1]}
    await friend.join(game)
    async with friend.follow(game) as black:
        await white.make("e2e4", 0)
        await black.move(1, "e7e5")
        await white.sees("e4", "e5")
    await white.page.set_viewport_size({"width": 360, "height": 740})
    await white.resign()
    await expect(white.page.locator("#result")).to_contain_text("resigned")
    name = "WMWMWMWMWMWMWMWMWMWM"
    await fill_in(white, "/register", name)
    await expect(white.page).to_have_url(f"{white.site}/")
    for path in ("/account", "/account/tokens", f"/@/{name}", "/players", "/games", "/"):
        await white.page.goto(white.site + path)
        assert await white.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


async def test_a_guest_with_the_link_of_a_rated_game_is_told_to_sign_in_and_comes_back_to_it(off_screen, seat):
    host, guest = await off_screen(), await seat()
    await register(host, "Annabel")
    game = await host.challenge(rated=True)
    link = f"{guest.site}/{game['id']}#{game['secret']}"
    await guest.open(link)
    await expect(guest.page.locator("#join")).to_contain_text("needs an account")
    await guest.page.locator("#join").get_by_role("link", name="Sign in").click()
    await guest.page.get_by_role("link", name="Create one").click()
    await guest.page.fill("#name", "Benedict")
    await guest.page.fill("#password", "a good long one")
    await guest.page.press("#password", "Enter")
    await expect(guest.page).to_have_url(link)
    await guest.join()
    for place in ("top", "bottom"):
        await expect(rating(guest, place)).to_have_text("1500?")
    assert (await host.get(f"/api/games/{game['id']}"))["black"]["name"] == "Benedict"
