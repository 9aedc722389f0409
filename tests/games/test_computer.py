"""Games against the computer: who may act for it, what it grants, how its clock runs, and what such a game is not."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.changes.beginning import new_game, rematch_of
from server.games.changes.ending import Flag, Resign
from server.games.changes.offers import GRANTED, AcceptOffer, MakeOffer
from server.games.clocks.clock import SPARED_SHARE
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.command import acting_side
from server.games.errors import BadTerms, NotAllowed
from server.games.events import OfferClosed, Offered, TookBack
from server.games.game import play
from server.games.judging import check_consistent
from server.games.news import is_news, spoken_to
from server.games.player import LEVELS, Player, computer_at, level_named
from server.games.state import OfferKind
from tests.support.games import (
    BLACK,
    FIVE_MINUTES,
    INVITE,
    START,
    WANDA,
    WHITE,
    after,
    computer_game,
    live_game,
    moved,
    open_game,
    over_game,
    proposed_game,
    running_game,
    terms,
)

WITHOUT_COMPUTER = [open_game, proposed_game, live_game, running_game, over_game]
MINUTE = 60_000


@pytest.mark.parametrize("make", WITHOUT_COMPUTER)
@pytest.mark.parametrize("own", [WHITE, BLACK])
def test_in_no_other_game_may_anybody_act_for_the_other_side(make, own):
    with pytest.raises(NotAllowed, match="not_for_computer"):
        acting_side(make(), own, for_computer=True)
    assert acting_side(make(), own, for_computer=False) is own


@given(
    level=st.integers(1, LEVELS),
    person=st.sampled_from([WHITE, BLACK]),
    own=st.sampled_from([WHITE, BLACK]),
    for_computer=st.booleans(),
)
def test_only_the_person_in_the_other_seat_acts_for_the_computer(level, person, own, for_computer):
    game = computer_game(level, person)
    assert game.computer is person.other
    if for_computer and own is not person:
        with pytest.raises(NotAllowed):
            acting_side(game, own, for_computer=True)
    else:
        assert acting_side(game, own, for_computer=for_computer) is (own.other if for_computer else own)


def test_the_computer_has_eight_levels_and_a_name_that_says_which():
    for level in range(1, LEVELS + 1):
        player = computer_at(level)
        assert (player.id, player.level, level_named(player.name)) == ("", level, level)
    for name in ("Computer (level 0)", "Computer (level 9)", "Computer", "Wanda", "xComputer (level 3)"):
        assert level_named(name) == 0
    for level in (-1, 0, LEVELS + 1):
        with pytest.raises(ValueError, match="no level"):
            computer_at(level)


def test_it_plays_no_rated_game_and_none_by_days():
    for asked, why in (
        (replace(terms(), rated=True), "computer_rated"),
        (terms(TimeControl.correspondence(3)), "computer_by_days"),
        (terms(TimeControl.bank(10, 1, 30)), "computer_by_days"),
    ):
        with pytest.raises(BadTerms, match=why):
            new_game("game", asked, START, WANDA, computer_at(3))


@pytest.mark.parametrize(
    ("white", "black", "invites"),
    [(computer_at(1), computer_at(2), (None, None)), (computer_at(1), None, (None, INVITE))],
)
def test_it_plays_neither_itself_nor_whoever_comes(white, black, invites):
    with pytest.raises(ValueError, match="a person who is there"):
        new_game("game", terms(), START, white, black, invites)


@pytest.mark.parametrize("thinks", [False, True])
def test_it_grants_a_takeback_at_once_back_to_the_turn_of_who_asked(thinks):
    game = moved(computer_game(), "e2e4 e7e5" + (" g1f3" if thinks else ""))
    back, events = play(game, MakeOffer(WHITE, OfferKind.TAKEBACK), START)
    assert [type(event) for event in events] == [OfferClosed, TookBack]
    assert (back.to_move, len(back.plies), back.offers) == (WHITE, 2 if thinks else 0, ())


def test_it_grants_as_many_takebacks_as_are_asked_for():
    game = computer_game()
    for _ in range(10):
        game = after(moved(game, "e2e4 e7e5"), MakeOffer(WHITE, OfferKind.TAKEBACK))
    assert len(game.plies) == 0


def test_a_rematch_is_agreed_on_at_once_with_colours_swapped():
    over = after(moved(computer_game(5), "e2e4 e7e5"), Resign(WHITE))
    again = after(over, MakeOffer(WHITE, OfferKind.REMATCH, "next"))
    assert again.next == "next"
    rematch = rematch_of(again, "next", START)
    assert (rematch.computer, rematch.white.level, rematch.black) == (WHITE, 5, WANDA)
    assert rematch.clock.spared is WHITE


def test_nobody_else_grants_what_the_computer_does():
    for kind in GRANTED:
        game = over_game() if kind is OfferKind.REMATCH else running_game()
        for color in (WHITE, BLACK):
            assert play(game, MakeOffer(color, kind, "next"), START)[1] == (Offered(1, kind, color),)


def test_about_a_draw_it_thinks():
    game = moved(computer_game(), "e2e4 e7e5")
    asked, events = play(game, MakeOffer(WHITE, OfferKind.DRAW), START)
    assert events == (Offered(1, OfferKind.DRAW, WHITE),)
    assert after(asked, AcceptOffer(BLACK, 1)).outcome.reason == "agreement"


def test_it_does_not_adjourn():
    game = moved(computer_game(control=FIVE_MINUTES), "e2e4 e7e5")
    with pytest.raises(NotAllowed, match="no_adjournment_computer"):
        play(game, MakeOffer(WHITE, OfferKind.ADJOURN), START)


@given(
    initial=st.integers(0, 600_000),
    increment=st.integers(0, 10_000),
    waits=st.lists(st.integers(0, 10 * DAY_MS), min_size=2, max_size=30),
)
def test_its_time_never_runs_out_however_long_nobody_thinks_for_it(initial, increment, waits):
    if not initial + increment:
        return
    control = TimeControl.realtime(0, 180_000, black_initial_ms=initial, black_increment_ms=increment)
    game, now = moved(computer_game(control=control), "g1f3 g8f6 f3g1"), START
    for wait in waits:
        before, now = game.clock.left_ms[BLACK.value], now + wait
        assert (game.to_move, game.deadline) == (BLACK, None)
        assert play(game, Flag(), now) == (game, ())
        assert game.clock.remaining(BLACK, now) == before - min(wait, before // SPARED_SHARE) > 0
        there_and_back = "f6g8 g1f3" if len(game.plies) % 4 == 3 else "g8f6 f3g1"
        game = replace(moved(game, there_and_back, now), keys=game.keys)


def test_a_person_runs_out_of_time_against_it_as_against_anybody():
    game = moved(computer_game(control=FIVE_MINUTES), "e2e4 e7e5")
    over = after(game, Flag(), now=START + 6 * MINUTE)
    assert (over.outcome.reason, over.outcome.winner) == ("time", BLACK)


def test_a_quick_computer_pays_what_it_took():
    game = moved(moved(computer_game(control=FIVE_MINUTES), "e2e4 e7e5 g1f3"), "b8c6", START + 2_000)
    assert game.plies[-1].left_ms == 300_000 - 2_000 + 3_000


def test_nobody_elsewhere_is_told_of_it():
    game = computer_game()
    assert not is_news(None, game)
    assert not is_news(game, moved(game, "e2e4"))
    assert is_news(None, live_game(control=TimeControl.unlimited()))


def test_nobody_is_told_what_is_said_to_it():
    assert spoken_to(computer_game(), WANDA.id) is None
    assert spoken_to(live_game(control=TimeControl.unlimited()), WANDA.id) is not None


@pytest.mark.parametrize(
    "changes",
    [
        {"terms": replace(terms(TimeControl.unlimited()), rated=True)},
        {"terms": terms(TimeControl.correspondence(3))},
        {"white": Player("", "Computer (level 3)", 3)},
        {"black": Player("", "Computer (level 9)", 9)},
    ],
)
def test_a_stored_game_that_it_would_not_play_is_damaged(changes):
    check_consistent(computer_game())
    with pytest.raises(ValueError, match=r"computer"):
        check_consistent(replace(computer_game(), **changes))
