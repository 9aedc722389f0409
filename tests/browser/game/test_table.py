"""The table: as large a board as the window allows, ten rows of moves beside it, and controls that never move."""

import asyncio
import re
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import expect

from tests.support.browser.player import all_make, all_see, all_write, begin
from tests.support.browser.screens import PHONE, areas, boxes, laid_out
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.vectors import records
from tests.support.web.accounts import token_of
from tests.support.web.people import play

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LOW = re.compile(r"\blow\b")
WINDOWS = [(1440, 900), (1366, 768), (1280, 720), (1000, 800), (820, 1180), (600, 960), (360, 740), (740, 360)]
OPENING = ["Nf3", "Nf6", "Ng1", "Ng8", "Nc3", "Nc6", "Rb1", "Rb8", "e3", "e6", "d3", "d6", "a3", "a6", "h3", "h6"]
OPENING += ["b3", "b6", "g3", "g6", "Nge2", "Nge7", "f3", "f6"]


async def test_board_seats_and_controls_fill_every_window_without_overlap(seat):
    player = await seat()
    for variant in ("chess", "capablanca", "grandhouse", "seirawan", "acedrex"):
        await player.challenge(variant)
        await player.page.reload()  # the link was given out: what is left is the table alone
        await expect(player.page.locator("cg-board")).to_be_visible()
        for width, height in WINDOWS:
            await player.page.set_viewport_size({"width": width, "height": height})
            found = await boxes(player.page, "cg-board", "#seat-top", "#seat-bottom", "#tabs", "#controls")
            board, files = found["cg-board"], VARIANTS[variant].files
            assert board["width"] % files == 0, (variant, width, board)
            for name, box in found.items():
                if name != "cg-board":
                    assert not overlap(board, box), (variant, width, name)
                assert box["x"] >= 0, (variant, width, name)
                assert box["x"] + box["width"] <= width + 1, (variant, width, name)
            assert board["y"] + board["height"] <= height + 1, (variant, width, height, board)
            smaller = min(width, height)
            assert max(board["width"], board["height"]) >= 0.48 * smaller, (variant, width, height, board)


def overlap(one, other):
    return (
        one["x"] < other["x"] + other["width"] - 1
        and other["x"] < one["x"] + one["width"] - 1
        and one["y"] < other["y"] + other["height"] - 1
        and other["y"] < one["y"] + one["height"] - 1
    )


async def test_ten_rows_of_moves_are_in_sight_and_nothing_moves_the_controls(seat):
    white, black = await seat(viewport={"width": 1366, "height": 768}), await seat()
    await begin(white, black, "chess")
    await all_write((white, black), *OPENING)
    await all_see((white, black), *OPENING)
    (moves,) = await areas(white.page, "#move-list")
    shown = [area for area in await areas(white.page, ".ply") if area[1] >= moves[1] - 1 and area[3] <= moves[3] + 1]
    assert len(shown) >= 20, (moves, shown)
    before = await areas(white.page, "#controls > .control, .clock, #tabs > button")
    await black.offer_draw()
    await expect(white.page.locator("#offers")).to_contain_text("offers a draw")
    assert await areas(white.page, "#controls > .control, .clock, #tabs > button") == before


async def test_tabs_go_by_keys(pair):
    white, _ = await pair("chess")
    tab = white.page.get_by_role("tab", name="Rules")
    await expect(tab).to_have_attribute("aria-selected", "true")  # nothing has been played yet
    await tab.press("ArrowRight")
    await expect(white.page.get_by_role("tab", name="Moves")).to_be_focused()
    await expect(white.page.locator("#move-list")).to_be_visible()
    await white.page.locator("body").press("t")
    await expect(white.page.locator("#chat-text")).to_be_focused()


BEHIND_THE_WAY_BACK = """() => {
    const [line, back] = ['turn', 'to-game'].map(id => document.getElementById(id));
    const words = document.createRange();
    words.selectNodeContents(back);
    return line.getBoundingClientRect().y + line.clientTop + line.clientHeight > words.getBoundingClientRect().y + 1;
}"""
"""Whether what the line says would be seen behind the words that lead back to the game."""


async def test_on_a_phone_what_is_looked_at_leaves_room_for_the_way_back(seat):
    white, black = await seat(), await seat(**PHONE)
    await begin(white, black, "crazyhouse")
    await all_write((white, black), "e4", "d5", "exd5", "Qxd5")
    await black.page.click("#nav-prev")
    await white.write("Nc3")
    await black.has(5)
    await expect(black.page.locator("#turn")).to_contain_text("Your opponent has moved · Looking at 2. exd5")
    assert not await black.page.evaluate(BEHIND_THE_WAY_BACK)


async def test_what_has_been_taken_stands_beside_the_names(pair):
    white, black = await pair("chess")
    await all_write((white, black), "e4", "d5", "exd5", "Qxd5", "Nc3", "a6", "Nxd5")
    await expect(white.page.locator("#material-bottom piece")).to_have_count(1)
    await expect(white.page.locator("#material-bottom")).to_contain_text("queen")
    await expect(white.page.locator("#material-bottom b")).to_have_text("+9")
    await expect(white.page.locator("#material-top")).to_be_hidden()
    await expect(black.page.locator("#material-top")).to_contain_text("queen")


SIZE_WITH = """tenths => {
    const clock = document.getElementById('clock-bottom');
    const shown = clock.textContent.includes('.') === tenths && !clock.classList.contains('low');
    return shown && [getComputedStyle(clock).fontSize, clock.getBoundingClientRect().width].join();
}"""
"""How large the clock is once it shows tenths, or none: asked by the page itself, as other digits soon follow."""


async def test_a_clock_with_tenths_has_digits_as_large_as_before(pair):
    white, black = await pair("chess", clock={"kind": "realtime", "initial": 11, "increment": 0})  # short at 5.5 s
    before = await white.page.wait_for_function(SIZE_WITH, arg=False)
    await white.write("e4")
    await black.has(1)
    with_tenths = asyncio.create_task(white.page.wait_for_function(SIZE_WITH, arg=True))
    await black.write("e5")
    assert await (await with_tenths).json_value() == await before.json_value()


FITS = """clock => ['0:19', '0:09.4', '9:59'].filter(text => {
    clock.textContent = text;
    return clock.scrollWidth > clock.clientWidth;
})"""
"""Of these times, those for which the box is too small."""


async def test_a_clock_on_which_time_is_short_grows_and_moves_nothing(seat):
    white, black = await seat(), await seat()
    await white.page.clock.install()
    await begin(white, black, "chess", clock={"kind": "realtime", "initial": 300, "increment": 0})  # short at 20 s
    await all_write((white, black), "e4", "e5")
    clock = white.page.locator("#clock-bottom")
    found = {False: [], True: []}
    for low, seen in found.items():
        if low:
            await white.page.clock.fast_forward(280_000)
            await expect(clock).to_have_class(LOW)
        for width, height in WINDOWS:
            await white.page.set_viewport_size({"width": width, "height": height})
            await white.page.wait_for_function("width => innerWidth === width", arg=width)
            await laid_out(white.page)
            size = await clock.evaluate("clock => parseFloat(getComputedStyle(clock).fontSize)")
            seen.append((size, await areas(white.page, ".clock, .seat-name, #controls > .control")))
            assert await clock.evaluate(FITS) == [], (width, low)
    for (before, places), (after, later) in zip(*found.values(), strict=True):
        assert after > 1.1 * before
        assert later == places


async def test_a_clock_looks_as_if_it_ran_only_while_it_does(pair):
    white, black = await pair("chess")
    running = white.page.locator(".clock.runs")
    await expect(white.page.locator("#seat-bottom")).to_have_class(re.compile(r"\bturn\b"))
    await expect(running).to_have_count(0)
    await all_write((white, black), "e4", "e5")
    await expect(running).to_have_id("clock-bottom")
    await white.resign()
    await expect(running).to_have_count(0)


async def test_days_and_hours_of_a_clock_stand_apart(pair):
    white, _ = await pair("chess", clock={"kind": "correspondence", "days": 3})
    text = await white.page.locator("#clock-top").evaluate("clock => clock.textContent")
    assert text == "3\u202fd 0\u202fh", "a figure and its unit hang together, the two times do not"


@asynccontextmanager
async def in_the_middle(player, white, black, variant):
    """While it is open, the player is White in a game of twelve moves that were played without a browser."""
    game = await white.challenge(variant=variant)
    await black.join(game)
    async with white.follow(game) as first, black.follow(game) as second:
        await play((first, second), records(variant)[0]["moves"][:24])
        await player.context.add_cookies([{"name": "sid", "value": token_of(white), "url": player.site}])
        await player.open(f"{player.site}/{game['id']}")
        await player.look_at("moves")
        await player.has(24)
        answering = asyncio.create_task(listen(second))
        yield
        answering.cancel()


async def listen(socket):
    """Answers pings: who does not is soon said to be gone, in a line of its own below the moves."""
    async for _ in socket.websocket:
        pass


async def test_three_lines_of_moves_are_in_sight_on_a_phone_however_many_pockets_there_are(seat, off_screen):
    white, others = await seat(**PHONE), [await off_screen(), await off_screen()]
    for variant in ("crazyhouse", "grandhouse", "acedrex"):
        async with in_the_middle(white, *others, variant):
            await white.page.locator("#moves").evaluate("panel => panel.scrollTo(0, 0)")
            (panel,) = await areas(white.page, "#moves")
            (board,), (controls,) = await areas(white.page, "cg-board"), await areas(white.page, "#controls")
            shown = [
                area for area in await areas(white.page, ".ply") if panel[1] - 1 <= area[1] and area[3] <= panel[3] + 1
            ]
            assert len({area[1] for area in shown}) >= 3, (variant, panel, shown)
            assert len(shown) >= 8, (variant, panel, shown)
            assert controls[3] <= 740 + 1, variant
            assert board[0] >= 0, variant
            assert await white.page.evaluate("document.documentElement.scrollHeight") <= 741, variant
            await white.page.click("#nav-prev")
            assert await areas(white.page, "#moves") == [panel], variant
            await white.page.get_by_role("button", name="To the game").click()
            await expect(white.page.locator("#to-game")).to_be_hidden()


async def test_on_a_low_phone_a_board_between_pockets_is_as_large_as_a_line_of_moves_leaves_it(seat, off_screen):
    white, others = await seat(viewport={"width": 360, "height": 640}), [await off_screen(), await off_screen()]
    for variant, square in (("grandhouse", 33), ("crazyhouse", 41)):
        async with in_the_middle(white, *others, variant):
            await white.page.locator("#moves").evaluate("panel => panel.scrollTo(0, 0)")
            (board,), (panel,) = await areas(white.page, "cg-board"), await areas(white.page, "#moves")
            (last,) = await areas(white.page, ".ply [aria-current='true']")
            assert board[2] - board[0] >= square * (10 if variant == "grandhouse" else 8), variant
            assert panel[1] - 1 <= last[1], variant
            assert last[3] <= panel[3] + 1, variant
            assert await white.page.evaluate("document.documentElement.scrollHeight") <= 640, variant


async def test_a_phone_on_its_side_shows_both_clocks_and_every_control_whole(seat):
    white, black = await seat(**PHONE), await seat()
    for variant, window in (("chess", (667, 375)), ("seirawan", (667, 375)), ("grandhouse", (740, 360))):
        await white.page.set_viewport_size(dict(zip(("width", "height"), window, strict=True)))
        await begin(white, black, variant)
        await all_make((white, black), *next(iter(records(variant)))["moves"][:2])
        for part in ("#seat-top", "#tabs", "#turn-line", "#controls", "#seat-bottom"):
            await expect(white.page.locator(part)).to_be_in_viewport(ratio=0.95)
        await expect(white.page.locator(".ply").nth(1)).to_be_in_viewport(ratio=0.8)


CONTROLS = "#controls > .control, #controls summary"


async def test_no_control_moves_between_the_two_presses_of_one(seat):
    """In Spanish, where the question is longer than one of the words and shorter than the other."""
    white, black = await seat(locale="es-ES"), await seat()
    await begin(white, black, "grandhouse")
    await all_write((white, black), "e3e5", "e8e6")
    for width, height in ((360, 740), (960, 640), (1440, 900)):
        await white.page.set_viewport_size({"width": width, "height": height})
        before = await areas(white.page, CONTROLS)
        for control in ("#draw", "#resign"):
            await white.page.click(control)
            await expect(white.page.locator(f"{control}.confirm")).to_contain_text("¿Seguro?")
            assert await areas(white.page, CONTROLS) == before, (width, control)
            await expect(white.page.locator(f"{control}.shielded")).to_have_count(0)
            await white.page.locator(control).blur()
            await expect(white.page.locator(f"{control}.confirm")).to_have_count(0)


async def test_controls_and_what_is_folded_away_are_whole_where_the_panel_is_low(pair):
    """All kinds of pieces beside the board leave the least room of all."""
    white, black = await pair("grandhouse")
    await white.make("e3e5", 0)
    await black.has(1)
    for width, height in ((740, 360), (360, 740)):
        await white.page.set_viewport_size({"width": width, "height": height})
        found = await boxes(white.page, ".panel", "#controls")
        assert bottom(found["#controls"]) <= bottom(found[".panel"]) + 1 <= height + 2, (width, found)
    await white.open_more()
    for width, height in ((820, 1180), (360, 740)):
        await white.page.set_viewport_size({"width": width, "height": height})
        found = await boxes(white.page, ".more-list", "#controls", "#zen", "#keep-pgn")
        for entry in ("#zen", "#keep-pgn"):
            assert bottom(found[entry]) <= bottom(found[".more-list"]) <= found["#controls"]["y"], (entry, found)
        await white.page.locator("#zen").click(trial=True)


def bottom(box):
    return box["y"] + box["height"]


async def test_rules_that_somebody_asks_for_on_a_phone_have_half_of_it(seat):
    white, black = await seat(**PHONE), await seat()
    await begin(white, black, "crazyhouse")
    page = white.page
    found = await boxes(page, "#board cg-board", "#rules")
    board, rules = found["#board cg-board"], found["#rules"]
    assert rules["y"] >= board["y"] + board["height"], "what stands there unasked covers the board"
    for away in (lambda: page.click("#rules-close"), lambda: page.press("#rules-close", "Escape")):
        await page.click("#tab-rules")
        rules = (await boxes(page, "#rules"))["#rules"]
        assert rules["height"] >= 0.49 * PHONE["viewport"]["height"]
        await away()
        await expect(page.locator("#tab-rules")).to_be_focused()
        await expect(page.locator("#moves")).to_be_visible()
