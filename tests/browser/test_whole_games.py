"""Two real browsers play recorded games from the first move to the last by clicks, and a third one watches."""

import asyncio

import pytest
from playwright.async_api import expect

from server.rules.catalogue import load_catalogue
from tests.browser.player import all_see
from tests.rules.records import records

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

WORDS = {
    ("checkmate", "1-0"): "1-0. Checkmate. White wins.",
    ("bare-king", "1-0"): "1-0. Black has only the king left. White wins.",
    ("repetition", "1/2-1/2"): "½-½. The same position came for the third time.",
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
    start = load_catalogue()[game["variant"]].start_fen
    shuffled = game.get("chess960", False)
    return {"chess960": shuffled} | ({"fen": game["start_fen"]} if game["start_fen"] != start else {})


@pytest.mark.parametrize(("name", "number", "occurs"), GAMES, ids=[f"{name}-{number}" for name, number, _ in GAMES])
async def test_a_recorded_game_from_first_move_to_result(pair, seat, name, number, occurs):
    game = records(name)[number]
    assert {*occurs} <= {*game.get("sans", game["moves"])}
    movers = white, black = await pair(game["variant"], **terms_of(game))
    watcher = await seat()
    await watcher.open(white.page.url)
    everybody = (white, black, watcher)
    first = 0 if game["start_fen"].split()[1] == "w" else 1
    for ply, (uci, fen) in enumerate(zip(game["moves"], game["fens"], strict=True)):
        mover, other = movers[(first + ply) % 2], movers[(first + ply + 1) % 2]
        await mover.make(uci, ply)
        await expect(other.page.locator(".ply")).to_have_count(ply + 1)
        if fen:
            await asyncio.gather(*(person.shows(fen) for person in everybody))
    if "sans" in game:
        await all_see(everybody, *game["sans"])
    for person in everybody:
        await expect(person.page.locator("#result")).to_have_text(WORDS[game["end"], game["result"]])
