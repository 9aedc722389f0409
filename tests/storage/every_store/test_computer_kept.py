"""What every store must do with games against the computer: they come back, are found, and count for nobody."""

from dataclasses import replace

from server.games.changes.ending import Resign
from server.games.game import play
from server.games.offline import OfflineLine, play_line
from server.rules.sliced_work import run_at_once
from server.storage.protocols.archive import Search
from tests.support.games import FIVE_MINUTES, START, WHITE, computer_game, moved
from tests.support.storage.rated_games import ANNA, count_all, register
from tests.support.storage.stored_games import random_steps, save_all


async def test_it_comes_back_equal_at_every_step(store):
    games = random_steps(computer_game(7, control=FIVE_MINUTES), 12)
    await store.create(games[0])
    await save_all(store, games)
    kept = await store.load("game")
    assert kept == games[-1]
    assert (kept.computer, kept.black.level, kept.clock.spared) == (WHITE.other, 7, WHITE.other)


async def test_it_is_among_the_games_of_its_player_and_in_no_record(store):
    await register(store, ANNA)
    running = moved(computer_game(), "e2e4 e7e5")
    await store.create(running)
    over, _ = play(running, Resign(WHITE), START)
    await store.save(running, over)
    await count_all(store)
    assert await store.ratings.uncounted(10) == []
    assert await store.ratings.perfs(running.white.id) == []
    assert await store.ratings.perfs("") == []
    found = await store.archive.page(Search(player=running.white.name), 10)
    assert [(one.id, one.black, one.rated) for one in found.games] == [("game", "Computer (level 3)", False)]


async def test_one_that_was_played_elsewhere_is_stored_as_it_stands_and_goes_on(store):
    line = OfflineLine(["e2e4", "e7e5", "g1f3"], None)
    there = run_at_once(play_line(computer_game(), line, START))
    await store.create(there)
    assert await store.load("game") == there
    steps = random_steps(there, 4)
    await save_all(store, steps)
    assert await store.load("game") == steps[-1]
    over = run_at_once(play_line(replace(computer_game(), id="over"), replace(line, end="resigned"), START))
    await store.create(over)
    assert await store.load("over") == over
    (found,) = (await store.archive.page(Search(player=over.white.name), 10)).games
    assert (found.id, found.result, found.plies) == ("over", "0-1", 3)


async def test_nobody_is_mailed_about_it(store):
    running = computer_game()
    await store.create(running)
    await save_all(store, [running, moved(running, "e2e4")])
    assert await store.outbox.untold(10) == []
