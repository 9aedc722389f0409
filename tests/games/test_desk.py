"""Roles at the host's desk: whatever is done in whatever order, a site that has had a host has one."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from server.games.desk import (
    CLAIM_KEPT_MS,
    MOST_ROLES,
    ROOMS,
    Desk,
    Role,
    Room,
    about_to_leave,
    claimed,
    staying,
    with_claim,
    with_role,
)
from server.games.errors import NotAllowed

NOW = 1_700_000_000_000
PEOPLE = ("anna", "ben", "carla")


@given(st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from([*Role, None, "claim", "leaves", "stays"]))))
def test_no_series_of_changes_leaves_a_site_without_a_host(changes):
    desk, had_host = Desk(), False
    for person, role in changes:
        if role == "claim":
            desk = claimed(with_claim(desk, person, NOW), person, person, NOW + 1)
        elif role == "stays":
            desk = staying(desk, person)
            assert person not in desk.leaving
        elif role == "leaves" and desk.hosts != (person,):
            before, desk = desk, about_to_leave(desk, person)
            assert desk.roles == before.roles
            assert (person in desk.leaving) == (desk.role_of(person) is not None)
        elif role == "leaves":
            with pytest.raises(NotAllowed, match="last_host"):
                about_to_leave(desk, person)
        elif desk.hosts == (person,) and role is not Role.HOST:
            with pytest.raises(NotAllowed, match="last_host"):
                with_role(desk, person, role)
        else:
            desk = with_role(desk, person, role)
        had_host = had_host or bool(desk.hosts)
        assert bool(desk.hosts) == had_host
        assert len(dict(desk.roles)) == len(desk.roles)


def test_a_link_is_good_once_and_for_an_hour_and_only_the_last_one():
    first = with_claim(Desk(), "one", NOW)
    second = with_claim(first, "two", NOW)
    for desk, code, at in (
        (Desk(), "", NOW),
        (first, "", NOW),
        (first, "two", NOW),
        (second, "one", NOW),
        (first, "one", NOW + CLAIM_KEPT_MS),
        (claimed(first, "anna", "one", NOW), "one", NOW),
    ):
        with pytest.raises(NotAllowed) as refused:
            claimed(desk, "ben", code, at)
        assert refused.value.id == "claim_over"
    assert claimed(second, "ben", "two", NOW + CLAIM_KEPT_MS - 1).role_of("ben") is Role.HOST


def test_a_moderator_who_opens_the_link_becomes_host():
    desk = with_claim(with_role(Desk(), "anna", Role.MODERATOR), "one", NOW)
    assert claimed(desk, "anna", "one", NOW).roles == (("anna", Role.HOST),)


def test_roles_are_bounded_and_only_a_host_gives_them():
    desk = Desk(tuple((str(number), Role.HOST) for number in range(MOST_ROLES)))
    with pytest.raises(NotAllowed):
        with_role(desk, "one more", Role.MODERATOR)
    assert claimed(with_claim(desk, "one", NOW), "one more", "one", NOW).role_of("one more") is Role.HOST
    assert with_role(desk, "0", Role.MODERATOR).role_of("0") is Role.MODERATOR
    assert [role for role, rooms in ROOMS.items() if Room.ROLES in rooms] == [Role.HOST]
