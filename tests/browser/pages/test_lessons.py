"""Lessons in a browser: the introduction, the tasks, what is kept, and what is told of a wrong move."""

import pytest
from playwright.async_api import expect

from tests.support.browser.screens import PHONE, areas, laid_out

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

POINT = """([square, files, ranks]) => {
    const area = document.querySelector('#try-board cg-board').getBoundingClientRect();
    const [x, y] = [square.charCodeAt(0) - 97, ranks - Number(square.slice(1))];
    return [area.x + (x + 0.5) * area.width / files, area.y + (y + 0.5) * area.height / ranks];
}"""


async def arrive(person, address):
    page = person.page
    await page.goto(f"{person.site}/rules/{address}")
    await expect(page.locator("#try-board cg-board")).to_be_visible()
    return page


async def click(page, *squares, files=8, ranks=8):
    for square in squares:
        await laid_out(page)
        await page.mouse.click(*await page.evaluate(POINT, [square, files, ranks]))


async def test_the_introduction_leads_from_step_to_step_to_the_tasks(seat):
    page = await arrive(await seat(), "chess")
    says, step = page.locator("#try-says"), page.locator("#lesson-count")
    await expect(step).to_have_text("Step 1 of 4")
    await click(page, "d2", "d4")
    await expect(says).to_have_text("The pawn should arrive on e4.")
    await page.click("#lesson-again")
    await click(page, "e2", "e4")
    await expect(says).to_contain_text("Pawns go straight on")
    await page.click("#lesson-next")
    await expect(step).to_have_text("Step 2 of 4")
    await expect(page.locator('#steps [aria-current="step"]')).to_contain_text("Bring it from g1 to f3")
    for _ in range(2):
        await page.click("#lesson-next")
    await page.click("#lesson-show")
    await expect(says).to_contain_text("That is checkmate")
    await expect(page.locator("#lesson-next")).to_have_text("On to the tasks")
    await page.click("#lesson-next")
    await expect(page.locator("#task-name")).to_have_text("Smothered mate")


async def test_checks_are_counted_below_the_board(seat):
    page = await arrive(await seat(), "3check")
    counted = page.locator(".stage-checks")
    await expect(counted.locator("b")).to_have_text(["○○○", "○○○"])
    await click(page, "f1", "b5")
    await expect(page.locator("#try-says")).to_contain_text("One of three.")
    await expect(counted.locator("b")).to_have_text(["●○○", "○○○"])
    await expect(counted).to_contain_text("White has given 1 of 3 checks.")
    await page.goto(page.url.replace("3check", "chess"))
    await expect(page.locator("#try-board cg-board")).to_be_visible()
    await expect(counted).to_have_count(0)


async def test_a_step_is_ticked_when_it_is_done_and_not_when_it_is_passed(seat):
    page = await arrive(await seat(), "chess")
    says, ticked = page.locator("#try-says"), page.locator("#steps .did")
    await page.click("#lesson-next")
    await expect(page.locator("#lesson-count")).to_have_text("Step 2 of 4")
    await expect(ticked).to_have_count(0)
    await page.click("#lesson-back")
    await click(page, "e2", "e4")
    await expect(says).to_contain_text("Correct. Pawns go straight on")
    await expect(ticked).to_have_count(1)
    await page.reload()
    await expect(ticked).to_have_count(1)
    await page.click("#lesson-next")
    await page.click("#lesson-show")
    await expect(says).not_to_be_empty()
    await expect(says).not_to_contain_text("Correct")


async def test_a_guests_tasks_are_kept_in_the_browser_and_marked_in_the_list(seat):
    page = await arrive(await seat(), "chess#task-royal-fork")
    await expect(page.locator("#task-name")).to_have_text("The fork")
    await click(page, "d5", "c7")
    await expect(page.locator("#tasks-count")).to_have_text("1 of 6")
    await expect(page.locator("#card-royal-fork .tag")).to_contain_text("done")
    await page.reload()
    await expect(page.locator("#tasks-count")).to_have_text("1 of 6")
    await page.goto(page.url.partition("/rules")[0] + "/rules")
    await expect(page.locator('.tasks-done[data-lesson="chess"]')).to_have_text("1 of 6 tasks done")
    await expect(page.locator('.tasks-done[data-lesson="grand"]')).to_be_hidden()


async def test_what_a_guest_has_done_goes_into_the_account(seat):
    reader = await seat()
    page = await arrive(reader, "chess#task-royal-fork")
    await click(page, "d5", "c7")
    await expect(page.locator("#tasks-count")).to_have_text("1 of 6")
    await page.goto(f"{reader.site}/register")
    await page.fill('[name="name"]', "Learner")
    await page.fill('[name="password"]', "a good long one")
    await page.click("form button.primary")
    await page.wait_for_url(f"{reader.site}/?registered")
    async with page.expect_response("**/api/lessons/chess/royal-fork"):
        await page.goto(f"{reader.site}/rules/chess")
    await expect(page.locator("#tasks-count")).to_have_text("1 of 6")
    await page.evaluate("localStorage.removeItem('lessons')")
    await page.reload()
    await expect(page.locator("#tasks-count")).to_have_text("1 of 6")


async def test_the_reply_to_a_wrong_move_is_shown_and_the_task_comes_back(seat):
    page = await arrive(await seat(), "crazyhouse#task-air")
    await click(page, "g2", "g3")
    await expect(page.locator("#try-says")).to_contain_text("drop a piece from your pocket")
    await page.click("#lesson-again")
    await page.locator("#try-board .pocket").last.locator('piece[data-role="p-piece"]').click()
    await click(page, "a2")
    await expect(page.locator("#try-says")).to_contain_text("N@f2#")
    await expect(page.locator("#try-board cg-board piece.black.n-piece")).to_have_count(1)
    await click(page, "e4")
    await expect(page.locator("#try-board cg-board piece.black.n-piece")).to_have_count(0)
    await expect(page.locator("#try-says")).to_have_text("")


async def test_a_server_that_is_away_is_said_and_the_move_can_be_made_again(seat):
    page = await arrive(await seat(), "chess#task-royal-fork")
    await page.route("**/api/lessons/**", lambda route: route.abort("connectionrefused"))
    await click(page, "d5", "c7")
    await expect(page.locator("#try-says")).to_contain_text("Try the move again.")
    await page.unroute("**/api/lessons/**")
    await click(page, "d5", "c7")
    await expect(page.locator("#try-says")).to_contain_text("The king has to move")


async def test_a_task_is_opened_by_a_press_and_solved_by_keyboard(regular):
    page = await arrive(regular, "chess")
    await page.locator("#card-two-rooks .task-open").press("Enter")
    await expect(page.locator("#task-name")).to_have_text("Two rooks")
    await expect(page.locator("#try-board .board")).to_be_focused()
    assert page.url.endswith("#task-two-rooks")


BOTTOM = "selector => document.querySelector(selector).getBoundingClientRect().bottom"


async def test_on_a_phone_the_new_pieces_are_within_two_screens(seat):
    reader = await seat(viewport={"width": 360, "height": 740})
    for address in ("seirawan", "acedrex", "grandhouse"):
        page = await arrive(reader, address)
        assert await page.evaluate(BOTTOM, "#pieces .new-piece") < 2 * 740, address
        assert await page.evaluate(BOTTOM, "#try-board") < 900, address
        assert await page.evaluate("document.documentElement.scrollWidth") == 360, address


NEXT_STEP = "#steps > .is, #try-board, #lesson-next"
"""What is to be done, the board on which it is done, and the way on."""


async def test_every_step_stands_on_one_screen_with_its_board_and_the_way_on(seat):
    """The badge said 1 at each step, as the others were not there to be counted."""
    reader = await seat(**PHONE, locale="es-ES")
    for address, (width, height) in (("seirawan", (360, 640)), ("grandhouse", (740, 360)), ("acedrex", (667, 375))):
        await reader.page.set_viewport_size({"width": width, "height": height})
        page = await arrive(reader, address)
        count = await page.locator("#steps > li").count()
        for number in range(2, count + 1):
            await page.locator("#lesson-next").click()
            await expect(page.locator("#lesson-count")).to_have_text(f"Paso {number} de {count}")
            seen = await areas(page, NEXT_STEP)
            assert all(0 <= top < bottom <= height + 1 for _, top, _, bottom in seen), (address, number, seen)
            assert await shown_alone(page) == number - 1, (address, number)
            assert await page.locator("#steps > .is").evaluate(TOPMOST), (address, number)


SHOWN = "all => all.flatMap((each, nth) => (getComputedStyle(each).visibility === 'visible' ? [nth] : []))"
TOPMOST = """each => {
    const { left, top } = each.getBoundingClientRect();
    return each.contains(document.elementFromPoint(left + 40, top + 16));
}"""


async def shown_alone(page):
    """Which step is shown, and no other: the others keep their place, by which the badge of this one is counted."""
    (number,) = await page.locator("#steps > li").evaluate_all(SHOWN)
    return number


async def test_the_contents_mark_what_is_read(regular):
    page = await arrive(regular, "seirawan")
    read = page.locator('#toc [aria-current="true"]')
    await expect(read).to_have_attribute("href", "#try")
    await page.locator("#toc").get_by_text("History").click()
    await expect(read).to_have_attribute("href", "#history")


async def test_ordinary_chess_is_folded_and_an_address_opens_it(regular):
    page = await arrive(regular, "seirawan")
    await expect(page.locator("#piece-n")).to_be_hidden()
    await page.goto(page.url + "#piece-n")
    await expect(page.locator("#piece-n")).to_be_visible()
    await page.goto(page.url.replace("seirawan", "chess"))
    await expect(page.locator("#piece-n")).to_be_visible()


MOST_PAGES = 10


async def test_a_page_is_printed_on_at_most_ten_sheets(regular):
    for address in ("acedrex", "shouse"):
        page = await arrive(regular, address)
        printed = await page.pdf(format="A4")
        assert 2 <= printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") <= MOST_PAGES, address
