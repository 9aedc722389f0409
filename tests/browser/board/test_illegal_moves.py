"""Whoever moves by keyboard hears that a move is illegal, and why; the piece stays where it is."""

import pytest
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LETTERS = "abcdefghijklmnop"


async def puts(page, origin, target):
    """Walks from the king to one square, picks up what is there, and puts it down on another."""
    await page.focus("#board")
    await walks(page, "e1", origin)
    await page.keyboard.press("Enter")
    await walks(page, origin, target)
    await page.keyboard.press("Enter")


async def walks(page, origin, target):
    right, up = LETTERS.index(target[0]) - LETTERS.index(origin[0]), int(target[1:]) - int(origin[1:])
    for _ in range(abs(right)):
        await page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
    for _ in range(abs(up)):
        await page.keyboard.press("ArrowUp" if up > 0 else "ArrowDown")


@pytest.mark.parametrize(
    ("fen", "move", "words"),
    [
        (None, ("g1", "g3"), "Illegal: knight on g1 does not reach g3. It stays"),
        ("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", ("e2", "g3"), "with knight on g3 your king could be taken"),
        ("4r2k/8/8/8/8/8/8/R3K3 w - - 0 1", ("a1", "a5"), "you are in check, and rook to a5 does not help"),
    ],
    ids=["reach", "pinned", "in check"],
)
async def test_an_illegal_move_is_said_to_be_illegal_with_the_reason(seat, fen, move, words):
    player = await seat()
    await player.challenge("chess", **({"fen": fen} if fen else {}))
    await puts(player.page, *move)
    await expect(player.page.locator("#live")).to_contain_text(words)
    await player.shows(fen or "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


async def test_a_drop_on_an_occupied_square_is_said_to_be_illegal(seat):
    player = await seat()
    await player.challenge("crazyhouse", fen="7k/8/8/8/4p3/8/8/4K3[N] w - - 0 1")
    page = player.page
    await page.set_viewport_size({"width": 1440, "height": 900})
    await page.focus("#board")
    keys = [*["ArrowRight"] * 4, *["ArrowUp"] * 3, "Enter", *["ArrowLeft"] * 4, "Enter"]
    said = ["f1", "g1", "h1", "queen", "rook", "bishop", "knight", "picked up", "h4", "g4", "f4", "e4", "Illegal"]
    for key, words in zip(keys, said, strict=True):
        await page.keyboard.press(key)
        await expect(page.locator("#live")).to_contain_text(words)
    await expect(page.locator("#live")).to_contain_text("e4 is occupied, and knight can only be dropped on an empty")
