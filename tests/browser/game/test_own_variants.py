"""A variant that the host has put into a folder of their own, at the board."""

import pytest
from playwright.async_api import expect

from tests.support.browser.engine import LINES, switch_on
from tests.support.browser.player import all_see

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

QUEENS_CASTLE = """
name = "Queens' Castle"
tagline = "Queens in the corners."
differences = ["Queens stand in the corners.", "The king castles with a queen."]
parent = "chess"
chess960 = false
start = "qnbrkbnq/pppppppp/8/8/8/8/PPPPPPPP/QNBRKBNQ w KQkq - 0 1"
[castling]
rook = "q"
"""

TWO_CHECKS = """
name = "Two-check"
tagline = "Give check twice."
differences = ["Whoever has given check twice has won.", "All else is as in chess."]
parent = "chess"
chess960 = false
start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2+2 0 1"
[endings]
checks = 2
"""


@pytest.fixture
def variants_dir(tmp_path):
    folder = tmp_path / "variants"
    folder.mkdir()
    (folder / "queens.toml").write_text(QUEENS_CASTLE)
    (folder / "twochecks.toml").write_text(TWO_CHECKS)
    return folder


async def test_a_king_that_castles_with_a_queen_does_so_in_advance(pair):
    white, black = await pair("queens", fen="4k2q/8/8/8/8/8/P7/4K3 w k - 0 1")
    await black.drag("e8", "g8")
    await white.click("a2", "a3")
    await all_see((white, black), "a3", "O-O")
    await black.shows("5qk1/8/8/8/8/P7/8/4K3")


async def test_a_variant_without_tasks_has_no_way_to_them_on_the_front_page(visitor):
    anna = await visitor()
    tasks, line = anna.page.locator("#chosen-tasks"), anna.page.locator("#lesson-progress")
    for variant, there in (("chess", True), ("queens", False), ("grand", True)):
        await anna.choose(variant)
        await expect(anna.page.locator("#chosen-rules")).to_have_attribute("href", f"/rules/{variant}")
        await expect(tasks).to_be_visible(visible=there)
        await expect(line).to_contain_text("tasks" if there else "")
    await anna.choose("queens")
    await expect(line).to_be_empty()
    await expect(anna.page.locator("#chosen-rules")).to_have_text("Rules and a board to try")


async def test_the_engine_thinks_about_a_hosts_own_variant(visitor):
    anna = await visitor()
    fen = "4k3/8/8/8/8/8/8/3RK2Q w K - 0 1"
    await anna.page.goto(f"{anna.site}/analysis/queens?fen={fen.replace(' ', '_')}")
    await switch_on(anna, 5)
    await expect(anna.page.locator(LINES)).to_have_count(5)
    await anna.page.locator(f"{LINES} button").first.click()
    await expect(anna.page.locator(".tree-move")).to_have_count(1)


async def test_checks_that_were_given_are_counted_beside_each_name_and_in_words(pair):
    white, black = await pair("twochecks", fen="4k3/8/8/8/8/8/7r/R3K3 w - - 2+1 0 1")

    async def told(whites, blacks):
        for player, top, bottom in ((white, blacks, whites), (black, whites, blacks)):
            for place, dots in (("top", top), ("bottom", bottom)):
                await expect(player.page.locator(f"#material-{place} b").first).to_have_text(dots)
            for side, dots in (("White", whites), ("Black", blacks)):
                said = f"{side} has given {dots.count('●')} of 2 checks."
                await expect(player.page.locator("#text-board p", has_text=said)).to_have_count(1)

    await told("○○", "●○")
    await white.click("a1", "a8")
    await told("●○", "●○")
    await black.click("e8", "e7")
    await white.click("a8", "a7")
    await told("●●", "●○")
    for player in (white, black):
        await expect(player.page.locator("#result")).to_have_text("1-0. Black was in check once too often.")
