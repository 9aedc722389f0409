"""Playing the computer offline: the browser plays and keeps the game, and brings it once there is a connection."""

import pytest
from playwright.async_api import expect

from tests.support.browser.computer import record, sits_down
from tests.support.browser.offline import (
    BOARD,
    GAMES,
    SENT,
    go_offline,
    go_online,
    offline_player,
    opened_anew,
    ready_to_leave,
)
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MATE_IN_ONE = "k7/8/1K6/8/8/8/8/7R w - - 0 1"


async def test_a_game_is_closed_gone_on_with_and_ended_offline_and_then_found_in_the_archive(seat):
    person = await offline_player(seat)
    await sits_down(person)
    page = person.page
    await page.wait_for_url(BOARD)
    await expect(page.locator("#offline-note")).to_contain_text("kept in this browser after each move")
    await expect(page.locator("#seat-top .seat-name")).to_have_text("Computer (level 1)")
    await expect(page.locator("#seat-bottom .seat-name")).to_have_text("You")
    await person.write("e4")
    await person.has(2)
    address = page.url
    await opened_anew(person, address)
    page = person.page
    await person.has(2)
    await person.write("h3")
    await person.has(4)
    await page.click("#takeback")
    await person.has(2)
    await person.write("a3")
    await person.has(4)
    await person._confirm("#resign")
    await expect(page.locator("#ending-title")).to_have_text("You lost")
    await page.goto(f"{person.site}/watch")
    await page.locator("a[href='/computer']", has_text="Play the computer").click()
    await expect(page.locator("#kept-games-list li")).to_contain_text(["Chess · Computer (level 1)"])
    game, (kept,) = BOARD.search(address)[2], await page.evaluate(GAMES)
    await go_online(person)
    await expect(page.locator(".computer-page .offline-note")).to_have_count(0)
    await page.goto(f"{person.site}/watch")
    await page.evaluate(SENT)
    await page.goto(f"{person.site}/games")
    await page.locator(f"a[href='/{game}']").first.click()
    await expect(page.locator("#result")).to_contain_text("White resigned")
    assert [(one["uci"], one["san"]) for one in (await record(person))["moves"]] == [
        tuple(one) for one in kept["moves"]
    ]


async def test_on_twelve_files_it_goes_on_at_the_server_as_soon_as_there_is_a_connection(seat):
    person = await offline_player(seat)
    await sits_down(person, "acedrex", level="2", color="black")
    await person.has(1)
    await person.write("a9a8")
    await person.has(3)
    game = BOARD.search(person.page.url)[2]
    await go_online(person)
    await person.page.wait_for_url(f"{person.site}/{game}")
    await person.has(3)
    await person.write("b9b8")
    await person.has(5)
    there = await record(person)
    assert (there["variant"], there["white"]["level"], there["status"], len(there["moves"])) == (
        "acedrex",
        2,
        "live",
        5,
    )
    assert await person.page.evaluate(GAMES) == []


async def test_a_960_form_begins_as_it_does_at_the_server_and_the_next_game_with_colours_swapped(seat):
    person = await offline_player(seat)
    page = person.page
    await sits_down(person, "capablanca960")
    await page.click("#show-move")
    await expect(page.locator("#status")).to_contain_text("Try ")
    legal = (await page.locator("#status").inner_text()).removeprefix("Try ").removesuffix(".")
    await person.write(legal)
    await person.has(2)
    await person._confirm("#resign")
    first = page.url
    await page.click("#rematch")
    await page.wait_for_url(lambda url: BOARD.search(url) and url != first)
    await person.has(1)
    await expect(page.locator("#seat-top .seat-name")).to_have_text("Computer (level 1)")
    game = BOARD.search(page.url)[2]
    await go_online(person)
    await page.wait_for_url(f"{person.site}/{game}")
    assert (await record(person))["white"]["level"] == 1


async def test_a_form_that_was_open_when_the_connection_was_lost_begins_a_game_offline_from_its_position(seat):
    person = await ready_to_leave(seat)
    page = person.page
    await page.goto(f"{person.site}/computer?variant=chess&level=4&color=white&fen={MATE_IN_ONE.replace(' ', '%20')}")
    await go_offline(person)
    await page.click("#computer-form button")
    await page.wait_for_url(BOARD)
    await expect(page.locator("#board cg-board")).to_be_visible()
    await person.click("h1", "h8")
    await expect(page.locator("#ending-title")).to_have_text("You won")
    await expect(page.locator("#result")).to_contain_text("Checkmate")
    game = BOARD.search(page.url)[2]
    await go_online(person)
    await page.wait_for_url(f"{person.site}/{game}")
    assert (await record(person))["result"] == "1-0"


async def test_who_waits_where_games_are_chosen_is_online_again_and_sees_the_game_go(seat):
    person = await offline_player(seat)
    page = person.page
    await sits_down(person, "acedrex")
    await person.write("a4a5")
    await person.has(2)
    await page.goto(f"{person.site}/computer?variant=grand")
    await expect(page.locator("#kept-games-list li")).to_contain_text(["Grant Acedrex · Computer (level 1)"])
    await page.check("input[name=level][value='5']", force=True)
    await go_online(person)
    await expect(page.locator(".computer-page .offline-note")).to_have_count(0)
    await expect(page.locator("#kept-games")).to_be_hidden()
    await expect(page.locator("select[name=variant]")).to_have_value("grand")
    await expect(page.locator("input[name=level][value='5']")).to_be_checked()
    assert await page.evaluate(GAMES) == []


async def test_what_the_server_refuses_stays_with_the_reason_until_it_is_removed(seat):
    person = await offline_player(seat)
    page = person.page
    await sits_down(person)
    await person.write("e4")
    await person.has(2)
    address = page.url
    await page.goto(f"{person.site}/computer")
    await page.evaluate(GAMES, {"moves": [["e2e4", "e4"], ["e7e2", "exe2"]]})
    await go_online(person)
    await expect(page.locator(".computer-page .offline-note")).to_have_count(0)
    await page.goto(address)
    reason = "Half-move 2 of this line cannot be played: e7e2 is not legal here."
    await expect(page.locator("#offline-note")).to_contain_text(reason)
    person.problems = [one for one in person.problems if "403" not in one]
    await page.goto(f"{person.site}/computer")
    await expect(page.locator("#kept-games-list li")).to_contain_text([reason])
    remove = page.locator("#kept-games-list button")
    await remove.click()
    await expect(page.locator("#kept-games-list li")).to_have_count(1)
    await remove.click()
    await expect(page.locator("#kept-games")).to_be_hidden()
    assert await page.evaluate(GAMES) == []


async def test_a_game_that_is_open_twice_goes_on_in_both(seat):
    person = await offline_player(seat)
    await sits_down(person)
    await person.write("e4")
    await person.has(2)
    first, other = person.page, await person.context.new_page()
    await other.goto(first.url)
    person.page = other
    await person.has(2)
    await person.write("a3")
    await person.has(4)
    person.page = first
    await person.write("h3")
    await person.has(4)
    (kept,) = await first.evaluate(GAMES)
    assert [uci for uci, _ in kept["moves"]][2] == "a2a3"


async def test_nothing_of_it_is_loaded_by_whoever_does_not_play_offline(seat):
    person = await seat()
    asked = []
    person.page.on("request", lambda request: asked.append(request.url))
    await sits_down(person)
    await person.write("e4")
    await person.has(2)
    assert not [url for url in asked if "offline" in url]


async def test_every_board_and_its_rules_are_kept(seat):
    person = await ready_to_leave(seat)
    kept = await person.page.evaluate(
        """async () => {
            const [name] = (await caches.keys()).filter(one => one.startsWith('computer-'));
            return (await (await caches.open(name)).keys()).map(({ url }) => url.replace(location.origin, ''));
        }"""
    )
    for one in VARIANTS.values():
        assert f"/api/variants/{one.id}" in kept
        assert {f"/computer/offline/{one.id}{form}" for form in ("", "960")[: 1 + one.chess960]} <= set(kept)
    assert not [path for path in kept if path.startswith("/api/games") or "?" in path]
