"""The first screen of a phone: a beginner sees chess there, and everybody who waits and can be played at once."""

import asyncio
import re

import pytest
from playwright.async_api import expect

from tests.support.browser.screens import PHONE, areas, assert_inside, boxes
from tests.support.rules.built_in import VARIANTS
from tests.support.web.accounts import register

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DAYS = {"kind": "correspondence", "days": 3}


async def test_a_newcomer_begins_with_chess_and_is_offered_another_variant(visitor):
    guest = await visitor(**PHONE)
    await expect(guest.page.locator(".shelf-one:has(:checked)")).to_have_text(re.compile(r"^\s*Chess\s"))
    await expect(guest.page.locator("#chosen-name")).to_have_text("Chess")
    await expect(guest.page.locator(".shelf-one", has_text="Try it")).to_have_text(re.compile(r"^\s*Capablanca"))
    for variant in ("chess", "capablanca"):
        tile = f".shelf-one:has([value='{variant}'])"
        assert_inside((await boxes(guest.page, tile))[tile], PHONE["viewport"], variant)


async def test_the_shelf_tells_how_many_variants_there_are_and_unfolds_them(visitor):
    guest = await visitor(**PHONE)
    everything = guest.page.locator("#shelf-all")
    count = await guest.page.locator(".shelf-one").count()
    assert count == len(VARIANTS)
    await expect(everything).to_have_text(f"All {count}", use_inner_text=True)
    for shown in (7, count, 7):
        assert await whole_tiles(guest.page) == shown
        await expect(everything).to_be_in_viewport(ratio=1)
        await everything.click()
    await guest.choose("acedrex")
    await everything.click()
    assert await whole_tiles(guest.page) == 7
    await expect(guest.page.locator(".shelf-one:has(:checked)")).to_be_in_viewport(ratio=1)


async def test_the_chosen_variant_is_named_under_the_shelf_and_leads_to_its_rules(visitor):
    guest = await visitor(**PHONE)
    near = guest.page.locator("#chosen-near-name")
    await guest.page.click("#shelf-all")
    below = await areas(guest.page, "#quick")
    for variant, name in (("grandhouse", "Grandhouse"), ("acedrex", "Grant Acedrex"), ("chess", "Chess")):
        await guest.choose(variant)
        await expect(near).to_have_text(name)
        await expect(near).to_be_in_viewport(ratio=1)
        await expect(guest.page.locator("#chosen-near")).to_have_attribute("href", f"/rules/{variant}")
        assert await areas(guest.page, "#quick") == below, "what is pressed next stays where it is"


async def test_the_board_has_the_whole_width_and_its_pockets_stay_within_it(visitor):
    guest = await visitor(**PHONE)
    for variant, files in (("chess", 8), ("crazyhouse", 8), ("grandhouse", 10)):
        await guest.choose(variant)
        await expect(guest.page.locator(".stage-boards .stage-board:not([hidden]) cg-board")).to_be_visible()
        ((left, _, right, _),) = await areas(guest.page, ".stage-board:not([hidden]) cg-board")
        assert right - left > 336 - files, (variant, left, right)
        if variant != "chess":
            kinds = await areas(guest.page, ".stage-board:not([hidden]) .pocket square")
            assert all(left <= start < end <= right for start, _, end, _ in kinds), (variant, left, right, kinds)


async def whole_tiles(page):
    """How many tiles of the shelf are shown, all of them whole on the screen without a scroll sideways."""
    found = await areas(page, ".shelf-one")
    assert all(left >= 0 and right <= 360 and bottom <= 740 for left, _, right, bottom in found), found
    return len(found)


async def test_where_nobody_waits_the_computer_is_one_press_away(visitor):
    guest = await visitor(**PHONE)
    await guest.choose("crazyhouse")
    computer = guest.page.locator("#first-seek").get_by_role("link", name="Play the computer")
    assert_inside(
        (await boxes(guest.page, "#first-seek .to-computer"))["#first-seek .to-computer"], PHONE["viewport"], "it"
    )
    await computer.click()
    await guest.page.wait_for_url("**/computer?variant=crazyhouse")


async def test_who_waits_alone_reads_so_once_and_is_there_by_keys(visitor):
    guest = await visitor(**PHONE)
    await guest.page.locator("#quick [data-clock]").first.press("Enter")
    await expect(guest.page.locator("#waiting-text")).to_be_focused()
    await expect(guest.page.locator("#first-seek-count")).to_have_text("Nobody else is waiting right now")
    await guest.page.click("#waiting-cancel")
    await expect(guest.page.locator("#first-seek-count")).to_have_text("Nobody is waiting right now")


async def test_who_waits_is_in_sight_and_is_played_with_one_press(off_screen, visitor):
    anna, guest = await off_screen(), await visitor(**PHONE)
    line, count = guest.page.locator("#first-seek"), guest.page.locator("#first-seek-count")
    await expect(count).to_have_text("Nobody is waiting right now")
    height = (await line.bounding_box())["height"]
    await register(anna, "Anna")
    for rated, variant in ((True, "capablanca"), (False, "chess"), (False, "grand")):
        await anna.post("/api/seeks", 201, variants=[variant], clock=DAYS, rated=rated)
    await expect(count).to_have_text("3 waiting")
    await expect(line).to_contain_text("Chess · 3 days · Anna")  # a guest plays no rated game
    await guest.choose("grand")
    await expect(line).to_contain_text("Grand Chess · 3 days · Anna")
    play = guest.page.get_by_role("button", name="Play Anna: Grand Chess, 3 days", exact=True)
    assert_inside((await boxes(guest.page, "#first-seek"))["#first-seek"], PHONE["viewport"], "who waits")
    assert (await line.bounding_box())["height"] == height, "it has had its place from the start"
    await play.click()
    await guest.is_playing()
    await expect(guest.page.locator("#seat-top .seat-name")).to_have_text("Anna")


async def test_the_960_form_is_chosen_under_the_shelf_and_sought_with_one_press(visitor):
    """Its switch was four screens below the times that it changes."""
    anna, guest = await visitor(), await visitor(**PHONE)
    near = guest.page.locator("#shuffle-near")
    await expect(near).to_be_in_viewport(ratio=1)
    await expect(guest.page.locator("#shuffle")).to_be_hidden()
    await near.click()
    await expect(guest.page.locator("#chosen-name")).to_have_text("Chess960")
    await guest.quick("600+5")
    await expect(anna.row("Chess960")).to_be_visible()
    await guest.choose("capablanca")
    await expect(near.get_by_role("checkbox")).not_to_be_checked()
    await guest.choose("placement")
    await expect(near).to_be_hidden()


async def test_terms_and_a_seek_of_ones_own_come_into_sight_when_they_are_unfolded(visitor):
    guest = await visitor(**PHONE)
    await guest.page.click("#own-terms > summary")
    await expect(guest.page.locator("#own-terms .own-fields")).to_be_in_viewport(ratio=0.6)
    await guest.page.evaluate("document.getElementById('other-time').scrollIntoView(false)")
    await guest.unfold_own_seek()
    await expect(guest.page.locator("#own-seek")).to_be_in_viewport(ratio=0.9)


async def test_without_a_line_the_first_screen_says_so_and_not_that_nobody_waits(visitor):
    guest = await visitor(**PHONE)
    cut = asyncio.Event()
    await guest.page.route_web_socket(
        "**/ws/lobby", lambda line: line.close() if cut.is_set() else line.connect_to_server()
    )
    await expect(guest.page.locator("#first-seek-count")).to_be_visible()
    cut.set()
    await guest.page.reload()
    said = guest.page.locator("#first-seek")
    await expect(said).to_have_text("Connection lost. Reconnecting...", use_inner_text=True)
    assert_inside(
        (await boxes(guest.page, "#first-seek"))["#first-seek"], PHONE["viewport"], "what is said of the line"
    )
    cut.clear()
    await expect(said).to_contain_text("Nobody is waiting right now", use_inner_text=True)
