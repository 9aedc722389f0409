"""The opening explorer beside the analysis board: asked for only when opened, played from by mouse and keyboard."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import audit
from tests.support.browser.analysing import after, by_mouse, shown, tried
from tests.support.web.people import Person, play

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def explored(*moves):
    """An answer of the server's: each move with White's wins, draws and Black's wins."""
    counted = [
        {"uci": uci, "san": san, "white": white, "draws": draws, "black": black, "rating": rating}
        | {"last": "0123456789", "ended": 1, "best": "9876543210" if rating else None, "best_rating": rating}
        for uci, san, white, draws, black, rating in moves
    ]
    return {"fen": "", "white": 0, "draws": 0, "black": 0, "moves": counted}


COUNTED = """async () => {
    while (!(await (await fetch('/api/explorer/shogun')).json()).moves.length) {
        await new Promise(next => setTimeout(next, 250));
    }
}"""
"""The server counts games every few seconds."""
ANSWERS = {
    "w": explored(("e2e4", "e4", 5, 1, 4, 1620), ("d2d4", "d4", 1, 0, 0, None)),
    "b": explored(("e7e5", "e5", 2, 0, 2, None)),
}


@pytest.fixture
def answered(analyst):
    """Somebody at the board whose explorer answers by whose move it is, and what it was asked."""

    async def sit():
        asked = []

        async def answer(route):
            asked.append(route.request.url)
            moves = parse_qs(urlsplit(route.request.url).query).get("moves", [])
            await route.fulfill(json=ANSWERS["b" if moves and moves[0].count(",") % 2 == 0 else "w"])

        anna = await analyst("chess")
        await anna.page.route("**/api/explorer/**", answer)
        return anna, asked

    return sit


async def opened(anna):
    await anna.page.click("#tab-set-up")
    await anna.page.click("#openings > summary")
    await expect(anna.page.locator(".openings-move").first).to_be_visible()


async def test_nothing_is_asked_before_it_is_opened(answered):
    anna, asked = await answered()
    await by_mouse(anna, "e2e4")
    await shown(anna, after("chess", "e2e4"))
    assert asked == []
    await opened(anna)
    assert len(asked) == 1


async def test_moves_are_shown_with_their_results_and_can_be_played(answered):
    anna, asked = await answered()
    await opened(anna)
    rows = anna.page.locator(".openings-moves tbody tr")
    await expect(rows).to_have_count(2)
    await expect(rows.first.locator(".openings-number")).to_have_text(["10", "1620"])
    await expect(rows.first.locator(".openings-bar")).to_have_attribute(
        "aria-label", "White won 50 %, draws 10 %, Black won 40 %"
    )
    await expect(anna.page.get_by_role("link", name="Strongest game (1620)")).to_have_attribute("href", "/9876543210")
    await expect(anna.page.get_by_role("link", name="Latest game")).to_have_attribute("href", "/0123456789")
    await rows.first.get_by_role("button").click()
    await tried(anna, "e4")
    await expect(anna.page.locator(".openings-move")).to_have_text(["e5"])
    await anna.page.click("#nav-prev")
    await expect(anna.page.locator(".openings-move")).to_have_text(["e4", "d4"])
    assert len(asked) == 2, "what is known is not asked again"


async def test_it_is_played_from_by_keyboard(answered):
    anna, _ = await answered()
    keyboard = anna.page.keyboard
    await anna.page.focus("#tab-set-up")
    await keyboard.press("Enter")
    await anna.page.focus("#openings > summary")
    await keyboard.press("Enter")
    await expect(anna.page.locator(".openings-move")).to_have_text(["e4", "d4"])
    await keyboard.press("Tab")
    await keyboard.press("Enter")
    await tried(anna, "e4")
    await expect(anna.page.locator(".openings-move")).to_have_text(["e5"])
    await expect(anna.page.locator(".openings-move")).to_be_focused()
    await keyboard.press("Enter")
    await tried(anna, "e4", "e5")


async def test_it_has_no_fault_that_a_tool_finds(answered):
    anna, _ = await answered()
    await opened(anna)
    assert await audit(anna.page) == []


async def test_a_game_played_here_is_in_it(analyst):
    anna = await analyst("shogun")
    async with Person(anna.site) as one, Person(anna.site) as other:
        game = await one.challenge(variant="shogun")
        await other.join(game)
        async with one.follow(game) as white, other.follow(game) as black:
            await play([white, black], ["g1f3", "g8f6"])
            await white.command(t="resign")
    await anna.page.evaluate(COUNTED)
    await opened(anna)
    await expect(anna.page.locator(".openings-move")).to_have_text(["Nf3"])
    await expect(anna.page.get_by_role("link", name="Latest game")).to_have_attribute("href", f"/{game['id']}")
