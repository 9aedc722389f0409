"""What is seen and done at the analysis board, for the tests of it."""

import re

from playwright.async_api import expect

from server.rules.movegen.legal import play
from server.rules.notation.fen import format_fen, start_position
from server.rules.notation.uci import parse_uci
from tests.support.rules.built_in import VARIANTS


def after(variant, *ucis):
    """The core's FEN after these moves."""
    position = start_position(VARIANTS[variant])
    for uci in ucis:
        position = play(position, parse_uci(position, uci))
    return format_fen(position)


async def tried(player, *sans):
    """The tree is, or soon becomes, these moves in the order of the page."""
    await expect(player.page.locator(".tree .san")).to_have_text(list(sans))


async def shown(player, fen):
    """The field holds that position, and so does the board."""
    await expect(player.page.locator("#fen")).to_have_value(fen)
    await player.shows(fen)


async def by_mouse(player, *ucis):
    """Clicks moves without anything to choose."""
    for uci in ucis:
        before = await player.page.locator("#fen").input_value()
        drop, origin, target = re.fullmatch(r"(?:(\w)@|([a-l]\d+))([a-l]\d+)", uci).groups()
        if drop:
            side = "top" if " b " in before else "bottom"
            await player.page.click(f"#pocket-{side} piece[data-role='{drop.lower()}-piece']:not([data-nb='0'])")
        else:
            await player.click(origin)
        await player.click(target)
        await expect(player.page.locator("#fen")).not_to_have_value(before)


async def walk_to(player, *arrows):
    """Moves the cursor on the board."""
    for arrow in arrows:
        await player.page.keyboard.press(f"Arrow{arrow}")


async def load(player, pgn):
    await player.look_at("set-up")
    if not await player.page.locator("#pgn").is_visible():
        await player.page.click("summary:has-text('Load a game')")
    await player.page.fill("#pgn", pgn)
    await player.page.click("#load button")
