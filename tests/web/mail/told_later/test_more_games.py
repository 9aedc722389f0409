"""A mail about many games tells of the most urgent, and says so: no number in it is less than what waits."""

import pytest

from server.web.notifications.game_news import remaining_news
from tests.support.mail.games_of_days import DAYS, game_of, play_alone
from tests.support.mail.mail_server import text_of


@pytest.fixture
def waiting(wishing, ben, monkeypatch):
    """Three games that wait for Anna, of which a mail tells two; the last has most time."""
    monkeypatch.setattr("server.web.notifications.digests.SHOWN", 2)

    async def begin():
        anna = await wishing(turns="hourly")
        games = [await game_of(ben, anna, {**DAYS, "days": days}) for days in (1, 3, 7)]
        for game in games:
            await play_alone(ben, game, "e2e4", 0)
        return games

    return begin


async def test_more_games_wait_than_are_told(waiting, due):
    await waiting()
    (mail,) = await due()
    assert mail["Subject"] == "At least 2 games wait for you"
    assert "There is news of more games." in text_of(mail)


async def test_a_game_that_waits_no_longer_is_not_one_of_more(waiting, due, monkeypatch):
    games = await waiting()

    async def of_the_others(store, at_board, owner, game, kinds):
        return None if game == games[-1]["id"] else await remaining_news(store, at_board, owner, game, kinds)

    monkeypatch.setattr("server.web.notifications.digests.remaining_news", of_the_others)
    (mail,) = await due()
    assert mail["Subject"] == "2 games wait for you"
    assert "There is news of more games." not in text_of(mail)
