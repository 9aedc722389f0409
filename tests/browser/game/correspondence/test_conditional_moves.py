"""Conditional moves: one player enters them on the board while the other is to move, and they are played for them."""

import asyncio
from itertools import product

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import audit
from tests.support.browser.player import all_see, begin
from tests.support.browser.screens import PHONE, assert_no_sideways_scroll

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DAYS = {"kind": "correspondence", "days": 3}
OPENER, PANEL, LINES, NOW = "#conditional-open", "#conditional", ".conditional-go", "#conditional-now"


async def waits(white, black, *sans):
    """White has made the first move and waits for Black."""
    await white.write(sans[0])
    await white.confirm()
    await all_see((white, black), *sans)


async def opens(player):
    await player.page.click(OPENER)
    await expect(player.page.locator(PANEL)).to_be_visible()


async def enters(player, *moves):
    """Makes moves of both sides on the board, each as soon as it can be made."""
    for squares in moves:
        before = await player.page.locator(NOW).inner_text()
        await expect(player.page.locator("#board")).to_have_attribute("aria-busy", "false")
        await player.click(*squares.split("-"))
        await expect(player.page.locator(NOW)).not_to_have_text(before)


async def types(player, move):
    """The same by the field, as soon as the board takes a move."""
    before = await player.page.locator(NOW).inner_text()
    await expect(player.page.locator("#board")).to_have_attribute("aria-busy", "false")
    await player.write(move)
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
    await opens(white)
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
    await opens(white)
    await lists(white, "2... d6 3. d4")
    await black.click("b8", "c6")
    await black.confirm()
    await all_see((white, black), "e4", "c5", "Nf3", "Nc6")
    await expect(white.page.locator(PANEL)).to_be_hidden()
    await expect(white.page.locator(OPENER)).to_be_hidden()


async def test_closing_changes_nothing_an_answer_is_replaced_and_a_line_removed(pair):
    white, black = await pair("chess", clock=DAYS)
    await waits(white, black, "e4")
    await opens(white)
    await enters(white, "c7-c5", "g1-f3")
    await white.page.click("#conditional-close")
    await expect(white.page.locator(NOW)).to_contain_text("not saved")
    await lists(white, "1... c5 2. Nf3")
    await white.page.click("#conditional-close")
    await expect(white.page.locator(OPENER)).to_be_focused()
    await white.page.reload()
    await expect(white.page.locator(OPENER)).to_have_text("Conditional moves")
    await opens(white)
    await lists(white)
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
    await opens(white)
    await lists(white, "1... e5 2. Nf3")
    await white.page.get_by_role("button", name="Remove").click()
    await saves(white, "Conditional moves")
    await black.write("e5")
    await black.confirm()
    await all_see((white, black), "e4", "e5")


async def test_lines_that_were_not_saved_are_there_when_their_owner_comes_back(pair):
    white, black = await pair("chess", clock=DAYS)
    await waits(white, black, "e4")
    await opens(white)
    await enters(white, "c7-c5", "g1-f3", "d7-d6")
    address = white.page.url
    await white.page.goto("about:blank")
    assert white.asked_to_stay == 1
    await white.page.goto(address)
    await expect(white.page.locator(OPENER)).to_have_text("Conditional moves: not saved yet")
    await opens(white)
    await expect(white.page.locator(NOW)).to_contain_text("not saved yet")
    await lists(white, "1... c5 2. Nf3 d6")
    await white.page.click("#conditional-close")
    await expect(white.page.locator(NOW)).to_contain_text("Close again to discard")
    await saves(white, "Conditional moves: 1 line")
    await white.page.reload()
    await expect(white.page.locator(OPENER)).to_have_text("Conditional moves: 1 line")


async def test_when_the_opponent_plays_what_was_being_entered_its_answer_is_suggested(pair):
    white, black = await pair("chess", clock=DAYS)
    lines, cut = [], asyncio.Event()

    async def connect(line):
        if cut.is_set():
            await line.close()
        else:
            line.connect_to_server()
            lines.append(line)

    await white.page.route_web_socket("**/ws?game=*", connect)
    await white.page.reload()
    await waits(white, black, "e4")
    await opens(white)
    await enters(white, "c7-c5", "g1-f3", "d7-d6")
    await black.write("c5")
    await black.confirm()
    await expect(white.page.locator("#status")).to_contain_text("Your opponent has played c5")
    await expect(white.page.locator("#confirm-play")).to_have_text("Play Nf3")
    await expect(white.page.locator("#turn")).to_contain_text("Not played yet")
    await white.confirm()
    await all_see((white, black), "e4", "c5", "Nf3")
    await opens(white)
    await enters(white, "d7-d6", "d2-d4")
    # Whoever learns of it as their line comes back reads the same.
    cut.set()
    await lines[-1].close()
    await expect(white.page.locator("#status")).to_contain_text("Connection lost")
    await black.write("e6")
    await black.confirm()
    await black.sees("e4", "c5", "Nf3", "e6")
    cut.clear()
    await white.page.evaluate("window.dispatchEvent(new Event('online'))")
    await white.sees("e4", "c5", "Nf3", "e6")
    await expect(white.page.locator("#status")).to_contain_text("not saved are gone")
    await expect(white.page.locator("#confirm-move")).to_be_hidden()


async def test_drops_and_gating_are_typed_and_played(seat):
    white, black = await seat(), await seat()
    for variant, line, listed in (
        ("crazyhouse", ("d5", "exd5", "Qxd5", "P@e4"), "1... d5 2. exd5 Qxd5 3. P@e4"),
        ("seirawan", ("e5", "Nf3/H"), "1... e5 2. Nf3/H"),
    ):
        await begin(white, black, variant, clock=DAYS)
        await waits(white, black, "e4")
        await opens(white)
        for move in line:
            await types(white, move)
        await lists(white, listed)
        await saves(white, "Conditional moves: 1 line")
        for ply in range(0, len(line), 2):
            await black.write(line[ply])
            await black.confirm()
            # The next move can be made when the answer to this one has come.
            await black.sees("e4", *line[: ply + 2])


async def test_a_game_by_the_minute_and_a_watcher_have_no_such_button(pair, seat):
    white, black = await pair("chess")
    await white.write("e4")
    await all_see((white, black), "e4")
    await expect(white.page.locator(OPENER)).to_be_hidden()
    await begin(white, black, "chess", clock=DAYS)
    await waits(white, black, "e4")
    watcher = await seat()
    await watcher.open(white.page.url)
    await watcher.sees("e4")
    await expect(watcher.page.locator(OPENER)).to_be_hidden()
    await expect(white.page.locator(OPENER)).to_be_visible()


WINDOWS = {
    "phone": PHONE["viewport"],
    "tablet": {"width": 820, "height": 1180},
    "desktop": {"width": 1440, "height": 900},
}


async def test_on_every_screen_in_spanish_and_by_keyboard_alone(seat):
    """The phone is one with a finger; the other windows are those of a mouse."""
    white, black = await seat(locale="es-ES", viewport=WINDOWS["desktop"]), await seat()
    await begin(white, black, "chess", clock=DAYS)
    await waits(white, black, "e4")
    phone = await seat(**PHONE, locale="es-ES", storage_state=await white.context.storage_state())
    await phone.open(white.page.url)
    for player, windows in ((phone, ["phone"]), (white, ["desktop", "tablet"])):
        await opens_by_keyboard(player)
        for move in ("c5", "Nf3"):
            await types(player, move)
        await lists(player, "1... c5 2. Nf3")
        for window, scheme in product(windows, ("light", "dark")):
            await player.page.set_viewport_size(WINDOWS[window])
            await player.page.emulate_media(color_scheme=scheme)
            await is_well_laid_out(player.page, f"{window}, {scheme}")
    await white.page.focus("#conditional-save")
    await white.page.keyboard.press("Enter")
    for person in (white, phone):
        await expect(person.page.locator(OPENER)).to_have_text("Jugadas condicionales: 1 línea")
    await expect(white.page.locator("#live")).to_contain_text("guardadas")
    await black.write("c5")
    await black.confirm()
    await all_see((white, black), "e4", "c5", "Nf3")


async def opens_by_keyboard(player):
    await player.page.focus(OPENER)
    await player.page.keyboard.press("Enter")
    await expect(player.page.locator("#board")).to_be_focused()
    await expect(player.page.locator(NOW)).to_have_text("Haz una jugada de tu rival.")


async def is_well_laid_out(page, screen):
    await assert_no_sideways_scroll(page)
    assert await audit(page) == [], screen
    for button in await page.locator(f"{PANEL} button:visible").all():
        box = await button.bounding_box()
        assert box["height"] >= 43.5, (screen, await button.inner_text(), box)
