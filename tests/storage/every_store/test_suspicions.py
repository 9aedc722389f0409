"""What the list of farmed results reads of a store."""

from server.cli import suspicions
from server.cli.suspicions import suspicions_in
from server.games.fair_play import MIN_GAMES
from tests.support.games import START
from tests.support.storage.rated_games import ANNA, BERTA, CARL, DORA, LOSS, WIN, count_all, farm, played, register


async def test_one_who_lets_the_other_win_is_listed_with_the_points_and_the_games(store):
    await register(store, ANNA, BERTA, CARL, DORA)
    await farm(store, ANNA, BERTA, MIN_GAMES)
    for number in range(MIN_GAMES):
        await played(store, f"casual{number}", CARL, DORA, WIN, START + number, rated=False)
        await played(store, f"fair{number}", CARL, BERTA, (WIN, LOSS)[number % 2], START + number)
    await count_all(store)
    (found,) = await suspicions_in(store)
    assert found.names == ("Anna", "Berta")
    side = found.series.winning
    assert (found.series.games, side.won, side.quick) == (MIN_GAMES, MIN_GAMES, MIN_GAMES)
    changes = [await store.ratings.changes(f"farm{number:02}") for number in range(MIN_GAMES)]
    gains = [change.after - change.before for one in changes for change in one.values() if change.after > change.before]
    assert abs(side.gain - sum(gains)) < 0.01
    assert side.gain > 100
    assert "Anna won 10 of 10 rated games against Berta, 10 of them quickly" in str(found)
    assert str(found).endswith(": farm00 farm01 farm02 farm03 farm04")


async def test_casual_games_do_not_hide_suspicious_pairs(store, monkeypatch):
    monkeypatch.setattr(suspicions, "MAX_PAIRS", 1)
    await register(store, ANNA, BERTA, CARL, DORA)
    await farm(store, ANNA, BERTA, MIN_GAMES)
    for number in range(MIN_GAMES + 1):
        await played(store, f"casual{number}", CARL, DORA, WIN, START + number, rated=False)
    await count_all(store)
    assert [one.names for one in await suspicions_in(store)] == [("Anna", "Berta")]


async def test_only_those_who_have_met_most_often_are_followed(store, monkeypatch):
    monkeypatch.setattr(suspicions, "MAX_PAIRS", 1)
    await register(store, ANNA, BERTA, CARL, DORA)
    await farm(store, ANNA, BERTA, MIN_GAMES)
    await farm(store, DORA, CARL, MIN_GAMES + 1, "more")
    await count_all(store)
    assert [one.names for one in await suspicions_in(store)] == [("Dora", "Carl")]


async def test_one_who_beats_several_that_are_there_to_lose_is_listed(store):
    await register(store, ANNA, BERTA, CARL, DORA)
    await farm(store, ANNA, BERTA, MIN_GAMES - 1, "one")
    await farm(store, ANNA, CARL, MIN_GAMES - 1, "other")
    await farm(store, ANNA, DORA, 2, "fair")
    for number in range(3):
        await played(store, f"won{number}", DORA, BERTA, WIN if number else LOSS, START, rated=False)
    await count_all(store)
    (found,) = await suspicions_in(store)
    assert str(found).startswith("Anna won 18 of 18 rated games against 2 players who did little but lose to them")


async def test_the_accounts_that_are_followed_have_a_limit(store, monkeypatch):
    monkeypatch.setattr(suspicions, "MAX_PAIRS", 1)
    await register(store, ANNA, BERTA, CARL)
    await farm(store, ANNA, BERTA, MIN_GAMES - 1, "one")
    await farm(store, ANNA, CARL, MIN_GAMES - 1, "other")
    await count_all(store)
    assert await suspicions_in(store) == []
