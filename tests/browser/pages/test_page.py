"""What holds for the page itself: its size on screens and on the line, its first button, and texts from strangers."""

import gzip
import itertools
import re
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import expect

from tests.support.browser.player import BUSY, all_see
from tests.support.browser.screens import PHONE, assert_inside, assert_no_sideways_scroll, boxes, laid_out
from tests.support.browser.visitor import unfold_terms

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DESKTOPS = ({"width": 820, "height": 1180}, {"width": 1440, "height": 900})
MAX_REQUESTS, MAX_SCRIPT, MAX_PAGE = 10, 60_000, 110_000

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


async def test_everything_to_play_with_is_in_view(seat):
    white, black = await seat(), await seat(**PHONE)
    for variant in ("chess", "capablanca", "grandhouse", "acedrex"):
        await black.open(await white.challenge(variant))
        await black.join()
        await expect(white.page.locator("#invite")).to_be_hidden()
        has_hands = await black.page.locator("#round").get_attribute("data-pockets") != "0"
        hands = ("#pocket-top", "#pocket-bottom") if has_hands else ()
        column = ("#seat-top", *hands[:1], "cg-board", *hands[1:], "#seat-bottom", "#controls")
        seen = await boxes(black.page, *column)
        for name, box in seen.items():
            assert_inside(box, PHONE["viewport"], (variant, name))
        for upper, lower in itertools.pairwise(column):
            assert seen[upper]["y"] + seen[upper]["height"] <= seen[lower]["y"] + 1, (variant, upper, lower)
        await assert_no_sideways_scroll(black.page)
        for viewport in DESKTOPS:
            await resize(white.page, viewport)
            for name, box in (await boxes(white.page, *column[:-1])).items():
                assert_inside(box, viewport, (variant, name))
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
    await unfold_terms(white.page)
    await white.page.check("input[name=color][value=white]", force=True)
    await white.page.click("#create")
    await expect(white.page.locator("#invite-title")).to_have_text("The link is copied: send it to a friend")
    link = await white.page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r"http://localhost:\d+/\w+#[\w-]+", link), link
    assert await white.page.input_value("#invite-link") == link
    await white.page.click("#invite .copy-link:visible")
    await white.page.wait_for_function(f"() => ({MARKED})(document.getElementById('invite-link'))")
    later = await white.context.new_page()
    await later.goto(white.page.url)
    await expect(later.locator("#invite-title")).to_have_text("Send this link to a friend")
    await black.open(link)
    await white.click("e3", "e5")
    await black.sees("e5")
    await black.click("e8", "e6")
    await all_see((white, black), "e5", "e6")
    await expect(white.page.locator("#invite")).to_be_hidden()


@pytest.mark.parametrize(("variant", "locale"), [("grandhouse", "en-US"), ("acedrex", "es-ES")])
async def test_a_game_s_page_is_small(off_screen, seat, variant, locale):
    maker, guest = await off_screen(), await seat(locale=locale)
    link = (await maker.challenge(variant=variant))["link"]
    answers = []
    guest.page.on("response", lambda answer: answers.append(answer))
    await guest.open(link)
    await guest.page.wait_for_load_state("networkidle")
    assert len(answers) <= MAX_REQUESTS, [answer.url for answer in answers]
    weights = {"script": 0, "stylesheet": 0, "font": 0, "document": 0}
    for answer in answers:
        kind = answer.request.resource_type
        if kind in ("script", "stylesheet"):
            assert await answer.header_value("content-encoding") == "br", answer.url
            sent = int(await answer.header_value("content-length"))
            assert sent <= len(gzip.compress(await answer.body())) * 1.1, answer.url
        if kind in weights:
            weights[kind] += int(await answer.header_value("content-length") or 0)
    assert all(weights.values()), weights
    assert weights["script"] <= MAX_SCRIPT, weights
    assert sum(weights.values()) <= MAX_PAGE, weights


async def test_no_page_with_a_board_asks_for_more(seat):
    person = await seat()
    await person.challenge("chess")  # from now on their pages listen for what happens in their games
    for path in ("/analysis/seirawan", "/watch", "/rules/seirawan", "/settings"):
        page, answers = await person.context.new_page(), []
        page.on("response", lambda answer, answers=answers: answers.append(answer.url))
        await page.goto(person.site + path, wait_until="networkidle")
        assert len(answers) <= MAX_REQUESTS, (path, answers)
        await page.close()


@pytest.mark.row("I1")
async def test_what_strangers_write_is_shown_as_it_is(pair):
    people = await pair("chess")
    for number, text in enumerate(PAYLOADS):
        page = people[number % 2].page
        await people[number % 2].look_at("chat")
        await page.fill(".chat-form input", text)
        await page.press(".chat-form input", "Enter")
        for person in people:
            await expect(person.page.locator("#chat-lines li")).to_have_count(number + 1)
    for person in people:
        assert await person.page.locator("#chat-lines li span").all_text_contents() == list(PAYLOADS)
        assert await person.page.locator("#chat-lines li *:not(b, span), #chat-lines li * *").count() == 0


async def test_a_move_taken_back_at_the_square_leaves_the_board_as_it_was(seat):
    start = "8/P3k3/8/8/8/8/4P3/4K3 w - - 0 1"
    white = await seat()
    await white.challenge("chess", fen=start)
    for way_out in ("Escape", "Tab", "square", "button"):
        await white.click("a7", "a8")
        await expect(white.page.locator("#choice")).to_be_visible()
        if way_out == "square":
            await white.click("h5")
        elif way_out == "button":
            await white.page.click("#flip")
            await white.page.click("#flip")
        else:
            await white.page.keyboard.press(way_out)
        await expect(white.page.locator("#choice")).to_be_hidden()
        await white.shows(start)
    await white.click("e2", "e4")
    await white.sees("e4")


@pytest.fixture
def black(off_screen, seat):
    """Somebody with Black at a new game of chess, and the line of an opponent without a browser."""

    @asynccontextmanager
    async def sit_down(forbidden=""):
        friend, player = await off_screen(), await seat()
        if forbidden:
            await player.page.add_init_script(forbidden)
        game = await friend.challenge()
        await player.open(f"{player.site}/{game['id']}#{game['secret']}")
        await player.join()
        async with friend.follow(game) as line:
            yield player, line

    return sit_down


async def test_a_premove_that_became_impossible_is_let_go(black):
    async with black() as (player, white):
        await player.click("d7", "d5")
        await white.move(0, "e2e4")
        await player.sees("e4", "d5")
        await player.click("d5", "c4")
        await expect(player.page.locator(".current-premove")).not_to_have_count(0)
        await white.move(2, "a2a3")
        await player.sees("e4", "d5", "a3")
        await expect(player.page.locator(".current-premove")).to_have_count(0)
        await player.click("d5", "e4")
        await player.sees("e4", "d5", "a3", "dxe4")


async def test_a_premove_goes_with_the_move_that_is_taken_back(black):
    async with black() as (player, white):
        await white.move(0, "e2e4")
        await player.sees("e4")
        await player.click("d7", "d5")
        await player.sees("e4", "d5")
        await player.click("a7", "a6")
        await expect(player.page.locator(".current-premove")).not_to_have_count(0)
        await player.page.click("#takeback")
        offer = await white.until("offered")
        await white.send({"t": "accept", "id": 8, "offer": offer["offer"]})
        await player.sees("e4")
        await expect(player.page.locator(".current-premove")).to_have_count(0)
        await player.click("e7", "e6")
        await player.sees("e4", "e6")


async def test_a_premove_stays_marked_when_something_comes_while_the_page_is_busy(black):
    async with black() as (player, white):
        await player.page.evaluate(BUSY)
        await player.click("d7", "d5")
        await white.send({"t": "chat", "id": 9, "text": "well, well"})
        await expect(player.page.locator(".chat-lines")).to_contain_text("well, well")
        await player.page.evaluate("idle()")
        await expect(player.page.locator(".current-premove")).to_have_count(2)
        await white.move(0, "e2e4")
        await player.sees("e4", "d5")


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


async def test_a_browser_that_may_remember_nothing_plays_all_the_same(black):
    async with black(FORBIDDEN) as (player, white):
        await white.move(0, "e2e4")
        await player.click("e7", "e5")
        await player.sees("e4", "e5")
        await white.until("moved")
        await white.send({"t": "chat", "id": 9, "text": "Good luck"})
        await expect(player.page.locator("#chat-lines li")).to_have_count(1)
        await player.look_at("chat")
        await expect(player.page.locator("#chat-unread")).to_be_hidden()
