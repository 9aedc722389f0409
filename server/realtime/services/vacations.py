"""People's vacations from their correspondence games, which all wait while somebody is away.

The record of a vacation decides, and is stored first; the games follow it, and go on by themselves when it is over.
Once a minute the few vacations that are under way, or ended a moment ago, are looked at: that makes up for what a
killed process left undone, for what a writer with an older record did, and for games that have begun since. So idle
games cost nothing. Every way in calls `go_away`, `come_back` and `allowance_of` of `Vacations`: pages, the API, mail.
Knows none of them.
"""

import asyncio
import logging
from collections.abc import Sequence
from datetime import date
from typing import Final

from server.games.changes.pausing import ComeBack, GoAway
from server.games.clocks.vacations import Allowance, NoVacation, Vacation, allowance, going_on, planned
from server.games.command import Command
from server.games.errors import GameDeleted, Refused
from server.games.status import Status
from server.realtime.play.command_queue import Busy
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.round import Round
from server.realtime.play.rounds import Rounds
from server.realtime.runtime.background import act_on_each
from server.storage.errors import Unavailable, Unreadable
from server.storage.running import RunningGame
from server.storage.tables.vacations import TakenVacation

log = logging.getLogger(__name__)

DAYS_A_YEAR: Final = 28
FOLLOW_EVERY_S: Final = 60.0
SETTLED_AFTER_MS: Final = 300_000
"""How long a vacation is still looked at after its end: by then, every writer that read the old record has written."""
AT_ONCE: Final = 8
TRIES: Final = 5
PAUSES_S: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Before another try where too many commands wait."""


class Vacations:
    """The vacations of everybody on this site, `days` of each calendar year; 0: nobody can go on one."""

    def __init__(self, rounds: Rounds, days: int) -> None:
        self._rounds = rounds
        self.days = days

    async def allowance_of(self, player_id: str) -> Allowance:
        """Until when somebody is away, and how many days they have left. Raises Unavailable."""
        return allowance(await self._taken(player_id), self.days, self._rounds.services.now())

    async def go_away(self, player_id: str, last: date) -> Vacation:
        """A player with an account is away from now through the day `last` (UTC), or changes that day.

        When it returns their correspondence games wait, or will within a minute. Doing it twice changes nothing. Raises
        NoVacation, which says what would be possible, and Unavailable.
        """
        if not self.days:
            raise NoVacation("vacation_off")
        for _ in range(TRIES):
            taken, now = await self._one_at_a_time(player_id), self._rounds.services.now()
            vacation = planned(taken, last, self.days, now)
            # A player who comes back and goes away again at the same instant has never been back.
            present = next((one for one in taken if one.began == vacation.began), None)
            if await self._stored(player_id, present, vacation):
                await self._follow(player_id)
                return vacation
        raise Unavailable("This vacation is changed elsewhere all the time.")

    async def come_back(self, player_id: str) -> None:
        """They are back, and their games go on; days that have not begun are not used up.

        Does nothing for somebody who is not away. Raises Unavailable.
        """
        for _ in range(TRIES):
            taken, now = await self._one_at_a_time(player_id), self._rounds.services.now()
            present = going_on(taken, now)
            if present is None or await self._stored(player_id, present, present.ended(now)):
                await self._follow(player_id)
                return
        raise Unavailable("This vacation is changed elsewhere all the time.")

    async def follow(self) -> None:
        """Makes all games follow the records that are not settled, and settles them. Raises Unavailable."""
        services = self._rounds.services
        records = await services.store.vacations.unsettled()

        async def settle(player_id: str) -> None:
            nothing_to_do = await self._follow(player_id)
            for record in records:
                over = record.vacation.until + SETTLED_AFTER_MS < services.now()
                if record.owner == player_id and over and nothing_to_do:
                    await services.store.vacations.settle(record)

        await act_on_each(dict.fromkeys(record.owner for record in records), settle, "the vacation of {}".format)

    async def _taken(self, player_id: str) -> Sequence[Vacation]:
        return [record.vacation for record in await self._rounds.services.store.vacations.of(player_id)]

    async def _one_at_a_time(self, player_id: str) -> Sequence[Vacation]:
        """All of theirs. Of several that go on, begun in two tabs at once, the first stays, and the others end."""
        now, store = self._rounds.services.now(), self._rounds.services.store.vacations
        taken = await self._taken(player_id)
        going = [one for one in taken if one.goes_on(now)]
        for one in going[1:]:
            await store.end(TakenVacation(player_id, one), one.ended(now).until)
        return taken if len(going) < 2 else await self._taken(player_id)

    async def _stored(self, player_id: str, present: Vacation | None, vacation: Vacation) -> bool:
        """Begins `vacation`, or gives the `present` one its end. False: something else was stored meanwhile."""
        store = self._rounds.services.store.vacations
        if present is None:
            return await store.begin(TakenVacation(player_id, vacation))
        return await store.end(TakenVacation(player_id, present), vacation.until)

    async def _follow(self, player_id: str) -> bool:
        """Makes the games of one person follow their record. Returns whether all did before. Raises Unavailable."""
        services = self._rounds.services
        present = going_on(await self._one_at_a_time(player_id), services.now())
        until = 0 if present is None else present.until
        games = [one for one in await services.store.running_of(player_id) if _differs(one, until)]
        limit = asyncio.Semaphore(AT_ONCE)

        async def tell(game: RunningGame) -> None:
            async with limit:
                await self._tell(game, until)

        await asyncio.gather(*map(tell, games))
        return not games

    async def _tell(self, game: RunningGame, until: int) -> None:
        services = self._rounds.services
        command = GoAway(game.color, until) if until else ComeBack(game.color)
        try:
            found = await self._rounds.get(game.id)
            if found is None:
                return
            if not services.alone:
                # What differs in the store may look right here, where nobody has heard of it yet.
                await found.refresh()
            await self._submit(found, command)
        except (Refused, GameDeleted, Unreadable) as error:
            log.info("game %s takes no notice of a vacation: %s", game.id, error)
        except (Busy, StorageDown, Unavailable) as error:
            log.info("game %s will hear of a vacation later: %s", game.id, error)

    async def _submit(self, found: Round, command: Command) -> None:
        """An opponent can keep a game busy, even in the last minute before a flag falls, so it is soon tried again."""
        services = self._rounds.services
        for pause in PAUSES_S:
            try:
                await found.submit(command, services.now(), patience_ms=0)
            except Busy:
                await services.sleep(pause)
            else:
                return
        await found.submit(command, services.now(), patience_ms=0)


def _differs(game: RunningGame, until: int) -> bool:
    """Is it a correspondence game in which its player should be away until then (ms; 0: not), and is not?"""
    return game.control.by_days and game.status != Status.OPEN and game.you_away != until
