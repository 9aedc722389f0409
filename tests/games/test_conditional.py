"""Conditional moves: exactly the answers that were prepared are played, and nothing is left when the line is left."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.changes.ending import Resign
from server.games.changes.offers import AcceptOffer, DeclineOffer, MakeOffer
from server.games.changes.pausing import Pause
from server.games.changes.playing import MOST_AT_ONCE, PlayMove, PrepareMoves
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.conditional import (
    MAX_DEPTH,
    MAX_LINES,
    MAX_MOVES,
    NO_MOVES,
    Branch,
    is_complete,
    judge_tree,
    steps_of,
    tree_from,
)
from server.games.errors import AlreadyPlayed, BadMove, NotAllowed, Stale
from server.games.frozen import replace
from server.games.game import play
from server.games.judging import judge_game
from server.games.state import OfferKind
from server.games.status import Status
from server.rules.movegen.legal import legal_moves
from server.rules.notation.fen import format_fen
from server.rules.sliced_work import run_at_once
from tests.support.games import (
    BLACK,
    FIVE_MINUTES,
    START,
    WHITE,
    after,
    at_position,
    kinds,
    live_game,
    moved,
    running_game,
)
from tests.support.move_trees import after_move, prepared, random_lines, steps
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.stored_games import stepped

DAYS = TimeControl.correspondence(3)
SICILIAN = ("c7c5 g1f3 d7d6 d2d4", "c7c5 g1f3 b8c6 f1b5", "e7e6 d2d4")


@pytest.fixture
def game():
    """1. e4, in a correspondence game: Black is to move, White prepares."""
    return moved(live_game(control=DAYS), "e2e4")


def ucis(game):
    return [ply.uci for ply in game.plies]


def lines_left(game, color):
    return steps_of(game.conditional[color.value])


@given(
    variant=st.sampled_from(sorted(VARIANTS)),
    seed=st.integers(0, 10_000),
    begin=st.integers(0, 6),
    faithful=st.integers(0, 4),
)
def test_what_is_played_is_what_the_tree_says_in_every_variant(variant, seed, begin, faithful):
    random = Random(seed)
    game = live_game(control=DAYS, variant=variant)
    for _ in range(begin):
        game = stepped(game, random.randrange(1000))
    lines = random_lines(game.position, random)
    owner = game.to_move.other
    game = prepared(game, *lines)
    while game.status is Status.LIVE and lines:
        assert sorted({line[0] for line in lines}) == sorted(branch.uci for branch in game.conditional[owner.value])
        before, uci = game, random.choice(lines)[0]
        if random.randrange(5) > faithful:
            uci = random.choice(legal_moves(game.position)).uci
        game, events = play(game, PlayMove(game.to_move, uci, len(game.plies)), START)
        lines = after_move(lines, uci)
        answer = [] if game.status is Status.OVER and len(game.plies) == len(before.plies) + 1 else lines[:1]
        assert ucis(game)[len(before.plies) :] == [uci, *(line[0] for line in answer)]
        assert [event.uci for event in events if hasattr(event, "uci")] == ucis(game)[len(before.plies) :]
        assert game.rev == before.rev + 1
        lines = after_move(lines, answer[0][0]) if answer else []
    assert game.conditional == NO_MOVES
    judge_game(game)


@given(variant=st.sampled_from(sorted(VARIANTS)), seed=st.integers(0, 10_000))
def test_a_tree_is_the_same_after_it_was_written_down(variant, seed):
    game = moved(live_game(control=DAYS, variant=variant), "")
    lines = random_lines(game.position, Random(seed))
    tree = run_at_once(judge_tree(game.position, steps(lines)))
    assert tree_from(steps_of(tree)) == tree
    assert is_complete(tree, own=False)
    assert set(starts(tree)) == {tuple(line[: n + 1]) for line in lines for n in range(len(line))}


def starts(tree, before=()):
    for branch in tree:
        yield (*before, branch.uci)
        yield from starts(branch.then, (*before, branch.uci))


def test_an_answer_is_one_change_with_the_move_and_takes_no_time(game):
    game = prepared(game, *SICILIAN)
    later = START + DAY_MS
    answered, events = play(game, PlayMove(BLACK, "c7c5", 1), later)
    assert (answered.rev, ucis(answered)) == (game.rev + 1, ["e2e4", "c7c5", "g1f3"])
    assert kinds(events) == ["Moved", "Moved"]
    assert [format_fen(event.position).split(" ")[1] for event in events] == ["w", "b"]
    assert (answered.clock.turn, answered.clock.since) == (BLACK, later)
    assert answered.clock.left_ms == (3 * DAY_MS, 3 * DAY_MS)
    assert lines_left(answered, WHITE) == ("d7d6", "d2d4", 2, "b8c6", "f1b5")
    assert ucis(moved(answered, "b8c6"))[3:] == ["b8c6", "f1b5"]


def test_a_move_that_is_not_in_the_tree_drops_it(game):
    left = moved(prepared(game, *SICILIAN), "e7e5")
    assert (ucis(left), left.conditional) == (["e2e4", "e7e5"], NO_MOVES)


def test_the_move_sent_again_after_a_lost_answer_is_known(game):
    answered = moved(prepared(game, *SICILIAN), "c7c5")
    with pytest.raises(AlreadyPlayed):
        play(answered, PlayMove(BLACK, "c7c5", 1), START)


def test_a_takeback_drops_the_tree(game):
    asked = after(prepared(game, *SICILIAN), MakeOffer(WHITE, OfferKind.TAKEBACK))
    assert after(asked, AcceptOffer(BLACK, 1)).conditional == NO_MOVES
    assert after(asked, DeclineOffer(BLACK, 1)).conditional != NO_MOVES


def test_the_end_of_the_game_drops_the_tree(game):
    assert after(prepared(game, *SICILIAN), Resign(BLACK)).conditional == NO_MOVES
    flagged = prepared(running_game(control=DAYS), "g1f3 b8c6")
    over, events = play(flagged, PlayMove(WHITE, "g1f3", 2), START + 3 * DAY_MS)
    assert (kinds(events), over.conditional, len(over.plies)) == (["Ended"], NO_MOVES, 2)


def test_an_answer_that_mates_ends_the_game():
    game = prepared(moved(live_game(control=DAYS), "f2f3 e7e5"), "g2g4 d8h4")
    mate, events = play(game, PlayMove(WHITE, "g2g4", 2), START)
    assert kinds(events) == ["Moved", "Moved", "Ended"]
    assert (mate.result, mate.conditional) == ("0-1", NO_MOVES)


@pytest.mark.parametrize(
    ("variant", "before", "trigger", "answer"),
    [
        ("crazyhouse", "e2e4 d7d5 e4d5", "d8d5", "P@e4"),
        ("seirawan", "e2e4", "e7e5", "g1f3h"),
        ("chess", "a2a4 h7h5 a4a5 h5h4 a5a6 h4h3 a6b7 h3g2", "b7a8q", "g2h1n"),
        ("shogun", "e2e4", "e7e5", "g1f3"),
    ],
)
def test_drops_gating_and_promotion_are_answers_like_any_other(variant, before, trigger, answer):
    game = moved(live_game(control=DAYS, variant=variant), before)
    answered = moved(prepared(game, f"{trigger} {answer}"), trigger)
    assert ucis(answered)[-2:] == [trigger, answer]


def test_a_drop_is_illegal_in_a_line_in_which_nothing_was_captured():
    game = moved(live_game(control=DAYS, variant="crazyhouse"), "e2e4")
    with pytest.raises(BadMove):
        prepared(game, "e7e5 P@e3")


def test_an_offer_of_the_opponent_waits_for_the_player_with_the_answer(game):
    game = moved(game, "e7e5 g1f3")
    game = after(prepared(game, "b8c6 f1b5 a7a6 b5a4"), MakeOffer(BLACK, OfferKind.DRAW))
    offered = moved(game, "b8c6")
    assert ucis(offered)[3:] == ["b8c6"]
    assert [offer.kind for offer in offered.offers] == [OfferKind.DRAW]
    assert lines_left(offered, WHITE) == ("f1b5", "a7a6", "b5a4")
    assert ucis(moved(offered, "f1b5 a7a6"))[3:] == ["b8c6", "f1b5", "a7a6", "b5a4"]
    assert moved(offered, "f1c4").conditional == NO_MOVES


def test_an_own_offer_does_not_keep_the_answer_back(game):
    game = moved(game, "e7e5 g1f3")
    game = after(prepared(game, "b8c6 f1b5"), MakeOffer(WHITE, OfferKind.DRAW))
    assert ucis(moved(game, "b8c6"))[3:] == ["b8c6", "f1b5"]


def test_two_trees_answer_each_other_in_one_change_but_not_for_ever():
    written = "e7e5 d2d3 d7d6 c2c3 c7c6 b2b3 b7b6 a2a3 a7a6 h2h3 h7h6 g2g3 g7g6 f2f3"
    line = written.split()
    game = moved(live_game(control=DAYS), "e2e4")
    both = replace(game, conditional=(tree_from(line), tree_from(line)))
    moved_on, events = play(both, PlayMove(BLACK, line[0], 1), START)
    assert ucis(moved_on)[1:] == line[:MOST_AT_ONCE]
    assert len(events) == MOST_AT_ONCE
    assert lines_left(moved_on, BLACK) == tuple(line[MOST_AT_ONCE:])
    # Whoever is to move plays the next move by hand, and the trees go on from there.
    assert ucis(moved(moved_on, line[MOST_AT_ONCE]))[1:] == line


def test_paused_clocks_stay_paused(game):
    paused = after(prepared(game, *SICILIAN), Pause(START + 1), now=START + 2)
    answered = moved(paused, "c7c5", now=START + 3)
    assert (len(answered.plies), answered.clock.paused_at) == (3, START + 3)


@pytest.mark.parametrize("control", [FIVE_MINUTES, TimeControl.unlimited()])
def test_only_games_of_days_take_conditional_moves(control):
    with pytest.raises(NotAllowed, match="conditional_not_by_days"):
        prepared(moved(live_game(control=control), "e2e4"), "e7e5 g1f3")


def test_nobody_prepares_moves_on_their_own_turn(game):
    tree = run_at_once(judge_tree(game.position, ["e7e5", "g1f3"]))
    with pytest.raises(NotAllowed, match="conditional_own_turn"):
        play(game, PrepareMoves(BLACK, game.position, tree), START)


def test_moves_judged_from_another_position_are_refused(game):
    tree = run_at_once(judge_tree(game.position, ["e7e5", "g1f3"]))
    for other in (moved(game, "e7e5 g1f3"), after(game, MakeOffer(WHITE, OfferKind.TAKEBACK), AcceptOffer(BLACK, 1))):
        with pytest.raises(Stale):
            play(other, PrepareMoves(WHITE, game.position, tree), START)


def test_a_move_takes_what_follows_it_along_in_one_change():
    start, lines = live_game(control=DAYS), ["e7e5", "g1f3"]
    after_it = moved(start, "e2e4").position
    tree = run_at_once(judge_tree(after_it, lines))
    played, _ = play(start, PlayMove(WHITE, "e2e4", 0, prepared=(after_it, tree)), START)
    assert (ucis(played), played.conditional[0], played.rev) == (["e2e4"], tree, start.rev + 1)
    with pytest.raises(Stale):
        play(start, PlayMove(WHITE, "d2d4", 0, prepared=(after_it, tree)), START)
    answered, _ = play(prepared(start, "e2e4 e7e5"), PlayMove(WHITE, "e2e4", 0, prepared=(after_it, tree)), START)
    assert ucis(answered) == ["e2e4", "e7e5", "g1f3"]


def test_nothing_follows_the_move_that_ends_the_game():
    game = at_position("k7/8/1K6/8/8/8/8/7R w - - 0 1", control=DAYS)
    mated, _ = play(game, PlayMove(WHITE, "h1h8", 0, prepared=(moved(game, "h1h8").position, ())), START)
    assert mated.status is Status.OVER


def test_the_same_moves_again_change_nothing_and_none_drop_what_was_prepared(game):
    once = prepared(game, *SICILIAN)
    assert prepared(once, *SICILIAN) is once
    assert prepared(once).conditional == NO_MOVES
    assert once.clock == game.clock


def test_an_answer_that_has_become_illegal_is_dropped_and_the_move_stands(game):
    odd = replace(game, conditional=((Branch("e7e5", (Branch("e4e6"),)),), ()))
    played, events = play(odd, PlayMove(BLACK, "e7e5", 1), START)
    assert (ucis(played), played.conditional, kinds(events)) == (["e2e4", "e7e5"], NO_MOVES, ["Moved"])


@pytest.mark.parametrize(
    ("written", "refusal"),
    [
        (["e7e5"], "conditional_answers"),
        (["e7e5", "g1f3", 1, "f1c4"], "conditional_answers"),
        (["e7e5", "g1f3", "b8c6"], "conditional_answers"),
        (["e7e5", "g1f3", 3], "too_far_back"),
        (["e7e5", "e4e5"], "illegal"),
        (["g1f3", "e7e5"], "illegal"),
        (["e7e5", "rubbish"], "unreadable"),
    ],
)
def test_a_tree_with_a_fault_is_refused_whole(game, written, refusal):
    with pytest.raises((BadMove, NotAllowed), match=f"^{refusal}"):
        run_at_once(judge_tree(game.position, written))


def test_no_line_goes_on_after_the_end_of_the_game():
    game = at_position("k7/8/8/8/8/8/r7/3K4 b - - 0 1", control=DAYS)
    assert run_at_once(judge_tree(game.position, ["a2d2", "d1d2"]))
    with pytest.raises(BadMove, match=r"^illegal move='a8b8'"):
        # Bare kings: nobody can mate any more.
        run_at_once(judge_tree(game.position, ["a2d2", "d1d2", "a8b8", "d2d3"]))


def test_a_tree_above_the_limits_is_refused_before_it_is_judged(game):
    there_and_back = ["g8f6", "g1f3", "f6g8", "f3g1"] * (MAX_DEPTH // 4)
    assert run_at_once(judge_tree(game.position, there_and_back[:8]))
    with pytest.raises(NotAllowed, match=r"^conditional_too_deep"):
        run_at_once(judge_tree(game.position, [*there_and_back, "e7e5", "d2d4"]))
    for far in (["e7e5", "g1f3"] * (MAX_MOVES // 2 + 1), ["e7e5", "g1f3", 2] * (MAX_LINES + 1)):
        with pytest.raises(NotAllowed, match=r"^conditional_too_many"):
            next(judge_tree(game.position, far))
