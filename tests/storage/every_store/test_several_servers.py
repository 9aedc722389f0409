"""Stores that several servers can have open at once, and answers that are lost on the way."""

import asyncio
from itertools import pairwise

import pytest

from server.games.changes.ending import Resign
from server.rules.movegen.legal import legal_moves
from server.storage.errors import Conflict, Unavailable
from server.storage.mongo import client as mongo_client
from server.storage.mongo.saves import TOKENS_KEPT
from server.storage.mongo.store import MongoStore
from server.storage.stores import ChatLine
from server.storage.tables.accounts import Session, User
from tests.support.games import START, WHITE, after, live_game, running_game
from tests.support.patience import PATIENCE_S
from tests.support.proxy import INSERT, UPDATE, Proxy
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.engines import MongoPlace
from tests.support.storage.secantus import secantus_in_memory
from tests.support.storage.stored_games import game_called, random_steps, save_all, stepped, stored

pytestmark = pytest.mark.slow


async def test_two_servers_on_one_store_never_both_win(shared_place):
    stores = [await shared_place.open() for _ in range(3)]
    game = await stored(stores[0], live_game())
    for _ in range(30):
        if not legal_moves(game.position):
            break  # Who wins each time is chance, and may lead to mate.
        steps = [stepped(game, number) for number in range(3)]
        saves = (store.save(game, step) for store, step in zip(stores, steps, strict=True))
        answers = await asyncio.gather(*saves, return_exceptions=True)
        assert sum(isinstance(answer, Conflict) for answer in answers) == 2
        game = steps[answers.index(None)]
        assert [await store.load(game.id) for store in stores] == [game] * 3


async def test_the_very_same_step_from_two_servers_has_one_winner(shared_place):
    stores = [await shared_place.open() for _ in range(2)]
    game = await stored(stores[0], live_game())
    step = stepped(game)
    answers = await asyncio.gather(*(store.save(game, step) for store in stores), return_exceptions=True)
    assert sorted(map(str, map(type, answers))) == sorted([str(type(None)), str(Conflict)])


class Recorded:
    """A collection, and the ids in each batch that was written to it."""

    def __init__(self, collection):
        self._collection = collection
        self.batches = []

    def __getattr__(self, name):
        return getattr(self._collection, name)

    async def bulk_write(self, updates, **options):
        self.batches.append([update._filter["_id"] for update in updates])
        return await self._collection.bulk_write(updates, **options)


async def test_a_game_is_only_once_in_a_batch_as_a_batch_has_no_order(shared_place):
    store = await shared_place.open()
    games = random_steps(live_game(), 4)
    await store.create(games[0])
    other = await stored(store, game_called("other"))
    store._games = Recorded(store._games)
    saves = [store.save(before, step) for before, step in pairwise(games)]
    await asyncio.gather(*saves, store.save(other, stepped(other)))
    assert store._games.batches == [["game", "other"], ["game"], ["game"], ["game"]]
    assert await store.load("game") == games[-1]


@pytest.fixture
async def line(secantus):
    async with Proxy.of(secantus.uri) as proxy:
        yield proxy


@pytest.fixture
async def near_place(secantus):
    where = MongoPlace(secantus.direct_uri)
    yield where
    await where.leave()


@pytest.fixture
async def far(near_place, line, monkeypatch):
    """A store at the far end of a connection that can break. It gives up soon."""
    monkeypatch.setattr(mongo_client, "OPTIONS", {**mongo_client.OPTIONS, "serverSelectionTimeoutMS": 700})
    store = await near_place.open(line.through(near_place.uri))
    yield store
    line.lose_answers(UPDATE, 0)
    line.cut = False


@pytest.mark.row("F11")
async def test_a_save_whose_answer_is_lost_is_a_success_if_it_arrived(far, line):
    games = random_steps(live_game(), 3)
    await far.create(games[0])
    line.lose_answers(UPDATE, 3)
    await save_all(far, games)
    assert line.lost == 3
    assert await far.load("game") == games[-1]


async def test_a_whole_batch_whose_answer_is_lost_is_settled_game_by_game(far, line):
    games = [await stored(far, game_called(f"game{number}")) for number in range(20)]
    await far.save(games[4], stepped(games[4], 9))
    line.lose_answers(UPDATE, 2)
    answers = await asyncio.gather(*(far.save(game, stepped(game)) for game in games), return_exceptions=True)
    assert line.lost >= 1
    assert [number for number, answer in enumerate(answers) if answer is not None] == [4]
    assert isinstance(answers[4], Conflict)


async def test_a_lost_answer_is_a_success_although_the_opponent_has_moved_since(far, near_place, line):
    """The opponent is on another server and answers between the write and the reading back."""
    near = await near_place.open()
    game = await stored(far, live_game())
    mine = stepped(game)
    answered = stepped(mine)
    line.lose_answers(UPDATE, 1)
    saving = asyncio.create_task(far.save(game, mine))
    async with asyncio.timeout(PATIENCE_S):
        while (await near.load(game.id)) != mine:  # noqa: ASYNC110 - another server's write is not told, only found
            await asyncio.sleep(0)
    await near.save(mine, answered)
    await saving
    assert await near.load(game.id) == answered


async def test_a_lost_resignation_is_recognised_too(far, line):
    game = await stored(far, running_game())
    line.lose_answers(UPDATE, 1)
    await far.save(game, after(game, Resign(WHITE)))
    assert (line.lost, (await far.load(game.id)).result) == (1, "0-1")


async def test_a_step_sent_again_is_recognised_as_long_as_its_mark_is_kept(far):
    games = random_steps(live_game(), TOKENS_KEPT + 1)
    await far.create(games[0])
    await save_all(far, games[: TOKENS_KEPT + 1])
    await far.save(games[0], games[1])
    await far.save(games[-2], games[-1])
    with pytest.raises(Conflict):
        await far.save(games[0], games[1])


async def test_a_created_game_whose_answer_is_lost_is_a_success_if_it_arrived(far, line):
    line.lose_answers(INSERT, 1)
    game = await stored(far, live_game())
    assert (line.lost, await far.load(game.id)) == (1, game)


async def test_a_guest_and_a_line_of_chat_survive_lost_answers(far, line):
    await stored(far, live_game())
    line.lose_answers(INSERT, 3)
    user, session = User("anna", "Anna", guest=True, created=START), Session("hash", "anna", START, START)
    said = ChatLine("game", "players", "anna", "Anna", "hello", START)
    await far.add_guest(user, session)
    await far.add_chat(said)
    assert line.lost == 3
    assert await far.session("hash") == (user, session)
    assert await far.chat("game", 10) == [said]


async def test_nothing_is_stored_while_disconnected_and_saving_resumes_afterwards(far, line):
    game = await stored(far, live_game())
    line.cut_all()
    for asked in (far.save(game, stepped(game)), far.create(game_called("new")), far.load(game.id), far.ping()):
        with pytest.raises(Unavailable):
            await asked
    line.cut = False
    assert await far.load(game.id) == game
    await far.save(game, stepped(game))
    assert await far.load(game.id) == stepped(game)


async def test_a_server_without_replica_set_is_refused_unless_allowed():
    with secantus_in_memory("--standalone") as alone:
        with pytest.raises(Unavailable, match="MONGODB_STANDALONE"):
            await MongoStore.connect(alone.direct_uri, VARIANTS)
        store = await MongoStore.connect(alone.direct_uri, VARIANTS, allow_standalone=True)
        assert await stored(store, live_game()) == await store.load("game")
        await store.close()


@pytest.mark.parametrize("uri", ["mongodb://", "mongodb://host:port/", "mongodb://a:secret@b:c@host/"])
async def test_an_invalid_address_is_refused_without_repeating_its_password(uri):
    with pytest.raises(Unavailable, match="MONGODB_URI") as refused:
        await MongoStore.connect(uri, VARIANTS)
    assert "secret" not in str(refused.value)


async def test_an_address_cannot_weaken_a_write():
    client = mongo_client.connect_client(
        "mongodb://127.0.0.1:1/games?w=0&journal=false&readConcernLevel=local&readPreference=nearest"
    )
    options = client.options
    assert options.write_concern.document == {"w": "majority", "j": True, "wtimeout": 5000}
    assert options.read_concern.level == "majority"
    assert options.read_preference.mode == 0
    await mongo_client.close_client(client)
