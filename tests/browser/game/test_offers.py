"""An offer is accepted by whoever means to, and by nobody whose click was meant for something else (R2)."""

import asyncio
import json

import pytest
from playwright.async_api import expect

from tests.support.browser.finger import Finger
from tests.support.browser.player import all_see, all_write, begin
from tests.support.browser.screens import PHONE, areas
from tests.support.patience import PATIENCE_S

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DESKTOP = {"viewport": {"width": 1440, "height": 900}}


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


async def test_a_takeback_can_be_asked_for_once_one_has_moved(pair):
    white, black = await pair("chess")
    takeback = black.page.locator("#takeback")
    await white.write("e4")
    await black.sees("e4")
    await expect(white.page.locator("#takeback")).to_be_enabled()
    await expect(takeback).to_be_disabled()
    await black.write("e5")
    await expect(takeback).to_be_enabled()


@pytest.mark.row("R2")
async def test_accept_never_lies_where_a_move_is_made_or_confirmed(seat, counted):
    """Whoever moves, or chooses what a pawn becomes, while an offer comes accepts nothing by that click or the next."""
    phone, black = await seat(**PHONE), await seat()
    await begin(phone, black, "chess", fen="8/P3k3/8/8/8/8/4P3/4K3 w - - 0 1")
    await phone.click("e2", "e4")
    await black.sees("e4")
    await black.write("Kd6")
    await all_see((phone, black), "e4", "Kd6")
    desktop = await seat(**DESKTOP, storage_state=await phone.context.storage_state())
    await desktop.open(phone.page.url)
    screens = {"phone": phone, "desktop": desktop}
    meant = {}
    for name, white in screens.items():
        await white.click("a7", "a8")
        await expect(white.page.locator("#choice")).to_be_visible()
        meant[name] = await areas(white.page, "cg-board") + await areas(white.page, ".choice")
    await black.offer_draw()
    for name, white in screens.items():
        await expect(white.page.locator("#offers")).to_contain_text("offers a draw")
        await white.page.keyboard.press("Escape")
        await expect(white.page.locator("#choice")).to_be_hidden()
        await white.page.click("#resign")
        await expect(white.page.locator("#resign.confirm")).to_be_visible()
        meant[name] += await areas(white.page, "cg-board") + await areas(white.page, "#controls button")
        (accept,) = await areas(white.page, "#offers button:has-text('Accept')")
        assert [area for area in meant[name] if overlap(accept, area)] == [], (name, accept)
    counted("screens", len(screens))


@pytest.mark.row("R2")
async def test_accepting_an_offer_that_a_move_has_overtaken_is_refused_with_a_reason(seat):
    """The news of the move is still on its way to the page where the offer stands."""
    white, black = await seat(), await seat()
    held, late, answered = asyncio.Event(), [], asyncio.Event()

    def connect(line):
        line.connect_to_server().on_message(lambda news: keep(line, news) if held.is_set() else line.send(news))

    def keep(line, news):
        late.append((line, news))
        if json.loads(news)["t"] == "error":
            answered.set()

    await black.page.route_web_socket("**/ws?game=*", connect)
    await begin(white, black, "chess")
    sans = ["e4", "e5", "Nf3"]
    for ply, mover in enumerate((white, black, white)):
        await mover.write(sans[ply])
        await all_see((white, black), *sans[: ply + 1])
    second = await black.context.new_page()
    await second.goto(black.page.url)
    await white.offer_draw()
    await expect(black.page.locator("#offers")).to_contain_text("offers a draw")
    held.set()
    await second.fill("#move-text", "Nc6")
    await second.press("#move-text", "Enter")
    sans.append("Nc6")
    await white.sees(*sans)
    await black.accept()
    await asyncio.wait_for(answered.wait(), PATIENCE_S)
    held.clear()
    for line, news in late:
        line.send(news)
    await expect(black.page.locator("#status")).to_contain_text("This offer no longer stands.")
    await all_see((white, black), *sans)
    for person in (white, black):
        await expect(person.page.locator("#result")).to_be_empty()


IN_SIGHT = """() => {
    const list = document.querySelector('#moves ol').getBoundingClientRect();
    const move = document.querySelector('.ply [aria-current]').getBoundingClientRect();
    return list.top - 1 <= move.top && move.bottom <= list.bottom + 1;
}"""


async def test_the_last_move_stays_in_sight_when_a_notice_comes(seat):
    """A notice takes room from the list of moves."""
    white, black = await seat(viewport={"width": 1000, "height": 560}), await seat()
    await begin(white, black, "chess")
    sans = ["e4", "e5", "d3", "d6", "c3", "c6", "h3", "h6", "g3", "g6", "b3", "b6", "a3", "a6", "f3", "f6"]
    await all_write((white, black), *sans)
    await all_see((white, black), *sans)
    list_height = "document.querySelector('#moves ol').clientHeight"
    before = await white.page.evaluate(list_height)
    assert await white.page.evaluate(f"document.querySelector('#moves ol').scrollHeight > {list_height}")
    await black.offer_draw()
    await expect(white.page.locator("#offers")).to_contain_text("offers a draw")
    assert await white.page.evaluate(list_height) < before
    await white.page.wait_for_function(IN_SIGHT)


async def test_that_an_offer_was_declined_stands_for_a_while_and_is_said_once(pair):
    white, black = await pair("chess")
    status, said = white.page.locator("#status"), white.page.locator("#live")
    await all_write((white, black), "e4", "e5", "Nf3")
    await white.stop_time()
    await white.page.click("#takeback")
    await black.page.get_by_role("button", name="Decline").click()
    await expect(status).to_have_text("Your opponent declines the takeback.")
    await expect(said).not_to_contain_text("takeback")
    await white.page.clock.run_for(5000)
    await expect(status).to_have_text("Your opponent declines the takeback.")
    await white.page.clock.run_for(5000)
    await expect(status).to_be_empty()


FIXED = "#controls > .control, #controls summary, #tabs > button, #seat-bottom, cg-board"


async def test_an_offer_during_the_game_pushes_no_control_away_and_is_whole(seat):
    """Where pockets leave the panel the least room, and words are the longest."""
    white, black = await seat(**PHONE, locale="es-ES"), await seat()
    await begin(white, black, "crazyhouse")
    await all_write((white, black), "e4", "e5")
    for step in ("the game", "looking back"):
        if step == "looking back":
            await white.page.click("#nav-prev")
        before = await areas(white.page, FIXED)
        for offer in ("#takeback", "#adjourn"):
            if offer == "#adjourn":
                await black.open_more()
            await black.page.click(offer)
            await expect(white.page.locator("#offers button")).to_have_count(2)
            assert await areas(white.page, FIXED) == before, (step, offer)
            await white.page.locator("#offers button").first.click(trial=True)
            (board,), (box,) = [await areas(white.page, each) for each in ("cg-board", ".offer")]
            (controls,) = await areas(white.page, "#controls")
            assert board[3] <= box[1] < box[3] <= controls[1] + 1, (step, offer)
            await white.page.locator("#offers button").last.click()
            await expect(white.page.locator("#offers")).to_be_empty()


async def test_a_double_tap_resigns_nothing_and_what_comes_up_under_a_finger_is_not_accepted(seat):
    white, black = await seat(**PHONE), await seat()
    await begin(white, black, "chess")
    await white.click("e2", "e4")
    await black.click("e7", "e5")
    await all_see((white, black), "e4", "e5")
    finger = await Finger.of(white)
    box = await white.page.locator("#resign").bounding_box()
    place = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await finger.tap_twice(*place)
    await expect(white.page.locator("#resign")).to_contain_class("confirm")
    accept = white.page.locator("#offers").get_by_role("button", name="Accept")
    async with finger.in_a_moment():
        await black.offer_draw()
        await accept.wait_for()
        box = await accept.bounding_box()
        await finger.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await expect(accept).to_be_visible()
    await accept.tap()
    await expect(white.page.locator("#ending-title")).to_have_text("Draw")
