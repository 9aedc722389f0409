"""Who may be shown among those who are on the site, on every engine."""

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
