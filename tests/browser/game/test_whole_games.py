"""Two real browsers play recorded games from the first move to the last: by mouse, by keys alone, and by typing.

By keys means: arrows over squares, hands and choices, Enter to pick up, to put down and to choose.
"""

import asyncio
import re
import signal
from itertools import product

import pytest
from playwright.async_api import expect

from tests.support.browser.pieces import pieces_of
from tests.support.browser.player import LONGEST_PAUSE_MS, all_see
from tests.support.patience import PATIENCE_MS
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.vectors import records

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

WORDS = {
    ("checkmate", "1-0"): "1-0. Checkmate.",
    ("bare-king", "1-0"): "1-0. Black has only a king left.",
    ("repetition", "1/2-1/2"): "½-½. The same position occurred three times.",
}

MOUSE, KEYS, SAN, UCI = "mouse", "keys", "typed SAN", "typed UCI"
ALONE, WATCHED = False, True

# file of records, number in it, what White and Black move by, whether a third one watches, and what occurs in its
# moves: a SAN or UCI each, which keeps this list honest
GAMES = [
    ("shogun", 28, (MOUSE, KEYS), WATCHED, ("O-O", "P@h4", "Ng5=G", "Gxh6#")),
    ("grandhouse", 24, (SAN, UCI), ALONE, ("Q@a6", "P@g5")),
    ("seirawan", 24, (MOUSE, KEYS), ALONE, ("Nc3/H", "O-O")),
    ("shouse", 54, (KEYS, KEYS), ALONE, ("E@d4", "Kxf7/H", "bxc8=B")),
    ("acedrex", 32, (MOUSE, KEYS), WATCHED, ("d3d9",)),
]


async def test_pieces_are_dropped_gated_and_promoted_by_mouse_and_by_keys():
    """Or what is played below would show less than it says."""
    done = {
        (hand, sign)
        for name, number, hands, _, _ in GAMES
        for ply, san in enumerate(records(name)[number].get("sans", []))
        for sign in "@/="
        if sign in san
        for hand in [hands[ply % 2]]
    }
    assert done >= {*product((MOUSE, KEYS), "@/="), (SAN, "@"), (UCI, "@")}


def terms_of(game):
    start = VARIANTS[game["variant"]].start_fen
    shuffled = game.get("chess960", False)
    return {"chess960": shuffled} | ({"fen": game["start_fen"]} if game["start_fen"] != start else {})


async def all_end(everybody, game):
    """White, Black and who watches see all moves, the last position and the result in words."""
    if "sans" in game:
        await all_see(everybody, *game["sans"])
    titles = ("Draw",) * 3 if game["end"] == "repetition" else ("You won", "You lost", "White won")
    for person, title in zip(everybody, titles, strict=False):
        await person.shows(game["fens"][-1])
        await expect(person.page.locator("#ending-title")).to_have_text(title)
        await expect(person.page.locator("#result")).to_have_text(WORDS[game["end"], game["result"]])


def named(name, number, hands, *_):
    return f"{name}-{number} by {' and '.join(hands)}"


@pytest.mark.parametrize(("name", "number", "hands", "watched", "occurs"), GAMES, ids=[named(*game) for game in GAMES])
async def test_a_recorded_game_from_first_move_to_result(pair, seat, name, number, hands, watched, occurs):
    game = records(name)[number]
    assert {*occurs} <= {*game.get("sans", game["moves"])}
    everybody = [*await pair(game["variant"], **terms_of(game))]
    movers = [await HANDS[hand](person, game, side) for hand, person, side in zip(hands, everybody, "wb", strict=True)]
    if watched:
        everybody.append(await seat())
        await everybody[2].open(everybody[0].page.url)
    for ply, (uci, fen) in enumerate(zip(game["moves"], game["fens"], strict=True)):
        await movers[ply % 2].make(uci, ply)
        await everybody[1 - ply % 2].has(ply + 1)
        if fen:
            await asyncio.gather(*(person.shows(fen) for person in everybody))
    await all_end(everybody, game)


@pytest.mark.killed
@pytest.mark.parametrize("motion", ["no-preference"])
async def test_a_whole_game_with_premoves_a_cut_line_and_a_killed_server(pair, seat, host):
    game = records("crazyhouse")[44]
    # So long an increment that no slow machine spends more than it gains.
    movers = white, black = await pair(game["variant"], clock={"kind": "realtime", "initial": 300, "increment": 30})
    watcher = await seat()
    await watcher.open(white.page.url)
    everybody = (white, black, watcher)
    drops = [ply for ply, uci in enumerate(game["moves"]) if "@" in uci]
    in_advance = {3, drops[0], drops[-1]}
    cut, killed = 20, 24
    assert max(in_advance) < cut
    for ply, uci in enumerate(game["moves"]):
        mover, other = movers[ply % 2], movers[1 - ply % 2]
        if ply == cut:
            await other.context.set_offline(True)
            await expect(other.page.locator("#status")).to_contain_text("Connection lost")
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
            else:
                await mover.make(uci, ply)
        played = ply + 1 + (ply + 1 in in_advance)
        for person in everybody:
            await person.has(played, LONGEST_PAUSE_MS + PATIENCE_MS)
        if played == ply + 1 and game["fens"][ply]:
            await asyncio.gather(*(person.shows(game["fens"][ply]) for person in everybody))
    await all_end(everybody, game)


def assert_unspent(mover, other):
    """Both read the same of the clock that stands, and nobody has paid for the time without a server."""
    assert mover["top"] == other["bottom"]
    for text in (*mover.values(), *other.values()):
        minutes, seconds = re.fullmatch(r"(\d+):(\d\d)", text).groups()
        assert int(minutes) * 60 + int(seconds) >= 300, (mover, other)


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
        if await self.person.is_asked_after(ply):
            await self.choose(suffix)
        await self.person.has(ply + 1)

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

    async def choose(self, suffix):
        selector = f".choice[data-suffix='{suffix}']"
        for key in ("ArrowUp",) * 8 + ("ArrowDown",) * 8:
            if await self.person.page.evaluate("kind => document.activeElement.matches(kind)", selector):
                await self.keys.press("Enter")
                return
            await self.keys.press(key)
        raise AssertionError(f"{selector} cannot be reached with the arrow keys")


class Typist:
    """A player who types each move, as one of its notations."""

    def __init__(self, person, texts):
        self.person, self.texts = person, texts

    async def make(self, uci, ply):
        await self.person.page.keyboard.type(self.texts[ply])
        await self.person.page.keyboard.press("Enter")
        await self.person.has(ply + 1)


async def by_mouse(person, game, side):
    return person


async def by_keys(person, game, side):
    await tab_to_board(person.page)
    return KeyPlayer(person, game, side)


async def typing(person, texts):
    await person.page.keyboard.press("m")
    return Typist(person, texts)


async def as_san(person, game, side):
    return await typing(person, game["sans"])


async def as_uci(person, game, side):
    return await typing(person, game["moves"])


HANDS = {MOUSE: by_mouse, KEYS: by_keys, SAN: as_san, UCI: as_uci}


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
