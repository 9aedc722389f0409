"""A crowd that watches: players are told at once, watchers and the pages of a feed in turn."""

import pytest

from server.realtime.protocol.feed import Subscriber, Subscribers
from tests.support.realtime.client import Client
from tests.support.realtime.manual_outbox import ManualOutbox
from tests.support.realtime.node import WHITE


class TurnOutbox(ManualOutbox):
    """`in_turn`: what of `texts` could wait for the moves of others."""

    def __init__(self):
        super().__init__()
        self.texts, self.in_turn = [], []

    def put(self, text, *, in_turn=False, more=False):
        (self.in_turn if in_turn else self.texts).append(text)

    put_latest = put


@pytest.fixture
def turns(monkeypatch):
    """Tabs opened from now on tell which texts could wait."""
    monkeypatch.setattr("tests.support.realtime.client.ManualOutbox", TurnOutbox)


@pytest.mark.usefixtures("turns")
async def test_moves_chat_and_who_is_here_are_told_to_watchers_in_turn_and_to_players_at_once(node, variants):
    game, white, black = await node.pair(variants)
    watcher = Client(node, None)
    await watcher.hi(game)
    for tab in (white, black, watcher):
        tab.outbox.texts.clear()
        tab.outbox.in_turn.clear()
    await white.move("g1f3", 0)
    await white.ask("chat", text="good luck")
    node.clock.turn(2_000)
    await Client(node, None).hi(game)
    kinds = [text.split('"')[3] for text in watcher.outbox.in_turn]
    assert [kind for kind in kinds if kind != "clock"] == ["moved", "nothing", "crowd"]
    assert watcher.outbox.texts == []
    for player in (white, black):
        assert player.outbox.in_turn == []
        assert any('"moved"' in text for text in player.outbox.texts)


def test_all_pages_of_a_feed_are_told_in_turn_and_one_person_at_once():
    pages = Subscribers()
    anna, stranger = Subscriber(TurnOutbox(), WHITE), Subscriber(TurnOutbox(), None)
    pages.add(anna)
    pages.add(stranger)
    pages.show_all("a seek")
    pages.show_all("another, not for her", but={WHITE.id})
    pages.show_people("paired", {WHITE.id})
    assert anna.outbox.in_turn == ["a seek"]
    assert anna.outbox.texts == ["paired"]
    assert stranger.outbox.in_turn == ["a seek", "another, not for her"]
    assert stranger.outbox.texts == []
