"""What the host has decided holds on every process: at once where it is heard of, and soon where it is not."""

import pytest

from server.games.errors import NotAllowed
from server.games.player import Player
from server.games.sanctions import Measure, Reason, Sanction
from server.realtime.cluster.bus import SanctionsChanged
from server.realtime.services.sanctions import impose_sanction, lift_sanction

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
