"""What is to be pushed, on every engine: of several nodes one sends it, and what one had begun that died is sent by
another.
"""

import asyncio

import pytest

from server.games.clocks.time_control import TimeControl
from server.language import load_words
from server.realtime.runtime.background import Background
from server.storage.tables.outbox import BY_PUSH, HeldNews, Mailbox
from server.web.notifications import digests
from server.web.notifications.digests import WRITING_MS, Digests
from server.web.notifications.notifier import Notifier
from server.web.variant_words import names_in
from tests.support.games import START, live_game, moved
from tests.support.realtime.hand_clock import HandClock
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.stored_games import game_called, stored
from tests.support.web.push_service import Browser


class Pushes:
    """A push service that takes what it is sent when it is let."""

    public_key = ""

    def __init__(self):
        self.begun = asyncio.Queue()
        self.sent = []
        self.open = asyncio.Event()
        self.open.set()

    async def send(self, device, _message, topic, _stale_s):
        self.begun.put_nowait(device.owner)
        await self.open.wait()
        self.sent.append((device.owner, topic))
        return True

    async def close(self):
        pass


async def nobody_at_board(_game, _person):
    return False


@pytest.fixture
def clock():
    return HandClock(START)


@pytest.fixture
def pushes():
    return Pushes()


@pytest.fixture
def new_node(store, pushes, clock):
    """Makes what a node tells with what is held in the store that it shares with others."""
    languages = load_words()
    names = {code: names_in(code, VARIANTS) for code in languages}

    def make():
        background = Background()
        notifier = Notifier(store, pushes, languages, names, background, clock, nobody_at_board)
        return Digests(store, None, notifier, background, clock)

    return make


async def told_at_once(store, number):
    """Has so many games of Wanda, and as many of Boris, wait for them; returns what is to be pushed."""
    for owner in ("w", "b"):
        await store.push.keep(Browser(f"/{owner}").device(owner))
    for ply, owner in enumerate(("w", "b")):
        for game_id in (f"{owner}{one}" for one in range(number)):
            game = live_game(control=TimeControl.correspondence(3))
            await stored(store, game_called(game_id, moved(game, "e2e4 e7e5 d2d4"[: 10 - 5 * ply])))
            await store.digests.hold_news(HeldNews(Mailbox(owner, BY_PUSH), game_id, "turn", 1, START))
    return sorted((owner, "several" if number > 1 else f"/{owner}0") for owner in ("w", "b"))


@pytest.mark.parametrize("number", [1, 3])
async def test_of_several_nodes_one_sends_each_push(store, pushes, new_node, number):
    expected = await told_at_once(store, number)
    nodes = [new_node() for _ in range(3)]
    await asyncio.gather(*(node.tell_due() for node in nodes for _ in range(2)))
    assert sorted(pushes.sent) == expected
    await nodes[0].tell_due()
    assert len(pushes.sent) == len(expected)


async def test_nobody_waits_for_the_next_look_because_much_is_due_for_another(store, pushes, new_node, monkeypatch):
    monkeypatch.setattr(digests, "LOOKED_UP", 2)
    expected = await told_at_once(store, 3)
    await new_node().tell_due()
    assert sorted(pushes.sent) == expected


async def test_what_a_node_had_begun_to_push_that_died_is_pushed_by_another(store, pushes, new_node, clock):
    expected = await told_at_once(store, 1)
    pushes.open.clear()
    dying = asyncio.create_task(new_node().tell_due())
    for _ in expected:
        await pushes.begun.get()
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    pushes.open.set()
    other = new_node()
    await other.tell_due()
    assert pushes.sent == []
    clock.turn(WRITING_MS)
    await other.tell_due()
    assert sorted(pushes.sent) == expected


async def test_what_becomes_due_while_a_push_is_under_way_does_not_wait_for_the_next_look(store, pushes, new_node):
    expected = await told_at_once(store, 1)
    pushes.open.clear()
    node = new_node()
    telling = asyncio.create_task(node.tell_due())
    for _ in expected:
        await pushes.begun.get()
    wandas = Mailbox("w", BY_PUSH)
    other = moved(live_game(control=TimeControl.correspondence(3)), "e2e4 e7e5")
    await stored(store, game_called("other", other))
    await store.digests.hold_news(HeldNews(wandas, "other", "turn", 1, START))
    node.tell_soon([wandas])
    pushes.open.set()
    await telling
    assert sorted(pushes.sent) == sorted([*expected, ("w", "/other")])
