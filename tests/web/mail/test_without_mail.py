"""A site whose host has set no mail server does not speak of mail, and has none of its pages."""

import pytest

from tests.support.web.accounts import page_of, register
from tests.support.web.in_process import default_settings


@pytest.fixture
def settings(tmp_path, monkeypatch):
    return default_settings(tmp_path, monkeypatch)


async def test_nothing_of_mail_is_shown(anna):
    await register(anna, "Anna")
    for path in ("/account", "/register", "/sign-in"):
        page = await page_of(anna, path)
        assert "/account/mail" not in page
        assert "/forgotten" not in page


@pytest.mark.parametrize(
    "path", ["/account/mail", "/mail/confirm", "/mail/password", "/forgotten", "/mail/unsubscribe/token"]
)
async def test_its_pages_are_not_there(anna, path):
    async with anna.http.get(path) as answer:
        assert answer.status == 404
    async with anna.http.post(path, data={"List-Unsubscribe": "One-Click"}) as answer:
        assert answer.status in (404, 405)
