"""A person's running games are read from the store once for many who ask, and anew as soon as there is news."""

import asyncio

import pytest

from server.realtime.cluster.bus import Deleted
from server.realtime.your_games import KEPT_MS, MAX_KEPT, SHOWN
from server.storage.errors import Unavailable
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.lobby_page import ANNA, BEN, PageWithGames, begun


@pytest.fixture
def running(node):
    return node.live.running_games


@pytest.fixture
def reads(node, monkeypatch):
    """Whose games were read, in order."""
    found, read = [], node.store.running_of

    async def counted(player):
        found.append(player)
        return await read(player)

    monkeypatch.setattr(node.store, "running_of", counted)
    return found


async def test_simultaneous_readers_share_one_read(running, reads):
    lists = await asyncio.gather(*(running.games_of(ANNA.id) for _ in range(50)), running.games_of(BEN.id))
    assert all(one is lists[0] for one in lists[:50])
    assert sorted(reads) == sorted((ANNA.id, BEN.id))


async def test_running_games_are_read_again_after_a_while_or_after_news(node, running, reads):
    await running.games_of(ANNA.id)
    node.clock.turn(KEPT_MS - 1)
    await running.games_of(ANNA.id)
    assert len(reads) == 1
    node.clock.turn(1)
    assert await running.games_of(ANNA.id) == []
    assert len(reads) == 2
    game = await begun(node)
    assert [one.id for one in await running.games_of(ANNA.id)] == [game]


async def test_what_was_read_while_there_was_news_is_not_kept(running, reads):
    first = asyncio.create_task(running.games_of(ANNA.id))
    await asyncio.sleep(0)
    running.drop_lists({ANNA.id})
    await asyncio.gather(first, running.games_of(ANNA.id))
    await running.games_of(ANNA.id)
    assert len(reads) == 2


async def test_a_client_that_asks_while_the_store_is_away_is_told_and_asks_again(node, running):
    node.store.down = True
    with pytest.raises(Unavailable):
        await running.games_of(ANNA.id)
    node.store.down = False
    assert await running.games_of(ANNA.id) == []


async def test_the_number_of_cached_lists_is_bounded(running, reads):
    for number in range(MAX_KEPT + 1):
        await running.games_of(f"somebody{number}")
    await running.games_of("somebody1")
    assert len(reads) == MAX_KEPT + 1
    await running.games_of("somebody0")
    assert len(reads) == MAX_KEPT + 2


async def test_a_hundred_new_pages_cost_one_read(node, reads):
    game = await begun(node)
    pages = [PageWithGames(node, ANNA) for _ in range(100)]
    for page in pages:
        assert [one["id"] for one in (await page.told())["games"]] == [game]
    assert reads.count(ANNA.id) == 1
    assert sum(page.kinds().count("your_games") for page in pages) == 100


async def test_many_changes_at_once_are_sent_in_two_messages(node):
    await begun(node)
    anna = PageWithGames(node, ANNA)
    await anna.told()
    before = anna.kinds().count("your_games")
    gone = Deleted("0123456789", (ANNA.id,))
    node.live.services.remove_game(gone)
    await asyncio.sleep(0)
    for _ in range(SHOWN):
        node.live.lobby.games.remove_game(gone)
    await settle()
    assert anna.kinds().count("your_games") == before + 2
