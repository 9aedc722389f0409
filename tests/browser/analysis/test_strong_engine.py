"""Fairy-Stockfish beside the analysis board, in a real browser: chosen, heard, and replaced where it cannot play."""

import re

import pytest
import pytest_asyncio
from playwright.async_api import expect

from server.rules.notation.fen import start_position
from tests.support.browser.accessibility import audit_on_each_screen
from tests.support.browser.engine import LINES, first_moves, sans, switch_on, thought
from tests.support.browser.player import begin
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ITS_FILES = re.compile(r"/(fairy-stockfish|strong_engine)")
NAME = ".engine-head .switched span"
TOO_LARGE = next(one.id for one in VARIANTS.values() if one.files > 12 or one.ranks > 10)
TEN_BY_TEN = next(one.id for one in VARIANTS.values() if one.files == one.ranks == 10 and one.pocket)
FAIRY, OWN = "Fairy-Stockfish", "Fairyhouse's engine"


@pytest_asyncio.fixture(loop_scope="session")
async def strong(analyst):
    """Somebody who has chosen Fairy-Stockfish at the board of a variant."""
    opened = []

    async def open_board(name, more=""):
        player = await analyst(name, more)
        opened.append(player)
        await player.page.evaluate("localStorage.setItem('engine', JSON.stringify({on: true, lines: 2, strong: true}))")
        await player.page.reload()
        await expect(player.page.locator("#engine-choice")).to_be_visible()
        return player

    yield open_board
    for player in opened:
        await player.page.evaluate("localStorage.removeItem('engine')")


async def test_it_is_loaded_when_it_is_chosen_and_that_is_remembered(analyst):
    anna = await analyst("chess")
    page, asked = anna.page, []
    page.context.on("request", lambda request: asked.append(request.url))
    await switch_on(anna, 1)
    await expect(page.locator(NAME)).to_have_text(OWN)
    assert [url for url in asked if ITS_FILES.search(url)] == []
    await page.select_option("#engine-choice", index=1)
    await expect(page.locator(NAME)).to_have_text(FAIRY)
    await thought(anna)
    await expect(page.locator("#engine-state")).to_have_text(re.compile(r"Depth \d\d.* k/s"))
    assert [url for url in asked if ITS_FILES.search(url)]
    await page.reload()
    await expect(page.locator(NAME)).to_have_text(FAIRY)
    await thought(anna)
    await page.select_option("#engine-choice", index=0)
    await expect(page.locator(NAME)).to_have_text(OWN)
    await thought(anna)
    await page.evaluate("localStorage.removeItem('engine')")


async def test_it_plays_the_variant(strong):
    anna = await strong(TEN_BY_TEN)
    page = anna.page
    await expect(page.locator(NAME)).to_have_text(FAIRY)
    await thought(anna)
    await expect(page.locator(LINES)).to_have_count(2)
    found = await first_moves(anna)
    assert len(set(found)) == 2
    assert set(found) <= sans(start_position(VARIANTS[TEN_BY_TEN]))
    await expect(page.locator("#engine-note")).to_have_text("Source and licence (GPL-3)")


async def test_it_follows_the_board_and_sees_the_mate_and_the_threat(strong):
    anna = await strong("chess", "?fen=6k1/5ppp/8/8/8/8/q4PPP/1R4K1_w_-_-_0_1")
    page = anna.page
    await expect(page.locator(LINES).first).to_contain_text("#1")
    await anna.write("h3")
    await expect(page.locator("#engine-score")).not_to_contain_text("#")
    await page.goto(f"{anna.site}/analysis/chess?fen=6k1/5ppp/8/8/8/8/q4PPP/6K1_w_-_-_0_1")
    await thought(anna)
    await page.keyboard.press("x")
    await expect(page.locator(LINES)).to_have_count(1)
    await expect(page.locator(LINES)).to_contain_text(re.compile(r"#−1.*Q[ab]1#", re.DOTALL))


async def test_where_it_has_no_board_ours_speaks_and_says_why_which_can_be_read_on_every_screen(strong):
    anna = await strong(TOO_LARGE)
    await thought(anna)
    await expect(anna.page.locator(NAME)).to_have_text(OWN)
    await expect(anna.page.locator("#engine-note")).to_contain_text("no board as large")
    await expect(anna.page.locator("#engine-choice")).to_have_value(re.compile(FAIRY))
    assert await audit_on_each_screen(anna.page) == []


async def without_isolation(route):
    """The page as a browser sees it that knows nothing of isolation."""
    answer = await route.fetch()
    headers = {name: text for name, text in answer.headers.items() if name != "cross-origin-embedder-policy"}
    await route.fulfill(response=answer, headers=headers)


async def test_where_the_browser_cannot_run_it_ours_speaks(strong):
    anna = await strong("chess")
    page = anna.page
    await page.route("**/analysis/chess", without_isolation)
    await page.reload()
    await thought(anna)
    await expect(page.locator(NAME)).to_have_text(OWN)
    await expect(page.locator("#engine-note")).to_contain_text("cannot run here")
    await page.unroute("**/analysis/chess")


async def test_where_it_fails_ours_goes_on(strong):
    anna = await strong("chess")
    page = anna.page
    await thought(anna)
    await page.context.route("**/fairy-stockfish-*.wasm", lambda route: route.fulfill(body="no program"))
    await page.reload()
    await expect(page.locator("#engine-note")).to_contain_text("has stopped")
    await thought(anna)
    await expect(page.locator(NAME)).to_have_text(OWN)
    await page.context.unroute("**/fairy-stockfish-*.wasm")


async def test_a_game_that_is_over_has_it_once_its_page_is_loaded_anew(seat):
    white, black = await seat(), await seat()
    await begin(white, black, "crazyhouse")
    await white.write("e4")
    await black.has(1)
    await black.write("e5")
    await white.has(2)
    await black.resign()
    page = white.page
    await switch_on(white, 1)
    await page.select_option("#engine-choice", index=1)
    await expect(page.locator("#engine-note")).to_contain_text("Loading the page again")
    await page.reload()
    await thought(white)
    await expect(page.locator(NAME)).to_have_text(FAIRY)
    await page.evaluate("localStorage.removeItem('engine')")
