"""A game as text: the head of a printed one, in the words of the reader, and its beginning as PGN."""

from dataclasses import replace

import pytest

from server.games.clocks.time_control import TimeControl
from server.language import load_words
from server.web.games.game_page import score_sheet
from tests.support.games import over_game
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import read_pgn

CONTROLS = [
    (TimeControl.realtime(300_000, 3000), "5+3", "5+3"),
    (TimeControl.realtime(30_000, 0), "0.5+0", "0.5+0"),
    (TimeControl.correspondence(1), "1 day a move", "1 día por jugada"),
    (TimeControl.bank(10, 1, 30), "10+1 days, up to 30", "10+1 días, hasta 30"),
    (TimeControl.unlimited(), "no clock", "sin reloj"),
]


@pytest.mark.parametrize(("control", "english", "spanish"), CONTROLS)
def test_the_time_control_is_written_as_people_write_it(control, english, spanish):
    for code, words in (("en", english), ("es", spanish)):
        assert dict(score_sheet(over_game(control=control), load_words()[code]).heads)["time"] == words


def test_the_day_is_written_in_words():
    game = replace(over_game(), created=1_582_934_400_000)
    days = [dict(score_sheet(game, language).heads)["date"] for language in load_words().values()]
    assert days == ["29 February 2020", "29 de febrero de 2020"]


# The first half-moves of a game as PGN, as the replay shares them.


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
