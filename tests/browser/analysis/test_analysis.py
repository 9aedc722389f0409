"""The analysis board in a real browser: drops, gates and 12x12, by mouse and by keyboard; variations, taking back."""

import asyncio

import pytest
from playwright.async_api import expect

from tests.support.browser.analysing import after, by_mouse, shown, tried, walk_to
from tests.support.browser.player import BUSY
from tests.support.browser.screens import PHONE, assert_no_sideways_scroll, boxes, laid_out
from tests.support.patience import PATIENCE_S
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MAX_SCRIPT = 60 * 1024


async def test_both_sides_drop_from_their_hands_by_mouse(analyst):
    anna = await analyst("crazyhouse")
    moves = ("e2e4", "d7d5", "e4d5", "d8d5", "P@e6", "P@e5")
    await by_mouse(anna, *moves)
    await tried(anna, "e4", "d5", "exd5", "Qxd5", "P@e6", "P@e5")
    await shown(anna, after("crazyhouse", *moves))


async def test_whose_turn_it_is_stands_in_words_above_the_controls(analyst):
    anna = await analyst("chess")
    line = anna.page.locator(".turn-line")
    await expect(line).to_have_text("White to move")
    (before,) = (await boxes(anna.page, "#controls, .controls")).values()
    await anna.write("f3")
    await expect(line).to_have_text("Black to move")
    for move in ("e5", "g4", "Qh4"):
        await anna.write(move)
        await expect(anna.page.locator("#move-text")).to_have_value("")
    await expect(line).to_contain_text("Checkmate")
    await expect(line.locator("#turn")).to_be_hidden()
    assert list((await boxes(anna.page, "#controls, .controls")).values()) == [before]


async def test_the_third_time_of_a_position_is_announced(analyst):
    anna = await analyst("chess")
    for move in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        await expect(anna.page.locator("#result")).to_be_empty()
        await anna.write(move)
        await expect(anna.page.locator("#move-text")).to_have_value("")
    await expect(anna.page.locator("#result")).to_contain_text("The same position occurred three times")


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["wide", "phone"])
async def test_checks_that_were_given_are_counted_beside_each_side(analyst, screen):
    anna = await analyst("3check", **screen)
    white, black = (anna.page.locator(f"#seat-{place} .seat-name") for place in ("bottom", "top"))
    await expect(white.locator("b")).to_have_text("○○○")
    await by_mouse(anna, "e2e4", "d7d6", "f1b5")
    await expect(white.locator("b")).to_have_text("●○○")
    await expect(white).to_contain_text("White has given 1 of 3 checks.")
    await expect(black.locator("b")).to_have_text("○○○")
    await expect(black).to_be_in_viewport()
    await anna.page.keyboard.press("f")
    await expect(black.locator("b")).to_have_text("●○○")


async def test_a_piece_enters_behind_another_by_choice(analyst):
    anna = await analyst("seirawan")
    await anna.click("b1", "c3")
    await anna.choose("hawk")
    await tried(anna, "Nc3/H")
    await shown(anna, after("seirawan", "b1c3h"))
    await anna.click("g8", "f6")
    await anna.choose("No piece")
    await tried(anna, "Nc3/H", "Nf6")
    await shown(anna, after("seirawan", "b1c3h", "g8f6"))


async def test_the_largest_board_by_keyboard_alone(analyst):
    anna = await analyst("acedrex")
    page = anna.page
    await page.focus("#board")
    await walk_to(anna, *["Up"] * 3)
    await page.keyboard.press("Enter")
    await walk_to(anna, "Up")
    await page.keyboard.press("Enter")
    await tried(anna, "g5")
    await page.keyboard.press("Tab")
    await page.keyboard.press("m")
    await expect(page.locator("#move-text")).to_be_focused()
    await page.keyboard.type("l10k7")
    await page.keyboard.press("Enter")
    await expect(page.locator("#move-problem")).not_to_be_empty()
    await anna.write("g9g8")
    await tried(anna, "g5", "g8")
    await shown(anna, after("acedrex", "g4g5", "g9g8"))
    await expect(page.locator("#live")).to_contain_text("g 8")


async def test_a_drop_on_the_large_board_is_typed(analyst):
    anna = await analyst("grandhouse")
    for move in ("e3e5", "d8d6", "exd6", "Qxd6", "P@e5"):
        await anna.write(move)
        await expect(anna.page.locator("#move-text")).to_have_value("")
    await tried(anna, "e5", "d6", "exd6", "Qxd6", "P@e5")
    await shown(anna, after("grandhouse", "e3e5", "d8d6", "e5d6", "d9d6", "P@e5"))


async def test_variations_are_tried_walked_promoted_and_taken_back(analyst):
    anna = await analyst("chess")
    page = anna.page
    await by_mouse(anna, "e2e4", "e7e5", "g1f3")
    await page.keyboard.press("Home")
    await by_mouse(anna, "e2e4", "c7c5", "b1c3")
    await tried(anna, "e4", "e5", "c5", "Nc3", "Nf3")
    await expect(page.locator(".variation .san")).to_have_text(["c5", "Nc3"])
    await page.locator("body").press("Home")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await shown(anna, after("chess", "e2e4", "e7e5"))
    await page.keyboard.press("ArrowDown")
    await shown(anna, after("chess", "e2e4", "c7c5"))
    await page.click("#promote")
    await expect(page.locator(".variation .san")).to_have_text(["e5", "Nf3"])
    await expect(page.locator("#promote")).to_be_disabled()
    await page.keyboard.press("End")
    await page.keyboard.press("Delete")
    await tried(anna, "e4", "c5", "e5", "Nf3")
    await shown(anna, after("chess", "e2e4", "c7c5"))
    await page.click("#takeback")
    await tried(anna, "e4", "c5", "e5", "Nf3", "Nc3")
    await page.click("#takeback")
    await expect(page.locator(".variation .san")).to_have_text(["c5", "Nc3"])
    await page.keyboard.press("Backspace")
    await tried(anna, "e4", "e5", "c5", "Nf3")
    await page.click("#promote")
    await shown(anna, after("chess", "e2e4", "c7c5"))
    await page.click(".tree button:has-text('e5')")
    await page.keyboard.press("Delete")
    await tried(anna, "e4", "c5")
    await shown(anna, after("chess", "e2e4"))
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Delete")
    await page.locator("#tab-set-up").click()
    await page.click("#clear")
    await tried(anna)
    await shown(anna, VARIANTS["chess"].start_fen)


async def test_the_list_of_moves_is_walked_by_keys_and_keeps_the_focus(analyst):
    anna = await analyst("chess", "#m=e2e4.e7e5.g1f3")
    page = anna.page
    await tried(anna, "e4", "e5", "Nf3")
    await expect(page.locator(".tree button[tabindex='0']")).to_have_count(1)
    await page.focus(".tree button[tabindex='0']")
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator(".tree button:focus")).to_have_text("e5")
    await expect(page.locator(".tree button[aria-current]")).to_have_text("e5")


async def test_arrows_are_drawn_with_the_right_button(analyst):
    anna = await analyst("acedrex")
    mouse = anna.page.mouse
    await mouse.move(*await anna.point("a4"))
    await mouse.down(button="right")
    await mouse.move(*await anna.point("c9"), steps=4)
    await expect(anna.page.locator(".cg-shapes line")).to_have_count(1)
    await mouse.up(button="right")
    await expect(anna.page.locator(".cg-shapes line")).to_have_count(1)


async def test_the_browser_asks_for_the_game_that_is_to_be_loaded(analyst):
    player = await analyst("chess")
    await player.look_at("set-up")
    await player.page.click("summary:has-text('Load a game')")
    await player.page.click("#load button")
    await expect(player.page.locator("#pgn")).to_be_focused()
    await player.page.fill("#pgn", "1. Ke3 e5")
    await player.page.click("#load button")
    await expect(player.page.get_by_role("alert").filter(has_text="1. Ke3 (half-move 1) is not legal")).to_be_visible()
    player.problems.clear()  # the refusal itself, which the browser writes down


async def test_the_end_of_a_game_is_said(analyst):
    anna = await analyst("chess", "#m=f2f3.e7e5.g2g4")
    await tried(anna, "f3", "e5", "g4")
    await by_mouse(anna, "d8h4")
    await expect(anna.page.locator("#result")).to_contain_text("Checkmate")


async def test_board_hands_and_buttons_fit_a_phone(seat):
    anna = await seat(**PHONE)
    for variant in ("chess", "capablanca", "grandhouse", "acedrex"):
        await anna.open(f"{anna.site}/analysis/{variant}")
        await assert_no_sideways_scroll(anna.page)
        parts = await boxes(anna.page, "#board cg-board", "#tree", "#nav-prev", "#takeback", "#share-open")
        ends = {part: box["y"] + box["height"] for part, box in parts.items()}
        assert max(ends.values()) <= PHONE["viewport"]["height"], (variant, ends)
        await anna.page.touchscreen.tap(*await anna.point("b1" if variant == "chess" else "b2"))
        await anna.page.click("#share-open")
        await assert_no_sideways_scroll(anna.page)


async def test_the_script_is_small(seat):
    anna, sizes = await seat(), []
    anna.page.on("response", lambda answer: sizes.append(answer) if answer.url.endswith(".js") else None)
    await anna.open(f"{anna.site}/analysis/acedrex")
    loaded = {answer.url.split("/")[-1].split("-")[0]: int(answer.headers["content-length"]) for answer in sizes}
    assert "analysis" in loaded
    assert sum(loaded.values()) <= MAX_SCRIPT


async def test_a_move_made_before_it_is_known_what_is_legal_is_played_then(analyst):
    anna = await analyst("chess", "#m=e2e4.e7e5.g1f3")
    await tried(anna, "e4", "e5", "Nf3")
    known = asyncio.Event()

    async def keep_waiting(route):
        await known.wait()
        await route.continue_()

    await anna.page.route("**/api/variants/chess/line", keep_waiting)
    await anna.page.locator("body").press("ArrowLeft")
    await shown(anna, after("chess", "e2e4", "e7e5"))
    await anna.click("b1", "c3")
    known.set()
    await tried(anna, "e4", "e5", "Nf3", "Nc3")


async def test_moves_typed_faster_than_they_are_answered_are_played_in_order(analyst):
    anna = await analyst("chess")
    await anna.write("e4")
    await tried(anna, "e4")
    known = asyncio.Event()

    async def keep_waiting(route):
        await known.wait()
        await route.continue_()

    await anna.page.route("**/api/variants/chess/line", keep_waiting)
    for move in ("e5", "f4", "exf4", "nonsense"):
        await anna.write(move)
    known.set()
    await tried(anna, "e4", "e5", "f4", "exf4")
    await expect(anna.page.locator("#move-problem")).not_to_be_empty()
    await expect(anna.page.locator("#move-text")).to_have_value("nonsense")


async def move_and_go_to_the_start(anna):
    """The board is at the start before it hears of the move, which is made nowhere."""
    await anna.page.evaluate(BUSY)
    await anna.click("b1", "c3")
    await anna.page.locator("body").press("Home")
    await anna.page.evaluate("idle()")
    await shown(anna, VARIANTS["chess"].start_fen)
    await tried(anna, "e4", "e5", "Nf3")


async def test_a_move_is_not_made_on_a_position_that_came_after_it(analyst):
    anna = await analyst("chess", "#m=e2e4.e7e5.g1f3")
    await tried(anna, "e4", "e5", "Nf3")
    await anna.page.locator("body").press("ArrowLeft")
    await shown(anna, after("chess", "e2e4", "e7e5"))
    await move_and_go_to_the_start(anna)
    await anna.click("d2", "d4")
    await tried(anna, "e4", "d4", "e5", "Nf3")


async def test_a_move_made_before_it_was_known_what_is_legal_is_not_made_on_a_later_position(analyst):
    anna = await analyst("chess", "#m=e2e4.e7e5.g1f3")
    await tried(anna, "e4", "e5", "Nf3")
    await anna.page.route("**/api/variants/chess/line", lambda route: None)  # no answer ever comes
    await anna.page.locator("body").press("ArrowLeft")
    await shown(anna, after("chess", "e2e4", "e7e5"))
    await move_and_go_to_the_start(anna)


async def test_a_move_on_the_way_is_let_go_when_another_position_is_shown(analyst):
    anna = await analyst("chess", "#m=e2e4.e7e5.g1f3")
    await tried(anna, "e4", "e5", "Nf3")
    held = asyncio.get_running_loop().create_future()
    await anna.page.locator("body").press("ArrowLeft")
    await shown(anna, after("chess", "e2e4", "e7e5"))
    await anna.click("b1")
    await expect(anna.page.locator("square.move-dest")).to_have_count(2)  # it is known what is legal
    await anna.page.route("**/api/variants/chess/line", lambda route: held.set_result(route), times=1)
    await anna.click("c3")
    late = await asyncio.wait_for(held, PATIENCE_S)
    await anna.page.locator("body").press("Home")
    await anna.click("d2", "d4")
    await tried(anna, "e4", "d4", "e5", "Nf3")
    async with anna.page.expect_response("**/api/variants/chess/line") as answer:
        await late.continue_()
    await (await answer.value).finished()
    await laid_out(anna.page)
    await tried(anna, "e4", "d4", "e5", "Nf3")


async def test_the_plus_of_a_fen_may_stand_in_an_address_as_it_is(seat):
    viewer = await seat()
    await viewer.page.goto(f"{viewer.site}/analysis/3check?fen=4k3/8/8/8/8/8/4P3/4K3_w_-_2+1_0_1")
    await expect(viewer.page.locator(".seat-name").filter(has_text="White").locator("b")).to_have_text("●○○")
    await expect(viewer.page.locator(".seat-name").filter(has_text="Black").locator("b")).to_have_text("●●○")
