"""The rules pages in a browser: readable on every screen and without scripts, and a board to try moves on."""

import asyncio
import itertools

import pytest
from playwright.async_api import expect

from tests.support.browser.screens import PHONE, laid_out
from tests.support.patience import PATIENCE_S
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SCREENS = [{"width": 360, "height": 740}, {"width": 820, "height": 1180}, {"width": 1440, "height": 900}]
POINT = """async ([square, files, ranks]) => {
    document.querySelector('#try-board').scrollIntoView({ block: 'nearest', behavior: 'instant' });
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const area = document.querySelector('#try-board cg-board').getBoundingClientRect();
    const [x, y] = [square.charCodeAt(0) - 97, ranks - Number(square.slice(1))];
    return [area.x + (x + 0.5) * area.width / files, area.y + (y + 0.5) * area.height / ranks];
}"""


async def arrive(reader, variant):
    """Opens the rules, and returns the page with its board in view."""
    page = reader.page
    await page.goto(f"{reader.site}/rules/{variant}")
    await expect(page.locator("#try-board cg-board")).to_be_visible()
    await page.click('[data-mode="free"]')
    return page


async def click(page, square, files=8, ranks=8):
    x, y = await page.evaluate(POINT, [square, files, ranks])
    await page.mouse.click(x, y)


async def test_both_sides_are_moved_and_what_is_taken_can_be_dropped(regular):
    page = await arrive(regular, "crazyhouse")
    says = page.locator("#try-says")
    await expect(says).to_have_text("White to move.")
    for origin, target, next_side in [("e2", "e4", "Black"), ("d7", "d5", "White"), ("e4", "d5", "Black")]:
        await click(page, origin)
        await click(page, target)
        await expect(says).to_have_text(f"{next_side} to move.")
    held = page.locator("#try-board .pocket").last.locator('piece[data-role="p-piece"]')
    await expect(held).to_have_attribute("data-nb", "1")
    await page.click("#try-back")
    await expect(held).to_have_attribute("data-nb", "0")
    await page.click("#try-again")
    await expect(says).to_have_text("White to move.")


async def test_a_move_that_is_not_legal_changes_nothing(regular):
    page = await arrive(regular, "acedrex")
    await click(page, "a4", 12, 12)
    await click(page, "a6", 12, 12)
    await click(page, "a4", 12, 12)
    await click(page, "a5", 12, 12)
    await expect(page.locator("#try-says")).to_have_text("Black to move.")


def keep(held):
    """What is asked waits in this future."""
    return lambda route: held.set_result(route)


async def test_what_is_asked_for_while_a_move_is_on_its_way_counts_instead_of_it(regular):
    page = await arrive(regular, "chess")
    for button in ("#try-back", "#try-again"):
        held = asyncio.get_running_loop().create_future()
        await page.route("**/api/variants/chess/line", keep(held), times=1)
        await click(page, "e2")
        await click(page, "e4")
        route = await asyncio.wait_for(held, PATIENCE_S)
        await expect(page.locator("#try-board .board")).to_have_attribute("aria-busy", "true")
        async with page.expect_response("**/api/variants/chess/line"):
            await page.click(button)
        async with page.expect_response("**/api/variants/chess/line") as late:
            await route.continue_()
        await (await late.value).finished()
        await laid_out(page)
        await expect(page.locator("#try-says")).to_have_text("White to move.")
        await expect(page.locator("#try-board .board")).to_have_attribute("aria-busy", "false")
    await click(page, "d2")
    await click(page, "d4")
    await expect(page.locator("#try-says")).to_have_text("Black to move.")


async def test_the_board_is_played_by_keyboard(regular):
    page = await arrive(regular, "chess")
    await page.locator("#try-board .board").focus()
    for key in ["ArrowUp", "Enter", "ArrowUp", "ArrowUp", "Enter"]:
        await page.keyboard.press(key)
    await expect(page.locator("#try-says")).to_have_text("Black to move.")


async def test_a_server_that_is_away_is_said_and_the_move_comes_back(regular):
    page = await arrive(regular, "chess")
    await page.route("**/api/variants/chess/line", lambda route: route.abort("connectionrefused"))
    await click(page, "e2")
    await click(page, "e4")
    await expect(page.locator("#try-says")).to_contain_text("Try the move again.")
    await page.unroute("**/api/variants/chess/line")
    await click(page, "e2")
    await click(page, "e4")
    await expect(page.locator("#try-says")).to_have_text("Black to move.")


WIDER_THAN = """width => [document.documentElement.scrollWidth,
    document.querySelector('.diagram-svg').getBoundingClientRect().width].filter(each => each > width)"""
"""The widths of the page and of its first diagram, as far as they have no room on a screen of that width."""


async def test_pages_fit_every_screen(seat):
    page, found = (reader := await seat()).page, {}
    for path in ("/rules", "/rules/acedrex", "/rules/capablanca"):
        await page.goto(reader.site + path)
        for screen, scheme in itertools.product(SCREENS, ("light", "dark")):
            await page.set_viewport_size(screen)
            await page.emulate_media(color_scheme=scheme)
            await laid_out(page)
            if wider := await page.evaluate(WIDER_THAN, screen["width"]):
                found[path, screen["width"], scheme] = wider
    assert found == {}


async def test_without_scripts_everything_can_be_read(seat, host):
    page = (await seat(java_script_enabled=False)).page
    await page.goto(f"{host.site}/rules/grand")
    await expect(page.locator("#piece-a .diagram-svg").first).to_be_visible()
    await expect(page.locator("#history")).to_be_visible()
    await expect(page.locator("#try-board .diagram-svg")).to_be_visible()
    await expect(page.locator("#steps > li")).to_have_count(4)
    await page.click("#card-let-it-wait summary")
    await expect(page.locator("#card-let-it-wait details")).to_contain_text("b8")
    await page.goto(f"{host.site}/rules")
    await expect(page.locator(".rules-card")).to_have_count(len(VARIANTS))


async def test_the_row_of_chapters_follows_the_reader_on_a_phone(seat):
    page = (reader := await seat(**PHONE)).page
    await page.goto(f"{reader.site}/rules/shogun")
    for chapter in ("#values", "#start"):
        await page.evaluate("chapter => document.querySelector(chapter).scrollIntoView()", chapter)
        link = page.locator("#toc [aria-current]")
        await expect(link).to_have_attribute("href", chapter)
        await expect(link).to_be_in_viewport(ratio=1)


async def test_the_round_page_leads_to_the_rules_in_a_new_tab(seat):
    white = await seat()
    await white.challenge("grand")
    link = white.page.locator('#rules a[href="/rules/grand"]')
    await expect(link).to_have_attribute("target", "_blank")


@pytest.mark.parametrize(("address", "shuffled"), [("capahouse960", True), ("capahouse", False)])
async def test_the_link_to_play_chooses_the_form_of_the_page(seat, host, address, shuffled):
    page = (await seat()).page
    await page.goto(f"{host.site}/")
    await page.evaluate(
        "terms => localStorage.setItem('new-game', terms)", f'{{"chess960": {str(not shuffled).lower()}}}'
    )
    await page.goto(f"{host.site}/rules/{address}")
    await page.locator(".rules-go .primary").click()
    await expect(page.locator('input[type="radio"][name="variant"][value="capahouse"]')).to_be_checked()
    await expect(page.locator("#chess960")).to_be_checked(checked=shuffled)
