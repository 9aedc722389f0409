"""The analysis board in a real browser: a drop variant, a gating one and 12x12, by mouse and by keyboard; variations,
take back, links, FEN and PGN.
"""

import re

import pytest
from playwright.async_api import expect

from server.rules.catalogue import load_catalogue
from server.rules.fen import format_fen, start_position
from server.rules.legal import play
from server.rules.pgn import read_pgn
from server.rules.uci import parse_uci
from tests.browser.test_page import PHONE, assert_no_sideways_scroll, boxes

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

VARIANTS = load_catalogue()
MOST_SCRIPT = 60 * 1024


def after(variant, *ucis):
    """The core's FEN after these moves."""
    position = start_position(VARIANTS[variant])
    for uci in ucis:
        position = play(position, parse_uci(position, uci))
    return format_fen(position)


@pytest.fixture
def analyst(seat):
    """Somebody at the analysis board of a variant."""

    async def sit(variant, more="", **settings):
        player = await seat(**settings)
        await player.open(f"{player.site}/analysis/{variant}{more}")
        return player

    return sit


async def tried(player, *sans):
    """The tree is, or soon becomes, these moves in the order of the page."""
    await expect(player.page.locator(".tree .san")).to_have_text(list(sans))


async def shown(player, fen):
    """The field holds that position, and so does the board."""
    await expect(player.page.locator("#fen")).to_have_value(fen)
    await player.shows(fen)


async def by_mouse(player, *ucis):
    """Clicks moves without anything to choose."""
    for uci in ucis:
        before = await player.page.locator("#fen").input_value()
        drop, origin, target = re.fullmatch(r"(?:(\w)@|([a-l]\d+))([a-l]\d+)", uci).groups()
        if drop:
            side = "top" if " b " in before else "bottom"
            await player.page.click(f"#pocket-{side} piece[data-role='{drop.lower()}-piece']:not([data-nb='0'])")
        else:
            await player.click(origin)
        await player.click(target)
        await expect(player.page.locator("#fen")).not_to_have_value(before)


async def walk_to(player, *arrows):
    """Moves the cursor on the board."""
    for arrow in arrows:
        await player.page.keyboard.press(f"Arrow{arrow}")


async def test_both_sides_drop_from_their_hands_by_mouse(analyst):
    anna = await analyst("crazyhouse")
    moves = ("e2e4", "d7d5", "e4d5", "d8d5", "P@e6", "P@e5")
    await by_mouse(anna, *moves)
    await tried(anna, "e4", "d5", "exd5", "Qxd5", "P@e6", "P@e5")
    await shown(anna, after("crazyhouse", *moves))


async def test_the_third_time_of_a_position_is_announced(analyst):
    anna = await analyst("chess")
    for move in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        await expect(anna.page.locator("#result")).to_be_empty()
        await anna.write(move)
        await expect(anna.page.locator("#move-text")).to_have_value("")
    await expect(anna.page.locator("#result")).to_contain_text("The same position came for the third time")


async def test_a_piece_enters_behind_another_by_choice(analyst):
    anna = await analyst("seirawan")
    await anna.click("b1", "c3")
    await anna.choose("hawk")
    await tried(anna, "Nc3/H")
    await shown(anna, after("seirawan", "b1c3h"))
    await anna.click("g8", "f6")
    await anna.choose("Nothing")
    await tried(anna, "Nc3/H", "Nf6")
    await shown(anna, after("seirawan", "b1c3h", "g8f6"))


async def test_the_largest_board_by_keyboard_alone(analyst):
    anna = await analyst("acedrex")
    page = anna.page
    await page.focus("#board")
    await walk_to(anna, *["Up"] * 3)
    await page.keyboard.press("Enter")
    await walk_to(anna, "Up")
    await page.keyboard.press("Enter")
    await tried(anna, "g5")
    await page.keyboard.press("Tab")
    await page.keyboard.press("m")
    await expect(page.locator("#move-text")).to_be_focused()
    await page.keyboard.type("l10k7")
    await page.keyboard.press("Enter")
    await expect(page.locator("#move-problem")).not_to_be_empty()
    await anna.write("g9g8")
    await tried(anna, "g5", "g8")
    await shown(anna, after("acedrex", "g4g5", "g9g8"))
    await expect(page.locator("#live")).to_contain_text("g 8")


async def test_a_drop_on_the_large_board_is_typed(analyst):
    anna = await analyst("grandhouse")
    for move in ("e3e5", "d8d6", "exd6", "Qxd6", "P@e5"):
        await anna.write(move)
        await expect(anna.page.locator("#move-text")).to_have_value("")
    await tried(anna, "e5", "d6", "exd6", "Qxd6", "P@e5")
    await shown(anna, after("grandhouse", "e3e5", "d8d6", "e5d6", "d9d6", "P@e5"))


async def test_variations_are_tried_walked_promoted_and_taken_back(analyst):
    anna = await analyst("chess")
    page = anna.page
    await by_mouse(anna, "e2e4", "e7e5", "g1f3")
    await page.click("#nav-first")
    await by_mouse(anna, "e2e4", "c7c5", "b1c3")
    await tried(anna, "e4", "e5", "c5", "Nc3", "Nf3")
    await expect(page.locator(".variation .san")).to_have_text(["c5", "Nc3"])
    await page.locator("body").press("Home")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await shown(anna, after("chess", "e2e4", "e7e5"))
    await page.keyboard.press("ArrowDown")
    await shown(anna, after("chess", "e2e4", "c7c5"))
    await page.click("#promote")
    await expect(page.locator(".variation .san")).to_have_text(["e5", "Nf3"])
    await expect(page.locator("#promote")).to_be_disabled()
    await page.click("#nav-last")
    await page.click("#takeback")
    await tried(anna, "e4", "c5", "e5", "Nf3")
    await shown(anna, after("chess", "e2e4", "c7c5"))
    await page.click(".tree button:has-text('e5')")
    await page.keyboard.press("Delete")
    await tried(anna, "e4", "c5")
    await shown(anna, after("chess", "e2e4"))
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Delete")
    await page.click("#clear")
    await tried(anna)
    await shown(anna, VARIANTS["chess"].start_fen)


async def test_the_list_of_moves_is_walked_by_keys_and_keeps_the_focus(analyst):
    anna = await analyst("chess", "#m=e2e4.e7e5.g1f3")
    page = anna.page
    await tried(anna, "e4", "e5", "Nf3")
    await expect(page.locator(".tree button[tabindex='0']")).to_have_count(1)
    await page.focus(".tree button[tabindex='0']")
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator(".tree button:focus")).to_have_text("e5")
    await expect(page.locator(".tree button[aria-current]")).to_have_text("e5")


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


async def test_a_game_that_is_only_looked_at_keeps_its_short_address(seat):
    anna = await seat()
    await anna.challenge("crazyhouse", move="e2e4")
    game = anna.page.url.split("/")[-1]
    await anna.open(f"{anna.site}/analysis/crazyhouse?game={game}")
    await anna.page.click("#nav-first")
    await anna.page.wait_for_url(f"**/analysis/crazyhouse?game={game}#p0")
    await by_mouse(anna, "d2d4")
    await anna.page.wait_for_url("**/analysis/crazyhouse#m=e2e4.1.d2d4")


async def test_an_address_may_name_a_position(analyst):
    fen = "k9/10/10/P9/10/10/10/10/10/K9 w - - 0 1"
    anna = await analyst("grand", f"?fen={fen.replace(' ', '_')}")
    await shown(anna, fen)


async def test_arrows_are_drawn_with_the_right_button(analyst):
    anna = await analyst("acedrex")
    mouse = anna.page.mouse
    await mouse.move(*await anna.point("a4"))
    await mouse.down(button="right")
    await mouse.move(*await anna.point("c9"), steps=4)
    await mouse.up(button="right")
    await expect(anna.page.locator(".cg-shapes line")).to_have_count(1)


@pytest.mark.parametrize("bad", ["m=e2e4.<b>", "m=e2e5", "f=rubbish", "x=7", "%"])
async def test_a_link_that_makes_no_sense_is_refused_in_words(seat, bad):
    anna = await seat()
    await anna.page.goto(f"{anna.site}/analysis/chess#{bad}")
    await expect(anna.page.locator("#line")).to_contain_text("This link cannot be read:")
    anna.problems = [text for text in anna.problems if "400" not in text]  # what the browser says of a refusal
    await by_mouse(anna, "e2e4")
    await expect(anna.page.locator("#line")).to_be_empty()


async def test_what_is_copied_is_what_the_core_writes(analyst):
    anna = await analyst("seirawan")
    await anna.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await anna.click("b1", "c3")
    await anna.choose("elephant")
    await tried(anna, "Nc3/E")
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
    await page.fill("#fen", fen)
    await page.click("#position button:has-text('Set')")
    await anna.click("a7", "a8")
    await anna.choose("queen")
    await tried(anna, "a8=Q+")
    await page.fill("#fen", "k9/10/10/P9/10/10/10/10/10/10 w - - 0 1")
    await page.press("#fen", "Enter")
    await expect(page.locator("#line")).to_have_text(
        "This position cannot be set up: White must have exactly one king, not 0."
    )
    anna.problems.clear()
    await tried(anna, "a8=Q+")


async def test_the_end_of_a_game_is_said(analyst):
    anna = await analyst("chess", "#m=f2f3.e7e5.g2g4")
    await by_mouse(anna, "d8h4")
    await expect(anna.page.locator("#result")).to_contain_text("Checkmate")


async def test_a_game_is_loaded_also_one_of_another_variant(analyst):
    anna = await analyst("chess")
    await anna.page.click("summary:has-text('Load a game')")
    await anna.page.fill("#pgn", "1. e4 e5 2. Ke3")
    await anna.page.click("#load button")
    await expect(anna.page.locator("#line")).to_contain_text("half-move 3")
    anna.problems.clear()
    await anna.page.fill("#pgn", '[Variant "Grand"]\n\n1. e5 e6 2. Nc4 *')
    await anna.page.click("#load button")
    await anna.page.wait_for_url("**/analysis/grand#*")
    await tried(anna, "e5", "e6", "Nc4")


async def test_a_friend_plays_on_from_here(analyst, seat):
    anna, ben = await analyst("crazyhouse", "#m=e2e4.d7d5.e4d5.d8d5"), await seat()
    fen = after("crazyhouse", "e2e4", "d7d5", "e4d5", "d8d5")
    await shown(anna, fen)
    await anna.page.click("summary:has-text('friend')")
    await anna.page.select_option("#friend-color", "black")
    await anna.page.click("#friend button")
    await anna.page.wait_for_url(re.compile(r"/[0-9A-Za-z]{10}$"))
    await anna.shows(fen)
    await ben.open(await anna.page.locator("#invite-link").input_value())
    await ben.join()
    await ben.write("P@e6")
    await anna.sees("P@e6")


@pytest.mark.parametrize("variant", ["chess", "capablanca", "grandhouse", "acedrex"])
async def test_board_hands_and_buttons_fit_a_phone(analyst, variant):
    anna = await analyst(variant, **PHONE)
    await assert_no_sideways_scroll(anna.page)
    for box in (await boxes(anna.page, "cg-board", "#tree", "#nav-prev", "#takeback", "#share-open")).values():
        assert box["y"] + box["height"] <= PHONE["viewport"]["height"]
    await anna.page.touchscreen.tap(*await anna.point("b1" if variant == "chess" else "b2"))
    await anna.page.click("#share-open")
    await assert_no_sideways_scroll(anna.page)


async def test_the_script_is_small(seat):
    anna, sizes = await seat(), []
    anna.page.on("response", lambda answer: sizes.append(answer) if answer.url.endswith(".js") else None)
    await anna.open(f"{anna.site}/analysis/acedrex")
    loaded = {answer.url.split("/")[-1].split("-")[0]: int(answer.headers["content-length"]) for answer in sizes}
    assert "analysis" in loaded
    assert sum(loaded.values()) <= MOST_SCRIPT
