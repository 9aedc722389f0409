"""How every store finds games again: by what is due, by who played, and how far they have got."""

from dataclasses import replace

import pytest

from server.games.changes.claiming import ChooseFlagging
from server.games.changes.ending import Abort, Resign
from server.games.changes.pausing import ComeBack, GoAway, Pause, Resume
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.reminders import Remind
from server.rules.notation.fen import format_placement
from server.storage.errors import Conflict
from server.storage.stores import ChatLine
from tests.support.games import (
    BLACK,
    BORIS,
    CARLA,
    START,
    WANDA,
    WHITE,
    after,
    joined,
    live_game,
    moved,
    open_game,
    over_game,
    running_game,
)
from tests.support.storage.stored_games import game_called, stepped, stored, taken_back

TEN_DAYS = TimeControl.correspondence(10)


async def test_running_games_are_those_in_which_something_happens_by_itself(store):
    unlimited = moved(live_game(control=TimeControl.unlimited()), "e2e4 e7e5")
    games = {
        "waits": open_game(),
        "unstarted": live_game(),
        "runs": running_game(),
        "days": moved(live_game(control=TimeControl.correspondence(3)), "e2e4 e7e5"),
        "by hand": after(running_game(control=TEN_DAYS), ChooseFlagging(BLACK, True)),
        "paused": after(running_game(), Pause(START)),
        "quiet": unlimited,
        "over": over_game(),
        "aborted": after(live_game(), Abort(WHITE)),
    }
    for name, game in games.items():
        await store.create(game_called(name, game))
    assert sorted(await store.running()) == ["by hand", "days", "paused", "runs", "unstarted", "waits"]
    assert "by hand" not in await store.due(START + 10_000 * DAY_MS, 10)


async def test_a_list_says_how_much_time_is_left_also_where_the_flag_falls_by_hand(store):
    for name, game in {
        "a": running_game(control=TEN_DAYS),
        "b": running_game(control=TimeControl.bank(10, 1, 30)),
    }.items():
        await store.create(game_called(name, game))
        await store.create(game_called(f"{name}h", after(game, ChooseFlagging(BLACK, True))))
    assert [one.deadline for one in await store.running_of(WANDA.id)] == [START + 10 * DAY_MS] * 4


async def test_a_list_shows_the_board_after_the_last_move_that_stands(store):
    game = await stored(store, running_game(control=TEN_DAYS))
    after_move = moved(game, "g1f3")
    await store.save(game, after_move)
    [listed] = await store.running_of(WANDA.id)
    assert (listed.board, listed.last) == (format_placement(after_move.position), "g1f3")
    asked, back = taken_back(after_move)
    await store.save(after_move, asked)
    await store.save(asked, back)
    [listed] = await store.running_of(WANDA.id)
    assert (listed.board, listed.last) == (format_placement(back.position), back.plies[-1].uci)
    assert listed.board != format_placement(after_move.position)


async def test_due_games_come_earliest_first_and_no_more_than_asked(store):
    for number in (3, 1, 4, 2):
        await store.create(replace(running_game(), id=f"game{number}", clock=clock_from(START + number)))
    deadline = replace(running_game(), clock=clock_from(START + 3)).deadline
    assert await store.due(deadline, 10) == ["game1", "game2"]
    assert await store.due(deadline + 1, 10) == ["game1", "game2", "game3"]
    assert await store.due(deadline + 1, 1) == ["game1"]


def clock_from(since):
    return replace(running_game().clock, since=since)


async def test_a_paused_game_is_never_due_and_is_due_again_when_it_goes_on(store):
    game = await stored(store, running_game())
    paused = after(game, Pause(START))
    await store.save(game, paused)
    assert await store.due(START + 10**12, 10) == []
    resumed = after(paused, Resume(), now=START + 1)
    await store.save(paused, resumed)
    assert await store.due(START + 10**12, 10) == [game.id]


async def test_games_to_be_reminded_of_come_earliest_first_and_no_more_than_asked(store):
    for number in (3, 1, 4, 2):
        days = running_game(control=TEN_DAYS)
        await store.create(replace(days, id=f"game{number}", clock=replace(days.clock, since=START + number)))
    await store.create(game_called("real-time", running_game()))
    half = START + 5 * DAY_MS
    assert await store.to_remind(half, 10) == []
    assert await store.to_remind(half + 2, 10) == ["game1", "game2"]
    assert await store.to_remind(half + 2, 1) == ["game1"]


async def test_a_reminder_is_kept_with_the_game_also_after_a_restart(place):
    store = await place.open()
    game = await stored(store, running_game(control=TEN_DAYS))
    half, tenth = START + 5 * DAY_MS, START + 9 * DAY_MS
    reminded = after(game, Remind(), now=half)
    await store.save(game, reminded)
    await store.close()
    store = await place.open()
    assert await store.load(game.id) == reminded
    assert (await store.to_remind(tenth - 1, 10), await store.to_remind(tenth, 10)) == ([], [game.id])
    twice = after(reminded, Remind(), now=tenth)
    await store.save(reminded, twice)
    assert await store.to_remind(START + 10 * DAY_MS, 10) == []
    replied = moved(twice, "g1f3", now=tenth + 1)
    await store.save(twice, replied)
    assert await store.to_remind(tenth + 1 + 5 * DAY_MS, 10) == [game.id]
    await store.save(replied, after(replied, Resign(WHITE), now=tenth + 2))
    assert await store.to_remind(START + 10**12, 10) == []


async def test_a_game_is_due_when_somebody_is_back_from_vacation(store):
    game = await stored(store, running_game(control=TEN_DAYS))
    gone = after(game, GoAway(WHITE, START + 5_000))
    await store.save(game, gone)
    assert await store.running() == [game.id]
    assert await store.due(START + 5_000, 10) == []
    assert await store.due(START + 5_001, 10) == [game.id]
    assert await store.to_remind(START + 10**12, 10) == []
    [listed] = await store.running_of(WANDA.id)
    assert (listed.you_away, listed.opponent_away, listed.deadline) == (START + 5_000, 0, None)
    [opponents] = await store.running_of(BORIS.id)
    assert (opponents.you_away, opponents.opponent_away) == (0, START + 5_000)
    back = after(gone, ComeBack(WHITE), now=START + 1)
    await store.save(gone, back)
    [listed] = await store.running_of(WANDA.id)
    assert (listed.you_away, listed.deadline) == (0, START + 1 + 10 * DAY_MS)


async def test_of_a_move_and_a_reminder_only_the_first_is_stored(store):
    game = await stored(store, running_game(control=TEN_DAYS))
    half = START + 5 * DAY_MS
    replied = moved(game, "g1f3", now=half)
    await store.save(game, replied)
    with pytest.raises(Conflict):
        await store.save(game, after(game, Remind(), now=half))
    assert await store.load(game.id) == replied


async def test_a_finished_game_is_not_due(store):
    game = await stored(store, running_game())
    await store.save(game, after(game, Resign(WHITE)))
    assert await store.due(START + 10**12, 10) == []
    assert await store.running() == []


async def test_the_games_of_a_player_come_newest_first_from_both_seats(store):
    for number in range(6):
        seats = (WANDA, BORIS) if number % 2 else (CARLA, WANDA)
        await store.create(
            replace(live_game(), id=f"game{number}", white=seats[0], black=seats[1], created=START + number)
        )
    assert [line.id for line in await store.by_player("w", 10)] == [f"game{number}" for number in (5, 4, 3, 2, 1, 0)]
    assert [line.id for line in await store.by_player("w", 3)] == ["game5", "game4", "game3"]
    assert [line.id for line in await store.by_player("c", 10)] == ["game4", "game2", "game0"]
    assert await store.by_player("nobody", 10) == []


async def test_a_line_in_the_list_says_what_the_game_is(store):
    await store.create(game_called("over", over_game(variant="chess")))
    await store.create(replace(open_game(variant="grand"), id="open", created=START + 1))
    waiting, over_line = await store.by_player("w", 10)
    assert (waiting.variant, waiting.white, waiting.black, waiting.status) == (
        "grand",
        "Wanda",
        None,
        "open",
    )
    assert (waiting.result, waiting.reason, waiting.plies, waiting.created) == (
        None,
        None,
        0,
        START + 1,
    )
    assert (over_line.result, over_line.reason, over_line.plies, over_line.black) == ("0-1", "checkmate", 4, "Boris")


async def test_a_player_who_joins_finds_the_game_in_their_list(store):
    game = await stored(store, open_game())
    assert await store.by_player("b", 10) == []
    await store.save(game, joined(game))
    assert [line.id for line in await store.by_player("b", 10)] == [game.id]


DAYS = TimeControl.correspondence(3)


async def test_of_many_games_those_that_wait_for_the_player_come_first_and_the_most_urgent_of_them(store):
    fresh, answered = moved(live_game(control=DAYS), "e2e4 e7e5"), moved(live_game(control=DAYS), "e2e4 e7e5 g1f3")
    await store.create(replace(fresh, id="urgent", created=START - 2, clock=replace(fresh.clock, since=START - 9)))
    await store.create(replace(fresh, id="waits", created=START - 1))
    for number in range(20):
        await store.create(replace(answered, id=f"theirs{number:02}", created=START + number))
    await store.create(game_called("over", over_game(variant="chess")))
    await store.create(replace(running_game(), id="now", created=START - 3))
    found = await store.running_of("w")
    assert [one.id for one in found[:4]] == ["now", "urgent", "waits", "theirs19"]
    assert (len(found), [one.waits for one in found[:4]]) == (23, [False, True, True, False])
    assert [one.waits for one in await store.running_of("b")].count(True) == 20
    assert (found[1].opponent, found[1].deadline) == ("Boris", START - 9 + 3 * DAY_MS)


async def test_a_game_that_ends_or_changes_hands_leaves_its_players_lists(store):
    game = await stored(store, running_game())
    assert [one.id for one in await store.running_of("w")] == [game.id]
    await store.save(game, after(game, Resign(WHITE)))
    assert (await store.running_of("w"), await store.running_of("b")) == ([], [])


async def test_games_and_lines_are_counted_without_being_read(store):
    for number in range(3):
        await store.create(game_called(f"white{number}"))
    await store.create(replace(live_game(), id="black", white=BORIS, black=WANDA))
    await store.create(replace(live_game(), id="both", white=WANDA, black=WANDA))
    await store.create(replace(live_game(), id="others", white=CARLA, black=BORIS))
    for number in range(4):
        await store.add_chat(ChatLine("black", ("players", "watchers")[number % 2], "w", "Wanda", "hi", START + number))
    assert await store.count_by_player(WANDA.id) == 5
    assert await store.count_by_player("nobody") == 0
    assert (await store.count_chat("black"), await store.count_chat("both")) == (4, 0)


@pytest.mark.parametrize("ask", ["by_player", "running_of", "heads"])
async def test_many_games_are_read_in_steps(store, monkeypatch, ask):
    """Between two of them everybody else comes to their turn. MongoDB's driver has read the heads already."""
    for number in range(6):
        await store.create(game_called(f"game{number}"))
    if ask == "heads" and hasattr(store, "_client"):
        return
    steps = []

    async def counted(work, rest_s=0.0):
        while True:
            try:
                next(work)
                steps.append(1)
            except StopIteration as end:
                return end.value

    engine = type(store.deletion if ask == "heads" else store).__module__
    monkeypatch.setattr(f"{engine}.run_sliced", counted)
    asked = {"by_player": (WANDA.id, 9), "running_of": (WANDA.id,), "heads": ("", 9)}[ask]
    found = await getattr(store.deletion if ask == "heads" else store, ask)(*asked)
    assert len(found) == len(steps) == 6


# How far many games have got, asked in one go, on every engine.


ROOMS = ("players", "watchers")


def line(game, at, room="players"):
    return ChatLine(game, room, "anna", "Anna", f"at {at}", at)


async def test_each_game_has_its_revision_and_an_unknown_id_has_none(store):
    games = [await stored(store, game_called(name)) for name in ("one", "two", "three")]
    moved = stepped(games[1])
    await store.save(games[1], moved)
    progress = await store.progress(["one", "two", "nobody"], START)
    assert progress.revs == {"one": games[0].rev, "two": moved.rev}
    assert list(progress.said) == []


async def test_nothing_is_asked_of_no_games(store):
    await stored(store, live_game())
    progress = await store.progress([], START)
    assert (progress.revs, list(progress.said)) == ({}, [])


async def test_what_was_said_since_then_comes_in_order_and_from_both_rooms(store):
    lines = [line(game, START + at, room) for at, (game, room) in enumerate((g, r) for g in "abc" for r in ROOMS)]
    for game in "abc":
        await store.create(game_called(game))
    for each in lines:
        await store.add_chat(each)
    progress = await store.progress(["a", "b"], START + 1)
    assert list(progress.said) == lines[1:4]
    assert list((await store.progress(["a", "b"], START + 4)).said) == []


async def test_two_chat_lines_of_one_instant_both_come(store):
    lines = [line("a", START), line("a", START, "watchers"), line("b", START)]
    for game in "ab":
        await store.create(game_called(game))
    for each in lines:
        await store.add_chat(each)
    assert list((await store.progress(["a", "b"], START)).said) == lines
