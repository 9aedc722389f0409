"""A piece of the pocket is taken first, what it can enter behind is marked, and one move does both: by every hand.

On every variant whose pieces enter so.
"""

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import audit
from tests.support.browser.finger import Finger
from tests.support.browser.player import BUSY, all_see, begin
from tests.support.browser.screens import PHONE
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

GATING = sorted(name for name, variant in VARIANTS.items() if variant.gates)
CASTLING = "rnbqk2r/pppppppp/8/8/8/8/PPPPPPPP/RNBQK2R[HEhe] w KQBCDkqbcd - 0 1"
SETTLED = "new Promise(done => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 4))"
"""The board tells a moment after the press what is held."""

MARKED = """kind => {
    const board = document.querySelector('cg-board');
    const black = board.closest('.cg-wrap').classList.contains('orientation-black');
    return [...document.querySelectorAll(`.square-gate${kind}`)].map(mark => {
        const [x, y] = ['left', 'top'].map(edge => Math.round(parseFloat(mark.style[edge]) * 8 / 100));
        return String.fromCharCode(97 + (black ? 7 - x : x)) + (black ? y + 1 : 8 - y);
    }).sort();
}"""

assert len(GATING) > 1


def rank(number):
    return [f"{file}{number}" for file in "abcdefgh"]


async def marked(player, kind=""):
    await player.page.evaluate(SETTLED)
    return await player.page.evaluate(MARKED, kind)


async def carry(player, role, target):
    """Drags a piece of the pocket onto one of one's own."""
    await player.drop(role, target)
    await player.page.evaluate(SETTLED)


async def test_pieces_that_may_still_gate_are_marked_until_they_have_moved(pair):
    white, black = await pair(GATING[0])
    for person in (white, black):
        assert await marked(person) == sorted(rank(1) + rank(8))
    await white.click("b1", "c3")
    await white.choose("No piece")
    for person in (white, black):
        await person.sees("Nc3")
        assert await marked(person) == sorted(rank(1)[:1] + rank(1)[2:] + rank(8))


@pytest.mark.parametrize("name", GATING)
async def test_taken_first_by_clicks_by_drag_and_in_advance(pair, name):
    white, black = await pair(name)
    await white.pick("h")
    assert await marked(white, ".ready") == ["b1", "g1"]
    await black.pick("e")
    assert await marked(black, ".ready") == rank(8)
    await black.click("b8")
    assert await marked(black, ".bound") == ["b8"]
    await black.click("c6")
    await expect(black.page.locator(".current-premove")).to_have_count(2)
    await white.click("b1")
    assert await marked(white, ".bound") == ["b1"]
    await expect(white.page.locator("square.move-dest")).to_have_count(2)
    await white.click("c3")
    await all_see((white, black), "Nc3/H", "Nc6/E")
    await carry(white, "e", "g1")
    assert await marked(white, ".bound") == ["g1"]
    await carry(black, "h", "g8")
    assert await marked(black, ".bound") == ["g8"]
    await black.drag("g8", "f6")
    await white.drag("g1", "f3")
    await all_see((white, black), "Nc3/H", "Nc6/E", "Nf3/E", "Nf6/H")
    assert await marked(white) == []


async def test_it_is_held_while_the_page_is_busy_and_draws_itself_anew(pair):
    """A line of the chat comes between the press and what the board tells of it."""
    white, black = await pair("seirawan")
    moves = ((black, white, "h", "b8", "c6"), (white, black, "e", "g1", "f3"))
    for number, (mover, other, role, origin, target) in enumerate(moves, start=1):
        await mover.pick(role)
        await mover.click(origin)
        assert await marked(mover, ".bound") == [origin]
        await mover.page.evaluate(BUSY)
        await mover.click(target)
        await other.look_at("chat")
        await other.page.fill("#chat-text", "hello")
        await other.page.press("#chat-text", "Enter")
        await expect(mover.page.locator("#chat-lines li")).to_have_count(number)
        await mover.page.evaluate("idle()")
    await all_see((white, black), "Nf3/E", "Nc6/H")


async def test_what_was_taken_first_is_put_back_and_a_plain_move_asks_again(pair):
    white, black = await pair("seirawan")
    page = white.page

    async def escape():
        await page.focus("#board")
        await page.keyboard.press("Escape")

    for put_back in (escape, lambda: white.click("e5"), lambda: white.pick("h"), lambda: white.click("e2")):
        await white.pick("h")
        assert await marked(white, ".ready") == ["b1", "g1"]
        await put_back()
        assert await marked(white, ".ready") == []
        await escape()
    await white.pick("h")
    await white.click("b1")
    await white.click("b5")
    assert await marked(white, ".bound") == []
    await white.click("b1", "c3")
    await expect(page.get_by_role("menuitem")).to_have_count(3)
    await page.keyboard.press("Escape")
    await white.click("e2", "e4")
    await black.sees("e4")


async def test_at_castling_only_the_place_is_left_to_choose(seat):
    white = await seat()
    await white.challenge("seirawan", fen=CASTLING)
    await white.pick("e")
    await white.click("e1", "g1")
    tiles = white.page.get_by_role("menuitem")
    await expect(tiles).to_have_text(["elephant on e1", "elephant on h1"], ignore_case=True)
    await white.choose("elephant on h1")
    await white.sees("O-O/Eh1")


async def test_by_finger(seat):
    white, black = await seat(**PHONE), await seat()
    await begin(white, black, "seirawan")
    finger = await Finger.of(white)
    hawk = await white.page.locator("#pocket-bottom piece[data-role='h-piece']").bounding_box()
    await finger.tap(hawk["x"] + hawk["width"] / 2, hawk["y"] + hawk["height"] / 2)
    assert await marked(white, ".ready") == ["b1", "g1"]
    for square in ("g1", "h3"):
        await finger.tap(*await white.point(square))
    await all_see((white, black), "Nh3/H")


async def test_by_keys_and_in_words(pair):
    white, black = await pair("seirawan")
    page, said = white.page, white.page.locator("#live")
    await page.focus("#board")
    for key in ("ArrowRight",) * 4:
        await page.keyboard.press(key)
    await expect(said).to_contain_text("elephant")
    await page.keyboard.press("Enter")
    await expect(said).to_contain_text("behind the piece on: b1, g1")
    assert await marked(white, ".ready") == ["b1", "g1"]
    assert await audit(page) == []
    for key in ("ArrowLeft", "ArrowLeft", "Enter"):
        await page.keyboard.press(key)
    await expect(said).to_contain_text("gating elephant on g1")
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "Enter"):
        await page.keyboard.press(key)
    await all_see((white, black), "Nf3/E")
