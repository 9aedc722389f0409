"""What every store must do with games. Each test runs on every engine, see engines.py."""

import asyncio
from dataclasses import replace

import pytest

from server.games.clock import TimeControl
from server.games.commands import Abort, MakeOffer, OfferKind, Pause, Resign, Resume
from server.games.player import Player
from server.storage.stores import Conflict, Duplicate, Unavailable, Unreadable
from tests.games.builders import (
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
    variants,
)
from tests.storage.games import every_step, game_called, random_steps, save_all, stepped, taken_back


async def stored(store, game):
    await store.create(game)
    return game


async def test_a_game_comes_back_equal(store):
    game = await stored(store, open_game())
    assert await store.load(game.id) == game


async def test_nothing_comes_back_for_an_id_that_is_not_there(store):
    assert await store.load("nobody") is None


async def test_an_id_can_be_used_once(store):
    game = await stored(store, live_game())
    with pytest.raises(Duplicate):
        await store.create(replace(game, created=START + 1))
    assert await store.load(game.id) == game


@pytest.mark.parametrize("variant", variants())
async def test_a_whole_game_of_every_variant_comes_back_equal(store, variant):
    games = random_steps(live_game(variant=variant), 30)
    await store.create(games[0])
    await save_all(store, games)
    assert await store.load("game") == games[-1]


async def test_a_move_after_an_old_state_is_refused_and_changes_nothing(store):
    game = await stored(store, live_game())
    first, second = stepped(game, 0), stepped(game, 1)
    await store.save(game, first)
    with pytest.raises(Conflict):
        await store.save(game, second)
    assert await store.load(game.id) == first


async def test_a_game_that_was_never_created_cannot_be_saved(store):
    game = live_game()
    with pytest.raises(Conflict):
        await store.save(game, stepped(game))
    assert await store.load(game.id) is None


async def test_of_many_different_moves_exactly_one_wins_at_every_ply(store):
    game = await stored(store, live_game())
    for _ in range(10):
        steps = every_step(game)
        answers = await asyncio.gather(*(store.save(game, step) for step in steps), return_exceptions=True)
        winners = [step for step, answer in zip(steps, answers, strict=True) if answer is None]
        assert len(winners) == 1
        assert sum(isinstance(answer, Conflict) for answer in answers) == len(steps) - 1
        game = winners[0]
        assert await store.load(game.id) == game


async def test_a_move_and_a_resignation_at_once_leave_one_of_them(store):
    for number in range(10):
        game = await stored(store, game_called(f"game{number}", running_game()))
        steps = [stepped(game), after(game, Resign(WHITE)), after(game, Resign(BLACK))]
        answers = await asyncio.gather(*(store.save(game, step) for step in steps), return_exceptions=True)
        assert [answer is None for answer in answers].count(True) == 1
        assert await store.load(game.id) == steps[answers.index(None)]


async def test_the_same_step_sent_again_is_a_success_and_is_stored_once(store):
    game = await stored(store, live_game())
    step = stepped(game)
    await store.save(game, step)
    await store.save(game, step)
    assert await store.load(game.id) == step


async def test_the_same_step_sent_many_times_at_once_is_stored_once(store):
    game = await stored(store, live_game())
    step = stepped(game)
    await asyncio.gather(*(store.save(game, step) for _ in range(20)))
    assert await store.load(game.id) == step


async def test_a_conflict_in_one_game_leaves_the_others_of_its_batch_alone(store):
    games = [await stored(store, game_called(f"game{number}")) for number in range(30)]
    stale = games[7]
    await store.save(stale, stepped(stale, 3))
    answers = await asyncio.gather(*(store.save(game, stepped(game)) for game in games), return_exceptions=True)
    assert [number for number, answer in enumerate(answers) if answer is not None] == [7]
    assert isinstance(answers[7], Conflict)
    for game in games:
        expected = stepped(stale, 3) if game is stale else stepped(game)
        assert await store.load(game.id) == expected


async def test_two_steps_of_one_game_queued_together_are_stored_in_order(store):
    games = random_steps(live_game(), 12)
    await store.create(games[0])
    await asyncio.gather(*(store.save(before, step) for before, step in zip(games, games[1:], strict=False)))
    assert await store.load("game") == games[-1]


async def test_a_takeback_shortens_the_stored_game(store):
    game = await stored(store, moved(live_game(), "e2e4 e7e5 g1f3 b8c6"))
    asked, granted = taken_back(game)
    await save_all(store, [game, asked, granted])
    found = await store.load(game.id)
    assert found == granted
    assert [ply.san for ply in found.plies] == ["e4", "e5", "Nf3"]


async def test_a_game_goes_on_after_a_takeback(store):
    game = await stored(store, moved(live_game(), "e2e4 e7e5"))
    asked, granted = taken_back(game)
    games = [game, asked, granted, stepped(granted, 2)]
    games += random_steps(games[-1], 5)[1:]
    await save_all(store, games)
    assert await store.load(game.id) == games[-1]


async def test_an_old_position_does_not_look_current_after_a_takeback(store):
    one = await stored(store, moved(live_game(), "e2e4"))
    two = moved(one, "e7e5")
    asked, granted = taken_back(two)
    await save_all(store, [one, two, asked, granted])
    assert granted.position == one.position
    with pytest.raises(Conflict):
        await store.save(one, stepped(one, 5))


async def test_joining_fills_the_seat_for_good(store):
    game = await stored(store, open_game())
    first, second = joined(game), joined(game, CARLA)
    answers = await asyncio.gather(store.save(game, first), store.save(game, second), return_exceptions=True)
    winner = (first, second)[answers.index(None)]
    assert sum(isinstance(answer, Conflict) for answer in answers) == 1
    found = await store.load(game.id)
    assert found == winner
    assert found.invite_hash is None


async def test_an_offer_stays_between_loads(store):
    game = await stored(store, running_game())
    offered = after(game, MakeOffer(WHITE, OfferKind.DRAW))
    await store.save(game, offered)
    assert (await store.load(game.id)).offers == offered.offers


async def test_the_end_of_a_game_is_kept_with_its_reason(store):
    game = await stored(store, over_game())
    found = await store.load(game.id)
    assert (found.outcome.winner, found.outcome.reason, found.ended) == (BLACK, "checkmate", START)


async def test_names_in_any_script_come_back_as_they_were(store):
    name = "Ωmega ♞ 王 " + chr(0x1F984) + ' "quoted"; DROP TABLE games; $set'
    game = replace(live_game(), white=Player("w", name))
    await store.create(game)
    assert (await store.load(game.id)).white.name == name


async def test_a_stored_game_of_a_variant_that_is_gone_is_told_so(store):
    game = await stored(store, live_game(variant="grand"))
    gone = replace(game.terms.variant, id="gone")
    await store.create(replace(game, id="other", terms=replace(game.terms, variant=gone)))
    with pytest.raises(Unreadable, match="gone"):
        await store.load("other")
    assert await store.load("game") == game


async def test_stored_games_outlive_the_store_object(place):
    store = await place.open()
    games = random_steps(live_game(), 8)
    await store.create(games[0])
    await save_all(store, games)
    await store.close()
    assert await (await place.open()).load("game") == games[-1]


async def test_running_games_are_those_in_which_something_happens_by_itself(store):
    unlimited = moved(live_game(control=TimeControl.unlimited()), "e2e4 e7e5")
    games = {
        "waits": open_game(),
        "unstarted": live_game(),
        "runs": running_game(),
        "days": moved(live_game(control=TimeControl.correspondence(3)), "e2e4 e7e5"),
        "paused": after(running_game(), Pause(START)),
        "quiet": unlimited,
        "over": over_game(),
        "aborted": after(live_game(), Abort(WHITE)),
    }
    for name, game in games.items():
        await store.create(game_called(name, game))
    assert sorted(await store.running()) == ["days", "paused", "runs", "unstarted", "waits"]


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


async def test_a_finished_game_is_no_longer_due(store):
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
    open_line, over_line = await store.by_player("w", 10)
    assert (open_line.variant, open_line.white, open_line.black, open_line.status) == ("grand", "Wanda", None, "open")
    assert (open_line.result, open_line.reason, open_line.plies, open_line.created) == (None, None, 0, START + 1)
    assert (over_line.result, over_line.reason, over_line.plies, over_line.black) == ("0-1", "checkmate", 4, "Boris")


async def test_who_joins_finds_the_game_in_his_list(store):
    game = await stored(store, open_game())
    assert await store.by_player("b", 10) == []
    await store.save(game, joined(game))
    assert [line.id for line in await store.by_player("b", 10)] == [game.id]


async def test_a_cancelled_save_is_stored_whole_or_not_at_all_and_spoils_nothing(store):
    games = [await stored(store, game_called(f"game{number}")) for number in range(20)]
    tasks = [asyncio.create_task(store.save(game, stepped(game))) for game in games]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(answer is None for answer in answers[1::2])
    for number, game in enumerate(games):
        found = await store.load(game.id)
        assert found in ((game, stepped(game)) if number % 2 == 0 else (stepped(game),))


async def test_closing_finishes_what_is_queued(place):
    store = await place.open()
    games = [await stored(store, game_called(f"game{number}")) for number in range(50)]
    saves = [asyncio.create_task(store.save(game, stepped(game))) for game in games]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*saves) == [None] * 50
    again = await place.open()
    assert [await again.load(game.id) for game in games] == [stepped(game) for game in games]


async def test_a_closed_store_says_that_it_is_closed(place):
    store = await place.open()
    game = await stored(store, live_game())
    await store.close()
    for asked in (store.save(game, stepped(game)), store.load(game.id), store.ping()):
        with pytest.raises(Unavailable):
            await asked


async def test_ping_answers_when_the_store_can_write(store):
    await store.ping()
    await store.ping()


async def test_two_servers_on_one_store_never_both_win(place):
    if not place.shared:
        pytest.skip("this store has one server only, and refuses a second")
    stores = [await place.open() for _ in range(3)]
    game = await stored(stores[0], live_game())
    for _ in range(30):
        steps = [stepped(game, number) for number in range(3)]
        saves = (store.save(game, step) for store, step in zip(stores, steps, strict=True))
        answers = await asyncio.gather(*saves, return_exceptions=True)
        assert sum(isinstance(answer, Conflict) for answer in answers) == 2
        game = steps[answers.index(None)]
        assert [await store.load(game.id) for store in stores] == [game] * 3


async def test_the_very_same_step_from_two_servers_has_one_winner(place):
    if not place.shared:
        pytest.skip("this store has one server only, and refuses a second")
    stores = [await place.open() for _ in range(2)]
    game = await stored(stores[0], live_game())
    step = stepped(game)
    answers = await asyncio.gather(*(store.save(game, step) for store in stores), return_exceptions=True)
    assert sorted(map(str, map(type, answers))) == sorted([str(type(None)), str(Conflict)])
