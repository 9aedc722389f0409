"""Throwing away games: they go with all that hangs on them, and only those that are to go."""

from dataclasses import replace

import pytest

from server.storage.archive import Search
from server.storage.disposal import DAY_MS, Retention
from server.storage.documents import to_head
from server.storage.stores import ChatLine
from server.web.housekeeping import AT_ONCE, Disposal
from tests.games.builders import START, live_game, over_game
from tests.storage.games import game_called

WEEK = Retention(aborted_days=7, chat_days=30)
LATER = START + 8 * DAY_MS


def aborted(game_id="aborted"):
    game = game_called(game_id, over_game())
    return replace(game, outcome=replace(game.outcome, winner=None, reason="abort"))


async def said(store, game):
    await store.add_chat(ChatLine(game.id, "players", "w", "Wanda", "hello", START))


async def test_a_deleted_game_leaves_nothing(store):
    for game in (gone := game_called("gone", over_game()), stays := game_called("stays", over_game())):
        await store.create(game)
        await said(store, game)
    await store.disposal.delete_games([gone.id])
    await store.disposal.delete_games([gone.id, "never was"])
    assert await store.load("gone") is None
    assert await store.chat("gone", 9) == []
    assert await store.load("stays") == stays
    assert len(await store.chat("stays", 9)) == 1
    assert [line.id for line in (await store.archive.page(Search(), 9)).games] == ["stays"]
    await store.create(gone)
    assert await store.load("gone") == gone, "no half-move of it was left"


async def test_games_without_a_result_go_after_their_time_page_by_page_and_no_others(store, monkeypatch):
    monkeypatch.setattr("server.web.housekeeping.AT_ONCE", 2)
    for game in (aborted("a1"), live_game(), game_called("over", over_game()), aborted("z9")):
        await store.create(game)
        await said(store, game)
    disposal = Disposal(store.disposal, WEEK)
    for _ in range(4):
        await disposal.step(START + 6 * DAY_MS)
    assert len(await store.disposal.heads("", 9)) == 4
    for _ in range(4):
        await disposal.step(LATER)
    assert [game for game, _ in await store.disposal.heads("", 9)] == ["game", "over"]
    assert len(await store.chat("over", 9)) == 1
    for _ in range(4):
        await disposal.step(START + 31 * DAY_MS)
    assert await store.chat("over", 9) == []
    assert len(await store.chat("game", 9)) == 1, "it goes on"


@pytest.mark.parametrize(
    ("game", "retention", "goes"),
    [
        (aborted(), WEEK, True),
        (aborted(), Retention(aborted_days=0, chat_days=0), False),
        (aborted(), Retention(aborted_days=9, chat_days=0), False),
        (over_game(), WEEK, False),
        (live_game(), WEEK, False),
    ],
)
def test_what_goes_is_decided_by_its_end_and_age(game, retention, goes):
    assert retention.drops_game(to_head(game), LATER) == goes


@pytest.mark.parametrize("head", [{}, {"status": "over", "reason": 5}, {"status": "over", "reason": "abort"}])
def test_what_is_damaged_is_not_thrown_away(head):
    assert not WEEK.drops_game(head, LATER)


def test_a_page_is_small_enough_to_delay_no_move():
    assert AT_ONCE <= 200
