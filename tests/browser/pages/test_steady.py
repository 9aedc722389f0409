"""Nothing on a page with a board moves while the page loads, however late its scripts come, or when news comes."""

import asyncio

import pytest
from playwright.async_api import expect

from tests.support.browser.layout_shifts import SCREENS, SETTLED, WATCH, late_scripts, shifts
from tests.support.browser.phone import Phone
from tests.support.web.people import play

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PAGES = {
    "/": "cg-board",
    "/watch": "#watch-empty:not([hidden])",
    "/analysis/grandhouse": "cg-board",
    "/analysis/acedrex": "cg-board",
    "/rules/seirawan": "#try-board cg-board",
}
"""Each page, and what is there when it is complete."""

GAME = {"color": "white", "clock": {"kind": "realtime", "initial": 300, "increment": 3}}


HALF_A_PART = """whole => {
    const parts = [...document.querySelectorAll(`${whole} > *`)];
    const shown = part => part.checkVisibility({ visibilityProperty: true }) && part.getBoundingClientRect().width > 0;
    const place = part => [part.getBoundingClientRect().x, part.getBoundingClientRect().y].join();
    const parents = new Map(parts.map(part => [part, part.parentElement]));
    const places = new Map(parts.map(part => [part, place(part)])), moved = [];
    for (let left = parts.length - 1; left > 0; left--) {
        parts[left].remove();
        for (const part of parts.slice(0, left))
            if (shown(part) && place(part) !== places.get(part)) moved.push(`${part.id || part.className} ${left}`);
    }
    for (const part of parts.slice(1)) parents.get(part).append(part);
    return moved;
}"""
"""Takes its children away, the last first, as if they had not come: which of the rest move, and how many are left.
Gives them back in the end, as the page's scripts look for them later."""


async def test_the_head_of_a_page_stands_still_while_the_rest_of_it_arrives(seat):
    page = (person := await seat()).page
    for width, height in SCREENS[1:]:
        await page.set_viewport_size({"width": width, "height": height})
        for path in ("/", "/analysis/chess"):
            await page.goto(f"{person.site}{path}")
            assert await page.evaluate(HALF_A_PART, ".site-head") == [], (path, width)


async def test_the_parts_of_a_page_have_their_places_before_the_next_have_come(seat):
    page = (person := await seat()).page
    for width, height in SCREENS:
        await page.set_viewport_size({"width": width, "height": height})
        for path, whole in (("/", ".home-parts"), ("/", "#new-game"), ("/rules/seirawan", ".opening")):
            await page.goto(f"{person.site}{path}")
            assert await page.evaluate(HALF_A_PART, whole) == [], (path, whole, width)


async def test_a_head_without_scripts_has_room_for_nothing_that_needs_them(seat):
    page = (reader := await seat(java_script_enabled=False)).page
    await page.goto(f"{reader.site}/analysis/chess")
    head = page.locator(".site-head")
    for width, height in SCREENS[1:]:
        await page.set_viewport_size({"width": width, "height": height})
        parts = (".site-title", "#settings-link", ".menu-button")
        title, settings, menu = [await head.locator(part).bounding_box() for part in parts]
        assert 0 <= settings["x"] - (title["x"] + title["width"]) < menu["width"], width
        assert 0 <= menu["x"] - (settings["x"] + settings["width"]) < menu["width"], width
        assert menu["x"] + menu["width"] > width - menu["width"], width


async def test_nothing_moves_while_a_page_with_a_board_loads(seat):
    person = await seat()
    games = {}
    for variant in ("seirawan", "grandhouse"):
        await person.challenge(variant)
        games["/" + person.page.url.rsplit("/", 1)[1]] = "#invite"
    await late_scripts(person.page)
    moved = {}
    for width, height in SCREENS:
        await person.page.set_viewport_size({"width": width, "height": height})
        for page in (PAGES | games).items():
            if found := await shifts(person, *page):
                moved[page[0], width] = found
    assert moved == {}


async def test_a_stranger_reads_how_a_game_is_played_before_its_script_has_come_and_nothing_moves_then(seat):
    maker, stranger = await seat(), await seat(viewport={"width": 360, "height": 740})
    page, come = stranger.page, asyncio.Event()

    async def once_told(route):
        await come.wait()
        await route.continue_()

    await page.add_init_script(f"({WATCH})()")
    await page.route("**/round-*.js", once_told)
    for variant in ("seirawan", "grandhouse"):
        come.clear()
        link = await maker.challenge(variant)
        await page.goto(link.partition("#")[0], wait_until="commit")
        await expect(page.locator("#rules .differences")).to_be_visible()
        await expect(page.locator("cg-board")).to_have_count(0)
        come.set()
        await expect(page.locator("cg-board")).to_be_visible()
        await page.evaluate(SETTLED)
        assert await page.evaluate("shifts") == [], variant
    # Above it comes what a link offers.
    come.clear()
    await page.goto(await maker.challenge("chess"), wait_until="commit")
    await expect(page.locator("#rules .differences")).to_be_attached()
    await expect(page.locator("#rules .differences")).to_be_hidden()
    come.set()
    await expect(page.locator("#join")).to_be_visible()


async def test_nothing_moves_on_the_front_page_when_somebody_comes_to_wait_or_to_play(seat, off_screen):
    reader = await seat()
    page = reader.page
    await page.add_init_script(f"({WATCH})()")
    for waiting, ((width, height), variant) in enumerate(zip(SCREENS, ("chess", "grand", "shogun"), strict=True), 1):
        await page.set_viewport_size({"width": width, "height": height})
        await page.goto(reader.site)
        await expect(page.locator("cg-board").first).to_be_visible()
        maker, friend = await off_screen(), await off_screen()
        await maker.post("/api/seeks", 201, variants=[variant], clock={"kind": "correspondence", "days": 3})
        await expect(page.locator("#seeks .seek")).to_have_count(waiting)
        await page.evaluate(SETTLED)
        assert await page.evaluate("shifts") == [], width
        game = await maker.challenge(variant="chess")
        await friend.join(game)
        async with maker.follow(game) as white, friend.follow(game) as black:
            await play((white, black), ["e2e4", "e7e5"])
            await page.reload()
            await expect(page.locator("#live-game .tv-game")).to_be_visible()
            await page.evaluate(SETTLED)
            await white.command(t="resign")
        assert await page.evaluate("shifts") == [], width


class Reader:
    """White at a game, who presses nothing while the others act: what moves on their page meanwhile."""

    def __init__(self, player):
        self.player = player
        self.page = player.page
        self.line = Phone(player)
        self.line.has_black = False
        self.moved = {}

    async def sits_at(self, game, tab):
        await self.page.add_init_script(f"({WATCH})()")
        await self.line.listen()
        await self.page.goto(f"{self.player.site}/{game['id']}")
        await expect(self.page.locator("#invite")).to_be_attached()
        await self.looks_at(tab)

    async def looks_at(self, tab):
        """By a press, which may move what it likes."""
        await self.player.look_at(tab)
        await self.page.evaluate(SETTLED)
        await self.page.evaluate("shifts.splice(0)")

    async def sees(self, news, count, selector):
        await expect(self.page.locator(f"{selector}:visible")).to_have_count(count)
        await self.page.evaluate(SETTLED)
        if found := await self.page.evaluate("shifts.splice(0)"):
            self.moved[news] = found


SITTINGS = [
    *((1440, 900, "chess", "moves"), (1440, 900, "chess", "chat"), (820, 1180, "chess", "moves")),
    *((360, 740, "grandhouse", "moves"), (360, 740, "chess", "chat"), (1000, 560, "seirawan", "moves")),
    *((740, 360, "grandhouse", "moves"), (740, 360, "chess", "chat")),
]
"""Each screen where pockets leave the least room, and beside the chat where it is laid out otherwise."""


@pytest.mark.parametrize(("width", "height", "variant", "tab"), SITTINGS)
async def test_nothing_moves_when_news_comes_by_itself(seat, off_screen, width, height, variant, tab):
    black, white = await off_screen(), await seat(viewport={"width": width, "height": height})
    game, reader = await white.post("/api/games", {**GAME, "variant": variant}), Reader(white)
    first, second = ("e3e4", "e8e7") if variant == "grandhouse" else ("e2e4", "e7e5")
    await reader.sits_at(game, tab)
    await black.join(game)
    await reader.sees("the friend has come", 0, "#invite")
    async with black.follow(game) as there:
        await white.write(first)
        await white.has(1)
        await reader.looks_at(tab)
        await there.move(1, second)
        await reader.sees("a move", 1, "#seat-bottom.turn")
        for number, kind in enumerate(("draw", "takeback", "adjourn"), 1):
            await there.command(t="offer", kind=kind)
            await reader.sees(f"an offer: {kind}", 1, ".offer")
            await there.command(t="decline", offer=number)
            await reader.sees(f"no offer: {kind}", 0, ".offer")
        await there.command(t="chat", text="A good game to you, and may the better one of us win it all")
        await reader.sees("chat", 1, ".chat-lines li" if tab == "chat" else "#chat-unread")
        for here, claim in (("lost", 20_000), ("left", 0)):
            reader.line.opponent(here, claim_in=claim, since=1000)
            await reader.sees(f"the opponent: {here}", 1, f"#seat-top[data-here='{here}']")
            await reader.sees(f"what can be claimed: {here}", 1, ".offer")
        reader.line.opponent("here")
        await reader.sees("the opponent is back", 0, ".offer")
        await there.command(t="resign")
        await reader.sees("the end", 1, "#ending")
        await there.command(t="offer", kind="rematch")
        await reader.sees("a rematch", 1, ".offer")
    assert reader.moved == {}


async def test_a_watcher_sees_every_control_whole_and_nothing_moves_at_the_end(seat, off_screen):
    white, black, watcher = await off_screen(), await off_screen(), await seat()
    page = watcher.page
    await page.add_init_script(f"({WATCH})()")
    for width, height in SCREENS:
        await page.set_viewport_size({"width": width, "height": height})
        game = await white.challenge(variant="chess")
        await black.join(game)
        await watcher.open(f"{watcher.site}/{game['id']}")
        async with white.follow(game) as one, black.follow(game) as other:
            await play((one, other), ["e2e4", "e7e5"])
            await watcher.has(2)
            for part in ("#tabs", "#replay", "#controls"):
                await expect(page.locator(part)).to_be_in_viewport(ratio=1)
            panel = await page.locator(".game-panel").bounding_box()
            controls = await page.locator("#controls").bounding_box()
            assert controls["y"] + controls["height"] <= panel["y"] + panel["height"], width
            await page.evaluate("shifts.splice(0)")
            await one.command(t="resign")
            await expect(page.locator("#ending")).to_be_visible()
        await page.evaluate(SETTLED)
        assert await page.evaluate("shifts") == [], width
