"""Who wants no invitations by mail, on every engine."""

NOW = 1_700_000_000_000


async def test_who_wants_none_is_known_after_a_restart(place):
    store = await place.open()
    assert not await store.unwanted_mail.is_unwanted("mark")
    await store.unwanted_mail.add("mark", NOW)
    await store.unwanted_mail.add("mark", NOW + 1)
    await store.close()
    store = await place.open()
    assert await store.unwanted_mail.is_unwanted("mark")
    assert not await store.unwanted_mail.is_unwanted("another")
