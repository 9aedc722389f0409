"""The engine beside a board, for the tests of it."""

import re

from playwright.async_api import expect

from server.rules.movegen.legal import legal_moves
from server.rules.notation.san import format_san

LINES = ".engine-line"
FIRST_MOVES = ".engine-line .line-moves button:first-child"


async def switch_on(player, lines=None):
    """It is on, and has something to say."""
    box = player.page.locator("#engine-on")
    if not await box.is_checked():
        await box.check()
    if lines is not None:
        await player.page.select_option("#engine-lines", str(lines))
    await thought(player)


async def thought(player):
    await expect(player.page.locator("#engine-state")).to_have_text(re.compile(r"Depth|over|Proved"))


async def first_moves(player):
    """The moves with which the lines begin, in SAN."""
    texts = await player.page.locator(FIRST_MOVES).all_inner_texts()
    return [re.sub(r"^\d+\.+\s*", "", text) for text in texts]


def sans(position):
    """Every legal move, as people write it."""
    return {format_san(position, move) for move in legal_moves(position)}
