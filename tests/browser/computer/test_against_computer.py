"""Games against the computer in a real browser, whose worker plays.

On each board size, by mouse and by keys; what it grants and shows; how it goes on after a reload; and what is said when
it cannot think.
"""

import re

import pytest
from playwright.async_api import expect

from server.rules.movegen.legal import legal_moves
from server.rules.notation.fen import parse_fen
from tests.support.browser.accessibility import audit
from tests.support.browser.computer import record, sits_down
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

OWN_MOVES = 3
MOUSE, KEYS = "mouse", "keys"
BOARDS = [("seirawan", KEYS), ("capablanca960", KEYS), ("grandhouse", MOUSE), ("acedrex", MOUSE)]
MATE_IN_ONE = "k7/8/1K6/8/8/8/8/7R w - - 0 1"
SILENT_ENGINE = "self.addEventListener('message', () => {});"
DEAD_ENGINE = "throw new Error('dead');"


async def quiet_move(person, number):
    """A legal move by which nothing is left to choose, in UCI; another one for each `number`. None: they are mated."""
    game = await record(person)
    position = parse_fen(VARIANTS[game["variant"]], game["fen"], game["chess960"])
    ucis = [move.uci for move in legal_moves(position)]
    plain = [uci for uci in ucis if re.fullmatch(r"[a-l]\d+[a-l]\d+", uci)]
    alone = [uci for uci in plain if sum(other.startswith(uci) for other in ucis) == 1]
    return alone[number * 7 % len(alone)] if alone else None


@pytest.mark.parametrize(("variant", "hand"), BOARDS)
async def test_it_answers_on_every_board(seat, variant, hand):
    person = await seat()
    await sits_down(person, variant)
    await expect(person.page.locator("#seat-top .seat-name")).to_have_text("Computer (level 1)")
    for number in range(OWN_MOVES):
        uci = await quiet_move(person, number)
        if uci is None:
            # By chance: it errs differently in each game.
            assert number
            assert (await record(person))["status"] == "over"
            return
        if hand == MOUSE:
            await person.point_out(uci)
        else:
            await person.write(uci)
        await person.has(2 * number + 2)
    game = await record(person)
    assert game["black"]["level"] == 1
    assert len(game["moves"]) == 2 * OWN_MOVES


async def test_the_computer_is_here_and_nobody_to_chat_with(seat):
    person = await seat()
    await sits_down(person, "chess")
    await expect(person.page.locator("#seat-top")).to_have_attribute("data-here", "here")
    await expect(person.page.get_by_role("tab")).to_have_text(["Moves", "Rules"])
    await person.page.locator("body").press("t")
    await expect(person.page.locator("#rules")).to_be_visible()


async def test_a_whole_game_to_mate_and_the_next_with_colours_swapped(seat):
    person = await seat()
    await sits_down(person, level="4", fen=MATE_IN_ONE.replace(" ", "%20"))
    await person.click("h1", "h8")
    await expect(person.page.locator("#ending-title")).to_have_text("You won")
    await expect(person.page.locator("#show-move")).to_be_hidden()
    first = person.page.url
    await person.page.click("#rematch")
    await person.page.wait_for_url(lambda url: url != first)
    await expect(person.page.locator("#seat-top .seat-name")).to_have_text("Computer (level 4)")
    await person.has(1)
    assert (await record(person))["white"]["level"] == 4


async def test_it_begins_with_white_and_takes_back_at_once(seat):
    person = await seat()
    await sits_down(person, color="black")
    await person.has(1)
    await person.write("Nf6")
    await person.has(3)
    await person.page.click("#takeback")
    await person.has(1)
    await expect(person.page.locator("#turn")).to_have_text("Your turn")


async def test_it_shows_a_move_and_what_it_thinks(seat):
    person = await seat()
    await sits_down(person, level="3")
    page = person.page
    await page.click("#show-move")
    await expect(page.locator("#status")).to_contain_text("Try ")
    await expect(page.locator(".cg-shapes line")).to_have_count(1)
    move = re.fullmatch(r"Try (\S+)\.", await page.locator("#status").inner_text())[1]
    await person.open_more()
    await page.check("#show-thinking", force=True)
    await expect(page.locator("#computer-thought")).to_have_text(re.compile("after its next move"))
    await page.click("#more > summary")
    await person.write(move)
    await person.has(2)
    await expect(page.locator(".cg-shapes line")).to_have_count(0)
    await expect(page.locator("#computer-thought")).to_have_text(
        re.compile(r"^It looked \d+ half-moves? ahead: .+ for itself")
    )
    await page.reload()
    await person.has(2)
    await expect(page.locator("#computer-thought")).to_be_visible()
    assert await audit(page) == []


async def test_of_two_tabs_of_a_game_only_one_thinks(seat):
    person = await seat()
    await sits_down(person)
    other, moves = await person.context.new_page(), []
    for page in (person.page, other):
        page.on("websocket", lambda line: line.on("framesent", lambda text: moves.append(text)))
        await page.goto(person.page.url)
        await expect(page.locator("#show-move")).to_be_enabled()
    for number in range(OWN_MOVES):
        await person.write(await quiet_move(person, number))
        await person.has(2 * number + 2)
    assert len([text for text in moves if '"computer":1' in text]) == OWN_MOVES


async def test_the_computer_is_asked_by_a_key_and_the_result_leads_to_its_levels(seat):
    person = await seat()
    await sits_down(person, "crazyhouse")
    page = person.page
    await expect(page.locator("#show-move")).to_be_enabled()
    await page.locator("body").press("?")
    await expect(page.locator("#key-list")).to_be_visible()
    await expect(page.locator("#key-list dl div", has_text="Hint")).to_contain_text("H")
    await page.keyboard.press("Escape")
    await page.locator("body").press("h")
    await expect(page.locator("#status")).to_contain_text("Try ")
    await person.write("e4")
    await person.has(2)
    await person.resign()
    await expect(page.get_by_role("link", name="Another level")).to_be_visible()
    await page.reload()
    await page.get_by_role("link", name="Another level").click()
    await expect(page.locator("select[name=variant]")).to_have_value("crazyhouse")


async def test_it_declines_a_draw_in_the_opening_and_says_so(seat):
    person = await seat()
    await sits_down(person)
    await person.write("e4")
    await person.has(2)
    await person.open_more()
    await person.offer_draw()
    await expect(person.page.locator("#status")).to_have_text("Your opponent declines the draw.")


async def test_a_page_that_was_closed_while_it_thought_goes_on_where_it_stood(seat):
    person = await seat()
    await sits_down(person, clock="300%2B3")
    address = person.page.url
    await person.page.route(
        "**/worker-*.js", lambda route: route.fulfill(body=SILENT_ENGINE, content_type="text/javascript")
    )
    await person.page.reload()
    await person.write("e4")
    await person.has(1)
    await person.page.goto("about:blank")
    await person.page.unroute_all()
    await person.page.goto(address)
    await person.has(2)
    assert (await record(person))["status"] == "live"


async def test_an_engine_that_dies_twice_is_said_with_what_to_do(seat):
    person = await seat()
    await person.page.route(
        "**/worker-*.js", lambda route: route.fulfill(body=DEAD_ENGINE, content_type="text/javascript")
    )
    await sits_down(person)
    await person.write("e4")
    stopped = "The computer has stopped thinking. Reload the page: the game goes on where it stands."
    await expect(person.page.locator("#status")).to_have_text(stopped)
    person.problems.clear()
    await person.page.unroute_all()
    await person.page.reload()
    await person.has(2)


async def test_others_watch_it_and_nothing_of_the_engine_is_loaded_for_them(seat):
    person, watcher = await seat(), await seat()
    await sits_down(person)
    asked = []
    watcher.page.on("request", lambda request: asked.append(request.url))
    await watcher.open(person.page.url)
    await expect(watcher.page.locator("#seat-top .seat-name")).to_have_text("Computer (level 1)")
    await person.write("e4")
    await watcher.has(2)
    assert not [url for url in asked if "worker-" in url or "computer_opponent" in url or "/api/variants/" in url]


async def test_the_page_remembers_what_was_chosen_last(seat):
    person = await seat()
    await sits_down(person, level="6", color="black")
    await person.page.goto(f"{person.site}/computer")
    for name, value in (("level", "6"), ("color", "black")):
        await expect(person.page.locator(f"input[name={name}][value='{value}']")).to_be_checked()
    await person.page.goto(f"{person.site}/computer?level=2")
    await expect(person.page.locator("input[name=level][value='2']")).to_be_checked()
