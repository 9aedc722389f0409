"""Who is on the site: whoever has a page that answers, on this process or another that has said so of late."""

from server.realtime.cluster.bus import PeopleOnNode
from server.realtime.cluster.presence import HEARSAY_MS
from tests.support.realtime.lobby_page import ANNA, BEN, Page
from tests.support.realtime.node import Deaf


class Heard(Deaf):
    """Keeps what was told."""

    def __init__(self):
        self.told = []

    def tell(self, notice):
        self.told.append(notice)


async def test_whoever_has_a_page_that_answers_is_here(node, lobby):
    first, second = Page(node, ANNA), Page(node, ANNA)
    Page(node, None)
    assert lobby.online.people == {ANNA.id}
    first.close()
    assert lobby.online.includes(ANNA.id)
    second.connection.silence_changed(True, 0)
    assert lobby.online.people == set()
    assert not lobby.online.includes(ANNA.id)


async def test_the_word_of_another_process_counts_for_a_while(nodes, clock):
    here, other = nodes
    Page(other, BEN)
    bus = Heard()
    object.__setattr__(other.live.services, "bus", bus)
    await other.live.others.keep_in_touch()
    (said,) = [notice for notice in bus.told if isinstance(notice, PeopleOnNode)]
    here.live.others.hear_notice(said)
    assert here.live.lobby.online.people == {BEN.id}
    clock.turn(HEARSAY_MS - 1)
    assert here.live.lobby.online.includes(BEN.id)
    clock.turn(1)
    assert here.live.lobby.online.people == set()
    assert not here.live.lobby.online.includes(BEN.id)
