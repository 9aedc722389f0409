"""TV says which of the two is a bot."""

from server.realtime.tv import board_of
from tests.support.games import START, running_game


def test_the_board_names_the_side_of_a_bot():
    game = running_game()
    assert board_of(game, 0, START).bots is None
    assert board_of(game, 0, START, bots={game.black.id}).bots == ["black"]
