"""The TV page, games in play, seen in real browsers."""

import re
from contextlib import AsyncExitStack

import pytest
from playwright.async_api import expect

from server.games.player import DELETED_NAME
from server.language import load_words
from tests.support.browser.accessibility import audit
from tests.support.browser.layout_shifts import SCREENS, SETTLED, WATCH
from tests.support.browser.screens import assert_inside, boxes
from tests.support.web.accounts import PASSWORD, register
from tests.support.web.people import play

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


COUNT_WAKE_LOCKS = """
window.wakeLocks = 0;
navigator.wakeLock.request = async () => {
  wakeLocks += 1;
  return { released: false, async release() { wakeLocks -= 1; } };
};
"""


def marked(board, left, bottom):
    """The square that begins there, percent, if the last move is marked on it."""
    return board.locator(f"square.last-move[style='left: {left}%; bottom: {bottom}%;']")


async def test_games_in_play_are_watched_as_they_go(off_screen, seat):
    maker, guest, viewer = await off_screen(), await off_screen(), await seat()
    game = await maker.challenge(variant="crazyhouse")
    await guest.join(game)
    board = viewer.page.locator(f".tv-game:has(a[href='/{game['id']}'])")
    await viewer.page.goto(f"{viewer.site}/watch/crazyhouse")
    await expect(viewer.page.locator("#watch-empty")).to_be_visible()
    async with maker.follow(game) as white, guest.follow(game) as black:
        await play((white, black), ["e2e4", "e7e5"])
        await expect(board.locator(".small-board piece")).to_have_count(32)
        await expect(board.locator(".tv-pocket piece[data-nb='0']")).to_have_count(10)
        for bottom in (50, 75):
            await expect(marked(board, 50, bottom)).to_have_count(1)
        await play((white, black), ["g1f3"], first=2)
        await expect(marked(board, 75, 0)).to_have_count(1)
        # Those who do not see the board hear each move, and how it ends.
        await expect(viewer.page.locator("#tv-says")).to_have_text(re.compile(r"^.+: g1–f3$"))
        await expect(board.locator(".tv-clock.runs")).to_have_count(1)
        await play((white, black), ["d7d5", "e4d5"], first=3)
        await expect(board.locator(".tv-pocket piece[data-nb='1']")).to_have_class("p-piece white")
        await viewer.page.goto(f"{viewer.site}/watch/grand")
        await expect(board).to_have_count(0)
        await viewer.page.goto(f"{viewer.site}/watch")
        await expect(board).to_be_visible()
        await black.send({"t": "resign", "id": 9})
        await expect(board.locator(".tv-result")).to_have_text("Finished: 1-0")
        await expect(viewer.page.get_by_role("status").filter(has_text="Finished: 1-0")).to_have_count(1)
    await board.get_by_role("link").click()
    await expect(viewer.page.locator("#board cg-board")).to_be_visible()


async def test_the_final_move_stays_with_its_result_and_then_the_next_game_is_large(off_screen, seat):
    people, viewer = [await off_screen() for _ in range(4)], await seat()
    large, wall = viewer.page.locator("#tv > .tv-game"), viewer.page.locator("#wall > .tv-game")
    async with AsyncExitStack() as tables:
        games = []
        for maker, guest in (people[:2], people[2:]):
            game = await maker.challenge(variant="crazyhouse", chess960=False)
            await guest.join(game)
            sides = [await tables.enter_async_context(one.follow(game)) for one in (maker, guest)]
            await play(sides, ["f2f3", "e7e5"])
            games.append((f"a[href='/{game['id']}']", sides))
        await viewer.page.goto(f"{viewer.site}/watch/crazyhouse")
        await expect(large).to_have_count(1)
        await expect(wall).to_have_count(1)
        (first, sides), (second, _) = games if await large.locator(games[0][0]).count() else reversed(games)
        await viewer.stop_time()
        await play(sides, ["g2g4", "d8h4"], first=2)
        await expect(large.locator(".tv-result")).to_have_text("Finished: 0-1")
        await viewer.page.clock.run_for(9_000)
        await expect(marked(large, 87.5, 37.5)).to_have_count(1)
        await expect(large.locator(first)).to_have_count(1)
        await viewer.page.clock.run_for(1_500)
        await expect(large.locator(second)).to_have_count(1)
        await expect(viewer.page.locator("#tv-says")).to_have_text(re.compile("with White, .+ with Black$"))
        await expect(wall).to_have_count(0)


async def test_the_moves_of_the_large_game_can_be_looked_back_through_while_it_goes_on(off_screen, seat):
    maker, guest, viewer = await off_screen(), await off_screen(), await seat()
    page, moves = viewer.page, viewer.page.locator("#tv-moves button")
    game = await maker.challenge(variant="crazyhouse", chess960=False)
    await guest.join(game)
    async with maker.follow(game) as white, guest.follow(game) as black:
        await play((white, black), ["e2e4", "d7d5", "e4d5"])
        await page.goto(f"{viewer.site}/watch/crazyhouse")
        # What was played before comes along, and each move as it is made.
        await expect(moves).to_have_text(["e4", "d5", "exd5"])
        await play((white, black), ["d8d5"], first=3)
        await expect(moves).to_have_text(["e4", "d5", "exd5", "Qxd5"])
        await expect(moves.last).to_have_attribute("aria-current", "true")
        await expect(page.locator("#tv-to-game")).to_be_hidden()
        await page.keyboard.press("ArrowLeft")
        await page.click("#tv-prev")
        await expect(moves.nth(1)).to_have_attribute("aria-current", "true")
        await expect(marked(page.locator("#tv"), 37.5, 50)).to_have_count(1)
        # The game goes on, and the board stays where it is looked at.
        await play((white, black), ["b1c3"], first=4)
        await expect(moves).to_have_count(5)
        await expect(marked(page.locator("#tv"), 37.5, 50)).to_have_count(1)
        await expect(page.locator("#tv .of-white .tv-pocket piece[data-nb='1']")).to_have_count(0)
        assert await audit(page) == []
        await page.click("#tv-to-game")
        await expect(marked(page.locator("#tv"), 25, 25)).to_have_count(1)
        await expect(page.locator("#tv-to-game")).to_be_hidden()
        await expect(page.locator("#tv .of-white .tv-pocket piece[data-nb='1']")).to_have_count(1)
        await moves.first.click()
        await expect(marked(page.locator("#tv"), 50, 37.5)).to_have_count(1)
        # A move that is taken back leaves the list, and another takes its place.
        assert (await black.command(t="offer", kind="takeback"))["t"] == "ok"
        offer = (await white.until("offered"))["offer"]
        assert (await white.command(t="accept", offer=offer))["t"] == "ok"
        await expect(moves).to_have_text(["e4", "d5", "exd5"])
        await black.until("took_back")
        await play((white, black), ["g8f6"], first=3)
        await expect(moves).to_have_text(["e4", "d5", "exd5", "Nf6"])


async def test_moves_that_could_not_be_had_are_asked_for_again_with_the_next_one(off_screen, seat):
    maker, guest, viewer = await off_screen(), await off_screen(), await seat()
    page, moves = viewer.page, viewer.page.locator("#tv-moves button")
    game = await maker.challenge(variant="crazyhouse", chess960=False)
    await guest.join(game)
    async with maker.follow(game) as white, guest.follow(game) as black:
        await play((white, black), ["e2e4", "d7d5"])
        await page.route(f"**/api/games/{game['id']}", lambda route: route.fulfill(json=None), times=1)
        async with page.expect_response(f"**/api/games/{game['id']}"):
            await page.goto(f"{viewer.site}/watch/crazyhouse")
        await expect(moves).to_have_count(0)
        await play((white, black), ["e4d5", "d8d5"], first=2)
        await expect(moves).to_have_text(["e4", "d5", "exd5", "Qxd5"])


async def test_the_next_game_is_shown_large_at_a_press(off_screen, seat):
    people, viewer = [await off_screen() for _ in range(4)], await seat()
    page, large = viewer.page, viewer.page.locator("#tv > .tv-game")
    async with AsyncExitStack() as tables:
        games = {}
        for pair, first in ((people[:2], "e2e4"), (people[2:], "d2d4")):
            game = await pair[0].challenge(variant="crazyhouse", chess960=False)
            await pair[1].join(game)
            sides = [await tables.enter_async_context(one.follow(game)) for one in pair]
            await play(sides, [first, "e7e5"])
            games[f"/{game['id']}"] = first[2:]
        await page.goto(f"{viewer.site}/watch/crazyhouse")
        await expect(page.locator("#wall > .tv-game")).to_have_count(1)
        first = await large.locator(".tv-about a").get_attribute("href")
        second = next(path for path in games if path != first)
        for path in (second, first):
            await page.click("#tv-next-game")
            await expect(large.locator(".tv-about a")).to_have_attribute("href", path)
            await expect(page.locator("#tv-moves button").first).to_have_text(games[path])
            await expect(page.locator("#tv-says")).to_have_text(re.compile("with White, .+ with Black$"))
            await expect(page.locator("#wall > .tv-game")).to_have_count(1)


@pytest.mark.parametrize("variant", ["capablanca", "grandhouse", "acedrex"])
async def test_the_best_game_stands_where_it_would_be_played(off_screen, seat, variant):
    maker, guest, viewer = await off_screen(), await off_screen(), await seat()
    first, second = {"grandhouse": ("e3e4", "e8e7"), "acedrex": ("e4e5", "e9e8")}.get(variant, ("e2e4", "e7e5"))
    page, game = viewer.page, await maker.challenge(variant=variant)
    await guest.join(game)
    async with maker.follow(game) as white, guest.follow(game) as black:
        await play((white, black), [first, second])
        found = []
        for path, board in ((f"/{game['id']}", "#board cg-board"), (f"/watch/{variant}", "#tv .small-board")):
            await page.goto(f"{viewer.site}{path}")
            await expect(page.locator(board)).to_be_visible()
            found.append({})
            for width, height in [*SCREENS, (1366, 768)]:
                await page.set_viewport_size({"width": width, "height": height})
                # On narrow screens rows of pockets make a game's board smaller; here they stand below the names.
                if variant != "grandhouse" or width > height:
                    found[-1][width] = (await boxes(page, board))[board]
        played, watched = found
        assert watched == played


async def test_nothing_moves_when_a_game_comes_or_the_connection_is_lost(off_screen, seat):
    people, viewer = [await off_screen() for _ in range(4)], await seat()
    page, lines = viewer.page, []

    def connect(line):
        line.connect_to_server()
        lines.append(line)

    await page.add_init_script(f"({WATCH})()")
    await page.route_web_socket("**/ws/watch", connect)
    async with AsyncExitStack() as tables:

        async def begin(maker, guest, variant):
            game = await maker.challenge(variant=variant)
            await guest.join(game)
            await play([await tables.enter_async_context(one.follow(game)) for one in (maker, guest)], ["e2e4", "e7e5"])

        await begin(*people[:2], "crazyhouse")
        for width, height in SCREENS:
            await page.set_viewport_size({"width": width, "height": height})
            await page.goto(f"{viewer.site}/watch")
            await expect(page.locator("#tv .tv-game")).to_be_visible()
            await lines[-1].close(code=1011)
            await expect(page.locator("#tv-connection")).not_to_be_empty()
            await page.evaluate(SETTLED)
            assert await page.evaluate("shifts") == [], width
        await expect(page.locator("#tv-connection")).to_be_empty()
        await begin(*people[2:], "chess")
        await expect(page.locator("#wall .tv-game")).to_be_visible()
        await page.evaluate(SETTLED)
        assert await page.evaluate("shifts") == []


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720), (820, 1180), (360, 740), (740, 360)])
async def test_one_game_fills_the_screen_and_the_next_one_follows(off_screen, seat, width, height):
    people, viewer = [await off_screen() for _ in range(4)], await seat()
    page = viewer.page
    large = page.locator("#tv > .tv-game")
    await page.set_viewport_size({"width": width, "height": height})
    await page.add_init_script(COUNT_WAKE_LOCKS)
    async with AsyncExitStack() as tables:
        games = []
        for maker, guest in (people[:2], people[2:]):
            game = await maker.challenge(variant="crazyhouse", chess960=False)
            await guest.join(game)
            sides = [await tables.enter_async_context(one.follow(game)) for one in (maker, guest)]
            await play(sides, ["f2f3", "e7e5"])
            games.append((f"a[href='/{game['id']}']", sides))
        await page.goto(f"{viewer.site}/watch/crazyhouse#full")
        await expect(large).to_be_visible()
        for hidden in (".site-head", "#wall", ".watch-shelf", "h1", "#tv-moves", "#tv-prev"):
            await expect(page.locator(hidden)).to_be_hidden()
        clocks = [f"#tv .of-{side} .tv-clock" for side in ("white", "black")]
        shown = await boxes(page, "#tv .small-board", *clocks, "#tv .of-white", "#tv .of-black")
        for name, box in shown.items():
            assert_inside(box, {"width": width, "height": height}, name)
        if width == 1920:
            # On a screen of 1.2 m: 11 cm for the clock and 5 cm for a name, to be read at ten metres.
            for large_text, least in ((".tv-clock.runs", 100), (".tv-name", 48)):
                size = await large.locator(large_text).first.evaluate("it => parseFloat(getComputedStyle(it).fontSize)")
                assert size > least, large_text
            assert shown["#tv .small-board"]["height"] > 1070
        assert await page.evaluate("wakeLocks") == 1
        (_, sides), (second, _) = games if await large.locator(games[0][0]).count() else reversed(games)
        await viewer.stop_time()
        await page.mouse.move(9, 9)
        await expect(page.locator("#tv-leave")).to_have_css("opacity", "1")
        await page.clock.run_for(3_500)
        await expect(page.locator("#tv-leave")).to_have_css("opacity", "0")
        await play(sides, ["g2g4", "d8h4"], first=2)
        await expect(large.locator(".tv-result")).to_have_text("Finished: 0-1")
        await page.clock.run_for(10_500)
        await expect(large.locator(second)).to_have_count(1)
        await page.keyboard.press("Escape")
        await expect(page.locator(".site-head")).to_be_visible()
        await expect(page.locator("#tv-full")).to_be_focused()
        assert await page.evaluate("[wakeLocks, location.hash]") == [0, ""]


async def test_the_full_screen_is_entered_and_left_by_keyboard_and_tells_of_a_lost_line(seat):
    viewer, lines = await seat(), []
    page = viewer.page

    def connect(line):
        line.connect_to_server()
        lines.append(line)

    await page.route_web_socket("**/ws/watch", connect)
    await page.goto(f"{viewer.site}/watch")
    await expect(page.locator("#watch-empty")).to_be_visible()
    await page.locator("#tv-full").press("Enter")
    await expect(page.locator("#tv-leave")).to_be_focused()
    await expect(page.locator("#tv-leave")).to_have_css("opacity", "1")
    await viewer.stop_time()
    await lines[-1].close(code=1011)
    await expect(page.locator("#tv-connection")).to_be_visible()
    await expect(page.locator("#tv-connection")).not_to_be_empty()
    await page.clock.run_for(2_000)
    await expect(page.locator("#tv-connection")).to_be_empty()
    await page.keyboard.press("Enter")
    await expect(page.locator(".site-head")).to_be_visible()
    await expect(page).to_have_url(f"{viewer.site}/watch")
    await page.go_back()
    await expect(page.locator("#tv-leave")).to_be_hidden()


async def test_few_games_leave_room_for_recent_ones_and_names_lead_to_profiles(off_screen, seat):
    maker, guest, viewer = await off_screen(), await off_screen(), await seat()
    await register(maker, "Tvwhite")
    await register(guest, "Tvblack")
    game = await maker.challenge(variant="placement", rated=True)
    await guest.join(game)
    await viewer.page.goto(f"{viewer.site}/watch/placement")
    await expect(viewer.page.locator("#recent-games")).to_be_hidden()
    drops = [f"{piece}@{file}{rank}" for piece, file in zip("KQRRBBNN", "abcdefgh", strict=True) for rank in "18"]
    async with maker.follow(game) as white, guest.follow(game) as black:
        await play((white, black), drops)
        name = viewer.page.locator("#tv .tv-name a").first
        await expect(name).to_have_text("Tvblack")
        await expect(name).to_have_attribute("href", "/@/Tvblack")
        await black.send({"t": "resign", "id": 99})
        await white.until("over")
    await viewer.page.reload()
    tile = viewer.page.locator("#recent .tv-game")
    await expect(tile.locator(".tv-result")).to_have_text("Finished: 1-0")
    await expect(viewer.page.locator("#watch-empty")).to_be_visible()
    await tile.locator("piece").first.click(force=True)
    await expect(viewer.page.locator("#board cg-board")).to_be_visible()


async def test_each_variant_has_a_picture_and_says_how_many_games_are_in_play(off_screen, seat):
    maker, guest, viewer = await off_screen(), await off_screen(), await seat()
    async with AsyncExitStack() as tables:
        for variant, moves in (("crazyhouse", ["e2e4", "e7e5"]), ("grand", ["e3e5", "e8e6"])):
            game = await maker.challenge(variant=variant)
            await guest.join(game)
            await play([await tables.enter_async_context(one.follow(game)) for one in (maker, guest)], moves)
        await viewer.page.goto(f"{viewer.site}/watch")
        shelf = viewer.page.locator(".watch-shelf")
        for variant, said in (("", "2 games"), ("/grand", "1 game"), ("/crazyhouse", "1 game"), ("/chess", "")):
            place = shelf.locator(f"a[href='/watch{variant}']")
            await expect(place.locator("small")).to_have_text(said)
            if variant:
                assert "url(" in await place.locator(".kind").evaluate("it => getComputedStyle(it).backgroundImage")


async def test_whoever_deleted_their_account_is_called_so_in_the_language_of_the_page(off_screen, seat):
    maker, guest, viewer = await off_screen(), await off_screen(), await seat(locale="es-ES")
    game = await maker.challenge(variant="chess")
    await register(guest, "Ben")
    await guest.join(game)
    async with maker.follow(game) as white, guest.follow(game) as black:
        await play((white, black), ["g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5", "f1c4", "f8c5"])
        await play((white, black), ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "d2d3", "d7d6"], first=8)
        await white.send({"t": "resign", "id": 99})
        await white.until("over")
    async with guest.http.post("/account/delete", data={"password": PASSWORD}) as answer:
        assert answer.status == 200
    await viewer.page.goto(f"{viewer.site}/watch")
    await expect(viewer.page.locator("#recent .tv-game")).to_contain_text(load_words()["es"].person(DELETED_NAME))
    await expect(viewer.page.locator("#recent .tv-game")).not_to_contain_text(DELETED_NAME)


async def test_the_chat_beside_tv_is_that_of_the_game_shown_and_goes_along(off_screen, seat):
    people, viewer, other = [await off_screen() for _ in range(4)], await seat(), await seat()
    lines, page = viewer.page.locator("#chat-lines li"), viewer.page
    async with AsyncExitStack() as tables:

        async def table(maker, guest):
            game = await maker.challenge(variant="crazyhouse", chess960=False)
            await guest.join(game)
            sides = [await tables.enter_async_context(one.follow(game)) for one in (maker, guest)]
            await play(sides, ["e2e4", "e7e5"])
            return game["id"], sides

        first, sides = await table(*people[:2])
        await page.goto(f"{viewer.site}/watch/crazyhouse")
        await expect(page.locator("#tv > .tv-game")).to_have_count(1)
        await expect(page.locator("#chat-text")).to_be_hidden()
        await page.click("#tv-chat summary")
        await expect(page.locator("#chat-text")).to_be_visible()
        # Whoever has no name yet gets one with the first words.
        await page.fill("#chat-text", "what a start")
        await page.press("#chat-text", "Enter")
        await expect(lines).to_have_count(1)
        await expect(lines.locator("span")).to_have_text("what a start")
        # Those at the board of the game read and write the same chat; its players do not.
        await other.page.goto(f"{viewer.site}/{first}")
        await other.page.click("#tab-chat")
        await expect(other.page.locator("#chat-lines")).to_contain_text("what a start")
        await expect(page.locator("#chat-title")).to_have_text("Spectators' chat · 2 watching")
        await other.page.fill("#chat-text", "indeed")
        await other.page.press("#chat-text", "Enter")
        await expect(lines).to_have_count(2)
        assert await audit(page) == []
        # It is open again after a reload, and goes along to the next game.
        await page.reload()
        await expect(lines).to_have_count(2)
        second, _ = await table(*people[2:])
        await expect(page.locator("#wall > .tv-game")).to_have_count(1)
        await viewer.stop_time()
        await sides[0].send({"t": "resign", "id": 9})
        await expect(page.locator("#tv .tv-result")).to_be_visible()
        await expect(lines).to_have_count(2)
        await page.clock.run_for(11_000)
        await expect(page.locator(f"#tv a[href='/{second}']")).to_have_count(1)
        await expect(lines).to_have_count(0)
        await page.fill("#chat-text", "and the next")
        await page.press("#chat-text", "Enter")
        await expect(lines.locator("span")).to_have_text("and the next")


async def test_players_on_tv_are_told_that_the_chat_is_not_for_them_and_are_not_at_the_board(off_screen, seat):
    guest, player = await off_screen(), await seat()
    game = await guest.challenge(variant="crazyhouse", chess960=False)
    await player.page.goto(f"{player.site}/{game['id']}#{game['secret']}")
    await player.page.click("#join-game")
    async with guest.follow(game) as white:
        await expect(player.page.locator("#turn-line")).to_be_visible()
        await white.move(0, "e2e4")
        await player.click("e7", "e5")
        await player.sees("e4", "e5")
        await player.page.goto(f"{player.site}/watch/crazyhouse")
        await expect(player.page.locator("#tv > .tv-game")).to_have_count(1)
        await player.page.click("#tv-chat summary")
        await expect(player.page.locator("#tv-chat-says")).to_contain_text("You play this game.")
        await expect(player.page.locator("#chat-text")).to_be_hidden()


@pytest.mark.parametrize("variant", ["crazyhouse", "acedrex", "shouse"])
async def test_a_game_fills_the_screen_for_a_watcher_until_escape(off_screen, seat, variant):
    maker, guest, viewer = await off_screen(), await off_screen(), await seat(viewport={"width": 1366, "height": 768})
    page = viewer.page
    await viewer.context.add_init_script(COUNT_WAKE_LOCKS)
    # As on an iPhone, where a page gets no more than the window; no window of that size could be tried either.
    await viewer.context.add_init_script("Element.prototype.requestFullscreen = undefined")
    game = await maker.challenge(variant=variant)
    await guest.join(game)
    parts = ("#board", "#clock-top", "#clock-bottom", "#seat-top .seat-name", "#seat-bottom .seat-name")
    async with maker.follow(game), guest.follow(game) as black:
        await page.goto(f"{viewer.site}/{game['id']}")
        await page.click("#more summary")
        await page.click("#full")
        leave = page.get_by_role("button", name="Leave full screen")
        await expect(leave).to_be_focused()
        await expect(page.locator(".site-head")).to_be_hidden()
        assert await page.evaluate("wakeLocks") == 1
        for width, height in ((1366, 768), (1920, 1080), (820, 1180), (740, 360)):
            await page.set_viewport_size({"width": width, "height": height})
            found = [await page.locator(part).bounding_box() for part in parts]
            for part, box in zip(parts, found, strict=True):
                assert box["x"] >= 0, part
                assert box["y"] >= 0, part
                assert box["x"] + box["width"] <= width + 1, (part, width)
                assert box["y"] + box["height"] <= height + 1, (part, width)
            # As large as it can be: by the height, or by what the width leaves.
            assert found[0]["height"] > 0.9 * height or found[0]["width"] > 0.6 * width
        await black.send({"t": "resign", "id": 9})
        await expect(page.locator("#result")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(leave).to_be_hidden()
        await expect(page.locator(".site-head")).to_be_visible()
        assert await page.evaluate("wakeLocks") == 0


async def test_checks_that_were_given_are_counted_beside_each_name(off_screen, seat):
    maker, guest, viewer = await off_screen(), await off_screen(), await seat()
    game = await maker.challenge(variant="3check")
    await guest.join(game)
    await viewer.page.goto(f"{viewer.site}/watch/3check")
    await expect(viewer.page.locator("#watch-empty")).to_be_visible()
    board = viewer.page.locator(f".tv-game:has(a[href='/{game['id']}'])")
    async with maker.follow(game) as white, guest.follow(game) as black:
        await play((white, black), ["e2e4", "d7d6"])
        await expect(board.locator(".of-white .tv-checks b")).to_have_text("○○○")
        await play((white, black), ["f1b5"], first=2)
        await expect(board.locator(".of-white .tv-checks b")).to_have_text("●○○")
        await expect(board.locator(".of-white .tv-checks")).to_contain_text("White has given 1 of 3 checks.")
        await expect(board.locator(".of-black .tv-checks b")).to_have_text("○○○")
