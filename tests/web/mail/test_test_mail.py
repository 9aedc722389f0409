"""A host has an email sent to themselves, to see whether mail goes out."""

from dataclasses import replace
from functools import partial

import pytest

from server.realtime.services.site_settings import change_house
from server.web.desk import TWICE_MS
from server.web.site import SITE
from tests.support.mail.mail_server import text_of
from tests.support.mail.told import told_by_mail
from tests.support.web.accounts import go
from tests.support.web.desk import appoint, open_desk, seat_at_desk


@pytest.mark.usefixtures("unlimited")
async def test_it_goes_to_the_hosts_own_confirmed_address_once(server, anna, ben, post_office, clock):
    site = server.app[SITE]
    await told_by_mail(anna, post_office, "Anna", "anna@example.org")
    await appoint(site, "Anna")
    await open_desk(anna)
    await seat_at_desk(site, ben, "Ben")
    status, page = await go(ben, "/host/site/mail", id="mail1")
    assert (status, "First confirm an email address" in page) == (409, True)
    seen = len(post_office.mails)
    for _ in range(2):
        assert await go(anna, "/host/site/mail", id="mail1") == "/host/site?sent#mail-title"
    await post_office.until(lambda: len(post_office.mails) > seen)
    mails = [mail for mail in post_office.mails[seen:] if "test email" in mail["Subject"]]
    assert [mail["To"] for mail in mails] == ["anna@example.org"]
    assert "goes out" in text_of(mails[0])
    clock.turn(TWICE_MS)
    seen = len(post_office.mails)
    assert await go(anna, "/host/site/mail", id="mail1") == "/host/site?sent#mail-title"
    await post_office.until(lambda: len(post_office.mails) > seen)
    lines = [one.detail for one in await site.store.desk.log(site.now(), 99) if one.deed == "site"]
    assert lines == ["mail", "mail"], "none goes out that is not in the log"


@pytest.mark.usefixtures("unlimited")
async def test_mails_come_from_the_name_that_the_site_has_now(server, anna, post_office):
    site = server.app[SITE]
    await told_by_mail(anna, post_office, "Anna", "anna@example.org")
    host = await appoint(site, "Anna")
    await open_desk(anna)
    for name, shown in (("Club Ñandú", "Club Ñandú"), ("", "Fairyhouse")):
        await change_house(site.store.site_settings, partial(replace, name=name), host, site.now())
        await site.live.settings.refresh()
        seen = len(post_office.mails)
        assert (await go(anna, "/host/site/mail", id=f"mail{len(name)}")).startswith("/host/site?sent")
        await post_office.until(lambda seen=seen: len(post_office.mails) > seen)
        mail = post_office.mails[-1]
        assert mail["From"].addresses[0].display_name == shown
        assert mail.get_body(("plain",)).get_content().startswith(f"{shown} · ")
