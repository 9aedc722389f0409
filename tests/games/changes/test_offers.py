"""Draw, takeback and rematch: who may propose what when, how long it stands, and what agreeing does."""

from dataclasses import replace

import pytest

from server.games.changes.ending import Abort, Resign
from server.games.changes.offers import AcceptOffer, DeclineOffer, MakeOffer
from server.games.errors import GameOver, NotAllowed, Stale
from server.games.events import OfferClosed, Offered, RematchAgreed
from server.games.game import play
from server.games.player import DELETED_NAME
from server.games.state import OfferKind
from server.rules.endings import Outcome
from tests.support.games import (
    BLACK,
    START,
    WHITE,
    after,
    kinds,
    live_game,
    moved,
    open_game,
    over_game,
    running_game,
)

DRAW, TAKEBACK, REMATCH = OfferKind.DRAW, OfferKind.TAKEBACK, OfferKind.REMATCH


def asked(game, color, kind=DRAW, now=START):
    return play(game, MakeOffer(color, kind, "next"), now)[0]


class TestDraw:
    def test_offered_and_accepted(self):
        game, events = play(running_game(), MakeOffer(WHITE, DRAW), START)
        assert events == (Offered(1, DRAW, WHITE),)
        assert [(one.id, one.by, one.ply) for one in game.offers] == [(1, WHITE, 2)]
        game, events = play(game, AcceptOffer(BLACK, 1), START + 5)
        assert events[0] == OfferClosed(1, DRAW, "accepted")
        assert kinds(events) == ["OfferClosed", "Ended"]
        assert (game.outcome, game.result, game.ended, game.offers) == (
            Outcome(None, "agreement"),
            "1/2-1/2",
            START + 5,
            (),
        )

    def test_it_stands_while_its_maker_moves_and_lapses_when_the_opponent_does(self):
        game = moved(asked(running_game(), WHITE), "g1f3")
        assert len(game.offers) == 1
        with pytest.raises(NotAllowed):
            asked(game, WHITE)
        lapsed = moved(game, "b8c6")
        assert lapsed.offers == ()
        with pytest.raises(Stale):
            play(lapsed, AcceptOffer(BLACK, 1), START)
        assert after(game, AcceptOffer(BLACK, 1)).outcome.reason == "agreement"

    def test_crossing_offers_agree(self):
        game, events = play(asked(running_game(), WHITE), MakeOffer(BLACK, DRAW), START)
        assert kinds(events) == ["OfferClosed", "Ended"]
        assert game.outcome == Outcome(None, "agreement")

    def test_accepting_twice_is_refused_the_second_time(self):
        game = after(asked(running_game(), WHITE), AcceptOffer(BLACK, 1))
        with pytest.raises(Stale):
            play(game, AcceptOffer(BLACK, 1), START)

    def test_players_cannot_accept_their_own_offer(self):
        with pytest.raises(NotAllowed):
            play(asked(running_game(), WHITE), AcceptOffer(WHITE, 1), START)

    @pytest.mark.parametrize(("color", "how"), [(BLACK, "declined"), (WHITE, "lapsed")])
    def test_it_can_be_declined_or_withdrawn(self, color, how):
        game, events = play(asked(running_game(), WHITE), DeclineOffer(color, 1), START)
        assert events == (OfferClosed(1, DRAW, how),)
        assert game.offers == ()
        with pytest.raises(Stale):
            play(game, DeclineOffer(color, 1), START)

    def test_one_for_each_own_move(self):
        game = after(asked(running_game(), WHITE), DeclineOffer(BLACK, 1))
        with pytest.raises(NotAllowed):
            asked(game, WHITE)
        game = moved(game, "g1f3")
        assert [one.id for one in asked(game, WHITE).offers] == [2]

    def test_the_opponents_move_alone_earns_no_second_offer(self):
        game = moved(running_game(), "g1f3")
        game = after(asked(game, WHITE), DeclineOffer(BLACK, 1))
        game = moved(game, "b8c6")
        with pytest.raises(NotAllowed):
            asked(game, WHITE)
        assert asked(moved(game, "f1b5"), WHITE).offers

    def test_a_hundred_tries_deliver_one(self):
        game, delivered = running_game(), 0
        for _ in range(100):
            try:
                game = asked(game, WHITE)
            except NotAllowed:
                continue
            delivered += 1
            game = after(game, DeclineOffer(BLACK, game.offers[0].id))
        assert delivered == 1

    def test_not_before_both_have_moved(self):
        with pytest.raises(NotAllowed):
            asked(moved(live_game(), "e2e4"), BLACK)

    def test_the_end_of_the_game_closes_it(self):
        game, events = play(asked(running_game(), WHITE), Resign(WHITE), START)
        assert events[0] == OfferClosed(1, DRAW, "lapsed")
        assert kinds(events) == ["OfferClosed", "Ended"]
        assert game.outcome == Outcome(BLACK, "resign")

    def test_a_mating_move_overtakes_the_opponents_offer(self):
        game = moved(live_game(), "f2f3 e7e5 g2g4")
        mated = moved(asked(game, WHITE), "d8h4")
        assert (mated.outcome, mated.offers) == (Outcome(BLACK, "checkmate"), ())


class TestRematch:
    def test_a_rematch_is_agreed_once_and_repeated_on_request(self):
        game = asked(over_game(), WHITE, REMATCH)
        game, events = play(game, AcceptOffer(BLACK, 1, "n1"), START)
        assert events == (OfferClosed(1, REMATCH, "accepted"), RematchAgreed("n1"))
        assert game.next == "n1"
        for again in (
            AcceptOffer(BLACK, 1, "n2"),
            AcceptOffer(WHITE, 1, "n3"),
            MakeOffer(WHITE, REMATCH, "n4"),
            MakeOffer(BLACK, REMATCH, "n5"),
        ):
            assert play(game, again, START) == (game, ())

    def test_crossing_offers_agree(self):
        game, events = play(asked(over_game(), WHITE, REMATCH), MakeOffer(BLACK, REMATCH, "n2"), START)
        assert events == (OfferClosed(1, REMATCH, "accepted"), RematchAgreed("n2"))
        assert game.next == "n2"

    def test_a_rematch_needs_an_id(self):
        with pytest.raises(ValueError, match="id"):
            play(asked(over_game(), WHITE, REMATCH), AcceptOffer(BLACK, 1), START)

    def test_an_aborted_game_can_be_played_again_if_both_sat(self):
        assert asked(after(live_game(), Abort(WHITE)), BLACK, REMATCH).offers
        with pytest.raises(NotAllowed):
            asked(after(open_game(), Abort(WHITE)), WHITE, REMATCH)

    def test_a_fourth_rematch_offer_after_three_refusals_is_refused(self):
        game = over_game()
        for number in (1, 2, 3):
            game = after(asked(game, WHITE, REMATCH), DeclineOffer(BLACK, number))
        with pytest.raises(NotAllowed):
            asked(game, WHITE, REMATCH)
        assert asked(game, BLACK, REMATCH).offers

    def test_a_deleted_account_can_neither_offer_nor_accept(self):
        def without_black(game):
            return replace(game, black=replace(game.black, name=DELETED_NAME))

        with pytest.raises(NotAllowed, match="opponent_deleted"):
            asked(without_black(over_game()), WHITE, REMATCH)
        standing = without_black(asked(over_game(), BLACK, REMATCH))
        with pytest.raises(NotAllowed, match="opponent_deleted"):
            play(standing, AcceptOffer(WHITE, standing.offers[0].id, "next"), START)

    def test_a_draw_is_not_offered_after_the_game(self):
        with pytest.raises(GameOver):
            asked(over_game(), WHITE, DRAW)


@pytest.mark.parametrize(
    ("game", "kind"),
    [(running_game(), DRAW), (running_game(), TAKEBACK), (over_game(), REMATCH)],
    ids=["draw", "takeback", "rematch"],
)
def test_while_an_offer_stands_it_is_not_made_again(game, kind):
    with pytest.raises(NotAllowed, match="offer_repeated"):
        asked(asked(game, BLACK, kind), BLACK, kind)


def test_ids_of_offers_are_never_used_again():
    game = asked(running_game(), WHITE)
    game = after(game, DeclineOffer(BLACK, 1))
    game = asked(game, BLACK, TAKEBACK)
    game = asked(game, BLACK)
    assert [one.id for one in game.offers] == [2, 3]
