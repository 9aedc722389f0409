"""What is different in a game of a tournament: berserk, no way to put it off, and what its end means there."""

import pytest

from server.games.changes.ending import Abort, Expire, GoBerserk, Resign
from server.games.changes.offers import MakeOffer
from server.games.errors import NotAllowed
from server.games.frozen import replace
from server.games.game import play
from server.games.state import OfferKind
from server.games.tournaments.tournament import Pairing, result_of
from server.storage.documents import to_document
from server.storage.replay import from_document
from tests.support.games import BLACK, BORIS, START, VARIANTS, WANDA, WHITE, kinds, live_game, moved

PAIRING = Pairing("game", 1, 0, WANDA.id, BORIS.id, START)


def arena_game(*moves):
    return moved(replace(live_game(), tournament="cup"), " ".join(moves))


def test_berserk_costs_half_of_the_time_and_all_increments():
    game, events = play(arena_game(), GoBerserk(WHITE), START)
    assert (kinds(events), game.clock.left_ms) == (["WentBerserk"], (150_000, 300_000))
    later = moved(game, "e2e4 e7e5 g1f3 b8c6")
    assert later.clock.left_ms == (150_000, 303_000)
    assert from_document(to_document(later), VARIANTS) == later


def test_going_berserk_again_changes_nothing():
    game, _ = play(arena_game(), GoBerserk(WHITE), START)
    assert play(game, GoBerserk(WHITE), START) == (game, ())


@pytest.mark.parametrize(
    ("moves", "color", "refused"),
    [((), WHITE, False), (("e2e4",), WHITE, True), (("e2e4",), BLACK, False), (("e2e4", "e7e5"), BLACK, True)],
)
def test_nobody_goes_berserk_once_they_have_moved(moves, color, refused):
    if refused:
        with pytest.raises(NotAllowed, match="berserk_too_late"):
            play(arena_game(*moves), GoBerserk(color), START)
    else:
        assert play(arena_game(*moves), GoBerserk(color), START)[1]


def test_nobody_goes_berserk_in_another_game():
    with pytest.raises(NotAllowed, match="no_berserk"):
        play(live_game(), GoBerserk(WHITE), START)


@pytest.mark.parametrize("kind", [OfferKind.TAKEBACK, OfferKind.ADJOURN])
def test_it_is_not_put_off_or_taken_back(kind):
    with pytest.raises(NotAllowed, match="not_in_tournament"):
        play(arena_game("e2e4", "e7e5"), MakeOffer(WHITE, kind), START)


def test_it_has_no_rematch():
    over, _ = play(arena_game("e2e4", "e7e5"), Resign(WHITE), START)
    with pytest.raises(NotAllowed, match="not_in_tournament"):
        play(over, MakeOffer(WHITE, OfferKind.REMATCH), START)


def result(game):
    return result_of(PAIRING, game, START)


def test_a_game_under_way_has_no_result():
    assert result(arena_game("e2e4")) is None


def test_a_game_that_was_played_has_its_winner():
    over, _ = play(arena_game("e2e4", "e7e5"), Resign(WHITE), START)
    assert (result(over).winner, result(over).plies, result(over).absent) == (BLACK, 2, None)


@pytest.mark.parametrize(("moves", "absent"), [((), WHITE), (("e2e4",), BLACK)])
def test_whoever_makes_no_first_move_loses_as_absent(moves, absent):
    waits = arena_game(*moves)
    over, _ = play(waits, Expire(), waits.expires)
    assert (result(over).winner, result(over).absent) == (absent.other, absent)


def test_whoever_aborts_loses_as_absent():
    over, _ = play(arena_game(), Abort(BLACK), START)
    assert (result(over).winner, result(over).absent) == (WHITE, BLACK)


def test_a_game_that_the_host_has_deleted_counts_for_nobody():
    assert result(None).void
