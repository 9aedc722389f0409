"""A game that is deleted while it is played or looked at: everybody is told in words, and nothing is written back."""

import json

import pytest

from server.games.clocks.time_control import TimeControl
from server.realtime.cluster.bus import Deleted, deletion_of
from server.realtime.play.connection import FeedConnection
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.manual_outbox import ManualOutbox
from tests.support.realtime.node import BLACK, WHITE, Deaf, Node

TOLD = "This game was deleted by the host."


class Page:
    """A page that subscribes to the lobby or TV."""

    def __init__(self, node, feed, player=None, **hello):
        self.outbox = ManualOutbox()
        self._connection = FeedConnection(
            feed, node.live.services.timers, player, self.outbox, node.live.services.now()
        )
        self._connection.receive(json.dumps({"t": "hi", "proto": 1, **hello}), 0)

    def read(self, t):
        return [message for text in self.outbox.read_all() if (message := json.loads(text))["t"] == t]


def throw_away(store, game):
    """As a command of the host's does, without a word to any server."""
    return store.games.pop(game)


async def test_a_move_in_a_deleted_game_is_refused_in_words_and_everybody_else_is_told(node, store, variants):
    game, white, black = await node.opened(variants)
    watcher = await node.seat(game, None)
    throw_away(store, game)
    answer = await white.move("g1f3", 2)
    assert (answer["code"], answer["message"]) == ("deleted", TOLD)
    for page in (black, watcher):
        assert (page.last("error")["code"], page.last("error")["message"]) == ("deleted", TOLD)
    assert all(page.code is not None for page in (white, black, watcher)), "no socket is left open for nothing"
    assert game not in store.games
    assert node.rounds.in_memory(game) is None


@pytest.mark.parametrize("command", [("resign", {}), ("offer", {"kind": "draw"}), ("chat", {"text": "where is it?"})])
async def test_no_command_in_a_deleted_game_is_answered_as_an_internal_error(node, store, variants, command):
    game, _, black = await node.opened(variants)
    throw_away(store, game)
    answer = await black.ask(command[0], **command[1])
    assert (answer["t"], answer["code"]) == ("error", "deleted")
    assert store.games == {}
    assert not store.lines[game]


async def test_a_flag_that_falls_in_a_deleted_game_brings_nothing_back(node, store, variants):
    game, white, _ = await node.opened(variants)
    throw_away(store, game)
    await node.tick(600_000)
    assert store.games == {}
    assert white.last("over") is None
    assert white.last("error")["code"] == "deleted"


async def test_a_deletion_is_seen_at_servers_that_heard_nothing_of_it(nodes, store, variants):
    here, there = nodes
    game = await here.new_game(variants)
    white, black = await here.seat(game, WHITE), await there.seat(game, BLACK)
    throw_away(store, game)
    for node in nodes:
        await node.live._look()
    assert [page.last("error")["message"] for page in (white, black)] == [TOLD] * 2


async def test_a_server_that_is_alone_on_a_store_which_others_can_change_looks_too(node, store, variants, monkeypatch):
    game, white, _ = await node.opened(variants)
    tv = Page(node, node.live.tv)
    await settle()
    assert [board["game"] for board in tv.read("boards")[0]["boards"]] == [game]
    throw_away(store, game)
    await node.live._look()
    assert white.last("error") is None, "nobody else can have deleted anything"
    monkeypatch.setattr(type(store), "shared", True)
    await node.live._look()
    assert white.last("error")["code"] == "deleted"
    assert tv.read("board_gone") == [{"t": "board_gone", "game": game}]


@pytest.mark.parametrize("control", [TimeControl.realtime(300_000, 0), TimeControl.correspondence(3)])
async def test_a_deleted_game_leaves_the_lists_of_its_players(node, store, variants, control):
    game, *_ = await node.opened(variants, control=control)
    page = Page(node, node.live.lobby, WHITE, games=1)
    await settle()
    assert [one["id"] for one in page.read("your_games")[-1]["games"]] == [game]
    node.live.deleted(deletion_of(throw_away(store, game)))
    await settle()
    assert page.read("your_games")[-1]["games"] == []


async def test_a_deletion_elsewhere_removes_an_unfollowed_game_from_tv_and_lists(store, clock, variants):
    here, there = Node(store, clock, Deaf()), Node(store, clock, Deaf())
    game, *_ = await there.opened(variants)
    tv, page = Page(here, here.live.tv), Page(here, here.live.lobby, BLACK, games=1)
    await settle()
    await here.live.tv.refresh()
    assert len(tv.read("board_added")) == 1
    here.live.deleted(Deleted("another game"))
    here.live.others.hear_notice(deletion_of(throw_away(store, game)))
    await settle()
    assert tv.read("board_gone") == [{"t": "board_gone", "game": game}]
    assert page.read("your_games")[-1]["games"] == []


async def test_tv_removes_a_game_whose_deletion_was_not_announced(store, clock, variants):
    here, there = Node(store, clock, Deaf()), Node(store, clock, Deaf())
    game, *_ = await there.opened(variants)
    tv = Page(here, here.live.tv)
    await settle()
    await here.live.tv.refresh()
    here.rounds._rounds.clear()
    throw_away(store, game)
    await here.live.tv.refresh()
    assert tv.read("board_gone") == [{"t": "board_gone", "game": game}]


async def test_a_game_that_is_deleted_while_it_is_loaded_stays_away(store, clock, variants, monkeypatch):
    first, node = Node(store, clock), Node(store, clock)
    game = await first.new_game(variants)
    chat = store.chat

    async def deleted_meanwhile(game_id, limit):
        lines = await chat(game_id, limit)
        node.live.deleted(deletion_of(throw_away(store, game_id)))
        return lines

    monkeypatch.setattr(store, "chat", deleted_meanwhile)
    assert await node.rounds.get(game) is None
    assert list(node.rounds) == []
    assert await node.rounds.get(game) is None, "it is looked for anew, and is not there"
