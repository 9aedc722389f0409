"""Somebody with as many games as anybody may have, and with several browsers: put into the store before it is served.

Within the limits it takes ten minutes to come by so many games; the attack begins when they are there. Knows no attack.
"""

import asyncio
import secrets
import time
from dataclasses import replace
from pathlib import Path

from server.backends import open_store_of_site
from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.realtime.process.ids import digest
from server.settings import Settings
from server.storage.protocols.accounts import Account
from server.storage.protocols.people import Session, User
from server.storage.stores import Store
from server.web.lobby.your_games import MAX_AT_ONCE
from tests.support.games import live_game, moved
from tests.support.rules.built_in import VARIANTS

BROWSERS = 5
PLAYER = Player("manygames", "Manygames")


async def somebody_with_many_games(data: Path) -> list[str]:
    """Makes a store with their games in the folder `data`. Returns what opens the session of each of their browsers."""
    store = await open_store_of_site(Settings(data_dir=data), VARIANTS)
    try:
        game = replace(moved(live_game(control=TimeControl.unlimited()), "e2e4 e7e5"), white=PLAYER)
        named = (replace(game, id=f"many{number:06}") for number in range(MAX_AT_ONCE))
        await asyncio.gather(*map(store.create, named))
        return await signed_in(store)
    finally:
        await store.close()


async def signed_in(store: Store) -> list[str]:
    """Registers the person and opens a session for each of their browsers."""
    now = int(time.time() * 1000)
    tokens = [secrets.token_urlsafe(32) for _ in range(BROWSERS)]
    guest, *sessions = (Session(digest(token), PLAYER.id, now, now) for token in ("", *tokens))
    await store.add_guest(User(PLAYER.id, "Guest", guest=True, created=now), guest)
    account = Account(PLAYER.name.lower(), PLAYER.id, PLAYER.name, "no hash", now)
    await store.accounts.register(account, sessions[0], guest.token_hash)
    for session in sessions[1:]:
        await store.accounts.sign_in(account, session, "")
    # The games have the name already; there is nothing to hand over.
    for merge in await store.accounts.merges():
        await store.accounts.end_merge(merge)
    return tokens
