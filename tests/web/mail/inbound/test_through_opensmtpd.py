"""A game by mail alone through a real opensmtpd, set up as docs/mail.md says."""

import pytest

from tests.support.mail.mail_programs import answer_by_swaks, needs_mail_programs
from tests.support.mail.mail_server import text_of
from tests.support.mail.opensmtpd import needs_opensmtpd, opensmtpd
from tests.support.mail.told import told_by_mail
from tests.support.web.in_process import default_settings
from tests.support.web.people import FOOLS_MATE

pytestmark = [needs_opensmtpd, needs_mail_programs, pytest.mark.slow]

DOMAIN = "play.chess.test"
SANS = ("f3", "e5", "g4", "Qh4#")


@pytest.fixture
async def mta(post_office, port):
    """The host's mail server. The post office is that of the players."""
    async with opensmtpd(mailboxes=post_office.port, lmtp_port=port, domain=DOMAIN) as server:
        yield server


@pytest.fixture
def settings(tmp_path, monkeypatch, mta, port):
    more = {"smtp_url": mta.url, "mail_from": f"games@{DOMAIN}", "mail_lmtp_port": port}
    return default_settings(tmp_path, monkeypatch, **more)


async def test_two_people_play_a_game_to_its_end(anna, ben, post_office, mta):
    boxes = ("anna@players.test", "ben@players.test")
    for person, name, box in zip((anna, ben), ("Anna", "Ben"), boxes, strict=True):
        await told_by_mail(person, post_office, name, box)
    game = await anna.challenge(clock={"kind": "correspondence", "days": 3}, to="Ben", color="white")
    seen = dict.fromkeys(boxes, 0)

    async def latest(box):
        seen[box] += 1
        return await post_office.mail_to(box, seen[box] - 1)

    async def answer(box, text):
        code, said = await answer_by_swaks(mta.port, box, await latest(box), text)
        assert code == 0, said

    await answer(boxes[1], "accept")
    assert "the game has begun" in text_of(await latest(boxes[1]))
    for ply, san in enumerate(SANS):
        await answer(boxes[ply % 2], san)
        assert f"You have played {san}." in text_of(await latest(boxes[ply % 2]))
    assert "Checkmate" in text_of(await latest(boxes[0]))
    record = await anna.get(f"/api/games/{game['id']}")
    assert [move["uci"] for move in record["moves"]] == FOOLS_MATE
    assert record["result"] == "0-1"


async def test_what_the_site_refuses_stays_with_opensmtpd(server, post_office, mta):
    mail = {"Reply-To": f"play+rubbish@{DOMAIN}", "Subject": "your move", "Message-ID": "<1@chess.test>"}
    code, said = await answer_by_swaks(mta.port, "somebody@players.test", mail, "e4")
    assert code == 0, said
    await mta.until("result=")
    assert 'result=TempFail stat=Error (temporary failure: "mail.lmtp: LMTP server error: 550 5.1.1' in mta.log
    assert post_office.mails == []
