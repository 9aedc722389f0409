"""The analysis board while the server takes its time: no move is lost there, and what was asked for last counts."""

import asyncio

import pytest
from playwright.async_api import expect

from tests.support.browser.analysing import after, load, shown, tried
from tests.support.browser.screens import laid_out
from tests.support.patience import PATIENCE_S
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LINE = "**/api/variants/chess/line"
PGN = "**/api/analysis/pgn"
ROOKS = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1"
PAWN = "8/P6k/8/8/8/8/8/K7 w - - 0 1"


async def hold(player, address=LINE):
    """The next request to this address waits in the future that is returned."""
    asked = asyncio.get_running_loop().create_future()

    async def keep(route):
        if asked.done():
            await route.fallback()
        else:
            asked.set_result(route)

    await player.page.route(address, keep)
    return asked


async def waits(asked):
    return await asyncio.wait_for(asyncio.shield(asked), PATIENCE_S)


async def let_go(player, asked, address=LINE):
    """Returns when the page has done what it does with the answer."""
    async with player.page.expect_response(address) as answer:
        await (await waits(asked)).continue_()
    await (await answer.value).finished()
    await laid_out(player.page)


async def set_up(player, fen):
    await player.page.locator("#tab-set-up").click()
    await player.page.fill("#fen", fen)
    await player.page.press("#fen", "Enter")


async def test_nothing_is_moved_on_a_board_that_a_link_is_about_to_replace(regular):
    asked, board = await hold(regular), regular.page.locator("#board")
    await regular.open(f"{regular.site}/analysis/chess#m=d2d4")
    await waits(asked)
    await expect(board).to_have_attribute("aria-busy", "true")
    await regular.click("e2", "e4")
    await laid_out(regular.page)
    await regular.shows(VARIANTS["chess"].start_fen)
    await regular.write("d5")
    await let_go(regular, asked)
    await tried(regular, "d4", "d5")
    await shown(regular, after("chess", "d2d4", "d7d5"))
    await expect(board).to_have_attribute("aria-busy", "false")


async def test_whoever_looks_elsewhere_while_a_link_is_opened_stays_there(regular):
    asked = await hold(regular)
    await regular.open(f"{regular.site}/analysis/chess#m=d2d4")
    await waits(asked)
    await regular.look_at("help")
    await let_go(regular, asked)
    await tried(regular, "d4")
    await expect(regular.page.locator("#tab-help")).to_have_attribute("aria-selected", "true")


async def test_a_choice_that_is_still_open_moves_nothing_on_a_board_that_is_about_to_be_replaced(analyst):
    anna = await analyst("chess")
    await set_up(anna, PAWN)
    await shown(anna, PAWN)
    await anna.click("a7", "a8")
    await expect(anna.page.locator("#choice")).to_be_visible()
    asked = await hold(anna)
    await anna.page.evaluate("location.hash = 'm=d2d4'")
    await waits(asked)
    await anna.choose("queen")
    await laid_out(anna.page)
    await anna.shows(PAWN)
    await let_go(anna, asked)
    await tried(anna, "d4")


async def test_a_typed_move_waits_for_no_answer_that_is_not_wanted_any_more(analyst):
    anna = await analyst("chess")
    asked = await hold(anna)
    await set_up(anna, ROOKS)
    await waits(asked)
    await anna.write("e4")
    await anna.page.locator("#tab-set-up").click()
    await anna.page.click("#clear")
    await tried(anna, "e4")
    await let_go(anna, asked)
    await tried(anna, "e4")


async def test_a_typed_move_is_made_in_what_was_asked_for_last(analyst):
    anna = await analyst("chess")
    game, position = await hold(anna, PGN), await hold(anna)
    await load(anna, "1. d4 *")
    await waits(game)
    await anna.write("Ra8")
    await set_up(anna, ROOKS.replace("R3K2R", "4K3").replace("8/8", "R7/8", 1))
    await waits(position)
    await let_go(anna, game, PGN)
    await let_go(anna, position)
    await tried(anna, "Ra8+")


async def test_of_two_positions_the_one_that_was_set_last_stays(analyst):
    anna = await analyst("chess")
    asked = await hold(anna)
    await set_up(anna, ROOKS)
    await waits(asked)
    await set_up(anna, PAWN)
    await shown(anna, PAWN)
    await let_go(anna, asked)
    await shown(anna, PAWN)


async def test_a_game_of_another_variant_takes_nobody_away_who_has_asked_for_something_else(analyst):
    anna = await analyst("chess")
    asked = await hold(anna, PGN)
    await load(anna, '[Variant "Grand"]\n\n1. e5 e6 *')
    await waits(asked)
    await set_up(anna, PAWN)
    await shown(anna, PAWN)
    await let_go(anna, asked, PGN)
    assert "/analysis/chess" in anna.page.url
    await shown(anna, PAWN)


async def test_a_refused_game_leaves_no_position_in_the_field_that_is_not_on_the_board(analyst):
    anna = await analyst("chess")
    asked, status = await hold(anna), anna.page.locator("#status")
    await set_up(anna, ROOKS)
    await waits(asked)
    await load(anna, "1. Ke3 e5")
    await expect(status).to_contain_text("half-move 1")
    await shown(anna, VARIANTS["chess"].start_fen)
    anna.problems.clear()


async def test_an_error_goes_as_soon_as_something_else_is_asked_for(analyst):
    anna = await analyst("chess")
    status = anna.page.locator("#status")
    await set_up(anna, "8/8/8/8/8/8/8/8 w - - 0 1")
    await expect(status).to_contain_text("cannot be set up")
    anna.problems.clear()
    asked = await hold(anna)
    await set_up(anna, ROOKS)
    await waits(asked)
    await expect(status).to_be_empty()
    await let_go(anna, asked)
    await shown(anna, ROOKS)


async def test_a_game_that_comes_from_somebody_else_leaves_the_board_free(regular):
    await regular.page.route(
        "**/api/games/*", lambda route: route.fulfill(body="<title>Sign in to this network</title>")
    )
    await regular.open(f"{regular.site}/analysis/chess?game=abcdefghij")
    await expect(regular.page.locator("#status")).to_contain_text("cannot be reached")
    await regular.write("e4")
    await tried(regular, "e4")
