"""The first half-moves of a game as PGN, as the replay shares them."""

import pytest

from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import read_pgn

MOVES = ("f2f3", "e7e5", "g2g4", "d8h4")


@pytest.fixture
async def over(anna, ben):
    """The address of a game that ended in mate."""
    game = await anna.challenge()
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        for ply, uci in enumerate(MOVES):
            assert (await (black if ply % 2 else white).move(ply, uci))["t"] == "ok"
    return f"/api/games/{game['id']}.pgn"


async def text(person, path, status=200):
    async with person.http.get(path) as answer:
        assert answer.status == status
        return await answer.text()


@pytest.mark.parametrize("ply", [0, 1, 3])
async def test_a_part_of_a_game_has_no_result(anna, over, ply):
    part = await text(anna, f"{over}?ply={ply}")
    game = read_pgn(part, VARIANTS)
    assert ([move.uci for move in game.moves], game.result) == (list(MOVES[:ply]), "*")
    assert "Termination" not in part


@pytest.mark.parametrize("ply", [4, 9999])
async def test_all_of_it_is_the_game_itself(anna, over, ply):
    assert await text(anna, f"{over}?ply={ply}") == await text(anna, over)


@pytest.mark.parametrize("ply", ["", "-1", "x", "12345", "1.5", "١"])
async def test_an_invalid_half_move_number_is_refused(anna, over, ply):
    assert "half-moves" in await text(anna, f"{over}?ply={ply}", 400)
