"""What every store must do with ratings and tallies: each game counts once, and answers come from the counts."""

import asyncio
from dataclasses import replace

import pytest

from server.games.changes.beginning import Reseat
from server.games.changes.ending import Abort
from server.games.clocks.time_control import TimeControl
from server.games.game import play
from server.games.player import Player
from server.games.rating import Rating, rated
from server.rules.variant.pieces import Color
from server.storage.protocols.ratings import Category, Perf, Score, Tally
from server.storage.tables.accounts import DELETED_NAME
from tests.support.games import START, live_game
from tests.support.storage.rated_games import (
    ANNA,
    BERTA,
    CARL,
    DORA,
    DRAW,
    LOSS,
    WIN,
    category,
    count_all,
    ended,
    game_between,
    played,
    register,
)
from tests.support.storage.stored_games import game_called

DAY = 86_400_000
BULLET = TimeControl.realtime(60_000, 0)


@pytest.fixture
async def ratings(store):
    await register(store, ANNA, BERTA, CARL, DORA)
    return store.ratings


async def test_a_rated_game_moves_both_ratings_by_what_glicko_says(store, ratings):
    await played(store, "one", ANNA, BERTA, WIN)
    assert await ratings.perf(ANNA.id, category()) == Perf(ANNA.id, category())
    await count_all(store)
    new = Rating()
    assert await ratings.perf(ANNA.id, category()) == Perf(ANNA.id, category(), rated(new, new, 1, START), Tally(won=1))
    assert await ratings.perf(BERTA.id, category()) == Perf(
        BERTA.id, category(), rated(new, new, 0, START), Tally(lost=1)
    )
    assert await ratings.uncounted(10) == []


async def test_the_strongest_opponents_are_those_with_the_highest_sure_ratings_before(store, ratings, monkeypatch):
    for number in range(16):
        await played(store, f"up{number}", BERTA, DORA, (WIN, LOSS)[number % 2], START + number)
    await played(store, "strong", ANNA, BERTA, WIN, START + 20)
    await played(store, "new", ANNA, CARL, WIN, START + 21)
    await played(store, "again", BERTA, ANNA, LOSS, START + 22)
    await count_all(store)
    before = {
        one: (await ratings.changes(one))[color] for one, color in (("strong", Color.BLACK), ("again", Color.WHITE))
    }
    asked = ["strong", "new", "again", "none"]
    found = await ratings.strongest(ANNA.id, asked, 5)
    assert [(one.game, one.name, one.change) for one in found] == [
        (game, BERTA.name, before[game]) for game in ("strong", "again")
    ]
    assert await ratings.strongest(ANNA.id, asked, 1) == found[:1]
    assert await ratings.strongest(ANNA.id, [], 5) == []


async def test_each_side_is_rated_against_what_the_other_was_before(store, ratings):
    results = (WIN, WIN, DRAW, LOSS, WIN)
    anna, berta = Rating(), Rating()
    for number, result in enumerate(results):
        at = START + number * DAY
        await played(store, f"game{number}", ANNA, BERTA, result, at)
        await count_all(store)
        score = {WIN: 1, DRAW: 0.5, LOSS: 0}[result]
        anna, berta = rated(anna, berta, score, at), rated(berta, anna, 1 - score, at)
    assert (await ratings.perf(ANNA.id, category())).rating == anna
    assert (await ratings.perf(BERTA.id, category())).rating == berta


async def test_what_a_game_did_is_known_by_the_game_and_as_a_history(store, ratings):
    await played(store, "one", ANNA, BERTA, WIN)
    await played(store, "two", BERTA, ANNA, WIN, START + DAY)
    assert await ratings.changes("one") == {}
    await count_all(store)
    one, two = await ratings.changes("one"), await ratings.changes("two")
    assert set(one) == set(two) == set(Color)
    mine = one[Color.WHITE]
    assert (mine.number, mine.before, mine.provisional, mine.at) == (1, 1500, True, START)
    assert mine.after == pytest.approx(1662.212)
    assert two[Color.BLACK].before == mine.after
    assert await ratings.history(ANNA.id, category(), 10) == [mine, two[Color.BLACK]]
    assert await ratings.history(ANNA.id, category(), 1) == [two[Color.BLACK]]
    assert await ratings.history(CARL.id, category(), 10) == []


async def test_a_casual_game_counts_in_the_record_and_moves_no_rating(store, ratings):
    await played(store, "one", ANNA, BERTA, WIN, rated=False)
    await count_all(store)
    assert await ratings.perf(ANNA.id, category()) == Perf(ANNA.id, category(), Rating(), Tally(won=1))
    assert await ratings.changes("one") == {}
    assert await ratings.leaders(category(), START, 10) == []
    assert await ratings.latest_category() is None
    assert await ratings.history(ANNA.id, category(), 10) == []


async def test_a_rating_is_kept_for_each_variant_and_speed(store, ratings):
    await played(store, "one", ANNA, BERTA, WIN)
    await played(store, "two", ANNA, BERTA, LOSS, control=BULLET)
    await played(store, "three", ANNA, BERTA, DRAW, variant="crazyhouse")
    await count_all(store)
    found = {one.category: one.tally for one in await ratings.perfs(ANNA.id)}
    assert found == {
        category(): Tally(won=1),
        category(BULLET): Tally(lost=1),
        category(variant="crazyhouse"): Tally(drawn=1),
    }


def test_a_shuffled_start_is_another_category():
    usual = category()
    shuffled = replace(usual, chess960=True)
    assert usual.key != shuffled.key
    assert [Category.from_key(one.key) for one in (usual, shuffled)] == [usual, shuffled]


async def test_games_without_result_and_unfinished_ones_never_count(store, ratings):
    begun = replace(game_called("aborted", live_game()), white=ANNA, black=BERTA)
    begun = replace(begun, terms=replace(begun.terms, rated=True))
    await store.create(begun)
    await store.save(begun, play(begun, Abort(Color.WHITE), START)[0])
    await store.create(game_between("running", ANNA, BERTA))
    assert await ratings.uncounted(10) == []
    await count_all(store)
    assert await ratings.perfs(ANNA.id) == []


async def test_a_game_counts_once_however_often_and_at_once_it_is_counted(store, ratings):
    await played(store, "one", ANNA, BERTA, WIN)
    (due,) = await ratings.uncounted(10)
    await asyncio.gather(*(ratings.count(due) for _ in range(5)))
    await ratings.count(due)
    await played(store, "two", ANNA, BERTA, WIN, START + 1)
    await count_all(store)
    await ratings.count(due)
    for player, tally in ((ANNA, Tally(won=2)), (BERTA, Tally(lost=2))):
        perf = await ratings.perf(player.id, category())
        assert perf.tally == tally
        assert perf.rating.games == 2


async def test_many_games_of_the_same_people_counted_at_once_all_count(store, ratings):
    for number in range(8):
        white, black = ((ANNA, BERTA), (BERTA, CARL), (CARL, ANNA))[number % 3]
        await played(store, f"game{number}", white, black, (WIN, LOSS, DRAW)[number % 3], START + number)
    dues = await ratings.uncounted(10)
    assert len(dues) == 8
    await asyncio.gather(*(ratings.count(due) for due in dues for _ in range(2)))
    games = {ANNA: 5, BERTA: 6, CARL: 5}
    for player, count in games.items():
        perf = await ratings.perf(player.id, category())
        assert perf.tally.games == perf.rating.games == count
        history = await ratings.history(player.id, category(), 20)
        assert [change.number for change in history] == list(range(1, count + 1))
        assert [change.after for change in history[:-1]] == [change.before for change in history[1:]]


async def test_scores_tell_whom_somebody_has_met_most(store, ratings):
    for number, (opponent, result) in enumerate(((BERTA, WIN), (CARL, WIN), (CARL, LOSS), (CARL, DRAW))):
        await played(store, f"game{number}", ANNA, opponent, result, START + number, rated=number % 2 == 0)
    await count_all(store)
    against_carl, against_berta = (
        Score(CARL.id, "Carl", True, Tally(1, 1, 1)),
        Score(BERTA.id, "Berta", True, Tally(1, 0, 0)),
    )
    assert await ratings.scores(ANNA.id, 10) == [against_carl, against_berta]
    assert await ratings.scores(ANNA.id, 1) == [against_carl]
    assert await ratings.scores(BERTA.id, 10) == [Score(ANNA.id, "Anna", True, Tally(0, 0, 1))]


async def test_leaders_are_ordered_by_rating_and_the_provisional_come_last(store, ratings):
    for number in range(24):
        white, black = ((ANNA, BERTA), (BERTA, ANNA))[number % 2]
        result = WIN if number % 2 == 0 or number % 3 == 0 else LOSS
        await played(store, f"game{number}", white, black, result, START + number)
    await count_all(store)
    await played(store, "last", CARL, DORA, WIN, START + 30)
    await count_all(store)
    now = START + 100
    leaders = await ratings.leaders(category(), now, 10)
    assert [leader.name for leader in leaders] == ["Anna", "Berta", "Carl", "Dora"]
    carl = leaders[2].perf.rating
    assert carl.provisional
    assert carl.value > leaders[1].perf.rating.value
    assert not leaders[1].perf.rating.provisional
    assert [leader.name for leader in await ratings.leaders(category(), now, 3)] == ["Anna", "Berta", "Carl"]
    # In ten years all are provisional, so only the rating counts.
    later = [leader.perf.rating.value for leader in await ratings.leaders(category(), now + 3650 * DAY, 10)]
    assert later == sorted(later, reverse=True)
    assert await ratings.leaders(category(BULLET), now, 10) == []


async def test_the_liveliest_category_is_that_of_the_latest_rated_game(store, ratings):
    await played(store, "one", ANNA, BERTA, at=START + 5)
    await played(store, "two", ANNA, BERTA, at=START, control=BULLET)
    await count_all(store)
    assert await ratings.latest_category() == category()


async def test_people_are_found_by_how_their_names_begin(store, ratings):
    assert await ratings.names_starting_with("", 10) == ["Anna", "Berta", "Carl", "Dora"]
    assert await ratings.names_starting_with("ber", 10) == ["Berta"]
    assert await ratings.names_starting_with("berta1", 10) == []
    assert await ratings.names_starting_with("", 2) == ["Anna", "Berta"]
    anna = await store.accounts.find("anna")
    await store.accounts.delete(anna, START + DAY)
    assert await ratings.names_starting_with("a", 10) == []


async def test_a_deleted_player_is_on_no_list_and_the_others_keep_what_they_won(store, ratings):
    await played(store, "one", ANNA, BERTA, WIN)
    await count_all(store)
    before = await ratings.perf(BERTA.id, category())
    await store.accounts.delete(await store.accounts.find("anna"), START + DAY)
    for _ in range(2):
        await ratings.forget(ANNA.id)
    assert await ratings.perfs(ANNA.id) == []
    assert await ratings.history(ANNA.id, category(), 10) == []
    assert [leader.name for leader in await ratings.leaders(category(), START, 10)] == ["Berta"]
    assert await ratings.perf(BERTA.id, category()) == before
    assert await ratings.scores(BERTA.id, 10) == [Score(ANNA.id, None, False, Tally(lost=1))]
    assert set(await ratings.changes("one")) == {Color.BLACK}


async def test_a_game_lost_by_leaving_counts_for_the_one_who_stays(store, ratings):
    before, over = ended(game_between("one", ANNA, BERTA), LOSS)
    await store.create(before)
    await store.save(before, over)
    gone = play(over, Reseat(ANNA.id, Player(ANNA.id, DELETED_NAME)), START)[0]
    await store.save(over, gone)
    await count_all(store)
    assert (await ratings.perf(BERTA.id, category())).tally == Tally(won=1)
    assert await ratings.perfs(ANNA.id) == []


async def test_a_guests_games_count_for_the_account_that_they_sign_in_to_and_only_once(store, ratings):
    guest = Player("id-guest", "SwiftOwl42")
    await played(store, "one", guest, BERTA, WIN, rated=False)
    await played(store, "two", ANNA, BERTA, LOSS, rated=True)
    await played(store, "three", guest, ANNA, LOSS, rated=False)
    await count_all(store)
    rating = (await ratings.perf(ANNA.id, category())).rating
    for _ in range(2):
        await ratings.hand_over(guest.id, ANNA.id)
    assert await ratings.perf(ANNA.id, category()) == Perf(ANNA.id, category(), rating, Tally(won=2, lost=2))
    assert await ratings.perfs(guest.id) == []
    assert await ratings.scores(ANNA.id, 10) == [Score(BERTA.id, "Berta", True, Tally(won=1, lost=1))]
    assert await ratings.scores(BERTA.id, 10) == [Score(ANNA.id, "Anna", True, Tally(won=1, lost=1))]
    assert await ratings.scores(guest.id, 10) == []


async def test_an_end_that_is_stored_again_because_its_answer_was_lost_is_not_counted_again(store, ratings):
    game, over = ended(game_between("one", ANNA, BERTA), WIN)
    await store.create(game)
    await store.save(game, over)
    await count_all(store)
    counted = await ratings.perf(ANNA.id, category())
    await store.save(game, over)
    assert await ratings.uncounted(10) == []
    assert await ratings.perf(ANNA.id, category()) == counted
