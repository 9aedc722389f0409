"""A finished game played again: by keys, by itself, from a link at a half-move, and on to the analysis board."""

import re

import pytest
import pytest_asyncio
from playwright.async_api import expect

from server.rules.movegen.legal import play
from server.rules.notation.fen import format_fen, start_position
from server.rules.notation.uci import parse_uci
from tests.support.browser.player import all_write, meet
from tests.support.browser.screens import PHONE, assert_inside, assert_no_sideways_scroll, boxes
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import read_pgn

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MOVES = ("f2f3", "e7e5", "g2g4", "d8h4")
SANS = ("f3", "e5", "g4", "Qh4#")
KEEP_SHOWN = """() => {
    window.shown = [];
    const keep = changes => {
        for (const { target } of changes) if (target.ariaCurrent === 'true') window.shown.push(target.textContent);
    };
    new MutationObserver(keep).observe(document.body, { subtree: true, attributeFilter: ['aria-current'] });
}"""
KEEP_DELAYS = """() => {
    window.delays = [];
    const begin = window.setTimeout;
    window.setTimeout = (act, ms, ...more) => {
        window.delays.push(ms);
        return begin(act, ms, ...more);
    };
}"""
UNTIMED_MS, SHORTEST_MS = 700, 120
"""How long a move takes that was played before the clocks ran, and one that was played at once."""


def after(plies):
    position = start_position(VARIANTS["crazyhouse"])
    for uci in MOVES[:plies]:
        position = play(position, parse_uci(position, uci))
    return format_fen(position)


@pytest_asyncio.fixture(loop_scope="session")
async def over(pair):
    """Two players at the end of a short game, and its address."""
    white, black = await pair("crazyhouse")
    await all_write((white, black), *MOVES)
    await expect(white.page.locator("#result")).to_contain_text("Checkmate")
    return white, black, white.page.url


async def times_of_timed_moves(page):
    """How long each side's second move took (ms), the first with the clocks running, by the record of the game."""
    record = await page.evaluate("fetch(`/api/games${location.pathname}`).then(answer => answer.json())")
    clock, moves = record["clock"], record["moves"][2:]
    full = [initial + more for initial, more in zip(clock["initial_ms"], clock["increment_ms"], strict=True)]
    return [max(SHORTEST_MS, before - move["left"]) for before, move in zip(full, moves, strict=True)]


async def current(player, san):
    await expect(player.page.locator(".ply [aria-current]")).to_have_text(san)


async def test_keys_walk_through_the_game_with_its_clocks_turn_the_board_and_it_goes_to_the_analysis_board(over):
    white, _, _ = over
    keys = white.page.locator("body")
    await keys.press("Home")
    await white.shows(after(0))
    assert await white.clocks() == {"top": "5:00", "bottom": "5:00"}
    await keys.press("ArrowRight")
    await keys.press("ArrowRight")
    await white.shows(after(2))
    await keys.press("ArrowLeft")
    await current(white, "f3")
    await keys.press("f")
    await expect(white.page.locator("#board .cg-wrap")).to_have_class(re.compile("orientation-black"))
    await white.shows(after(1))
    await keys.press("End")
    await white.shows(after(4))
    await white.page.click(".ply button:has-text('e5')")
    await white.page.click("#replay-analyse")
    await white.page.wait_for_url("**/analysis/crazyhouse?game=*&side=black#p2")
    await expect(white.page.locator("#board .cg-wrap")).to_have_class(re.compile("orientation-black"))
    await expect(white.page.locator(".tree .san")).to_have_text(list(SANS))
    await white.shows(after(2))
    await white.click("g1", "h3")
    await expect(white.page.locator(".variation .san")).to_have_text(["Nh3"])


async def test_the_game_plays_itself_and_stops_when_somebody_looks(over):
    white, black, _ = over
    page = white.page
    await page.select_option("#replay-pace", "2500")
    await page.click("#replay-play")
    await expect(page.locator("#replay-play")).to_have_text("Pause")
    await page.keyboard.press("Home")
    await expect(page.locator("#replay-play")).to_have_text("Replay")
    await white.shows(after(0))
    await page.select_option("#replay-pace", "400")
    await page.evaluate(KEEP_SHOWN)
    await page.locator("body").press("p")
    await white.shows(after(4))
    assert await page.evaluate("window.shown") == [*SANS]
    await expect(page.locator("#replay-play")).to_have_text("Replay")
    await black.page.select_option("#replay-pace", "played")
    await black.page.evaluate(KEEP_SHOWN)
    await black.page.evaluate(KEEP_DELAYS)
    await black.page.click("#replay-play")
    await expect(black.page.locator("#replay-play")).to_have_text("Replay")
    assert await black.page.evaluate("window.shown") == [*SANS]
    await black.shows(after(4))
    begun = iter(await black.page.evaluate("window.delays"))
    expected = [UNTIMED_MS, UNTIMED_MS, *await times_of_timed_moves(black.page)]
    assert all(delay in begun for delay in expected), f"{expected} in this order"


async def test_a_link_opens_at_its_half_move_for_anybody_and_all_of_it_fits_their_phone(over, seat):
    white, _, address = over
    carla = await seat(**PHONE)
    await white.page.click(".ply button:has-text('e5')")
    await white.page.click("#replay-share")
    assert await white.page.locator("#share-link").input_value() == f"{address}#p2"
    assert await white.page.locator("#share-fen").input_value() == after(2)
    await expect(white.page.locator("#share-pgn")).not_to_have_value("")
    game = read_pgn(await white.page.locator("#share-pgn").input_value(), VARIANTS)
    assert ([move.uci for move in game.moves], game.result) == (list(MOVES[:2]), "*")
    await is_copied(white, {"share-link": f"{address}#p2", "share-fen": after(2)})
    await carla.open(f"{address}#p2")
    await carla.shows(after(2))
    await current(carla, "e5")
    await carla.page.evaluate("location.hash = 'p3'")
    await current(carla, "g4")
    await expect(carla.page.locator("#replay")).to_be_visible()
    await assert_no_sideways_scroll(carla.page)
    await carla.page.locator("#replay-share").scroll_into_view_if_needed()
    await carla.page.click("#replay-share")
    for name, box in (await boxes(carla.page, "#share")).items():
        assert_inside(box, PHONE["viewport"], name)


async def is_copied(player, texts):
    """What the buttons beside these fields put on the clipboard; they say so."""
    await player.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await player.stop_time()
    for field, text in texts.items():
        await player.page.click(f"[data-copies='{field}']")
        await expect(player.page.locator(f"[data-copies='{field}']")).to_have_text("Copied")
        assert await player.page.evaluate("navigator.clipboard.readText()") == text


async def test_watchers_can_replay_a_running_game_and_players_cannot(seat):
    white, black, carla = await seat(), await seat(), await seat()
    address = await meet(white, black, "chess")
    await white.open(address)
    await carla.open(address)
    await expect(carla.page.locator("#replay-play")).to_be_disabled()
    await white.write("e4")
    await expect(carla.page.locator("#replay-play")).to_be_enabled()
    await white.sees("e4")
    await expect(white.page.locator("#replay")).to_be_hidden()


async def test_a_link_at_a_half_move_leaves_an_invitation_alone(seat):
    white, black = await seat(), await seat()
    link = await white.challenge("chess")
    await black.open(link.split("#")[0] + "#p0")
    await expect(black.page.locator("#join-game")).to_be_hidden()
    await black.open(link)
    await black.page.reload()
    await expect(black.page.locator("#join-game")).to_be_visible()
