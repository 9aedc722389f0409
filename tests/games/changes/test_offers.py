"""Draw, takeback and rematch: who may propose what when, how long it stands, and what agreeing does."""

from dataclasses import replace

import pytest

from server.games.changes.ending import Abort, Resign
from server.games.changes.offers import AcceptOffer, DeclineOffer, MakeOffer
from server.games.changes.playing import PlayMove, PrepareMoves
from server.games.clocks.time_control import TimeControl
from server.games.conditional import Branch
from server.games.errors import BadMove, GameOver, NotAllowed, NotYourTurn, Stale
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


@pytest.mark.parametrize("kind", [DRAW, TAKEBACK, OfferKind.PAUSE])
def test_an_offer_about_another_position_is_refused(kind):
    game = moved(running_game(control=TimeControl.correspondence(3)), "g1f3")
    with pytest.raises(Stale):
        play(game, MakeOffer(WHITE, kind, ply=2), START)
    assert play(game, MakeOffer(WHITE, kind, ply=3), START)[0].offers[-1].kind is kind


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

    def test_one_with_a_move_stands_after_it_in_one_change(self):
        game, events = play(running_game(), PlayMove(WHITE, "g1f3", 2, offers_draw=True), START)
        assert kinds(events) == ["Moved", "Offered"]
        assert (game.rev, [(one.by, one.ply) for one in game.offers]) == (running_game().rev + 1, [(WHITE, 3)])
        assert asked(game, BLACK).outcome == Outcome(None, "agreement")
        for _ in range(2):
            game = moved(game, "b8c6" if len(game.plies) == 3 else "c6b8")
            game, events = play(game, PlayMove(WHITE, ("f3g1", "g1f3")[_], len(game.plies), offers_draw=True), START)
            assert kinds(events) == ["Moved", "Offered"], "one for each own move"

    @pytest.mark.parametrize("by", [BLACK, WHITE, None])
    def test_with_an_illegal_move_there_is_none(self, by):
        game = running_game() if by is None else asked(running_game(), by)
        for command in (
            PlayMove(WHITE, "g1g5", 2, offers_draw=True),
            PlayMove(BLACK, "g8f6", 2, offers_draw=True),
            PlayMove(WHITE, "g1f3", 1, offers_draw=True),
        ):
            with pytest.raises((BadMove, NotYourTurn, Stale)):
                play(game, command, START)

    def test_a_move_that_accepts_one_is_played_and_the_game_drawn_in_one_change(self):
        before = asked(running_game(), BLACK)
        game, events = play(before, PlayMove(WHITE, "g1f3", 2, offers_draw=True), START)
        assert kinds(events) == ["Moved", "OfferClosed", "Ended"]
        assert events[1] == OfferClosed(1, DRAW, "accepted")
        assert (game.outcome, game.plies[-1].uci, game.rev) == (Outcome(None, "agreement"), "g1f3", before.rev + 1)

    def test_a_mate_or_a_fallen_flag_comes_before_the_draw(self):
        mating = asked(moved(live_game(), "f2f3 e7e5 g2g4"), WHITE)
        game, events = play(mating, PlayMove(BLACK, "d8h4", 3, offers_draw=True), START)
        assert (game.outcome.winner, events[1]) == (BLACK, OfferClosed(1, DRAW, "lapsed"))
        late, _ = play(asked(running_game(), BLACK), PlayMove(WHITE, "g1f3", 2, offers_draw=True), START + 10**7)
        assert (late.outcome.reason, len(late.plies)) == ("time", 2)

    def test_one_that_may_not_be_made_yet_is_left_out(self):
        early, events = play(live_game(), PlayMove(WHITE, "e2e4", 0, offers_draw=True), START)
        assert (early.offers, kinds(events)) == ((), ["Moved"])
        still = asked(running_game(), WHITE)
        assert len(after(still, PlayMove(WHITE, "g1f3", 2, offers_draw=True)).offers) == 1

    def test_an_answer_that_was_prepared_is_not_played_over_one_that_comes_with_a_move(self):
        game = moved(live_game(control=TimeControl.correspondence(3)), "e2e4 e7e5")
        game = after(game, PrepareMoves(BLACK, game.position, (Branch("g1f3", (Branch("b8c6"),)),)))
        assert len(after(game, PlayMove(WHITE, "g1f3", 2)).plies) == 4
        assert len(after(game, PlayMove(WHITE, "g1f3", 2, offers_draw=True)).plies) == 3


class TestRematch:
    def test_a_rematch_is_agreed_once_and_repeated_on_request(self):
        game = asked(over_game(), WHITE, REMATCH)
        game, events = play(game, AcceptOffer(BLACK, 1, "n1"), START)
        assert events == (OfferClosed(1, REMATCH, "accepted"), RematchAgreed("next"))
        assert game.next == "next"
        for again in (
            AcceptOffer(BLACK, 1, "n2"),
            AcceptOffer(WHITE, 1, "n3"),
            MakeOffer(WHITE, REMATCH, "n4"),
            MakeOffer(BLACK, REMATCH, "n5"),
        ):
            assert play(game, again, START) == (game, ())

    def test_crossing_offers_agree(self):
        game, events = play(asked(over_game(), WHITE, REMATCH), MakeOffer(BLACK, REMATCH, "n2"), START)
        assert events == (OfferClosed(1, REMATCH, "accepted"), RematchAgreed("next"))
        assert game.next == "next"

    def test_an_offer_of_an_earlier_release_has_no_id_so_the_answer_brings_it(self):
        game = asked(over_game(), WHITE, REMATCH)
        game = replace(game, offers=(replace(game.offers[0], next_id=None),))
        assert play(game, AcceptOffer(BLACK, 1, "n1"), START)[0].next == "n1"

    def test_a_rematch_needs_an_id(self):
        game = play(over_game(), MakeOffer(WHITE, REMATCH), START)[0]
        with pytest.raises(ValueError, match="id"):
            play(game, AcceptOffer(BLACK, 1), START)

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
