"""The chat is noticed by whoever looks at something else, and leaves the moves where they are."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.player import all_make, begin, meet
from tests.support.browser.screens import PHONE, areas
from tests.support.web.accounts import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


TOO_NARROW = "all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent)"


async def say(person, text):
    await person.look_at("chat")
    await person.page.fill("#chat-text", text)
    await person.page.press("#chat-text", "Enter")


async def test_words_out_of_sight_are_announced_until_they_were_read_and_lead_to_the_chat(seat):
    white, black = await seat(), await seat(**PHONE)
    await begin(white, black, "chess")
    news = black.page.locator("#chat-unread")
    await say(white, "good luck")
    await expect(news).to_have_text("1")
    await expect(news).to_be_in_viewport(ratio=1)
    await black.page.reload()  # which is not to read them
    await expect(news).to_have_text("1")
    await expect(black.page).to_have_title(re.compile("^1 new message · "))
    await say(white, "and fun")
    await expect(news).to_have_text("2")
    await expect(black.page).to_have_title(re.compile("^2 new messages · "))
    await black.page.click("#tab-chat")
    await expect(news).to_be_hidden()
    await expect(black.page.locator("#chat-lines")).to_be_in_viewport()
    await expect(black.page).not_to_have_title(re.compile("new message"))
    await black.page.reload()
    await expect(black.page.locator("#chat-lines")).to_contain_text("good luck")
    await expect(news).to_be_hidden()
    await say(black, "hello")  # one's own words are no news
    await expect(white.page.locator("#chat-lines")).to_contain_text("hello")
    await expect(black.page.locator("#chat-lines")).to_contain_text("hello")
    await expect(news).to_be_hidden()


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


async def test_writing_does_not_push_the_moves_away(seat):
    white, black = await seat(viewport={"width": 1440, "height": 900}), await seat()
    await begin(white, black, "crazyhouse")
    await white.click("e2", "e4")
    await white.sees("e4")
    lines = white.page.locator("#chat-lines li")
    for number, line in enumerate(("one", "two", "three", "four"), start=1):
        await say(black, line)
        await expect(lines).to_have_count(number)
    for last, (width, height) in ((5, (1440, 900)), (6, (1366, 768))):
        await white.page.set_viewport_size({"width": width, "height": height})
        await say(white, f"line {last}")
        await expect(lines).to_have_count(last)
        newest = [f"#chat-lines li:nth-child({number})" for number in range(last - 3, last + 1)]
        for shown in ("#chat-form", *newest):
            await expect(white.page.locator(shown), f"{width}x{height}").to_be_in_viewport(ratio=0.9)
        await expect(white.page.locator("#chat-unread")).to_be_hidden()
        await white.look_at("moves")
        await expect(white.page.locator(".ply")).to_be_in_viewport(ratio=0.9)


NO_LINE_YET = """window.WebSocket = class {
    readyState = 0;
    constructor(url) { if (url.includes('/ws?game=')) window.line = this; }
    close() {}
}"""
"""A page on which this has run goes on connecting, until the test says that it failed."""


async def test_lines_written_while_a_page_connects_come_back_if_it_cannot_or_is_left(seat):
    white, black = await seat(), await seat()
    await white.open(await meet(white, black, "chess"))
    await white.page.add_init_script(NO_LINE_YET)
    await white.page.reload()
    for line in ("good luck", "and fun"):
        await say(white, line)
        await expect(white.page.locator("#chat-text")).to_have_value("")
    await white.look_at("chat")
    await white.page.fill("#chat-text", "Boris")
    await white.page.evaluate("line.onclose({ code: 1006 })")
    await expect(white.page.locator("#chat-text")).to_have_value("good luck and fun Boris")
    await white.page.reload()
    await say(white, "good luck")
    await expect(white.page.locator("#chat-text")).to_have_value("")
    await white.page.evaluate("dispatchEvent(new Event('pagehide'))")
    await expect(white.page.locator("#chat-text")).to_have_value("good luck")


KEYBOARD = """height => {
    Object.defineProperty(visualViewport, 'height', { value: innerHeight - height, configurable: true });
    visualViewport.dispatchEvent(new Event('resize'));
}"""
"""As a phone tells that its keyboard has come up, or has gone: so much lower is what is seen of the page."""
SHEET = "#chat"
PARTS = "#chat-lines, #chat-text, #chat-send, #chat-close"


async def test_on_a_phone_the_chat_is_a_sheet_of_half_the_screen_above_the_keyboard(seat):
    """Where pockets left it one line without feet, and none at all on a phone on its side below a notice."""
    white, black = await seat(), await seat(**PHONE, locale="es-ES")
    await begin(white, black, "grandhouse")
    await all_make((white, black), "e3e5", "e8e6")
    for number in range(1, 6):
        await say(white, f"line {number}")
    await expect(black.page.locator("#chat-unread")).to_have_text("5")
    (tabs,) = await areas(black.page, "#tabs")
    for left, _, right, _ in await areas(black.page, "#tabs > button"):
        assert tabs[0] <= left < right <= tabs[2]
    assert await black.page.locator("#tabs > button").evaluate_all(TOO_NARROW) == []
    shown = black.page.locator("[role=tabpanel]:visible")
    before = await shown.get_attribute("id")
    for width, height, keyboard, offer, offered in (
        (360, 640, 280, white.offer_draw(), "ofrece tablas"),
        (740, 360, 180, white.page.click("#takeback"), "deshacer"),
    ):
        await black.page.set_viewport_size({"width": width, "height": height})
        await black.look_at("chat")
        for covered in (0, keyboard):
            await black.page.evaluate(KEYBOARD, covered)
            ((left, top, right, bottom),) = await areas(black.page, SHEET)
            assert bottom == height - covered, (width, covered, bottom)
            assert right == width, (width, covered, right)
            assert bottom - top >= min(height / 2, height - covered) - 5, (width, covered, top, bottom)
            for area in await areas(black.page, PARTS):
                assert top <= area[1] < area[3] <= bottom, (width, covered, area)
            lines = await areas(black.page, "#chat-lines")
            assert lines[0][3] - lines[0][1] >= 44, (width, covered, lines)
        await offer
        await expect(black.page.locator("#offers")).to_contain_text(offered)
        for button in await black.page.locator("#offers button").all():
            await button.click(trial=True)
        await black.page.locator("#offers button").last.click()
        await black.page.evaluate(KEYBOARD, 0)
        await (black.page.press("#chat-text", "Escape") if width > height else black.page.click("#chat-close"))
        await expect(shown).to_have_id(before)
        await expect(black.page.locator("#tab-chat")).to_be_focused()


async def test_players_and_watchers_read_who_watches(pair, seat):
    white, black = await pair("chess")
    address = white.page.url.split("#")[0]
    anna, stranger = await seat(**PHONE), await seat()
    assert await register(anna.context.request, anna.site, "Anna") == 200
    for one in (anna, stranger):
        await one.open(address)
    for one in (white, black, anna, stranger):
        await one.look_at("chat")
        await expect(one.page.locator("#chat-title")).to_contain_text("2 watching")
        await expect(one.page.locator("#spectators")).to_have_text("Anna and 1 other")
        await expect(one.page.locator("#spectators")).to_be_in_viewport(ratio=1)
    await stranger.page.goto("about:blank")
    await expect(white.page.locator("#spectators")).to_have_text("Anna")
    await expect(white.page.locator("#spectators a")).to_have_attribute("href", "/@/Anna")
    await anna.page.goto("about:blank")
    await expect(white.page.locator("#spectators")).to_be_hidden()


async def register(request, site, name):
    """Gives a browser an account."""
    fields = {"name": name, "password": PASSWORD}
    return (await request.post(f"{site}/register", form=fields, headers={"Origin": site})).status
