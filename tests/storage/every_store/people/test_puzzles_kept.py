"""Puzzles and what people did at them, on every engine."""

import asyncio
from dataclasses import replace

from server.games.puzzles import PuzzleStanding, Theme, after_try
from server.games.rating import Rating
from server.storage.tables.puzzles import FOR_GOOD, FormStanding, PuzzleTry, Searched
from tests.support.puzzles import SMOTHERED

NOW = 1_700_000_000_000
GAME = Searched(SMOTHERED.game, "chess", NOW)
EASY = replace(SMOTHERED, id="easy", rating=Rating(1_200.5, 80.25, 0.059, 7, NOW), themes=frozenset(Theme))
HARD = replace(SMOTHERED, id="hard", rating=Rating(1_900.0))
SHUFFLED = replace(SMOTHERED, id="960", chess960=True)
GRAND = replace(SMOTHERED, id="grand", variant="grand")


def ids(puzzles):
    return [puzzle.id for puzzle in puzzles]


async def test_puzzles_are_kept_once_and_their_game_is_noted_also_after_a_restart(place):
    store = await place.open()
    assert await store.puzzles.searched_games([GAME.game, "other"]) == set()
    await store.puzzles.keep_puzzles(GAME, [SMOTHERED, EASY])
    await store.puzzles.keep_puzzles(GAME, [replace(EASY, last="a1a2"), HARD])
    await store.puzzles.keep_puzzles(Searched("none", "grand", NOW), [])
    await store.close()
    store = await place.open()
    assert await store.puzzles.find_puzzle("easy") == EASY, "what is there stays as it is"
    assert await store.puzzles.find_puzzle(SMOTHERED.id) == SMOTHERED
    assert await store.puzzles.find_puzzle("nothing") is None
    assert await store.puzzles.searched_games([GAME.game, "none", "other"]) == {GAME.game, "none"}
    await store.puzzles.forget_searched("grand")
    assert await store.puzzles.searched_games([GAME.game, "none"]) == {GAME.game}
    await store.puzzles.forget_searched("")
    assert await store.puzzles.searched_games([GAME.game, "none"]) == set()


async def test_of_several_who_begin_to_search_the_same_one_may_and_another_when_that_takes_too_long(store):
    begun = await asyncio.gather(*(store.puzzles.begin_search(replace(GAME, at=NOW + one), NOW) for one in range(4)))
    assert sorted(begun) == [False, False, False, True]
    since = (await store.puzzles.searches([GAME.game, "other"]))[GAME.game]
    assert since == NOW + begun.index(True)
    later = replace(GAME, at=NOW + 9)
    assert not await store.puzzles.begin_search(later, since)
    assert await store.puzzles.begin_search(later, since + 1)
    assert await store.puzzles.searches([GAME.game]) == {GAME.game: NOW + 9}
    await store.puzzles.keep_puzzles(replace(GAME, at=FOR_GOOD), [SMOTHERED])
    assert not await store.puzzles.begin_search(replace(GAME, at=NOW + 99), NOW + 50)


async def test_those_near_a_rating_are_found_by_form_but_for_some(store):
    await store.puzzles.keep_puzzles(GAME, [SMOTHERED, EASY, HARD, SHUFFLED, GRAND])
    assert ids(await store.puzzles.puzzles_near("chess", False, 1_500.0, [], 5)) == [SMOTHERED.id, "hard", "easy"]
    assert ids(await store.puzzles.puzzles_near("chess", False, 1_500.0, [SMOTHERED.id], 1)) == ["hard", "easy"]
    assert ids(await store.puzzles.puzzles_near("chess", False, 3_000.0, [], 2)) == ["hard", SMOTHERED.id]
    assert ids(await store.puzzles.puzzles_near("chess", True, 0.0, [], 5)) == ["960"]
    assert [await store.puzzles.count_puzzles("chess", one) for one in (False, True)] == [3, 1]
    assert await store.puzzles.count_puzzles("shogun", False) == 0
    assert ids(await store.puzzles.page_of_puzzles("chess", "", 2)) == ["960", SMOTHERED.id]
    assert ids(await store.puzzles.page_of_puzzles("chess", SMOTHERED.id, 9)) == ["easy", "hard"]
    assert ids(await store.puzzles.page_of_puzzles("", "", 9)) == ["960", SMOTHERED.id, "easy", "grand", "hard"]


async def test_a_first_try_changes_both_ratings_and_a_second_one_nothing(place):
    store = await place.open()
    await store.puzzles.keep_puzzles(GAME, [SMOTHERED, EASY])
    tried = PuzzleTry("anna", SMOTHERED.id, True, NOW)
    standing, rating = after_try(PuzzleStanding(), SMOTHERED.rating, True, NOW)
    after = FormStanding("anna", "chess", False, standing)
    assert await store.puzzle_tries.note_try(tried, SMOTHERED) == (PuzzleStanding(), standing)
    assert await store.puzzle_tries.note_try(replace(tried, solved=False), SMOTHERED) is None
    await store.close()
    store = await place.open()
    assert list(await store.puzzle_tries.tries_of("anna")) == [tried]
    assert await store.puzzle_tries.tried_puzzles("anna") == {SMOTHERED.id}
    assert list(await store.puzzle_tries.standings_of("anna")) == [after]
    assert await store.puzzle_tries.find_standing("anna", "chess", False) == standing
    assert await store.puzzle_tries.find_standing("anna", "chess", True) == PuzzleStanding()
    assert (await store.puzzles.find_puzzle(SMOTHERED.id)).rating == rating
    assert await store.puzzle_tries.tried_puzzles("ben") == set()


async def test_tries_at_the_same_time_are_all_counted(store):
    """Each reads how things stand before the others have written."""
    puzzles = [replace(SMOTHERED, id=f"puzzle{number}") for number in range(4)]
    await store.puzzles.keep_puzzles(GAME, puzzles)
    tries = [(PuzzleTry(owner, one.id, True, NOW), one) for owner in ("anna", "ben", "carla") for one in puzzles]
    await asyncio.gather(*(store.puzzle_tries.note_try(*one) for one in tries))
    for owner in ("anna", "ben", "carla"):
        assert (await store.puzzle_tries.find_standing(owner, "chess", False)).solved == len(puzzles)
    for one in puzzles:
        assert (await store.puzzles.find_puzzle(one.id)).rating.games == 3


async def test_what_was_done_goes_with_its_owner_and_with_the_puzzle(store):
    await store.puzzles.keep_puzzles(GAME, [SMOTHERED, EASY])
    for owner in ("anna", "ben"):
        for puzzle in (SMOTHERED, EASY):
            assert await store.puzzle_tries.note_try(PuzzleTry(owner, puzzle.id, False, NOW), puzzle)
    assert await store.puzzles.remove_puzzles([EASY.id, "nothing"]) == 1
    assert await store.puzzle_tries.tried_puzzles("anna") == {SMOTHERED.id}
    await store.puzzle_tries.forget("anna")
    assert await store.puzzle_tries.tried_puzzles("anna") == set()
    assert list(await store.puzzle_tries.standings_of("anna")) == []
    assert await store.puzzle_tries.tried_puzzles("ben") == {SMOTHERED.id}
