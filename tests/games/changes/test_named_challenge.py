"""A challenge to one person by name: nobody else can take it, and they may refuse."""

from dataclasses import replace

import pytest

from server.games.changes.beginning import Join, RefuseChallenge, challenged_player, new_game
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.errors import GameOver, NotAllowed, OwnChallenge, WrongInvitation
from server.games.game import play
from server.games.player import Player
from server.games.status import Status
from server.rules.endings import Outcome
from server.storage.documents import to_document
from server.storage.replay import from_document
from tests.support.games import BORIS, CARLA, INVITE, START, WANDA, after, live_game, terms
from tests.support.rules.built_in import VARIANTS


def challenge(**changes):
    return new_game("game", terms(**changes), START, white=WANDA, invites=(None, BORIS))


def test_only_the_challenged_player_may_join_and_needs_no_secret():
    game = challenge()
    assert challenged_player(game) == BORIS
    for player in (CARLA, Player("c", BORIS.name)):
        with pytest.raises(WrongInvitation):
            play(game, Join(player, INVITE), START)
    game = after(game, Join(BORIS))
    assert (game.status, game.black, challenged_player(game)) == (Status.LIVE, BORIS, None)


def test_players_cannot_challenge_themselves():
    with pytest.raises(ValueError, match="against themselves"):
        new_game("game", terms(), START, white=WANDA, invites=(None, WANDA))
    with pytest.raises(OwnChallenge):
        play(replace(challenge(), invites=(None, WANDA)), Join(WANDA), START)


def test_only_the_challenged_player_may_refuse():
    game = challenge()
    for stranger in (CARLA, WANDA):
        with pytest.raises(WrongInvitation):
            play(game, RefuseChallenge(stranger), START)
    refused = after(game, RefuseChallenge(BORIS))
    assert (refused.outcome, refused.result, challenged_player(refused)) == (Outcome(None, "declined"), "*", None)
    with pytest.raises(GameOver):
        play(refused, Join(BORIS), START)
    with pytest.raises(NotAllowed):
        play(live_game(), RefuseChallenge(BORIS), START)


@pytest.mark.parametrize(
    ("control", "days"), [(TimeControl.realtime(60_000, 0), 1), (TimeControl.correspondence(3), 14)]
)
def test_a_correspondence_challenge_waits_longer(control, days):
    assert challenge(control=control).deadline == START + days * DAY_MS


@pytest.mark.parametrize("invites", [(None, BORIS), (BORIS, None), (INVITE, BORIS), (CARLA, BORIS)])
def test_a_challenge_is_stored_with_the_name(invites):
    seats = {"white": WANDA} if invites[0] is None else {"black": WANDA} if invites[1] is None else {}
    game = new_game("game", terms(), START, invites=invites, **seats)
    assert from_document(to_document(game), VARIANTS) == game
