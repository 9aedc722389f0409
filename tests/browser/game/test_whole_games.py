"""Two real browsers play recorded games from the first move to the last by clicks, and a third one watches."""

import asyncio
import re
import signal

import pytest
from playwright.async_api import expect

from tests.support.browser.pieces import pieces_of
from tests.support.browser.player import LONGEST_PAUSE_MS, PATIENCE_MS, all_see
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.vectors import records

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

WORDS = {
    ("checkmate", "1-0"): "1-0. Checkmate. {won}.",
    ("bare-king", "1-0"): "1-0. Black has only a king left. {won}.",
    ("repetition", "1/2-1/2"): "½-½. The same position occurred three times.",
}

# file of records, number in it, and what occurs in its moves: a SAN or UCI each, which keeps this list honest
GAMES = [
    ("shogun", 28, ("O-O", "P@h4", "Ng5=G", "Gxh6#")),
    ("chess960", 3, ("O-O", "Nxe7#")),
    ("crazyhouse", 54, ("O-O", "N@b4")),
    ("capablanca", 14, ("O-O", "Nj3")),
    ("gothic", 6, ("Axb7", "Qxf7#")),
    ("grandhouse", 24, ("Q@a6",)),
    ("seirawan", 24, ("Nc3/H", "O-O")),
    ("shouse", 54, ("E@d4", "Kxf7/H", "bxc8=B")),
    ("acedrex", 39, ("g1g2",)),
    ("acedrex", 32, ("d3d9",)),
]


def terms_of(game):
    start = VARIANTS[game["variant"]].start_fen
    shuffled = game.get("chess960", False)
    return {"chess960": shuffled} | ({"fen": game["start_fen"]} if game["start_fen"] != start else {})


async def all_end(everybody, game):
    """White, Black and who watches see all moves, the last position and the result in words."""
    if "sans" in game:
        await all_see(everybody, *game["sans"])
    for person, won in zip(everybody, ("You won", "You lost", "White wins"), strict=False):
        await person.shows(game["fens"][-1])
        await expect(person.page.locator("#result")).to_have_text(WORDS[game["end"], game["result"]].format(won=won))


@pytest.mark.parametrize(("name", "number", "occurs"), GAMES, ids=[f"{name}-{number}" for name, number, _ in GAMES])
async def test_a_recorded_game_from_first_move_to_result(pair, seat, name, number, occurs):
    game = records(name)[number]
    assert {*occurs} <= {*game.get("sans", game["moves"])}
    movers = white, black = await pair(game["variant"], **terms_of(game))
    watcher = await seat()
    await watcher.open(white.page.url)
    everybody = (white, black, watcher)
    for ply, (uci, fen) in enumerate(zip(game["moves"], game["fens"], strict=True)):
        await movers[ply % 2].make(uci, ply)
        await expect(movers[1 - ply % 2].page.locator(".ply")).to_have_count(ply + 1)
        if fen:
            await asyncio.gather(*(person.shows(fen) for person in everybody))
    await all_end(everybody, game)


@pytest.mark.killed
@pytest.mark.parametrize("motion", ["no-preference"])
async def test_a_whole_game_with_premoves_a_cut_line_and_a_killed_server(pair, seat, host):
    game = records("crazyhouse")[54]
    movers = white, black = await pair(game["variant"])
    watcher = await seat()
    await watcher.open(white.page.url)
    everybody = (white, black, watcher)
    drops = [ply for ply, uci in enumerate(game["moves"]) if "@" in uci]
    in_advance = {3, drops[0], drops[-1]}
    cut, killed = 20, 26
    assert max(in_advance) < cut
    for ply, uci in enumerate(game["moves"]):
        mover, other = movers[ply % 2], movers[1 - ply % 2]
        if ply == cut:
            await other.context.set_offline(True)
            await expect(other.page.locator("#status")).to_contain_text("Connection lost", timeout=20_000)
            await mover.make(uci, ply)
            await other.context.set_offline(False)
        elif ply == killed:
            await host.stop(signal.SIGKILL)
            for person in everybody:
                await expect(person.page.locator("#status")).to_contain_text("Connection lost")
            await host.start()
            for person in everybody:
                await person.reconnects()
            assert_unspent(await mover.clocks(), await other.clocks())
            await mover.make(uci, ply)
        elif ply not in in_advance:
            if ply + 1 in in_advance:
                await other.point_out(game["moves"][ply + 1])
                await expect(other.page.locator(".current-premove")).not_to_have_count(0)
            await mover.point_out(uci)
        played = ply + 1 + (ply + 1 in in_advance)
        for person in everybody:
            await expect(person.page.locator(".ply")).to_have_count(played, timeout=LONGEST_PAUSE_MS + PATIENCE_MS)
        if ply in (cut, killed) and game["fens"][ply]:
            await asyncio.gather(*(person.shows(game["fens"][ply]) for person in everybody))
    await all_end(everybody, game)


def assert_unspent(mover, other):
    """Both read the same of the clock that stands, and nobody has paid for the time without a server."""
    assert mover["top"] == other["bottom"]
    for text in (*mover.values(), *other.values()):
        minutes, seconds = re.fullmatch(r"(\d+):(\d\d)", text).groups()
        assert int(minutes) * 60 + int(seconds) >= 300, (mover, other)


async def test_a_whole_game_typed_as_san_by_one_and_as_uci_by_the_other(pair):
    game = records("grandhouse")[24]
    white, black = await pair(game["variant"])
    for person in (white, black):
        await person.page.keyboard.press("m")
    for ply, (uci, san) in enumerate(zip(game["moves"], game["sans"], strict=True)):
        mover, text = (black, uci) if ply % 2 else (white, san)
        await mover.page.keyboard.type(text)
        await mover.page.keyboard.press("Enter")
        for person in (white, black):
            await expect(person.page.locator(".ply")).to_have_count(ply + 1)
    await all_end((white, black), game)


@pytest.mark.parametrize(("name", "number"), [("acedrex", 39), ("crazyhouse", 54), ("seirawan", 24), ("shouse", 54)])
async def test_a_whole_game_by_keys_alone(pair, name, number):
    """Arrows over squares and hands, Enter to pick up and put down, Tab and Enter to choose: no mouse at all."""
    game = records(name)[number]
    players = [KeyPlayer(person, game, side) for person, side in zip(await pair(game["variant"]), "wb", strict=True)]
    for one in players:
        await tab_to_board(one.person.page)
    for ply, uci in enumerate(game["moves"]):
        await players[ply % 2].make(uci, ply)
        for one in players:
            await expect(one.person.page.locator(".ply")).to_have_count(ply + 1)
    await all_end([one.person for one in players], game)


class KeyPlayer:
    """A player with only a keyboard, who knows where their cursor is: on a square, or in their pocket."""

    def __init__(self, person, game, side):
        start = pieces_of(game["start_fen"])
        color = {"w": "white", "b": "black"}[side]
        self.person = person
        self.keys = person.page.keyboard
        self.sign = 1 if side == "w" else -1
        variant = VARIANTS[game["variant"]]
        self.first_rank = 1 if side == "w" else variant.ranks
        self.right_edge = "abcdefghijkl"[variant.files - 1] if side == "w" else "a"
        self.half = variant.ranks // 2
        self.square = next(square for square, kind in start.items() if kind == f"{color} k-piece")

    async def make(self, uci, ply):
        drop, origin, target, suffix = re.fullmatch(r"(?:(\w)@|([a-l]\d+))([a-l]\d+)(\S?)", uci).groups()
        if drop:
            await self.pick(drop.lower())
        else:
            await self.go(origin)
            await self.keys.press("Enter")
        await self.go(target)
        await self.keys.press("Enter")
        page = self.person.page
        await page.wait_for_function(
            "ply => document.getElementById('choice').open || document.querySelectorAll('.ply').length > ply", arg=ply
        )
        if await page.locator("#choice[open]").count():
            await self.choose(f"piece.{suffix}-piece" if suffix else None)

    async def go(self, target):
        for key in arrows(self.square, target, self.sign):
            await self.keys.press(key)
        self.square = target

    async def pick(self, role):
        """Over the right edge into the pocket beside the board, up to the piece, and back onto the board."""
        pieces = self.person.page.locator("#pocket-bottom piece")
        pocket = await pieces.evaluate_all("all => all.map(piece => piece.dataset.role)")
        wanted = pocket.index(f"{role}-piece")
        row = min(wanted, self.half - 1)
        entry = f"{self.right_edge}{self.first_rank + self.sign * row}"
        await self.go(entry)
        await self.keys.press("ArrowRight")
        for _ in range(wanted - row):
            await self.keys.press("ArrowUp")
        await self.keys.press("Enter")
        await self.keys.press("ArrowLeft")
        self.square = entry

    async def choose(self, piece):
        selector = f".choice:has({piece})" if piece else ".choice:not(:has(piece))"
        for _ in range(12):
            if await self.person.page.evaluate("kind => document.activeElement.matches(kind)", selector):
                await self.keys.press("Enter")
                return
            await self.keys.press("Tab")
        raise AssertionError(f"{selector} cannot be reached with the tab key")


async def tab_to_board(page):
    for _ in range(40):
        await page.keyboard.press("Tab")
        if await page.evaluate("document.activeElement.id") == "board":
            return
    raise AssertionError("the board cannot be reached with the tab key")


def arrows(start, end, sign):
    """The keys from square to square; `sign` is -1 for who sees the board from Black's side."""
    right = (ord(end[0]) - ord(start[0])) * sign
    up = (int(end[1:]) - int(start[1:])) * sign
    return ["ArrowRight" if right > 0 else "ArrowLeft"] * abs(right) + ["ArrowUp" if up > 0 else "ArrowDown"] * abs(up)
