"""Gives an account an address at which its owner is told of everything."""

from tests.support.mail.mail_server import link_in
from tests.support.web.accounts import PASSWORD, go, register

WISHES = dict.fromkeys(("turns", "results", "challenges"), "on")


async def told_by_mail(person, post_office, name, address):
    """Registers this person, with a confirmed address at which they want to be told of everything."""
    before = len(post_office.mails)
    assert await register(person, name) == "/account"
    await go(person, "/account/mail", address=address, password=PASSWORD, **WISHES)
    mails = await post_office.delivered(before + 1)
    path, token = link_in(mails[-1], "/mail/confirm").split("#")
    assert (await go(person, path, token=token))[0] == 200
