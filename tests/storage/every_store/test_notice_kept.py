"""The host's notice, on every engine."""

from server.storage.tables.notices import SiteNotice

NOW = 1_700_000_000_000
NOTICE = SiteNotice("We move on Sunday.\n\nGames go on.", posted=NOW, until=NOW + 1, restarts=NOW + 1)


async def test_there_is_one_notice_also_after_a_restart(place):
    store = await place.open()
    assert await store.notices.current() is None
    await store.notices.post(SiteNotice("An older one.", NOW - 5, NOW))
    await store.notices.post(NOTICE)
    await store.close()
    store = await place.open()
    assert await store.notices.current() == NOTICE


async def test_it_is_removed_once(store):
    await store.notices.post(NOTICE)
    assert await store.notices.remove()
    assert not await store.notices.remove()
    assert await store.notices.current() is None
