"""What was said and is still to be told, on every engine: marked when it is stored, told once, and never lost."""

from dataclasses import replace

import pytest

from server.games.clocks.time_control import TimeControl
from server.storage.stores import ChatLine
from server.storage.tables.outbox import BY_PUSH, MESSAGE, HeldNews, Mailbox, News, UntoldChat
from tests.support.games import START, live_game
from tests.support.storage.stored_games import game_called, stepped, stored

DAYS = TimeControl.correspondence(3)
BOX, OTHER_BOX, BROWSERS = (Mailbox("b", address) for address in ("one@example.org", "two@example.org", BY_PUSH))
DUE, LATER = START + 1_000, START + 5_000


def line(at=START, player="w", game="one"):
    return ChatLine(game, "players", player, player, f"said at {at}", at)


def message(mailbox=BOX, game="one", due=DUE):
    return HeldNews(mailbox, game, MESSAGE, 0, due)


async def unheard(store):
    return list(await store.outbox.unheard(10))


async def claimed(store, mailbox=BOX, now=DUE, digest="d1"):
    return [(one.game, one.kind) for one in await store.digests.claim_news(mailbox, digest, now, LATER)]


@pytest.fixture
async def game(store):
    return await stored(store, game_called("one", live_game(control=DAYS)))


async def test_only_what_is_marked_is_unheard_also_after_the_store_was_closed(place):
    store = await place.open()
    await stored(store, game_called("one", live_game(control=DAYS)))
    await store.add_chat(line(START), untold=True)
    await store.add_chat(line(START + 1))
    await store.close()
    store = await place.open()
    assert await unheard(store) == [UntoldChat("one", "w", START)]
    assert [one.text for one in await store.chat("one", 5)] == [f"said at {START}", f"said at {START + 1}"]


async def test_what_is_told_is_held_and_marked_no_longer(store, game):
    for at in (START, START + 1):
        await store.add_chat(line(at), untold=True)
    (said,) = await unheard(store)
    assert said == UntoldChat("one", "w", START + 1)
    await store.outbox.tell_said(said, [message()])
    assert await unheard(store) == []
    assert await claimed(store) == [("one", MESSAGE)]
    await store.digests.tell_digest("d1", None)
    await store.outbox.tell_said(said, [message()])
    assert await claimed(store) == []


async def test_what_is_said_meanwhile_and_what_the_other_says_stays_marked(store, game):
    await store.add_chat(line(START), untold=True)
    await store.add_chat(line(START + 1), untold=True)
    await store.add_chat(line(START, player="b"), untold=True)
    await store.outbox.tell_said(UntoldChat("one", "w", START), [])
    assert sorted(await unheard(store), key=str) == [UntoldChat("one", "b", START), UntoldChat("one", "w", START + 1)]


async def test_a_change_of_the_game_leaves_what_was_said_to_be_told(store, game):
    await store.outbox.tell(News("one", game.rev), [], [HeldNews(BOX, "one", "turn", game.rev, DUE)])
    await store.add_chat(line(), untold=True)
    await store.outbox.tell_said(UntoldChat("one", "w", START), [message()])
    after = stepped(game)
    await store.save(game, after)
    await store.outbox.tell(News("one", after.rev), [])
    assert await claimed(store) == [("one", MESSAGE)]


async def test_what_is_told_of_a_game_comes_with_what_was_said_there_and_is_due_later(store, game):
    await stored(store, game_called("two", live_game(control=DAYS)))
    await store.outbox.tell(News("one", game.rev), [], [HeldNews(BOX, "one", "turn", game.rev, DUE)])
    for name in ("one", "two"):
        await store.add_chat(line(game=name), untold=True)
        await store.outbox.tell_said(UntoldChat(name, "w", START), [message(game=name, due=LATER * 2)])
    assert sorted(await claimed(store)) == [("one", MESSAGE), ("one", "turn")]
    await store.digests.tell_digest("d1", None)
    assert await claimed(store, now=LATER * 2) == [("two", MESSAGE)]


async def test_what_comes_while_a_mail_is_written_is_not_told_with_it(store, game):
    await store.outbox.tell(News("one", game.rev), [], [HeldNews(BOX, "one", "turn", game.rev, DUE)])
    assert await claimed(store) == [("one", "turn")]
    await store.digests.hold_news(message(due=LATER + 1))
    # Whoever was at it has died, and its mail may be in the outbox.
    assert [one.kind for one in await store.digests.claim_news(BOX, "d2", LATER, LATER + 1)] == ["turn"]
    await store.digests.tell_digest("d1", None)
    assert await claimed(store, now=LATER + 1) == [("one", MESSAGE)]


async def test_what_was_read_is_held_no_longer_at_one_address_or_at_all(store, game):
    for mailbox in (BOX, OTHER_BOX, BROWSERS):
        await store.digests.hold_news(message(mailbox))
        await store.digests.hold_news(replace(message(mailbox), kind="turn"))
    await store.digests.hold_news(message(Mailbox("w", "w@example.org")))
    await store.digests.heard("b", "one", BOX.address)
    assert await claimed(store) == [("one", "turn")]
    await store.digests.heard("b", "one")
    assert await claimed(store, OTHER_BOX, digest="d2") == [("one", "turn")]
    assert await claimed(store, BROWSERS, digest="d3") == [("one", "turn")]
    assert await claimed(store, Mailbox("w", "w@example.org"), digest="d4") == [("one", MESSAGE)]


async def test_the_marks_go_with_the_game_and_with_its_chat(store, game):
    await store.add_chat(line(), untold=True)
    await store.deletion.delete_chat(["one"])
    assert await unheard(store) == []
    await store.add_chat(line(), untold=True)
    await store.deletion.delete_games(["one"])
    assert await unheard(store) == []
