"""Seek alerts and the browsers to notify, on every engine."""

import asyncio
from dataclasses import replace

import pytest

from server.cli.checking import flaws_of
from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.seeks import MAX_ALERTS, Seek, Seeker
from server.storage.tables.accounts import Session, User
from server.storage.tables.push import MAX_DEVICES, Device
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.alerts import ANY, BENS, GRAND, MINUTE
from tests.support.storage.rated_games import count_all, played
from tests.support.storage.seeks import NOW

SEEK = Seek(
    *("s", "g", Seeker(Player("carla", "Carla"), True), ("grand",)),
    chess960=False,
    control=TimeControl.realtime(300_000, 0),
    color=None,
    rated=False,
    created=NOW,
)
PHONE = Device("https://push.example/1", "anna", "key", "secret", "es")


async def test_they_come_back_unchanged_even_after_a_restart(place):
    store = await place.open()
    for one in (GRAND, ANY, BENS):
        await store.alerts.add_alert(one, NOW)
    await store.close()
    store = await place.open()
    assert list(await store.alerts.alerts_of("anna", NOW)) == [ANY, GRAND]
    assert list(await store.alerts.alerts_of("anna", NOW + MINUTE)) == [GRAND]
    assert list(await store.alerts.alerts_of("ben", NOW)) == [BENS]


@pytest.mark.parametrize(
    ("alert", "seek", "matched"),
    [
        ({}, {}, True),
        ({"owner": "carla"}, {}, False),
        ({"variants": ()}, {"variants": ("acedrex",)}, True),
        ({}, {"variants": ()}, True),
        ({}, {"variants": ("acedrex", "gothic")}, False),
        ({}, {"variants": ("acedrex", "chess")}, True),
        ({"variants": ("grandhouse",)}, {}, False),
        ({}, {"control": TimeControl.realtime(60_000, 0)}, False),
        ({"speeds": ()}, {"control": TimeControl.realtime(60_000, 0)}, True),
        ({}, {"control": TimeControl.correspondence(3)}, True),
        ({"registered": False}, {"rated": True}, False),
        ({}, {"rated": True}, True),
        ({"until": NOW}, {}, False),
    ],
)
async def test_a_seek_finds_the_alerts_that_it_matches(store, alert, seek, matched):
    offered, sought = replace(GRAND, **alert), replace(SEEK, **seek)
    await store.alerts.add_alert(offered, NOW)
    assert list(await store.alerts.alerts_for(sought, NOW)) == ([offered] if matched else [])


async def test_when_too_many_match_the_latest_alerts_are_notified(store, monkeypatch):
    monkeypatch.setattr("server.storage.tables.alerts.MAX_NOTIFIED", 2)
    for one in (GRAND, ANY, BENS):
        await store.alerts.add_alert(one, NOW)
    assert list(await store.alerts.alerts_for(SEEK, NOW)) == [BENS, GRAND]


async def test_an_alert_takes_the_place_of_the_one_with_its_id(store):
    await store.alerts.add_alert(GRAND, NOW)
    longer = replace(GRAND, until=GRAND.until + 1)
    await store.alerts.add_alert(longer, NOW)
    assert await store.alerts.alerts_of(GRAND.owner, GRAND.until - 1) == [longer]


async def test_only_its_owner_ends_it(store):
    await store.alerts.add_alert(GRAND, NOW)
    assert not await store.alerts.remove_alert(GRAND.id, "ben")
    assert await store.alerts.remove_alert(GRAND.id, "anna")
    assert not await store.alerts.remove_alert(GRAND.id, "anna")


async def test_nobody_is_notified_twice_within_the_time(store):
    asked = [store.alerts.claim_notification("anna", NOW, NOW - 10 * MINUTE) for _ in range(6)]
    assert sum(await asyncio.gather(*asked)) == 1
    assert await store.alerts.claim_notification("ben", NOW, NOW - 10 * MINUTE)
    later = NOW + 10 * MINUTE - 1
    assert not await store.alerts.claim_notification("anna", later, later - 10 * MINUTE)
    asked = [store.alerts.claim_notification("anna", later + 1, NOW) for _ in range(6)]
    assert sum(await asyncio.gather(*asked)) == 1


async def test_what_is_over_is_forgotten(store):
    for one in (GRAND, ANY, BENS):
        await store.alerts.add_alert(one, NOW)
    await store.alerts.claim_notification("anna", NOW, 0)
    await store.alerts.expire(NOW + MINUTE, notified_before=NOW)
    assert list(await store.alerts.alerts_of("anna", 0)) == [GRAND]
    assert not await store.alerts.claim_notification("anna", NOW + 1, NOW - 1)
    await store.alerts.expire(NOW + MINUTE, notified_before=NOW + 1)
    assert await store.alerts.claim_notification("anna", NOW + 1, NOW - 1)


async def test_nothing_is_left_of_a_deleted_account(store):
    for one in (GRAND, BENS):
        await store.alerts.add_alert(one, NOW)
    await store.push.keep(PHONE)
    await store.push.keep(replace(PHONE, endpoint="https://push.example/2", owner="ben"))
    await store.alerts.forget("anna")
    await store.push.forget("anna")
    assert list(await store.alerts.alerts_of("anna", NOW)) == []
    assert list(await store.alerts.alerts_of("ben", NOW)) == [BENS]
    assert await store.push.of("anna") == []
    assert len(await store.push.of("ben")) == 1


async def test_whoever_takes_over_from_many_guests_has_no_more_than_anybody(store):
    guests = [f"guest{number}" for number in range(4)]
    for nth, guest in enumerate(guests):
        for each in range(MAX_ALERTS):
            alert = replace(GRAND, id=f"{nth}{each}{GRAND.id}"[:10], owner=guest, until=GRAND.until + 10 * nth + each)
            assert await store.alerts.add_alert(alert, NOW)
        for each in range(MAX_DEVICES):
            at = NOW + 100 * nth + each
            await store.push.keep(replace(PHONE, endpoint=f"https://push.example/{at}", owner=guest, at=at))

    async def taken_over(guest):
        await store.alerts.hand_over(guest, "anna")
        await store.push.hand_over(guest, "anna")

    await asyncio.gather(*map(taken_over, guests))
    kept = await store.alerts.alerts_of("anna", NOW)
    assert [one.until for one in kept] == [GRAND.until + 30 + each for each in range(MAX_ALERTS)]
    assert sorted(one.at for one in await store.push.of("anna")) == [NOW + 300 + each for each in range(MAX_DEVICES)]


async def test_alerts_of_a_guest_go_with_them(store):
    """Anna has not been here for long, and the host has deleted her only game."""
    for person in ("anna", "ben"):
        await store.add_guest(User(person, "SwiftOwl42", guest=True, created=NOW), Session(person, person, NOW, NOW))
    for one in (GRAND, BENS):
        await store.alerts.add_alert(one, NOW)
    assert await store.alerts.claim_notification("anna", NOW, NOW - 1)
    for owner in ("anna", "ben"):
        await store.push.keep(replace(PHONE, endpoint=f"https://push.example/{owner}", owner=owner))
    await played(store, "gone", Player("anna", "Anna"), Player("ben", "Ben"), rated=False)
    await count_all(store)
    await store.deletion.delete_games(["gone"])
    await store.touch_session("ben", NOW + MINUTE)
    assert await store.accounts.purge(NOW + 1, 0, NOW, 10) == 1
    assert [(flaw.kind, flaw.what) async for flaw in flaws_of(store.records, VARIANTS)] == []
    assert [list(await store.alerts.alerts_of(owner, NOW)) for owner in ("anna", "ben")] == [[], [BENS]]
    assert [len(await store.push.of(owner)) for owner in ("anna", "ben")] == [0, 1]
    assert await store.alerts.claim_notification("anna", NOW, NOW - 1), "nothing is known of them"
    assert list(await store.ratings.perfs("anna")) == []


async def test_alerts_of_a_guest_move_to_their_account(store):
    for one in (ANY, BENS):
        await store.alerts.add_alert(one, NOW)
    await store.push.keep(PHONE)
    for _ in range(2):
        await store.alerts.hand_over("anna", "member")
        await store.push.hand_over("anna", "member")
    assert list(await store.alerts.alerts_of("member", NOW)) == [replace(ANY, owner="member", registered=True)]
    assert list(await store.push.of("member")) == [replace(PHONE, owner="member")]
    assert await store.alerts.alerts_of("anna", NOW) == []
    assert await store.push.of("anna") == []
    assert list(await store.alerts.alerts_of("ben", NOW)) == [BENS]


async def test_a_browser_belongs_to_the_last_person_who_used_it(store):
    await store.push.keep(PHONE)
    await store.push.keep(replace(PHONE, endpoint="https://push.example/0", language="en"))
    await store.push.keep(replace(PHONE, owner="ben", auth="other"))
    assert [one.endpoint for one in await store.push.of("anna")] == ["https://push.example/0"]
    assert list(await store.push.of("ben")) == [replace(PHONE, owner="ben", auth="other")]
    await store.push.drop(PHONE.endpoint)
    await store.push.drop(PHONE.endpoint)
    assert await store.push.of("ben") == []
