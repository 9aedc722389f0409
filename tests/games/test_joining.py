"""Who may join, without a store: places of an invitation, answers to a request, and what guests may do."""

from itertools import product

import pytest

from server.games.errors import NotAllowed
from server.games.frozen import replace
from server.games.joining import (
    CODE_LENGTH,
    CODE_LETTERS,
    FEW_OF_NETWORK,
    GUESTS_MAY,
    MOST_OF_NETWORK,
    MOST_REQUESTS,
    UNFINISHED_MS,
    Answer,
    Guests,
    Invitation,
    JoinRequest,
    Place,
    Way,
    check_guest,
    check_invitation,
    check_queue,
    next_place,
    read_code,
    with_answer,
    written,
)
from server.games.player import Player

NOW = 1_700_000_000_000
HOST, MODERATOR = Player("host", "Hilda"), Player("mod", "Mona")
INVITATION = Invitation("23456789AB", "", HOST, 2, NOW, NOW + 9)
REQUEST = JoinRequest("nuri", "Nuri", "hash", "Hello.", NOW)


def test_an_invitation_is_good_from_its_making_to_its_end():
    assert check_invitation(INVITATION, NOW) == INVITATION
    assert check_invitation(INVITATION, NOW + 8) == INVITATION
    for one, now in ((INVITATION, NOW - 1), (INVITATION, NOW + 9), (None, NOW)):
        with pytest.raises(NotAllowed, match="invitation_over"):
            check_invitation(one, now)


def test_a_place_is_free_again_once_who_took_it_has_made_no_account_of_it_for_an_hour():
    first, second = (Place(INVITATION.code, number, f"user{number}", f"name{number}", NOW) for number in (1, 2))
    later = NOW + UNFINISHED_MS
    assert next_place(INVITATION, [], (), NOW) == 1
    assert next_place(INVITATION, [first], {"user1"}, later) == 2, "a new one first"
    assert next_place(INVITATION, [first, second], {"user2"}, later) == second
    for gone, now in (((), later), ({"user1", "user2"}, later - 1)):
        with pytest.raises(NotAllowed, match="invitation_used_up"):
            next_place(INVITATION, [first, second], gone, now)
    deleted = Place(INVITATION.code, 1, "", "", NOW)
    with pytest.raises(NotAllowed, match="invitation_used_up"):
        next_place(INVITATION, [deleted, second], {"user1"}, later)
    unlimited = Invitation("23456789AB", "", HOST, 0, NOW, NOW + 9)
    assert next_place(unlimited, [first, second], (), NOW) == 3


def test_a_code_is_read_as_people_type_it_from_paper():
    code = CODE_LETTERS[-CODE_LENGTH:]
    for typed in (code, written(code), written(code).lower(), f" {code[:3]} {code[3:]} "):
        assert read_code(typed) == code
    for other in ("", code[1:], f"{code}A", code[1:] + "0", code[1:] + "I", code[1:] + "é"):
        assert read_code(other) == ""


def test_the_first_answer_counts_and_who_was_refused_may_be_let_in_after_all():
    accepted = with_answer(REQUEST, Answer.ACCEPTED, HOST, NOW + 1)
    refused = with_answer(REQUEST, Answer.REFUSED, HOST, NOW + 1, "Full.")
    assert (accepted.rev, refused.rev, refused.reason, refused.answered) == (2, 2, "Full.", NOW + 1)
    assert with_answer(refused, Answer.REFUSED, HOST, NOW + 5, "Full.") == refused
    assert with_answer(refused, Answer.ACCEPTED, MODERATOR, NOW + 5).answer is Answer.ACCEPTED
    for before, answer in ((accepted, Answer.REFUSED), (accepted, Answer.ACCEPTED), (refused, Answer.REFUSED)):
        with pytest.raises(NotAllowed, match="request_answered"):
            with_answer(before, answer, MODERATOR, NOW + 5)


def test_an_answer_forgets_the_network_and_is_still_to_be_told():
    for mailbox in ("", "nuri@example.org"):
        after = with_answer(replace(REQUEST, network="mark", mailbox=mailbox), Answer.REFUSED, HOST, NOW + 1)
        assert (after.network, after.untold) == ("", bool(mailbox))


def test_a_network_has_a_share_of_the_queue_that_shrinks_when_many_wait():
    half = MOST_REQUESTS // 2
    for waiting, most in ((0, MOST_OF_NETWORK), (half - 1, MOST_OF_NETWORK), (half, FEW_OF_NETWORK)):
        check_queue(waiting, most - 1)
        with pytest.raises(NotAllowed, match="too_many_of_network"):
            check_queue(waiting, most)
    check_queue(MOST_REQUESTS - 1, 0)
    with pytest.raises(NotAllowed, match="too_many_requests_to_join"):
        check_queue(MOST_REQUESTS, 0)


@pytest.mark.parametrize(("guests", "way"), list(product(Guests, Way)))
def test_guests_may_what_the_host_lets_them(guests, way):
    allowed = guests is Guests.ALL or (guests is Guests.LINK and way in (Way.LINK, Way.COMPUTER))
    assert (way in GUESTS_MAY[guests]) == allowed
    if allowed:
        check_guest(guests, way)
        return
    with pytest.raises(NotAllowed, match="guests_only"):
        check_guest(guests, way)
