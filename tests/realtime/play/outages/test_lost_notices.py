"""Two processes over one store lose all notices: each looks at the store, and loads only what has moved on."""

from server.realtime.cluster.bus import Missed
from server.realtime.play.chat import CHAT_LINES
from server.storage.stores import ChatLine
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, WHITE


async def test_a_move_whose_notice_was_lost_is_shown_at_the_next_look(nodes, store, variants):
    here, there = nodes
    game = await here.new_game(variants)
    idle = await there.new_game(variants)
    white, black = await here.seat(game, WHITE), await there.seat(game, BLACK)
    await there.seat(idle, BLACK)
    await white.move("e2e4", 0)
    assert black.last("moved") is None
    before = store.loads
    await there.live._look()
    assert black.last("moved")["uci"] == "e2e4"
    assert store.loads == before + 1


async def test_a_line_of_chat_whose_notice_was_lost_is_shown_once(nodes, variants):
    here, there = nodes
    game = await here.new_game(variants)
    white, black = await here.seat(game, WHITE), await there.seat(game, BLACK)
    await white.ask("chat", text="good luck")
    assert black.all("said") == []
    for _ in range(2):
        for node in nodes:
            await node.live._look()
    for page in (white, black):
        assert [said["line"]["text"] for said in page.all("said")] == ["good luck"]


async def test_chat_that_arrived_out_of_order_is_shown_once(nodes, store, clock, variants):
    here, _ = nodes
    game = await here.new_game(variants)
    white = await here.seat(game, WHITE)
    lines = [ChatLine(game, "players", BLACK.id, BLACK.name, str(n), clock() + n) for n in range(CHAT_LINES + 5)]
    here.rounds.in_memory(game).feed.catch_up_chat([lines[1]])
    for number in range(1, len(lines)):
        store.lines[game] = lines[: number + 1]
        for _ in range(2):
            await here.live._look()
        white.read()
    shown = [said["line"]["text"] for said in white.all("said")]
    assert shown == ["1", "0", *(line.text for line in lines[2:])]


async def test_losing_notices_and_the_store_together_ends_nothing(nodes, store, variants):
    here, there = nodes
    game = await here.new_game(variants)
    white, black = await here.seat(game, WHITE), await there.seat(game, BLACK)
    await white.move("e2e4", 0)
    missed = Missed(games=frozenset({game, "0000000000"}), rest=True)
    with store.outage():
        there.live.others.resync(missed)
        await settle()
    there.live.others.resync(missed)
    await settle()
    assert black.last("moved")["uci"] == "e2e4"
