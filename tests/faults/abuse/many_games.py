"""Somebody with as many games as anybody may have, with several browsers and by mail: stored before it is served.

Within the limits it takes ten minutes to come by so many games; the attack begins when they are there. Knows no attack.
"""

import asyncio
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from server.backends import open_store_of_site
from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.state import Game
from server.mail.inbound.addresses import PersonalAddresses, ReplyAddresses, token_for
from server.realtime.runtime.ids import digest
from server.rules.variant.pieces import Color
from server.settings import Settings
from server.storage.stores import Store
from server.storage.tables.accounts import Account, Session, User
from server.storage.tables.addresses import MailAddress
from server.web.accounts.accounts import browser_token, network_mark
from server.web.accounts.credentials import hash_password
from server.web.games.your_games import MAX_AT_ONCE
from tests.support.games import live_game, moved
from tests.support.rules.built_in import VARIANTS

BROWSERS = 5
PLAYER = Player("manygames", "Manygames")
PASSWORD, NETWORK, BOX = "a long password", "203.0.113.7", "manygames@example.org"
DOMAIN = "play.example.org"


@dataclass(frozen=True, slots=True)
class Owner:
    """What opens the session of each of the person's browsers, and what is known of them before they sign in.

    `browser`: the token that a browser of theirs keeps when they are signed out. `mailboxes`: where they may write to
    the site, and where its mail server hands mails over at `mail_port`, 0 for nowhere.
    """

    sessions: Sequence[str] = ("nobody",)
    browser: str = ""
    mailboxes: Sequence[str] = ("postmaster@" + DOMAIN,)
    mail_port: int = 0

    @property
    def cookies(self) -> list[str]:
        """One for each browser in which they are signed in."""
        return [f"__Host-sid={token}" for token in self.sessions]


async def somebody_with_many_games(data: Path, mail_port: int) -> Owner:
    """Makes a store with their games in the folder `data`, for a site that takes mail at `mail_port`."""
    store = await open_store_of_site(Settings(data_dir=data), VARIANTS)
    try:
        game = replace(moved(live_game(control=TimeControl.unlimited()), "e2e4 e7e5"), white=PLAYER)
        games = [replace(game, id=f"many{number:06}") for number in range(MAX_AT_ONCE)]
        await asyncio.gather(*map(store.create, games))
        sessions = await signed_in(store)
        key, now = await store.addresses.signing_key(), int(time.time() * 1000)
        mailboxes = await mailboxes_of(store, key, games, now)
        return Owner(sessions, browser_token(key, PLAYER.id, now), mailboxes, mail_port)
    finally:
        await store.close()


async def signed_in(store: Store) -> list[str]:
    """Registers the person and opens a session for each of their browsers."""
    now = int(time.time() * 1000)
    tokens = [secrets.token_urlsafe(32) for _ in range(BROWSERS)]
    guest, *sessions = (Session(digest(token), PLAYER.id, now, now) for token in ("", *tokens))
    await store.add_guest(User(PLAYER.id, "Guest", guest=True, created=now), guest)
    places = (network_mark(PLAYER.id, NETWORK),)
    account = Account(PLAYER.name.lower(), PLAYER.id, PLAYER.name, hash_password(PASSWORD), now, places=places)
    await store.accounts.register(account, sessions[0], guest.token_hash)
    for session in sessions[1:]:
        await store.accounts.sign_in(account, session, "")
    # The games have the name already; there is nothing to hand over.
    for merge in await store.accounts.merges():
        await store.accounts.end_merge(merge)
    return tokens


async def mailboxes_of(store: Store, key: bytes, games: Sequence[Game], now: int) -> list[str]:
    """Confirms the person's mail address at `now` (ms); returns where they write about each game, and to the site."""
    own = MailAddress(PLAYER.id, BOX, "en", added=now, confirmed=now)
    await store.addresses.add(own)
    about = ReplyAddresses(DOMAIN, key)
    seats = [about.write_address(token_for(game, Color.WHITE, BOX)) for game in games]
    return [*seats, PersonalAddresses(DOMAIN, key).write_address(PLAYER.name, own)]
