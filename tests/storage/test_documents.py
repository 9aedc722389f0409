"""Games as documents: what is stored comes back equal, and documents of this and later days are read or refused."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.changes.beginning import BothHere, Join, new_game
from server.games.changes.claiming import Claim
from server.games.changes.ending import Abort, Resign
from server.games.changes.offers import AcceptOffer, DeclineOffer, MakeOffer
from server.games.changes.pausing import ComeBack, CreditStall, EndVacations, GoAway, Pause, Resume
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.errors import Refused
from server.games.game import play
from server.games.player import LEVELS
from server.games.reminders import Remind
from server.games.state import OfferKind
from server.rules.notation.fen import format_fen
from server.storage import replay
from server.storage.documents import (
    SCHEMA,
    USUAL,
    Append,
    Document,
    Replace,
    in_brief,
    in_full,
    to_document,
    to_head,
    update_between,
)
from server.storage.errors import Unreadable
from server.storage.replay import SEARCHED, UPGRADES, from_document, upgrade
from server.storage.running import running_game
from server.storage.summaries import summary
from tests.support.games import (
    BLACK,
    BORIS,
    INVITE,
    START,
    WANDA,
    WHITE,
    computer_game,
    joined,
    live_game,
    moved,
    open_game,
    over_game,
    proposed_game,
    terms,
)
from tests.support.machine_speed import costs_at_most
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.stored_games import random_steps, stepped, taken_back

KEPT = Path(__file__).parent / "documents"
CONTROLS = [
    TimeControl.realtime(300_000, 3_000),
    TimeControl.realtime(0, 10_000, black_initial_ms=60_000, black_increment_ms=0),
    TimeControl.correspondence(3),
    TimeControl.bank(10, 1, 30),
    TimeControl.unlimited(),
]
ACCEPTED, _ = play(new_game("game", terms(), START, white=WANDA, invites=(None, BORIS)), Join(BORIS), START)
COMMANDS = [
    *(make(color) for make in (Resign, Abort, Claim) for color in (WHITE, BLACK)),
    *(MakeOffer(color, kind, next_id="next") for color in (WHITE, BLACK) for kind in OfferKind),
    *(AcceptOffer(color, offer, next_id="next") for color in (WHITE, BLACK) for offer in (1, 2)),
    *(DeclineOffer(color, offer) for color in (WHITE, BLACK) for offer in (1, 2)),
    BothHere(),
    Pause(START),
    Resume(),
    CreditStall(250),
    *(GoAway(color, START + until) for color in (WHITE, BLACK) for until in (5_000, 20_000)),
    ComeBack(WHITE),
    EndVacations(),
    Remind(),
]


@given(
    control=st.sampled_from(CONTROLS),
    variant=st.sampled_from(sorted(VARIANTS)),
    course=st.lists(st.sampled_from([None, None, None, *COMMANDS]), max_size=25),
    seed=st.integers(0, 10_000),
    level=st.integers(0, LEVELS),
)
def test_every_event_of_a_game_comes_back_equal(control, variant, course, seed, level):
    game = live_game(control=control, variant=variant)
    if level and not control.by_days:
        game = computer_game(level, control=control, variant=variant)
    for number, command in enumerate(course):
        now = START + 900 * number
        before = game
        try:
            if command is not None:
                game, _ = play(game, command, now)
            elif game.outcome is None:
                game = stepped(game, seed + 7 * number, now, lag=seed % 400)
        except Refused:
            continue
        if game is not before:
            step = update_between(before, game)
            assert applied(to_document(before), step) == to_document(game)
        assert from_document(to_document(game), VARIANTS) == game
        for known, wanted in ((before, game), (game, before)):
            assert from_document(to_document(wanted), VARIANTS, known) == wanted


@given(variant=st.sampled_from(sorted(VARIANTS)), plies=st.integers(0, 30), seed=st.integers(0, 10_000))
def test_a_list_shows_the_board_of_a_running_game_without_replaying_it(variant, plies, seed):
    game = live_game(control=TimeControl.correspondence(3), variant=variant)
    for ply in range(plies):
        if game.outcome is None:
            game = stepped(game, seed + 7 * ply, START + ply)
    head = to_head(game)
    listed = running_game(head, WANDA.id)
    assert listed.board == format_fen(game.position).split(" ")[0].split("[")[0]
    assert listed.last == (game.plies[-1].uci if game.plies else "")
    earlier = running_game({key: value for key, value in head.items() if key not in ("board", "last")}, WANDA.id)
    assert (earlier.board, earlier.last) == ("", "")
    assert replace(earlier, board=listed.board, last=listed.last) == listed


def test_known_moves_are_not_replayed(monkeypatch):
    game = moved(live_game(), "e2e4 e7e5")
    after = stepped(game)
    monkeypatch.delattr(replay, "parse_fen")
    assert from_document(to_document(after), VARIANTS, game) == after


def applied(document, step):
    """What a store does with a change."""
    match step.moves:
        case Append(start, moves):
            assert start == len(document.moves)
            return Document(in_full(step.head), document.moves + moves)
        case Replace(moves):
            return Document(in_full(step.head), moves)


@pytest.mark.parametrize(
    "game", [open_game(), open_game(creator=BLACK), proposed_game(), joined(open_game()), ACCEPTED, over_game()]
)
def test_seats_and_endings_come_back_equal(game):
    assert from_document(to_document(game), VARIANTS) == game


def test_a_shuffled_start_comes_back_equal():
    fen = "bqnrkbnr/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBNR w HDhd - 0 1"
    shuffled = replace(live_game().terms, start_fen=fen, chess960=True)
    game = moved(new_game("game", shuffled, START, white=WANDA, black=BORIS), "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1h1")
    found = from_document(to_document(game), VARIANTS)
    assert found == game
    assert found.position.chess960


def test_a_document_holds_only_what_every_mongodb_server_gets_right():
    document = to_document(moved(open_game(), "e2e4"))
    assert all(type(value) in (int, str) for value in document.head.values())
    assert all(type(move) is str for move in document.moves)


def test_a_move_is_one_short_string():
    assert to_document(moved(live_game(), "e2e4 e7e5")).moves == ("e2e4 300000 0 e4", "e7e5 300000 0 e5")
    unlimited = moved(live_game(control=TimeControl.unlimited()), "g1f3")
    assert to_document(unlimited).moves == ("g1f3 - 0 Nf3",)


def test_a_move_is_appended_and_a_takeback_replaces():
    game = moved(live_game(), "e2e4 e7e5")
    assert update_between(game, moved(game, "g1f3")).moves == Append(2, ("g1f3 303000 0 Nf3",))
    asked, granted = taken_back(game)
    assert update_between(game, asked).moves == Append(2, ())
    assert update_between(asked, granted).moves == Replace(("e2e4 300000 0 e4",))


def test_a_move_does_not_write_what_is_as_usual():
    game = moved(live_game(), "e2e4 e7e5")
    assert USUAL.keys().isdisjoint(update_between(game, moved(game, "g1f3")).head)
    assert to_head(game).items() >= USUAL.items()
    assert USUAL.keys().isdisjoint(in_brief(to_head(game)))


def test_only_the_next_revision_of_the_same_game_is_a_change():
    game = live_game()
    step = stepped(game)
    for wrong in (game, replace(step, rev=2), replace(step, id="other")):
        with pytest.raises(ValueError, match="does not follow"):
            update_between(game, wrong)


def test_the_invitation_is_stored_as_a_hash_only_and_goes_with_its_use():
    assert to_head(open_game())["invite"] == INVITE
    assert to_head(joined(open_game()))["invite"] == ""


def test_an_entry_of_a_list_needs_no_variant():
    entry = summary(to_head(over_game()))
    assert (entry.white, entry.result, entry.reason, entry.plies) == ("Wanda", "0-1", "checkmate", 4)


@pytest.mark.parametrize("control", CONTROLS)
def test_a_list_says_on_which_clock_a_game_is_played(control):
    assert summary(to_head(live_game(control=control))).control == control


def test_a_list_reads_the_heads_of_earlier_releases():
    for path in KEPT.glob("*.json"):
        kept = json.loads(path.read_text(encoding="utf-8"))
        head = in_full(kept["head"])
        game = from_document(Document(head, tuple(kept["moves"])), VARIANTS)
        assert summary(head).control == game.terms.control


def test_a_bank_that_holds_more_than_it_may_is_damaged():
    document = to_document(live_game(control=TimeControl.bank(10, 1, 30)))
    with pytest.raises(Unreadable, match="holds more"):
        from_document(Document({**document.head, "left": f"{31 * DAY_MS} 0"}, document.moves), VARIANTS)


@pytest.mark.row("F17")
@pytest.mark.parametrize("path", sorted(KEPT.glob("*.json")), ids=lambda path: path.stem)
def test_games_stored_by_earlier_releases_are_read(path):
    """Add a file for every schema; never change one."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    head = in_full(kept["head"])
    game = from_document(Document(head, tuple(kept["moves"])), VARIANTS)
    # What only lists and queries read may have been added since.
    as_now = {key: value for key, value in to_head(game).items() if key in head or key not in SEARCHED}
    assert as_now == {**head, "s": SCHEMA} or head["s"] < SCHEMA
    assert [ply.uci for ply in game.plies] == [move.split(" ")[0] for move in kept["moves"]]


def test_there_is_a_kept_document_of_the_present_schema():
    assert (KEPT / f"schema{SCHEMA}.json").is_file()
    assert len(UPGRADES) == SCHEMA - 1


def test_an_older_document_goes_through_every_later_step_in_order():
    def rename(head):
        return {name: value for name, value in head.items() if name != "control"} | {"clock": head["control"]}

    def shout(head):
        return {**head, "clock": head["clock"].upper()}

    present = to_document(live_game())
    first = Document({**present.head, "s": 1}, present.moves)
    third = upgrade(first, (rename, shout))
    assert (third.head["s"], third.head["clock"], "control" in third.head) == (3, "REALTIME", False)
    assert upgrade(third, (rename, shout)) == third
    assert upgrade(upgrade(first, (rename,)), (rename, shout)) == third


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("s", 99),
        ("s", 0),
        ("variant", "gone"),
        ("start", "no fen"),
        ("status", "asleep"),
        ("left", "1"),
        ("rev", "one"),
        ("white", 7),
        ("white_level", 9),
    ],
)
def test_an_unreadable_document_is_named(field, value):
    document = to_document(live_game())
    with pytest.raises(Unreadable, match="game game cannot be read"):
        from_document(Document({**document.head, field: value}, document.moves), VARIANTS)


@pytest.mark.parametrize("move", ["e2e9 1 0 e9", "@ 1 0 @", "e2e4", "e2e4 x 0 e4"])
def test_an_unreadable_move_is_named(move):
    with pytest.raises(Unreadable, match="game game cannot be read"):
        from_document(Document(to_head(live_game()), (move,)), VARIANTS)


def test_a_long_game_is_read_in_a_few_units_of_computing():
    game = random_steps(live_game(variant="grand", control=TimeControl.unlimited()), 100)[-1]
    document = to_document(game)
    best = min(timed(lambda: from_document(document, VARIANTS)) for _ in range(5))
    assert costs_at_most(best, 50)


def timed(work):
    began = time.thread_time()
    work()
    return time.thread_time() - began
