"""Who may join a site, invitations and requests to join, on every engine."""

import asyncio
from dataclasses import replace

import pytest

from server.games.desk import Deed
from server.games.errors import NotAllowed
from server.games.joining import (
    ENDED_KEPT_MS,
    MOST_INVITATIONS,
    MOST_OF_NETWORK,
    NAME_HELD_MS,
    REQUEST_KEPT_MS,
    UNFINISHED_MS,
    Answer,
    Guests,
    Invitation,
    Joining,
    JoinRequest,
    NotWelcome,
    SignUp,
)
from server.games.site_settings import SiteSettings
from server.realtime.services.joining import (
    BETWEEN_WRITES_MS,
    answer_request,
    ask_to_join,
    choose_joining,
    end_request,
    expire_joining,
    make_invitation,
    revoke_invitation,
    take_place,
)
from server.storage.errors import Unavailable
from server.storage.tables.accounts import Account
from tests.support.storage.accounts import guest, session
from tests.support.storage.rated_games import ANNA, BERTA, CARL

NOW = 1_700_000_000_000
CODE = "23456789AB"
ASKED = Joining(SignUp.ASKED, Guests.LINK, "Who are you, José?")


def invitation(uses=2, code=CODE, until=NOW + 9, made=NOW):
    return Invitation(code, "Poster", ANNA, uses, made, until)


def request(name="Nuri", asked=NOW):
    return JoinRequest(name.lower(), name, "hash", "I play\nhere.", asked, "nuri@example.org", "es")


async def log_of(store):
    return [(one.by.name, one.deed, one.detail) for one in await store.desk.log(NOW * 2, 999)][::-1]


async def test_what_the_host_chooses_is_kept_with_its_line_also_after_a_restart(place):
    store = await place.open()
    assert await store.site_settings.read() == SiteSettings()
    for _ in range(2):
        await choose_joining(store, ASKED, ANNA, NOW)
    await store.close()
    store = await place.open()
    assert await store.site_settings.read() == SiteSettings(ASKED, rev=1)
    assert await log_of(store) == [(ANNA.name, Deed.JOINING, "asked link Who are you, José?")]


async def test_of_two_hosts_who_choose_at_once_both_have_chosen_in_some_order(store):
    closed = Joining(SignUp.CLOSED)
    await asyncio.gather(choose_joining(store, ASKED, ANNA, NOW), choose_joining(store, closed, BERTA, NOW))
    found = await store.site_settings.read()
    assert found.rev == 2
    assert found.joining in (ASKED, closed)
    assert len(await log_of(store)) == 2


@pytest.mark.parametrize("part", ["site_settings", "requests"])
async def test_a_crash_between_a_change_and_its_line_loses_no_line(store, monkeypatch, part):
    """A step of the log that never arrives: the record itself has the line, and the next look files it."""
    await ask_to_join(store, request())
    table = store.site_settings._table if part == "site_settings" else store.joining._requests
    write_if = table.write_if

    async def crash(first, *_):
        return await write_if(first)

    async def change():
        if part == "site_settings":
            await choose_joining(store, ASKED, ANNA, NOW)
        else:
            await answer_request(store, "nuri", Answer.ACCEPTED, ANNA, NOW)

    monkeypatch.setattr(table, "write_if", crash)
    await change()
    monkeypatch.undo()
    assert await log_of(store) == []
    await change()
    assert len(await log_of(store)) == 1


async def test_of_those_who_want_the_last_place_at_once_one_gets_it_and_repeating_takes_no_second(store):
    await make_invitation(store, invitation(uses=3, until=NOW + UNFINISHED_MS))
    people = [f"person{number}" for number in range(8)]
    tries = await asyncio.gather(*(take_place(store, CODE, one, one, NOW) for one in people), return_exceptions=True)
    assert sorted(type(one).__name__ for one in tries) == ["NoneType"] * 3 + ["NotWelcome"] * 5
    taken = await store.joining.places(CODE)
    assert [one.number for one in taken] == [1, 2, 3]
    for one in taken:
        await take_place(store, CODE, one.user, one.name, NOW + 1)
    assert await store.joining.places(CODE) == taken
    await take_place(store, CODE, taken[1].user, "other", NOW + 1)
    assert [(one.number, one.name) for one in await store.joining.places(CODE)][1] == (2, "other"), "who chose anew"
    with pytest.raises(NotWelcome):
        await take_place(store, CODE, "another guest", "another name", NOW + BETWEEN_WRITES_MS - 1)
    with pytest.raises(Unavailable):
        await take_place(store, CODE, "another guest", taken[0].name, NOW + BETWEEN_WRITES_MS - 1)
    await take_place(store, CODE, "another guest", taken[0].name, NOW + BETWEEN_WRITES_MS)
    assert (await store.joining.places(CODE))[0].user == "another guest", "whose cookie was lost"


async def gets_an_account(store, person):
    await guest(store, person.id, f"{person.id} before")
    account = Account(person.name.lower(), person.id, person.name, "hash", NOW)
    await store.accounts.register(account, session(f"{person.id} now", person.id), f"{person.id} before")


async def test_a_place_of_which_an_account_was_made_lets_in_nobody_else_whatever_name_they_type(store):
    await make_invitation(store, invitation(uses=1, until=NOW + UNFINISHED_MS))
    await take_place(store, CODE, CARL.id, "a name that is held", NOW)
    await take_place(store, CODE, CARL.id, "carl", NOW + 1)
    await gets_an_account(store, CARL)
    later = NOW + 2 * BETWEEN_WRITES_MS
    for name in ("a name that is held", "carl", "somebody"):
        for person in (ANNA.id, CARL.id):
            if (person, name) != (CARL.id, "carl"):
                with pytest.raises(NotWelcome):
                    await take_place(store, CODE, person, name, later)


async def test_of_two_guests_with_one_name_only_one_gets_in_by_the_place_that_both_have_taken(store):
    await make_invitation(store, invitation(uses=1, until=NOW + UNFINISHED_MS))
    await take_place(store, CODE, CARL.id, "carl", NOW)
    await take_place(store, CODE, ANNA.id, "carl", NOW + BETWEEN_WRITES_MS)
    await gets_an_account(store, CARL)
    with pytest.raises(NotWelcome):
        await take_place(store, CODE, ANNA.id, "anna", NOW + 2 * BETWEEN_WRITES_MS)


async def test_a_place_without_an_account_goes_to_one_of_two_who_want_it(store):
    await make_invitation(store, invitation(uses=1, until=NOW + 2 * UNFINISHED_MS))
    await take_place(store, CODE, CARL.id, "carl", NOW)
    later = NOW + UNFINISHED_MS
    tries = await asyncio.gather(
        *(take_place(store, CODE, one.id, one.name, later) for one in (ANNA, BERTA)), return_exceptions=True
    )
    assert sorted(type(one).__name__ for one in tries) == ["NoneType", "NotWelcome"]
    (kept,) = await store.joining.places(CODE)
    assert (kept.number, kept.at) == (1, later)


async def test_an_invitation_that_is_over_or_ended_lets_nobody_in_and_is_listed_for_a_while(store):
    await make_invitation(store, invitation())
    await make_invitation(store, invitation(code="CDEFGHJKMN", uses=0, until=NOW + 5))
    sent_twice = replace(invitation(), made=NOW + 1, until=invitation().until + 1)
    await make_invitation(store, sent_twice)
    with pytest.raises(NotWelcome, match="invitation_other"):
        await make_invitation(store, replace(sent_twice, note="another"))
    await take_place(store, CODE, BERTA.id, "berta", NOW)
    for _ in range(2):
        await revoke_invitation(store, CODE, CARL, NOW + 2)
    for code, now in ((CODE, NOW + 2), ("CDEFGHJKMN", NOW + 5), ("PQRSTUVWXY", NOW)):
        with pytest.raises(NotAllowed, match="invitation_over"):
            await take_place(store, code, ANNA.id, "anna", now)
    assert [one.code for one in await store.joining.invitations(9)] == ["CDEFGHJKMN", CODE]
    await expire_joining(store, NOW + 2 + ENDED_KEPT_MS + 1)
    assert [one.code for one in await store.joining.invitations(9)] == ["CDEFGHJKMN"]
    assert list(await store.joining.places(CODE)) == []
    assert await log_of(store) == [
        *((ANNA.name, Deed.INVITED, detail) for detail in ("2345… Poster", "CDEF… Poster")),
        (CARL.name, Deed.REVOKED, "2345… Poster"),
    ]


async def test_only_so_many_invitations_are_good_at_once(store, monkeypatch):
    monkeypatch.setattr("server.realtime.services.joining.MOST_INVITATIONS", 1)
    await make_invitation(store, invitation())
    with pytest.raises(NotAllowed, match="too_many_invitations"):
        await make_invitation(store, invitation(code="CDEFGHJKMN"))
    await make_invitation(store, invitation(code="CDEFGHJKMN", made=NOW + 9, until=NOW + 20))
    assert MOST_INVITATIONS > 1


async def test_who_is_deleted_leaves_their_place_taken_but_not_their_name(store):
    await make_invitation(store, invitation())
    await take_place(store, CODE, BERTA.id, "berta", NOW)
    await store.forget_owned(BERTA.id)
    assert [(one.number, one.user) for one in await store.joining.places(CODE)] == [(1, "")]


async def test_of_two_answers_at_once_one_counts_with_its_line(store):
    assert await ask_to_join(store, request())
    assert not await ask_to_join(store, replace(request(), password="another"))
    accept = answer_request(store, "nuri", Answer.ACCEPTED, ANNA, NOW + 1)
    refuse = answer_request(store, "nuri", Answer.REFUSED, BERTA, NOW + 1, "Full.")
    tries = await asyncio.gather(accept, refuse, return_exceptions=True)
    found = await store.joining.request("nuri")
    assert found in tries
    lines = [line for line in await log_of(store) if line[1] is not Deed.ACCEPTED or found.answer is Answer.ACCEPTED]
    assert (found.by.name, Deed(found.answer.value), f"Nuri {found.reason}".strip()) in lines
    assert found.password == "hash"


async def test_requests_are_listed_by_answer_and_forgotten_in_time(store):
    for number, name in enumerate(("Late", "Full", "Here", "Soon")):
        await ask_to_join(store, request(name, NOW + number))
    await answer_request(store, "full", Answer.REFUSED, ANNA, NOW, "No room.")
    await answer_request(store, "here", Answer.ACCEPTED, ANNA, NOW + 9)
    waiting = await store.joining.requests(Answer.WAITING, 9)
    assert [one.name for one in waiting] == ["Late", "Soon"]
    assert await store.joining.count_waiting() == 2
    await expire_joining(store, NOW + NAME_HELD_MS)
    assert (await store.joining.request("full")).reason == "No room."
    await expire_joining(store, NOW + NAME_HELD_MS + 1)
    assert await store.joining.request("full") is None
    await expire_joining(store, NOW + REQUEST_KEPT_MS + 1)
    assert await store.joining.request("late") is None
    assert await store.joining.request("soon") is not None
    here = await store.joining.request("here")
    await end_request(store, replace(here, rev=1))
    assert await store.joining.request("here") == here, "it is not as it was read"
    await end_request(store, here)
    assert await store.joining.request("here") is None
    with pytest.raises(NotAllowed, match="no_request"):
        await answer_request(store, "here", Answer.REFUSED, ANNA, NOW)


async def test_a_network_has_a_share_of_the_queue(store):
    for number in range(MOST_OF_NETWORK):
        assert await ask_to_join(store, replace(request(f"name{number}"), network="mark"))
    with pytest.raises(NotWelcome, match="too_many_of_network"):
        await ask_to_join(store, replace(request("Nuri"), network="mark"))
    assert await ask_to_join(store, replace(request("Nuri"), network="other"))
    assert await ask_to_join(store, request("Olga")), "nobody knows from where"
    await answer_request(store, "name0", Answer.REFUSED, ANNA, NOW)
    assert await ask_to_join(store, replace(request("Paul"), network="mark"))


async def test_a_name_that_is_held_can_be_neither_asked_for_nor_accepted(store):
    await gets_an_account(store, CARL)
    assert await ask_to_join(store, request("Karl"))
    await store.accounts.delete(await store.accounts.find("Carl"), NOW + 9)
    assert not await ask_to_join(store, request("Carl"))
    await gets_an_account(store, replace(BERTA, name="Karl"))
    await store.accounts.delete(await store.accounts.find("Karl"), NOW + 9)
    with pytest.raises(NotWelcome, match="name_held"):
        await answer_request(store, "karl", Answer.ACCEPTED, ANNA, NOW)
    assert (await store.joining.request("karl")).answer is Answer.WAITING
    assert await answer_request(store, "karl", Answer.REFUSED, ANNA, NOW, "Choose another name.")


async def test_an_answer_is_to_be_mailed_until_that_was_noted_and_so_is_another_one(store):
    await ask_to_join(store, request())
    await ask_to_join(store, replace(request("Olga"), mailbox=""))
    assert await store.joining.untold(9) == []
    await answer_request(store, "olga", Answer.ACCEPTED, ANNA, NOW)
    refused = await answer_request(store, "nuri", Answer.REFUSED, ANNA, NOW)
    assert await store.joining.untold(9) == [refused]
    accepted = await answer_request(store, "nuri", Answer.ACCEPTED, ANNA, NOW + 1)
    await store.joining.note_told(refused)
    assert await store.joining.untold(9) == [accepted], "that was about the answer before"
    await store.joining.note_told(accepted)
    assert await store.joining.untold(9) == []
