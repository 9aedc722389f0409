"""A guest becomes somebody in the middle of a game, and plays on from another browser."""

import pytest
from playwright.async_api import expect

from tests.support.browser.player import PASSWORD, all_see, fill_in
from tests.support.web.accounts import register

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_guest_registers_keeps_their_seat_and_plays_on_from_another_browser(pair, seat):
    white, black = await pair("chess")
    game = white.page.url
    await white.make("e2e4", 0)
    await fill_in(white, "/register", "Annabel")
    await expect(white.page).to_have_url(white.site + "/")
    await expect(white.page.locator(".nav-account")).to_have_text("Annabel")
    await expect(black.page.locator("#seat-top .seat-name")).to_have_text("Annabel")
    await black.make("e7e5", 1)
    await white.page.goto(game)
    await all_see((white, black), "e4", "e5")
    await white.make("g1f3", 2)

    phone = await seat(viewport={"width": 360, "height": 740})
    await fill_in(phone, "/sign-in", "annabel")
    await expect(phone.page).to_have_url(phone.site + "/")
    await black.make("b8c6", 3)
    await phone.open(game)
    await phone.make("f1b5", 4)
    await all_see((white, black, phone), "e4", "e5", "Nf3", "Nc6", "Bb5")


async def test_signing_in_from_a_friends_link_leads_back_to_it(off_screen, seat):
    host, friend = await off_screen(), await seat()
    await register(await off_screen(), "Clara")
    game = await host.challenge()
    link = f"{friend.site}/{game['id']}#{game['secret']}"
    await friend.open(link)
    await friend.page.click(".nav-account")
    await friend.page.get_by_role("link", name="Create one").click()
    await friend.page.get_by_role("main").get_by_role("link", name="Sign in").click()
    await friend.page.fill("#name", "Clara")
    await friend.page.fill("#password", PASSWORD)
    await friend.page.press("#password", "Enter")
    await expect(friend.page).to_have_url(link)
    await friend.join()
    assert (await host.get(f"/api/games/{game['id']}"))["black"]["name"] == "Clara"


async def test_without_scripts_one_registers_finds_the_way_and_signs_out(seat):
    player = await seat(viewport={"width": 360, "height": 740}, java_script_enabled=False)
    page = player.page
    await page.goto(player.site)
    menu = page.locator("#site-nav")
    await expect(menu).to_be_hidden()
    await page.click(".menu-button")
    await menu.get_by_role("link", name="Sign in").click()
    await page.get_by_role("link", name="Create one").click()
    await page.fill("#name", "Berta")
    await page.fill("#password", PASSWORD)
    await page.click("button.primary")
    await expect(page).to_have_url(player.site + "/?registered")
    await page.click(".menu-button")
    await menu.get_by_role("link", name="Berta").click()
    await expect(page.locator("h1")).to_have_text("Berta")
    await page.click("form[action='/sign-out'] button")
    await expect(page).to_have_url(player.site + "/")
    await page.click(".menu-button")
    await expect(menu.get_by_role("link", name="Sign in")).to_be_visible()


async def test_the_menu_opens_and_closes_by_keyboard_and_takes_no_room_from_the_board(off_screen, seat):
    friend, player = await off_screen(), await seat()
    game = await friend.challenge(variant="capahouse")
    await player.open(f"{player.site}/{game['id']}#{game['secret']}")
    await player.join()
    page = player.page
    await page.set_viewport_size({"width": 360, "height": 740})
    await expect(page.locator(".controls")).to_be_in_viewport(ratio=1)
    await page.focus(".menu-button")
    await page.keyboard.press("Enter")
    await expect(page.locator("#site-nav")).to_be_visible()
    await page.keyboard.press("Tab")
    await expect(page.locator("#site-nav a").first).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.locator("#site-nav")).to_be_hidden()
    await expect(page.locator(".menu-button")).to_be_focused()


async def test_a_password_can_be_looked_at_while_it_is_typed(seat):
    player = await seat()
    page = player.page
    await page.goto(player.site + "/sign-in")
    await page.fill("#password", "what was it")
    await page.click(".show-password")
    await expect(page.locator("#password")).to_have_attribute("type", "text")
    await page.click(".show-password")
    await expect(page.locator("#password")).to_have_attribute("type", "password")


async def test_another_browser_is_signed_out_from_the_account_page_while_it_is_open(seat):
    phone, desk = await seat(viewport={"width": 360, "height": 640}), await seat()
    await fill_in(phone, "/register", "Annabel")
    await expect(phone.page.locator(".nav-account")).to_have_text("Annabel")
    await fill_in(desk, "/sign-in", "Annabel")
    await expect(desk.page).to_have_url(desk.site + "/")
    await phone.page.goto(phone.site + "/account")
    listed = phone.page.locator(".sessions li")
    await expect(listed).to_have_count(2)
    ending = listed.get_by_role("button", name="Sign out Chrome on Linux")
    await expect(ending).to_have_count(1)
    assert (await ending.bounding_box())["height"] >= 44
    await ending.click()
    await expect(phone.page.get_by_role("status")).to_have_text("That browser is signed out.")
    await expect(listed).to_have_count(1)
    await expect(listed).to_contain_text("This browser")
    await desk.page.goto(desk.site + "/account")
    await expect(desk.page).to_have_url(desk.site + "/sign-in?next=/account")


async def test_a_new_token_is_copied_by_its_button(seat):
    player = await seat(permissions=["clipboard-read", "clipboard-write"])
    page = player.page
    await fill_in(player, "/register", "Annabel")
    await page.goto(player.site + "/account/tokens")
    await page.get_by_label("What is it for?").fill("my bot")
    await page.get_by_role("button", name="Make the token").click()
    token = page.get_by_role("textbox", name="The token “my bot”")
    await page.get_by_role("button", name="Copy").click()
    await expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert await page.evaluate("navigator.clipboard.readText()") == await token.input_value()


async def test_a_guest_chooses_a_name_and_their_opponent_reads_it_as_that_of_a_guest(seat, off_screen):
    anna, ben = await off_screen(), await seat(locale="es", viewport={"width": 360, "height": 640})
    page = ben.page
    await page.goto(ben.site + "/sign-in")
    await page.get_by_role("link", name="O elige solo un nombre, como invitado").click()
    await page.get_by_label("Tu nombre como invitado").fill("Zoe")
    await page.get_by_role("button", name="Usar este nombre").click()
    await expect(page.get_by_role("status")).to_contain_text("Ahora juegas como invitado: Zoe.")
    game = await anna.challenge()
    await ben.open(f"{ben.site}/{game['id']}#{game['secret']}")
    await ben.join()
    await expect(page.locator("#seat-bottom .seat-name")).to_have_text("invitado: Zoe")
    assert (await anna.get(f"/api/games/{game['id']}"))["black"]["name"] == "guest: Zoe"
