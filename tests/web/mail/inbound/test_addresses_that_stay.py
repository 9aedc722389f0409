"""The account page says that the address at which somebody writes to the site outlives a session and a password."""

from tests.support.mail.told import BOX, told_by_mail
from tests.support.web.accounts import page_of, register

STAYS = "keeps working until you remove your own"


async def test_it_is_said_where_a_password_is_changed_and_where_sessions_end(anna, ben, post_office):
    await told_by_mail(anna, post_office, "Anna", BOX)
    assert await register(ben, "Ben") == "/?registered"
    assert (await page_of(anna)).count(STAYS) == 2
    assert STAYS not in await page_of(ben)
