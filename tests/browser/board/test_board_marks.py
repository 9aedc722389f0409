"""What is marked on the board has a shape of its own, also where the system sets the colours."""

from io import BytesIO
from urllib.parse import quote

import pytest
from PIL import Image, ImageStat
from playwright.async_api import expect

from tests.support.browser.player import begin

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

FORCED = {"forced_colors": "active"}
FRAME = "square => getComputedStyle(square).outlineStyle"
PLACE = """square => {
    const [board, area] = [square.closest('cg-board'), square].map(each => each.getBoundingClientRect());
    return [Math.round((area.x - board.x) / area.width), Math.round((board.bottom - area.bottom) / area.height)];
}"""
GROUND = "square => getComputedStyle(square).backgroundImage"

CHOOSE = """pieces => {
    document.documentElement.dataset.pieces = pieces;
    document.dispatchEvent(new Event('appearancechange'));
}"""


async def redness(piece):
    """How much more red than blue there is on the square of a piece, on average."""
    red, _, blue = ImageStat.Stat(Image.open(BytesIO(await piece.screenshot())).convert("RGB")).mean
    return red - blue


async def frames(player):
    """Square of the last move -> its frame; squares by file and rank from 0, seen from White's side."""
    return {
        tuple(await square.evaluate(PLACE)): await square.evaluate(FRAME)
        for square in await player.page.locator("square.last-move").all()
    }


async def test_the_last_move_has_two_frames_and_a_drop_one(seat):
    white, black = await seat(**FORCED), await seat()
    await begin(white, black, "crazyhouse")
    await white.click("e2", "e4")
    await black.click("d7", "d5")
    await white.sees("e4", "d5")
    assert await frames(white) == {(3, 6): "dashed", (3, 4): "solid"}
    await white.click("e4", "d5")
    await black.sees("e4", "d5", "exd5")
    await black.write("Qxd5")
    await white.sees("e4", "d5", "exd5", "Qxd5")
    await white.drop("p", "e4")
    await black.has(5)
    await expect(white.page.locator("square.last-move")).to_have_count(1)
    assert await frames(white) == {(4, 3): "solid"}


async def test_a_check_is_a_star_and_what_is_planned_is_hatched(seat):
    white, black = await seat(**FORCED), await seat(**FORCED)
    await begin(white, black, "chess")
    await white.click("e2", "e4")
    await black.click("d7", "d5")
    await white.click("f1", "b5")
    await black.sees("e4", "d5", "Bb5+")
    star = black.page.locator("square.check")
    assert "svg" in await star.evaluate(GROUND)
    await white.click("d1", "e2")
    planned = white.page.locator("square.current-premove")
    await expect(planned).to_have_count(2)
    assert "repeating-linear-gradient" in await planned.first.evaluate(GROUND)


async def test_pieces_that_may_still_let_one_in_have_a_wedge(pair):
    white, black = await pair("seirawan")
    wedges = white.page.locator(".square-gate")
    await expect(wedges).to_have_count(16)
    await white.click("b1", "c3")
    await white.choose("hawk")
    await black.sees("Nc3/H")
    await expect(wedges).to_have_count(15)
    await black.write("Nc6/H")
    await white.has(2)
    await white.write("Nf3/E")
    await black.has(3)
    # White has nothing left to let in.
    await expect(wedges).to_have_count(7)


async def test_a_promoted_side_has_another_colour_in_pictures_and_letters(seat):
    anna = await seat()
    fen = "4k1b1/5+b2/8/8/8/8/5+B2/4K1B1[] w - - 0 1"
    await anna.open(f"{anna.site}/analysis/shogun?fen={quote(fen)}")
    await expect(anna.page.locator("cg-board piece")).to_have_count(6)
    for pieces in ("carved", "letters"):
        await anna.page.evaluate(CHOOSE, pieces)
        for color in ("white", "black"):
            plain, promoted = [
                await redness(anna.page.locator(f"cg-board piece.{role}-piece.{color}")) for role in ("b", "pb")
            ]
            assert promoted > plain + 8, (pieces, color)


async def test_the_squares_that_win_are_marked_and_end_the_game_when_the_king_arrives(pair):
    white, black = await pair("kingofthehill", fen="6k1/5ppp/1b6/8/8/3K4/5PPP/8 w - - 0 1")
    for player in (white, black):
        marks = player.page.locator(".square-goal")
        await expect(marks).to_have_count(4)
        places = {tuple(await mark.evaluate("({ style }) => [style.left, style.top]")) for mark in await marks.all()}
        assert places == {(left, top) for left in ("37.5%", "50%") for top in ("37.5%", "50%")}
    await white.click("d3", "e4")
    for player in (white, black):
        await expect(player.page.locator("#result")).to_have_text("1-0. The goal was reached.")
