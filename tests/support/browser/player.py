"""A person at a real browser: knows squares and buttons as they are seen, and no inner part of the page."""

import asyncio
import contextlib
import re

from playwright.async_api import Error, TimeoutError, expect

from tests.support.browser.pieces import PIECES, SAME_PIECES, pieces_of
from tests.support.patience import PATIENCE_MS

LONGEST_PAUSE_MS = 7_500
"""Between two attempts of a page whose connection is lost (`static/js/net/socket.js`)."""

FIVE_MINUTES = {"kind": "realtime", "initial": 300, "increment": 3}

CREATE = """async terms => {
    const headers = {'Content-Type': 'application/json'};
    const answer = await fetch('/api/games', {method: 'POST', headers, body: JSON.stringify(terms)});
    const game = await answer.json();
    const links = {[game.id]: {link: game.link, links: game.links}};
    localStorage.setItem('invites', JSON.stringify({...JSON.parse(localStorage.getItem('invites')), ...links}));
    return game;
}"""

POINT = """square => {
    const { files, ranks } = document.getElementById('round').dataset;
    const board = document.querySelector('cg-board');
    const black = board.closest('.cg-wrap').classList.contains('orientation-black');
    const [x, y] = [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1];
    const [right, down] = black ? [files - 1 - x, y] : [x, ranks - 1 - y];
    const area = board.getBoundingClientRect();
    return [area.x + (right + 0.5) * area.width / files, area.y + (down + 0.5) * area.height / ranks];
}"""

PRESSED_AGAIN = "button => button.addEventListener('click', () => button.click(), { once: true })"

CHOOSE_TAB = """id => {
    const tab = document.getElementById(id);
    if (!tab || tab.hidden || tab.ariaSelected === 'true') return true;
    tab.click();
    return tab.ariaSelected === 'true';
}"""
"""Whether it is chosen: at once, as a page may choose by itself meanwhile, but not before its script is there."""

# What a page reports when the test itself has cut its line, or when Chromium lost one that it had just made, as it does
# once in some thousand times on a busy machine. The page tries again; whether that works, its test sees.
CUT = (
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_EMPTY_RESPONSE",
    "ERR_INTERNET_DISCONNECTED",
    "ERR_SOCKET_NOT_CONNECTED",
    "closed before receiving a handshake",
)


class Player:
    """One browser context with one page. `problems` holds every error that the page or its policy reported."""

    def __init__(self, context, page, site):
        self.context = context
        self.page = page
        self.site = site
        self.problems = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda message: self._hear(message))
        self.asked_to_stay = 0
        page.on("dialog", self._answer)

    def _hear(self, message):
        if message.type == "error" and not any(words in message.text for words in CUT):
            self.problems.append(f"{message.text} ({message.location['url']})")

    async def _answer(self, dialog):
        """The product opens none but the browser's own question whether to leave: only a text run as a script does."""
        if dialog.type == "beforeunload":
            self.asked_to_stay += 1
            await dialog.accept()
            return
        self.problems.append(f"a dialog came up: {dialog.message}")
        await dialog.dismiss()

    async def challenge(self, variant, **terms):
        """Makes a game, White for oneself, and opens it. Returns the link for the friend."""
        game = await self._create({"variant": variant, "color": "white", **terms})
        await self.page.goto(f"{self.site}/{game['id']}")
        await expect(self.page.locator("#invite")).to_be_visible()  # the page knows whose seat it is
        return f"{self.site}/{game['id']}#{game['secret']}"

    async def set_up_for_others(self, variant):
        """Makes a game between two others, and opens it. Returns their links, by colour."""
        game = await self._create({"variant": variant, "players": "others"})
        await self.page.goto(f"{self.site}/{game['id']}")
        return {side: f"{self.site}/{game['id']}#{link.split('#')[1]}" for side, link in game["links"].items()}

    async def _create(self, terms):
        """As the front page makes a game, from an address of the site where there is no page to draw."""
        await self.page.goto(f"{self.site}/health")
        game = await self.page.evaluate(CREATE, {"clock": FIVE_MINUTES, **terms})
        assert "id" in game, game
        return game

    async def post(self, path, form):
        """What the server answers to a request of this person's browser that no page of it makes."""
        answer = await self.context.request.post(self.site + path, data=form, headers={"Origin": self.site})
        assert answer.ok, await answer.text()
        return await answer.json()

    async def open(self, link):
        await self.page.goto(link)
        await expect(self.page.locator("#board cg-board")).to_be_visible()

    async def offer_draw(self):
        """The first press asks, the second does it."""
        await self._confirm("#draw")

    async def _confirm(self, control):
        """By the mouse, and once more in the same moment, as the button asks for four seconds only."""
        button = self.page.locator(control)
        await button.evaluate(PRESSED_AGAIN)
        await button.click()

    async def join(self):
        await self.page.click("#join-game")
        await expect(self.page.locator("#join")).to_be_hidden()

    async def point(self, square):
        """Where the middle of a square is, in the window, as soon as there is a board."""
        await self.page.wait_for_selector("cg-board", state="attached")
        return await self.page.evaluate(POINT, square)

    async def click(self, *squares):
        for square in squares:
            await self.page.mouse.click(*await self.point(square))

    async def drag(self, origin, target):
        await self._carry(await self.point(origin), await self.point(target))

    async def drop(self, role, target):
        """Drags a piece out of one's own hand."""
        area = await self.page.locator(f"#pocket-bottom piece[data-role='{role}-piece']").bounding_box()
        start = area["x"] + area["width"] / 2, area["y"] + area["height"] / 2
        await self._carry(start, await self.point(target))

    async def _carry(self, start, end):
        mouse = self.page.mouse
        await mouse.move(*start)
        await mouse.down()
        await mouse.move(end[0] - 4, end[1] - 4, steps=4)
        await mouse.move(*end)
        await mouse.up()

    async def pick(self, role):
        """Clicks a piece in one's own hand, as soon as there is one."""
        await self.page.click(f"#pocket-bottom piece[data-role='{role}-piece']:not([data-nb='0'])")

    async def point_out(self, uci):
        """The clicks of one move; returns what is left to choose: '' or the last sign of the UCI move."""
        drop, origin, target, suffix = re.fullmatch(r"(?:(\w)@|([a-l]\d+))([a-l]\d+)(\S?)", uci).groups()
        await (self.pick(drop.lower()) if drop else self.click(origin))
        await self.click(target)
        return suffix

    async def make(self, uci, ply):
        """Plays one move by clicks alone, as the half-move after `ply` others, and waits until it is on the list."""
        suffix = await self.point_out(uci)
        if await self.is_asked_after(ply):
            await self.page.click(f".choice[data-suffix='{suffix}']")
        await self.has(ply + 1)

    async def is_asked_after(self, ply):
        """Whether a move begun after `ply` others leaves something to choose; otherwise it is on the list."""
        answer = await self.page.wait_for_function(
            "ply => document.getElementById('choice') ? 'open' : document.querySelectorAll('.ply').length > ply",
            arg=ply,
        )
        return await answer.json_value() == "open"

    async def has(self, plies, patience_ms=PATIENCE_MS):
        """So many half-moves are, or soon become, the list: noticed at the next picture, where `expect` would sleep."""
        count = "plies => document.querySelectorAll('.ply').length === plies"
        await self.page.wait_for_function(count, arg=plies, timeout=patience_ms)

    async def resign(self):
        """As `offer_draw`."""
        await self._confirm("#resign")

    async def choose(self, words):
        """The tile with that name, of those that have come up at a square."""
        await self.page.get_by_role("menuitem", name=words).click()

    async def look_at(self, tab):
        """Chooses moves, chat or rules in the panel, if they are not in sight."""
        await self.page.wait_for_function(CHOOSE_TAB, arg=f"tab-{tab}")

    async def open_more(self):
        """What is done seldom is folded away behind a button."""
        if not await self.page.locator("#more[open]").count():
            await self.page.click("#more > summary")

    async def write(self, move):
        """Types it and presses Enter, once the page's script is there, which draws the board."""
        await self.page.wait_for_selector("cg-board", state="attached")
        await self.look_at("moves")
        await self.page.fill("#move-text", move)
        await self.page.press("#move-text", "Enter")

    async def sees(self, *sans):
        """The list of moves is, or soon becomes, exactly this."""
        await expect(self.page.locator(".ply button")).to_have_text(list(sans))

    async def shows(self, fen):
        """The pieces on the board are, or soon become, exactly those of the FEN."""
        wanted = pieces_of(fen)
        try:
            await self.page.wait_for_function(f"wanted => {SAME_PIECES}", arg=wanted)
        except TimeoutError:
            pieces = await self.page.evaluate(PIECES)
            assert pieces == wanted, {
                square: (pieces.get(square), wanted.get(square)) for square in pieces.keys() | wanted
            }

    async def confirm(self):
        """Plays the move that waits to be confirmed."""
        await self.page.click("#confirm-play")

    async def reconnects(self):
        """The line that was lost is there again."""
        await expect(self.page.locator("#status")).to_be_empty(timeout=LONGEST_PAUSE_MS + PATIENCE_MS)

    async def stop_time(self):
        """What the page shows for a moment stays there until somebody has looked."""
        await self.page.clock.install()
        with contextlib.suppress(Error):
            await self.page.clock.pause_at(await self.page.evaluate("Date.now() / 1000") + 1)
            return
        # On a slow machine that second was over before the page heard of it; since then its time stands still.
        await self.page.clock.pause_at(await self.page.evaluate("Date.now() / 1000") + 1)

    async def clocks(self):
        return {place: await self.page.locator(f"#clock-{place}").inner_text() for place in ("top", "bottom")}

    async def accept(self):
        await self.page.click("#offers button:has-text('Accept')")

    async def close(self):
        with contextlib.suppress(Exception):
            await self.context.close()


async def meet(white, black, variant, **terms):
    """Both have a seat at a new game. Returns its address; a page is drawn for nobody yet, as by way of a link."""
    game = await white.post("/api/games", {"variant": variant, "color": "white", "clock": FIVE_MINUTES, **terms})
    await black.post(f"/api/games/{game['id']}/join", {"secret": game["secret"]})
    return f"{white.site}/{game['id']}"


async def begin(white, black, variant, **terms):
    """Both sit at a new game, and have opened it."""
    address = await meet(white, black, variant, **terms)
    await asyncio.gather(white.open(address), black.open(address))


async def all_see(players, *sans):
    for player in players:
        await player.sees(*sans)


async def all_make(players, *ucis):
    """The first moves of a game, by clicks alone, White's and Black's in turn: each is seen by all before the next."""
    for ply, uci in enumerate(ucis):
        await players[ply % 2].make(uci, ply)
        await players[1 - ply % 2].has(ply + 1)


async def all_write(players, *moves):
    """As `all_make`, typed: a move is refused on a page that has not yet seen the one before."""
    for ply, move in enumerate(moves):
        await players[ply % 2].write(move)
        for player in players:
            await player.has(ply + 1)


BUSY = """() => {
    const later = window.setTimeout, waiting = [];
    window.setTimeout = (what, ms, ...rest) =>
        ms === 1 ? (waiting.push(() => what(...rest)), 0) : later(what, ms, ...rest);
    window.idle = () => {
        window.setTimeout = later;
        for (const act of waiting) act();
    };
}"""
"""What is to be done in a moment waits until `idle()` is called, as on a page that has much to do."""


PASSWORD = "a good long one"


async def fill_in(player, path, name):
    """Fills in the form at `path` and sends it, by keyboard."""
    await player.page.goto(player.site + path)
    await player.page.fill("#name", name)
    await player.page.fill("#password", PASSWORD)
    await player.page.press("#password", "Enter")
