"""Games that ended before there were ratings: a store that is opened with a newer release counts them too, once."""

from dataclasses import replace

import pytest

from server.rules.endings import Outcome
from server.storage.documents import to_document
from server.storage.sqlite import schema as sqlite_schema
from server.storage.sqlite.schema import open_file
from server.storage.sqlite.scripts import SCRIPTS
from tests.support.games import START
from tests.support.storage.engines import MongoPlace
from tests.support.storage.old_rows import insert_old_game
from tests.support.storage.rated_games import ANNA, BERTA, WIN, category, count_all, ended, game_between

_, OVER = ended(game_between("over", ANNA, BERTA, rated=False), WIN)


async def insert_as_before(place, games, monkeypatch):
    """Store games as the release without ratings left them."""
    if isinstance(place, MongoPlace):
        store = await place.open()
        for game in games:
            await store.create(game)
        await store._client.get_default_database()["filled"].delete_one({"_id": "ratings"})
        return
    first = next(number for number, script in enumerate(SCRIPTS) if "CREATE TABLE uncounted" in script)
    with monkeypatch.context() as earlier:
        earlier.setattr(sqlite_schema, "SCRIPTS", SCRIPTS[:first])
        earlier.setattr(sqlite_schema, "TABLE_KINDS", ())
        connection = open_file(place.path, wait_ms=100)
    for game in games:
        document = to_document(game)
        insert_old_game(connection, document.head, document.moves)
    connection.close()


@pytest.fixture
async def upgraded(place, monkeypatch):
    """A store with an old game that is over, one that was aborted and one that goes on."""
    _, over = ended(game_between("aborted", ANNA, BERTA))
    aborted = replace(over, outcome=Outcome(None, "abort"))
    await insert_as_before(place, [OVER, aborted, game_between("running", ANNA, BERTA)], monkeypatch)
    return await place.open()


async def test_old_games_with_a_result_are_counted_once(upgraded, place):
    (due,) = await upgraded.ratings.uncounted(10)
    assert (due.game, due.white, due.black, due.at) == ("over", ANNA.id, BERTA.id, START)
    await count_all(upgraded)
    perf = await upgraded.ratings.perf(ANNA.id, category())
    assert (perf.tally.won, perf.tally.games, perf.rating.games) == (1, 1, 0)
    if isinstance(place, MongoPlace):
        again = await place.open()
        assert await again.ratings.uncounted(10) == []
