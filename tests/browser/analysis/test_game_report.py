"""The report of a game and what is learnt from it, in a real browser: made, kept, shared by a link."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import audit_on_each_screen
from tests.support.browser.analysing import shown, tried

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

FOOLS = "#m=e2e4.e7e5.g1f3.b8c6.f1c4.g8f6.f3g5.a7a6.g5f7"
"""Black does not see the fork; then the fork was not best."""
MADE = ".report-made"
MISTAKES = ".report-mistakes button"


async def reported(player, address):
    await player.open(f"{player.site}/analysis/chess{address}")
    await expect(player.page.locator(MADE)).to_be_visible()


async def test_a_report_is_made_kept_and_shared_by_its_link(analyst):
    anna = await analyst("chess", FOOLS, permissions=["clipboard-read", "clipboard-write"])
    page, asked = anna.page, []
    page.on("request", lambda request: asked.append(request.url))
    await page.click("#tab-report")
    assert not [url for url in asked if "report-" in url or "worker" in url]
    await page.click("#report-make")
    await expect(page.locator(MADE)).to_be_visible()
    found = await page.locator(MISTAKES).all_inner_texts()
    assert any(re.match(r"4\.\.\. a6\?", text) for text in found), found
    counts = await page.locator(".report-counts tbody tr").all_inner_texts()
    assert re.fullmatch(r"Accuracy\s+\d+ %\s+\d+ %", counts[0]), counts
    assert counts[1].startswith("in the opening"), counts
    assert [text for text in counts if text.startswith("Mistakes (?)")], counts
    await page.locator(MISTAKES, has_text="a6").click()
    await expect(page.locator(".tree [aria-current='true']")).to_contain_text("a6")
    await expect(page.locator(f"{MISTAKES}[aria-current='true']")).to_contain_text("a6")
    await page.get_by_role("button", name="Copy the link").click()
    await expect(page.locator(".report-share [role=status]")).to_have_text("Copied.")
    link = await page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("&r=1")
    # What was found is kept, and whoever has the link finds the same.
    await page.goto("about:blank")
    await page.goto(link)
    await expect(page.locator(MADE)).to_be_visible()
    assert await page.locator(MISTAKES).all_inner_texts() == found
    ben = await analyst("chess", locale="en-GB")
    await reported(ben, link.partition("chess")[2])
    assert await ben.page.locator(MISTAKES).all_inner_texts() == found


async def test_the_list_of_moves_says_what_the_report_says_in_signs_and_in_words(analyst):
    anna = await analyst("chess")
    page = anna.page
    await reported(anna, FOOLS + "&r=1")
    found = await page.locator(MISTAKES).evaluate_all("all => all.map(one => one.querySelector('b').innerText)")
    await page.click("#tab-moves")
    moves = page.locator(".tree .tree-move button")
    marked = moves.filter(has=page.locator(".glyph"))
    assert await marked.locator(".san").all_inner_texts() == [re.sub(r"^\S+ |[?!]+$", "", text) for text in found]
    a6 = moves.filter(has_text="a6")
    await expect(a6.locator(".glyph")).to_have_text(re.compile(r"^\?{1,2}$"))
    await expect(a6).to_have_accessible_name(re.compile(r"a6.*, (mistake|blunder)$"))
    # They go with the moves that the report is about.
    await a6.click()
    await page.click("#delete")
    await tried(anna, "e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6", "Ng5")
    await expect(page.locator(".tree .glyph")).to_have_count(0)


async def test_an_upright_tablet_shows_numbers_beside_mistakes_in_the_whole_panel(analyst):
    anna = await analyst("chess", viewport={"width": 820, "height": 1180})
    await reported(anna, FOOLS + "&r=1")
    parts = (".panel.card", "#report", ".report-counts", ".report-mistakes")
    panel, report, counts, mistakes = [await anna.page.locator(part).bounding_box() for part in parts]
    assert report["width"] >= panel["width"] - 4
    assert counts["x"] + counts["width"] < mistakes["x"]
    assert report["y"] + report["height"] <= panel["y"] + panel["height"]
    await expect(anna.page.locator(".analysis-page .controls")).to_be_in_viewport(ratio=1)


async def test_fairy_stockfish_makes_the_report_for_who_chose_it_and_its_link_says_so(analyst):
    anna = await analyst("chess", FOOLS, permissions=["clipboard-read", "clipboard-write"])
    page, asked = anna.page, []
    page.context.on("request", lambda request: asked.append(request.url))
    await page.click("#tab-report")
    await page.select_option("#report-choice", index=1)
    await page.click("#report-make")
    await expect(page.locator(MADE)).to_be_visible()
    assert [url for url in asked if "/fairy-stockfish-" in url]
    await expect(page.locator(MISTAKES, has_text="a6")).to_be_visible()
    await page.get_by_role("button", name="Copy the link").click()
    await expect(page.locator(".report-share [role=status]")).to_have_text("Copied.")
    assert (await page.evaluate("navigator.clipboard.readText()")).endswith("&r=2")
    await page.reload()
    await page.click("#tab-report")
    await expect(page.locator("#report-choice")).to_have_value(re.compile("Fairy-Stockfish"))
    # The engine beside the moves was not chosen by that.
    await expect(page.locator(".engine-head .switched span")).to_have_text("Fairyhouse's engine")
    await page.select_option("#report-choice", index=0)


async def test_one_learns_from_a_mistake(analyst):
    anna = await analyst("chess")
    page = anna.page
    await reported(anna, FOOLS + "&r=1")
    await page.click(".report-learn button:has-text('Black')")
    words = page.locator(".learning-words")
    await expect(words).to_contain_text("a6 was played here")
    await expect(page.locator(".learning h2")).to_be_focused()
    fen = "r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R b KQkq - 5 4"
    await shown(anna, fen)
    await page.click("#tab-moves")
    await expect(page.locator("#engine")).to_be_hidden()
    await expect(page.locator("#engine-silent")).to_contain_text("The engine is silent while you look")
    await page.click("#to-exercise")
    await expect(words).to_be_visible()
    await page.click("#tab-moves")
    await anna.write("h5")
    await page.click("#tab-report")
    await expect(words).to_contain_text("Try another")
    await shown(anna, fen)
    await page.click("#tab-moves")
    await anna.write("a6")
    await page.click("#tab-report")
    await expect(words).to_contain_text("what was played")
    await shown(anna, fen)
    await page.click("#tab-moves")
    await anna.write("d5")
    await page.click("#tab-report")
    await expect(page.locator(".learning[data-stage='best'], .learning[data-stage='right']")).to_be_visible()
    await page.get_by_role("button", name="Go on").click()
    await page.get_by_role("button", name="Back to the report").click()
    await expect(page.locator(MADE)).to_be_visible()
    await page.click("#tab-moves")
    await expect(page.locator("#engine")).to_be_visible()
    await expect(page.locator("#engine-silent")).to_be_hidden()


async def test_the_answer_is_shown_to_who_asks_for_it(analyst):
    anna = await analyst("chess")
    await reported(anna, FOOLS + "&r=1")
    await anna.page.click(".report-learn button:has-text('Black')")
    await anna.page.get_by_role("button", name="Show the answer").click()
    await expect(anna.page.locator(".learning-words")).to_contain_text(re.compile(r"Better: \S+"))


async def test_another_game_has_another_report(analyst):
    anna = await analyst("chess")
    await reported(anna, FOOLS + "&r=1")
    await anna.look_at("set-up")
    await anna.page.click("#clear")
    await tried(anna)
    await anna.page.click("#tab-report")
    await expect(anna.page.locator(MADE)).to_have_count(0)
    await anna.page.click("#report-make")
    await expect(anna.page.locator("#report-state")).to_contain_text("no game yet")


async def test_a_report_can_be_read_on_each_screen(analyst):
    anna = await analyst("chess")
    await reported(anna, FOOLS + "&r=1")
    assert await audit_on_each_screen(anna.page) == []
    await anna.page.click(".report-learn button >> nth=0")
    assert await audit_on_each_screen(anna.page) == []
    await anna.page.set_viewport_size({"width": 1200, "height": 800})
