"""TV: which games are on a channel, what its viewers are told of them, and that nobody works for nobody."""

import asyncio
import json

import pytest

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.sanctions import Measure, Reason, Sanction
from server.realtime import tv
from server.realtime.cluster.bus import Bus, Deleted
from server.realtime.play.connection import FEED_MESSAGES, HELLO_COST, POLICY, FeedConnection
from server.realtime.play.rounds import IDLE_MS
from server.realtime.protocol.wire import PlayerRating
from server.realtime.tv import MAX_BOARDS, board_of, tv_rank
from server.storage import time_slices
from tests.support.games import START, running_game
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.manual_outbox import ManualOutbox
from tests.support.realtime.node import BLACK, WHITE, Node


class NotAlone(Bus):
    """There are other processes, and their notices are lost."""

    alone = False


class Viewer:
    """A page with TV."""

    def __init__(self, node, **asked):
        self.got = []
        self.outbox = ManualOutbox()
        services = node.live.services
        self.connection = FeedConnection(node.live.tv, services.timers, None, self.outbox, services.now())
        self.connection.receive(json.dumps({"t": "hi", "proto": 1, **asked}), 0)

    @classmethod
    async def come(cls, node, **asked):
        """It has its first boards, unless something holds them up."""
        viewer = cls(node, **asked)
        await settle()
        return viewer

    def read(self):
        new = [json.loads(text) for text in self.outbox.read_all()]
        self.got += new
        return new


def gone(game, result=None, left=300_000, **paused):
    """What is told of a game that hangs no longer: with `left` on both clocks, or as given."""
    left = left if isinstance(left, tuple) else (left, left)
    told = {"t": "board_gone", "game": game, "clock": {"white": left[0], "black": left[1], **paused}}
    return told | ({"result": result} if result else {})


async def test_games_in_play_are_shown_with_every_move(node, variants):
    game, white, black = await node.opened(variants)
    viewer = await Viewer.come(node)
    (boards,) = viewer.read()
    (board,) = boards["boards"]
    assert (board["game"], board["white"], board["black"]) == (game, "Wanda", "Boris")
    assert (board["last"], board["san"]) == ("e7e5", "e5")
    assert board["clock"]["run"] == "white"
    await white.move("g1f3", 2)
    (moved,) = viewer.read()
    assert (moved["t"], moved["game"], moved["last"], moved["san"]) == ("board_moved", game, "g1f3", "Nf3")
    await black.ask("resign")
    assert viewer.read() == [gone(game, "1-0")]


async def test_tv_of_one_variant_shows_only_that(node, variants):
    await node.opened(variants)
    crazyhouse, *_ = await node.opened(variants, variant="crazyhouse")
    viewer = await Viewer.come(node, variant="crazyhouse")
    assert [board["game"] for board in viewer.read()[0]["boards"]] == [crazyhouse]
    assert len((await Viewer.come(node, variant="nonesuch")).read()[0]["boards"]) == 2


async def test_the_best_game_comes_first_however_long_the_others_have_been_shown(node, variants):
    games = [(await node.opened(variants))[0] for _ in range(4)]
    await Viewer.come(node)
    for strength, game in enumerate(games):
        rating = PlayerRating(rating=1500 + 100 * strength, provisional=False)
        node.rounds.in_memory(game).feed.show_ratings((rating, rating if strength % 2 else None))
    (boards,) = (await Viewer.come(node)).read()
    assert [board["game"] for board in boards["boards"]] == [games[at] for at in (3, 1, 2, 0)]


async def test_no_variant_fills_tv_while_another_is_played(node, variants):
    for _ in range(MAX_BOARDS):
        game, *_ = await node.opened(variants)
        strong = PlayerRating(rating=2500, provisional=False)
        node.rounds.in_memory(game).feed.show_ratings((strong, strong))
    others = {(await node.opened(variants, variant=one))[0] for one in ("crazyhouse", "gothic")}
    (boards,) = (await Viewer.come(node)).read()
    assert others < {board["game"] for board in boards["boards"]}


async def test_a_game_deleted_while_games_are_ranked_is_not_shown(node, variants, monkeypatch):
    viewer = await Viewer.come(node)
    viewer.read()
    game, *_ = await node.opened(variants)

    def ranked(one):
        deleted = Deleted(game, (WHITE.id, BLACK.id))
        asyncio.get_running_loop().call_soon(node.rounds.forget, deleted)
        return tv_rank(one)

    monkeypatch.setattr(tv, "tv_rank", ranked)
    await node.live.tv.refresh()
    assert viewer.read() == []


async def test_new_games_take_free_places_and_displace_none(node, variants):
    viewer = await Viewer.come(node)
    assert viewer.read() == [{"t": "boards", "boards": []}]
    first = [(await node.opened(variants))[0] for _ in range(MAX_BOARDS + 2)]
    await node.live.tv.refresh()
    shown = [message["board"]["game"] for message in viewer.read()]
    assert len(shown) == MAX_BOARDS
    assert set(shown) < set(first)
    await node.live.tv.refresh()
    assert viewer.read() == []


async def test_a_game_of_somebody_whom_the_host_hides_is_taken_off(node, variants):
    game, *_ = await node.opened(variants)
    viewer = await Viewer.come(node)
    assert [board["game"] for board in viewer.read()[0]["boards"]] == [game]
    hide = Sanction("1", WHITE, Measure.HIDE, Reason.OTHER, "", "", Player("", "root"), START, until=0)
    node.live.services.sanctions.replace_all([hide], ())
    await node.live.tv.refresh()
    assert viewer.read() == [{"t": "board_gone", "game": game}]
    node.live.services.sanctions.replace_all([], ())
    await node.live.tv.refresh()
    assert [message["t"] for message in viewer.read()] == ["board_added"]


async def test_a_place_that_becomes_free_is_filled(node, variants):
    games = [await node.opened(variants) for _ in range(MAX_BOARDS + 1)]
    viewer = await Viewer.come(node)
    shown = {board["game"] for board in viewer.read()[0]["boards"]}
    (missing,) = {game for game, _, _ in games} - shown
    await next(white for game, white, _ in games if game in shown).ask("resign")
    await node.live.tv.refresh()
    assert [message["t"] for message in viewer.read()] == ["board_gone", "board_added"]
    assert viewer.got[-1]["board"]["game"] == missing


async def test_an_adjourned_game_makes_room(node, variants):
    game, white, black = await node.opened(variants)
    viewer = await Viewer.come(node)
    await white.ask("offer", kind="adjourn")
    await black.ask("offer", kind="adjourn")
    assert viewer.read()[1:] == [gone(game, paused="adjourned")]
    for client in (white, black):
        await client.ask("ready")
    await settle()
    await node.live.tv.refresh()
    assert [message["t"] for message in viewer.read()] == ["board_added"]


@pytest.mark.parametrize("followed", [False, True])
async def test_a_game_that_ends_at_another_process_is_removed_here(node, store, clock, variants, followed):
    here = Node(store, clock, NotAlone())
    game, white, black = await node.opened(variants)
    viewer = await Viewer.come(here)
    await here.live.tv.refresh()
    await white.move("g1f3", 2)
    await black.move("g8f6", 3)
    await black.ask("resign")
    if followed:
        await here.rounds.in_memory(game).refresh()
    else:
        await here.tick(IDLE_MS + 1)
        await here.rounds.unload_idle()
    await here.live.tv.refresh()
    assert viewer.read()[1:][-1] == gone(game, "1-0")
    assert [message["t"] for message in viewer.got] == ["boards", "board_added", "board_moved", "board_gone"]


async def test_a_frame_does_not_wait_for_the_games_of_all_others(node, store, clock, variants, monkeypatch):
    here = Node(store, clock, NotAlone())
    opened = [await node.opened(variants) for _ in range(2 * tv.READ_AT_ONCE + 1)]
    viewers = [await Viewer.come(here, game=game) for game, _, _ in opened]
    for _, white, _ in opened:
        await white.move("g1f3", 2)
    get, under_way, most = type(here.rounds).get, [], []

    async def slow(rounds, game_id):
        under_way.append(game_id)
        most.append(len(under_way))
        await settle()
        under_way.remove(game_id)
        return await get(rounds, game_id)

    await here.tick(IDLE_MS + 1)
    await here.rounds.unload_idle()
    monkeypatch.setattr(type(here.rounds), "get", slow)
    await here.live.tv.refresh()
    assert max(most) == tv.READ_AT_ONCE
    assert all(viewer.read()[-1]["last"] == "g1f3" for viewer in viewers)


@pytest.mark.parametrize("control", [TimeControl.correspondence(3), TimeControl.unlimited()])
async def test_games_without_a_running_clock_are_not_shown(node, variants, control):
    await node.opened(variants, control=control)
    assert (await Viewer.come(node)).read()[0]["boards"] == []


async def test_nothing_is_kept_without_viewers(node, variants):
    game, white, _ = await node.opened(variants)
    viewer = await Viewer.come(node)
    framed = await Viewer.come(node, game=game)
    for page in (viewer, viewer, framed):
        page.connection.closed(0)
    tv_ = node.live.tv
    assert (tv_._channels, tv_._channel_of, tv_._showing) == ({}, {}, {})
    await node.live.tv.refresh()
    await white.move("g1f3", 2)
    await settle()
    assert len(viewer.read()) == 1


async def test_the_move_that_ends_a_game_is_shown_before_its_result(node, variants):
    before_mate = "rnbqkbnr/ppppp2p/5p2/6p1/4P3/3P4/PPP2PPP/RNBQKBNR w KQkq - 0 3"
    game, white, black = await node.pair(variants, fen=before_mate)
    await white.move("a2a3", 0)
    await black.move("a7a6", 1)
    viewer = await Viewer.come(node)
    viewer.read()
    assert (await white.move("d1h5", 2))["t"] == "ok"
    moved, last = viewer.read()
    assert (moved["t"], moved["last"], moved["fen"].split()[0]) == (
        "board_moved", "d1h5", "rnbqkbnr/1pppp2p/p4p2/6pQ/4P3/P2P4/1PP2PPP/RNB1KBNR",
    )  # fmt: skip
    assert last == gone(game, "1-0")


async def test_the_clocks_at_the_end_are_those_of_the_end_and_not_of_the_last_move(node, variants):
    drawn, white, black = await node.opened(variants)
    late, *_ = await node.opened(variants)
    viewer = await Viewer.come(node)
    viewer.read()
    await node.tick(60_000)
    await white.ask("offer", kind="draw")
    await black.ask("offer", kind="draw")
    assert viewer.read() == [gone(drawn, "1/2-1/2", (240_000, 300_000))]
    await node.tick(250_000)
    assert viewer.read() == [gone(late, "0-1", (0, 300_000))]


async def test_who_comes_while_the_first_boards_are_chosen_gets_them_too(node, variants):
    game, *_ = await node.opened(variants)
    async with time_slices.slice_lock():
        first = await Viewer.come(node)
        second = await Viewer.come(node)
        await node.opened(variants)
        assert first.read() == second.read() == []
    await settle()
    for viewer in (first, second):
        (boards,) = viewer.read()
        assert game in [board["game"] for board in boards["boards"]]


async def test_a_viewer_who_asks_again_makes_nobody_rank_games_again(node, variants, monkeypatch):
    await node.opened(variants)
    viewer = await Viewer.come(node)
    monkeypatch.delattr(tv, "worth_showing")
    viewer.connection.receive('{"t":"hi","proto":1}', 0)
    await settle()
    assert [message["t"] for message in viewer.read()] == ["boards"] * 2


async def test_asking_for_all_boards_again_and_again_closes_the_socket(node, variants):
    await node.opened(variants)
    viewer = await Viewer.come(node)
    for _ in range(FEED_MESSAGES // HELLO_COST):
        viewer.connection.receive('{"t":"hi","proto":1}', 0)
    assert len([message for message in viewer.read() if message["t"] == "boards"]) == FEED_MESSAGES // HELLO_COST
    assert viewer.outbox.close_code == POLICY


def test_the_board_names_the_side_of_a_bot():
    game = running_game()
    assert board_of(game, 0, START).bots is None
    assert board_of(game, 0, START, bots={game.black.id}).bots == ["black"]
