"""On paper a finished game is a score sheet: who played, the last position and every move; no button and no chat."""

import pytest
from playwright.async_api import expect

from server.rules.catalogue import load_catalogue
from tests.rules.records import records
from tests.rules.test_pgn import as_pgn

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
GAME = records("grandhouse")[1]
PGN = as_pgn(
    load_catalogue(), GAME, White="Ann", Black="Bo", Event="Cup", Round="3", WhiteElo="2600", Date="2020.01.02"
)


@pytest.mark.parametrize(("locale", "words"), [("en-GB", "Event"), ("es-ES", "Torneo")])
async def test_a_finished_game_is_printed_as_a_score_sheet(seat, locale, words):
    player = await seat(locale=locale)
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
    for said in (words, "Cup", "Ann (2600)", "Bo", "2020.01.02"):
        assert said in told
    rows = await sheet.locator("li").all_inner_texts()
    moves = [san for row in rows for san in row.split()[1:]]
    assert len(moves) == len(GAME["moves"])
    assert rows[0].split()[0] == "1."
    assert await sheet.locator("img").evaluate(
        "async image => { await image.decode(); return image.naturalWidth > 0; }"
    )
    assert (await page.pdf()).count(b"/Type /Page\n") in range(1, 5)
