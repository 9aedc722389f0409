"""A name leads to the page of whoever has an account, wherever it stands, in casual games too; no other name does."""

import pytest
from playwright.async_api import expect

from tests.support.browser.computer import sits_down
from tests.support.browser.player import fill_in
from tests.support.web.accounts import register
from tests.support.web.people import FOOLS_MATE, play

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def leads_to(page, *names):
    """The names on the page that lead somewhere are these."""
    links = page.locator("main .person-link:visible")
    await expect(links).to_have_text(list(names))
    for link, name in zip(await links.all(), names, strict=True):
        assert await link.get_attribute("href") == f"/@/{name}"


async def test_a_guest_finds_the_page_of_whom_they_play_wherever_they_read_the_name(off_screen, visitor):
    anna, guest = await off_screen(), await visitor()
    page = guest.page
    await register(anna, "Anna")
    wanted = {"clock": {"kind": "correspondence", "days": 2}, "color": "white"}
    await anna.post("/api/seeks", 201, **wanted, variants=["chess"])
    await expect(guest.row("Anna")).to_contain_text("Casual")
    await leads_to(page, "Anna")
    await page.get_by_role("button", name="Play Anna: Chess, 2 days").click()
    game = {"id": (await guest.is_playing()).rsplit("/", 1)[1]}
    await expect(page.locator("#terms")).to_contain_text("casual")
    await leads_to(page, "Anna")
    await expect(page.locator("#seat-top .person-link")).to_have_attribute("target", "_blank")
    async with anna.follow(game) as white:
        await page.goto(f"{guest.site}/games/mine")
        await leads_to(page, "Anna")
        await page.get_by_role("link", name="Chess against Anna").click()
        await expect(page.locator("#board cg-board")).to_be_visible()
        await white.command(t="chat", text="Good luck!")
        await page.get_by_role("tab", name="Chat").click()
        await expect(page.locator("#chat-lines .person-link")).to_have_attribute("href", "/@/Anna")
        await white.move(0, "e2e4")
        await expect(page.locator(".ply")).to_have_count(1)
        await white.command(t="resign")
    await expect(page.locator("#ending-title")).to_have_text("You won")
    await page.goto(f"{guest.site}/games")
    await leads_to(page, "Anna")
    await page.goto(f"{guest.site}/@/Anna")
    await leads_to(page)
    await page.get_by_role("link", name="Lost to").click()
    await expect(page.locator("#board cg-board")).to_be_visible()


async def test_on_tv_the_names_of_members_lead_to_their_pages_whether_a_game_is_rated_or_not(off_screen, seat):
    anna, ben, guest, viewer = await off_screen(), await off_screen(), await off_screen(), await seat()
    await register(anna, "Anna")
    await register(ben, "Ben")
    for other, names in ((ben, ("Ben", "Anna")), (guest, ("Anna",))):
        game = await anna.challenge()
        await other.join(game)
        async with anna.follow(game) as white, other.follow(game) as black:
            await play((white, black), FOOLS_MATE[:2])
            await viewer.page.goto(f"{viewer.site}/watch")
            await expect(viewer.page.locator("#tv .tv-about")).to_contain_text("casual")
            await leads_to(viewer.page, *names)
            await viewer.page.goto(f"{viewer.site}/{game['id']}")
            await expect(viewer.page.locator("#terms")).to_contain_text("casual")
            await leads_to(viewer.page, *names)
            await white.command(t="resign")


async def test_the_computer_has_no_page_and_in_a_game_ones_own_name_leads_nowhere(seat):
    player = await seat()
    await fill_in(player, "/register", "Anna")
    await expect(player.page).to_have_url(f"{player.site}/")
    await sits_down(player)
    await expect(player.page.locator("#seat-bottom .seat-name")).to_have_text("Anna")
    await leads_to(player.page)
