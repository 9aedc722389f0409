"""A process knows who is at a board on another one, also of games that it has not in memory."""

from server.realtime.cluster.bus import PresenceChanged
from server.realtime.cluster.presence import HEARSAY_MS, PresenceState
from server.rules.variant.pieces import Color
from tests.support.realtime.node import BLACK, WHITE

HERE, LEFT = PresenceState.HERE, PresenceState.LEFT


async def unloaded(nodes, clock, variants):
    """A process that does not follow the game, and the game's id."""
    here, there = nodes
    game = await there.new_game(variants)
    assert here.rounds.in_memory(game) is None
    return here, game


async def at_board(node, game):
    return [await node.rounds.is_at_board(game, player.id) for player in (WHITE, BLACK)]


async def test_what_another_process_says_counts_until_it_is_too_old(nodes, clock, variants):
    here, game = await unloaded(nodes, clock, variants)
    assert await at_board(here, game) == [False, False]
    assert here.rounds.in_memory(game) is None
    here.live.others.hear_notice(PresenceChanged(game, Color.BLACK, HERE))
    clock.turn(HEARSAY_MS - 1)
    assert await at_board(here, game) == [False, True]
    # The round that is in memory now forgets it like any other.
    clock.turn(1)
    here.rounds.in_memory(game).repeat_presence()
    assert await at_board(here, game) == [False, True], "silence says nothing as long as the bus is silent"
    here.live.services.hearing.hear_beat(here.live.services.hearing.node, clock())
    here.rounds.in_memory(game).repeat_presence()
    assert await at_board(here, game) == [False, False]


async def test_an_old_word_loads_nothing(nodes, clock, variants):
    here, game = await unloaded(nodes, clock, variants)
    here.live.others.hear_notice(PresenceChanged(game, Color.BLACK, HERE))
    clock.turn(HEARSAY_MS)
    assert await at_board(here, game) == [False, False]
    assert here.rounds.in_memory(game) is None


async def test_who_has_left_is_not_at_the_board(nodes, clock, variants):
    here, game = await unloaded(nodes, clock, variants)
    for state in (HERE, LEFT):
        here.live.others.hear_notice(PresenceChanged(game, Color.WHITE, state))
    assert await at_board(here, game) == [False, False]


async def test_what_is_not_repeated_takes_no_memory(nodes, clock, variants):
    here, _ = await unloaded(nodes, clock, variants)
    boards = here.live.services.boards_elsewhere
    for number in range(100):
        here.live.others.hear_notice(PresenceChanged(f"game{number}", Color.WHITE, HERE))
    assert len(boards._heard) == 100
    clock.turn(HEARSAY_MS)
    here.live.others.hear_notice(PresenceChanged("another", Color.WHITE, HERE))
    assert len(boards._heard) == 1


async def test_whoever_is_at_the_board_on_another_process_is_not_told_of_a_move_made_here(nodes, clock, variants):
    here, game = await unloaded(nodes, clock, variants)
    here.live.others.hear_notice(PresenceChanged(game, Color.BLACK, HERE))
    assert (await here.rounds.get(game)).presence.here == (Color.BLACK,)


async def test_only_a_player_of_the_game_is_at_its_board(node, variants):
    game, white, _ = await node.pair(variants)
    assert await at_board(node, game) == [True, True]
    assert not await node.rounds.is_at_board(game, "somebody-else")
    assert not await node.rounds.is_at_board("nogame", WHITE.id)
    white.close(bye=True)
    assert await at_board(node, game) == [False, True]
