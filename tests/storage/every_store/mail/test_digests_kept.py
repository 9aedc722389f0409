"""News that people are told of later on every engine: kept, claimed by one, told once, and never lost."""

import asyncio
from dataclasses import replace

import pytest

from server.games.clocks.time_control import TimeControl
from server.storage.tables import outbox
from server.storage.tables.outbox import BY_PUSH, HeldNews, Mailbox, News, OutboxMail
from tests.support.games import START, live_game
from tests.support.storage.stored_games import game_called, stepped, stored

DAYS = TimeControl.correspondence(3)
ANNAS, BENS = Mailbox("anna", "anna@example.org"), Mailbox("ben", "ben@example.org")
DUE, LATER = START + 1_000, START + 5_000
MAIL = OutboxMail("d1", "anna", ANNAS.address, "digest", "Subject: both\r\n\r\n{}", START, START, START + 90_000)


async def held(store, game, *mailboxes, due=DUE, kind="turn"):
    """News of a new game, held for these mailboxes; returns what is held."""
    made = await stored(store, game_called(game, live_game(control=DAYS)))
    kept = [HeldNews(mailbox, game, kind, made.rev, due) for mailbox in mailboxes]
    await store.outbox.tell(News(game, made.rev), [], kept)
    return kept


async def claim(store, mailbox=ANNAS, digest="d1", now=DUE, until=LATER):
    return list(await store.digests.claim_news(mailbox, digest, now, until))


async def sent(store):
    return [mail.id for mail in await store.outbox.due(START + 10_000, 10)]


async def test_news_are_kept_until_they_are_due_and_told_in_one_mail(place):
    store = await place.open()
    (one,) = await held(store, "one", ANNAS)
    (two,) = await held(store, "two", ANNAS)
    await held(store, "three", BENS)
    assert list(await store.outbox.untold(10)) == []
    await store.close()
    store = await place.open()
    assert list(await store.digests.ripe_mailboxes(DUE - 1, 10)) == []
    assert sorted(await store.digests.ripe_mailboxes(DUE, 10)) == [ANNAS, BENS]
    claimed = [replace(news, digest="d1", due=LATER) for news in (one, two)]
    assert await claim(store) == claimed
    assert list(await store.digests.ripe_mailboxes(DUE, 10)) == [BENS]
    assert await store.digests.tell_digest("d1", MAIL)
    assert await sent(store) == ["d1"]
    assert list(await store.digests.ripe_mailboxes(LATER, 10)) == [BENS]


async def test_what_is_due_later_waits_for_a_mail_of_its_own(store):
    await held(store, "hourly", ANNAS)
    await held(store, "daily", ANNAS, due=LATER + 1)
    assert [news.game for news in await claim(store)] == ["hourly"]
    await store.digests.tell_digest("d1", MAIL)
    assert [news.game for news in await claim(store, digest="d2", now=LATER + 1)] == ["daily"]


async def test_of_several_who_claim_at_once_one_gets_all(store):
    for game in "abcd":
        await held(store, game, ANNAS)
    claims = await asyncio.gather(*(claim(store, digest=f"d{number}") for number in range(4)))
    assert sorted(len(one) for one in claims) == [0, 0, 0, 4]


async def test_what_somebody_had_begun_who_died_is_told_under_the_same_id_and_without_what_came_since(store):
    await held(store, "one", ANNAS)
    await claim(store)
    await held(store, "two", ANNAS, due=DUE + 1)
    begun = await claim(store, digest="d2", now=LATER, until=LATER + 5)
    assert [(news.game, news.digest) for news in begun] == [("one", "d1")]
    await store.digests.tell_digest("d1", MAIL)
    assert [(news.game, news.digest) for news in await claim(store, digest="d3", now=LATER)] == [("two", "d3")]


async def test_nobody_claims_beside_somebody_who_is_at_it(shared_place):
    store = await shared_place.open()
    await held(store, "one", ANNAS)
    await claim(store)
    await held(store, "two", ANNAS)
    assert await claim(store, digest="d2") == []


async def test_nothing_is_told_twice(store):
    await held(store, "one", ANNAS)
    await claim(store)
    await store.digests.tell_digest("d1", MAIL)
    await store.outbox.drop_mail("d1")
    assert await store.digests.tell_digest("d1", MAIL)
    assert await sent(store) == []


async def test_what_is_not_worth_a_mail_is_deleted_without_one(store):
    await held(store, "one", ANNAS)
    await claim(store)
    assert await store.digests.tell_digest("d1", None)
    assert await sent(store) == []
    assert list(await store.digests.ripe_mailboxes(LATER, 10)) == []


async def test_it_waits_while_the_outbox_is_full(store, monkeypatch):
    monkeypatch.setattr(outbox, "MAX_WAITING", 1)
    await store.outbox.put(replace(MAIL, id="first"))
    await held(store, "one", ANNAS)
    await claim(store)
    assert not await store.digests.tell_digest("d1", MAIL)
    assert len(await claim(store, digest="d2", now=LATER, until=LATER + 5)) == 1


async def test_newer_news_of_a_game_take_the_place_of_older_ones_also_while_those_are_told(store):
    await held(store, "one", ANNAS)
    await claim(store)
    game = game_called("one", live_game(control=DAYS))
    after = stepped(game)
    await store.save(game, after)
    newer = HeldNews(BENS, "one", "turn", after.rev, DUE)
    await store.outbox.tell(News("one", after.rev), [], [newer])
    assert await store.digests.tell_digest("d1", MAIL)
    assert await sent(store) == []
    assert await claim(store, BENS) == [replace(newer, digest="d1", due=LATER)]


async def test_what_is_spared_stays_when_somebody_else_is_told(store):
    (annas, _) = await held(store, "one", ANNAS, BENS)
    for owner in ("anna", "ben"):
        await store.outbox.put(replace(MAIL, id=f"to {owner}", owner=owner, topic="one"))
    game = game_called("one", live_game(control=DAYS))
    after = stepped(game)
    await store.save(game, after)
    await store.outbox.tell(News("one", after.rev), [], [], spared={"anna"})
    assert await sent(store) == ["to anna"]
    assert await claim(store) == [replace(annas, digest="d1", due=LATER)]
    assert await claim(store, BENS) == []


async def test_what_is_held_goes_with_the_game_and_with_its_reader(store):
    await held(store, "one", ANNAS, BENS)
    await held(store, "two", ANNAS, BENS)
    await store.deletion.delete_games(["one"])
    await store.outbox.forget("anna")
    assert list(await store.digests.ripe_mailboxes(DUE, 10)) == [BENS]
    assert [news.game for news in await claim(store, BENS)] == ["two"]


@pytest.mark.slow
async def test_thousands_who_are_told_later_are_found_some_at_a_time(store):
    for number in range(30):
        await held(store, f"g{number}", Mailbox(f"p{number:02}", "box"), due=DUE + number)
    assert len(await store.digests.ripe_mailboxes(DUE + 100, 7)) == 7
    assert len(await store.digests.ripe_mailboxes(DUE + 4, 7)) == 5


async def test_what_is_put_off_is_due_later_and_the_rest_when_it_was(store):
    await held(store, "one", ANNAS, BENS)
    await held(store, "two", ANNAS, due=DUE + 1)
    await store.digests.postpone_news(ANNAS, DUE, LATER)
    assert list(await store.digests.ripe_mailboxes(DUE, 10)) == [BENS]
    assert [news.game for news in await claim(store, now=DUE + 1)] == ["two"]
    await store.digests.tell_digest("d1", None)
    assert [news.game for news in await claim(store, digest="d2", now=LATER, until=LATER + 5)] == ["one"]


async def test_news_for_web_push_go_with_those_for_mail_when_newer_ones_come(store):
    browsers = Mailbox("anna", BY_PUSH)
    await held(store, "one", ANNAS, browsers)
    game = game_called("one", live_game(control=DAYS))
    await store.save(game, stepped(game))
    await store.outbox.tell(News("one", 1), [], [HeldNews(browsers, "one", "turn", 1, DUE)])
    assert await claim(store) == []
    assert [news.rev for news in await claim(store, browsers)] == [1]


async def test_what_is_held_without_a_mark_takes_the_place_of_what_was_held_so_before(store):
    browsers = Mailbox("anna", BY_PUSH)
    for rev in (1, 2):
        await store.digests.hold_news(HeldNews(browsers, "one", "challenge", rev, DUE))
    assert [news.rev for news in await claim(store, browsers)] == [2]
