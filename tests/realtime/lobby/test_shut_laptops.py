"""A socket that misses its heartbeats may be dead: its player's seeks are hidden until it answers."""

import pytest

from server.games.errors import Gone
from server.games.player import Player
from server.games.seeks import Seeker
from server.realtime.protocol.feed import Subscriber, Subscribers
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.lobby_page import ANNA, BEN, Page, seek
from tests.support.realtime.manual_outbox import ManualOutbox


async def test_the_owner_of_a_shut_laptop_is_not_paired_until_it_is_opened(node, lobby):
    page, other = Page(node, ANNA), Page(node, BEN)
    standing = seek(node)
    await lobby.post_seek(standing)
    page.connection.silence_changed(True, 0)
    await settle()
    assert other.kinds()[-1] == "seek_gone"
    with pytest.raises(Gone):
        await lobby.accept_seek(standing.id, Seeker(BEN, False))
    assert await lobby.post_seek(seek(node, BEN, created=standing.created + 1)) is None, (
        "whoever looks for the same waits beside it"
    )
    page.connection.silence_changed(False, 0)
    await settle()
    assert page.last("paired") == other.last("paired") == standing.game


async def test_one_page_that_answers_is_enough_to_be_paired(node, lobby):
    page, _ = Page(node, ANNA), Page(node, ANNA)
    await lobby.post_seek(seek(node))
    page.connection.silence_changed(True, 0)
    await settle()
    assert len(lobby.seeks.waiting) == 1


async def test_another_process_pairs_nobody_with_a_shut_laptop(nodes):
    here, there = nodes
    page = Page(here, ANNA)
    standing = seek(here)
    await here.live.lobby.post_seek(standing)
    await there.live.lobby.refresh_seeks()
    page.connection.silence_changed(True, 0)
    await settle()
    with pytest.raises(Gone):
        await there.live.lobby.accept_seek(standing.id, Seeker(BEN, False))
    page.connection.silence_changed(False, 0)
    await settle()
    await there.live.lobby.refresh_seeks()
    assert await there.live.lobby.accept_seek(standing.id, Seeker(BEN, False)) == standing.game


class Watched(Subscriber):
    """A page that counts how often it is asked whether its connection answers."""

    asked = 0

    @property
    def silent(self):
        Watched.asked += 1
        return False

    @silent.setter
    def silent(self, _):
        pass


def test_only_a_players_own_pages_are_asked_whether_they_answer():
    pages = Subscribers()
    anna, others = (
        Watched(ManualOutbox(), ANNA),
        [Watched(ManualOutbox(), Player(f"{n}", f"{n}")) for n in range(1_000)],
    )
    for page in (anna, *others):
        pages.add(page)
    assert pages.answers(ANNA.id)
    assert Watched.asked == 1
    pages.show_people("news", {ANNA.id, "nobody"})
    assert (list(anna.outbox.read_all()), list(others[0].outbox.read_all())) == (["news"], [])
    pages.remove(anna)
    pages.remove(anna)
    assert not pages.answers(ANNA.id)
    assert ANNA.id not in pages.people
