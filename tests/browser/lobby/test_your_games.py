"""A person's running games in real browsers: told at once, on whatever page they read."""

import itertools
import re

import pytest
from playwright.async_api import expect

from tests.support.browser.layout_shifts import SCREENS, late_scripts, shifts
from tests.support.browser.player import meet
from tests.support.browser.screens import PHONE, assert_no_sideways_scroll
from tests.support.browser.visitor import Listener, Visitor

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.browser]


async def by_days(page, days):
    await page.locator(".shelf-one:has([value='chess'])").click()
    await page.click("#other-time")
    await page.locator("#own-seek .chip:has([value='days'])").click()
    await expect(page.locator("#seek-minutes")).to_be_hidden()
    await page.select_option("#seek-days", days)
    await page.locator("#own-seek .chip:has([value='white'])").click()
    await page.click("#find")


async def test_a_move_in_a_game_of_days_reaches_every_other_page_of_the_opponent(seat, host):
    anna, ben = await Visitor(await seat(), host.site).arrive(), await Visitor(await seat(), host.site).arrive()
    await by_days(anna.page, "10+1/30d")
    await expect(ben.page.locator("#seeks .seek")).to_contain_text("10+1 days, up to 30")
    await ben.page.locator("#seeks .seek").click()
    game = await ben.is_playing()
    await anna.arrive()
    await expect(anna.page.locator("#your-games-list a")).to_contain_text("your turn")
    await ben.arrive()
    await expect(ben.page.locator("#your-games-list a")).to_contain_text("their turn")
    reading = await ben.context.new_page()
    await Listener(reading).goes(f"{host.site}/rules", until="your_games")
    await anna.page.goto(game)
    await expect(anna.page.locator("#terms")).to_have_text("10+1 days, up to 30 · casual")
    await expect(anna.page.locator("#clock-bottom")).to_have_text("10 d 0 h")
    await anna.page.locator("#tab-moves").click()
    await anna.page.locator("#move-entry input").fill("e4")
    await anna.page.keyboard.press("Enter")
    await anna.page.click("#confirm-play")
    await expect(ben.page.locator("#your-games-list a")).to_contain_text("your turn")
    await expect(ben.page).to_have_title(re.compile(r"^\(1\) "))
    for page in (ben.page, reading):
        await expect(page.locator("#notification")).to_contain_text("your move")
        assert await page.locator("#notification a").get_attribute("href") == game.removeprefix(host.site)
    await expect(reading).to_have_title(re.compile(r"^\(1\) "))
    await anna.page.locator("#tab-chat").click()
    await anna.page.fill("#chat-text", "Well met")
    await anna.page.click("#chat-send")
    for page in (ben.page, reading):
        await expect(page.locator("#notification")).to_contain_text("has written to you")


async def test_a_shuffled_game_from_a_position_of_ones_own_is_made(seat, host):
    anna = await Visitor(await seat(), host.site).arrive()
    await anna.choose("chess")
    await anna.page.locator("#shuffle").click()
    await anna.unfold_terms()
    await anna.page.locator("#more-terms summary").click()
    await anna.page.fill("#start-fen", "bqrnkbnr/pppppppp/8/8/8/8/PPPPPPPP/BQRNKBNR w HCch - 0 1")
    await anna.page.click("#create")
    await anna.is_playing()


async def test_after_a_move_the_next_game_that_waits_is_one_click_away(seat, pair):
    days = {"kind": "correspondence", "days": 3}
    white, black = await pair("chess", clock=days)
    first = white.page.url
    await black.open(await white.challenge("crazyhouse", clock=days))
    await black.join()
    second = white.page.url
    await Listener(white.page).goes(first, until="your_games")
    await white.write("e4")
    await white.confirm()
    await expect(white.page.locator("#notification")).to_contain_text("1 more game is waiting for your move.")
    await white.page.get_by_role("link", name="Next game").click()
    await expect(white.page).to_have_url(second)
    await white.write("d4")
    await white.confirm()
    await expect(white.page.locator(".moves, #moves").first).to_contain_text("d4")
    await expect(white.page.get_by_role("link", name="Next game")).to_have_count(0)


async def test_what_says_on_a_phone_that_another_game_waits_leaves_the_head_to_its_links(seat):
    days = {"kind": "correspondence", "days": 3}
    white, black = await seat(**PHONE), await seat()
    elsewhere = await meet(white, black, "chess", clock=days)
    here = await meet(black, white, "crazyhouse", clock=days)
    await black.open(here)
    await white.page.clock.install()
    await Listener(white.page).goes(here, until="your_games")
    bar, waiting = white.page.locator("#notification"), white.page.locator("#waiting-strip a:visible")
    await black.write("e4")
    await black.confirm()
    await white.has(1)
    await white.write("e5")
    await white.confirm()
    await expect(bar).to_contain_text("1 more game is waiting for your move.")
    link = bar.get_by_role("link", name="Next game")
    await bar.get_by_role("button", name="Close").click(trial=True)
    for control in (".brand", "#settings-link", ".menu-button"):
        await white.page.click(control, trial=True)
    await link.focus()
    await white.page.clock.fast_forward(9_000)
    await expect(bar).to_be_visible()
    await link.blur()
    await white.page.clock.fast_forward(9_000)
    await expect(bar).to_have_count(0)
    await expect(waiting).to_have_attribute("href", elsewhere.removeprefix(white.site))


DESK = {"width": 1440, "height": 900}


async def with_others(seat, off_screen, games=3):
    """Somebody at a desk, at a correspondence game, and `games` others in which they have Black and are to move."""
    person, friend = await seat(viewport=DESK), await off_screen()
    days = {"kind": "correspondence", "days": 3}
    here = await person.challenge("seirawan", clock=days)
    for number, variant in enumerate(("chess", "grand", "acedrex", "shogun")[:games]):
        first = {"chess": "e2e4", "grand": "e3e5", "acedrex": "e4e5", "shogun": "e2e4"}[variant]
        game = await friend.challenge(variant=variant, clock=days)
        await person.post(f"/api/games/{game['id']}/join", {"secret": game["secret"]})
        async with friend.follow(game) as line:
            await line.until("snapshot")
            assert (await line.move(0, first))["t"] == "ok", number
    return person, here


async def answer(page, game):
    """Black's first move in one of the games of `with_others`."""
    await page.goto(game)
    await page.locator("#tab-moves").click()
    await page.locator("#move-entry input").fill("e6")
    await page.keyboard.press("Enter")
    await page.click("#confirm-play")


async def test_small_boards_of_ones_games_are_in_sight_on_the_front_page(seat, off_screen, host):
    person, _ = await with_others(seat, off_screen, games=4)
    anna = await Visitor(person, host.site).arrive()
    tiles = anna.page.locator("#your-games-list .game-tile")
    await expect(tiles).to_have_count(5)
    chess = anna.page.locator("#your-games-list .game-tile:has(span:text-is('Chess'))")
    await expect(chess).to_contain_text(re.compile(r"your turn · [23] d"))
    await expect(chess.locator("piece")).to_have_count(32)
    await expect(chess.locator("square.last-move.to")).to_have_attribute("style", re.compile(r"right: 50%; top: 37.5%"))
    for part in ("#your-games", "#boards", ".ways", "#lobby", ".live-way"):
        box = await anna.page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= DESK["height"], part


async def test_other_games_stand_beside_the_board_where_there_is_room(seat, off_screen):
    person, _ = await with_others(seat, off_screen)
    page, beside = person.page, person.page.locator("#games-beside")
    await page.reload()
    await expect(beside.locator(".small-board piece")).not_to_have_count(0)
    await expect(beside.locator(".game-tile")).to_have_count(3)
    await expect(page.locator("#games-beside-count")).to_have_text("3")
    panel, strip = [await page.locator(part).bounding_box() for part in (".panel", "#games-beside")]
    assert panel["width"] >= 336
    assert panel["x"] + panel["width"] < strip["x"]
    assert strip["x"] + strip["width"] <= DESK["width"]
    for width, height in ((1200, 800), (820, 1180), (360, 740)):
        await page.set_viewport_size({"width": width, "height": height})
        await expect(beside).to_be_hidden()


async def test_games_beside_the_board_follow_what_happens_in_them(seat, off_screen):
    person, _ = await with_others(seat, off_screen, games=2)
    await Listener(person.page).goes(person.page.url, until="your_games")
    await expect(person.page.locator("#games-beside-count")).to_have_text("2")
    other = await person.context.new_page()
    await answer(other, person.site + await person.page.locator("#next-game").get_attribute("href"))
    await expect(person.page.locator("#games-beside-count")).to_have_text("1")
    await expect(person.page.locator("#games-beside .game-tile.waits")).to_have_count(1)


async def test_the_games_that_wait_are_in_the_head_of_every_page(seat, off_screen):
    person, here = await with_others(seat, off_screen, games=2)
    page, strip = person.page, person.page.locator("#waiting-strip")
    board = here.removeprefix(person.site)
    for path in ("/rules/grand", "/analysis/seirawan", "/computer", "/sign-in", "/nothing-here", board):
        await page.goto(f"{person.site}{path}")
        await expect(strip, path).to_be_visible()
        await expect(strip).to_have_attribute("aria-label", "2 games wait for you")
        assert board not in [await link.get_attribute("href") for link in await strip.locator("a").all()], path
    person.problems = [problem for problem in person.problems if "404" not in problem]
    for width, height in SCREENS:
        await page.set_viewport_size({"width": width, "height": height})
        for path in ("/settings", board):
            await page.goto(f"{person.site}{path}")
            await expect(strip.locator(".waiting-all")).to_be_in_viewport(ratio=1)
            head = await page.locator(".site-head").bounding_box()
            for link in await strip.locator("a:visible").all():
                box = await link.bounding_box()
                assert head["y"] <= box["y"] <= head["y"] + head["height"] - box["height"], (path, width)
    await page.set_viewport_size(DESK)
    await page.goto(f"{person.site}/settings")
    await expect(strip.locator(".waiting-game:visible")).to_have_count(2)
    await expect(strip.locator(".waiting-game").first).to_contain_text(re.compile(r"[23] d"))


@pytest.mark.parametrize("language", ["en", "es"])
async def test_on_a_tablet_a_game_that_waits_has_room_beside_the_places(seat, off_screen, language):
    person, _ = await with_others(seat, off_screen, games=1)
    page = person.page
    await page.set_extra_http_headers({"Accept-Language": language})
    for width, places in ((760, 3), (820, 3), (949, 3), (950, 6), (1199, 6)):
        await page.set_viewport_size({"width": width, "height": 1180})
        await page.goto(f"{person.site}/rules")
        game = page.locator("#waiting-strip .waiting-game")
        await expect(game).to_be_in_viewport(ratio=1)
        await expect(page.locator(".site-nav a:visible")).to_have_count(places)
        parts = [*await page.locator(".site-nav a:visible").all(), game, page.locator("#waiting-strip .waiting-all")]
        ends = [(box["x"], box["x"] + box["width"]) for box in [await one.bounding_box() for one in parts]]
        assert all(one[1] <= other[0] + 1 for one, other in itertools.pairwise(ends)), (width, ends)
        await assert_no_sideways_scroll(page)
    await page.set_viewport_size({"width": 820, "height": 1180})
    await page.click(".menu-button")
    await expect(page.locator("#site-nav a[href='/players']")).to_be_visible()


async def test_the_strip_follows_what_happens_and_leads_to_the_last_game_that_waits(seat, off_screen):
    person, _ = await with_others(seat, off_screen, games=2)
    await Listener(person.page).goes(f"{person.site}/settings", until="your_games")
    everyone = person.page.locator("#waiting-strip .waiting-all")
    await expect(everyone).to_have_attribute("href", "/games/mine")
    first, last = [await link.get_attribute("href") for link in await person.page.locator(".waiting-game").all()]
    playing = await person.context.new_page()
    for game, left in ((first, last), (last, None)):
        await answer(playing, f"{person.site}{game}")
        if left:
            await expect(everyone).to_have_attribute("href", left)
            await expect(everyone).to_have_text("1")
    await expect(person.page.locator("#waiting-strip")).to_be_hidden()


@pytest.mark.parametrize(("focused", "then"), [(0, "waiting-all"), (1, "waiting-game")])
async def test_who_is_in_the_strip_with_the_keyboard_stays_there_while_it_changes(seat, off_screen, focused, then):
    person, _ = await with_others(seat, off_screen, games=2)
    await Listener(person.page).goes(f"{person.site}/settings", until="your_games")
    links = person.page.locator("#waiting-strip .waiting-game")
    answered = await links.first.get_attribute("href")
    await links.nth(focused).focus()
    playing = await person.context.new_page()
    await answer(playing, f"{person.site}{answered}")
    await expect(person.page.locator("#waiting-strip .waiting-all")).to_have_text("1")
    assert await person.page.evaluate("document.activeElement.className") == then


async def test_nothing_moves_while_a_page_with_other_games_loads(seat, off_screen):
    person, _ = await with_others(seat, off_screen, games=4)
    here = person.page.url.removeprefix(person.site)
    await late_scripts(person.page)
    beside = "#games-beside .small-board piece >> nth=0"
    for path, complete in (
        ("/", "cg-board"),
        (here, beside),
        ("/analysis/chess", ".waiting-all"),
        ("/rules", ".waiting-all"),
    ):
        assert await shifts(person, path, complete) == [], path
    await person.page.set_viewport_size(PHONE["viewport"])
    for path in (here, "/analysis/chess"):
        assert await shifts(person, path, ".waiting-all") == [], f"{path} on a phone"
