"""The board in mails, drawn as on the site, for programs that show pictures."""

from io import BytesIO

import pytest
from PIL import Image

from server.web import mailing
from server.web.pictures.handlers import MAILED_PX
from server.web.pictures.image_cache import IMAGES
from server.web.rendering.problems import Problem
from tests.support.mail.games_of_days import game_of, play_alone
from tests.support.mail.mail_server import text_of
from tests.support.mail.told import told_by_mail
from tests.support.web.accounts import register


@pytest.fixture
def pictures():
    """Mails have them."""


async def told_of_a_move(anna, ben, post_office):
    await told_by_mail(anna, post_office, "Anna", "anna@example.org")
    await register(ben, "Ben")
    await play_alone(ben, await game_of(ben, anna), "e2e4", 0)
    return (await post_office.delivered(1))[0]


async def test_a_mail_shows_the_board_from_its_readers_side(server, anna, ben, post_office, monkeypatch):
    sides, draw = [], mailing.board_png
    monkeypatch.setattr(
        mailing, "board_png", lambda *what, flipped: sides.append(flipped) or draw(*what, flipped=flipped)
    )
    mail = await told_of_a_move(anna, ben, post_office)
    (picture,) = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    assert Image.open(BytesIO(picture.get_content())).size == (MAILED_PX, MAILED_PX)
    assert picture["Content-ID"].strip("<>") in mail.get_body(("html",)).get_content()
    assert sides == [True]


async def test_a_mail_does_not_wait_for_a_picture_that_cannot_be_drawn(server, anna, ben, post_office, monkeypatch):
    async def busy(*_):
        raise Problem(503, "busy_drawing", retry_after=5)

    monkeypatch.setattr(server.app[IMAGES], "picture", busy)
    mail = await told_of_a_move(anna, ben, post_office)
    assert "e4" in text_of(mail)
    assert not [part for part in mail.walk() if part.get_content_type() == "image/png"]
