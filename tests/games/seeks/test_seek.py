"""Who may seek what, which seeks are compatible, and who sits where in the game that comes of it."""

from dataclasses import fields, replace

import pytest

from server.games.clocks.time_control import TimeControl
from server.games.errors import BadClock, BadSeek, NotAllowed, OwnSeek, RegisteredOnly
from server.games.seeks import (
    Pairing,
    Seek,
    Seeker,
    asks_the_same,
    check_seek,
    check_taker,
    common_variants,
    is_compatible,
    seats,
)
from tests.support.games import BLACK, BORIS, FIVE_MINUTES, START, WANDA, WHITE

GUEST, MEMBER = Seeker(WANDA, registered=False), Seeker(BORIS, registered=True)
BANK = TimeControl.bank(10, 1, 30)
ALL = ("chess", "crazyhouse", "grand", "acedrex")


def seek(**changes):
    made = Seek("s", "g", GUEST, ("grand",), False, FIVE_MINUTES, None, rated=False, created=START)
    return replace(made, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"control": TimeControl.unlimited()},
        {"control": TimeControl.realtime(0, 0)},
        {"control": TimeControl.correspondence(4)},
        {"control": TimeControl.bank(10, 1, 31)},
        {"control": TimeControl.realtime(60_000, 0, 30_000)},
        {"variants": ("a", "b", "c", "d", "e", "f")},
        {"variants": (), "chess960": True},
        {"variants": ("chess", "grand"), "chess960": True},
    ],
)
def test_impossible_seeks_are_refused(changes):
    with pytest.raises((BadSeek, BadClock)):
        check_seek(seek(**changes))


def test_rated_games_are_for_registered_people_on_both_sides():
    with pytest.raises(RegisteredOnly):
        check_seek(seek(rated=True))
    check_seek(seek(rated=True, maker=MEMBER))
    with pytest.raises(RegisteredOnly):
        check_taker(seek(rated=True, maker=MEMBER), GUEST)
    check_taker(seek(), MEMBER)


RANGES = [
    ({"lowest": 1400}, {"1400", "1600?", "2200"}, "seek_from"),
    ({"highest": 1600}, {"900?", "1400", "1600?"}, "seek_up_to"),
    ({"lowest": 1400, "highest": 1600}, {"1400", "1600?"}, "seek_between"),
]


@pytest.mark.parametrize(("range_", "fitting", "refusal"), RANGES)
def test_a_seek_with_a_range_is_for_people_with_such_a_rating(range_, fitting, refusal):
    sought = seek(maker=MEMBER, rating="1500?", **range_)
    check_seek(sought)
    with pytest.raises(RegisteredOnly):
        check_seek(seek(**range_))
    other = Seeker(WANDA, registered=True)
    for rating in ("900?", "1400", "1600?", "2200", ""):
        mine = seek(id="t", maker=other, rating=rating)
        fits = rating in fitting
        assert is_compatible(sought, mine) is is_compatible(mine, sought) is fits
        if fits:
            check_taker(sought, other, rating)
        else:
            with pytest.raises(NotAllowed, match=refusal):
                check_taker(sought, other, rating)
    with pytest.raises(RegisteredOnly):
        check_taker(sought, GUEST, "")
    assert not asks_the_same(sought, seek(maker=MEMBER))


def test_a_range_whose_ends_are_the_wrong_way_round_is_refused():
    with pytest.raises(BadSeek):
        check_seek(seek(maker=MEMBER, lowest=1600, highest=1400))


def test_players_cannot_take_their_own_seek():
    with pytest.raises(OwnSeek):
        check_taker(seek(), GUEST)


@pytest.mark.parametrize(
    ("standing", "wanted", "do"),
    [
        ({}, {}, True),
        ({"variants": ()}, {}, True),
        ({}, {"variants": ()}, True),
        ({"variants": ("chess", "grand")}, {"variants": ("grand", "acedrex")}, True),
        ({"variants": ("chess",)}, {}, False),
        ({"control": TimeControl.realtime(300_000, 0)}, {}, False),
        ({"control": BANK}, {"control": BANK}, True),
        ({"control": BANK}, {"control": TimeControl.bank(30, 1, 45)}, False),
        ({"control": BANK}, {"control": TimeControl.correspondence(10)}, False),
        ({"chess960": True}, {}, False),
        ({"rated": True}, {}, False),
        ({"color": WHITE}, {"color": WHITE}, False),
        ({"color": WHITE}, {"color": BLACK}, True),
        ({"color": WHITE}, {}, True),
    ],
)
def test_compatible_seeks_suit_each_other(standing, wanted, do):
    mine = seek(maker=MEMBER, **wanted)
    assert is_compatible(seek(**standing), mine) is do
    assert is_compatible(mine, seek(**standing)) is do


def test_two_seeks_of_one_player_never_suit_each_other():
    assert not is_compatible(seek(), seek(id="other"))


def test_the_pairing_chooses_a_variant_that_both_seek():
    assert common_variants(seek(variants=()), (), ALL) == list(ALL)
    assert common_variants(seek(variants=("grand", "chess")), (), ALL) == ["chess", "grand"]
    assert common_variants(seek(variants=("grand", "chess")), ("grand",), ALL) == ["grand"]
    with pytest.raises(NotAllowed):
        common_variants(seek(variants=("chess",)), ("grand",), ALL)


@pytest.mark.parametrize(("color", "expected"), [(WHITE, (WANDA, BORIS)), (BLACK, (BORIS, WANDA))])
def test_the_maker_sits_where_the_pairing_says(color, expected):
    assert seats(seek(), Pairing(BORIS, "grand", color)) == expected


def test_only_a_correspondence_seek_stands_with_the_browser_closed():
    assert seek(control=TimeControl.correspondence(3)).waits_for_days
    assert not seek().waits_for_days


ABOUT_THE_SEEK = {"id", "game", "maker", "created", "rating"}
"""What tells one seek from another, but not what is sought."""
SOUGHT = {"variants": ("chess",), "chess960": True, "control": BANK, "color": WHITE, "rated": True} | {
    "lowest": 1400,
    "highest": 1600,
}


def test_every_field_either_counts_or_is_about_the_seek():
    assert {field.name for field in fields(Seek)} == ABOUT_THE_SEEK | SOUGHT.keys()


@pytest.mark.parametrize("name", SOUGHT)
def test_whoever_seeks_something_else_does_not_ask_the_same(name):
    assert asks_the_same(seek(), seek(id="other", created=START + 1))
    assert not asks_the_same(seek(), seek(**{name: SOUGHT[name]}))
