"""What leads to the analysis board and away from it: links, addresses, FEN and PGN, games, a friend to play on with."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.analysing import after, by_mouse, load, shown, tried
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import read_pgn
from tests.support.web.accounts import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_link_opens_the_same_for_somebody_else(analyst, seat):
    anna, ben = await analyst("shogun"), await seat()
    await by_mouse(anna, "e2e4", "d7d5", "e4d5", "d8d5")
    await anna.page.click("#nav-prev")
    await by_mouse(anna, "c7c6")
    await anna.page.click("#nav-prev")
    await anna.page.click("#share-open")
    link = await anna.page.locator("#share-link").input_value()
    await ben.open(link)
    await tried(ben, "e4", "d5", "exd5", "Qxd5", "c6")
    await shown(ben, after("shogun", "e2e4", "d7d5", "e4d5"))
    await expect(ben.page.locator(".variation .san")).to_have_text(["c6"])
    await by_mouse(ben, "d8d5")
    await tried(ben, "e4", "d5", "exd5", "Qxd5", "c6")


async def test_the_address_follows_the_board(analyst):
    anna = await analyst("chess")
    await by_mouse(anna, "e2e4")
    await anna.page.wait_for_url("**/analysis/chess#m=e2e4")
    await anna.page.reload()
    await shown(anna, after("chess", "e2e4"))


async def test_a_game_that_is_only_looked_at_keeps_its_short_address(regular):
    await regular.challenge("crazyhouse", move="e2e4")
    game = regular.page.url.split("/")[-1]
    await regular.open(f"{regular.site}/analysis/crazyhouse?game={game}")
    await tried(regular, "e4")
    await regular.page.keyboard.press("Home")
    await regular.page.wait_for_url(f"**/analysis/crazyhouse?game={game}#p0")
    await regular.page.keyboard.press("End")
    await expect(regular.page.locator("#takeback")).to_be_disabled()
    await regular.page.keyboard.press("Home")
    await by_mouse(regular, "d2d4")
    await regular.page.wait_for_url("**/analysis/crazyhouse#m=e2e4.1.d2d4")


async def test_who_registers_at_the_analysis_of_a_game_comes_back_to_it(seat):
    anna = await seat()
    await anna.challenge("crazyhouse", move="e2e4")
    game = anna.page.url.split("/")[-1]
    await anna.open(f"{anna.site}/analysis/crazyhouse?game={game}")
    await tried(anna, "e4")
    await anna.page.click(".nav-account")
    await anna.page.get_by_role("link", name="Create one").click()
    await anna.page.fill("[name=name]", "Returning")
    await anna.page.fill("[name=password]", PASSWORD)
    await anna.page.click("form.asks button.primary")
    await tried(anna, "e4")
    await anna.page.get_by_role("link", name="Back to the game").click()
    await expect(anna.page).to_have_url(f"{anna.site}/{game}")


async def test_who_signs_in_comes_back_to_the_moves_that_were_last_on_the_board(analyst):
    anna = await analyst("chess")
    for line, move in (("e2e4", "e2e4"), ("e2e4.e7e5", "e7e5")):
        await by_mouse(anna, move)
        await anna.page.wait_for_url(f"**/analysis/chess#m={line}")
        await anna.page.locator("#main").click(position={"x": 1, "y": 1})
    await anna.page.click(".nav-account")
    await anna.page.wait_for_url("**/sign-in?next=/analysis/chess#m=e2e4.e7e5")


async def test_an_address_may_name_a_position(analyst):
    fen = "k9/10/10/P9/10/10/10/10/10/K9 w - - 0 1"
    anna = await analyst("grand", f"?fen={fen.replace(' ', '_')}")
    await shown(anna, fen)


async def test_a_link_that_makes_no_sense_is_refused_in_words(regular):
    for bad in ("m=e2e4.<b>", "m=e2e5", "f=rubbish", "x=7", "%"):
        await regular.page.goto("about:blank")
        await regular.page.goto(f"{regular.site}/analysis/chess#{bad}")
        await expect(regular.page.locator("#status"), bad).to_contain_text("This link cannot be read:")
        await by_mouse(regular, "e2e4")
        await expect(regular.page.locator("#status"), bad).to_be_empty()
    regular.problems = [text for text in regular.problems if "400" not in text]  # what the browser says of a refusal


async def test_what_is_copied_is_what_the_core_writes(analyst):
    anna = await analyst("seirawan", permissions=["clipboard-read", "clipboard-write"])
    await anna.click("b1", "c3")
    await anna.choose("elephant")
    await tried(anna, "Nc3/E")
    await anna.stop_time()
    await anna.look_at("set-up")
    await anna.page.click("[data-copies='fen']")
    clipboard = "navigator.clipboard.readText()"
    await expect(anna.page.locator("[data-copies='fen']")).to_have_class(re.compile("done"))
    assert await anna.page.evaluate(clipboard) == after("seirawan", "b1c3e")
    await anna.page.click("#share-open")
    await anna.page.click("[data-copies='share-pgn']")
    await expect(anna.page.locator("[data-copies='share-pgn']")).to_have_text("Copied")
    game = read_pgn(await anna.page.evaluate(clipboard), VARIANTS)
    assert (game.variant.id, [move.uci for move in game.moves]) == ("seirawan", ["b1c3e"])


async def test_a_position_is_set_up_or_refused_with_the_reason(analyst):
    anna = await analyst("grand")
    page, fen = anna.page, "k9/10/10/P9/10/10/10/10/10/K9 w - - 0 1"
    await page.locator("#tab-set-up").click()
    await page.fill("#fen", fen)
    await page.click("#position button:has-text('Set')")
    await shown(anna, fen)
    await anna.click("a7", "a8")
    await anna.choose("queen")
    await tried(anna, "a8=Q+")
    await page.locator("#tab-set-up").click()
    await page.fill("#fen", "k9/10/10/P9/10/10/10/10/10/10 w - - 0 1")
    await page.press("#fen", "Enter")
    await expect(page.locator("#status")).to_have_text(
        "This position cannot be set up: White must have exactly one king, not 0."
    )
    anna.problems.clear()
    await tried(anna, "a8=Q+")


NOTED = """[Event "Cup"]
[Site "London"]
[Date "1851.06.21"]
[Round "2"]
[White "Ann"]
[Black "Bo"]
[Result "1-0"]
[Variant "{variant}"]
[WhiteElo "2600"]

{{ The game }} 1. {first} $1 {{ [%clk 0:03:00] best by test }} (1. {other} $6) 1... {reply} 1-0
"""


async def given_back(player):
    await player.page.click("#share-open")
    text = await player.page.locator("#share-pgn").input_value()
    await player.page.keyboard.press("Escape")
    return text


async def test_a_game_with_notes_is_shown_and_given_back_whole(analyst):
    anna = await analyst("chess")
    for variant, tag, moves in (("chess", "Standard", ("e4", "d4", "e5")), ("grand", "Grand", ("e5", "d5", "e6"))):
        first, other, reply = moves
        pgn = NOTED.format(variant=tag, first=first, other=other, reply=reply)
        await load(anna, pgn)
        await anna.page.wait_for_url(f"**/analysis/{variant}#*")
        await tried(anna, first, other, reply)
        tree = anna.page.locator("#tree")
        await expect(tree.locator(".glyph")).to_have_text(["!", "?!"])
        await expect(tree.locator(".comment")).to_have_text(["The game", "best by test"])
        await expect(tree.locator(".tree-result")).to_have_text("1-0")
        await expect(tree.locator(".variation .san")).to_have_text([other])
        assert await given_back(anna) == pgn


async def test_an_imported_game_is_analysed_with_its_notes(regular):
    await regular.page.goto(regular.site)
    pgn = NOTED.format(variant="Standard", first="e4", other="d4", reply="e5")
    answer = await regular.page.request.post(
        f"{regular.site}/api/import", data=pgn, headers={"Content-Type": "text/plain", "Origin": regular.site}
    )
    (one,) = (await answer.json())["games"]
    await regular.open(f"{regular.site}/analysis/chess?game={one['id']}#p1")
    await tried(regular, "e4", "d4", "e5")
    await shown(regular, after("chess", "e2e4"))
    await expect(regular.page.locator(".tree .comment")).to_have_text(["The game", "best by test"])
    assert await given_back(regular) == pgn


async def test_a_refusal_goes_with_the_next_game_and_what_was_typed_stays(analyst):
    anna = await analyst("chess")
    page = anna.page
    await page.locator("#tab-set-up").click()
    await page.fill("#fen", "8/8/8/8/8/8/8/8 w - - 0 1")
    await page.press("#fen", "Enter")
    await expect(page.locator("#status")).to_contain_text("cannot be set up")
    await page.click("#flip")
    assert await page.locator("#fen").input_value() == "8/8/8/8/8/8/8/8 w - - 0 1"
    await anna.write("Ke4")
    await expect(page.locator("#move-problem")).not_to_be_empty()
    await load(anna, "1. d4 *")
    await tried(anna, "d4")
    await expect(page.locator("#status")).to_be_empty()
    await expect(page.locator("#move-problem")).to_be_empty()
    await shown(anna, after("chess", "d2d4"))
    anna.problems.clear()


async def test_a_friend_plays_on_from_here(analyst, seat):
    anna, ben = await analyst("crazyhouse", "#m=e2e4.d7d5.e4d5.d8d5"), await seat()
    fen = after("crazyhouse", "e2e4", "d7d5", "e4d5", "d8d5")
    await shown(anna, fen)
    await anna.look_at("set-up")
    await anna.page.click("summary:has-text('friend')")
    await anna.page.select_option("#friend-color", "black")
    await anna.page.click("#friend button")
    await anna.page.wait_for_url(re.compile(r"/[0-9A-Za-z]{10}$"))
    await anna.shows(fen)
    await ben.open(await anna.page.locator("#invite-link").input_value())
    await ben.join()
    await ben.write("P@e6")
    await anna.sees("P@e6")


async def test_a_friend_can_have_days_for_each_move_or_a_time_bank_as_on_the_front_page(analyst, seat):
    anna, home = await analyst("chess"), await seat()
    await home.page.goto(home.site)
    days = await home.page.locator("#days option").evaluate_all("all => all.map(one => one.value)")
    offered = await anna.page.locator("#friend-clock option").evaluate_all("all => all.map(one => one.value)")
    assert offered[3:-1] == days
    await anna.look_at("set-up")
    await anna.page.click("summary:has-text('friend')")
    await expect(anna.page.locator("#friend-clock")).to_have_value("600+5")
    await anna.page.select_option("#friend-clock", days[-1])
    await anna.page.click("#friend button")
    await anna.page.wait_for_url(re.compile(r"/[0-9A-Za-z]{10}$"))
    await expect(anna.page.locator(".terms")).to_contain_text("30+3 days, up to 60")
