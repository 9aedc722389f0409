"""What the host has decided about people, on every engine: its end, what it blocks, and that a host always remains."""

import random
from dataclasses import replace

import pytest

from server.games.clocks.time_control import DAY_MS
from server.games.desk import Role
from server.games.errors import NotAllowed
from server.games.player import Player
from server.games.sanctions import SHUT_OUT, Measure, Reason, Sanction
from server.realtime.services.desk import give_role_to_account
from server.realtime.services.sanctions import appeal_sanction, impose_sanction, keep_sanction, lift_sanction
from server.storage.tables.held_words import HeldWords
from server.storage.tables.sanctions import NETWORKS_KEPT_MS
from tests.support.storage.rated_games import ANNA, BERTA, CARL, register

NOW = 1_700_000_000_000
ROOT = Player("", "root")


def muted(number=1, whom=CARL, by=ROOT, measure=Measure.MUTE, until=NOW + 9):
    return Sanction(f"s{number}", whom, measure, Reason.SPAM, 'é "x"\n', "", by, NOW + number, until)


async def test_a_sanction_is_kept_until_it_ends_or_is_lifted(place):
    store = await place.open()
    for _ in range(2):
        await impose_sanction(store, muted(), NOW, network="d1ce", block_until=NOW + 5)
    await store.close()
    store = await place.open()
    assert await store.sanctions.standing(NOW) == [muted()]
    assert await store.sanctions.standing(NOW + 9) == []
    assert await store.sanctions.is_blocked("d1ce", NOW + 4)
    assert not await store.sanctions.is_blocked("d1ce", NOW + 5)
    assert await lift_sanction(store, muted(), ROOT, NOW + 2)
    assert not await lift_sanction(store, muted(), ROOT, NOW + 3)
    assert not await store.sanctions.is_blocked("d1ce", NOW + 2)
    assert await store.sanctions.of(CARL.id) == [replace(muted(), ended=NOW + 2)]
    assert [one.deed for one in await store.desk.entries_about(CARL.id)] == ["sanction", "pardon"]
    await store.sanctions.expire(NOW + 9, NOW + 1)
    assert len(await store.sanctions.of(CARL.id)) == 1
    await store.sanctions.expire(NOW + 9, NOW + 2)
    assert await store.sanctions.of(CARL.id) == []


@pytest.mark.parametrize("others_came", [False, True])
async def test_who_decides_again_what_a_crash_kept_from_being_stored_takes_up_what_was_noted(
    place, monkeypatch, others_came
):
    store = await place.open()
    await register(store, ANNA, CARL)
    write_if = store.desk._table.write_if

    async def crash(first, *_):
        return await write_if(first)

    with monkeypatch.context() as patch:
        patch.setattr(store.desk._table, "write_if", crash)
        await impose_sanction(store, muted(1), NOW + 1, once=True)
    assert await store.sanctions.of(CARL.id) == []
    if others_came:
        await impose_sanction(store, muted(2, ANNA), NOW + 2)
    again = muted(3, until=NOW + 11)
    assert await impose_sanction(store, again, NOW + 3, once=True) == muted(1)
    assert await store.sanctions.of(CARL.id) == [muted(1)]
    about = [line.id for line in await store.desk.log(NOW + 9, 9) if line.whom == CARL]
    assert about == ["sanction s1"], "one decision is one line"
    assert await impose_sanction(store, muted(4, until=NOW + 12), NOW + 4, once=True) == muted(1)


async def test_a_decision_that_was_noted_and_would_be_over_is_taken_anew(place, monkeypatch):
    store = await place.open()
    write_if = store.desk._table.write_if

    async def crash(first, *_):
        return await write_if(first)

    with monkeypatch.context() as patch:
        patch.setattr(store.desk._table, "write_if", crash)
        await impose_sanction(store, muted(1), NOW + 1, once=True)
    late = muted(20, until=NOW + 28)
    assert await impose_sanction(store, late, NOW + 20, once=True) == late
    assert await store.sanctions.of(CARL.id) == [late]


async def test_an_appeal_waits_until_it_is_decided(place):
    store = await place.open()
    await impose_sanction(store, muted(until=0), NOW)
    await appeal_sanction(store, "s1", CARL.id, "Why?", NOW + 1)
    with pytest.raises(NotAllowed, match="appeal_over"):
        await appeal_sanction(store, "s1", BERTA.id, "Why?", NOW + 1)
    (waits,) = await store.sanctions.appeals()
    assert waits.appeal == "Why?"
    assert await keep_sanction(store, waits, ROOT, NOW + 2)
    assert not await keep_sanction(store, waits, ROOT, NOW + 3)
    assert await store.sanctions.appeals() == []
    await store.sanctions.confirm("s1", BERTA.id, NOW + 4)
    await store.sanctions.confirm("s1", CARL.id, NOW + 5)
    (kept,) = await store.sanctions.standing(NOW + 6)
    assert (kept.answered, kept.seen) == (NOW + 2, NOW + 5)


async def test_what_is_about_somebody_goes_to_an_heir_and_with_them(place):
    store = await place.open()
    await impose_sanction(store, muted(until=0), NOW)
    await store.sanctions.note_network(CARL.id, "d1ce", NOW)
    await store.sanctions.hand_over(CARL.id, BERTA)
    assert [one.person for one in await store.sanctions.of(BERTA.id)] == [BERTA]
    await store.forget_owned(BERTA.id)
    assert await store.sanctions.of(BERTA.id) == []
    assert await store.sanctions.network_of_guest(CARL.id) == "d1ce"
    await store.sanctions.expire(NOW + NETWORKS_KEPT_MS + 1, NOW)
    assert await store.sanctions.network_of_guest(CARL.id) == ""


async def test_of_two_who_change_the_held_words_one_does(place):
    store = await place.open()
    assert await store.held_words.change(HeldWords(), ("darn",))
    assert not await store.held_words.change(HeldWords(), ("drat",))
    assert await store.held_words.change(await store.held_words.read(), ("drat", "é"))
    assert await store.held_words.read() == HeldWords(("drat", "é"), 2)


@pytest.mark.parametrize("seed", range(4))
async def test_no_sequence_leaves_a_site_without_a_host_who_can_come_in(place, seed):
    """People give and take roles, suspend, close and lift in any order; what they may not is refused."""
    store, drawn = await place.open(), random.Random(seed)
    await register(store, ANNA, BERTA, CARL)
    people = [ANNA, BERTA, CARL]
    accounts = {one.id: await store.accounts.of_user(one.id) for one in people}
    await give_role_to_account(
        *(store.desk, store.accounts, store.sanctions, accounts[ANNA.id], Role.HOST, ROOT, NOW),
    )
    done = 0
    for number in range(60):
        now, by, whom = NOW + number * DAY_MS // 4, drawn.choice([ROOT, *people]), drawn.choice(people)
        try:
            match drawn.randrange(3):
                case 0:
                    role = drawn.choice([*Role, None])
                    await give_role_to_account(
                        *(store.desk, store.accounts, store.sanctions, accounts[whom.id], role, by, now)
                    )
                case 1:
                    measure, until = drawn.choice([*SHUT_OUT, Measure.MUTE]), drawn.choice([0, now + DAY_MS])
                    await impose_sanction(store, replace(muted(number, whom, by, measure, until), at=now), now)
                case 2:
                    for one in await store.sanctions.of(whom.id):
                        await lift_sanction(store, one, by, now)
            done += 1
        except NotAllowed:
            pass
        out = {one.person.id for one in await store.sanctions.standing(now) if one.measure in SHUT_OUT}
        assert set((await store.desk.read()).hosts) - out, (seed, number)
    assert done > 9


async def test_an_address_is_kept_out_as_long_as_the_longest_sanction_says_and_then_forgotten(store):
    for until in (NOW + 5, NOW + 9, NOW + 7, NOW + 9):
        await store.sanctions.keep_out(["d1ce", "cafe"], until)
    assert await store.sanctions.kept_out(["d1ce", "f00d"], NOW + 8) == {"d1ce": NOW + 9}
    assert await store.sanctions.kept_out(["d1ce"], NOW + 9) == {}
    assert await store.sanctions.let_in("cafe")
    assert not await store.sanctions.let_in("cafe")
    assert await store.sanctions.kept_out(["cafe"], NOW) == {}
    await store.sanctions.expire(NOW + 9, NOW)
    assert await store.sanctions.let_in("d1ce"), "not forgotten too early"
    await store.sanctions.keep_out(["d1ce"], NOW + 9)
    await store.sanctions.expire(NOW + 10, NOW)
    assert not await store.sanctions.let_in("d1ce")
