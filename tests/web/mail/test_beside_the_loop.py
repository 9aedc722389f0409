"""Mails are written beside the event loop, where no move waits for them: those about a game, and those of the site."""

import threading

import pytest

from server.mail.mailer import Mailer
from tests.support.mail.games_of_days import game_of, play_alone
from tests.support.mail.told import WISHES, told_at
from tests.support.web.accounts import register


@pytest.fixture
def writers(monkeypatch):
    """The threads that have written a mail down."""
    whole, threads = Mailer.compose_mail, []

    def noted(*args, **more):
        threads.append(threading.current_thread())
        return whole(*args, **more)

    monkeypatch.setattr(Mailer, "compose_mail", noted)
    return threads


async def test_moves_do_not_wait_while_a_mail_is_written(anna, ben, post_office, writers):
    await register(anna, "Anna")
    await told_at(anna, post_office, "anna@example.org", **WISHES)
    confirming = len(writers)
    await play_alone(ben, await game_of(ben, anna), "e2e4", 0)
    await post_office.delivered(1)
    assert 0 < confirming < len(writers)
    assert threading.current_thread() not in writers
