"""Browsers of players are told that a tournament begins soon, and how it has ended."""

import asyncio

import pytest

from server.games.tournaments.tournament import MINUTE_MS
from server.web.notifications.notifier import NOTIFIER
from server.web.notifications.tournament_news import TOURNAMENT_TELLER
from server.web.site import SITE
from tests.support.web.accounts import go, register
from tests.support.web.tournaments import SWISS, end_tournament, stop_timers


@pytest.fixture(autouse=True)
def by_hand(monkeypatch):
    stop_timers(monkeypatch)


async def test_a_browser_is_told_of_the_start_and_of_the_final_table(server, browser, pushed, anna, ben, clock):
    await register(ben, "Ben")
    path = await go(anna, "/tournaments", **SWISS)
    for one in (anna, ben):
        await go(one, f"{path}/join")
    teller = server.app[TOURNAMENT_TELLER]
    clock.turn(6 * MINUTE_MS)
    await teller.tell_due()
    assert await pushed() == [
        {"title": "Soon: Cup", "body": "Cup begins in 9 minutes.", "url": path, "topic": path},
    ]
    clock.turn(10 * MINUTE_MS)
    await end_tournament(server.app[SITE], path.rpartition("/")[2])
    for _ in range(2):
        await teller.tell_due()
    ((told),) = await pushed()
    assert (told["title"], told["url"]) == ("Cup: the final table", path)
    assert told["body"] == "Cup is over. Your place: 1 of 2. Your points: 1."


async def test_no_player_waits_for_the_push_services_of_others(server, browser, anna, clock, monkeypatch):
    path = await go(anna, "/tournaments", **SWISS)
    await go(anna, f"{path}/join")
    push, answers = server.app[NOTIFIER].push, asyncio.Event()

    async def hangs(device, message, topic, stale_s):
        await answers.wait()
        return True

    monkeypatch.setattr(push, "send", hangs)
    clock.turn(6 * MINUTE_MS)
    await asyncio.wait_for(server.app[TOURNAMENT_TELLER].tell_due(), 5)
    # All have been told, as far as another process is concerned: it tells nobody again.
    assert (await server.app[SITE].store.tournaments.find_tournament(path.rpartition("/")[2])).news_at == 0
    answers.set()
