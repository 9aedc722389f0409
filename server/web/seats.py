"""Finds out who has a seat in a game in play, without trusting the caller or asking the store about every cookie.

Others behind the same address can use up its limit, but a player who lost the connection must be able to come back.
So a bounded number of recognised sessions is remembered. Any other cookie is looked up only within two small limits, as
anybody can make up a million cookies.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from aiohttp import web

from server.games.status import Status
from server.realtime.play.rounds import Rounds
from server.realtime.your_games import RunningGames
from server.storage.errors import StoreError
from server.web.budgets.buckets import MAX_KEYS
from server.web.budgets.callers import address_key
from server.web.budgets.limits import Limits
from server.web.session import Sessions

BELIEVED_MS: Final = 5_000
"""How long to assume that somebody without a seat still has none."""


@dataclass(slots=True)
class Sitting:
    """`game` is one in which `user` had a seat, "" for none; `at` (ms) is when that was looked up."""

    user: str
    game: str = ""
    at: int = 0


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats of recognised sessions. `now` gives ms since the epoch."""

    sessions: Sessions
    rounds: Rounds
    running: RunningGames
    limits: Limits
    now: Callable[[], int]
    known: OrderedDict[str, Sitting] = field(default_factory=OrderedDict)
    """By session, least recently used first."""

    def recognised(self, session: str, user: str) -> None:
        """Remembers that `session` belongs to `user`."""
        sitting = self.known.get(session)
        if sitting is None or sitting.user != user:
            self.known[session] = Sitting(user)
        self.known.move_to_end(session)
        if len(self.known) > MAX_KEYS:
            self.known.popitem(last=False)

    async def let_in(self, request: web.Request) -> bool:
        """Whether this request may exceed the limit of its address because its session has a seat in a game in play.
        Then it is charged to the session, and to all seats at the address together.
        """
        session = self.sessions.key_of(request)
        if session == "":
            return False
        try:
            seated = await self._known(session, request) and await self._sits(self.known[session])
        except StoreError:
            return False
        return seated and self._pays(session, address_key(request, self.sessions.settings))

    def _pays(self, session: str, address: str) -> bool:
        return self.limits.seated.take(session, self.now(), shared_by=address) == 0

    async def _known(self, session: str, request: web.Request) -> bool:
        if session not in self.known:
            now, address = self.now(), address_key(request, self.sessions.settings)
            if self.limits.recognising.take(address, now) or self.limits.recognising_in_all.take(address, now):
                return False
            visitor = await self.sessions.find(request)
            if visitor is None:
                return False
            self.recognised(session, visitor.user.id)
        return session in self.known

    async def _sits(self, sitting: Sitting) -> bool:
        live = self.rounds.in_memory(sitting.game)
        if live is not None and live.game.status is Status.LIVE and live.game.color_of(sitting.user) is not None:
            return True
        if self.now() - sitting.at < BELIEVED_MS:
            return sitting.game != ""
        sitting.at = self.now()
        found = await self.running.games_of(sitting.user)
        sitting.game = next((game.id for game in found if game.status == Status.LIVE), "")
        return sitting.game != ""
