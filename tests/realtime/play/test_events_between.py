"""What another process did is sent as events, or as a whole game."""

import pytest

from server.games.changes.beginning import new_game
from server.games.clocks.time_control import TimeControl
from server.games.commands import AcceptOffer, ComeBack, DeclineOffer, GoAway, MakeOffer, PlayMove, Resign
from server.games.events import ClockResumed
from server.games.frozen import replace
from server.games.game import play
from server.games.server_commands import CreditStall, EndVacations, Pause
from server.games.server_commands import Resume as ResumeClock
from server.games.state import Adjournment, OfferKind
from server.games.status import Status
from server.games.terms import Terms
from server.realtime.play.history.events_between import events_between
from server.rules.variant.pieces import Color
from tests.support.realtime.hand_clock import START
from tests.support.realtime.node import BLACK, FIVE_MINUTES, WHITE

W, B = Color.WHITE, Color.BLACK


@pytest.fixture
def opened(variants):
    return begun(variants, FIVE_MINUTES)


@pytest.fixture
def by_days(variants):
    return begun(variants, TimeControl.correspondence(3))


def begun(variants, control):
    chess = variants["chess"]
    game = new_game("abcdefghij", Terms(chess, False, chess.start_fen, control, rated=False), START, WHITE, BLACK)
    for ply, uci in enumerate(["e2e4", "e7e5"]):
        game, _ = play(game, PlayMove((W, B)[ply], uci, ply), START)
    return game


def after(game, *commands):
    for command in commands:
        game, _ = play(game, command, START + 1_000)
    return game


@pytest.mark.parametrize(
    ("earlier", "command"),
    [
        ((), PlayMove(W, "g1f3", 2)),
        ((), MakeOffer(W, OfferKind.DRAW)),
        ((MakeOffer(W, OfferKind.DRAW),), DeclineOffer(B, 1)),
        ((MakeOffer(W, OfferKind.DRAW),), AcceptOffer(B, 1)),
        ((MakeOffer(B, OfferKind.DRAW),), PlayMove(W, "g1f3", 2)),
        ((), Resign(W)),
        ((), Pause(START + 500)),
        ((Pause(START + 500),), ResumeClock()),
        ((), CreditStall(300)),
        ((Resign(W), MakeOffer(W, OfferKind.REMATCH)), AcceptOffer(B, 1, "bcdefghijk")),
        ((PlayMove(W, "f1c4", 2), PlayMove(B, "a7a6", 3), PlayMove(W, "d1h5", 4), PlayMove(B, "b7b6", 5)),
         PlayMove(W, "h5f7", 6)),
    ],
)  # fmt: skip
def test_one_step_elsewhere_is_sent_as_its_events(opened, earlier, command):
    before = after(opened, *earlier)
    later, events = play(before, command, START + 1_000)
    assert sorted(map(repr, events_between(before, later))) == sorted(map(repr, events))


AWAY = START + 5_000


@pytest.mark.parametrize(
    ("earlier", "command", "at"),
    [
        ((), GoAway(B, AWAY), START),
        ((GoAway(B, AWAY),), GoAway(B, 2 * AWAY), START),
        ((GoAway(B, AWAY),), GoAway(W, AWAY), START),
        ((GoAway(W, AWAY), GoAway(B, AWAY)), ComeBack(W), START),
        ((GoAway(W, AWAY), GoAway(B, AWAY)), EndVacations(), AWAY),
        ((GoAway(B, AWAY),), PlayMove(W, "g1f3", 2), START),
        ((GoAway(B, AWAY),), Resign(W), START),
    ],
)
def test_a_vacation_elsewhere_is_sent_as_its_events(by_days, earlier, command, at):
    before = after(by_days, *earlier)
    later, events = play(before, command, at)
    assert sorted(map(repr, events_between(before, later))) == sorted(map(repr, events))


def test_a_game_resumed_elsewhere_while_somebody_is_away_is_sent_as_resumed(by_days):
    away = after(by_days, GoAway(B, AWAY))
    still = replace(away, status=Status.ADJOURNED, adjourned=Adjournment(START, (START, START)))
    later, events = play(still, ResumeClock(), START)
    assert events_between(still, later) == list(events) == [ClockResumed()]


def test_two_moves_or_a_takeback_elsewhere_are_sent_as_the_whole_game(opened):
    assert events_between(opened, after(opened, PlayMove(W, "g1f3", 2), PlayMove(B, "b8c6", 3))) is None
    asked = after(opened, MakeOffer(W, OfferKind.TAKEBACK))
    assert events_between(asked, after(asked, AcceptOffer(B, 1))) is None


def test_nothing_is_sent_when_nothing_happened(opened):
    assert events_between(opened, opened) == []
