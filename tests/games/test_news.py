"""Which changes of a game are told to people who are away, and whom they concern."""

from dataclasses import replace

import pytest

from server.games.changes.beginning import Join, RefuseChallenge, new_game
from server.games.changes.ending import Resign
from server.games.changes.offers import AcceptOffer, DeclineOffer, MakeOffer
from server.games.changes.pausing import GoAway, ResumeReady
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.news import concerned, is_news, was_declined
from server.games.state import OfferKind
from tests.support.games import BLACK, BORIS, CARLA, START, WANDA, WHITE, after, live_game, moved, open_game, terms

DAYS = TimeControl.correspondence(3)
UNTIMED = TimeControl.unlimited()


def challenge():
    return new_game("game", terms(control=DAYS), START, white=WANDA, invites=(None, BORIS))


def begun():
    return moved(live_game(control=DAYS), "e2e4 e7e5")


def offered(kind, by, game):
    return after(game, MakeOffer(by, kind))


@pytest.mark.parametrize("control", [DAYS, UNTIMED])
def test_each_move_concerns_the_opponent(control):
    before = live_game(control=control)
    for uci, opponent in (("e2e4", BORIS), ("e7e5", WANDA), ("d2d4", BORIS)):
        game = moved(before, uci)
        assert is_news(before, game)
        assert concerned(game) == (opponent,)
        before = game


def test_nothing_in_a_game_by_the_minute_is_news():
    before = live_game()
    for game in (moved(before, "e2e4"), after(before, Resign(WHITE))):
        assert not is_news(before, game)
    assert not is_news(None, before)


def test_a_challenge_by_name_concerns_whom_it_names_until_it_is_answered():
    asked = challenge()
    assert (is_news(None, asked), concerned(asked)) == (True, (BORIS,))
    accepted, refused = after(asked, Join(BORIS)), after(asked, RefuseChallenge(BORIS))
    assert (is_news(asked, accepted), concerned(accepted)) == (True, (WANDA, BORIS))
    assert (is_news(asked, refused), concerned(refused)) == (True, (WANDA,))


def test_a_link_concerns_nobody_yet_nor_does_the_first_move_before_somebody_comes():
    waiting = open_game(control=DAYS)
    assert (is_news(None, waiting), concerned(waiting)) == (False, ())
    assert not is_news(waiting, after(waiting, PlayMove(WHITE, "e2e4", 0)))


@pytest.mark.parametrize(("kind", "by"), [(OfferKind.TAKEBACK, BLACK), (OfferKind.DRAW, BLACK)])
def test_an_offer_concerns_who_can_answer_it_and_its_withdrawal_nobody(kind, by):
    before = begun()
    game = offered(kind, by, before)
    assert (is_news(before, game), concerned(game)) == (True, (WANDA,))
    withdrawn = after(game, DeclineOffer(by, game.offers[0].id))
    assert not is_news(game, withdrawn)


def test_a_refusal_concerns_who_had_asked_until_there_is_other_news():
    before = offered(OfferKind.DRAW, BLACK, begun())
    game = after(before, DeclineOffer(WHITE, 1))
    assert (is_news(before, game), concerned(game)) == (True, (WANDA, BORIS))
    assert [was_declined(game, color) for color in (WHITE, BLACK)] == [False, True]
    away = after(game, GoAway(WHITE, START + DAY_MS))
    assert (is_news(game, away), away.declined) == (False, game.declined)
    assert moved(game, "g1f3").declined is None
    assert offered(OfferKind.PAUSE, BLACK, game).declined is None
    by_the_minute = offered(OfferKind.DRAW, BLACK, moved(live_game(), "e2e4 e7e5"))
    assert after(by_the_minute, DeclineOffer(WHITE, 1)).declined is None


def test_a_draw_is_told_with_the_move_that_it_goes_with():
    before = begun()
    game = offered(OfferKind.DRAW, WHITE, before)
    assert not is_news(before, game)
    with_move = moved(game, "g1f3")
    assert (is_news(game, with_move), concerned(with_move)) == (True, (BORIS,))
    assert [offer.kind for offer in with_move.offers] == [OfferKind.DRAW]


def test_a_pause_and_its_end_concern_both():
    before = begun()
    asked = offered(OfferKind.PAUSE, BLACK, before)
    assert (is_news(before, asked), concerned(asked)) == (True, (WANDA,))
    paused = after(asked, AcceptOffer(WHITE, 1))
    assert (is_news(asked, paused), concerned(paused)) == (True, (WANDA, BORIS))
    resumed = after(paused, ResumeReady(BLACK))
    assert (is_news(paused, resumed), concerned(resumed)) == (True, (WANDA, BORIS))
    assert concerned(moved(resumed, "g1f3")) == (BORIS,)
    resigned = after(paused, Resign(BLACK))
    assert (is_news(paused, resigned), concerned(resigned)) == (True, (WANDA, BORIS))


def test_the_end_concerns_both_and_a_rematch_who_is_asked():
    before = begun()
    over = after(before, Resign(WHITE))
    assert (is_news(before, over), concerned(over)) == (True, (WANDA, BORIS))
    asked = offered(OfferKind.REMATCH, BLACK, over)
    assert (is_news(over, asked), concerned(asked)) == (True, (WANDA,))
    agreed = after(asked, AcceptOffer(WHITE, asked.offers[0].id, "next"))
    assert not is_news(asked, agreed)


def test_a_change_of_names_is_no_news():
    game = begun()
    assert not is_news(game, replace(game, rev=game.rev + 1, white=CARLA))
