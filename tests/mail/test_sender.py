"""The outbox's sender against a real mail server: everything arrives, whatever the server does meanwhile."""

import asyncio
import itertools
from dataclasses import replace

import pytest

from server.mail.composing import Letter, Letterhead, compose_text
from server.mail.inbound.addresses import ReturnPaths, mark_of_mail
from server.mail.sender import AT_ONCE, AWAY_S, PAUSES_MIN, OutboxSender
from server.mail.smtp import SmtpServer
from server.storage.tables.addresses import MailAddress
from server.storage.tables.notification_settings import NotificationSettings
from server.storage.tables.outbox import OutboxMail
from tests.support.games import START
from tests.support.patience import PATIENCE_S
from tests.support.realtime.hand_clock import HandClock

BOX = "anna@example.org"
HEAD = Letterhead("games@chess.example.org", "chess.example.org")
MINUTE = 60_000


async def nobody_at_board(_game, _person):
    return False


def mail_called(name, **changes):
    text = compose_text(Letter(BOX, f"Mail {name}", ("Hello",), name, START, "en"), HEAD)
    return replace(OutboxMail(name, "anna", BOX, "", text, START, START, START + 30 * 24 * 60 * MINUTE), **changes)


@pytest.fixture
def clock():
    return HandClock(START)


@pytest.fixture
def way(post_office):
    return SmtpServer(post_office.url, HEAD.sender, HEAD.domain)


@pytest.fixture
def new_sender(store, way, clock):
    def make():
        return OutboxSender(
            store.outbox, store.addresses, store.notification_settings, way.connect, clock, nobody_at_board
        )

    return make


@pytest.fixture
def sender(new_sender):
    return new_sender()


def subjects(post_office):
    return [mail["Subject"] for mail in post_office.mails]


async def test_what_waits_is_sent_once_and_gone(store, sender, post_office):
    for name in ("one", "two"):
        await store.outbox.put(mail_called(name))
    assert not await sender.send_due()
    assert subjects(post_office) == ["Mail one", "Mail two"]
    assert post_office.envelopes == [(HEAD.sender, (BOX,))] * 2
    assert (post_office.connections, await store.outbox.waiting()) == (1, 0)
    await sender.send_due()
    assert (len(post_office.mails), post_office.connections) == (2, 1)


async def test_many_are_sent_in_batches(store, sender, post_office):
    for number in range(AT_ONCE + 3):
        await store.outbox.put(mail_called(f"{number:03}"))
    assert await sender.send_due()
    assert not await sender.send_due()
    assert len(post_office.mails) == AT_ONCE + 3


@pytest.mark.row("M2")
async def test_mail_waits_while_the_server_is_away_and_arrives_when_it_is_back(store, sender, post_office, clock):
    await post_office.stop()
    await store.outbox.put(mail_called("one"))
    for pause in (*AWAY_S, AWAY_S[-1], AWAY_S[-1]):
        await sender.send_due()
        clock.turn(pause * 1000 - 1)
        await sender.send_due()
        clock.turn(1)
    # Not tried, so not put off: it goes out with the first connection.
    (waiting,) = await store.outbox.due(clock(), 9)
    assert waiting.tries == 0
    await post_office.start()
    await sender.send_due()
    assert (subjects(post_office), await store.outbox.waiting()) == (["Mail one"], 0)


async def test_while_the_server_is_away_it_is_tried_at_growing_intervals(store, sender, post_office, clock):
    tries = []
    real = sender._connect
    sender._connect = lambda: (tries.append(clock()), real())[1]
    await post_office.stop()
    await store.outbox.put(mail_called("one"))
    for _ in range(200):
        await sender.send_due()
        clock.turn(1_000)
    gaps = [(later - earlier) // 1000 for earlier, later in itertools.pairwise(tries)]
    assert gaps == list(AWAY_S[: len(gaps)])
    assert len(gaps) == 4


@pytest.mark.row("M3")
async def test_a_mail_that_is_refused_for_now_is_tried_at_growing_intervals(store, sender, post_office, clock):
    post_office.answers[BOX] = "451 4.7.1 Greylisted, come back later"
    await store.outbox.put(mail_called("one"))
    for pause in (*PAUSES_MIN, PAUSES_MIN[-1]):
        await sender.send_due()
        clock.turn(pause * MINUTE - 1)
        assert await store.outbox.due(clock(), 9) == []
        clock.turn(1)
    del post_office.answers[BOX]
    await sender.send_due()
    assert (subjects(post_office), await store.outbox.waiting()) == (["Mail one"], 0)


@pytest.mark.row("M3")
@pytest.mark.parametrize(
    "answers",
    [{"answers": {BOX: "550 5.2.2 Mailbox full"}}, {"at_data": "554 5.6.0 Not this"}, {"answers": {BOX: "550 No"}}],
)
async def test_an_address_is_given_up_when_two_mails_were_refused_for_good(store, sender, post_office, clock, answers):
    vars(post_office).update(answers)
    address = MailAddress("anna", BOX, "en", START, confirmed=START)
    await store.addresses.add(address)
    await store.outbox.put(mail_called("one"))
    await sender.send_due()
    assert (post_office.mails, await store.outbox.waiting()) == ([], 0)
    (once,) = await store.addresses.of("anna")
    assert (once.in_effect, once.bounced) == (True, clock())
    clock.turn(MINUTE)
    await store.outbox.put(mail_called("two"))
    await sender.send_due()
    assert list(await store.addresses.of("anna")) == [replace(once, refused=clock())]


async def test_an_address_without_a_mailbox_is_given_up_at_once(store, sender, post_office, clock):
    post_office.answers[BOX] = "550 5.1.1 No such user"
    address = MailAddress("anna", BOX, "en", START, confirmed=START)
    await store.addresses.add(address)
    await store.outbox.put(mail_called("one"))
    await sender.send_due()
    assert (post_office.mails, await store.outbox.waiting()) == ([], 0)
    assert list(await store.addresses.of("anna")) == [replace(address, refused=clock())]


async def test_each_mail_has_a_return_path_that_says_which_it_was_where_bounces_are_taken(
    store, way, post_office, clock
):
    paths = ReturnPaths("play.example.org", bytes(32), clock)
    sender = OutboxSender(
        store.outbox, store.addresses, store.notification_settings, way.connect, clock, nobody_at_board, paths
    )
    address = MailAddress("anna", BOX, "en", START, confirmed=START)
    await store.addresses.add(address)
    for name in ("one", "two"):
        await store.outbox.put(mail_called(name))
    await store.outbox.put(mail_called("x", address="removed@example.org"))
    await sender.send_due()
    first, second, other = (path for path, _ in post_office.envelopes)
    assert other == HEAD.sender
    for path, name in ((first, "one"), (second, "two")):
        token = paths.read_address(path)
        assert (token.is_of(address), token.mail) == (True, mark_of_mail(name))


@pytest.mark.parametrize("answer", ["554 5.7.1 Relay access denied", "530 5.7.0 Must issue a STARTTLS command first"])
async def test_a_server_that_does_not_know_this_host_spoils_no_address(store, sender, post_office, answer):
    post_office.answers[BOX] = answer
    address = MailAddress("anna", BOX, "en", START, confirmed=START)
    await store.addresses.add(address)
    await store.outbox.put(mail_called("one"))
    await sender.send_due()
    assert await store.outbox.waiting() == 1
    assert list(await store.addresses.of("anna")) == [address]


async def test_one_bad_address_does_not_hold_up_the_others(store, sender, post_office):
    post_office.answers["gone@example.org"] = "550 No such user"
    await store.outbox.put(mail_called("bad", address="gone@example.org"))
    await store.outbox.put(mail_called("good"))
    await sender.send_due()
    assert subjects(post_office) == ["Mail good"]


async def test_a_mail_about_a_game_is_dropped_while_its_reader_has_the_board_open(store, way, post_office, clock):
    async def at_board(game, person):
        return (game, person) == ("seen", "anna")

    sender = OutboxSender(store.outbox, store.addresses, store.notification_settings, way.connect, clock, at_board)
    await store.addresses.add(MailAddress("anna", BOX, "en", START, confirmed=START, wishes=("turn:at_once",)))
    for game in ("seen", "unseen"):
        await store.outbox.put(mail_called(f"about {game}", topic=game))
    await sender.send_due()
    assert (subjects(post_office), await store.outbox.waiting()) == (["Mail about unseen"], 0)


@pytest.mark.row("M5")
async def test_of_several_nodes_one_sends_each_mail(store, new_sender, post_office):
    for number in range(20):
        await store.outbox.put(mail_called(f"{number:02}"))
    await asyncio.gather(*(new_sender().send_due() for _ in range(3)))
    assert sorted(subjects(post_office)) == [f"Mail {number:02}" for number in range(20)]


async def test_what_a_dying_node_had_in_hand_is_sent_again_with_the_same_id(store, new_sender, post_office, clock):
    await store.outbox.put(mail_called("one"))
    post_office.hold = asyncio.Event()
    dying = asyncio.create_task(new_sender().send_due())
    await post_office.holding.wait()
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    post_office.hold.set()
    await new_sender().send_due()
    before = len(post_office.mails)
    clock.turn(PAUSES_MIN[0] * MINUTE)
    await new_sender().send_due()
    assert len(post_office.mails) == before + 1
    assert {mail["Message-ID"] for mail in post_office.mails} == {"<one@chess.example.org>"}
    assert await store.outbox.waiting() == 0


async def test_mail_that_is_no_longer_worth_sending_is_dropped(store, sender, post_office, clock):
    await store.outbox.put(mail_called("old", until=START + 5))
    clock.turn(5)
    await sender.send_due()
    assert (post_office.mails, await store.outbox.waiting()) == ([], 0)


@pytest.mark.parametrize(
    ("changes", "sent"),
    [
        ({}, 1),
        ({"confirmed": 0}, 0),
        ({"refused": START}, 0),
        ({"address": "other@example.org"}, 0),
        ({"wishes": ()}, 0),
    ],
)
async def test_mail_about_games_goes_only_where_it_is_still_wanted(store, sender, post_office, changes, sent):
    wanted = MailAddress("anna", BOX, "en", START, confirmed=START, wishes=("turn:at_once",))
    await store.addresses.add(replace(wanted, **changes))
    await store.outbox.put(mail_called("turn", topic="game"))
    await sender.send_due()
    assert (len(post_office.mails), await store.outbox.waiting()) == (sent, 0)


async def test_a_running_sender_sends_when_nudged(store, sender, post_office):
    running = asyncio.create_task(sender.run())
    await asyncio.sleep(0)
    await store.outbox.put(mail_called("one"))
    sender.nudge()
    await post_office.delivered(1)
    sender.stop()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_a_sender_stops_even_if_its_cancelling_is_lost_in_the_library(store, sender, post_office):
    await store.outbox.put(mail_called("one"))
    running = asyncio.create_task(sender.run())
    await post_office.delivered(1)
    sender.stop()
    async with asyncio.timeout(PATIENCE_S):
        await running


async def test_mail_about_games_waits_for_the_end_of_quiet_hours_and_other_mail_does_not(
    store, sender, post_office, clock
):
    minute = clock() // MINUTE % (24 * 60)
    await store.notification_settings.keep(NotificationSettings("anna", "", minute, (minute + 90) % (24 * 60)))
    await store.addresses.add(
        MailAddress("anna", BOX, "en", START, confirmed=START, wishes=("turn:at_once",)),
    )
    await store.outbox.put(mail_called("turn", topic="game"))
    await store.outbox.put(mail_called("password"))
    await sender.send_due()
    assert subjects(post_office) == ["Mail password"]
    clock.turn(89 * MINUTE)
    await sender.send_due()
    assert len(post_office.mails) == 1
    clock.turn(MINUTE)
    await sender.send_due()
    assert subjects(post_office) == ["Mail password", "Mail turn"]


async def test_a_mail_that_cannot_be_sent_by_a_defect_keeps_no_other_waiting(store, sender, post_office, clock):
    for name in "abc":
        await store.outbox.put(mail_called(name))
    whole, sender._address_of = sender._address_of, None

    async def address_of(mail):
        if mail.id == "a":
            raise RuntimeError("a defect")
        return await whole(mail)

    sender._address_of = address_of
    await sender.send_due()
    assert subjects(post_office) == ["Mail b", "Mail c"]
    assert await store.outbox.due(clock(), 9) == []
    clock.turn(PAUSES_MIN[0] * MINUTE)
    assert [mail.id for mail in await store.outbox.due(clock(), 9)] == ["a"]
