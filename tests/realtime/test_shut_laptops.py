"""A line that misses its beats is perhaps dead: what its person seeks is out of sight until it answers."""

import pytest

from server.games.errors import Gone
from server.games.seek import Seeker
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.lobby_page import ANNA, BEN, Page, seek


async def test_a_shut_laptop_is_paired_with_nobody_until_it_is_opened(house, lobby):
    page, other = Page(house, ANNA), Page(house, BEN)
    standing = seek(house)
    await lobby.seek(standing)
    page.line.fell_silent(0)
    await settle()
    assert other.kinds()[-1] == "seek_gone"
    with pytest.raises(Gone):
        await lobby.accept(standing.id, Seeker(BEN, False))
    assert await lobby.seek(seek(house, BEN, created=standing.created + 1)) is None, (
        "whoever looks for the same waits beside it"
    )
    page.line.answered(0)
    await settle()
    assert page.last("paired") == other.last("paired") == standing.game


async def test_one_page_that_answers_is_enough_to_be_paired(house, lobby):
    page, _ = Page(house, ANNA), Page(house, ANNA)
    await lobby.seek(seek(house))
    page.line.fell_silent(0)
    await settle()
    assert len(lobby.seeks.waiting) == 1


async def test_another_process_pairs_nobody_with_a_shut_laptop(houses):
    here, there = houses
    page = Page(here, ANNA)
    standing = seek(here)
    await here.live.lobby.seek(standing)
    await there.live.lobby.look_again()
    page.line.fell_silent(0)
    await settle()
    with pytest.raises(Gone):
        await there.live.lobby.accept(standing.id, Seeker(BEN, False))
    page.line.answered(0)
    await settle()
    await there.live.lobby.look_again()
    assert await there.live.lobby.accept(standing.id, Seeker(BEN, False)) == standing.game
