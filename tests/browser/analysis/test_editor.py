"""A position set up on a board, by mouse, by finger and by keyboard; the core says what can be played."""

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import audit_on_each_screen
from tests.support.browser.analysing import shown
from tests.support.browser.screens import PHONE
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def editing(player):
    await player.page.locator("#tab-set-up").click()
    await player.page.locator("#edit").click()
    await expect(player.page.locator("#editor")).to_be_visible()
    return player.page.locator("#editor")


def square(editor, name):
    return editor.locator(f"[data-square='{name}']")


async def drag(page, editor, *way):
    boxes = [await square(editor, name).bounding_box() for name in way]
    (x, y), *rest = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    await page.mouse.move(x, y)
    await page.mouse.down()
    for x, y in rest:
        await page.mouse.move(x, y, steps=3)
    await page.mouse.up()


@pytest.mark.parametrize("variant", ["seirawan", "shogun", "acedrex"])
async def test_what_was_not_changed_is_the_same_position(analyst, variant):
    anna = await analyst(variant)
    editor = await editing(anna)
    await editor.get_by_role("button", name="Use this position").click()
    await expect(editor).to_be_hidden()
    await shown(anna, VARIANTS[variant].start_fen)


async def test_pieces_are_dragged_put_drawn_and_taken_away_by_mouse(analyst):
    anna = await analyst("crazyhouse")
    page, editor = anna.page, await editing(anna)
    await drag(page, editor, "e2", "e4")
    await editor.get_by_role("button", name="white queen", exact=True).click()
    await drag(page, editor, "a4", "b4", "c4")
    await editor.get_by_role("button", name="Take away").click()
    await square(editor, "h7").click()
    await editor.get_by_role("button", name="One black knight more in the pocket").click()
    await editor.get_by_label("To move").select_option("Black")
    await editor.get_by_role("button", name="Use this position").click()
    await expect(editor).to_be_hidden()
    await shown(anna, "rnbqkbnr/ppppppp1/8/8/QQQ1P3/8/PPPP1PPP/RNBQKBNR[n] b KQkq - 0 1")
    await anna.write("N@e3")
    await expect(page.locator(".tree .san")).to_have_text(["N@e3"])


async def test_a_promoted_pawn_is_a_piece_of_its_own_where_captures_are_dropped(analyst):
    anna = await analyst("crazyhouse")
    editor = await editing(anna)
    await editor.get_by_role("button", name="white queen (a promoted pawn)", exact=True).click()
    await square(editor, "e5").click()
    await expect(square(editor, "e5")).to_have_attribute("aria-label", "e5, white queen (a promoted pawn)")
    await editor.get_by_label("To move").select_option("Black")
    await editor.get_by_role("button", name="Use this position").click()
    await expect(editor).to_be_hidden()
    await shown(anna, "rnbqkbnr/pppppppp/8/4Q~3/8/8/PPPPPPPP/RNBQKBNR[] b KQkq - 0 1")
    for move in ("Nf6", "Nf3", "Nc6", "h3", "Nxe5"):
        await anna.write(move)
    await shown(anna, "r1bqkb1r/pppppppp/5n2/4n3/8/5N1P/PPPPPPP1/RNBQKB1R[p] w KQkq - 0 4")


async def test_a_position_that_cannot_be_is_refused_in_words_and_stays(analyst):
    anna = await analyst("chess")
    editor = await editing(anna)
    await editor.get_by_role("button", name="Empty board").click()
    await editor.get_by_role("button", name="Use this position").click()
    await expect(editor.locator("#editor-problem")).to_contain_text("king")
    for piece, target in (("white king", "e1"), ("black king", "e8"), ("white rook", "a1")):
        await editor.get_by_role("button", name=piece, exact=True).click()
        await square(editor, target).click()
    await editor.get_by_text("White O-O-O").click()
    await editor.get_by_role("button", name="Use this position").click()
    await expect(editor).to_be_hidden()
    await shown(anna, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    await anna.write("O-O-O")
    await expect(anna.page.locator(".tree .san")).to_have_text(["O-O-O"])
    anna.problems = [problem for problem in anna.problems if "400" not in problem]


async def test_by_keyboard_alone(analyst):
    anna = await analyst("chess")
    page, editor = anna.page, await editing(anna)
    await square(editor, "a8").focus()
    for key in ["ArrowRight", *["ArrowDown"] * 7, "Enter", "ArrowRight", "ArrowUp", "ArrowUp", "Enter"]:
        await page.keyboard.press(key)
    await expect(square(editor, "c3")).to_have_attribute("aria-label", "c3, white knight")
    await expect(square(editor, "c3")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(editor).to_be_hidden()
    await shown(anna, VARIANTS["chess"].start_fen)


async def test_by_finger_on_a_phone_and_within_the_guidelines(analyst):
    anna = await analyst("seirawan", **PHONE)
    editor = await editing(anna)
    await square(editor, "e2").tap()
    await square(editor, "e4").tap()
    assert await audit_on_each_screen(anna.page) == []
    await editor.get_by_role("button", name="Use this position").tap()
    await expect(editor).to_be_hidden()
    await shown(anna, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR[EHeh] w KQBCDFGkqbcdfg - 0 1")
