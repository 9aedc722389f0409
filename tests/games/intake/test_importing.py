"""Games from elsewhere: whatever is recorded of them, they come as finished games of nobody here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.clocks.time_control import BANK_DAYS, DAY_MS, TimeControl
from server.games.importing import imported_id, same_game
from server.games.player import Player
from server.games.state import cleaned
from server.games.status import Status
from server.rules.errors import InvalidPgn
from server.rules.movegen.legal import repetition_key
from server.rules.notation.fen import format_fen
from tests.support.games import START
from tests.support.imported_games import MATE, imported, tagged
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import as_pgn
from tests.support.rules.vectors import GAME_FILES, records


@pytest.mark.parametrize("name", GAME_FILES)
def test_recorded_games_are_imported_whole(name):
    for record in records(name)[:3]:
        game = imported(as_pgn(VARIANTS, record, White="Ann", Black="Bo"))
        assert [ply.uci for ply in game.plies] == record["moves"]
        assert (game.terms.variant.id, game.terms.chess960) == (record["variant"], record.get("chess960", False))
        assert (game.status, game.terms.rated, game.deadline) == (Status.OVER, False, None)
        assert (game.white, game.black) == (Player("", "Ann"), Player("", "Bo"))
        assert game.result == record["result"] or record["result"] == "*"
        assert (game.created, game.ended) == (START, START)
        assert game.keys.last == repetition_key(game.position)
        assert format_fen(game.position)


@pytest.mark.parametrize(
    ("movetext", "tags", "outcome"),
    [
        (f"{MATE} 0-1", {}, ("0-1", "checkmate")),
        (f"{MATE} *", {}, ("0-1", "checkmate")),
        ("1. e4 1-0", {}, ("1-0", "imported")),
        ("1. e4 1-0", {"Termination": "Normal"}, ("1-0", "imported")),
        ("1. e4 0-1", {"Termination": "Time forfeit"}, ("0-1", "time")),
        ("1. e4 0-1", {"Termination": "resign"}, ("0-1", "resign")),
        ("1. e4 1/2-1/2", {"Termination": "agreement"}, ("1/2-1/2", "agreement")),
        ("1. e4 0-1", {"Termination": "checkmate"}, ("0-1", "imported")),
        ("1. e4 *", {}, ("*", "unfinished")),
        ("1. e4", {"Result": "1-0"}, ("1-0", "imported")),
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2", {}, ("1/2-1/2", "repetition")),
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1-0", {}, ("1-0", "imported")),
    ],
)
def test_the_ending_is_read_from_the_result_and_tags(movetext, tags, outcome):
    game = tagged(movetext, **tags)
    assert (game.result, game.outcome.reason) == outcome


def test_a_result_against_the_board_is_refused():
    with pytest.raises(InvalidPgn, match="result result='1-0'"):
        tagged(f"{MATE} 1-0")


def test_a_game_without_moves_is_refused():
    with pytest.raises(InvalidPgn, match="no_moves"):
        tagged("*", White="Ann")


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("300+2", TimeControl.realtime(300_000, 2_000)),
        ("600", TimeControl.realtime(600_000, 0)),
        ("1/259200", TimeControl.correspondence(3)),
        *((f"{days * 86_400}+{more * 86_400}", TimeControl.bank(days, more, cap)) for days, more, cap in BANK_DAYS),
        ("1/5", TimeControl.unlimited()),
        ("864000+86401", TimeControl.unlimited()),
        ("40/7200:3600", TimeControl.unlimited()),
        ("999999+0", TimeControl.unlimited()),
        ("-", TimeControl.unlimited()),
        ("", TimeControl.unlimited()),
    ],
)
def test_time_controls(text, control):
    assert tagged(TimeControl=text).terms.control == control


def test_clock_times_in_comments_are_kept():
    game = tagged("1. e4 {[%clk 0:03:00]} e5 { better: c5 [%clk 1:02:03.45] } 2. d4 (2. f4 {[%clk 9:00:00]}) 2... d5 *")
    assert [ply.left_ms for ply in game.plies] == [180_000, 3_723_450, None, None]


def test_the_clocks_stand_as_they_did_at_the_end():
    game = tagged("1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:00]} 2. d4 {[%clk 0:01:00]} *", TimeControl="300+2")
    assert game.clock.left_ms == (60_000, 120_000)
    late = "4k3/8/8/8/8/8/8/4K2R b K - 3 17"
    game = tagged("17... Kd7 {[%clk 0:02:00]} *", TimeControl="300", FEN=late)
    assert game.clock.left_ms == (300_000, 120_000)


def test_the_clock_of_a_time_bank_holds_no_more_than_it_may():
    game = tagged("1. e4 {[%clk 240:00:01]} e5 {[%clk 1000:00:00]} *", TimeControl="864000+86400")
    assert game.clock.left_ms == (10 * DAY_MS + 1_000, 30 * DAY_MS)


def test_the_usual_start_written_as_a_fen_is_the_usual_start():
    variant = VARIANTS["seirawan"]
    other = variant.start_fen.replace("[EHeh]", "[HEhe]")
    assert other != variant.start_fen
    assert tagged("1. e4 *", Variant="S-Chess", FEN=other).terms.start_fen == variant.start_fen


def test_the_same_game_has_the_same_id_and_another_game_another():
    one = tagged(White="Ann", Date="2020.01.01")
    again = tagged("1. e4 {[%clk 0:03:00]} e5 *", White=" Ann", Date="2020.01.01", Event="?", Round="-", Site="")
    assert one.id == again.id
    others = (tagged("1. e4 *", White="Ann"), tagged(White="Bo"), tagged(Date="2020"), tagged("1. e4 {so} e5"))
    assert len({one.id, *(other.id for other in others)}) == 5
    assert imported_id(one, 1) != one.id


def test_an_imported_game_is_recognised_again():
    assert same_game(tagged(White="Ann"), tagged(White="Ann", Event="?", WhiteElo="2000"))
    assert not same_game(tagged(White="Ann"), tagged(White="Bo"))
    assert not same_game(tagged(), tagged("1. e4 *"))
    assert not same_game(tagged(), tagged("1. e4 $1 e5 *"))


@pytest.mark.parametrize("tag", ["Event", "Site", "Round"])
def test_the_same_moves_played_elsewhere_or_in_another_round_are_another_game(tag):
    one, other = tagged(White="Ann", **{tag: "1"}), tagged(White="Ann", **{tag: "2"})
    nameless = tagged(White="Ann")
    assert len({one.id, other.id, nameless.id}) == 3
    assert not same_game(one, other)
    assert not same_game(one, nameless)


@pytest.mark.parametrize(
    ("tag", "first", "second"),
    [
        ("UTCTime", "18:02:11", "18:05:40"),
        ("UTCDate", "2026.11.26", "2026.11.27"),
        ("Time", "10:00:00", "12:00:00"),
        ("StartTime", "18:02:11", "18:05:40"),
        ("EndDate", "2026.11.26", "2026.11.27"),
        ("EndTime", "18:02:11", "18:05:40"),
        ("Board", "1", "2"),
        ("Link", "https://www.chess.com/game/live/101", "https://www.chess.com/game/live/102"),
        ("GameId", "q7ZvsdUF", "q7ZvsdUG"),
        ("GameURL", "https://lichess.org/broadcast/a/b/c/d", "https://lichess.org/broadcast/a/b/c/e"),
        ("FICSGamesDBGameNo", "400000001", "400000002"),
    ],
)
def test_the_same_moves_of_one_day_are_another_game_if_a_tag_tells_them_apart(tag, first, second):
    one, other = (tagged(White="Ann", Date="2026.11.26", Site="FICS", **{tag: said}) for said in (first, second))
    silent = tagged(White="Ann", Date="2026.11.26", Site="FICS")
    # Their first id is the one that they had before these tags counted; who comes second gets another.
    assert one.id == other.id == silent.id
    assert len({imported_id(game, 1) for game in (one, other, silent)}) == 3
    assert not same_game(one, other)
    assert same_game(one, tagged(White="Ann", Date="2026.11.26", Site="FICS", **{tag: f" {first}"}))


def test_a_game_keeps_the_id_that_it_always_had():
    told = {"White": "Ann", "Date": "2026.11.26"}
    unknown = {"UTCTime": "??:??:??", "UTCDate": "????.??.??", "Board": "-", "Link": ""}
    assert tagged(**told).id == "ykGnRxErQN"
    assert tagged(**told, **unknown, WhiteElo="2000").id == "ykGnRxErQN"
    assert tagged(**told, UTCTime="18:02:11").id == "ykGnRxErQN"


def test_the_same_moves_with_another_result_are_another_game():
    won, lost = tagged("1. e4 e5 1-0"), tagged("1. e4 e5 0-1")
    assert won.id != lost.id
    assert not same_game(won, lost)


def test_a_game_from_a_position_in_which_the_king_can_be_taken_is_refused():
    with pytest.raises(InvalidPgn, match="king_can_be_taken"):
        tagged("1. Qxh8 1/2-1/2", FEN="7k/8/8/8/8/8/8/K6Q w - - 0 1")


@given(text=st.text())
def test_texts_of_tags_become_one_short_printable_line(text):
    line = cleaned(text, 20)
    assert len(line) <= 20
    assert line.isprintable()
    assert "  " not in line
