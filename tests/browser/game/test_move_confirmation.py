"""A move in a correspondence game is shown on the board, and sent once its player has confirmed it."""

import pytest
from playwright.async_api import expect

from server.rules.notation.fen import format_fen, start_position
from tests.support.browser.player import all_see
from tests.support.browser.screens import PHONE, assert_inside, assert_no_sideways_scroll, boxes
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
    await player.page.fill("#chat-text", words)
    await player.page.click("#chat-send")
    await expect(listener.page.locator("#chat-lines")).to_contain_text(words)


async def prefers(player, choice):
    await player.page.click("#appearance-button")
    await player.page.locator(f"#appearance [name=confirm][value={choice}]").check(force=True)
    await player.page.click("#appearance form > .button")


async def test_a_move_by_mouse_is_sent_when_its_player_presses_play(pair):
    white, black = await pair("chess", clock=DAYS)
    await white.drag("e2", "e4")
    await is_asked(white, "e4")
    await white.shows(AFTER_E4)
    await says(white, "I am thinking", black)
    await black.sees()
    await black.shows(START)
    await white.confirm()
    await all_see((white, black), "e4")
    await is_not_asked(white)


async def test_a_move_is_taken_back_and_another_one_played(pair):
    white, black = await pair("chess", clock=DAYS)
    await white.click("e2", "e4")
    await is_asked(white, "e4")
    await white.click("d2", "d4")
    await is_asked(white, "e4")
    await white.page.click("#confirm-take-back")
    await is_not_asked(white)
    await white.shows(START)
    await white.click("d2", "d4")
    await is_asked(white, "d4")
    await white.confirm()
    await all_see((white, black), "d4")


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


@pytest.mark.parametrize(
    ("variant", "fen", "uci", "choice", "san"),
    [
        ("chess", "8/P3k3/8/8/8/8/4P3/4K3 w - - 0 1", "a7a8q", "knight", "a8=N"),
        ("crazyhouse", "4k3/8/8/8/8/8/4P3/4K3[N] w - - 0 1", "N@f3", None, "N@f3"),
        ("seirawan", None, "b1c3", "Hawk", "Nc3/H"),
    ],
    ids=["promotion", "drop", "gating"],
)
async def test_what_else_a_move_does_is_on_the_button(pair, variant, fen, uci, choice, san):
    white, black = await pair(variant, clock=DAYS, **({"fen": fen} if fen else {}))
    await white.point_out(uci)
    if choice:
        await white.page.get_by_role("button", name=choice).click()
    await is_asked(white, san)
    await white.confirm()
    await all_see((white, black), san)


async def test_who_prefers_no_question_is_asked_none_and_who_wants_it_always_is_asked_in_live_games(pair):
    white, black = await pair("chess", clock=DAYS)
    await prefers(white, "never")
    await white.page.reload()
    await white.click("e2", "e4")
    await all_see((white, black), "e4")
    white, black = await pair("chess")
    await white.click("e2", "e4")
    await all_see((white, black), "e4")
    await prefers(black, "always")
    await black.click("e7", "e5")
    await is_asked(black, "e5")
    await expect(black.page.locator("#clock-bottom")).to_be_visible()
    await black.confirm()
    await all_see((white, black), "e4", "e5")


async def test_a_premove_is_played_without_a_question(pair):
    white, black = await pair("chess", clock=DAYS)
    await black.click("e7", "e5")
    await expect(black.page.locator(".current-premove")).not_to_have_count(0)
    await white.click("e2", "e4")
    await white.confirm()
    await all_see((white, black), "e4", "e5")
    await is_not_asked(black)


async def test_a_takeback_lets_go_of_the_move_that_waits(pair):
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


async def test_a_move_in_another_tab_lets_go_of_the_one_that_waits_and_a_reload_forgets_it(pair):
    white, black = await pair("chess", clock=DAYS)
    await white.click("e2", "e4")
    await is_asked(white, "e4")
    await white.page.reload()
    await white.shows(START)
    await is_not_asked(white)
    await white.click("e2", "e4")
    await is_asked(white, "e4")
    other = await white.context.new_page()
    await other.goto(white.page.url)
    await other.fill("#move-text", "d4")
    await other.press("#move-text", "Enter")
    await other.click("#confirm-play")
    await all_see((white, black), "d4")
    await is_not_asked(white)


async def test_a_game_can_be_resigned_while_a_move_waits(pair):
    white, black = await pair("chess", clock=DAYS)
    seen = []
    for player, *squares in ((white, "e2", "e4"), (black, "e7", "e5")):
        await player.click(*squares)
        await player.confirm()
        seen.append(squares[1])
        await all_see((white, black), *seen)
    await white.click("g1", "f3")
    await is_asked(white, "Nf3")
    await white.resign()
    await expect(black.page.locator("#result")).not_to_be_empty()
    await expect(white.page.locator("#result")).not_to_be_empty()
    await is_not_asked(white)
    await all_see((white, black), "e4", "e5")


async def test_a_free_seat_is_taken_once_its_first_move_is_confirmed(seat):
    maker, friend = await seat(), await seat()
    await friend.open(await maker.challenge("chess", clock=DAYS, color="black"))
    await friend.click("e2", "e4")
    await is_asked(friend, "e4")
    await expect(friend.page.locator("#join")).to_be_visible()
    await friend.confirm()
    await all_see((maker, friend), "e4")
    await expect(friend.page.locator("#join")).to_be_hidden()


SCREENS = {"phone": PHONE, "small window": {"viewport": {"width": 1024, "height": 768}}, "desktop": {}}
PARTS = ("#seat-top", "cg-board", "#seat-bottom", "#moves", "#controls")
BUTTONS = ("#confirm-play", "#confirm-take-back")
CUT_OFF = """all => all
    .filter(each => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
    .map(each => each.textContent)"""


@pytest.mark.parametrize("clock", [DAYS, None], ids=["days", "live"])
@pytest.mark.parametrize("locale", ["en-GB", "es-ES"])
@pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)
async def test_the_question_moves_nothing_and_no_offer_moves_it(seat, screen, locale, clock):
    """Whoever is about to press Play must not find another button under their finger."""
    white, black = await seat(**screen, locale=locale), await seat()
    fen = "3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1"
    await black.open(await white.challenge("chess", fen=fen, **({"clock": clock} if clock else {})))
    await black.join()
    for player, *sans in ((white, "Ke2"), (black, "Ke2", "Kg7")):
        await prefers(player, "never")
        await player.write(sans[-1])
        await all_see((white, black), *sans)
    await prefers(white, "always")
    await expect(white.page.locator("#invite")).to_be_hidden()
    await white.page.evaluate("scrollTo(0, 0)")
    before = await boxes(white.page, *PARTS)
    await white.click("e7", "d8")
    await white.page.locator(".choice").first.click()
    await expect(white.page.locator("#confirm-play")).to_contain_text("exd8=")
    assert await boxes(white.page, *PARTS) == before
    await assert_no_sideways_scroll(white.page)
    buttons = await boxes(white.page, *BUTTONS)
    for name, box in buttons.items():
        assert_inside(box, white.page.viewport_size, name)
        assert box["height"] >= 44, (name, box)
        assert box["width"] >= 44, (name, box)
    assert await white.page.locator("#confirm-move .button").evaluate_all(CUT_OFF) == []
    await black.offer_draw()
    await expect(white.page.locator("#offers .button")).to_have_count(2)
    assert await boxes(white.page, *BUTTONS) == buttons
