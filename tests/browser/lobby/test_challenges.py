"""Challenges of every kind, made on the front page and taken at the board, by real browsers."""

import asyncio
import re

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import audit
from tests.support.browser.player import all_see
from tests.support.browser.screens import areas
from tests.support.browser.visitor import Listener, unfold_terms

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def choices(person):
    await person.page.goto(person.site)
    await unfold_terms(person.page)
    await person.page.click("#more-terms summary")


async def test_somebody_is_challenged_by_name_wherever_they_are_and_plays(member):
    anna, ben = await member("Anna"), await member("Ben")
    await Listener(ben.page).goes(f"{ben.site}/rules/grand")
    await choices(anna)
    await anna.page.check("input[name=color][value=black]", force=True)
    await anna.page.select_option("#with", "name")
    await anna.page.fill("#to", "ben")
    await anna.page.click("#create")
    await expect(anna.page.locator("#invite")).to_contain_text("Only Ben can take the other seat")
    await expect(anna.page.locator("#seat-top .seat-name")).to_have_text("Ben")
    await expect(anna.page.get_by_role("link", name="Ben", exact=True)).to_have_attribute("href", "/@/Ben")
    await expect(ben.page.locator("#notification")).to_contain_text(
        re.compile("Anna challenges you: .* · 10\\+5 · you have White")
    )
    await ben.page.get_by_role("link", name="Go to the game").click()
    await expect(ben.page.locator("#join-title")).to_have_text("Anna challenges you")
    await ben.page.click("#join-game")
    await expect(anna.page.locator("#invite")).to_be_hidden()
    await expect(ben.page.locator("#seat-bottom")).to_contain_text("White")


async def test_an_open_front_page_lists_who_comes_to_challenge_and_needs_one_line_for_it(member):
    anna, ben = await member("Anna"), await member("Ben")
    lines = []
    ben.page.on("websocket", lambda line: lines.append(line.url))
    await Listener(ben.page).goes(ben.site)
    await expect(ben.page.locator("#challenges")).to_be_hidden()
    await choices(anna)
    await anna.page.select_option("#with", "name")
    await anna.page.fill("#to", "Ben")
    await anna.page.click("#create")
    challenge = ben.page.get_by_role("navigation", name="Challenges to you").get_by_role("link", name="Anna")
    await expect(challenge).to_contain_text("10+5 · you have")
    assert [url.rsplit("/ws", 1)[1] for url in lines] == ["/lobby"]
    await challenge.click()
    await expect(ben.page.locator("#join-title")).to_have_text("Anna challenges you")


async def test_who_is_meant_must_be_named_and_only_in_a_challenge(member):
    anna = await member("Anna")
    await choices(anna)
    await anna.page.select_option("#with", "name")
    await anna.page.click("#own-terms > summary")
    await anna.page.click("#create")
    await expect(anna.page.locator("#to")).to_be_focused()
    await expect(anna.page.locator("#create")).to_be_enabled()
    await anna.page.locator(".quick [data-clock='300+3']").click()
    await expect(anna.page.locator("#waiting-text")).to_contain_text("You are waiting")


async def test_a_challenge_is_accepted_and_declined_on_the_first_page(member):
    anna, ben = await member("Anna"), await member("Ben")
    await Listener(ben.page).goes(ben.site)
    for answer in ("Decline", "Accept"):
        await choices(anna)
        await anna.page.select_option("#with", "name")
        await anna.page.fill("#to", "Ben")
        await anna.page.click("#create")
        await expect(anna.page.locator("#invite")).to_be_visible()
        shown = ben.page.locator(".challenge")
        await expect(shown).to_have_count(1)
        if answer == "Accept":
            await ben.page.reload()
            assert await audit(ben.page) == []
        await shown.get_by_role("button", name=answer).click()
        if answer == "Decline":
            await expect(ben.page.locator("#challenges")).to_be_hidden()
            await expect(anna.page.locator("#result")).to_contain_text("The challenge was declined")
    await expect(ben.page.locator("#round cg-board")).to_be_visible()
    await expect(anna.page.locator("#invite")).to_be_hidden()


async def test_a_profile_leads_to_a_page_that_is_about_the_challenge_and_nothing_else(member):
    anna, ben = await member("Anna"), await member("Ben")
    await anna.page.set_viewport_size({"width": 1440, "height": 900})
    await anna.page.goto(f"{anna.site}/@/Ben")
    await anna.page.get_by_role("link", name="Challenge").first.click()
    await expect(anna.page.get_by_role("heading", level=1)).to_have_text("Challenge Ben")
    await expect(anna.page.locator(".play-now")).to_be_hidden()
    send = anna.page.get_by_role("button", name="Challenge Ben")
    box = await send.bounding_box()
    assert box["y"] + box["height"] < 900
    await send.click()
    await expect(anna.page.locator("#invite-title")).to_have_text("You have challenged Ben")
    await ben.page.goto(ben.site)
    await expect(ben.page.locator("#challenges")).to_contain_text("Anna")


async def test_a_guest_who_would_challenge_somebody_is_asked_to_sign_in(member, seat):
    await member("Ben")
    guest = await seat()
    await guest.page.goto(f"{guest.site}/@/Ben")
    await guest.page.get_by_role("link", name="Challenge").first.click()
    await expect(guest.page).to_have_url(re.compile(r"/sign-in\?next=/@/Ben$"))


async def test_the_button_says_what_it_does(member):
    anna = await member("Anna")
    await choices(anna)
    button = anna.page.locator("#create")
    await expect(button).to_have_text("Make and copy a link")
    await anna.page.select_option("#with", "name")
    await expect(button).to_have_text("Send the challenge")
    await anna.page.fill("#to", "Nobody")
    await expect(button).to_have_text("Challenge Nobody")
    await button.click()
    await expect(anna.page.locator("#friend-problem")).to_contain_text("no player with that name")
    (pressed,), (problem,) = await areas(anna.page, "#create"), await areas(anna.page, "#friend-problem")
    assert 0 <= problem[1] - pressed[3] < 20
    anna.problems.clear()
    await expect(anna.page.locator("#problem")).to_be_empty()
    await anna.page.select_option("#with", "others")
    await expect(button).to_have_text("Make two links")
    await anna.page.select_option("#with", "two")
    await expect(button).to_have_text("Propose the game")


async def test_a_link_works_also_where_its_game_is_watched_already(off_screen, seat):
    white, black = await off_screen(), await seat()
    game = await white.challenge()
    await black.open(f"{black.site}/{game['id']}")
    await expect(black.page.locator("#join")).to_be_hidden()
    await black.page.goto(f"{black.site}/{game['id']}#{game['secret']}")
    await black.join()
    assert (await white.get(f"/api/games/{game['id']}"))["black"] is not None


async def test_the_seat_is_theirs_who_takes_it_from_their_first_move_on(seat):
    """Others may see them before their own page knows it is seated: what they play meanwhile is played all the same."""
    white, black = await seat(), await seat()
    lines, open_again = [], asyncio.Event()

    async def connect(line):
        lines.append(line)
        if len(lines) == 2:
            await open_again.wait()
        line.connect_to_server()

    await black.page.route_web_socket("**/ws?game=*", connect)
    link = await white.challenge("chess")
    await white.click("e2", "e4")
    await black.open(link)
    await black.sees("e4")
    await black.page.click("#join-game")
    await expect(white.page.locator("#invite")).to_be_hidden()
    await expect(black.page.locator("#join-text")).to_have_text("Taking the seat...")
    await expect(black.page.locator("#join-game")).to_be_disabled()
    await black.write("e5")
    open_again.set()
    await all_see((white, black), "e4", "e5")
    await expect(black.page.locator("#join")).to_be_hidden()


async def test_what_is_typed_while_the_seat_is_being_taken_waits_for_it(seat):
    """Their page may hear as a watcher that the seat is taken before it hears that it is theirs."""
    white, black = await seat(), await seat()
    answered, told, snapshots = asyncio.Event(), asyncio.Event(), []

    def connect(line):
        server = line.connect_to_server()
        line.on_message(server.send)

        def heard(text):
            line.send(text)
            if text.startswith('{"t":"snapshot"'):
                snapshots.append(text)
            if len(snapshots) == 2:
                told.set()

        server.on_message(heard)

    async def join(route):
        answer = await route.fetch()
        await answered.wait()
        await route.fulfill(response=answer)

    await black.page.route_web_socket("**/ws?game=*", connect)
    await black.page.route("**/join", join)
    link = await white.challenge("chess")
    await white.click("e2", "e4")
    await black.open(link)
    await black.sees("e4")
    await black.page.click("#join-game")
    await expect(black.page.locator("#invite")).to_be_hidden()
    await told.wait()
    await black.write("e5")
    answered.set()
    await all_see((white, black), "e4", "e5")


async def test_who_is_challenged_may_say_no(member):
    anna, ben = await member("Anna"), await member("Ben")
    await choices(anna)
    await anna.page.select_option("#with", "name")
    await anna.page.fill("#to", "Ben")
    await anna.page.click("#create")
    await expect(anna.page.locator("#invite")).to_be_visible()
    await ben.page.goto(ben.site)
    await ben.page.get_by_role("navigation", name="Challenges to you").get_by_role("link").click()
    await ben.page.click("#refuse-game")
    for person in (anna, ben):
        await expect(person.page.locator("#result")).to_contain_text("The challenge was declined")
        await expect(person.page.locator("#rematch")).to_be_hidden()


async def test_time_odds_and_another_start(seat):
    anna, ben = await seat(), await seat()
    await choices(anna)
    await anna.page.check("input[name=variant][value=chess]", force=True)
    await anna.page.check("input[name=color][value=white]", force=True)
    await anna.page.check("#odds", force=True)
    await anna.page.fill("#black-minutes", "1")
    await anna.page.fill("#start-fen", "nobody knows")
    await anna.page.click("#create")
    await expect(anna.page.locator("#friend-problem")).to_contain_text("The board has 8 ranks")
    anna.problems.clear()
    await anna.page.fill("#start-fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    await anna.page.click("#create")
    await expect(anna.page.locator("#clock-bottom")).to_have_text("10:00")
    await expect(anna.page.locator("#clock-top")).to_have_text("1:00")
    await expect(anna.page.locator("#invite-link")).to_have_value(re.compile("#"))
    await ben.open(await anna.page.input_value("#invite-link"))
    await ben.join()
    await anna.click("e2", "e4")
    await all_see((anna, ben), "e4")


async def test_two_others_are_brought_together_from_the_front_page(seat):
    anna = await seat()
    await choices(anna)
    await anna.page.select_option("#with", "others")
    await anna.page.click("#create")
    await expect(anna.page.locator(".link-row:visible")).to_have_count(2)


async def test_a_game_is_proposed_to_two_others_who_accept_one_after_the_other(member):
    anna, ben, carla = [await member(name) for name in ("Anna", "Ben", "Carla")]
    await choices(carla)
    await carla.page.select_option("#with", "two")
    await carla.page.fill("#first-name", "Anna")
    await carla.page.fill("#second-name", "Ben")
    await carla.page.check("input[name=color][value=white]", force=True)
    await carla.page.click("#create")
    await expect(carla.page.locator("#invite-text")).to_contain_text("Anna is asked first")
    await expect(carla.page.locator(".link-row:visible")).to_have_count(0)
    address = carla.page.url
    await ben.page.goto(address)
    await expect(ben.page.locator("#join")).to_be_hidden()
    await anna.page.goto(address)
    await expect(anna.page.locator("#join-title")).to_have_text("Carla proposes that you play Ben")
    await anna.page.click("#join-game")
    await expect(ben.page.locator("#join-title")).to_have_text("Carla proposes that you play Anna, who has accepted")
    await expect(carla.page.locator("#invite-text")).to_be_hidden()
    await ben.page.click("#join-game")
    await anna.click("e2", "e4")
    await all_see((anna, ben, carla), "e4")
