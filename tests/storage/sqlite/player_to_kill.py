"""A process that plays games into a store and says on standard output what was acknowledged, until it is killed.

Arguments: the file of the store, and the seconds by which it says so too soon (0 for an honest one).
"""

import asyncio
import os
import secrets
import sys
from pathlib import Path
from random import Random

from server.storage.sqlite.store import SqliteStore
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.stored_games import game_called, stepped

GAMES_AT_ONCE = 20


def acknowledge(game):
    # One write of a short line to a pipe is whole or not at all.
    os.write(1, f"{game.id} {len(game.plies)} {game.plies[-1].uci}\n".encode())


async def play_on(store, too_soon):
    random = Random(secrets.randbits(64))
    while True:
        game = game_called(secrets.token_hex(5), variant=random.choice(sorted(VARIANTS)))
        await store.create(game)
        while game.outcome is None and len(game.plies) < 60:
            step = stepped(game, random.randrange(1000))
            if too_soon:
                acknowledge(step)
                await asyncio.sleep(too_soon)
            await store.save(game, step)
            game = step
            if not too_soon:
                acknowledge(game)


async def main():
    path, too_soon = sys.argv[1:]
    store = await SqliteStore.open(Path(path), VARIANTS)
    await asyncio.gather(*(play_on(store, float(too_soon)) for _ in range(GAMES_AT_ONCE)))


asyncio.run(main())
