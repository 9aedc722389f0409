"""What little else is kept of people, on every engine: whether they are listed, their lessons, their tokens."""

from dataclasses import replace

import pytest

from server.games.people import ApiToken, Scope
from server.storage.errors import Duplicate
from server.storage.tables.lessons import StepDone
from tests.support.storage.rated_games import ANNA, BERTA, CARL, WIN, count_all, played, register


async def test_who_may_be_listed_is_told_by_name(store):
    await register(store, ANNA, BERTA, CARL)
    everybody = {ANNA.id, BERTA.id, CARL.id, "nobody"}
    assert await store.accounts.listed(everybody) == {one.id: one.name for one in (ANNA, BERTA, CARL)}
    berta = await store.accounts.find("Berta")
    await store.accounts.set_choice(berta, "unlisted", True)
    assert (await store.accounts.find("Berta")).unlisted
    assert await store.accounts.listed(everybody) == {ANNA.id: ANNA.name, CARL.id: CARL.name}
    await store.accounts.set_choice(berta, "unlisted", False)
    await store.accounts.delete(await store.accounts.find("Carl"), 9)
    assert await store.accounts.listed(everybody) == {ANNA.id: ANNA.name, BERTA.id: BERTA.name}
    assert await store.accounts.listed(set()) == {}


async def test_the_ratings_of_many_are_read_at_once(store):
    await register(store, ANNA, BERTA, CARL)
    await played(store, "g1", ANNA, BERTA, WIN, 5)
    await played(store, "g2", BERTA, CARL, WIN, 6, rated=False)
    await count_all(store)
    found = await store.ratings.perfs_of({ANNA.id, BERTA.id, CARL.id, "nobody"})
    assert {perf.player: perf.rating.games for perf in found} == {ANNA.id: 1, BERTA.id: 1}
    assert list(found) == [perf for one in found for perf in await store.ratings.perfs(one.player) if perf.rating.games]


# What people have done of the lessons, on every engine.


FORK = StepDone("anna", "chess", "royal-fork", 1_700_000_000_000)


async def test_a_step_is_done_once_and_stays_done_until_its_owner_leaves(place):
    store = await place.open()
    assert await store.lessons.of("anna") == []
    await store.lessons.note(FORK)
    await store.lessons.note(replace(FORK, at=FORK.at + 9))
    await store.lessons.note(replace(FORK, lesson="chess960"))
    await store.lessons.note(replace(FORK, owner="ben"))
    await store.close()
    store = await place.open()
    assert sorted(await store.lessons.of("anna"), key=lambda one: one.lesson) == [
        FORK,
        replace(FORK, lesson="chess960"),
    ]
    await store.lessons.forget("anna")
    assert await store.lessons.of("anna") == []
    assert await store.lessons.of("ben") == [replace(FORK, owner="ben")]


# Personal tokens, on every engine.


BOT = ApiToken("f00d", "anna", "my bot", frozenset({Scope.BOT_PLAY, Scope.CHALLENGE_READ}), 1_700_000_000_000)
LATER = replace(BOT, hashed="beef", name="é\n<b>", scopes=frozenset(Scope), created=BOT.created + 1)


async def test_a_token_is_found_by_its_hash_until_it_is_revoked_by_its_owner_or_they_leave(place):
    store = await place.open()
    assert await store.tokens.find("f00d") is None
    await store.tokens.add(LATER)
    await store.tokens.add(BOT)
    await store.tokens.add(replace(BOT, hashed="cafe", owner="ben"))
    with pytest.raises(Duplicate):
        await store.tokens.add(replace(BOT, owner="ben"))
    await store.tokens.note_use("f00d", BOT.created + 9)
    await store.tokens.note_use("gone", BOT.created + 9)
    await store.close()
    store = await place.open()
    used = replace(BOT, used=BOT.created + 9)
    assert await store.tokens.find("f00d") == used
    assert await store.tokens.of("anna") == [used, LATER]
    assert {one.hashed for one in await store.tokens.find_all({"f00d", "cafe", "gone"})} == {"f00d", "cafe"}
    assert not await store.tokens.revoke("ben", "f00d"), "somebody else's"
    assert await store.tokens.revoke("anna", "f00d")
    assert not await store.tokens.revoke("anna", "f00d")
    assert await store.tokens.find("f00d") is None
    await store.tokens.forget("anna")
    assert await store.tokens.of("anna") == []
    assert await store.tokens.find("cafe") is not None
