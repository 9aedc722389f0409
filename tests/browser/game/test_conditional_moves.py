"""Conditional moves: one player enters them on the board while the other is to move, and they are played for them."""

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import audit
from tests.support.browser.player import all_see
from tests.support.browser.screens import PHONE, assert_no_sideways_scroll

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DAYS = {"kind": "correspondence", "days": 3}
OPENER, PANEL, LINES, NOW = "#conditional-open", "#conditional", ".conditional-go", "#conditional-now"


async def waits(white, black, *sans):
    """White has made the first move and waits for Black."""
    await white.write(sans[0])
    await white.confirm()
    await all_see((white, black), *sans)


async def enters(player, *moves):
    """Makes moves of both sides on the board, each as soon as it can be made."""
    for squares in moves:
        before = await player.page.locator(NOW).inner_text()
        await expect(player.page.locator("#board")).to_have_attribute("aria-busy", "false")
        await player.click(*squares.split("-"))
        await expect(player.page.locator(NOW)).not_to_have_text(before)


async def lists(player, *lines):
    await expect(player.page.locator(LINES)).to_have_text(list(lines))


async def saves(player, words):
    await player.page.click("#conditional-save")
    await expect(player.page.locator(PANEL)).to_be_hidden()
    await expect(player.page.locator(OPENER)).to_have_text(words)


async def test_what_was_entered_on_the_board_is_played_while_its_owner_is_away(pair):
    white, black = await pair("chess", clock=DAYS)
    await waits(white, black, "e4")
    await white.page.click(OPENER)
    await expect(white.page.locator(NOW)).to_have_text("Enter a move of your opponent.")
    await enters(white, "c7-c5", "g1-f3", "d7-d6", "d2-d4")
    await white.page.click("#conditional-start")
    await enters(white, "e7-e6", "d2-d4")
    await lists(white, "1... c5 2. Nf3 d6 3. d4", "1... e6 2. d4")
    await saves(white, "Conditional moves: 2 lines")
    await all_see((white, black), "e4")
    await expect(black.page.locator(OPENER)).to_be_hidden()
    address = white.page.url
    await white.page.goto("about:blank")
    await black.click("c7", "c5")
    await black.confirm()
    await black.sees("e4", "c5", "Nf3")
    await white.page.goto(address)
    await white.sees("e4", "c5", "Nf3")
    await expect(white.page.locator(OPENER)).to_have_text("Conditional moves: 1 line")
    await white.page.click(OPENER)
    await lists(white, "2... d6 3. d4")
    await black.click("b8", "c6")
    await black.confirm()
    await all_see((white, black), "e4", "c5", "Nf3", "Nc6")
    await expect(white.page.locator(PANEL)).to_be_hidden()
    await expect(white.page.locator(OPENER)).to_be_hidden()


async def test_a_line_is_removed_and_an_answer_replaced(pair):
    white, black = await pair("chess", clock=DAYS)
    await waits(white, black, "e4")
    await white.page.click(OPENER)
    await enters(white, "c7-c5", "g1-f3")
    await white.page.click("#conditional-back")
    await enters(white, "b1-c3")
    await lists(white, "1... c5 2. Nc3")
    await white.page.click("#conditional-start")
    await enters(white, "e7-e5", "g1-f3", "b8-c6")
    await lists(white, "1... c5 2. Nc3", "1... e5 2. Nf3 Nc6")
    await white.page.get_by_role("button", name="Remove 1... c5 2. Nc3").click()
    await lists(white, "1... e5 2. Nf3 Nc6")
    await saves(white, "Conditional moves: 1 line")
    await white.page.click(OPENER)
    await lists(white, "1... e5 2. Nf3")
    await white.page.get_by_role("button", name="Remove").click()
    await saves(white, "Conditional moves")
    await black.write("e5")
    await black.confirm()
    await all_see((white, black), "e4", "e5")


async def test_closing_without_saving_changes_nothing(pair):
    white, black = await pair("chess", clock=DAYS)
    await waits(white, black, "e4")
    await white.page.click(OPENER)
    await enters(white, "c7-c5", "g1-f3")
    await white.page.click("#conditional-close")
    await expect(white.page.locator(OPENER)).to_be_focused()
    await expect(white.page.locator(OPENER)).to_have_text("Conditional moves")
    await black.write("c5")
    await black.confirm()
    await all_see((white, black), "e4", "c5")


@pytest.mark.parametrize(
    ("variant", "first", "line", "listed", "trigger", "played"),
    [
        ("crazyhouse", "e4", ("d5", "exd5", "Qxd5", "P@e4"), "1... d5 2. exd5 Qxd5 3. P@e4", ("d5", "Qxd5"), "P@e4"),
        ("seirawan", "e4", ("e5", "Nf3/H"), "1... e5 2. Nf3/H", ("e5",), "Nf3/H"),
    ],
)
async def test_drops_and_gating_are_typed_and_played(pair, variant, first, line, listed, trigger, played):
    white, black = await pair(variant, clock=DAYS)
    await waits(white, black, first)
    await white.page.click(OPENER)
    for move in line:
        before = await white.page.locator(NOW).inner_text()
        await white.write(move)
        await expect(white.page.locator(NOW)).not_to_have_text(before)
    await lists(white, listed)
    await saves(white, "Conditional moves: 1 line")
    for move in trigger:
        await black.write(move)
        await black.confirm()
    await expect(black.page.locator(".ply button").last).to_have_text(played)


async def test_a_game_by_the_minute_and_a_watcher_have_no_such_button(pair, seat):
    white, black = await pair("chess")
    await white.write("e4")
    await all_see((white, black), "e4")
    await expect(white.page.locator(OPENER)).to_be_hidden()
    white, black = await pair("chess", clock=DAYS)
    await waits(white, black, "e4")
    watcher = await seat()
    await watcher.open(white.page.url)
    await watcher.sees("e4")
    await expect(watcher.page.locator(OPENER)).to_be_hidden()
    await expect(white.page.locator(OPENER)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "screen",
    [PHONE, {"viewport": {"width": 820, "height": 1180}}, {"viewport": {"width": 1440, "height": 900}}],
    ids=["phone", "tablet", "desktop"],
)
async def test_on_every_screen_in_spanish_and_by_keyboard_alone(seat, screen, scheme):
    white, black = await seat(**screen, locale="es-ES", color_scheme=scheme), await seat()
    await black.open(await white.challenge("chess", clock=DAYS))
    await black.join()
    await waits(white, black, "e4")
    page = white.page
    await page.focus(OPENER)
    await page.keyboard.press("Enter")
    await expect(page.locator("#board")).to_be_focused()
    await expect(page.locator(NOW)).to_have_text("Haz una jugada de tu rival.")
    for move in ("c5", "Nf3"):
        await expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
        before = await page.locator(NOW).inner_text()
        await white.write(move)
        await expect(page.locator(NOW)).not_to_have_text(before)
    await lists(white, "1... c5 2. Nf3")
    await assert_no_sideways_scroll(page)
    assert await audit(page) == []
    for button in await page.locator(f"{PANEL} button:visible").all():
        box = await button.bounding_box()
        assert box["height"] >= 43.5, (await button.inner_text(), box)
    await page.focus("#conditional-save")
    await page.keyboard.press("Enter")
    await expect(page.locator(OPENER)).to_have_text("Jugadas condicionales: 1 línea")
    await expect(page.locator("#live")).to_contain_text("guardadas")
    await black.write("c5")
    await black.confirm()
    await all_see((white, black), "e4", "c5", "Nf3")
