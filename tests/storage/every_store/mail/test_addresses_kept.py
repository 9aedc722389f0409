"""The mail addresses of accounts, and of those who want no mail, on every engine."""

import asyncio
from dataclasses import replace
from functools import partial

from server.storage.tables.addresses import MailAddress, address_of, to_document

NOW = 1_700_000_000_000
ANNAS = MailAddress("anna", "anna@example.org", "es", NOW, wishes=("turn:at_once",))
SECOND = MailAddress(
    "anna", "a@example.net", "en", NOW + 1, confirmed=NOW + 2, refused=NOW + 3, bounced=NOW + 4, bounced_mail="a1b2"
)
BENS = MailAddress("ben", "anna@example.org", "en", NOW, letters="pbmserv")


async def test_addresses_are_listed_by_their_owner_also_after_a_restart(place):
    store = await place.open()
    for one in (ANNAS, SECOND, BENS):
        await store.addresses.add(one)
    await store.close()
    store = await place.open()
    assert list(await store.addresses.of("anna")) == [SECOND, ANNAS]
    assert list(await store.addresses.of("ben")) == [BENS]
    assert list(await store.addresses.of("carla")) == []


async def test_an_address_is_replaced_dropped_and_forgotten_for_one_owner_only(store):
    for one in (ANNAS, SECOND, BENS):
        await store.addresses.add(one)
    await store.addresses.add(replace(ANNAS, language="en"))
    assert list(await store.addresses.of("anna")) == [SECOND, ANNAS], "what is there stays"
    await store.addresses.change("anna", ANNAS.address, partial(replace, language="en"))
    assert list(await store.addresses.of("anna")) == [SECOND, replace(ANNAS, language="en")]
    await store.addresses.drop("anna", ANNAS.address)
    await store.addresses.drop("anna", ANNAS.address)
    assert list(await store.addresses.of("anna")) == [SECOND]
    await store.addresses.forget("anna")
    assert list(await store.addresses.of("anna")) == []
    assert list(await store.addresses.of("ben")) == [BENS]


async def test_a_removed_address_does_not_come_back_by_an_update(store):
    await store.addresses.add(ANNAS)
    confirmed = replace(ANNAS, confirmed=NOW + 9)
    assert await store.addresses.change("anna", ANNAS.address, lambda _: confirmed) == confirmed
    assert list(await store.addresses.of("anna")) == [confirmed]
    await store.addresses.drop("anna", ANNAS.address)
    assert await store.addresses.change("anna", ANNAS.address, partial(replace, refused=NOW)) is None
    assert list(await store.addresses.of("anna")) == []


async def test_of_two_changes_at_once_neither_is_undone(store):
    """Somebody unsubscribes while the mail server refuses a mail."""
    await store.addresses.add(ANNAS)
    changes = [{"wishes": ()}, {"refused": NOW}, {"letters": "pbmserv"}, {"bounced": NOW, "bounced_mail": "m"}]
    await asyncio.gather(*(store.addresses.change("anna", ANNAS.address, partial(replace, **one)) for one in changes))
    whole = {name: value for one in changes for name, value in one.items()}
    assert list(await store.addresses.of("anna")) == [replace(ANNAS, **whole)]


async def test_a_change_is_decided_again_if_the_same_was_changed_meanwhile(store):
    await store.addresses.add(ANNAS)

    def more(address):
        return replace(address, bounced=address.bounced + 1)

    await asyncio.gather(*(store.addresses.change("anna", ANNAS.address, more) for _ in range(3)))
    assert (await store.addresses.of("anna"))[0].bounced == ANNAS.bounced + 3


async def test_the_signing_key_is_made_once_and_stays(place):
    store = await place.open()
    key = await store.addresses.signing_key()
    assert len(key) == 32
    assert await store.addresses.signing_key() == key
    await store.close()
    assert await (await place.open()).addresses.signing_key() == key


def test_addresses_of_earlier_releases_have_the_letters_of_the_site():
    document = {name: value for name, value in to_document(BENS).items() if name != "letters"}
    assert address_of(document) == replace(BENS, letters="")


# Who wants no invitations by mail, on every engine.


async def test_who_wants_none_is_known_after_a_restart(place):
    store = await place.open()
    assert not await store.unwanted_mail.is_unwanted("mark")
    await store.unwanted_mail.add("mark", NOW)
    await store.unwanted_mail.add("mark", NOW + 1)
    await store.close()
    store = await place.open()
    assert await store.unwanted_mail.is_unwanted("mark")
    assert not await store.unwanted_mail.is_unwanted("another")
