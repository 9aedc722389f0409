"""Seats that are given on, and players who are called something else."""

from dataclasses import replace

import pytest

from server.games.changes.beginning import RefuseChallenge, Reseat
from server.games.changes.playing import PlayMove
from server.games.errors import OwnChallenge
from server.games.events import Joined
from server.games.game import play
from server.games.player import DELETED_NAME, Player
from tests.support.games import (
    BLACK,
    BORIS,
    CARLA,
    START,
    WANDA,
    WHITE,
    joined,
    live_game,
    open_game,
    over_game,
    proposed_game,
    running_game,
)


@pytest.mark.parametrize("begin", [open_game, live_game, running_game, over_game])
def test_a_seat_can_be_given_on_at_any_time_and_nothing_else_changes(begin):
    game = begin()
    after, events = play(game, Reseat(game.white.id, CARLA), START + 5)
    assert after == replace(game, white=CARLA, rev=game.rev + 1)
    assert events == (Joined(WHITE, CARLA),)


def test_a_renamed_player_keeps_their_seat():
    game = running_game()
    renamed = Player(game.black.id, "Beatrix")
    after, events = play(game, Reseat(renamed.id, renamed), START + 5)
    assert (after.black, events) == (renamed, (Joined(BLACK, renamed),))
    assert play(after, Reseat(renamed.id, renamed), START + 5) == (after, ())


def test_the_new_holder_plays_and_the_old_one_does_not():
    game, _ = play(live_game(), Reseat(live_game().white.id, CARLA), START + 5)
    assert game.color_of(live_game().white.id) is None
    color = game.color_of(CARLA.id)
    assert play(game, PlayMove(color, "g1f3", 0), START + 6)[0].plies


def test_nobody_ends_up_playing_against_themselves():
    game = running_game()
    with pytest.raises(OwnChallenge):
        play(game, Reseat(game.white.id, game.black), START + 5)


def test_a_seat_is_given_on_also_after_its_time_has_run_out():
    game = running_game()
    after, _ = play(game, Reseat(game.white.id, CARLA), game.deadline + 60_000)
    assert (after.white, after.outcome) == (CARLA, None)


def test_who_has_deleted_their_account_is_not_named_as_the_one_who_proposed_a_game():
    game = proposed_game()
    after, events = play(game, Reseat(CARLA.id, Player(CARLA.id, DELETED_NAME)), START + 5)
    assert (after, events) == (replace(game, proposer=None, rev=game.rev + 1), ())
    assert play(game, Reseat(CARLA.id, CARLA), START + 5) == (game, ())


def test_who_proposed_a_game_is_named_until_it_begins_or_is_declined():
    once = joined(proposed_game(), WANDA)
    assert once.proposer == CARLA
    assert joined(once, BORIS).proposer is None
    assert play(once, RefuseChallenge(BORIS), START)[0].proposer is None
