"""How long a seek waits: while its maker has a page open, and out of sight for a while longer."""

import asyncio

import pytest

from server.games.clocks.time_control import DAY_MS
from server.games.errors import Gone
from server.games.seeks import Seeker
from server.realtime.lobby import GRACE_MS, JUST_ASKED_MS
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.lobby_page import ANNA, BEN, CARLA, DAYS, Page, seek


async def test_a_seek_waits_while_any_tab_is_open_and_is_kept_a_minute_longer(node, lobby, store):
    page, other = Page(node, ANNA), Page(node, ANNA)
    await lobby.post_seek(seek(node))
    page.close()
    for _ in range(20):
        await node.tick(20_000)
        await lobby.expire_seeks()
    assert len(lobby.seeks.waiting) == 1
    other.close()
    await settle()
    assert list(lobby.seeks.waiting) == []
    await node.tick(GRACE_MS - 1)
    await lobby.expire_seeks()
    assert len(lobby.seeks) == 1
    await node.tick(2)
    await lobby.expire_seeks()
    assert (list(lobby.seeks), store.seeks.standing) == ([], {})


async def test_a_player_who_closed_their_last_page_is_not_paired(node, lobby, store):
    page, watching = Page(node, ANNA), Page(node, CARLA)
    standing = seek(node)
    await lobby.post_seek(standing)
    page.close()
    await settle()
    assert watching.kinds() == ["seeks", "seek_added", "seek_gone"]
    assert await lobby.post_seek(seek(node, BEN)) is None
    with pytest.raises(Gone, match="opponent_gone"):
        await lobby.accept_seek(standing.id, Seeker(CARLA, False))
    assert store.games == {}


async def test_reloading_within_a_minute_brings_the_seek_back_and_pairs_at_once(node, lobby, store):
    page = Page(node, ANNA)
    standing = seek(node)
    await lobby.post_seek(standing)
    page.close()
    await node.tick(GRACE_MS - 1_000)
    Page(node, BEN)
    await lobby.post_seek(seek(node, BEN))
    page = Page(node, ANNA)
    await settle()
    assert list(store.games) == [standing.game]
    assert page.last("paired") == standing.game


async def test_a_program_without_a_page_is_believed_to_be_there_for_a_moment(node, lobby):
    await lobby.post_seek(seek(node))
    await node.tick(JUST_ASKED_MS - 1)
    await lobby.expire_seeks()
    assert len(lobby.seeks.waiting) == 1
    await node.tick(2)
    await lobby.expire_seeks()
    assert (len(lobby.seeks.waiting), len(lobby.seeks)) == (0, 1)


async def test_a_correspondence_seek_stands_two_weeks_without_its_maker(node, lobby, store):
    standing = seek(node, control=DAYS)
    await lobby.post_seek(standing)
    await node.tick(14 * DAY_MS - 1)
    await lobby.expire_seeks()
    game = await lobby.accept_seek(standing.id, Seeker(BEN, False))
    assert store.games[game].terms.control == DAYS


async def test_who_is_back_while_their_lease_is_being_cut_is_paired(node, lobby, store, monkeypatch):
    page, shorten = Page(node, ANNA), store.seeks.shorten
    standing = seek(node)
    await lobby.post_seek(standing)

    async def come_back_meanwhile(maker, until):
        await shorten(maker, until)
        if maker == ANNA.id:
            Page(node, ANNA)

    monkeypatch.setattr(store.seeks, "shorten", come_back_meanwhile)
    page.close()
    await settle()
    assert store.seeks.standing[standing.id].until > node.clock() + GRACE_MS


@pytest.mark.parametrize("pages", [1, 2, 3])
async def test_who_closes_several_pages_at_once_is_gone(node, lobby, store, pages):
    """Each page that closes cuts the lease; none may take the cut of another for a return."""
    theirs = [Page(node, ANNA) for _ in range(pages)]
    standing = seek(node)
    await lobby.post_seek(standing)
    for page in theirs:
        page.close()
    await settle()
    assert store.seeks.standing[standing.id].until <= node.clock() + GRACE_MS
    await lobby.expire_seeks()
    assert list(lobby.seeks.waiting) == []


async def test_who_leaves_again_while_their_return_is_stored_is_gone(node, lobby, store, monkeypatch):
    page, shorten, prolong = Page(node, ANNA), store.seeks.shorten, store.seeks.prolong
    standing, back, stored = seek(node), [], asyncio.Event()
    await lobby.post_seek(standing)

    async def come_back_meanwhile(maker, until):
        await shorten(maker, until)
        if not back:
            back.append(Page(node, ANNA))

    async def leave_meanwhile(maker, until):
        back[0].close()
        await settle()
        await prolong(maker, until)
        stored.set()

    monkeypatch.setattr(store.seeks, "shorten", come_back_meanwhile)
    monkeypatch.setattr(store.seeks, "prolong", leave_meanwhile)
    page.close()
    await stored.wait()
    await settle()
    assert store.seeks.standing[standing.id].until <= node.clock() + GRACE_MS


async def test_who_is_back_before_their_lease_is_cut_keeps_it(node, lobby, store, monkeypatch):
    pages, shorten, cut = [Page(node, person) for person in (ANNA, BEN)], store.seeks.shorten, []
    for page, person in zip(pages, (ANNA, BEN), strict=True):
        with store.outage():
            page.close()
            await settle()
        lobby._gone.add(person.id)

    async def the_other_comes_back_meanwhile(maker, until):
        cut.append(maker)
        Page(node, BEN if maker == ANNA.id else ANNA)
        await shorten(maker, until)

    monkeypatch.setattr(store.seeks, "shorten", the_other_comes_back_meanwhile)
    await lobby._cut_leases()
    assert len(cut) == 1
