"""Two people in a correspondence game write each other long messages, on a wide screen and on a phone."""

import pytest
from playwright.async_api import expect

from tests.support.browser.player import begin, meet
from tests.support.browser.screens import PHONE, assert_inside, assert_no_sideways_scroll, boxes

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DAYS = {"kind": "correspondence", "days": 3}
LETTER = "Dear Boris,\n\nI have thought about <b>e4</b> for two days:\n1. e4 e5 & 2. Nf3"


async def correspond(seat):
    white, black = await seat(), await seat()
    await begin(white, black, "chess", clock=DAYS)
    return white, black


def shown(person):
    return person.page.locator("#chat-lines li span")


async def test_a_letter_is_read_with_its_line_breaks_and_as_text(seat):
    white, black = await correspond(seat)
    await white.look_at("chat")
    field = white.page.locator("#chat-text")
    await field.focus()
    for number, line in enumerate(LETTER.split("\n")):
        if number:
            await white.page.keyboard.press("Enter")
        await white.page.keyboard.type(line)
    await expect(field).to_have_value(LETTER)
    await expect(shown(white)).to_have_count(0)
    await white.page.keyboard.press("Control+Enter")
    await expect(field).to_have_value("")
    for person in (white, black):
        await expect(shown(person)).to_have_count(1)
        assert await shown(person).evaluate("each => each.innerText") == LETTER
        assert await shown(person).evaluate("each => each.children.length") == 0
    await black.look_at("chat")
    await black.page.fill("#chat-text", "Dear Wanda,\nyes")
    await black.page.click("#chat-send")
    await expect(shown(white)).to_have_count(2)
    assert await shown(white).last.evaluate("each => each.innerText") == "Dear Wanda,\nyes"


async def test_the_field_grows_with_its_text_and_stays_on_the_screen(seat):
    wide, phone = await seat(viewport={"width": 1366, "height": 768}), await seat(**PHONE)
    await begin(wide, phone, "chess", clock=DAYS)
    for number, player in enumerate((wide, phone), start=1):
        page = player.page
        viewport = page.viewport_size
        field = page.locator("#chat-text")
        await player.look_at("chat")
        low = (await boxes(page, "#chat-text"))["#chat-text"]["height"]
        await field.fill("one\ntwo\nthree")
        high = (await boxes(page, "#chat-text"))["#chat-text"]["height"]
        await field.fill("\n".join(map(str, range(40))))
        await page.locator("#chat-send").scroll_into_view_if_needed()
        found = await boxes(page, "#chat-text", "#chat-send")
        highest = found["#chat-text"]["height"]
        assert 44 <= low < high < highest < 200, viewport
        for name, box in found.items():
            assert_inside(box, viewport, name)
        assert found["#chat-send"]["height"] >= 44, viewport
        await assert_no_sideways_scroll(page)
        await page.click("#chat-send")
        await expect(shown(player)).to_have_count(number)
        assert (await boxes(page, "#chat-text"))["#chat-text"]["height"] == low, viewport


async def test_near_the_end_one_sees_how_much_room_is_left_and_beyond_it_nothing_is_sent(seat):
    white, black = await correspond(seat)
    page = white.page
    await white.look_at("chat")
    left = page.locator("#chat-left")
    await page.fill("#chat-text", "x" * 1_799)
    await expect(left).to_be_hidden()
    await page.fill("#chat-text", "\U0001f600" * 1_990)
    await expect(left).to_have_text("10 characters left")
    await page.fill("#chat-text", "x" * 2_001)
    await expect(left).to_have_text("1 character too many")
    await expect(page.locator("#chat-send")).to_be_disabled()
    await page.press("#chat-text", "Control+Enter")
    await page.fill("#chat-text", "x" * 2_000)
    await expect(left).to_have_text("0 characters left")
    await page.press("#chat-text", "Control+Enter")
    await expect(shown(black)).to_have_text(["x" * 2_000])
    await expect(left).to_be_hidden()


async def test_a_letter_that_the_server_refuses_comes_back_into_the_field(seat):
    white, black = await correspond(seat)
    for text in ("x" * 2_000, "This comes\ntoo soon"):
        await white.look_at("chat")
        await white.page.fill("#chat-text", text)
        await white.page.click("#chat-send")
    await expect(white.page.locator("#status")).to_contain_text("Wait a moment before the next message.")
    await expect(white.page.locator("#chat-text")).to_have_value("This comes\ntoo soon")
    await expect(shown(black)).to_have_count(1)


async def test_a_watcher_writes_a_line_that_enter_sends(seat):
    white, black, watcher = await seat(), await seat(), await seat()
    address = await meet(white, black, "chess", clock=DAYS)
    await white.open(address)
    await watcher.open(address)
    await watcher.look_at("chat")
    await watcher.page.fill("#chat-text", "x" * 130)
    await expect(watcher.page.locator("#chat-left")).to_have_text("10 characters left")
    await watcher.page.press("#chat-text", "Enter")
    await expect(shown(watcher)).to_have_text(["x" * 130])
    await expect(shown(white)).to_have_count(0)


async def test_in_a_live_game_enter_sends_a_line(pair):
    white, black = await pair("chess")
    assert await white.page.locator("#chat-text").evaluate("each => [each.tagName, each.maxLength]") == ["INPUT", 140]
    await white.look_at("chat")
    await white.page.fill("#chat-text", "good luck")
    await white.page.press("#chat-text", "Enter")
    await expect(shown(black)).to_have_text(["good luck"])
