"""What every store must do with a game. Each test runs on every engine, see engines.py."""

import asyncio
import itertools
from dataclasses import replace

import pytest

from server.games.changes.ending import Resign
from server.games.changes.offers import MakeOffer
from server.games.player import Player
from server.games.state import OfferKind
from server.storage.errors import Conflict, Duplicate, Unreadable
from tests.support.games import (
    BLACK,
    CARLA,
    START,
    WHITE,
    after,
    joined,
    live_game,
    moved,
    open_game,
    over_game,
    running_game,
)
from tests.support.imported_games import tagged
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.stored_games import (
    every_step,
    game_called,
    random_steps,
    save_all,
    stepped,
    stored,
    taken_back,
)


async def test_a_game_comes_back_equal(store):
    game = await stored(store, open_game())
    assert await store.load(game.id) == game


async def test_nothing_comes_back_for_an_id_that_is_not_there(store):
    assert await store.load("nobody") is None


async def test_an_imported_game_comes_back_with_its_tags_and_notes(store):
    game = tagged("1. e4 $1 {♔ 'so' \"x\"} (1. d4 {Zoë} d5) 1... e5 {[%clk 0:03:00]} 1-0", White="Zoë", ECO="C20")
    await store.create(game)
    found = await store.load(game.id)
    assert found == game
    assert "Zoë } 1... d5" in found.import_source.movetext
    assert ("ECO", "C20") in found.import_source.tags


async def test_an_id_can_be_used_once(store):
    game = await stored(store, live_game())
    with pytest.raises(Duplicate):
        await store.create(replace(game, created=START + 1))
    assert await store.load(game.id) == game


@pytest.mark.parametrize("variant", VARIANTS)
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
    await asyncio.gather(*(store.save(before, step) for before, step in itertools.pairwise(games)))
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
    assert found.invites == (None, None)


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


async def test_a_stored_game_of_a_removed_variant_says_so(store):
    game = await stored(store, live_game(variant="grand"))
    gone = replace(game.terms.variant, id="gone")
    await store.create(replace(game, id="other", terms=replace(game.terms, variant=gone)))
    with pytest.raises(Unreadable, match="gone"):
        await store.load("other")
    assert await store.load("game") == game
