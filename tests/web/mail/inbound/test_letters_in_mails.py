"""Letters of the play-by-mail servers in mails, for whom has chosen them at an address; and for nobody else."""

from tests.support.mail.handing_over import reply
from tests.support.mail.mail_server import text_of
from tests.support.mail.told import told_by_mail
from tests.support.web.accounts import go

DAYS = {"kind": "correspondence", "days": 3}
NOTE = "Letters in this email: C = archbishop, M = chancellor."


async def test_the_board_the_moves_and_the_replies_have_the_letters_that_were_chosen(anna, ben, post_office, port):
    for person, name in ((anna, "Anna"), (ben, "Ben")):
        await told_by_mail(person, post_office, name, f"{name.lower()}@example.org")
    often = dict.fromkeys(("turns", "results", "challenges"), "at_once")
    await go(anna, "/account/mail/wishes", address="anna@example.org", letters="pbmserv", **often)
    async with anna.http.get(f"{anna.site}/account") as page:
        assert 'value="pbmserv" checked' in await page.text()
    game = await anna.challenge(variant="grand", color="white", clock=DAYS, to="Ben")
    asked = text_of(await post_office.mail_to("ben@example.org", 0))
    assert "Letters in this email: A = archbishop, C = chancellor." in asked
    assert "Rules of Grand Chess: http" in asked
    assert (await ben.post(f"/api/games/{game['id']}/join"))["color"] == "black"
    turn = await post_office.mail_to("anna@example.org", 0)
    assert NOTE in text_of(turn)
    assert "|*K*|*M*|*C*|" in text_of(turn)
    assert (await reply(port, turn, "Mg4\nif h7 then Ch4")).startswith("250")
    answer = text_of(await post_office.mail_to("anna@example.org", 1))
    assert "You have played Mg4." in answer
    assert "if h7 then Ch4" in answer
    assert "Rules of Grand Chess: http" in answer
    told = await post_office.mail_to("ben@example.org", 1)
    assert "Anna has played 1. Cg4." in text_of(told)
    assert "|*A*|*C*|*K*|" in text_of(told)
    assert (await reply(port, told, "h7")).startswith("250")
    record = await ben.get(f"/api/games/{game['id']}")
    assert [move["san"] for move in record["moves"]] == ["Cg4", "h7", "Ah4"]
    async with anna.http.get(f"{anna.site}/{game['id']}.txt") as page:
        assert "Letters in this email" not in await page.text(), "only mails have them"
