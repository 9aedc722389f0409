"""What people have done of the lessons, on every engine."""

from dataclasses import replace

from server.storage.tables.lessons import StepDone

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
