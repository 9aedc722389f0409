"""A process in which White prepares an answer to each of Black's moves, until it is killed.

Arguments: a file of the embedded store or the address of a MongoDB server, and a word that begins its games' ids. It
names each game on standard output once that is stored.
"""

import asyncio
import os
import sys
from itertools import count
from random import Random

from server.games.clocks.time_control import TimeControl
from tests.support.games import moved
from tests.support.move_trees import prepared, random_lines
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.engines import store_at
from tests.support.storage.stored_games import game_called, stepped


async def play_on(store, prefix, table):
    random = Random(f"{prefix}{table}")
    for number in count():
        days = TimeControl.correspondence(3)
        game = game_called(f"{prefix}-{table}-{number}", control=days, variant=random.choice(sorted(VARIANTS)))
        game = stepped(game, random.randrange(1000))
        await store.create(game)
        os.write(1, f"{game.id}\n".encode())
        while game.outcome is None and len(game.plies) < 40:
            lines = random_lines(game.position, random, most=3, depth=4)
            if not lines:
                break
            ready = prepared(game, *lines)
            await store.save(game, ready)
            game = moved(ready, lines[0][0])
            await store.save(ready, game)


async def main():
    place, prefix = sys.argv[1:]
    store = await store_at(place)
    await asyncio.gather(*(play_on(store, prefix, table) for table in range(4)))


asyncio.run(main())
