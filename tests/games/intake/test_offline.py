"""Games against the computer that are brought afterwards: judged as if played now, in one piece or in several."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.changes.ending import Resign
from server.games.errors import Refused
from server.games.game import play
from server.games.judging import check_consistent, judge_game
from server.games.offline import OfflineLine, OtherLine, WrongLine, commands_for, is_same_game, play_line
from server.games.player import Player
from server.games.state import OfferKind
from server.games.status import Status
from server.rules.sliced_work import run_at_once
from tests.support.games import BLACK, FIVE_MINUTES, START, WHITE, computer_game, live_game, moved
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.stored_games import random_steps

LATER = START + 60_000


def line_of(game, end=None):
    return OfflineLine([ply.uci for ply in game.plies], end)


def brought(line, at=LATER, **changes):
    return run_at_once(play_line(computer_game(**changes), line, at))


def caught_up(game, line):
    for command in commands_for(game, line):
        game, _ = play(game, command, LATER)
    return game


def told(game):
    """What of a game does not depend on when it was stored, and how often."""
    return game.plies, game.position, game.status, game.outcome


@settings(deadline=None)
@given(
    variant=st.sampled_from(sorted(VARIANTS)),
    person=st.sampled_from([WHITE, BLACK]),
    seed=st.integers(0, 10_000),
    plies=st.integers(1, 60),
    first=st.integers(0, 60),
)
def test_a_line_arrives_as_it_was_played_at_once_or_in_two_parts(variant, person, seed, plies, first):
    steps = random_steps(computer_game(variant=variant, person=person), plies, seed)
    there = brought(line_of(steps[-1]), variant=variant, person=person)
    assert told(there) == told(steps[-1])
    assert (there.rev, there.created) == (0, START)
    judge_game(there)
    check_consistent(there)
    begun = steps[min(first, len(steps) - 1)]
    assert told(caught_up(begun, line_of(there))) == told(there)
    assert commands_for(there, line_of(begun)) == ()
    assert commands_for(there, line_of(there)) == ()


@pytest.mark.parametrize(
    ("end", "winner", "reason"),
    [("resigned", BLACK, "resign"), ("computer_resigned", WHITE, "resign"), ("draw", None, "agreement")],
)
def test_it_ends_as_it_was_ended_and_a_repeat_changes_nothing(end, winner, reason):
    running = moved(computer_game(), "e2e4 e7e5")
    there = brought(line_of(running, end))
    assert (there.outcome.winner, there.outcome.reason, there.ended) == (winner, reason, LATER)
    assert there.offers == ()
    check_consistent(there)
    assert commands_for(there, line_of(running, end)) == ()
    assert told(caught_up(running, line_of(running, end))) == told(there)


def test_the_board_decides_and_nobody_resigns_after_mate():
    mated = moved(computer_game(), "f2f3 e7e5 g2g4 d8h4")
    there = brought(line_of(mated))
    assert (there.outcome.winner, there.outcome.reason) == (BLACK, "checkmate")
    with pytest.raises(WrongLine, match="over"):
        brought(line_of(mated, "computer_resigned"))


@pytest.mark.parametrize(
    ("moves", "at"), [("e2e5", 0), ("e2e4 e7e5 e4e5", 2), ("e2e4 e2e4", 1), ("f2f3 e7e5 g2g4 d8h4 a2a3", 4)]
)
def test_an_illegal_line_is_refused_with_the_place(moves, at):
    with pytest.raises(WrongLine) as refused:
        brought(OfflineLine(moves.split(), None))
    assert refused.value.at == at


@pytest.mark.parametrize(
    ("there", "sent"),
    [
        (moved(computer_game(), "e2e4 e7e5"), OfflineLine(["d2d4"], None)),
        (moved(computer_game(), "e2e4 e7e5"), OfflineLine(["e2e4", "c7c5", "g1f3"], None)),
        (moved(computer_game(), "e2e4 e7e5"), OfflineLine(["e2e4"], "resigned")),
    ],
)
def test_a_game_that_went_another_way_stays_as_it_is(there, sent):
    with pytest.raises(OtherLine):
        commands_for(there, sent)


def test_nothing_is_added_to_a_game_that_is_over():
    over, _ = play(moved(computer_game(), "e2e4 e7e5"), Resign(WHITE), START)
    with pytest.raises(Refused):
        caught_up(over, OfflineLine(["e2e4", "e7e5", "g1f3"], None))


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (moved(computer_game(), "e2e4"), True),
        (replace(computer_game(), white=Player("w", "Wanda, who is called otherwise now")), True),
        (replace(computer_game(), white=Player("x", "Wanda")), False),
        (computer_game(level=4), False),
        (computer_game(person=BLACK), False),
        (computer_game(control=FIVE_MINUTES), False),
        (computer_game(variant="grand"), False),
        (computer_game(fen="4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"), False),
        (live_game(), False),
    ],
)
def test_it_is_the_same_game_if_it_begins_alike_in_the_same_hands(other, same):
    assert is_same_game(other, computer_game()) is same


def test_a_draw_is_offered_by_the_person_and_taken_by_the_computer():
    offered, taken = commands_for(moved(computer_game(), "e2e4 e7e5"), OfflineLine(["e2e4", "e7e5"], "draw"))
    assert (offered.color, offered.kind, taken.color) == (WHITE, OfferKind.DRAW, BLACK)
    assert moved(computer_game(), "e2e4 e7e5").status is Status.LIVE
