"""What the port for replies answers a mail server, and anybody else who finds it."""

import asyncio
from time import thread_time

import pytest

from server.mail.inbound import lmtp
from server.mail.inbound.addresses import ReplyAddresses, token_for
from server.mail.inbound.received_mail import MAX_BYTES
from server.mail.inbound.replies import SmtpStatus
from server.rules.variant.pieces import Color
from server.storage.tables.addresses import MailAddress
from server.web import mailing
from server.web.site import SITE
from tests.support.machine_speed import costs_at_most
from tests.support.mail.handing_over import hand_over, hand_over_many, written
from tests.support.patience import PATIENCE_S

DOMAIN = "play.example.org"
DAYS = {"kind": "correspondence", "days": 3}


@pytest.fixture
async def signed(server, anna, ben):
    """An address for the first move of a game, whose player has no mail address any more."""
    site = server.app[SITE]
    game = await anna.challenge(clock=DAYS)
    await ben.join(game)
    found = (await site.rounds.get(game["id"])).game
    addresses = ReplyAddresses(DOMAIN, await site.store.addresses.signing_key())
    return addresses.write_address(token_for(found, Color.WHITE, "gone@example.org"))


@pytest.fixture
async def conversation(server, port):
    """Opens a connection, which says what the test chooses: returns the answers to lines, as many as there are."""
    opened = []

    async def open_one():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        opened.append(writer)

        async def say(*lines):
            writer.write(b"".join(lines))
            async with asyncio.timeout(PATIENCE_S):
                return await reader.readline()

        async def send(text):
            writer.write(text)
            await writer.drain()

        say.send = send
        return say, reader

    yield open_one
    for writer in opened:
        writer.close()


async def test_an_address_that_is_not_ours_is_refused_before_the_mail_comes(port, server):
    for to in ("ben@example.org", f"play@{DOMAIN}", f"play+{'a' * 40}@{DOMAIN}"):
        assert (await hand_over(port, to, b"\r\ne4\r\n")).startswith("550")


async def test_mail_to_the_postmaster_is_taken(port, post_office, server, caplog):
    assert (await hand_over(port, f"Postmaster@{DOMAIN}", b"\r\nHello?\r\n")).startswith("250")
    assert "have your mail server keep mail to it" in caplog.text
    assert post_office.mails == []


async def test_an_address_whose_mailbox_is_gone_is_refused(port, signed):
    assert (await hand_over(port, signed, written(signed, "e4"))).startswith("550")


async def test_a_mail_that_is_too_large_is_refused(port, signed):
    assert (await hand_over(port, signed, b"\r\n" + b"e4 e5\r\n" * (MAX_BYTES // 6))).startswith("552")


@pytest.mark.parametrize("size", [MAX_BYTES, 2**20, 3 * 2**20])
async def test_the_loop_is_not_held_by_a_mail_of_empty_lines(conversation, signed, size):
    say, _ = await conversation()
    await say()
    for line in (b"LHLO x\r\n", b"MAIL FROM:<a@b.c>\r\n", b"RCPT TO:<%s>\r\n" % signed.encode(), b"DATA\r\n"):
        while not (await say(line)).startswith((b"250 ", b"354")):
            line = b""
    began = thread_time()
    answer = await say(b"\r\n" * (size // 2), b".\r\nQUIT\r\n")
    assert answer.startswith(b"552" if size > MAX_BYTES else b"5")
    assert costs_at_most(thread_time() - began, 15 * size / MAX_BYTES)
    assert (await say()).startswith(b"221")


@pytest.mark.parametrize("text", [b".\r\n", b"\r\n.\r\n", b"A: b\r\n\r\n..e4\r\n...\r\n.\r\n"])
async def test_a_mail_ends_where_a_line_is_a_dot_however_it_comes(conversation, signed, text, monkeypatch):
    taken = []

    async def take_mail(_self, _address, _sender, content):
        taken.append(content)
        return SmtpStatus.DONE

    monkeypatch.setattr(mailing.Mailroom, "take_mail", take_mail)
    for size in (1, 2, 3, 5, len(text)):
        say, _ = await conversation()
        await say()
        for line in (b"LHLO x\r\n", b"MAIL FROM:<a@b.c>\r\n", b"RCPT TO:<%s>\r\n" % signed.encode(), b"DATA\r\n"):
            while not (await say(line)).startswith((b"250 ", b"354")):
                line = b""
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        for piece in pieces[:-1]:
            await say.send(piece)
        assert (await say(pieces[-1])).startswith(b"250")
    expected = text[: -len(b".\r\n")].replace(b"\r\n.", b"\r\n")
    assert taken == [expected] * 5


async def test_a_mail_that_cannot_be_read_is_refused_for_good(port, signed, server):
    site = server.app[SITE]
    token = ReplyAddresses(DOMAIN, await site.store.addresses.signing_key()).read_address(signed)
    owner = (await site.rounds.get(token.game)).game.white.id
    await site.store.addresses.add(MailAddress(owner, "gone@example.org", "en", site.now(), confirmed=site.now()))
    assert (await hand_over(port, signed, b"A: b\r\n" * 1_000 + b"\r\ne4")).startswith("554")


async def test_an_empty_return_path_is_taken_and_forgotten(port, signed, post_office):
    assert (await hand_over(port, signed, written(signed, "e4"), sender="")).startswith("250")
    assert post_office.mails == []


async def test_each_mail_has_one_recipient(conversation, signed):
    say, _ = await conversation()
    assert (await say()).startswith(b"220")
    await say(b"LHLO x\r\n")
    answers = []
    for line in (
        b"MAIL FROM:<a@b.c>\r\n",
        b"RCPT TO:<%s>\r\n" % signed.encode(),
        b"RCPT TO:<%s>\r\n" % signed.encode(),
    ):
        while not (answer := await say(line)).startswith((b"250 2.1", b"4", b"5")):
            line = b""
        answers.append(answer)
    assert [answer[:3] for answer in answers] == [b"250", b"250", b"452"]


@pytest.mark.parametrize(
    "rubbish",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200) + b"\r\n",
        b"\r\n" * 10,
        b"\xff" * 5_000 + b"\r\n",
        b"MAIL FROM:<" + b"a" * 5_000 + b">\r\n",
        b"LHLO\r\nDATA\r\nRCPT\r\nMAIL\r\n",
        b"HELO x\r\nEHLO x\r\nAUTH PLAIN AGEAYg==\r\nSTARTTLS\r\n",
    ],
    ids=lambda text: str(text[:8]),
)
async def test_rubbish_is_refused_and_the_next_mail_server_is_served(conversation, port, rubbish, server):
    say, _ = await conversation()
    await say()
    assert (await say(rubbish))[:1] in (b"5", b"")
    assert (await hand_over(port, f"play@{DOMAIN}", b"")).startswith("550")


async def test_there_is_a_bound_to_the_connections(conversation, port, server, monkeypatch):
    monkeypatch.setattr(lmtp, "CONNECTIONS", 3)
    for _ in range(3):
        say, _ = await conversation()
        assert (await say()).startswith(b"220")
    say, reader = await conversation()
    assert (await say()).startswith(b"421")
    assert await reader.read() == b""


async def test_a_connection_that_says_nothing_is_closed(conversation, server, monkeypatch):
    monkeypatch.setattr(lmtp, "CONNECTION_S", 0.05)
    say, reader = await conversation()
    await say()
    async with asyncio.timeout(PATIENCE_S):
        assert await reader.read() == b""


@pytest.mark.slow
async def test_of_a_flood_to_one_address_the_rest_is_put_off_and_the_next_game_is_played(
    port, signed, server, clock, anna, ben, full, counted
):
    number, taken = 10_000 if full else 150, server.app[SITE].limits.replies_by_seat.amount
    counted("mails", number)
    content = written(signed, "e4\n" * 2_000)
    flood = asyncio.create_task(hand_over_many(port, signed, content, number))
    game = await anna.challenge()
    await ben.join(game)
    async with anna.follow(game) as white:
        await white.until("snapshot")
        assert (await white.move(0, "e2e4"))["t"] == "ok"
    codes = await flood
    assert codes == [550] * taken + [451] * (number - taken)


async def test_nothing_of_a_conversation_is_logged(port, signed, caplog):
    caplog.set_level(0)
    await hand_over(port, signed, written(signed, "e4 by me"))
    assert signed.partition("@")[0] not in caplog.text
    assert "e4 by me" not in caplog.text


async def test_a_site_that_stops_closes_its_port(server, port):
    await server.close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)
