"""Games from elsewhere are brought in by a file, found again by the search, and replayed: with scripts and without."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.screens import boxes
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import as_pgn
from tests.support.rules.vectors import records

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
GAMES = [
    as_pgn(VARIANTS, records("acedrex")[0], White="Ann", Black="Bo", Date="2020.01.02", Event="Cup", Site="Madrid"),
    as_pgn(VARIANTS, records("grandhouse")[1], White="Cid", Black="Ann", Date="2020.01.03"),
    '[White "Bad"]\n\n1. Ke3 *\n',
]
LAST_BOARD = records("acedrex")[0]["fens"][-1].split(" ")[0]
FILE = {"name": "games.pgn", "mimeType": "application/vnd.chess-pgn", "buffer": "\n".join(GAMES).encode()}


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
async def test_a_file_is_imported_searched_and_opened(seat, scripts):
    player = await seat(java_script_enabled=scripts)
    page = player.page
    await page.goto(f"{player.site}/import")
    await page.get_by_label("PGN file").set_input_files(files=[FILE])
    await page.get_by_role("button", name="Import").click()
    await expect(page.get_by_role("heading", name="2 games are here now.")).to_be_visible()
    await expect(page.get_by_text("The move 1. Ke3 (half-move 1) is not legal there.")).to_be_visible()

    await page.goto(f"{player.site}/games")
    await page.get_by_label("Player", exact=True).fill("ann")
    await page.get_by_label("Variant").select_option("acedrex")
    await page.get_by_role("button", name="Search").click()
    lines = page.locator(".game-line")
    await expect(lines).to_have_count(1)
    await expect(page.get_by_label("Player", exact=True)).to_have_value("ann")
    await lines.get_by_role("link", name="Ann with White against Bo").click()
    await expect(page).to_have_title(re.compile("Acedrex"))
    await expect(page.get_by_text("Cup · Madrid · 2020.01.02")).to_be_attached()
    if scripts:
        await expect(page.locator("#seat-bottom .seat-presence")).to_have_text("White")  # and not where they are now
    else:
        await expect(page.locator("noscript p")).to_contain_text("Playing needs JavaScript")
        for link in await page.locator("noscript a").all():
            assert (await page.request.get(player.site + await link.get_attribute("href"))).ok


async def test_the_list_draws_the_last_position_of_each_game(seat):
    player = await seat(viewport={"width": 360, "height": 740})
    page = player.page
    await page.goto(f"{player.site}/import")
    await page.get_by_label("Or paste the text").fill(GAMES[0] + GAMES[1])
    await page.get_by_role("button", name="Import").click()
    await page.goto(f"{player.site}/games?variant=acedrex")
    pieces = sum(letter.isalpha() for letter in LAST_BOARD)
    await expect(page.locator(".small-board piece")).to_have_count(pieces)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for part in (".small-board", ".game-line"):
        await page.goto(f"{player.site}/games?variant=acedrex")
        await expect(page.locator(".small-board piece")).to_have_count(pieces)
        box = (await boxes(page, part))[part]
        await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 8)
        await expect(page).to_have_title(re.compile("^Ann – Bo"))


async def test_days_are_written_as_the_reader_writes_them_and_imported_games_without_times_have_no_clocks(seat):
    player = await seat(locale="es-MX")
    page = player.page
    await page.goto(f"{player.site}/import")
    pgn = '[White "Zoë"]\n[Black "Yan"]\n[Date "2020.01.02"]\n[TimeControl "300+2"]\n\n1. e4 e5 1-0\n'
    await page.locator("textarea[name=text]").fill(pgn)
    await page.locator("main button.primary").click()
    await page.goto(f"{player.site}/games?player=Zoë")
    await expect(page.locator(".game-line time")).to_have_text("2 ene 2020")
    await page.locator(".game-line a").click()
    await expect(page.locator("#seat-top .seat-name")).to_have_text("Yan")
    for place in ("top", "bottom"):
        await expect(page.locator(f"#clock-{place}")).to_be_empty()


async def test_the_archive_is_searched_by_keyboard_alone(seat):
    player = await seat()
    page = player.page
    await page.goto(f"{player.site}/import")
    await page.get_by_label("Or paste the text").fill(GAMES[0] + GAMES[1])
    await page.get_by_role("button", name="Import").press("Enter")
    await expect(page.get_by_role("heading", name="2 games are here now.")).to_be_visible()
    await page.goto(f"{player.site}/games")
    await page.get_by_label("Player", exact=True).focus()
    await page.keyboard.type("cid")
    await page.keyboard.press("Enter")
    await expect(page.locator(".game-line")).to_have_count(1)
    await page.get_by_role("link", name="Cid with White against Ann").press("Enter")
    await expect(page).to_have_title(re.compile("Grandhouse"))


async def test_boards_far_down_the_list_are_drawn_when_they_come_near_and_move_nothing(seat):
    player = await seat(viewport={"width": 360, "height": 740})
    page = player.page
    await page.goto(f"{player.site}/import")
    await page.get_by_label("Or paste the text").fill(
        "".join(f'[White "W{number}"]\n[Black "B"]\n\n1. e4 e5 *\n\n' for number in range(20))
    )
    await page.get_by_role("button", name="Import").click()
    await expect(page.get_by_role("heading", name="20 games are here now.")).to_be_visible()
    await page.goto(f"{player.site}/games")
    lines, drawn = page.locator(".game-line"), page.locator(".game-line .small-board")
    await expect(lines).to_have_count(20)
    await expect(lines.first.locator(".small-board")).to_have_count(1)
    assert await drawn.count() < 20
    height = await page.evaluate("document.documentElement.scrollHeight")
    await lines.last.scroll_into_view_if_needed()
    await expect(lines.last.locator(".small-board piece")).to_have_count(32)
    await page.evaluate("document.querySelectorAll('.game-line').forEach(line => line.scrollIntoView())")
    assert await page.evaluate("document.documentElement.scrollHeight") == height
