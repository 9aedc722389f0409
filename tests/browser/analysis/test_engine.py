"""The engine beside the analysis board, in a real browser: every variant, lines that are read and played, threats."""

import re

import pytest
import pytest_asyncio
from playwright.async_api import expect

from server.rules.notation.fen import parse_fen, start_position
from tests.support.browser.accessibility import audit_on_each_screen
from tests.support.browser.analysing import after, shown, tried
from tests.support.browser.engine import FIRST_MOVES, LINES, first_moves, sans, switch_on, thought
from tests.support.browser.layout_shifts import SETTLED, WATCH
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

OF_THE_ENGINE = re.compile(r"/(explainer|worker)-\w+\.js|/api/variants/\w+$")
LINE_IS_ABOVE_CONTROLS = """lines => {
  const [line, controls] = [lines, '.controls'].map(one => document.querySelector(one)?.getBoundingClientRect());
  return line && line.bottom <= controls.top;
}"""

IN_THE_LIST = """() => {
  const [list, move] =
    ['#tree', '#tree [aria-current]'].map(one => document.querySelector(one).getBoundingClientRect());
  return move.top >= list.top - 1 && move.bottom <= list.bottom + 1;
}"""

CUT = """() => [...document.querySelectorAll('.line-moves')].flatMap(line => {
  const room = line.getBoundingClientRect();
  const isCut = ({left, top, right, bottom}) =>
    top < room.bottom - 1 && (left < room.left - 1 || right > room.right + 1 || bottom > room.bottom + 1);
  return [...line.children].filter(move => isCut(move.getBoundingClientRect())).map(move => move.innerText);
})"""
"""Moves of which one sees a part."""


@pytest_asyncio.fixture(loop_scope="session")
async def anna(analyst):
    """Somebody at the board of chess who has switched nothing on yet."""
    player = await analyst("chess")
    await player.page.evaluate("localStorage.removeItem('engine')")
    await player.page.reload()
    yield player
    await player.page.evaluate("localStorage.removeItem('engine')")


async def test_nothing_of_it_is_loaded_until_it_is_switched_on_and_that_is_remembered(anna):
    page, asked = anna.page, []
    page.on("request", lambda request: asked.append(request.url))
    await page.reload()
    await anna.write("e4")
    await shown(anna, after("chess", "e2e4"))
    assert [url for url in asked if OF_THE_ENGINE.search(url)] == []
    await switch_on(anna, 2)
    assert len([url for url in asked if OF_THE_ENGINE.search(url)]) == 3
    await expect(page.locator(LINES)).to_have_count(2)
    await expect(page.locator(".eval-bar")).to_have_attribute("aria-valuenow", re.compile(r"^\d+$"))
    await expect(page.locator(".cg-shapes line")).to_have_count(2)
    await page.reload()
    await thought(anna)
    await expect(page.locator(LINES)).to_have_count(2)
    await page.keyboard.press("e")
    for gone in (LINES, ".eval-bar", ".cg-shapes line"):
        await expect(page.locator(gone)).to_have_count(0)
    await page.reload()
    await expect(page.locator("#engine-on")).not_to_be_checked()


@pytest.mark.parametrize("name", ["grandhouse", "shouse", "acedrex"])
async def test_its_lines_are_those_of_the_variant(analyst, name):
    anna = await analyst(name)
    await switch_on(anna, 3)
    await expect(anna.page.locator(LINES)).to_have_count(3)
    found = await first_moves(anna)
    assert len(set(found)) == 3
    assert set(found) <= sans(start_position(VARIANTS[name]))
    await anna.page.evaluate("localStorage.removeItem('engine')")


async def test_pockets_gates_and_the_960_form_are_understood(analyst):
    for name, fen, more in (
        ("crazyhouse", "6rk/6pp/8/8/8/8/6PP/6K1[N] w - - 0 1", ""),
        ("seirawan", "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R[HEhe] w KQCDFkqcdf - 0 1", ""),
        ("chess", "1k1r4/8/8/8/8/8/8/RK6 w Ad - 0 1", "&chess960=1"),
    ):
        anna = await analyst(name, f"?fen={fen.replace(' ', '_')}{more}")
        await switch_on(anna, 1)
        (move,) = await first_moves(anna)
        assert move in sans(parse_fen(VARIANTS[name], fen, bool(more)))
        await anna.page.evaluate("localStorage.removeItem('engine')")


async def test_a_line_is_read_and_played_by_keyboard(anna):
    page = anna.page
    await page.goto(f"{anna.site}/analysis/chess?fen=7k/8/6K1/8/8/8/8/5Q2_w_-_-_0_1")
    await switch_on(anna, 2)
    await expect(page.locator(LINES).first).to_contain_text("#1")
    await expect(page.locator(f"{LINES} [tabindex='0']")).to_have_count(1)
    await page.keyboard.press("ArrowLeft")
    await page.locator(f"{LINES} [tabindex='0']").focus()
    await page.keyboard.press("ArrowDown")
    await expect(page.locator(FIRST_MOVES).nth(1)).to_be_focused()
    await page.keyboard.press("ArrowUp")
    await expect(page.locator(FIRST_MOVES).first).to_have_text("1.Qf8#")
    await page.keyboard.press("Enter")
    await tried(anna, "Qf8#")
    await expect(page.locator("#engine-state")).to_contain_text("over")
    await expect(page.locator(LINES)).to_have_count(0)


async def test_a_line_is_played_up_to_the_move_that_is_pressed(anna):
    page = anna.page
    await anna.write("e4")
    await switch_on(anna, 1)
    buttons = page.locator(f"{LINES} button")
    await expect(buttons.nth(2)).to_be_visible()
    await buttons.first.focus()  # so that the line stays as it is
    line = [re.sub(r"^\d+\.+\s*", "", text) for text in await buttons.all_inner_texts()]
    await buttons.nth(2).click()
    await tried(anna, "e4", *line[:3])


async def test_an_ending_is_proved_in_words_and_marked_on_the_board(anna):
    """By the site's own engine, which need not be the one that thinks."""
    page = anna.page
    state, score, bar = page.locator("#engine-state"), page.locator("#engine-score"), page.locator(".eval-bar")
    heard = page.locator("#engine-body [role=status]")
    for fen, words, first, share in (
        ("8/8/8/8/4k3/8/8/R3K3 w", "Proved: White mates in 13.", "#13", "100"),
        ("8/8/8/8/4k3/8/8/R3K3 b", "Proved: White mates in 14.", "#14", "100"),
        ("k7/8/K7/P7/8/8/8/8 w", "Proved: drawn with best play.", "0.0", "50"),
    ):
        await page.goto(f"{anna.site}/analysis/chess?fen={fen.replace(' ', '_')}_-_-_0_1")
        await switch_on(anna, 2)
        await expect(state).to_have_text(words)
        await expect(heard).to_have_text(words)
        await expect(score).to_have_text(first)
        await expect(bar).to_have_attribute("aria-valuenow", share)
        await expect(page.locator(LINES)).to_have_count(2)
    assert sorted(await first_moves(anna)) == ["Kb5", "Kb6"]
    await expect(page.locator(".cg-shapes line")).to_have_count(2)
    await page.locator(FIRST_MOVES).first.click()
    await expect(state).to_have_text("Proved: drawn with best play.")
    # What is threatened is another question, and more pieces are too many.
    await page.goto(f"{anna.site}/analysis/chess?fen=4k3/8/8/8/8/8/4P3/R3K3_w_-_-_0_1")
    await thought(anna)
    await expect(heard).to_be_empty()


async def test_what_the_other_side_threatens(anna):
    page = anna.page
    await page.goto(f"{anna.site}/analysis/chess?fen=6k1/5ppp/8/8/8/8/q4PPP/6K1_w_-_-_0_1")
    await switch_on(anna)
    await page.keyboard.press("x")
    await expect(page.locator("#engine-threat")).to_have_attribute("aria-pressed", "true")
    await expect(page.locator(LINES)).to_have_count(1)
    await expect(page.locator(LINES)).to_contain_text(re.compile(r"#−1.*Q[ab]1#", re.DOTALL))
    await page.goto(f"{anna.site}/analysis/chess?fen=6k1/5ppp/8/8/8/7P/5PP1/q5K1_w_-_-_0_1")
    await thought(anna)
    await page.click("#engine-threat")
    await expect(page.locator("#engine-state")).to_contain_text("In check")


async def test_nothing_moves_while_it_thinks(anna):
    page = anna.page
    await switch_on(anna, 5)
    await page.add_init_script(f"({WATCH})()")
    await page.reload()
    await expect(page.locator(LINES)).to_have_count(5)
    await page.evaluate(SETTLED)
    assert await page.evaluate("shifts") == []
    # And no move is cut off at the end of its line, however long that is.
    for width in (360, 1200):
        await page.set_viewport_size({"width": width, "height": 800})
        await page.wait_for_function("() => document.querySelector('.line-moves').childElementCount > 7")
        assert await page.evaluate(CUT) == []


async def test_of_a_game_that_is_over_it_shows_who_has_won(analyst):
    anna = await analyst("chess")
    bar, score = anna.page.locator(".eval-bar"), anna.page.locator("#engine-score")
    lost, won = "f2f3.e7e5.g2g4.d8h4", "e2e4.f7f6.d2d4.g7g5.d1h5"
    for moves, share, result in ((lost, "0", "0-1"), (won, "100", "1-0")):
        await anna.page.goto("about:blank")
        await anna.page.goto(f"{anna.site}/analysis/chess#m={moves}")
        await expect(anna.page.locator("#result")).to_contain_text("Checkmate")
        await switch_on(anna)
        await expect(bar).to_have_attribute("aria-valuenow", share)
        await expect(score).to_have_text(result)


async def test_on_a_phone_the_best_line_is_in_sight_beside_pockets_and_so_are_the_controls(analyst):
    anna = await analyst("crazyhouse")
    await anna.page.set_viewport_size({"width": 360, "height": 740})
    await switch_on(anna, 1)
    line, controls = anna.page.locator(LINES), anna.page.locator(".controls")
    bar, pocket = anna.page.locator(".eval-bar"), anna.page.locator("#pocket-top")
    await expect(line).to_be_in_viewport(ratio=1)
    # The line is drawn anew with each thought: it is measured where it cannot go meanwhile.
    await anna.page.wait_for_function(LINE_IS_ABOVE_CONTROLS, arg=LINES)
    assert (await bar.bounding_box())["y"] + 6 <= (await pocket.bounding_box())["y"]
    await anna.page.click("#tab-set-up")
    friend = anna.page.locator("#set-up summary").last
    await friend.scroll_into_view_if_needed()
    await friend.click()
    await expect(controls).to_be_in_viewport(ratio=1)
    await anna.page.set_viewport_size({"width": 1200, "height": 800})


SEEN_TOGETHER = """() => ['cg-board', '.engine-line', '#tree [aria-current="true"]'].every(one => {
  const place = document.querySelector(one)?.getBoundingClientRect();
  const end = document.querySelector('.controls').getBoundingClientRect().top;
  return place && place.top >= 0 && place.bottom <= end + 1;
})"""


@pytest.mark.parametrize(("name", "moves"), [("chess", "b1c3.b8c6.c3b1.c6b8."), ("grandhouse", "e3e4.e8e7.d3d4.d8d7.")])
@pytest.mark.parametrize("height", [740, 844])
async def test_on_a_phone_board_best_line_and_shown_move_are_in_sight_together(analyst, name, moves, height):
    longer = moves * (12 if name == "chess" else 1)
    phone = {"viewport": {"width": 360, "height": height}, "has_touch": True}
    anna = await analyst(name, f"#m={longer[:-1]}", **phone)
    await switch_on(anna, 1)
    await anna.page.wait_for_function(SEEN_TOGETHER)
    await anna.page.evaluate("localStorage.removeItem('engine')")


async def test_it_can_be_read_on_each_screen(anna):
    await switch_on(anna, 3)
    await expect(anna.page.locator(LINES)).to_have_count(3)
    assert await audit_on_each_screen(anna.page) == []
    await anna.page.set_viewport_size({"width": 1200, "height": 800})


async def test_it_says_what_to_do_when_it_cannot_be_loaded(anna):
    page = anna.page
    await page.route("**/api/variants/chess", lambda route: route.abort())
    await page.check("#engine-on")
    await expect(page.locator("#engine-state")).to_contain_text("Switch it on again")
    await page.unroute("**/api/variants/chess")
    await page.uncheck("#engine-on")
    await switch_on(anna, 1)
    await expect(page.locator(LINES)).to_have_count(1)
    anna.problems.clear()


async def test_on_a_tablet_the_lines_the_controls_and_the_moves_are_in_sight_together(analyst):
    """Where pockets leave them the least room."""
    anna = await analyst("grandhouse", viewport={"width": 820, "height": 1180}, has_touch=True)
    await anna.write("e3e4")
    await shown(anna, after("grandhouse", "e3e4"))
    board = await anna.page.locator("cg-board").bounding_box()
    await switch_on(anna, 3)
    for part in ("#engine", ".controls", "#tree", "#move-entry"):
        await expect(anna.page.locator(part)).to_be_in_viewport(ratio=1)
    assert await anna.page.locator("cg-board").bounding_box() == board


async def test_the_shown_move_stays_in_sight_when_the_engine_takes_room_from_the_list(analyst):
    moves = "b1c3.b8c6.c3b1.c6b8." * 30
    anna = await analyst("chess", f"#m={moves[:-1]}", viewport={"width": 1200, "height": 640})
    page, last = anna.page, anna.page.locator("#tree button").last
    await expect(page.locator("#tree button")).to_have_count(120)
    await last.click()
    await switch_on(anna, 3)
    await expect(last).to_have_attribute("aria-current", "true")
    await page.wait_for_function(IN_THE_LIST)
