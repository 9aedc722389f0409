"""What another process did is sent as events, or as a whole game."""

import pytest

from server.games.changes.beginning import BothHere, Join, RefuseChallenge, Reseat, new_game
from server.games.changes.claiming import ChooseFlagging, Claim
from server.games.changes.ending import Abort, Expire, Flag, GoBerserk, Resign
from server.games.changes.offers import AcceptOffer, DeclineOffer, MakeOffer
from server.games.changes.pausing import (
    CLAIM_AFTER_MS,
    ComeBack,
    CreditStall,
    EndVacations,
    GoAway,
    KeepTurn,
    Pause,
    ResumeReady,
)
from server.games.changes.pausing import Resume as ResumeClock
from server.games.changes.playing import PlayMove, PrepareMoves
from server.games.clocks.time_control import DAY_MS, TimeControl, for_color
from server.games.command import Command
from server.games.conditional import Branch
from server.games.errors import Refused
from server.games.events import ClockResumed, OfferClosed
from server.games.frozen import replace
from server.games.game import play
from server.games.player import Player
from server.games.reminders import Remind
from server.games.state import Adjournment, OfferKind
from server.games.status import Status
from server.games.terms import Terms
from server.realtime.play.round_changes import events_between
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
        ((), PlayMove(W, "g1f3", 2, offers_draw=True)),
        ((MakeOffer(B, OfferKind.DRAW),), PlayMove(W, "g1f3", 2, offers_draw=True)),
        ((MakeOffer(B, OfferKind.TAKEBACK), MakeOffer(B, OfferKind.DRAW)), PlayMove(W, "g1f3", 2, offers_draw=True)),
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


def test_the_whole_game_is_sent_if_something_differs_that_no_event_tells(opened):
    given = replace(opened, clock=replace(opened.clock, left_ms=(300_000, 315_000)))
    assert events_between(opened, given) is None
    moved = after(opened, PlayMove(W, "g1f3", 2))
    assert events_between(opened, replace(moved, next="bcdefghijk", created=START + 1)) is None


def commands_in(game):
    """Some command of every kind, each as it might be given in `game`."""
    plies = len(game.plies)
    mover = game.to_move
    for color in Color:
        yield PlayMove(color, for_color(("g1f3", "g8f6"), color), plies)
        yield from (MakeOffer(color, kind, "bcdefghijk") for kind in OfferKind)
        yield from (answer(color, one.id) for one in game.offers for answer in (AcceptOffer, DeclineOffer))
        yield from (kind(color) for kind in (Resign, Abort, Claim, ComeBack, ResumeReady, GoBerserk))
        yield ChooseFlagging(color, True)
        yield GoAway(color, START + 2 * DAY_MS)
    yield PrepareMoves(mover.other, game.position, (Branch("g1f3", (Branch("g8f6"),)),))
    yield Join(BLACK)
    yield RefuseChallenge(BLACK)
    yield Reseat(WHITE.id, Player(WHITE.id, "Wilma"))
    yield from (BothHere(), Pause(START + 500), ResumeClock(), CreditStall(300))
    yield KeepTurn(len(game.plies), game.clock.since + 300)
    yield from (EndVacations(), Expire(), Flag(), Remind())


def steps_from(game, depth):
    """Every change of `game` by these commands, and by those that may follow, up to `depth` of them."""
    for command in commands_in(game):
        for wait in (0, 1_000, 2 * DAY_MS, CLAIM_AFTER_MS):
            try:
                later, events = play(game, command, max(START, game.clock.since) + wait)
            except Refused:
                continue
            if later is not game:
                yield command, game, later, events
                if depth > 1:
                    yield from steps_from(later, depth - 1)
                break


def names_of_kinds(base):
    """A class with slots is made twice, so both are found: by name they are one."""
    for kind in base.__subclasses__():
        yield from names_of_kinds(kind)
        if "apply" in vars(kind):
            yield kind.__name__


def nameless(events):
    """`events` in one order; how an offer was closed, the stored games do not always show."""
    plain = [replace(one, how="") if isinstance(one, OfferClosed) else one for one in events]
    return sorted(map(repr, plain))


def test_whatever_a_command_changes_is_sent_as_its_events_or_as_the_whole_game(variants, opened, by_days):
    chess = variants["chess"]
    terms = Terms(chess, False, chess.start_fen, TimeControl.correspondence(3), rated=False)
    asked = new_game("abcdefghij", terms, START, WHITE, invites=(None, BLACK))
    ready = replace(opened, adjourned=Adjournment(START, (START, 0)), status=Status.ADJOURNED)
    fresh = new_game("abcdefghij", replace(terms, control=FIVE_MINUTES), START, WHITE, BLACK)
    seen = set()
    arena = replace(fresh, tournament="abcdefghij")
    for begin in (opened, by_days, asked, fresh, arena, replace(ready, clock=opened.clock.pause(START))):
        for command, before, later, events in steps_from(begin, 2):
            told = events_between(before, later)
            assert told is None or nameless(told) == nameless(events), (command, before)
            seen.add(type(command).__name__)
    assert seen == set(names_of_kinds(Command))
