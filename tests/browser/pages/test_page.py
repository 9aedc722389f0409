"""What holds for the page itself: its size on screens and on the line, its first button, and texts from strangers."""

import gzip
import itertools
import re

import pytest
from playwright.async_api import expect

from tests.support.browser.player import BUSY, all_see
from tests.support.browser.screens import PHONE, assert_inside, assert_no_sideways_scroll, boxes, laid_out

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DESKTOPS = ({"width": 820, "height": 1180}, {"width": 1440, "height": 900})
MAX_REQUESTS, MAX_SCRIPT, MAX_STYLE = 10, 60 * 1024, 20 * 1024

PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)><svg onload=alert(2)>",
    "\"><script>alert(1)</script> '><b>bold</b>",
    "javascript:alert(1) <a href=javascript:alert(1)>x</a>",
    "</li></ol><h1>not mine</h1> </script><script>alert(1)</script>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "{{7*7}} ${7*7} <%= 7*7 %> #{7*7}",
    "&lt;img src=x onerror=alert(1)&gt; &amp; &#60;b&#62;",
    "<style>*{display:none}</style><details open ontoggle=alert(1)>",
)
"""Ten lines, as many as two people may say at once; several hold two attempts."""


async def resize(page, viewport):
    """Returns when the page has been laid out anew and has shown it."""
    await page.set_viewport_size(viewport)
    await page.wait_for_function("({ width, height }) => innerWidth === width && innerHeight === height", arg=viewport)
    await laid_out(page)


@pytest.mark.parametrize("variant", ["chess", "capablanca", "grandhouse", "acedrex"])
async def test_everything_to_play_with_is_in_view(seat, variant):
    white, black = await seat(), await seat(**PHONE)
    await black.open(await white.challenge(variant))
    await black.join()
    await expect(white.page.locator("#invite")).to_be_hidden()
    has_hands = await black.page.locator("#round").get_attribute("data-pockets") != "0"
    hands = ("#pocket-top", "#pocket-bottom") if has_hands else ()
    column = ("#seat-top", *hands[:1], "cg-board", *hands[1:], "#seat-bottom", "#controls")
    seen = await boxes(black.page, *column)
    for name, box in seen.items():
        assert_inside(box, PHONE["viewport"], name)
    for upper, lower in itertools.pairwise(column):
        assert seen[upper]["y"] + seen[upper]["height"] <= seen[lower]["y"] + 1, (upper, lower)
    await assert_no_sideways_scroll(black.page)
    for viewport in DESKTOPS:
        await resize(white.page, viewport)
        for name, box in (await boxes(white.page, *column[:-1])).items():
            assert_inside(box, viewport, name)
        await assert_no_sideways_scroll(white.page)


async def test_the_front_page_fits_a_phone(seat):
    person = await seat(**PHONE)
    await person.page.goto(person.site)
    await expect(person.page.locator("#boards cg-board").first).to_be_visible()
    await assert_no_sideways_scroll(person.page)


MARKED = "field => field.selectionEnd - field.selectionStart === field.value.length"


async def test_one_click_puts_a_link_on_the_clipboard_that_a_friend_can_play_by(seat):
    white, black = await seat(), await seat()
    await white.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=white.site)
    await white.page.goto(white.site)
    await white.page.check("input[name=variant][value=grand]", force=True)
    await white.page.check("input[name=color][value=white]", force=True)
    await white.page.click("#create")
    await expect(white.page.locator("#invite")).to_be_visible()
    link = await white.page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r"http://localhost:\d+/\w+#[\w-]+", link), link
    assert await white.page.input_value("#invite-link") == link
    await white.page.click("#invite .copy-link:visible")
    await white.page.wait_for_function(f"() => ({MARKED})(document.getElementById('invite-link'))")
    await black.open(link)
    await white.click("e3", "e5")
    await black.sees("e5")
    await black.click("e8", "e6")
    await all_see((white, black), "e5", "e6")
    await expect(white.page.locator("#invite")).to_be_hidden()


@pytest.mark.parametrize("variant", ["chess", "grandhouse", "acedrex"])
async def test_a_game_s_page_is_small(seat, variant):
    maker, guest = await seat(), await seat()
    link = await maker.challenge(variant)
    answers = []
    guest.page.on("response", lambda answer: answers.append(answer))
    await guest.open(link)
    await guest.page.wait_for_load_state("networkidle")
    assert len(answers) <= MAX_REQUESTS, [answer.url for answer in answers]
    weights = {"script": 0, "stylesheet": 0}
    for answer in answers:
        kind = answer.request.resource_type
        if kind in weights:
            assert await answer.header_value("content-encoding") == "br", answer.url
            sent = int(await answer.header_value("content-length"))
            assert sent <= len(gzip.compress(await answer.body())) * 1.1, answer.url
            weights[kind] += sent
    assert 0 < weights["script"] <= MAX_SCRIPT, weights
    assert 0 < weights["stylesheet"] <= MAX_STYLE, weights


@pytest.mark.row("I1")
async def test_what_strangers_write_is_shown_as_it_is(pair):
    people = await pair("chess")
    for number, text in enumerate(PAYLOADS):
        page = people[number % 2].page
        await page.fill(".chat-form input", text)
        await page.press(".chat-form input", "Enter")
        for person in people:
            await expect(person.page.locator("#chat-lines li")).to_have_count(number + 1)
    for person in people:
        assert await person.page.locator("#chat-lines li span").all_text_contents() == list(PAYLOADS)
        assert await person.page.locator("#chat-lines li *:not(b, span), #chat-lines li * *").count() == 0


async def test_a_move_taken_back_in_the_dialog_leaves_the_board_as_it_was(pair):
    start = "8/P3k3/8/8/8/8/4P3/4K3 w - - 0 1"
    white, black = await pair("chess", fen=start)
    for way_out in ("Escape", "button"):
        await white.click("a7", "a8")
        await expect(white.page.locator("#choice")).to_be_visible()
        if way_out == "Escape":
            await white.page.keyboard.press("Escape")
        else:
            await white.page.click("text=Cancel this move")
        await expect(white.page.locator("#choice")).to_be_hidden()
        await white.shows(start)
    await white.click("e2", "e4")
    await all_see((white, black), "e4")


async def test_a_premove_that_became_impossible_is_let_go(pair):
    white, black = await pair("chess")
    await black.click("d7", "d5")
    await white.click("e2", "e4")
    await all_see((white, black), "e4", "d5")
    await black.click("d5", "c4")
    await expect(black.page.locator(".current-premove")).not_to_have_count(0)
    await white.click("a2", "a3")
    await black.sees("e4", "d5", "a3")
    await expect(black.page.locator(".current-premove")).to_have_count(0)
    await black.click("d5", "e4")
    await all_see((white, black), "e4", "d5", "a3", "dxe4")


async def test_a_premove_stays_marked_when_something_comes_while_the_page_is_busy(pair):
    white, black = await pair("chess")
    await black.page.evaluate(BUSY)
    await white.page.fill(".chat-form input", "well, well")
    await black.click("d7", "d5")
    await white.page.press(".chat-form input", "Enter")
    await expect(black.page.locator(".chat-lines")).to_contain_text("well, well")
    await black.page.evaluate("idle()")
    await expect(black.page.locator(".current-premove")).to_have_count(2)
    await white.click("e2", "e4")
    await all_see((white, black), "e4", "d5")


async def test_a_game_for_two_others_has_a_link_for_each_and_its_maker_watches(seat):
    anna, ben, carla = await seat(), await seat(), await seat()
    links = await anna.set_up_for_others("grandhouse")
    await expect(anna.page.locator(".link-row:visible")).to_have_count(2)
    await expect(anna.page.get_by_text("Link for Black")).to_be_visible()
    await ben.open(links["black"])
    await expect(ben.page.locator("#join-text")).to_contain_text("You have Black")
    await ben.join()
    await expect(anna.page.locator("#invite-black")).to_be_visible()
    await carla.open(links["white"])
    await expect(carla.page.locator("#join-text")).to_contain_text("You have White")
    await carla.click("e3", "e5")
    for person in (anna, ben, carla):
        await expect(person.page.locator(".moves")).to_contain_text("e5")
    await expect(anna.page.locator("#invite")).to_be_hidden()


async def test_a_link_is_shown_as_a_qr_code(seat):
    anna = await seat()
    await anna.challenge("chess")
    await anna.page.click(".code-link:visible")
    await expect(anna.page.get_by_role("img", name="QR code")).to_be_visible()
    width = "async image => { await image.decode(); return image.naturalWidth; }"
    assert await anna.page.locator("#qr-picture").evaluate(width) > 20
    await anna.page.keyboard.press("Escape")
    await expect(anna.page.locator("#qr")).to_be_hidden()


FORBIDDEN = """
for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException(name, 'SecurityError'); } });
"""


async def test_a_browser_that_may_remember_nothing_plays_all_the_same(seat):
    white, black = await seat(), await seat()
    await black.page.add_init_script(FORBIDDEN)
    await black.open(await white.challenge("chess"))
    await black.join()
    await white.click("e2", "e4")
    await black.click("e7", "e5")
    await all_see((white, black), "e4", "e5")
    await white.page.fill(".chat-form input", "Good luck")
    await white.page.press(".chat-form input", "Enter")
    await expect(black.page.locator("#chat-lines li")).to_have_count(1)
    await black.page.locator("#chat").scroll_into_view_if_needed()
    await expect(black.page.locator("#chat-alert")).to_be_hidden()
