"""What other processes of the site have done: heard from the bus, and looked for in the store where a notice was lost.

A notice says only where something has changed; what that is, is read from the store.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final, assert_never

from server.realtime.cluster.bus import (
    Beat,
    BlocksChanged,
    ChallengeMade,
    ChapterStored,
    ChatPosted,
    Deleted,
    GameStored,
    MessageLeft,
    Missed,
    NeverBegan,
    NoShow,
    Notice,
    PeopleInStudy,
    PeopleInTournament,
    PeopleOnNode,
    PresenceChanged,
    RematchOffered,
    RematchShown,
    SanctionsChanged,
    SeeksChanged,
    SessionsEnded,
    SpectatorsOnNode,
    StudyStored,
    TournamentChanged,
    TournamentSoon,
    TurnPassed,
    WouldMeetAgain,
)
from server.realtime.lobby import Lobby
from server.realtime.play.command_queue import Busy
from server.realtime.play.round import Round
from server.realtime.play.round_changes import count_aborts
from server.realtime.play.rounds import Rounds
from server.realtime.services.sanctions import SanctionWatch
from server.realtime.services.ties import Ties
from server.realtime.shared import ALIVE_MS, Services
from server.realtime.studies import StudyPages
from server.realtime.tournaments import Tournaments
from server.realtime.your_games import OpenPages, RunningGames
from server.storage.errors import StoreError
from server.storage.stores import ChatLine

log = logging.getLogger(__name__)

LATELY_MS: Final = 30_000
"""Chat is stored at most this long after it was written; a node that stalled longer has told nobody of it."""


class OtherProcesses:
    """`sessions_ended` is called with the sessions that another process has ended."""

    def __init__(
        self,
        services: Services,
        rounds: Rounds,
        lobby: Lobby,
        running_games: RunningGames,
        ties: Ties,
        pages: OpenPages,
        studies: StudyPages,
        tournaments: Tournaments,
        sanctions: SanctionWatch,
    ) -> None:
        self._services = services
        self._rounds = rounds
        self._lobby = lobby
        self._running_games = running_games
        self._ties = ties
        self._pages = pages
        self._studies = studies
        self._tournaments = tournaments
        self._sanctions = sanctions
        self.sessions_ended: Callable[[SessionsEnded], None] | None = None

    def hear_notice(self, notice: Notice) -> None:
        """Handles a notice of another process. One about a game matters if that game is followed here."""
        match notice:
            case GameStored(game, rev, players):
                self._running_games.drop_lists(players)
                one = self._rounds.in_memory(game)
                if one is None:
                    self.try_to(f"game {game}", self._lobby.games.hear_stored_game(notice))
                elif one.game.rev < rev:
                    self.try_to(f"game {game}", one.refresh())
            case PresenceChanged(game, color, state):
                self._services.boards_elsewhere.hear_presence(game, color, state, self._services.now())
                one = self._rounds.in_memory(game)
                if one is not None:
                    one.hear_presence(notice)
            case SpectatorsOnNode(game):
                one = self._rounds.in_memory(game)
                if one is not None:
                    one.feed.hear_spectators(notice)
            case ChatPosted(game):
                one = self._rounds.in_memory(game)
                if one is not None:
                    self.try_to(f"what was said in game {game}", one.fetch_chat())
            case Deleted():
                self._rounds.forget(notice)
            case ChallengeMade() | MessageLeft() | RematchOffered() | RematchShown() | TurnPassed() | TournamentSoon():
                self._pages.show_notice(notice)
            case StudyStored() | ChapterStored() | PeopleInStudy():
                self._studies.hear(notice)
            case TournamentChanged() | PeopleInTournament() | WouldMeetAgain():
                self._tournaments.hear(notice)
            case NeverBegan():
                count_aborts(self._services, notice)
            case NoShow():
                self._lobby.report_no_show(notice)
            case _:
                self._hear_of_site(notice)

    def _hear_of_site(
        self, notice: SeeksChanged | PeopleOnNode | BlocksChanged | SanctionsChanged | SessionsEnded | Beat
    ) -> None:
        match notice:
            case SeeksChanged():
                self.try_to("the open seeks", self._lobby.refresh_seeks())
            case PeopleOnNode():
                self._lobby.online.hear_people(notice)
            case BlocksChanged(person):
                self.try_to("a block", self._ties.read_blocks_of(person))
            case SanctionsChanged():
                self.try_to("what the host has decided", self._sanctions.read_sanctions())
            case SessionsEnded():
                if self.sessions_ended is not None:
                    self.sessions_ended(notice)
            case Beat(node):
                self._services.hearing.hear_beat(node, self._services.now())
            case _:
                assert_never(notice)

    def resync(self, missed: Missed) -> None:
        """Looks again at everything of which notices may have been lost."""
        if missed.games:
            self.try_to("games that are followed", self._make_up_for_lost_notices(missed.games))
        if missed.people:
            self.try_to("the games of people here", self._lobby.games.catch_up(missed.people))
        if missed.studies:
            self._studies.catch_up(missed.studies)
        if missed.rest:
            self._tournaments.catch_up()
            self.try_to("the open seeks", self._lobby.refresh_seeks())
            self.try_to("all blocks", self._ties.catch_up())
            self.try_to("what the host has decided", self._sanctions.read_sanctions())

    async def look(self) -> None:
        """Shows what others have stored in games that are followed here, if there are others. Raises Unavailable."""
        if not self._services.alone:
            await self._make_up_for_lost_notices()

    async def keep_in_touch(self) -> None:
        """Says again who is here, and looks again at the seeks: what was told may have been lost without a sign. Notes
        which processes there are. Raises Unavailable.
        """
        if self._services.bus.alone:
            return
        self._lobby.online.tell_people_here()
        self._studies.catch_up()
        await self._rounds.do_in_each(Round.repeat_presence)
        self._services.hearing.alive = await self._services.store.nodes_alive(self._services.now() - ALIVE_MS)
        await self._lobby.refresh_seeks()

    async def _make_up_for_lost_notices(self, games: Iterable[str] | None = None) -> None:
        """Shows what other processes have stored in these games, as far as they are followed here; None: in any.

        Raises Unavailable.
        """
        followed = self._rounds if games is None else filter(None, map(self._rounds.in_memory, games))
        rounds = {one.game.id: one for one in followed}
        if not rounds:
            return
        progress = await self._services.store.progress(tuple(rounds), self._services.now() - LATELY_MS)
        # A game without a revision may be deleted or damaged: refreshing it tells.
        moved = [one for game, one in rounds.items() if one.game.rev < progress.revs.get(game, one.game.rev + 1)]
        await asyncio.gather(*(self._tried(f"game {one.game.id}", one.refresh()) for one in moved))
        said: dict[str, list[ChatLine]] = defaultdict(list)
        for line in progress.said:
            said[line.game].append(line)
        for game, lines in said.items():
            rounds[game].feed.catch_up_chat(lines)

    def try_to(self, what: str, look: Coroutine[Any, Any, None]) -> None:
        """Looks at `what` another process has changed. If that fails, a regular look makes up for it."""
        self._services.background.spawn(self._tried(what, look))

    async def _tried(self, what: str, look: Coroutine[Any, Any, None]) -> None:
        try:
            await look
        except (Busy, StoreError, TimeoutError) as error:
            log.info("%s could not be looked at: %s", what, error)
