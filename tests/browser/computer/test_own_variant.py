"""The computer plays what a host has made, on the largest of boards, and is found from where nobody is met."""

import pytest
from playwright.async_api import expect

from tests.support.browser.computer import record, sits_down

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

WIDE = """
name = "Wide Chess"
tagline = "Sixteen files."
differences = ["There are sixteen files.", "Nobody castles."]
parent = "chess"
chess960 = false
files = 16
start = "rnbqrnbqkbnrqbnr/pppppppppppppppp/16/16/16/16/PPPPPPPPPPPPPPPP/RNBQRNBQKBNRQBNR w - - 0 1"
[castling]
king_from = "i"
king_to = ["n", "c"]
rook_to = ["m", "d"]
"""


@pytest.fixture
def variants_dir(tmp_path):
    folder = tmp_path / "variants"
    folder.mkdir()
    (folder / "wide.toml").write_text(WIDE)
    return folder


async def test_it_plays_what_the_host_has_made(seat):
    person = await seat()
    await sits_down(person, "wide", level="8")
    await person.write("e2e3")
    await person.has(2)
    assert (await record(person))["variant"] == "wide"


async def test_it_is_found_from_where_nobody_is_met(visitor):
    anna = await visitor()
    page = anna.page
    await anna.choose("grand")
    for way in (
        page.locator("#seeks-empty .to-computer"),
        page.locator("section[aria-labelledby=alone-title] .to-computer"),
    ):
        await expect(way).to_have_attribute("href", "/computer?variant=grand")
    await anna.quick("600+5")
    await anna.waits()
    await page.locator("#waiting-while .to-computer").click()
    await expect(page.locator("select[name=variant]")).to_have_value("grand")
    await page.goto(f"{anna.site}/rules/capablanca960")
    await page.locator(".rules-head a[href^='/computer']").click()
    await expect(page.locator("select[name=variant]")).to_have_value("capablanca960")


async def test_it_plays_on_from_the_analysis_board(seat):
    person = await seat()
    page = person.page
    await page.goto(f"{person.site}/analysis/chess")
    await person.write("e4")
    await expect(page.locator("#turn")).to_have_text("Black to move")
    await page.click("#tab-set-up")
    await page.locator("summary", has_text="Play the computer").click()
    await page.click("#computer button")
    await expect(page.locator(".computer-start")).to_contain_text("begins with this position")
    await page.check("input[name=color][value=white]", force=True)
    await page.click("#computer-form button")
    await person.has(1)
    assert (await record(person))["start_fen"].split()[0] == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
