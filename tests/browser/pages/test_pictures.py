"""Pictures as a real browser draws them: under the site's own Content-Security-Policy, and as a film."""

from io import BytesIO

import pytest
import pytest_asyncio
from PIL import Image

from server.pictures.scene import Plate, View
from server.rules.notation.fen import parse_fen, start_position
from tests.support.rules.built_in import VARIANTS
from tests.support.web.people import play

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SQUARE = 50


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser):
    context = await browser.new_context(viewport={"width": 12 * SQUARE, "height": 16 * SQUARE})
    page = await context.new_page()
    yield page
    await context.close()


async def occupied(page, view):
    """The squares in whose middle more than one colour is seen."""
    image = Image.open(BytesIO(await page.screenshot())).convert("RGB")
    found = set()
    for square in range(view.variant.geometry.size):
        x, y = (place * SQUARE / 110 for place in view.corner(square))
        middle = image.crop((int(x) + 12, int(y) + 12, int(x) + 38, int(y) + 38))
        if len(middle.getcolors(10_000)) > 3:
            found.add(square)
    return found


def pieces(position):
    return {square for square, code in enumerate(position.board) if code}


async def test_a_board_shows_its_pieces(page, host):
    for variant, flip in (("chess", 0), ("seirawan", 1), ("grandhouse", 0), ("acedrex", 1)):
        chosen = VARIANTS[variant]
        view = View(chosen, flipped=flip == 1)
        address = f"/api/variants/{variant}/board.svg?coords=0&flip={flip}&size={chosen.files * SQUARE}"
        await page.goto(host.site + address)
        assert await occupied(page, view) == pieces(start_position(chosen)), variant


async def test_a_film_shows_each_position_in_its_time(page, off_screen, host):
    white, black = await off_screen(), await off_screen()
    game = await white.challenge()
    await black.join(game)
    async with white.follow(game) as one, black.follow(game) as other:
        await play((one, other), ["f2f3", "e7e5", "g2g4"])
    await page.goto(f"{host.site}/{game['id']}/replay.svg?coords=0&seconds=1&size={8 * SQUARE}")
    view = View(VARIANTS["chess"], plates=(Plate(""), Plate("")))
    await page.evaluate("document.documentElement.pauseAnimations()")
    start, end = VARIANTS["chess"].start_fen, "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    for second, fen in ((0.5, start), (4.5, end)):
        await page.evaluate("second => document.documentElement.setCurrentTime(second)", second)
        assert await occupied(page, view) == pieces(parse_fen(VARIANTS["chess"], fen))
