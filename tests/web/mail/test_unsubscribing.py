"""How people end mail about their games: by one click of their mail program (RFC 8058)."""

import re

from server.mail.wishes import KINDS
from tests.support.mail.games_of_days import game_of, play_alone
from tests.support.mail.told import BOX
from tests.support.web.accounts import PASSWORD, go, page_of


async def chosen(person):
    """How often this person is told of each kind at their only address, as their page says."""
    own = (await page_of(person)).split('action="/account/mail"')[0]
    return re.findall(r'value="(\w+)" selected', own)


async def test_a_mail_program_ends_it_by_one_post_without_signing_in_or_an_origin(
    member, ben, visitor, post_office, server, at_rest
):
    game = await game_of(ben, member)
    await play_alone(ben, game, "e2e4", 0)
    (mail,) = await post_office.delivered(1)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].strip("<>")
    path = link[link.index("/mail/") :]
    program = await visitor()
    del program.http.headers["Origin"]
    async with program.http.get(path) as answer:
        assert answer.status == 200
    assert await chosen(member) == ["at_once"] * len(KINDS)
    async with program.http.post(path, data={"List-Unsubscribe": "One-Click"}) as answer:
        assert answer.status == 200
    assert await chosen(member) == ["never"] * len(KINDS)
    await play_alone(member, game, "e7e5", 1)
    await play_alone(ben, game, "d2d4", 2)
    assert (await at_rest(), len(post_office.mails)) == (0, 1)


async def test_it_needs_the_token_and_the_words_of_the_rfc(member, visitor):
    program = await visitor()
    del program.http.headers["Origin"]
    assert (await go(program, "/mail/unsubscribe/made.up", **{"List-Unsubscribe": "One-Click"}))[0] == 410
    assert (await go(program, "/mail/unsubscribe/made.up", anything="else"))[0] == 400


async def test_nothing_else_can_be_posted_without_an_origin(member):
    del member.http.headers["Origin"]
    for path in ("account/mail", "account/mail/wishes", "account/mail/remove", "mail/confirm", "mail/password"):
        assert (await go(member, f"/{path}", address=BOX, token="x", new=PASSWORD))[0] == 403
