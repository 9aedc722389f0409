"""Studies at the analysis board: kept, found again, shared, read and copied by somebody else, and never overwritten."""

import asyncio
import re

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.support.browser.accessibility import audit
from tests.support.browser.analysing import load, tried
from tests.support.browser.player import fill_in

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def keep(player, name):
    """What is on the board becomes a study."""
    await player.look_at("study")
    await player.page.fill("#study-name", name)
    await player.page.click("#study-keep .primary")
    await expect(player.page).to_have_url(re.compile("/study/"))
    await expect(player.page.locator("#kept")).to_have_text("Saved")


NAMES = iter(("Annabel", "Benita", "Carla", "Dorothea", "Elvira", "Fatima", "Gudrun", "Helene", "Ingrid", "Judith"))


@pytest_asyncio.fixture(loop_scope="session")
async def author(seat):
    """Somebody new with an account."""
    player = await seat()
    await fill_in(player, "/register", next(NAMES))
    await expect(player.page).to_have_url(player.site + "/")
    return player


async def open_fold(page, words):
    await page.click(f"#study summary:has-text('{words}')")


async def test_a_study_is_kept_shared_read_by_somebody_else_and_copied(author, seat):
    page = author.page
    await author.open(f"{author.site}/analysis/grandhouse")
    for move in ("Nc4", "Nc7"):
        await author.write(move)
    await tried(author, "Nc4", "Nc7")
    await page.click("#nav-prev")
    await keep(author, "Grand <traps>")
    await tried(author, "Nc4", "Nc7")
    # One is where one was.
    await expect(page.locator(".tree [aria-current='true']")).to_contain_text("Nc4")
    await page.keyboard.press("End")
    await author.write("Nh4")
    await tried(author, "Nc4", "Nc7", "Nh4")
    await expect(page.locator("#kept")).to_have_text("Saved")
    await page.reload()
    await tried(author, "Nc4", "Nc7", "Nh4")
    await expect(page.locator(".tree [aria-current='true']")).to_contain_text("Nh4")
    await author.look_at("study")
    await expect(page.locator("#study h2")).to_have_text("Grand <traps>")
    await open_fold(page, "This study")
    async with page.expect_navigation():
        await page.check("#study-shared")
    await expect(page.locator("#study-link")).to_be_visible()
    await expect(page.locator("#study-shared")).to_be_checked()
    link = page.url

    reader = await seat()
    await reader.open(link)
    await tried(reader, "Nc4", "Nc7", "Nh4")
    await reader.page.keyboard.press("End")
    await reader.write("Nh7")
    await expect(reader.page.locator("#kept")).to_contain_text("not change it")
    await reader.look_at("study")
    await expect(reader.page.locator("#study-edit")).to_have_count(0)
    await reader.page.click("#study-copy")
    await expect(reader.page).to_have_url(re.compile("/sign-in\\?next="))
    await page.reload()
    await tried(author, "Nc4", "Nc7", "Nh4")


async def test_a_member_who_may_write_writes_and_leaves(author, seat):
    writer = await seat()
    await fill_in(writer, "/register", "Wanda")
    await expect(writer.page).to_have_url(writer.site + "/")
    page = author.page
    await author.open(f"{author.site}/analysis/chess")
    await author.write("e4")
    await tried(author, "e4")
    await keep(author, "Together")
    await author.look_at("study")
    await open_fold(page, "Members")
    await page.fill("#member-name", "wanda")
    async with page.expect_navigation():
        await page.click("#member-add .button:has-text('Invite')")
    await expect(page.locator("#members li")).to_have_count(2)
    await expect(page.locator("#members")).to_contain_text("Wanda")
    await expect(page.get_by_label("What Wanda may do")).to_have_value("write")
    assert await audit(page) == []
    await writer.page.goto(f"{writer.site}/studies")
    await writer.page.get_by_role("link", name="Together").click()
    await tried(writer, "e4")
    await writer.page.keyboard.press("End")
    await writer.write("c5")
    await tried(writer, "e4", "c5")
    await expect(writer.page.locator("#kept")).to_have_text(re.compile("^Savedwith [A-Z]"))
    # What one does the other sees, and both are said to be there.
    await tried(author, "e4", "c5")
    await expect(page.locator("#kept-says")).to_have_text("Saved · Wanda changed it")
    await expect(page.locator("#kept-with")).to_have_text("with Wanda")
    await page.keyboard.press("End")
    await author.write("Nf3")
    await tried(writer, "e4", "c5", "Nf3")
    await expect(writer.page.locator(".tree [aria-current='true']")).to_contain_text("c5")
    await author.look_at("study")
    await open_fold(page, "This study")
    await page.fill("#study-name", "Sicilian")
    async with page.expect_navigation():
        await page.click("#study-edit .button:has-text('Rename')")
    await expect(writer.page.locator("h1.study-name")).to_have_text("Sicilian")
    await writer.look_at("study")
    await expect(writer.page.locator("#study-delete, #study-shared, #member-name")).to_have_count(0)
    await open_fold(writer.page, "Members")
    await writer.page.click("#study-leave")
    await writer.page.click("#study-leave.sure")
    await expect(writer.page).to_have_url(re.compile("/studies$"))
    await expect(writer.page.get_by_role("link", name="Sicilian")).to_have_count(0)
    await expect(page.locator("#kept")).to_have_text("Saved")


async def test_whom_one_takes_out_is_told_on_the_open_page(author, seat):
    reader = await seat()
    await fill_in(reader, "/register", "Rita")
    await expect(reader.page).to_have_url(reader.site + "/")
    page = author.page
    await author.open(f"{author.site}/analysis/chess")
    await author.write("e4")
    await tried(author, "e4")
    await keep(author, "Ours")
    await author.look_at("study")
    await open_fold(page, "Members")
    await page.fill("#member-name", "Rita")
    await page.select_option("#member-role", "read")
    async with page.expect_navigation():
        await page.click("#member-add .button:has-text('Invite')")
    await reader.open(page.url)
    await tried(reader, "e4")
    await expect(page.locator("#kept")).to_have_text("Savedwith Rita")
    # What is refused is shown as it stays.
    problem = {"code": "", "refusal": "rate", "message": "Not so fast."}
    await page.route("**/api/studies/**", lambda route: route.fulfill(status=429, json=problem))
    await page.get_by_label("What Rita may do").select_option("write")
    await expect(page.locator("#study-problem")).to_have_text("Not so fast.")
    await expect(page.get_by_label("What Rita may do")).to_have_value("read")
    await open_fold(page, "This study")
    async with page.expect_response("**/api/studies/**"):
        await page.locator("#study-shared").click()
    await expect(page.locator("#study-shared")).not_to_be_checked()
    await page.unroute("**/api/studies/**")
    author.problems.clear()  # the refusals, which the browser writes down
    async with page.expect_navigation():
        await page.click(".member-remove")
    await expect(reader.page.locator("#kept")).to_contain_text("no longer open to you")


async def test_the_panel_takes_no_press_before_its_script_is_there(seat):
    player, arrived = await seat(), asyncio.Event()

    async def late(route):
        await arrived.wait()
        await route.continue_()

    await player.page.route("**/study_panel-*.js", late)
    await player.open(f"{player.site}/analysis/chess")
    await player.look_at("study")
    panel = player.page.locator("#study")
    await expect(panel).to_have_js_property("inert", True)
    arrived.set()
    await expect(panel).to_have_js_property("inert", False)
    await expect(panel.locator("#study-guest")).to_be_visible()


async def test_two_tabs_show_what_is_done_in_either_and_what_does_not_fit_is_kept_beside(author):
    await author.open(f"{author.site}/analysis/chess")
    await author.write("e4")
    await tried(author, "e4")
    await keep(author, "Openings")
    page, other = author.page, await author.page.context.new_page()
    await other.goto(page.url)
    await expect(other.locator("#kept")).to_have_text("Saved")
    await page.keyboard.press("End")
    await author.write("e5")
    await expect(other.locator("#tree")).to_contain_text("e5")
    await other.keyboard.press("Home")
    await other.keyboard.press("m")
    await other.keyboard.type("d4")
    await other.keyboard.press("Enter")
    await tried(author, "e4", "d4", "e5")
    await expect(page.locator("#kept")).to_contain_text("Saved")
    # A game from another position has no place beside this one; the other tab does not hear of it.
    await other.route_web_socket("**/ws/study", lambda line: None)
    await other.reload()
    await expect(other.locator("#tree")).to_contain_text("d4")
    await author.look_at("set-up")
    await page.fill("#fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    await page.click("#position .button:has-text('Set')")
    await expect(page.locator(".tree .san")).to_have_count(0)
    await expect(page.locator("#kept")).to_have_text("Saved")
    await other.fill("#move-text", "Nc6")
    await other.press("#move-text", "Enter")
    await expect(other.locator("#kept")).to_contain_text("another tab")
    await page.click("#tab-study")
    await expect(page.locator("#chapters a")).to_be_visible()
    await page.locator("#chapters a").focus()
    await other.get_by_role("button", name="Keep mine as a new chapter").click()
    await expect(other.locator("#kept")).to_have_text("Saved")
    await expect(other.locator("#chapters a")).to_have_count(2)
    # The list of chapters is told, too.
    await expect(page.locator("#chapters li")).to_have_count(2)
    # The window that was used last is the other one: this page need not have the focus to know where it was.
    await page.wait_for_function("() => document.activeElement === document.querySelector('#chapters a')")
    author.problems.clear()  # the refusal, which the browser writes down


async def test_chapters_are_added_moved_and_deleted(author):
    page = author.page
    await author.open(f"{author.site}/analysis/chess")
    await author.write("e4")
    await tried(author, "e4")
    await keep(author, "Openings")
    await author.look_at("study")
    await open_fold(page, "New chapter")
    await page.fill("#new-chapter", "Big board")
    await page.select_option("#new-from", "acedrex")
    await page.click("#chapter-add .primary")
    await expect(page.locator("#round")).to_have_attribute("data-files", "12")
    await author.look_at("study")
    await expect(page.locator("#chapters a")).to_have_text([re.compile("Chapter 1"), re.compile("Big board")])
    assert await audit(page) == []
    await open_fold(page, "This chapter")
    async with page.expect_navigation():
        await page.click("#chapter-up")
    await expect(page.locator("#kept")).to_have_text("Saved")
    await expect(page.locator("#chapters a")).to_have_text([re.compile("Big board"), re.compile("Chapter 1")])
    await page.click("#chapter-delete")
    async with page.expect_navigation():
        await page.click("#chapter-delete")
    await expect(page.locator("#chapters a")).to_have_count(1)
    await page.goto(f"{author.site}/studies")
    await expect(page.get_by_role("link", name="Openings")).to_be_visible()
    assert await audit(page) == []


async def test_a_guest_is_led_through_signing_in_and_back(analyst):
    anna = await analyst("chess")
    await anna.write("e4")
    await anna.look_at("study")
    await expect(anna.page.locator("#study-guest")).to_be_visible()
    await expect(anna.page.locator("#study-keep")).to_be_hidden()


async def test_a_file_of_several_games_becomes_chapters_and_says_what_was_mended(author):
    page = author.page
    await author.open(f"{author.site}/analysis/chess")
    await load(author, "1. e4 e5 2. Ke3 Nc6 *")
    await tried(author, "e4", "e5")
    await expect(page.locator("#status")).to_contain_text("line 1: not legal: 2. Ke3")
    await author.look_at("set-up")
    games = '[White "Ann"]\n[Black "Bo"]\n\n1. e4 foo e5 1-0\n\n1. Ke3 *\n\n1. d4 *\n'
    file = {"name": "old.pgn", "mimeType": "text/plain", "buffer": games.encode("utf-16")}
    await page.get_by_label("Or from a file").set_input_files(files=[file])
    await expect(page.locator("#pgn")).to_have_value(games)
    await page.click("#load button >> nth=0")
    await expect(page.locator("#status")).to_contain_text("more than one game")
    await page.get_by_role("button", name="Keep these 3 games as chapters of a study").click()
    told = page.locator("#load-says li")
    await expect(told.first).to_have_text("Game 1: old.pgn, line 4: 1 token kept as a comment: foo")
    await expect(told.last).to_contain_text("Game 2 is left out: old.pgn, line 6: The move 1. Ke3")
    await page.get_by_role("link", name="Open the 2 new chapters").click()
    await expect(page).to_have_url(re.compile("/study/"))
    await author.look_at("study")
    await expect(page.locator("#chapters span")).to_have_text(["Ann – Bo", "Game 3"])
    await expect(page.locator("#study h2")).to_have_text("old.pgn")
    author.problems.clear()  # the refusals, which the browser writes down
