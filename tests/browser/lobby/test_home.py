"""The front page in real browsers: the board to try, how many wait at each time, and what is told while waiting."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.visitor import Visitor
from tests.support.web.people import play

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.browser]

BARE = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


def board(person):
    return person.page.locator("#boards cg-board:visible")


def asks_the_server(person):
    """While it is entered, a move is made that the server judges."""
    return person.page.expect_response(re.compile("/api/variants/.*/line"))


async def move(person, *way):
    """Moves a piece between squares, each as file and rank from the lower left corner, on a board of eight."""
    box = await board(person).bounding_box()
    side = box["width"] / 8
    for file, rank in way:
        point = {"x": (file + 0.5) * side, "y": box["height"] - (rank + 0.5) * side}
        await board(person).click(position=point)


async def test_both_sides_can_be_moved_and_taken_back(visitor):
    anna = await visitor()
    await anna.choose("chess")
    await expect(board(anna).locator("piece")).to_have_count(32)
    await expect(anna.page.locator("#undo")).to_be_disabled()
    async with asks_the_server(anna):
        await move(anna, (4, 1), (4, 3))
    await expect(anna.page.locator("#begin-with")).to_contain_text("e2e4")
    async with asks_the_server(anna):
        await move(anna, (3, 6), (3, 4))
    await expect(anna.page.locator("#begin-with")).to_be_hidden()
    async with asks_the_server(anna):
        await move(anna, (4, 3), (3, 4))
    await expect(board(anna).locator("piece")).to_have_count(31)
    async with asks_the_server(anna):
        await anna.page.click("#undo")
    await expect(board(anna).locator("piece")).to_have_count(32)
    await anna.choose("grand")
    await anna.choose("chess")
    await expect(anna.page.locator("#undo")).to_be_enabled()


async def test_the_first_moves_of_another_variant_come_when_it_is_chosen(visitor):
    anna = await visitor()
    await anna.choose("chess")
    lost = "**/api/variants/crazyhouse/line"
    await anna.page.route(lost, lambda route: route.abort("connectionrefused"))
    async with anna.page.expect_event("requestfailed"):
        await anna.choose("crazyhouse")
    await expect(board(anna).locator("piece")).to_have_count(32)
    await anna.page.unroute(lost)
    await anna.choose("chess")
    busy = anna.page.locator("#boards [aria-busy]:visible")
    await expect(busy).to_have_attribute("aria-busy", "false")
    async with asks_the_server(anna) as asked:
        await anna.page.locator(".shelf-one", has=anna.page.locator("[value='crazyhouse']")).hover()
    await (await asked.value).finished()
    await anna.choose("crazyhouse")
    await expect(busy).to_have_attribute("aria-label", re.compile("Crazyhouse"))
    await expect(busy).to_have_attribute("aria-busy", "false")
    async with asks_the_server(anna):
        await move(anna, (4, 1), (4, 3))
    await expect(anna.page.locator("#begin-with")).to_contain_text("e2e4")


async def test_a_variant_that_is_pointed_at_can_be_moved_as_soon_as_it_is_chosen(visitor):
    anna = await visitor()
    await anna.choose("chess")
    async with asks_the_server(anna) as asked:
        await anna.page.locator(".shelf-one", has=anna.page.locator("[value='grandhouse']")).hover()
    assert (await asked.value).url.endswith("/api/variants/grandhouse/line")
    await (await asked.value).finished()
    await anna.page.route("**/line", lambda route: route.abort())
    await anna.page.mouse.down()
    await anna.page.mouse.up()
    busy = anna.page.locator("#boards [aria-busy]:visible")
    await expect(busy).to_have_attribute("aria-label", re.compile("Grandhouse"))
    await expect(busy).to_have_attribute("aria-busy", "false")


async def test_a_game_begins_with_the_move_on_the_board_only_if_that_is_wanted(visitor, seat, host):
    for wanted, first in ((False, ""), (True, re.compile("e4"))):
        person = await seat()
        anna = await Visitor(person, host.site).arrive()
        await anna.choose("chess")
        async with asks_the_server(anna):
            await move(anna, (4, 1), (4, 3))
        if wanted:
            await anna.page.locator("#begin-with").click()
            await expect(anna.page.locator("#own-terms-words")).to_have_text("10+5, white")
        await anna.page.click("#create")
        await anna.is_playing()
        await expect(anna.page.locator("#move-list")).to_have_text(first)


async def test_the_board_follows_shuffle_and_a_position_of_ones_own(visitor):
    anna = await visitor()
    await anna.choose("chess")
    await expect(board(anna).locator("piece")).to_have_count(32)
    async with asks_the_server(anna):
        await anna.page.locator("#shuffle").click()
    await expect(anna.page.locator("#chosen-name")).to_have_text("Chess960")
    await expect(anna.page.locator("#chosen-words")).to_contain_text("every game gets a first rank of its own")
    await expect(board(anna)).to_have_count(1)
    await anna.page.locator("#shuffle").click()
    await anna.unfold_terms()
    await anna.page.locator("#more-terms summary").click()
    async with asks_the_server(anna):
        await anna.page.fill("#start-fen", BARE)
        await anna.page.keyboard.press("Tab")
    await expect(board(anna).locator("piece")).to_have_count(3)
    async with asks_the_server(anna):
        await move(anna, (4, 1), (4, 3))
    await expect(anna.page.locator("#undo")).to_be_enabled()
    await expect(anna.page.locator("#begin-with")).to_be_hidden()


async def test_the_960_form_is_left_with_its_variant_and_told_on_the_shelf(visitor):
    """It went along to the next variants that have one, and two taps later a time of the grid sought chess 960."""
    anna, ben = await visitor(), await visitor()
    await anna.choose("crazyhouse")
    await anna.page.locator("#shuffle").click()
    await expect(anna.page.locator(".shelf-one:has(:checked)")).to_contain_text("Crazyhouse960")
    await anna.page.reload()
    await expect(anna.page.locator(".shelf-one:has(:checked)")).to_contain_text("Crazyhouse960")
    for variant in ("grand", "chess"):
        await anna.choose(variant)
    await expect(anna.page.locator("#chess960")).not_to_be_checked()
    await expect(anna.page.locator("#shelf")).not_to_contain_text("960")
    await anna.quick("300+3")
    await expect(ben.row("Chess")).to_have_text(re.compile(r"^5\+3Chess\w"))


async def test_each_time_says_how_many_wait_for_just_that(visitor):
    anna, ben = await visitor(), await visitor()
    await anna.choose("grand")
    await anna.quick("300+3")
    await anna.waits()
    tile = ben.page.locator("[data-clock='300+3'] small")
    await ben.choose("grand")
    await expect(tile).to_have_text("1 waiting")
    await expect(ben.page.locator("[data-clock='180+2'] small")).to_have_text("Blitz")
    await ben.choose("chess")
    await expect(tile).to_have_text("Blitz")
    await ben.choose("grand")
    await anna.page.click("#waiting-cancel")
    await expect(tile).to_have_text("Blitz")
    await expect(anna.page.locator("[data-clock='300+3']")).to_be_visible()


async def test_whoever_waits_reads_for_how_long_and_what_to_do_meanwhile(seat, host):
    person = await seat()
    anna = await Visitor(person, host.site).arrive()
    await person.stop_time()
    await anna.choose("shogun")
    await anna.quick("600+5")
    await anna.waits()
    await expect(anna.page.locator("#waiting-time")).to_have_text("0:00")
    await person.page.clock.run_for(62_000)
    await expect(anna.page.locator("#waiting-time")).to_have_text("1:02")
    await expect(anna.page.locator("#waiting-lesson")).to_have_attribute("href", "/rules/shogun")
    await expect(anna.page.locator("[data-clock='600+5']")).to_be_hidden()
    await anna.page.click("#waiting-more")
    await anna.quick("900+10")
    await expect(anna.page.locator("#seeks .seek.mine")).to_have_count(2)


async def test_at_a_desk_all_that_matters_is_in_sight(visitor):
    anna = await visitor(viewport={"width": 1440, "height": 900})
    for part in ("#shelf", "#boards", "#quick", "#create", "#chosen-rules", "#seeks-empty"):
        box = await anna.page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= 900, part
    title, logo, stage = [await anna.page.locator(part).bounding_box() for part in ("h1", ".brand", "#boards")]
    assert title["x"] == logo["x"] == stage["x"]


async def test_everybody_reads_the_same_number_of_people_here(visitor):
    """It was asked for once, before the page itself had a line and so was counted, and then never again."""
    anna = await visitor()
    here = anna.page.locator("#people-here")
    await expect(here).to_have_text(re.compile(r"^\d+$"))
    before = int(await here.text_content())
    ben = await visitor()
    await ben.quick("300+3")
    await ben.waits()
    await expect(here).not_to_have_text(str(before))
    await expect(ben.page.locator("#people-here")).to_have_text(await here.text_content())
    reading = await anna.context.new_page()
    await reading.goto(f"{anna.site}/online")
    await expect(reading.locator(".page-head")).to_contain_text(await here.text_content())


async def test_a_game_in_play_is_shown(off_screen, visitor):
    white, black = await off_screen(), await off_screen()
    game = await white.challenge(variant="grandhouse")
    await black.join(game)
    async with white.follow(game) as one, black.follow(game) as other:
        await play((one, other), ["e3e5", "e8e6"])
        anna = await visitor()
        shown = anna.page.locator("#live-game .tv-game")
        await expect(shown.get_by_role("link", name=re.compile("Grandhouse"))).to_have_attribute(
            "href", f"/{game['id']}"
        )
        await expect(anna.page.locator("#games-on")).to_have_text(re.compile(r"^\d+$"))
        await expect(anna.page.locator("#live-none")).to_be_hidden()


LEARNT = "localStorage.setItem('lessons', JSON.stringify({seirawan: {'hawk-in': 'f1c4'}}))"


async def test_who_has_begun_a_lesson_reads_how_far_they_are_and_what_comes_next(seat, host):
    person = await seat(viewport={"width": 1440, "height": 900})
    await person.context.add_init_script(LEARNT)
    anna = await Visitor(person, host.site).arrive()
    line = anna.page.locator("#lesson-progress")
    await anna.choose("shogun")
    await expect(line).to_contain_text("An introduction and")
    before = await anna.page.locator("#lesson-progress").bounding_box()
    await anna.choose("seirawan")
    await expect(line).to_contain_text(re.compile(r"^1 of \d+ tasks done\. Next: "))
    await expect(anna.page.locator("#chosen-tasks")).to_contain_text(re.compile(r"1/\d"))
    assert await line.bounding_box() == before
    await line.get_by_role("link").click()
    await expect(anna.page).to_have_url(re.compile(r"/rules/seirawan#task-gate-while-castling$"))
