"""A press on an empty square asks which piece of the pocket is dropped there: by every hand, and in advance.

On one variant of each size of board whose pieces are dropped.
"""

import pytest
from playwright.async_api import expect

from server.rules.movegen.legal import legal_ucis
from server.rules.notation.fen import parse_fen
from tests.support.browser.finger import Finger
from tests.support.browser.player import all_see, begin
from tests.support.browser.screens import PHONE, laid_out
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DROPPING = {variant.files: name for name, variant in VARIANTS.items() if variant.pocket and variant.pocket.captures}

assert len(DROPPING) > 1

POCKET = "NNPp"


def bare(name, pocket):
    """White to move, with nothing but kings and that pocket."""
    variant = VARIANTS[name]
    rows = ["k" + str(variant.files - 1), *[str(variant.files)] * (variant.ranks - 2), str(variant.files - 1) + "K"]
    return f"{'/'.join(rows)}[{pocket}] w - - 0 1"


def tiles(player):
    return player.page.get_by_role("menuitem")


async def names(player):
    return [name.lower() for name in await tiles(player).all_text_contents()]


def allowed(name, square):
    """What the core lets White drop there."""
    drops = legal_ucis(parse_fen(VARIANTS[name], bare(name, POCKET)))
    return [kind for sign, kind in (("N", "knight"), ("P", "pawn")) if f"{sign}@{square}" in drops]


@pytest.mark.parametrize("name", DROPPING.values())
async def test_a_press_on_an_empty_square_asks_what_can_be_dropped_there(seat, name):
    white = await seat()
    await white.challenge(name, fen=bare(name, POCKET))
    await white.click("d4")
    await expect(white.page.get_by_role("menu", name="What is dropped on d4?")).to_be_visible()
    assert await names(white) == allowed(name, "d4") == ["knight", "pawn"]
    await white.click("e1")
    await expect(tiles(white)).to_have_count(0)
    last = f"d{VARIANTS[name].ranks}"
    await white.click(last)
    assert await names(white) == allowed(name, last) != ["knight", "pawn"], "one kind is asked, too"
    await white.page.keyboard.press("Escape")
    await white.page.mouse.dblclick(*await white.point("d5"))
    await laid_out(white.page)
    assert await names(white) == ["knight", "pawn"], "a double click drops nothing"
    await white.choose("pawn")
    await white.sees("P@d5")


async def test_by_finger_by_keys_and_in_advance(seat):
    white, black = await seat(**PHONE), await seat()
    await begin(white, black, "crazyhouse", fen=bare("crazyhouse", "NPqr"))
    await black.click("e5")
    assert await names(black) == ["queen", "rook"]
    await black.choose("rook")
    await expect(black.page.locator(".current-premove")).to_have_count(1)
    await black.click("e6")
    await expect(tiles(black)).to_have_count(0)
    await expect(black.page.locator(".current-premove")).to_have_count(0)
    await black.click("e5")
    await black.choose("rook")
    finger = await Finger.of(white)
    await finger.tap(*await white.point("d4"))
    await expect(tiles(white)).to_have_count(2)
    await laid_out(white.page)
    await white.sees()
    await tiles(white).nth(0).tap()
    await all_see((white, black), "N@d4", "R@e5")
    await white.page.focus("#board")
    for key in ("ArrowUp", "ArrowUp", "Enter"):
        await white.page.keyboard.press(key)
    await expect(tiles(white)).to_have_text(["pawn"], ignore_case=True)
    await white.page.keyboard.press("p")
    await black.sees("N@d4", "R@e5", "P@h3")


async def test_a_press_that_does_something_else_asks_nothing(pair):
    white, black = await pair("crazyhouse", fen=bare("crazyhouse", "NPqr"))
    await white.pick("n")
    await white.click("d4")
    await white.sees("N@d4")
    await laid_out(white.page)
    await expect(tiles(white)).to_have_count(0)
    await black.click("a8", "h5")
    await laid_out(black.page)
    await expect(tiles(black)).to_have_count(0)
    await black.drag("d3", "d5")
    await laid_out(black.page)
    await expect(tiles(black)).to_have_count(0)
    await black.click("a8", "a7")
    await white.sees("N@d4", "Ka7")
