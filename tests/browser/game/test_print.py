"""On paper a finished game is a score sheet: who played, the last position and every move; no button and no chat."""

import pytest
from playwright.async_api import expect

from tests.support.browser.player import all_see, all_write
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import as_pgn
from tests.support.rules.vectors import records

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
GAME = records("grandhouse")[1]
PGN = as_pgn(VARIANTS, GAME, White="Ann", Black="Bo", Event="Cup", Round="3", WhiteElo="2600", Date="2020.01.02")


async def test_a_game_that_ends_under_ones_eyes_is_printed_as_a_score_sheet_at_once(pair):
    white, black = await pair("chess")
    await white.click("e2", "e4")
    await black.click("e7", "e5")
    await all_see((white, black), "e4", "e5")
    sheet = white.page.locator(".score-sheet")
    await expect(sheet).to_have_count(0)
    await white.resign()
    await expect(sheet).to_have_count(1)
    await white.page.emulate_media(media="print")
    await expect(sheet).to_be_visible()
    await expect(white.page.locator("#board")).to_be_hidden()
    assert "0-1" in await sheet.inner_text()
    assert (await sheet.locator("li").all_inner_texts())[0].split() == ["1.", "e4", "e5"]


async def test_a_game_in_progress_is_printed_with_all_of_its_moves_and_no_button(pair):
    white, black = await pair("crazyhouse")
    await all_write((white, black), "Nf3", "Nf6", "Nc3", "Nc6", "e3", "e6", "d3", "d6", "a3", "a6", "h3", "h6")
    page = white.page
    await white.look_at("rules")
    await page.emulate_media(media="print")
    for part in ("#tabs", "#controls", "#rules", "#chat", "#move-entry"):
        await expect(page.locator(part)).to_be_hidden()
    for width, height in ((760, 1000), (1000, 640)):
        await page.set_viewport_size({"width": width, "height": height})
        await expect(page.locator(".ply >> nth=11")).to_be_visible()
        assert await page.locator("#move-list").evaluate("list => list.scrollHeight <= list.clientHeight + 1"), width
        await expect(page.locator("cg-board")).to_be_visible()


async def test_a_finished_game_is_printed_as_a_score_sheet_in_spanish_too(seat):
    player = await seat(locale="es-ES")
    page = player.page
    await page.goto(player.site)
    answer = await page.request.post(
        f"{player.site}/api/import", data=PGN, headers={"Content-Type": "text/plain", "Origin": player.site}
    )
    await player.open(f"{player.site}/{(await answer.json())['games'][0]['id']}")
    sheet = page.locator(".score-sheet")
    await expect(sheet).to_be_hidden()
    await page.emulate_media(media="print")
    await expect(sheet).to_be_visible()
    for part in (".site-head", ".controls", ".chat", ".panel", "#board", ".replay"):
        await expect(page.locator(part).first).to_be_hidden()
    told = await sheet.locator("dl").inner_text()
    for said in ("Evento", "Cup", "Ann (2600)", "Bo", "2020.01.02"):
        assert said in told
    rows = await sheet.locator("li").all_inner_texts()
    moves = [san for row in rows for san in row.split()[1:]]
    assert len(moves) == len(GAME["moves"])
    assert rows[0].split()[0] == "1."
    assert await sheet.locator("img").evaluate(
        "async image => { await image.decode(); return image.naturalWidth > 0; }"
    )
    assert (await page.pdf()).count(b"/Type /Page\n") in range(1, 5)
