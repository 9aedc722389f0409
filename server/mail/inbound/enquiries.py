"""Answers what can be asked by mail without a game: one's own games, and what everybody may see on the site.

Reads the store; writes nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, assert_never

from server.games.changes.takeback import position_after
from server.games.clocks.speed import RATED_SPEEDS, Speed
from server.games.state import Game
from server.mail.inbound.mail_report import (
    EnquiryResult,
    GamesOf,
    HelpOn,
    Leaders,
    MailReport,
    NotDone,
    OtherGame,
    OwnGames,
    RatingsOf,
    Sentence,
)
from server.mail.inbound.reading.command_words import command_words
from server.mail.inbound.reading.mail_commands import Enquiry, Help, History, ListGames, Ratings, ShowGame, Standings
from server.mail.inbound.reading.variants_named import VariantNames
from server.mail.inbound.worker import Worker
from server.realtime.play.round import Round
from server.realtime.play.rounds import Rounds
from server.storage.errors import Unreadable
from server.storage.protocols.accounts import Account
from server.storage.protocols.archive import Search
from server.storage.protocols.ratings import Category
from server.storage.stores import Store

SHOWN: Final = 20
"""Lines of each list."""


@dataclass(frozen=True, slots=True)
class Enquiries:
    """`now` gives ms. All methods raise NotDone and Unavailable."""

    rounds: Rounds
    names: VariantNames
    worker: Worker
    now: Callable[[], int]

    async def answer(self, command: Enquiry, asker: str, report: MailReport) -> None:
        """Tells `report` what the person `asker` (an id) wants to know."""
        if isinstance(command, ShowGame) and command.plies is not None:
            await self.show((await self._round(command.game)).game, command.plies, report)
        else:
            report.told.append(await self._told(command, asker))

    async def _told(self, command: Enquiry, asker: str) -> EnquiryResult:
        match command:
            case ListGames():
                return OwnGames(await self._store.running_of(asker))
            case Help(topic):
                return HelpOn(topic)
            case Standings(variant):
                return await self._leaders(variant)
            case Ratings(name):
                return await self._ratings(await self._account(name))
            case History(name):
                account = await self._account(name)
                found = await self._store.archive.page(Search(player=account.name, source="played"), SHOWN)
                return GamesOf(account.name, found.games)
            case ShowGame(game):
                return OtherGame((await self._round(game)).game)
            case _:
                assert_never(command)

    @property
    def _store(self) -> Store:
        return self.rounds.services.store

    async def _leaders(self, written: str) -> Leaders:
        kind, _, last = written.rpartition(" ")
        meant = command_words().get(last.lower())
        speed = next((one for one in RATED_SPEEDS if one == meant), None)
        variant, chess960 = self.names.find(kind if speed else written)
        category = Category(variant, chess960, speed or Speed.CORRESPONDENCE)
        now = self.now()
        found = await self._store.ratings.leaders(category, now, SHOWN)
        return Leaders(category, [(one.name, one.perf.rating.aged(now)) for one in found])

    async def _ratings(self, account: Account) -> RatingsOf:
        now = self.now()
        order = {speed: nth for nth, speed in enumerate(Speed)}
        perfs = sorted(
            (
                one
                for one in await self._store.ratings.perfs(account.user)
                if one.category.variant in self.names.variants
            ),
            key=lambda one: (one.category.variant, one.category.chess960, order[one.category.speed]),
        )
        return RatingsOf(account.name, [(one.category, one.rating.aged(now)) for one in perfs if one.rating.games])

    async def _account(self, name: str) -> Account:
        account = await self._store.accounts.find(name)
        if account is None:
            raise NotDone("nobody_of_that_name", name=name)
        return account

    async def _round(self, game: str) -> Round:
        try:
            found = await self.rounds.get(game)
        except Unreadable:
            found = None
        if found is None:
            raise NotDone("no_such_game", game=game)
        return found

    async def show(self, game: Game, plies: int, report: MailReport) -> None:
        """Shows the board of `game` after so many half-moves."""
        if plies > len(game.plies):
            raise NotDone("show_beyond", most=len(game.plies))
        shown = await self.worker.run(lambda: position_after(game, plies))
        report.boards.append((Sentence("mail_answers.shown", {"n": plies}), shown))
