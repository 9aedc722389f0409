"""What a move can mean is chosen at the square itself, on every board where there is something to choose.

Which those are is found by the core, in the start position and in positions with one piece short of promotion.
"""

import re
from collections import defaultdict

import pytest
from playwright.async_api import expect

from server.rules.errors import InvalidFen
from server.rules.movegen.legal import legal_ucis
from server.rules.notation.fen import parse_fen, start_position
from tests.support.browser.accessibility import audit
from tests.support.browser.finger import Finger
from tests.support.browser.player import all_see, begin
from tests.support.browser.screens import PHONE, areas
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DESKTOP = {"viewport": {"width": 1440, "height": 900}}
LEAST_TILE = 48


def before_promotion(variant):
    """White to move, with nothing but kings and one piece that stands right before a rank where it may promote."""
    for role, promotion in variant.promotions.items():
        # The edges and the middle, from one variant to the next.
        file = (0, variant.files // 2, variant.files - 1)[variant.order % 3]
        for rank in promotion.ranks:
            rows = [["1"] * variant.files for _ in range(variant.ranks)]
            rows[variant.ranks - 2][1], rows[1][1] = "K", "k"
            rows[variant.ranks - rank + 1][file] = role.upper()
            board = "/".join(re.sub("1+", lambda run: str(len(run[0])), "".join(row)) for row in rows)
            yield f"{board}{'[]' if variant.pocket else ''} w - - 0 1"


def gestures(position):
    """The moves that each gesture can mean, where it can mean several."""
    meant = defaultdict(list)
    for uci in legal_ucis(position):
        if "@" not in uci:
            origin, target, suffix = re.fullmatch(r"([a-l]\d+)([a-l]\d+)(\S?)", uci).groups()
            meant[origin, target].append(suffix)
    return {gesture: suffixes for gesture, suffixes in meant.items() if len(suffixes) > 1}


def choices(variant):
    """(FEN, origin, target, suffixes): of each size of choice one; None as FEN is the start."""
    found = {}
    for fen in (None, *before_promotion(variant)):
        try:
            position = start_position(variant) if fen is None else parse_fen(variant, fen)
        except InvalidFen:
            continue
        for (origin, target), suffixes in gestures(position).items():
            found.setdefault((fen is None, len(suffixes)), (fen, origin, target, suffixes))
    return list(found.values())


ALL_CASES = {name: found for name, variant in VARIANTS.items() if (found := choices(variant))}
BY_SHAPE = {
    (VARIANTS[name].files, VARIANTS[name].ranks, *sorted((fen is None, len(all_of)) for fen, *_, all_of in found)): name
    for name, found in ALL_CASES.items()
}
CASES = {name: ALL_CASES[name] for name in BY_SHAPE.values()}
"""One variant for each size of board and of the choices on it."""


assert {"", "+", "q", "h"} <= {suffix for found in CASES.values() for *_, all_of in found for suffix in all_of}
assert (
    {variant.files for name, variant in VARIANTS.items() if name in CASES}
    == {VARIANTS[name].files for name in ALL_CASES}
    == {8, 10}
)


@pytest.fixture(scope="module")
def screens():
    return {"phone": PHONE, "desktop": DESKTOP}


def holds(area, point):
    return area[0] <= point[0] <= area[2] and area[1] <= point[1] <= area[3]


def overlap(one, other):
    return one[0] + 1 < other[2] and other[0] + 1 < one[2] and one[1] + 1 < other[3] and other[1] + 1 < one[3]


TOPMOST = "([x, y]) => document.elementFromPoint(x, y).closest('.choice, cg-board, dialog, #round').tagName"


async def the_tiles_are_at_the_square(player, variant, gesture, suffixes):
    """A column from the square itself toward the middle, and the board beside it is as it was."""
    origin, target = gesture
    tiles = await areas(player.page, ".choice")
    (board,) = await areas(player.page, "cg-board")
    assert len(tiles) == len(suffixes)
    square = (board[2] - board[0]) / variant.files
    for number, tile in enumerate(tiles):
        assert min(tile[2] - tile[0], tile[3] - tile[1]) >= max(LEAST_TILE, square) - 1
        assert all(inside >= outside - 1 for inside, outside in zip(tile[:2], board[:2], strict=True))
        assert all(inside <= outside + 1 for inside, outside in zip(tile[2:], board[2:], strict=True))
        assert not any(overlap(tile, other) for other in tiles[number + 1 :])
    is_gate = not any(suffix in "qrbn+" for suffix in suffixes if suffix)
    start = await player.point(origin if is_gate else target)
    assert holds(tiles[0], start)
    middle = (board[1] + board[3]) / 2
    assert (tiles[1][1] > tiles[0][1]) == (start[1] < middle)
    files = "abcdefghijkl"[: variant.files]
    middles = [await player.point(f"{file}{rank + 1}") for file in files[::3] for rank in range(variant.ranks)]
    free = [point for point in middles if not any(holds(tile, point) for tile in tiles)]
    assert free
    for point in free:
        assert await player.page.evaluate(TOPMOST, point) == "CG-BOARD"


@pytest.mark.parametrize("name", CASES)
async def test_tiles_come_up_at_the_square_on_every_size_of_board(seat, screens, name):
    variant = VARIANTS[name]
    for screen in screens.values():
        player = await seat(**screen)
        for fen, origin, target, suffixes in CASES[name]:
            await player.challenge(name, **({} if fen is None else {"fen": fen}))
            before = await player.page.locator(".panel").bounding_box()
            await player.click(origin, target)
            await expect(player.page.locator("#choice")).to_be_visible()
            await the_tiles_are_at_the_square(player, variant, (origin, target), suffixes)
            assert await player.page.locator(".panel").bounding_box() == before
            await player.page.keyboard.press("Escape")
            await expect(player.page.locator("#choice")).to_have_count(0)
            await player.shows(fen or variant.start_fen)


async def test_a_tile_is_found_by_arrows_and_by_its_letter_and_the_focus_returns(seat):
    white = await seat()
    page = white.page
    await white.challenge("capablanca", fen="k9/2P7/10/10/10/10/10/9K w - - 0 1")
    await page.focus("#board")
    for key in ("ArrowUp",) * 6 + ("ArrowLeft",) * 7 + ("Enter", "ArrowUp", "Enter"):
        await page.keyboard.press(key)
    menu = page.get_by_role("menu", name="Promote to what on c8?")
    names = ["queen", "rook", "bishop", "knight", "archbishop", "chancellor"]
    await expect(menu.get_by_role("menuitem")).to_have_text(names, ignore_case=True)
    await expect(menu.get_by_role("menuitem", name="queen")).to_be_focused()
    for key, name in (("ArrowDown", "rook"), ("ArrowUp", "queen"), ("ArrowUp", "queen"), ("x", "queen")):
        await page.keyboard.press(key)
        await expect(menu.get_by_role("menuitem", name=name)).to_be_focused()
    line = page.locator("#board-says")
    await expect(line).to_have_text("Promote to what on c8?")
    assert await audit(page) == []
    await page.keyboard.press("Escape")
    await expect(line).to_be_empty()
    await expect(page.locator("#board")).to_be_focused()
    await white.sees()
    for key in ("ArrowDown", "Enter", "ArrowUp", "Enter"):
        await page.keyboard.press(key)
    await expect(menu).to_be_visible()
    await page.keyboard.press("c")
    await white.sees("c8=C+")
    await expect(page.locator("#board")).to_be_focused()


async def test_a_press_elsewhere_takes_the_piece_back_and_picks_up_another(pair):
    white, black = await pair("seirawan")
    await white.click("b1", "c3")
    await expect(white.page.locator("#choice")).to_be_visible()
    await white.click("e2", "e4")
    await expect(white.page.locator("#choice")).to_have_count(0)
    await all_see((white, black), "e4")


async def test_every_tile_has_its_name_in_sight_on_a_phone(seat):
    """Seven kinds of pieces to drop, what is gated on two squares at castling, and the longest list of promotions."""
    page = (white := await seat(**PHONE)).page
    castling = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK2R[HEhe] w KQBCDEkqbcdefg - 0 1"
    pocket = "r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R[PNBRQAC] w - - 0 1"
    for variant, fen, squares, names in (
        ("grandhouse", pocket, ["f6"], 7),
        ("seirawan", castling, ["e1", "g1"], 5),
        ("capablanca", "k9/2P7/10/10/10/10/10/9K w - - 0 1", ["c7", "c8"], 6),
        ("chess", "8/7P/8/8/8/8/k7/7K w - - 0 1", ["h7", "h8"], 4),
    ):
        await white.challenge(variant, fen=fen)
        await white.click(*squares)
        tiles = await areas(page, ".choice")
        words = await areas(page, ".choice span")
        assert len(tiles) == len(words) == names, variant
        for tile, name in zip(tiles, words, strict=True):
            assert min(tile[2] - tile[0], tile[3] - tile[1]) >= 44, variant
            assert tile[0] <= name[0] < name[2] <= tile[2], (variant, tile, name)
            assert tile[1] <= name[1] < name[3] <= tile[3], (variant, tile, name)
            assert name[2] - name[0] >= 20, (variant, name)
        cut = "all => all.filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.textContent)"
        assert await page.locator(".choice").evaluate_all(cut) == [], variant
        assert not [one for at, one in enumerate(tiles) for other in tiles[at + 1 :] if overlap(one, other)], variant


async def test_by_finger(seat):
    white, black = await seat(**PHONE), await seat()
    await begin(white, black, "seirawan")
    finger = await Finger.of(white)
    for square in ("g1", "f3"):
        await finger.tap(*await white.point(square))
    await white.page.get_by_role("menuitem", name="elephant").tap()
    await all_see((white, black), "Nf3/E")


async def test_the_key_that_put_a_piece_down_and_is_still_held_chooses_nothing(pair):
    white, black = await pair("seirawan")
    keys = white.page.keyboard
    await white.page.focus("#board")
    for key in ("ArrowRight", "ArrowRight", "Enter", "ArrowUp", "ArrowUp", "ArrowLeft"):
        await keys.press(key)
    for _ in range(3):
        await keys.down("Enter")
        await expect(white.page.locator("#choice")).to_be_visible()
    await keys.up("Enter")
    await keys.press("Enter")
    await white.has(1)
    assert await white.page.locator(".ply button").inner_text() in ("Nf3/H", "Nf3/E")
    await black.has(1)


async def test_a_double_tap_chooses_nothing_but_a_promotion(seat):
    white, black = await seat(**PHONE), await seat()
    await begin(white, black, "seirawan")
    finger = await Finger.of(white)
    await finger.tap(*await white.point("b1"))
    await finger.tap_twice(*await white.point("c3"))
    tiles = white.page.get_by_role("menuitem")
    await expect(tiles).to_have_count(3)
    await white.page.get_by_role("menuitem", name="hawk").tap()
    await all_see((white, black), "Nc3/H")


async def test_what_enters_stands_in_one_order_and_ahead_of_nothing(seat):
    white = await seat()
    await white.challenge("seirawan", fen="rnbqk2r/pppppppp/8/8/8/8/PPPPPPPP/RNBQK2R[HEhe] w KQBCDkqbcd - 0 1")
    tiles = white.page.get_by_role("menuitem")
    await white.click("b1", "c3")
    await expect(tiles).to_have_text(["elephant", "hawk", "no piece"], ignore_case=True)
    await white.page.keyboard.press("Escape")
    await white.click("e1", "g1")
    await expect(tiles).to_have_text(
        ["elephant on e1", "hawk on e1", "no piece", "elephant on h1", "hawk on h1"], ignore_case=True
    )
