"""A move in a correspondence game is shown on the board, and sent once its player has confirmed it."""

from itertools import product

import pytest
from playwright.async_api import expect

from server.rules.notation.fen import format_fen, start_position
from tests.support.browser.player import all_see, begin
from tests.support.browser.screens import PHONE, assert_inside, assert_no_sideways_scroll, boxes
from tests.support.browser.settings import pick, settings
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DAYS = {"kind": "correspondence", "days": 3}
START = format_fen(start_position(VARIANTS["chess"]))
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


async def is_asked(player, san):
    await expect(player.page.locator("#confirm-play")).to_have_text(f"Play {san}")
    await expect(player.page.locator("#confirm-play")).to_be_visible()


async def is_not_asked(player):
    await expect(player.page.locator("#confirm-move")).to_be_hidden()


async def says(player, words, listener):
    """Returns when what was sent before these words must have arrived, too."""
    await player.look_at("chat")
    await player.page.fill("#chat-text", words)
    await player.page.click("#chat-send")
    await expect(listener.page.locator("#chat-lines")).to_contain_text(words)


async def prefers(player, choice):
    """Chooses it in another tab, as somebody does who is at the board; a page that is loaded from now on knows it."""
    tab = await settings(player)
    await pick(tab, "confirm", choice)
    await expect(player.page.locator("html")).to_have_attribute("data-confirm", choice)
    await tab.close()


async def test_a_move_by_mouse_waits_until_its_player_plays_it_or_takes_it_back(pair):
    white, black = await pair("chess", clock=DAYS)
    await white.drag("e2", "e4")
    await is_asked(white, "e4")
    await white.shows(AFTER_E4)
    await says(white, "I am thinking", black)
    await black.sees()
    await black.shows(START)
    await white.click("d2", "d4")
    await is_asked(white, "e4")
    await white.page.click("#confirm-take-back")
    await is_not_asked(white)
    await white.shows(START)
    await white.click("d2", "d4")
    await is_asked(white, "d4")
    await white.confirm()
    await all_see((white, black), "d4")
    await is_not_asked(white)
    await black.drag("d7", "d5")
    await is_asked(black, "d5")
    await black.confirm()
    await all_see((white, black), "d4", "d5")


async def test_by_keyboard_enter_plays_the_move_and_escape_takes_it_back(pair):
    white, black = await pair("chess", clock=DAYS)
    keys = white.page.keyboard

    async def pawn_from_e2_to_e4():
        await keys.press("Enter")
        await keys.press("ArrowUp")
        await keys.press("ArrowUp")
        await keys.down("Enter")
        await is_asked(white, "e4")

    await white.page.focus("#board")
    await keys.press("ArrowUp")
    await pawn_from_e2_to_e4()
    await expect(white.page.locator("#live")).to_contain_text("Press Enter to play it, or Escape to take it back")
    await keys.down("Enter")  # still held: the browser repeats it
    await keys.up("Enter")
    await says(white, "not yet", black)
    await black.sees()
    await is_asked(white, "e4")
    await white.page.focus("#board")
    await keys.press("Escape")
    await is_not_asked(white)
    await white.shows(START)
    await expect(white.page.locator("#board")).to_be_focused()
    await keys.press("ArrowDown")
    await keys.press("ArrowDown")
    await pawn_from_e2_to_e4()
    await keys.up("Enter")
    await keys.press("Enter")
    await all_see((white, black), "e4")
    await expect(white.page.locator("#board")).to_be_focused()


async def test_a_typed_move_is_replaced_by_the_next_and_played_by_enter(pair):
    white, black = await pair("chess", clock=DAYS)
    await white.write("e4")
    await is_asked(white, "e4")
    await white.write("Nf3")
    await is_asked(white, "Nf3")
    await white.page.press("#move-text", "Enter")
    await all_see((white, black), "Nf3")
    await black.write("e5")
    await is_asked(black, "e5")
    await black.page.keyboard.press("Enter")
    await all_see((white, black), "Nf3", "e5")


async def test_what_else_a_move_does_is_on_the_button(seat):
    white, black = await seat(), await seat()
    for variant, fen, uci, choice, san in (
        ("chess", "8/P3k3/8/8/8/8/4P3/4K3 w - - 0 1", "a7a8q", "knight", "a8=N"),
        ("crazyhouse", "4k3/8/8/8/8/8/4P3/4K3[N] w - - 0 1", "N@f3", None, "N@f3"),
        ("seirawan", None, "b1c3", "Hawk", "Nc3/H"),
    ):
        await begin(white, black, variant, clock=DAYS, **({"fen": fen} if fen else {}))
        await white.point_out(uci)
        if choice:
            await white.choose(choice)
        await is_asked(white, san)
        await white.confirm()
        await all_see((white, black), san)


async def test_who_prefers_no_question_is_asked_none_and_who_wants_it_always_is_asked_in_live_games(pair):
    white, black = await pair("chess")
    await white.click("e2", "e4")
    await all_see((white, black), "e4")
    await prefers(black, "always")
    await black.click("e7", "e5")
    await is_asked(black, "e5")
    await expect(black.page.locator("#clock-bottom")).to_be_visible()
    await black.confirm()
    await all_see((white, black), "e4", "e5")
    await begin(white, black, "chess", clock=DAYS)
    await prefers(white, "never")
    await white.page.reload()
    await white.click("e2", "e4")
    await all_see((white, black), "e4")


async def test_a_premove_is_played_without_a_question_and_a_game_resigned_while_a_move_waits(pair):
    white, black = await pair("chess", clock=DAYS)
    await black.click("e7", "e5")
    await expect(black.page.locator(".current-premove")).not_to_have_count(0)
    await white.click("e2", "e4")
    await white.confirm()
    await all_see((white, black), "e4", "e5")
    await is_not_asked(black)
    await white.click("g1", "f3")
    await is_asked(white, "Nf3")
    await white.resign()
    await expect(black.page.locator("#result")).not_to_be_empty()
    await expect(white.page.locator("#result")).not_to_be_empty()
    await is_not_asked(white)
    await all_see((white, black), "e4", "e5")


async def test_a_takeback_or_a_move_in_another_tab_lets_go_of_the_one_that_waits_and_a_reload_forgets_it(pair):
    white, black = await pair("chess", clock=DAYS)
    await white.click("e2", "e4")
    await white.confirm()
    await black.sees("e4")
    await black.click("e7", "e5")
    await is_asked(black, "e5")
    await white.page.click("#takeback")
    await black.accept()
    await all_see((white, black))
    await is_not_asked(black)
    await black.shows(START)
    await expect(black.page.locator("#status")).to_contain_text("the position has changed")
    await white.click("e2", "e4")
    await is_asked(white, "e4")
    await white.page.reload()
    await white.shows(START)
    await is_not_asked(white)
    await white.click("e2", "e4")
    await is_asked(white, "e4")
    other = await white.context.new_page()
    await other.goto(white.page.url)
    await other.click("#tab-moves")
    await other.fill("#move-text", "d4")
    await other.press("#move-text", "Enter")
    await other.click("#confirm-play")
    await all_see((white, black), "d4")
    await is_not_asked(white)


async def test_a_free_seat_is_taken_once_its_first_move_is_confirmed(seat):
    maker, friend = await seat(), await seat()
    await friend.open(await maker.challenge("chess", clock=DAYS, color="black"))
    await friend.click("e2", "e4")
    await is_asked(friend, "e4")
    await expect(friend.page.locator("#join")).to_be_visible()
    await friend.confirm()
    await all_see((maker, friend), "e4")
    await expect(friend.page.locator("#join")).to_be_hidden()


SCREENS = [
    (PHONE, {"phone": PHONE["viewport"]}),
    ({}, {"small window": {"width": 1024, "height": 768}, "desktop": {"width": 1200, "height": 800}}),
]
"""Kinds of browser, and the windows that each is looked at in."""
PARTS = ("#seat-top", "cg-board", "#seat-bottom", "#move-list", "#controls")
BUTTONS = ("#confirm-play", "#confirm-take-back")
CUT_OFF = """all => all
    .filter(each => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
    .map(each => each.textContent)"""


async def in_each(windows, player, *selectors):
    """Where they stand, by window; the first one is looked at as it is, as nothing may have scrolled it."""
    found = {}
    for name, size in windows.items():
        if found:
            await player.page.set_viewport_size(size)
            await player.page.evaluate("scrollTo(0, 0)")
        found[name] = await boxes(player.page, *selectors)
        await assert_no_sideways_scroll(player.page)
        cut_off = await player.page.locator("#confirm-move .button:visible").evaluate_all(CUT_OFF)
        assert cut_off == [], name
    if len(windows) > 1:
        await player.page.set_viewport_size(next(iter(windows.values())))
    return found


async def is_asked_in_each(windows, player):
    """Begins a move that is asked about, which moves nothing. Returns where the buttons are, by window."""
    before = await in_each(windows, player, *PARTS)
    await player.click("e7", "d8")
    await player.page.locator(".choice").first.click()
    await expect(player.page.locator("#confirm-play")).to_contain_text("exd8=")
    assert await in_each(windows, player, *PARTS) == before
    buttons = await in_each(windows, player, *BUTTONS)
    for window, size in windows.items():
        for name, box in buttons[window].items():
            assert_inside(box, size, (window, name))
            assert min(box["height"], box["width"]) >= 44, (window, name, box)
    return buttons


async def test_the_question_moves_nothing_and_no_offer_moves_it(seat):
    """Whoever is about to press Play must not find another button under their finger."""
    white, black = await seat(), await seat()
    fen = "3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1"
    await begin(white, black, "chess", fen=fen, clock=DAYS)
    for player, *sans in ((white, "Ke2"), (black, "Ke2", "Kg7")):
        await player.write(sans[-1])
        await player.confirm()
        await all_see((white, black), *sans)
    await prefers(white, "always")
    seated = await white.context.storage_state()
    asked = []
    for locale, (kind, sizes) in product(("en-GB", "es-ES"), SCREENS):
        windows = {f"{name}, {locale}": size for name, size in sizes.items()}
        viewport = next(iter(sizes.values()))
        again = await seat(**{**kind, "viewport": viewport, "locale": locale, "storage_state": seated})
        await again.open(white.page.url)
        asked.append((windows, again, await is_asked_in_each(windows, again)))
    await black.offer_draw()
    for windows, again, buttons in asked:
        await expect(again.page.locator("#offers .button")).to_have_count(2)
        assert await in_each(windows, again, *BUTTONS) == buttons
