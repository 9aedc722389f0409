"""Which mails have been begun, and by whom, on every engine."""

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
