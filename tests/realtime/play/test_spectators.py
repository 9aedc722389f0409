"""Who watches a game: how many, and the names of those who may be shown, on every process, however many come."""

from server.games.people import Tie, TieKind
from server.games.player import Player
from server.realtime.cluster.bus import SpectatorsOnNode
from server.realtime.cluster.presence import HEARSAY_MS
from server.realtime.play.spectators import ASK_AGAIN_MS, MOST_NAMED, MOST_TOLD
from tests.support.realtime.client import Client
from tests.support.realtime.node import BLACK, WHITE

CARLA, DORA, EMIL = (Player(f"{name.lower()}-id", name) for name in ("Carla", "Dora", "Emil"))
GUEST = Player("guest-id", "QuietHeron27")


def listed(store, *people):
    store.accounts.names |= {one.id: one.name for one in people}


async def watch(node, game, *people):
    """Somebody who watches there for each of `people`, None for a stranger."""
    pages = [Client(node, one) for one in people]
    for page in pages:
        await page.hi(game)
    return pages


async def told(page, *nodes):
    """What that page has been told of who watches, once all has been shown: number and names."""
    for _ in range(4):
        for node in nodes:
            await node.tick(500)
    crowd = page.last("crowd")
    return crowd["watchers"], crowd.get("names", [])


async def test_both_processes_show_who_watches_to_players_and_watchers(both, store, variants):
    here, there = both
    listed(store, CARLA, DORA)
    game, white, _ = await here.pair(variants)
    (carla,) = await watch(here, game, CARLA)
    emil, _, _, _ = await watch(there, game, EMIL, GUEST, None, DORA)
    # Dora reads it in two places.
    await watch(here, game, DORA)
    assert await told(white, *both) == (5, ["Carla", "Dora"])
    number, names = await told(emil, *both)
    assert (number, sorted(names)) == (5, ["Carla", "Dora"])
    carla.close()
    assert await told(emil, *both) == (4, ["Dora"])


async def test_whoever_watches_at_two_processes_counts_once_named_or_not(both, store, variants):
    listed(store, DORA)
    game, white, _ = await both[0].pair(variants)
    for node in both:
        await watch(node, game, GUEST, EMIL, DORA, None)
    # Emil is not listed, and of strangers each page is somebody.
    assert await told(white, *both) == (5, ["Dora"])
    crowd = [Player(f"guest-{number}", f"QuietHeron{number}") for number in range(2 * MOST_TOLD)]
    for node in both:
        await watch(node, game, *crowd)
    number, _ = await told(white, *both)
    # Of a large crowd it is not said who all of them are.
    assert 5 + len(crowd) <= number <= 5 + 2 * len(crowd) - MOST_TOLD // 2


async def test_nobody_is_named_to_whom_they_block_or_who_blocks_them(node, store, variants):
    listed(store, CARLA, DORA, EMIL)
    game, white, _ = await node.pair(variants)
    carla, dora, emil = await watch(node, game, CARLA, DORA, EMIL)
    tie = Tie(CARLA.id, TieKind.BLOCKS, DORA, 0)
    await store.ties.keep(tie)
    await node.live.ties.read_blocks_of(CARLA.id)
    assert await told(carla, node) == (3, ["Carla", "Emil"])
    assert await told(dora, node) == (3, ["Dora", "Emil"])
    assert await told(emil, node) == (3, ["Carla", "Dora", "Emil"])
    assert await told(white, node) == (3, ["Carla", "Dora", "Emil"])


async def test_who_does_not_want_to_be_listed_any_more_is_a_number_soon(node, store, variants):
    listed(store, CARLA)
    game, white, _ = await node.pair(variants)
    await watch(node, game, CARLA)
    assert await told(white, node) == (1, ["Carla"])
    store.accounts.names.clear()
    await node.tick(ASK_AGAIN_MS)
    assert await told(white, node) == (1, [])


async def test_who_leaves_and_comes_back_unlisted_is_not_named_by_what_was_known(node, store, variants):
    listed(store, CARLA)
    game, white, _ = await node.pair(variants)
    (carla,) = await watch(node, game, CARLA)
    assert await told(white, node) == (1, ["Carla"])
    carla.close()
    assert await told(white, node) == (0, [])
    await node.tick(ASK_AGAIN_MS)
    store.accounts.names.clear()
    await watch(node, game, CARLA)
    assert await told(white, node) == (1, [])


async def test_a_flood_of_watchers_is_told_of_in_few_and_short_messages(both, store, variants):
    here, _ = both
    crowd = [Player(f"id-{number}", f"Watcher{chr(97 + number % 26)}{chr(97 + number // 26)}") for number in range(300)]
    listed(store, *crowd)
    game, white, _ = await here.pair(variants)
    await told(white, *both)
    notices = []
    here.live.services.bus.tell = notices.append
    before, asked = len(white.all("crowd")), store.accounts.asked
    await watch(here, game, *crowd)
    number, names = await told(white, *both)
    assert (number, len(names)) == (300, MOST_NAMED)
    assert len(white.all("crowd")) - before <= 6
    assert store.accounts.asked - asked <= 3
    told_others = [one for one in notices if isinstance(one, SpectatorsOnNode)]
    assert len(told_others) <= 6
    assert (len(told_others[-1].named), len(told_others[-1].unnamed)) == (MOST_NAMED, MOST_TOLD)


async def test_the_watchers_of_a_process_that_is_gone_are_forgotten(both, store, variants):
    here, there = both
    listed(store, CARLA)
    game, white, _ = await here.pair(variants)
    await watch(there, game, CARLA)
    assert await told(white, *both) == (1, ["Carla"])
    here.clock.turn(HEARSAY_MS)
    here.rounds.in_memory(game).repeat_presence()
    assert await told(white, here) == (0, [])
    # What it repeats is heard again.
    there.rounds.in_memory(game).repeat_presence()
    assert await told(white, *both) == (1, ["Carla"])


async def test_a_seat_taken_is_no_spectator(node, store, variants):
    listed(store, WHITE, BLACK)
    _, white, _ = await node.pair(variants)
    assert await told(white, node) == (0, [])


async def test_a_player_who_only_wants_to_watch_is_refused_and_not_at_the_board(node, variants):
    game = await node.new_game(variants)
    white = Client(node, WHITE)
    white.send("hi", proto=1, game=game, watch=1)
    await node.tick()
    assert [message["refusal"] for message in white.read()] == ["plays_here"]
    assert node.rounds.in_memory(game).presence.here == ()
    (carla,) = await watch(node, game, CARLA)
    carla.send("hi", proto=1, game=game, watch=1)
    await node.tick()
    assert carla.read()[0]["t"] == "snapshot"
