"""Mail that waits to be sent on every engine, the marks of turns of which nobody was told yet, and mail received."""

import asyncio
from dataclasses import replace

import pytest

from server.games.changes.ending import Resign
from server.games.clocks.time_control import TimeControl
from server.storage.tables import outbox
from server.storage.tables.outbox import News, OutboxMail
from tests.support.games import BLACK, START, after, joined, live_game, open_game
from tests.support.storage.stored_games import game_called, stepped, stored, taken_back

DAYS = TimeControl.correspondence(3)
MAIL = OutboxMail("m1", "anna", "anna@example.org", "game", "Subject: é\r\n\r\n{}", START, START + 5, START + 900)


async def untold(store):
    return list(await store.outbox.untold(10))


async def due(store, now=START + 1_000):
    return list(await store.outbox.due(now, 10))


@pytest.fixture
async def turn(store):
    """A correspondence game just begun, which marks White's turn."""
    game = await stored(store, live_game(control=DAYS))
    return News(game.id, game.rev)


class TestTurns:
    @pytest.mark.parametrize("control", [DAYS, TimeControl.unlimited()])
    async def test_each_turn_is_marked_by_the_write_that_begins_it(self, store, control):
        waiting = await stored(store, open_game(control=control))
        assert await untold(store) == []
        game = joined(waiting)
        await store.save(waiting, game)
        assert await untold(store) == [News("game", game.rev)]
        one = stepped(game)
        await store.save(game, one)
        assert await untold(store) == [News("game", one.rev)]

    async def test_a_mark_survives_a_restart(self, place):
        store = await place.open()
        game = await stored(store, live_game(control=DAYS))
        await store.save(game, stepped(game))
        await store.close()
        assert await untold(await place.open()) == [News("game", 1)]

    async def test_an_offer_and_a_takeback_are_news(self, store, turn):
        game = live_game(control=DAYS)
        for _ in range(3):
            before, game = game, stepped(game)
            await store.save(before, game)
        await store.outbox.tell(News("game", game.rev), [])
        asked, granted = taken_back(game)
        await store.save(game, asked)
        assert await untold(store) == [News("game", asked.rev)]
        await store.save(asked, granted)
        assert await untold(store) == [News("game", granted.rev)]

    async def test_live_games_have_no_marks(self, store):
        game = await stored(store, live_game())
        await store.save(game, stepped(game))
        assert await untold(store) == []

    async def test_the_end_is_news_and_a_deleted_game_leaves_no_mark(self, store, turn):
        game = live_game(control=DAYS)
        game_two = await stored(store, game_called("other", game))
        over = after(game_two, Resign(BLACK))
        await store.save(game_two, over)
        assert News("other", over.rev) in await untold(store)
        await store.deletion.delete_games(["other"])
        await store.outbox.put(MAIL)
        assert await untold(store) == [turn]
        await store.deletion.delete_games(["game"])
        assert await untold(store) == []
        assert await due(store) == []

    async def test_only_so_many_marks_are_read(self, store):
        for name in "abc":
            await stored(store, game_called(name, live_game(control=DAYS)))
        assert len(await store.outbox.untold(2)) == 2


class TestTelling:
    async def test_its_mail_takes_the_place_of_older_mail_about_the_game(self, store, turn):
        old, other = replace(MAIL, id="old"), replace(MAIL, id="other", topic="")
        await store.outbox.put(old)
        await store.outbox.put(other)
        await store.outbox.tell(turn, [MAIL, replace(MAIL, id="m2")])
        assert [mail.id for mail in await due(store)] == ["m1", "m2", "other"]
        assert await untold(store) == []

    async def test_nobody_is_told_of_news_twice_or_of_what_is_over(self, store, turn):
        game = live_game(control=DAYS)
        await store.save(game, stepped(game))
        await store.outbox.tell(turn, [MAIL])
        assert await due(store) == []
        later = News("game", 1)
        assert await untold(store) == [later]
        await store.outbox.tell(later, [MAIL])
        await store.outbox.drop_mail("m1")
        await store.outbox.tell(later, [MAIL])
        assert await due(store) == []

    async def test_a_turn_stays_marked_while_the_outbox_is_full(self, store, turn, monkeypatch):
        monkeypatch.setattr(outbox, "MAX_WAITING", 1)
        await store.outbox.put(replace(MAIL, id="first", topic=""))
        await store.outbox.tell(turn, [MAIL])
        assert (await untold(store), await store.outbox.waiting()) == ([turn], 1)
        await store.outbox.tell(turn, [])
        assert await untold(store) == []


class TestMails:
    async def test_a_mail_is_kept_as_it_was_until_it_is_dropped(self, place):
        store = await place.open()
        assert await store.outbox.put(MAIL)
        await store.close()
        store = await place.open()
        assert await due(store) == [MAIL]
        await store.outbox.drop_mail("m1")
        await store.outbox.drop_mail("m1")
        assert await due(store) == []

    async def test_a_mail_of_the_same_id_is_not_put_in_twice(self, store):
        await store.outbox.put(MAIL)
        assert await store.outbox.put(replace(MAIL, message="another"))
        assert await due(store) == [MAIL]

    async def test_the_outbox_is_bounded(self, store, monkeypatch):
        monkeypatch.setattr(outbox, "MAX_WAITING", 2)
        assert [await store.outbox.put(replace(MAIL, id=f"m{n}")) for n in range(3)] == [True, True, False]
        assert await store.outbox.waiting() == 2

    async def test_mail_is_due_at_its_time_and_the_longest_waiting_first(self, store):
        for number in range(3):
            await store.outbox.put(replace(MAIL, id=f"m{number}", next_try=START + 9 - number))
        assert await due(store, START + 6) == []
        assert [mail.id for mail in await due(store, START + 8)] == ["m2", "m1"]
        assert [mail.id for mail in await store.outbox.due(START + 9, 1)] == ["m2"]

    async def test_of_several_who_claim_a_mail_one_gets_it(self, store):
        await store.outbox.put(MAIL)
        got = await asyncio.gather(*(store.outbox.claim_mail(MAIL, START + 60) for _ in range(4)))
        assert sorted(got) == [False, False, False, True]
        (kept,) = await due(store)
        assert kept == replace(MAIL, next_try=START + 60, tries=1)
        assert await store.outbox.claim_mail(kept, START + 90)

    async def test_mail_to_somebody_who_has_left_is_forgotten(self, store):
        await store.outbox.put(MAIL)
        await store.outbox.put(replace(MAIL, id="bens", owner="ben"))
        await store.outbox.forget("anna")
        assert [mail.id for mail in await due(store)] == ["bens"]


# Which mails have been begun, and by whom, on every engine.


NOW = 1_700_000_000_000


async def test_a_mail_is_noted_once_and_known_after_a_restart_until_it_expires(place):
    store = await place.open()
    assert await store.received_mail.note_mail("one", "anna", NOW)
    assert not await store.received_mail.note_mail("one", "boris", NOW + 1)
    assert await store.received_mail.note_mail("two", "boris", NOW + 9)
    await store.close()
    store = await place.open()
    assert await store.received_mail.owner_of_mail("one") == "anna"
    await store.received_mail.expire(NOW + 1)
    assert [await store.received_mail.owner_of_mail(mail) for mail in ("one", "two")] == [None, "boris"]
    await store.received_mail.forget("boris")
    assert await store.received_mail.owner_of_mail("two") is None
