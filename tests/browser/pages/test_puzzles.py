"""Puzzles in a browser: solved by mouse and by keyboard, failed, given up; what is kept of it; and none at all."""

from dataclasses import replace

import pytest
import pytest_asyncio
from playwright.async_api import expect

from server.storage.tables.puzzles import Searched
from server.web.site import SITE
from tests.support.browser.accessibility import audit_on_each_screen
from tests.support.browser.screens import laid_out
from tests.support.puzzles import CASTLED, SMOTHERED

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

FOOLS_MATE = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2"
BLACKS = replace(SMOTHERED, id="blacks", fen=FOOLS_MATE, line=("d8h4",), last="g2g4")
POINT = """([square, flipped]) => {
    const area = document.querySelector('#try-board cg-board').getBoundingClientRect();
    const [x, y] = [square.charCodeAt(0) - 97, 8 - Number(square.slice(1))];
    const at = of => (flipped ? 7 - of : of) + 0.5;
    return [area.x + at(x) * area.width / 8, area.y + at(y) * area.height / 8];
}"""


@pytest_asyncio.fixture(loop_scope="session")
async def store(host):
    """That of the site, with a puzzle for White."""
    store = host.runner.app[SITE].store
    await store.puzzles.keep_puzzles(Searched(SMOTHERED.game, "chess", 1), [SMOTHERED])
    return store


async def arrive(person):
    page = person.page
    await page.goto(f"{person.site}/puzzles/chess")
    await expect(page.locator("#puzzle-ask")).to_have_text("Your turn: find the best move for White.")
    return page


async def click(page, *squares, flipped=False):
    for square in squares:
        await laid_out(page)
        await page.mouse.click(*await page.evaluate(POINT, [square, flipped]))


async def queen_is_taken(page):
    """The reply stands on the board, and it is the solver's turn again."""
    await expect(page.locator("#try-board cg-board piece.white.q-piece")).to_have_count(0)
    await expect(page.locator('#try-board [aria-busy="false"]')).to_have_count(1)


async def test_a_puzzle_is_solved_and_a_guests_rating_is_kept_in_the_browser(seat, store):
    page = await arrive(await seat())
    rating = page.locator("#puzzle-rating")
    await expect(rating).to_have_text("Your first puzzle gives you a rating.")
    await click(page, "c4", "g8")
    await expect(page.locator("#try-says")).to_have_text("Right. Go on.")
    await queen_is_taken(page)
    await click(page, "h6", "f7")
    await expect(page.locator("#puzzle-ask")).to_have_text("Solved!")
    await expect(page.locator("#puzzle-about")).to_have_text("The puzzle is rated 1500. Mate")
    await expect(rating).to_contain_text("+")
    await expect(page.locator("#puzzle-streak")).to_have_text("In a row: 1 (best: 1)")
    analyse = await page.locator("#puzzle-analyse").get_attribute("href")
    assert analyse.startswith("/analysis/chess#")
    assert analyse.endswith("m=c4g8.f8g8.h6f7&p=0")
    await page.click("#puzzle-next")
    await expect(page.locator("#try-says")).to_have_text(
        "You have seen all puzzles of Chess. New ones come when the host makes them."
    )
    await page.reload()
    await expect(page.locator("#puzzle-streak")).to_have_text("In a row: 1 (best: 1)")
    await store.puzzles.keep_puzzles(Searched("other", "chess", 1), [BLACKS])
    await page.goto(f"{page.url.partition('#')[0]}?again")
    await expect(page.locator("#puzzle-ask")).to_have_text("Your turn: find the best move for Black.")
    await click(page, "d8", "h4", flipped=True)
    await expect(page.locator("#puzzle-streak")).to_have_text("In a row: 2 (best: 2)")


async def test_a_wrong_move_is_told_and_can_be_tried_again(seat, store):
    page = await arrive(await seat())
    await click(page, "c4", "c8")
    await expect(page.locator("#try-says")).to_have_text("That is not it. Try something else.")
    await expect(page.locator("#puzzle-streak")).to_have_text("In a row: 0 (best: 0)")
    await page.click("#puzzle-again")
    await expect(page.locator("#try-says")).to_have_text("")
    await click(page, "c4", "g8")
    await queen_is_taken(page)
    await click(page, "h6", "f7")
    await expect(page.locator("#puzzle-ask")).to_have_text("Solved!")
    await expect(page.locator("#puzzle-streak")).to_have_text("In a row: 0 (best: 0)")


async def test_it_is_solved_by_keyboard_alone(seat, store):
    page = await arrive(await seat())
    board = page.locator("#try-board [role=application]")

    async def play(origin, target):
        await board.focus()
        for square in (origin, target):
            for _ in range(8):
                await page.keyboard.press("ArrowLeft")
                await page.keyboard.press("ArrowDown")
            for _ in range(ord(square[0]) - ord("a")):
                await page.keyboard.press("ArrowRight")
            for _ in range(int(square[1]) - 1):
                await page.keyboard.press("ArrowUp")
            await page.keyboard.press("Enter")

    await play("c4", "g8")
    await queen_is_taken(page)
    await play("h6", "f7")
    await expect(page.locator("#puzzle-ask")).to_have_text("Solved!")
    await expect(page.locator("#puzzle-next")).to_be_focused()


async def test_in_a_960_puzzle_one_castles_by_putting_the_king_on_the_rook(seat, store):
    await store.puzzles.keep_puzzles(Searched(CASTLED.game, "chess", 1), [CASTLED])
    person = await seat()
    page = person.page
    await page.goto(f"{person.site}/puzzles/chess960")
    await expect(page.locator("#puzzle-ask")).to_have_text("Your turn: find the best move for White.")
    await click(page, "b1", "c1")
    await expect(page.locator("#try-says")).to_have_text("That is not it. Try something else.")
    await page.click("#puzzle-again")
    await expect(page.locator("#try-says")).to_have_text("")
    await click(page, "b1", "a1")
    await expect(page.locator("#puzzle-ask")).to_have_text("Solved!")
    await expect(page.locator("#puzzle-about")).to_contain_text("Castling")


async def test_the_solution_is_shown_to_whoever_gives_up(seat, store):
    page = await arrive(await seat())
    await page.click("#puzzle-solution")
    await expect(page.locator("#puzzle-ask")).to_have_text("This is the solution.")
    await expect(page.locator("#try-board cg-board piece.white.n-piece")).to_have_count(1)
    await expect(page.locator("#puzzle-streak")).to_have_text("In a row: 0 (best: 0)")
    await expect(page.locator("#puzzle-solution")).to_be_hidden()


async def test_the_pages_keep_the_guidelines_with_puzzles_too(seat, store):
    person = await seat()
    page = await arrive(person)
    found = {"asked": await audit_on_each_screen(page)}
    await page.click("#puzzle-solution")
    await expect(page.locator("#puzzle-about")).not_to_be_empty()
    found["solved"] = await audit_on_each_screen(page)
    await page.goto(f"{person.site}/puzzles")
    found["index"] = await audit_on_each_screen(page)
    lead, card = [await page.locator(one).first.bounding_box() for one in (".lead", ".rules-card")]
    assert card["y"] - lead["y"] - lead["height"] >= 12
    assert {when: violations for when, violations in found.items() if violations} == {}


async def test_what_rules_and_first_page_offer_leads_to_puzzles(seat, store):
    person = await seat()
    for address in ("/", "/rules/chess"):
        await person.page.goto(f"{person.site}{address}")
        await person.page.locator('main a[href^="/puzzles"]').click()
        await expect(person.page.locator("h1")).to_contain_text("Puzzles")
