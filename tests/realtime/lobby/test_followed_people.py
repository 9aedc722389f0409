"""Whose notices a process hears: of whoever has a page here, and for a while after they closed the last one."""

import pytest

from server.realtime.cluster.bus import Deleted, GameTopic, Missed, PersonTopic
from server.realtime.lobby import KEPT_MS
from server.realtime.play.rounds import IDLE_MS
from tests.support.realtime.lobby_page import ANNA, BEN, CARLA, Page, PageWithGames, begun
from tests.support.realtime.node import Deaf, Node


class Following(Deaf):
    """Keeps what is followed."""

    def __init__(self):
        self.topics = set()

    def follow(self, topic):
        self.topics.add(topic)

    def unfollow(self, topic):
        self.topics.discard(topic)


@pytest.fixture
def bus():
    return Following()


@pytest.fixture
def followers(store, clock, bus):
    return Node(store, clock, bus)


async def test_a_person_is_followed_from_their_first_page_until_a_while_after_their_last(followers, bus, clock):
    first, second = Page(followers, ANNA), Page(followers, ANNA)
    Page(followers, None)
    assert bus.topics == {PersonTopic(ANNA.id)}
    first.close()
    await followers.tick(KEPT_MS)
    assert bus.topics == {PersonTopic(ANNA.id)}
    second.close()
    await followers.tick(KEPT_MS - 1)
    third = Page(followers, ANNA)
    await followers.tick(KEPT_MS)
    assert bus.topics == {PersonTopic(ANNA.id)}
    third.close()
    await followers.tick(KEPT_MS)
    assert bus.topics == set()


async def test_a_game_is_followed_while_it_is_in_memory(followers, bus, clock):
    game, deleted = await begun(followers), await begun(followers)
    pages = [await followers.seat(each, ANNA) for each in (game, deleted)]
    assert bus.topics == {GameTopic(game), GameTopic(deleted)}
    followers.live.rounds.forget(Deleted(deleted))
    assert bus.topics == {GameTopic(game)}
    pages[0].close(bye=True)
    clock.turn(IDLE_MS + 1)
    await followers.rounds.unload_idle()
    assert bus.topics == set()


async def test_a_notice_that_came_before_its_reader_was_followed_is_made_up_for(nodes, store):
    here, there = nodes
    game = await begun(here)
    ben, carla = PageWithGames(there, BEN), PageWithGames(there, CARLA)
    assert (await ben.told())["waiting"] == 0
    white = await here.seat(game, ANNA)
    await white.move("e2e4", 0)
    assert (await ben.told())["waiting"] == 0
    there.live.others.resync(Missed(people=frozenset({BEN.id, "somebody else"})))
    assert (await ben.told())["waiting"] == 1
    assert carla.kinds().count("your_games") == 1
