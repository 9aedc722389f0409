"""A process that ends rated games in a store and counts them, as a server does, until it is killed.

Arguments: a file of the embedded store or the address of a MongoDB server, and a word that begins its games' ids.
"""

import asyncio
import os
import sys
from random import Random

from tests.support.games import START
from tests.support.storage.engines import store_at
from tests.support.storage.rated_games import ANNA, BERTA, CARL, DORA, DRAW, LOSS, WIN, played

PLAYERS = (ANNA, BERTA, CARL, DORA)


async def play_on(store, prefix, table):
    random = Random(f"{prefix}{table}")
    number = 0
    while True:
        number += 1
        white, black = random.sample(PLAYERS, 2)
        await played(
            store, f"{prefix}-{table}-{number}", white, black, random.choice((WIN, DRAW, LOSS)), START + number
        )
        os.write(1, b".")
        for due in await store.ratings.uncounted(5):
            await store.ratings.count(due)


async def main():
    place, prefix = sys.argv[1:]
    store = await store_at(place)
    await asyncio.gather(*(play_on(store, prefix, table) for table in range(4)))


asyncio.run(main())
