"""A link sent by mail to somebody who needs no account, and can end all such mail."""

import re

import pytest

from server.storage.tables.addresses import UNWANTED_MAIL as UNWANTED
from server.web.site import SITE
from tests.support.mail.mail_server import link_in, text_of
from tests.support.mail.told import told_by_mail
from tests.support.web.accounts import PASSWORD, go, register

FRIEND = "friend@elsewhere.example"
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
async def anna(anna, post_office):
    """Has an account with a confirmed address."""
    await told_by_mail(anna, post_office, "Anna", "anna@example.org")
    return anna


async def send(person, game, status=200, address=FRIEND, fragment=None):
    return await person.post(
        f"/api/games/{game['id']}/mail", status, address=address, fragment=fragment or game["secret"]
    )


async def end(person, link, body=ONE_CLICK):
    async with person.http.post(link, data=body) as answer:
        return answer.status, await answer.text()


@pytest.mark.parametrize("terms", [{"variant": "grand"}, {"variant": "chess", "rated": True}])
async def test_the_friend_plays_by_the_link_in_the_mail(anna, ben, post_office, terms):
    game = await anna.challenge(**terms)
    await send(anna, game)
    (mail,) = await post_office.delivered(1)
    assert mail["Subject"].startswith("Anna invites you to a game of ")
    assert ("need no account" in text_of(mail)) != terms.get("rated", False)
    secret = link_in(mail, f"/{game['id']}").partition("#")[2]
    assert secret == game["secret"]
    if terms.get("rated"):
        await register(ben, "Ben")
    assert await ben.join({"id": game["id"], "secret": secret})


async def test_whoever_got_one_ends_all_of_them_by_one_click(server, anna, ben, carla, post_office):
    game = await anna.challenge()
    await send(anna, game)
    (mail,) = await post_office.delivered(1)
    never = re.fullmatch("<https?://[^/]+(/mail/never/.+)>", mail["List-Unsubscribe"])[1]
    async with carla.http.get(never) as page:
        assert "List-Unsubscribe" in await page.text()
    await send(anna, game, address="Other@elsewhere.example")
    assert (await end(carla, never, {"x": "y"}))[0] == 400
    assert (await end(carla, never))[0] == 200
    assert (await end(carla, never))[0] == 200
    assert (await send(anna, game, 403, address=FRIEND.upper()))["refusal"] == "invite_unwanted"
    assert (await end(carla, never[:-3]))[0] == 410
    stored = [one async for some in server.app[SITE].store.records.records(UNWANTED) for one in some]
    assert len(stored) == 1
    assert "friend" not in str(stored), "the address itself is kept nowhere"


@pytest.mark.parametrize("spelt", ["carla@example.org", "Carla+games@Example.org"])
async def test_nobody_who_has_blocked_the_sender_gets_one_and_the_sender_cannot_tell(anna, carla, post_office, spelt):
    await told_by_mail(carla, post_office, "Carla", "carla+chess@example.org")
    game = await anna.challenge()
    await send(anna, game, address=spelt)
    await post_office.delivered(1)
    await go(carla, "/@/Anna/block")
    assert await send(anna, game, address=spelt) == {}
    await send(anna, game)
    _, mail = await post_office.delivered(2)
    assert mail["To"] == FRIEND


async def test_an_address_that_was_not_confirmed_keeps_nobody_from_being_invited(anna, carla, post_office):
    await register(carla, "Carla")
    await go(carla, "/account/mail", address=FRIEND, password=PASSWORD)
    await post_office.delivered(1)
    await go(carla, "/@/Anna/block")
    await send(anna, await anna.challenge())
    _, mail = await post_office.delivered(2)
    assert mail["Subject"].startswith("Anna invites you")


async def test_only_people_with_a_confirmed_address_send_some(anna, ben, post_office):
    game = await anna.challenge()
    assert (await send(ben, game, 403))["refusal"] == "invite_needs_address"
    await ben.challenge()
    assert (await send(ben, game, 403))["code"] == "not_registered"
    await register(ben, "Ben")
    assert (await send(ben, game, 403))["refusal"] == "invite_needs_address"
    assert post_office.mails == []


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"fragment": "x" * 22}, 403),
        ({"fragment": "../../evil"}, 400),
        ({"address": "no address"}, 400),
        ({"address": "a@b.example\r\nBcc: c@d.example"}, 400),
        ({"address": ""}, 400),
    ],
)
async def test_what_is_no_link_or_no_address_is_refused(anna, post_office, changed, status):
    await send(anna, await anna.challenge(), status, **changed)
    assert post_office.mails == []


async def test_a_mailbox_and_an_account_have_limits(anna, post_office):
    game = await anna.challenge()
    for _ in range(2):
        await send(anna, game)
    assert (await send(anna, game, 429))["code"] == "rate"
    for number in range(7):
        await send(anna, game, address=f"{number}@elsewhere.example")
    assert (await send(anna, game, 429, address="another@elsewhere.example"))["code"] == "rate"


async def test_a_mailbox_is_the_same_with_whatever_stands_behind_its_plus(anna, carla, post_office):
    game = await anna.challenge()
    for spelt in ("friend+1@elsewhere.example", "Friend+2@elsewhere.example"):
        await send(anna, game, address=spelt)
    assert (await send(anna, game, 429, address="friend+3@elsewhere.example"))["code"] == "rate"
    mail, _ = await post_office.delivered(2)
    assert (await end(carla, re.fullmatch("<https?://[^/]+(/mail/never/.+)>", mail["List-Unsubscribe"])[1]))[0] == 200
    for spelt in (FRIEND, "friend+4@elsewhere.example"):
        assert (await send(anna, game, 403, address=spelt))["refusal"] == "invite_unwanted"
    await send(anna, game, address="+friend@elsewhere.example")


async def test_whoever_may_send_no_more_uses_up_nobody_elses_mailbox(anna, server, post_office):
    game = await anna.challenge()
    limits = server.app[SITE].limits
    for number in range(limits.invitations.amount):
        await send(anna, game, address=f"{number}@elsewhere.example")
    await send(anna, game, 429)
    assert limits.invitations_of_mailbox.take(FRIEND, server.app[SITE].now(), cost=2) == 0
