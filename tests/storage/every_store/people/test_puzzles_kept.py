"""Puzzles and what people did at them, on every engine."""

from dataclasses import replace

from server.games.puzzles.puzzle import Theme
from server.games.puzzles.standing import PuzzleStanding, after_try
from server.games.rating import Rating
from server.storage.protocols.puzzles.puzzles import Searched
from server.storage.protocols.puzzles.tries import FormStanding, PuzzleTry
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
    assert await store.puzzles.searched([GAME.game, "other"]) == set()
    await store.puzzles.keep(GAME, [SMOTHERED, EASY])
    await store.puzzles.keep(GAME, [replace(EASY, last="a1a2"), HARD])
    await store.puzzles.keep(Searched("none", "grand", NOW), [])
    await store.close()
    store = await place.open()
    assert await store.puzzles.find("easy") == EASY, "what is there stays as it is"
    assert await store.puzzles.find(SMOTHERED.id) == SMOTHERED
    assert await store.puzzles.find("nothing") is None
    assert await store.puzzles.searched([GAME.game, "none", "other"]) == {GAME.game, "none"}
    await store.puzzles.forget_searched("grand")
    assert await store.puzzles.searched([GAME.game, "none"]) == {GAME.game}
    await store.puzzles.forget_searched("")
    assert await store.puzzles.searched([GAME.game, "none"]) == set()


async def test_those_near_a_rating_are_found_by_form_but_for_some(store):
    await store.puzzles.keep(GAME, [SMOTHERED, EASY, HARD, SHUFFLED, GRAND])
    assert ids(await store.puzzles.near("chess", False, 1_500.0, [], 5)) == [SMOTHERED.id, "hard", "easy"]
    assert ids(await store.puzzles.near("chess", False, 1_500.0, [SMOTHERED.id], 1)) == ["hard", "easy"]
    assert ids(await store.puzzles.near("chess", False, 3_000.0, [], 2)) == ["hard", SMOTHERED.id]
    assert ids(await store.puzzles.near("chess", True, 0.0, [], 5)) == ["960"]
    assert [await store.puzzles.count("chess", one) for one in (False, True)] == [3, 1]
    assert await store.puzzles.count("shogun", False) == 0
    assert ids(await store.puzzles.page("chess", "", 2)) == ["960", SMOTHERED.id]
    assert ids(await store.puzzles.page("chess", SMOTHERED.id, 9)) == ["easy", "hard"]
    assert ids(await store.puzzles.page("", "", 9)) == ["960", SMOTHERED.id, "easy", "grand", "hard"]


async def test_a_first_try_changes_both_ratings_and_a_second_one_nothing(place):
    store = await place.open()
    await store.puzzles.keep(GAME, [SMOTHERED, EASY])
    tried = PuzzleTry("anna", SMOTHERED.id, True, NOW)
    standing, rating = after_try(PuzzleStanding(), SMOTHERED.rating, True, NOW)
    after = FormStanding("anna", "chess", False, standing)
    assert await store.puzzle_tries.note(tried, after, rating)
    assert not await store.puzzle_tries.note(
        replace(tried, solved=False), FormStanding("anna", "chess", False, PuzzleStanding()), Rating()
    )
    await store.close()
    store = await place.open()
    assert list(await store.puzzle_tries.of("anna")) == [tried]
    assert await store.puzzle_tries.tried("anna") == {SMOTHERED.id}
    assert list(await store.puzzle_tries.standings("anna")) == [after]
    assert await store.puzzle_tries.standing("anna", "chess", False) == standing
    assert await store.puzzle_tries.standing("anna", "chess", True) == PuzzleStanding()
    assert (await store.puzzles.find(SMOTHERED.id)).rating == rating
    assert await store.puzzle_tries.tried("ben") == set()


async def test_what_was_done_goes_with_its_owner_and_with_the_puzzle(store):
    await store.puzzles.keep(GAME, [SMOTHERED, EASY])
    for owner in ("anna", "ben"):
        for puzzle in (SMOTHERED, EASY):
            after = FormStanding(owner, "chess", False, PuzzleStanding())
            assert await store.puzzle_tries.note(PuzzleTry(owner, puzzle.id, False, NOW), after, Rating())
    assert await store.puzzles.remove([EASY.id, "nothing"]) == 1
    assert await store.puzzle_tries.tried("anna") == {SMOTHERED.id}
    await store.puzzle_tries.forget("anna")
    assert await store.puzzle_tries.tried("anna") == set()
    assert list(await store.puzzle_tries.standings("anna")) == []
    assert await store.puzzle_tries.tried("ben") == {SMOTHERED.id}
