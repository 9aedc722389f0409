"""What the host has decided holds on every process: at once where it is heard of, and soon where it is not."""

import pytest

from server.games.errors import NotAllowed
from server.games.player import Player
from server.games.sanctions import Measure, Reason, Sanction
from server.realtime.cluster.bus import SanctionsChanged
from server.realtime.services.sanctions import impose_sanction, lift_sanction
from server.storage.errors import Unavailable
from tests.support.realtime.lobby_page import DAYS, seek

ROOT, CARL = Player("", "root"), Player("carl-id", "Carl")


def decided(measure, now, until):
    return Sanction(f"{measure}1", CARL, measure, Reason.SPAM, "", "", ROOT, now, until)


async def test_a_decision_holds_on_the_other_process_once_it_hears_or_looks(nodes, clock):
    here, there = (node.live for node in nodes)
    now = clock.at
    await impose_sanction(here.services.store, decided(Measure.MUTE, now, now + 60_000), now)
    await here.sanctions.tell()
    with pytest.raises(NotAllowed, match="muted"):
        here.services.sanctions.check_speech(CARL.id, "", now)
    there.services.sanctions.check_speech(CARL.id, "", now)
    there.others.hear_notice(SanctionsChanged())
    await there.services.background.finish(5)
    with pytest.raises(NotAllowed, match="muted"):
        there.services.sanctions.check_speech(CARL.id, "", now)
    clock.turn(60_000)
    for one in (here, there):
        one.services.sanctions.check_speech(CARL.id, "", clock.at)


async def test_whom_one_process_shuts_out_loses_their_sockets_at_the_other(nodes, clock):
    here, there = (node.live for node in nodes)
    closed = []

    async def close():
        closed.append(there.services.sanctions.who_is_shut_out(clock.at))

    there.sanctions.on_shut_out = close
    sanction = decided(Measure.SUSPEND, clock.at, 0)
    await impose_sanction(here.services.store, sanction, clock.at)
    for _ in range(2):
        await there.sanctions.read_sanctions()
    assert closed == [{CARL.id}], "once, and after it is known"
    assert await lift_sanction(here.services.store, sanction, ROOT, clock.at)
    await there.sanctions.read_sanctions()
    assert there.services.sanctions.shut_out(CARL.id, clock.at) is None


@pytest.mark.parametrize("lost", ["the store for a moment", "the process"])
async def test_what_somebody_seeks_who_is_shut_out_goes_whatever_is_lost_meanwhile(node, nodes, store, clock, lost):
    lobby, watch = node.live.lobby, node.live.sanctions
    await lobby.post_seek(seek(node, CARL, control=DAYS))
    sanction = decided(Measure.SUSPEND, clock.at, 0)
    await impose_sanction(store, sanction, clock.at)
    if lost == "the process":
        watch = nodes[0].live.sanctions
        await watch.load_sanctions()
    else:

        async def away():
            raise Unavailable("away")

        whole, store.seeks.open = store.seeks.open, away
        await watch.tell()
        store.seeks.open = whole
    assert store.seeks.untaken
    await watch.read_sanctions()
    assert not store.seeks.untaken
