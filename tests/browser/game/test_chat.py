"""The chat is noticed: on a phone, where it is below the fold, and on a wide screen beside the moves."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.screens import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def say(person, text):
    await person.page.fill("#chat-text", text)
    await person.page.press("#chat-text", "Enter")


async def spoken_to(seat):
    """The inviter, the friend on a phone, and where the friend is told that the inviter has said "good luck"."""
    white, black = await seat(), await seat(**PHONE)
    await black.open(await white.challenge("chess"))
    await black.join()
    alert = black.page.locator("#chat-alert")
    await say(white, "good luck")
    await expect(alert).to_contain_text("good luck")
    return white, black, alert


async def test_words_out_of_sight_are_announced_and_lead_to_the_chat(seat):
    white, black, alert = await spoken_to(seat)
    await say(white, "and fun")
    await expect(alert).to_contain_text("and fun")
    await expect(black.page).to_have_title(re.compile("^2 new messages · "))
    await alert.click()
    await expect(alert).to_be_hidden()
    await expect(black.page.locator("#chat-lines")).to_be_in_viewport()
    await expect(black.page.locator("#chat-text")).to_be_focused()
    await expect(black.page).not_to_have_title(re.compile("new message"))


async def test_to_load_the_page_again_is_not_to_read(seat):
    _, black, alert = await spoken_to(seat)
    await black.page.reload()
    await expect(alert).to_contain_text("good luck")
    await expect(black.page).to_have_title(re.compile("^1 new message · "))
    await alert.click()
    await expect(alert).to_be_hidden()
    await black.page.reload()
    await expect(black.page.locator("#chat-lines")).to_contain_text("good luck")
    await expect(alert).to_be_hidden()


async def test_at_the_end_the_players_read_at_once_what_the_watchers_said(pair, seat):
    white, black = await pair("chess")
    await white.click("e2", "e4")
    await black.click("e7", "e5")
    await white.sees("e4", "e5")
    await say(white, "first")
    watcher = await seat()
    await watcher.open(white.page.url.split("#")[0])
    await say(watcher, "a fine opening")
    await expect(watcher.page.locator("#chat-lines")).to_contain_text("a fine opening")
    await say(black, "second")
    lines = black.page.locator("#chat-lines li span")
    await expect(lines).to_have_text(["first", "second"])
    await white.resign()
    await expect(lines).to_have_text(["first", "a fine opening", "second"])
    await expect(watcher.page.locator("#chat-lines li span")).to_have_text(["a fine opening"])


async def test_ones_own_words_are_no_news(seat):
    white, black = await seat(), await seat(**PHONE)
    await black.open(await white.challenge("chess"))
    await black.join()
    await say(black, "hello")
    await expect(white.page.locator("#chat-lines")).to_contain_text("hello")
    await expect(black.page.locator("#chat-lines")).to_contain_text("hello")
    await expect(black.page.locator("#chat-alert")).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1366, 768)])
async def test_writing_does_not_push_the_moves_away(seat, width, height):
    white, black = await seat(viewport={"width": width, "height": height}), await seat()
    await black.open(await white.challenge("crazyhouse"))
    await black.join()
    await white.click("e2", "e4")
    await white.sees("e4")
    for line in ("one", "two", "three", "four"):
        await say(black, line)
    lines = white.page.locator("#chat-lines li")
    await expect(lines).to_have_count(4)
    await say(white, "five")
    await expect(lines).to_have_count(5)
    for shown in [".moves", "#chat-form", *(f"#chat-lines li:nth-child({number})" for number in (2, 3, 4, 5))]:
        await expect(white.page.locator(shown)).to_be_in_viewport(ratio=0.9)
    await expect(white.page.locator("#chat-alert")).to_be_hidden()


NO_LINE_YET = """window.WebSocket = class {
    readyState = 0;
    constructor(url) { if (url.endsWith('/ws')) window.line = this; }
    close() {}
}"""
"""A page on which this has run goes on connecting, until the test says that it failed."""


async def test_lines_written_while_a_page_connects_come_back_if_it_cannot(pair):
    white, _ = await pair("chess")
    await white.page.add_init_script(NO_LINE_YET)
    await white.page.reload()
    for line in ("good luck", "and fun"):
        await say(white, line)
        await expect(white.page.locator("#chat-text")).to_have_value("")
    await white.page.fill("#chat-text", "Boris")
    await white.page.evaluate("line.onclose({ code: 1006 })")
    await expect(white.page.locator("#chat-text")).to_have_value("good luck and fun Boris")


async def test_lines_written_while_a_page_connects_come_back_if_it_is_left(pair):
    white, _ = await pair("chess")
    await white.page.add_init_script(NO_LINE_YET)
    await white.page.reload()
    await say(white, "good luck")
    await white.page.evaluate("dispatchEvent(new Event('pagehide'))")
    await expect(white.page.locator("#chat-text")).to_have_value("good luck")
