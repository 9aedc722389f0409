"""The engine beside a board falls silent where the reader plays a game with what it shows, and speaks again later."""

import pytest
from playwright.async_api import expect

from tests.support.browser.engine import LINES
from tests.support.browser.player import all_write, begin

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DAYS = {"kind": "correspondence", "days": 3}
SILENT = "You are playing a game with this position or one like it, so the engine is silent. Fair play"


async def confirmed(players, *moves):
    for ply, move in enumerate(moves):
        mover = players[ply % 2]
        await mover.write(move)
        await mover.page.click("#confirm-play")
        for player in players:
            await player.has(ply + 1)


async def test_the_engine_is_silent_at_the_position_of_a_game_and_behind_it_until_that_is_over(analyst, seat):
    white, black = await seat(), await seat()
    await begin(white, black, "chess", clock=DAYS)
    await confirmed((white, black), "e4", "e5")
    page = await white.page.context.new_page()
    await page.goto(f"{white.site}/analysis/chess#m=e2e4.e7e5.g1f3")
    state, engine = page.locator("#engine-state"), page.locator("#engine-on")
    await page.locator(".tree .san", has_text="Nf3").wait_for()
    await engine.check()
    await expect(state).to_have_text(SILENT)
    await expect(page.locator(LINES)).to_have_count(0)
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowLeft")
    await expect(state).to_contain_text("Depth")
    await expect(page.locator(LINES)).not_to_have_count(0)
    await page.keyboard.press("ArrowRight")
    await expect(state).to_have_text(SILENT)
    await expect(page.locator(".cg-shapes line")).to_have_count(0)
    await page.click("#tab-report")
    await page.click("#report-make")
    await expect(page.locator("#report-state")).to_have_text(SILENT.removesuffix(" Fair play"))
    await page.click("#tab-set-up")
    await page.locator("#openings summary").click()
    await expect(page.locator("#openings-body")).to_contain_text("This comes from a game that you are playing")
    await page.click("#tab-moves")
    await white.resign()
    await expect(state).to_contain_text("Depth")


async def test_the_engine_knows_a_move_of_the_game_that_is_set_up_in_another_variant(analyst, seat):
    white, black = await seat(), await seat()
    await begin(white, black, "chess", clock=DAYS)
    await confirmed((white, black), "e4", "e5")
    page = await white.page.context.new_page()
    moved = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R_b_KQkq_-_0_1"
    await page.goto(f"{white.site}/analysis/kingofthehill?fen={moved}")
    await page.locator("#engine-on").check()
    await expect(page.locator("#engine-state")).to_have_text(SILENT)
    await page.goto(f"{white.site}/analysis/kingofthehill?fen={moved.replace('PPPP1PPP', 'P4PPP')}")
    await expect(page.locator("#engine-state")).to_contain_text("Depth")


async def test_a_player_who_asks_for_the_analysis_of_their_game_is_told_why_not(seat):
    white, black = await seat(), await seat()
    address = await begin(white, black, "crazyhouse") or white.page.url
    game = address.rsplit("/", 1)[1].split("#")[0]
    await all_write((white, black), "e4")
    page = await white.page.context.new_page()
    await page.goto(f"{white.site}/analysis/crazyhouse?game={game}")
    await expect(page.locator("main")).to_contain_text("This comes from a game that you are playing")
    await page.goto(f"{white.site}/analysis/crazyhouse")
    await page.locator("#engine-on").check()
    await expect(page.locator("#engine-state")).to_contain_text("You are playing in real time on a board of this size")
    await page.goto(f"{white.site}/analysis/grand")
    await expect(page.locator("#engine-state")).to_contain_text("Depth")
    await page.get_by_role("link", name="Fair play").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Fair play")
