"""How long a seek waits: while its maker has a page open, and out of sight for a while longer."""

import pytest

from server.games.clocks.time_control import DAY_MS
from server.games.errors import Gone
from server.games.seeks.seek import Seeker
from server.realtime.lobby.seek_leases import GRACE_MS, JUST_ASKED_MS
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.lobby_page import ANNA, BEN, CARLA, DAYS, Page, seek


async def test_a_seek_waits_while_any_tab_is_open_and_is_kept_a_minute_longer(node, lobby, store):
    page, other = Page(node, ANNA), Page(node, ANNA)
    await lobby.seek(seek(node))
    page.close()
    for _ in range(20):
        await node.tick(20_000)
        await lobby.expire()
    assert len(lobby.seeks.waiting) == 1
    other.close()
    await settle()
    assert list(lobby.seeks.waiting) == []
    await node.tick(GRACE_MS - 1)
    await lobby.expire()
    assert len(lobby.seeks) == 1
    await node.tick(2)
    await lobby.expire()
    assert (list(lobby.seeks), store.seeks.standing) == ([], {})


async def test_a_player_who_closed_their_last_page_is_not_paired(node, lobby, store):
    page, watching = Page(node, ANNA), Page(node, CARLA)
    standing = seek(node)
    await lobby.seek(standing)
    page.close()
    await settle()
    assert watching.kinds() == ["seeks", "seek_added", "seek_gone"]
    assert await lobby.seek(seek(node, BEN)) is None
    with pytest.raises(Gone, match="opponent_gone"):
        await lobby.accept(standing.id, Seeker(CARLA, False))
    assert store.games == {}


async def test_reloading_within_a_minute_brings_the_seek_back_and_pairs_at_once(node, lobby, store):
    page = Page(node, ANNA)
    standing = seek(node)
    await lobby.seek(standing)
    page.close()
    await node.tick(GRACE_MS - 1_000)
    Page(node, BEN)
    await lobby.seek(seek(node, BEN))
    page = Page(node, ANNA)
    await settle()
    assert list(store.games) == [standing.game]
    assert page.last("paired") == standing.game


async def test_a_program_without_a_page_is_believed_to_be_there_for_a_moment(node, lobby):
    await lobby.seek(seek(node))
    await node.tick(JUST_ASKED_MS - 1)
    await lobby.expire()
    assert len(lobby.seeks.waiting) == 1
    await node.tick(2)
    await lobby.expire()
    assert (len(lobby.seeks.waiting), len(lobby.seeks)) == (0, 1)


async def test_a_correspondence_seek_stands_two_weeks_without_its_maker(node, lobby, store):
    standing = seek(node, control=DAYS)
    await lobby.seek(standing)
    await node.tick(14 * DAY_MS - 1)
    await lobby.expire()
    game = await lobby.accept(standing.id, Seeker(BEN, False))
    assert store.games[game].terms.control == DAYS
