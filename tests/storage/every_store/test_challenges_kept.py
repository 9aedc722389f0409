"""Challenges by name on every engine."""

from server.storage.tables.challenges import MAX_PER_PLAYER

NOW = 1_700_000_000_000


async def test_challenges_are_listed_newest_first_also_after_a_restart(place):
    store = await place.open()
    await store.challenges.note("older", "anna", NOW)
    await store.challenges.note("newer", "anna", NOW + 1)
    await store.challenges.note("other", "ben", NOW)
    await store.challenges.note("older", "anna", NOW + 9)
    await store.close()
    store = await place.open()
    assert list(await store.challenges.of("anna")) == ["newer", "older"]
    assert list(await store.challenges.of("carla")) == []


async def test_what_waits_no_longer_is_gone(store):
    await store.challenges.note("game", "anna", NOW)
    await store.challenges.drop("game")
    await store.challenges.drop("game")
    assert list(await store.challenges.of("anna")) == []


async def test_old_challenges_are_forgotten_even_if_nobody_looked(store):
    await store.challenges.note("old", "anna", NOW)
    await store.challenges.note("new", "anna", NOW + 1)
    await store.challenges.expire(NOW + 1)
    assert list(await store.challenges.of("anna")) == ["new"]


async def test_a_flood_is_not_read_whole(store):
    for number in range(MAX_PER_PLAYER + 5):
        await store.challenges.note(f"g{number:02d}", "anna", NOW + number)
    found = await store.challenges.of("anna")
    assert (len(found), found[0]) == (MAX_PER_PLAYER, f"g{MAX_PER_PLAYER + 4:02d}")


async def test_a_challenge_is_passed_on_to_the_other_of_two(store):
    await store.challenges.note("game", "anna", NOW)
    for _ in range(2):
        await store.challenges.pass_on("game", "ben", NOW + 1)
    assert (list(await store.challenges.of("anna")), list(await store.challenges.of("ben"))) == ([], ["game"])
    await store.challenges.drop("game")
    assert list(await store.challenges.of("ben")) == []


async def test_whatever_waits_for_anybody_can_be_looked_through(store):
    assert list(await store.challenges.waiting()) == []
    for game, player in (("one", "anna"), ("two", "ben")):
        await store.challenges.note(game, player, NOW)
    assert sorted(await store.challenges.waiting()) == ["one", "two"]
