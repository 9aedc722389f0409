"""Races are orderings: whatever comes in the same instant, one game, one ending, decided by the receipt times."""

import itertools
import random

import pytest

from server.games.changes.beginning import BothHere, Join
from server.games.changes.claiming import Claim
from server.games.changes.ending import Abort, Expire, Flag, Resign
from server.games.changes.offers import AcceptOffer, DeclineOffer, MakeOffer
from server.games.changes.pausing import CreditStall, Pause, Resume, ResumeReady
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.errors import Refused, Stale
from server.games.events import Ended, Moved, RematchAgreed
from server.games.game import play
from server.games.state import OfferKind
from server.games.status import Status
from server.rules.movegen.legal import legal_moves, repetition_key
from server.rules.notation.fen import format_fen
from tests.support.games import (
    BLACK,
    BORIS,
    CARLA,
    FIVE_MINUTES,
    INVITE,
    START,
    WANDA,
    WHITE,
    after,
    live_game,
    moved,
    open_game,
    over_game,
    running_game,
)

MATE = PlayMove(BLACK, "d8h4", 3)


def both(game, first, second, now):
    """The game and all events after the two, refusals left out."""
    events = []
    for command in (first, second):
        try:
            game, more = play(game, command, now)
        except Refused:
            continue
        events += more
    return game, events


def before_mate():
    """Black can mate; White's draw offer is open, which Black could accept as well."""
    return after(moved(live_game(), "f2f3 e7e5 g2g4"), MakeOffer(WHITE, OfferKind.DRAW))


TERMINAL = [
    MATE,
    Resign(WHITE),
    Resign(BLACK),
    AcceptOffer(BLACK, 1),
    MakeOffer(BLACK, OfferKind.DRAW),
    Claim(WHITE),
    Claim(BLACK, as_draw=True),
    Flag(),
]


@pytest.mark.row("R6")
@pytest.mark.parametrize("late", [False, True], ids=["in time", "at the deadline"])
@pytest.mark.parametrize(("first", "second"), list(itertools.product(TERMINAL, TERMINAL)), ids=repr)
def test_any_two_endings_in_one_instant_give_one_ending(first, second, late):
    game = before_mate()
    now = game.deadline if late else game.deadline - 1
    game, events = both(game, first, second, now)
    endings = [event for event in events if isinstance(event, Ended)]
    assert len(endings) == (0 if first == second == Flag() and not late else 1)
    if endings:
        assert game.outcome == endings[0].outcome
        assert events[-1] is endings[0]
    if late:
        assert game.outcome.reason == "time"


@pytest.mark.row("T6")
@pytest.mark.parametrize("ms", range(-5, 6))
def test_a_move_against_a_flag_is_decided_by_when_it_was_received(ms):
    game = running_game()
    time_over = START + 300_000
    moved_first, events = play(game, PlayMove(WHITE, "g1f3", 2), time_over + ms)
    in_time = ms < 0
    assert any(isinstance(event, Moved) for event in events) is in_time
    if in_time:
        assert play(moved_first, Flag(), game.deadline) == (moved_first, ())
    else:
        assert moved_first.outcome.reason == "time"


@pytest.mark.parametrize("ms", range(-5, 6))
def test_an_excused_move_against_the_flag(ms):
    game = running_game()
    over, _ = play(game, PlayMove(WHITE, "g1f3", 2, lag_ms=500), game.deadline + ms)
    assert (over.status is Status.LIVE) is (ms < 0)


def test_abort_against_the_second_move():
    game = moved(live_game(), "e2e4")
    for first, second in itertools.permutations((Abort(WHITE), PlayMove(BLACK, "e7e5", 1))):
        after_both, events = both(game, first, second, START)
        assert len(events) == 1
        assert (after_both.status is Status.OVER) is (first == Abort(WHITE))


def test_expiry_against_the_first_move():
    game = live_game()
    for first, second in itertools.permutations((Expire(), PlayMove(WHITE, "e2e4", 0))):
        after_both, events = both(game, first, second, game.deadline)
        assert len(events) == 1
        assert (after_both.status is Status.OVER) is (first == Expire())


@pytest.mark.row("R2")
def test_draw_accepted_against_a_move_that_cancels_it():
    game = moved(running_game(), "g1f3")
    game = after(game, MakeOffer(WHITE, OfferKind.DRAW))
    accept, move = AcceptOffer(BLACK, 1), PlayMove(BLACK, "b8c6", 3)
    assert both(game, accept, move, START)[0].outcome.reason == "agreement"
    went_on, _ = both(game, move, accept, START)
    assert went_on.status is Status.LIVE
    with pytest.raises(Stale):
        play(went_on, accept, START)


def test_takeback_granted_against_a_move():
    game = after(moved(running_game(), "g1f3"), MakeOffer(WHITE, OfferKind.TAKEBACK))
    accept, move = AcceptOffer(BLACK, 1), PlayMove(BLACK, "b8c6", 3)
    assert len(both(game, accept, move, START)[0].plies) == 2
    assert len(both(game, move, accept, START)[0].plies) == 4


def test_two_friends_who_open_the_link_at_once_get_one_game():
    for first, second in itertools.permutations((BORIS, CARLA)):
        game, events = both(open_game(), Join(first, INVITE), Join(second, INVITE), START)
        assert game.black == first
        assert len(events) == 1


def test_a_rematch_clicked_twice_by_both_in_any_order_makes_one_game():
    clicks = [MakeOffer(color, OfferKind.REMATCH, f"{color.name}{n}") for color in (WHITE, BLACK) for n in (1, 2)]
    for order in itertools.permutations(clicks):
        game, agreed = over_game(), []
        for click in order:
            game, more = both(game, click, click, START)
            agreed += [event for event in more if isinstance(event, RematchAgreed)]
        assert [event.next_id for event in agreed] == [game.next]


def any_command(game, rng):
    """Something that somebody might send: mostly possible, often not."""
    color = rng.choice((WHITE, BLACK))
    offer = game.offers[0].id if game.offers and rng.random() < 0.8 else rng.randrange(1, 5)
    uci = rng.choice(legal_moves(game.position) or (None,)).uci if game.outcome is None else "e2e4"
    return rng.choices(
        [
            PlayMove(game.to_move, uci, len(game.plies), rng.randrange(600)),
            PlayMove(color, uci, rng.randrange(len(game.plies) + 2)),
            MakeOffer(color, rng.choice(list(OfferKind)), "next"),
            AcceptOffer(color, offer, "next"),
            DeclineOffer(color, offer),
            Join(rng.choice((WANDA, BORIS, CARLA)), rng.choice((INVITE, "00" * 32))),
            rng.choice((Flag(), Expire(), BothHere())),
            ResumeReady(color),
            rng.choice((Resume(), Pause(START), CreditStall(rng.randrange(3_000)))),
            rng.choice((Resign(color), Abort(color), Claim(color))),
        ],
        weights=[40, 5, 12, 12, 4, 6, 8, 6, 6, 2],
    )[0]


@pytest.mark.parametrize(
    ("control", "waits"),
    [
        (FIVE_MINUTES, (0, 0, 400, 3_000, 20_000)),
        (TimeControl.bank(10, 1, 30), (0, 0, 1, DAY_MS // 8, 3 * DAY_MS)),
        (TimeControl.correspondence(1), (0, 0, 1, DAY_MS // 8)),
    ],
    ids=["minutes", "bank", "days"],
)
@pytest.mark.parametrize("variant", ["chess", "crazyhouse", "placement", "grand"])
def test_no_sequence_of_commands_breaks_the_game(variant, control, waits, seed):
    rng = random.Random(seed)
    endings = 0
    for _ in range(30):
        game, now, ended = open_game(variant=variant, control=control), START, 0
        for _ in range(60):
            now += rng.choice(waits)
            before = game
            try:
                game, events = play(game, any_command(game, rng), now)
            except Refused:
                continue
            ended += sum(isinstance(event, Ended) for event in events)
            check_whole(before, game, events, now)
        assert ended == (game.status is Status.OVER)
        endings += ended
        check_replay(game)
    assert endings > 3, "games must end, or the test says nothing about endings"


def check_whole(before, game, events, now):
    assert game.rev == before.rev + (game is not before)
    assert game is not before or events == ()
    assert len(game.keys) == len(game.plies) + 1
    assert game.keys.last == repetition_key(game.position)
    assert all(offer.id < game.next_offer and offer.ply <= len(game.plies) for offer in game.offers)
    assert (game.outcome is None) is (game.ended is None) is (game.status is not Status.OVER)
    assert (game.white is None or game.black is None) is (game.invites != (None, None)) or game.status is Status.OVER
    control = game.terms.control
    most = control.cap_ms or (300_000 + 3_000 * game.rev if control.by_the_minute else DAY_MS)
    for color in (WHITE, BLACK):
        assert 0 <= game.clock.remaining(color, now) <= most + (3_000 * len(game.plies) if control.by_the_minute else 0)
    if game.status is Status.OVER:
        assert (game.deadline, game.clock.turn, game.invites) == (None, None, (None, None))
    elif game.clock.turn is not None:
        assert game.clock.turn is game.to_move
        assert game.clock.paused_at is not None or game.deadline is not None


def check_replay(game):
    again = moved(live_game(variant=game.terms.variant.id), " ".join(ply.uci for ply in game.plies))
    assert format_fen(again.position) == format_fen(game.position)
    assert again.keys == game.keys
