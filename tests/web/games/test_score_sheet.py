"""The head of a printed game: when it was played and how fast, in the words of the reader."""

from dataclasses import replace

import pytest

from server.games.clocks.time_control import TimeControl
from server.language import load_words
from server.web.games.game_page import score_sheet
from tests.support.games import over_game

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
