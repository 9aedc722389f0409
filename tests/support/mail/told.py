"""Gives accounts addresses at which their owners are told of what they choose."""

from tests.support.mail.mail_server import link_in
from tests.support.web.accounts import PASSWORD, go, register

BOX = "anna@example.org"
"""Where Anna is told."""
WISHES = dict.fromkeys(("turns", "results", "challenges"), "on")


async def told_at(person, post_office, address, **wishes):
    """Gives this person a confirmed address, at which they want to be told of `wishes`: fields of the form.

    The post office has forgotten all mails then.
    """
    before = len(post_office.mails)
    await go(person, "/account/mail", address=address, password=PASSWORD, **wishes)
    mails = await post_office.delivered(before + 1)
    path, token = link_in(mails[-1], "/mail/confirm").split("#")
    assert (await go(person, path, token=token))[0] == 200
    post_office.mails.clear()
    post_office.envelopes.clear()


async def told_by_mail(person, post_office, name, address):
    """Registers this person, who wants to be told of everything at that address."""
    assert await register(person, name) == "/?registered"
    await told_at(person, post_office, address, **WISHES)
