"""Answers what can be asked by mail without a game: one's own games, and what everybody may see on the site.

Reads the store; writes nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, assert_never

from server.games.changes.beginning import player_for
from server.games.changes.offers import position_after
from server.games.clocks.time_control import RATED_SPEEDS, Speed
from server.games.state import Game
from server.mail.inbound.command_words import command_words
from server.mail.inbound.mail_commands import (
    Enquiry,
    Help,
    History,
    ListGames,
    ListSections,
    Ratings,
    ShowAll,
    ShowGame,
    ShowSection,
    Standings,
)
from server.mail.inbound.mail_report import (
    EnquiryResult,
    GamesInProgress,
    GamesOf,
    HelpOn,
    Leaders,
    MailReport,
    NotDone,
    OpenSections,
    OtherGame,
    OwnGames,
    RatingsOf,
    SectionTable,
    Sentence,
)
from server.mail.inbound.worker import MailWorker
from server.realtime.play.round import Round
from server.realtime.play.rounds import Rounds
from server.realtime.tournaments import Tournaments, TournamentView
from server.rules.variant.pieces import Color
from server.rules.variant.variant import Variant
from server.storage.errors import Unreadable
from server.storage.protocols.archive import Search
from server.storage.protocols.ratings import Category
from server.storage.stores import Store
from server.storage.tables.accounts import Account

SHOWN: Final = 20
"""Lines of each list."""
BOARDS: Final = 10
"""In one answer."""
NEAR: Final = 5
SHUFFLED: Final = "960"
LENGTH_OF_ID: Final = 10
AnsweredOnce = ListGames | Help | ShowGame | Standings | Ratings | History | ListSections | ShowSection
"""What one thing answers."""


@dataclass(frozen=True, slots=True)
class VariantNames:
    """`called`: what variants are called, by language and id."""

    variants: Mapping[str, Variant]
    called: Mapping[str, Mapping[str, str]]

    def find_variant(self, written: str) -> tuple[str, bool]:
        """The id, and whether the shuffled form is meant. Raises NotDone if there is none, with those that are near."""
        known = self._known()
        found = known.get(_plain(written))
        if found is None:
            near = get_close_matches(_plain(written), known, NEAR) or self.variants
            ids = dict.fromkeys(known[one][0] if one in known else one for one in near)
            raise NotDone("variant_unknown", variant=written[:40], near=", ".join(ids))
        return found

    def _known(self) -> dict[str, tuple[str, bool]]:
        known = {}
        for variant in self.variants.values():
            for name in (variant.id, *(names[variant.id] for names in self.called.values())):
                known[_plain(name)] = variant.id, False
                if variant.chess960:
                    known[_plain(name) + SHUFFLED] = variant.id, True
        return known


def _plain(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())


@dataclass(frozen=True, slots=True)
class Enquiries:
    """`now` gives ms. All methods raise NotDone and Unavailable."""

    rounds: Rounds
    tournaments: Tournaments
    names: VariantNames
    worker: MailWorker
    now: Callable[[], int]

    async def answer_enquiry(self, command: Enquiry, asker: str, report: MailReport) -> None:
        """Tells `report` what the person `asker` (an id) wants to know."""
        if isinstance(command, ShowGame) and command.plies is not None:
            await self.show_board((await self._round(command.game)).game, command.plies, report)
        elif isinstance(command, ShowAll):
            report.told.extend(await self._own_boards(asker))
        else:
            report.told.append(await self._told(command, asker))

    async def _own_boards(self, asker: str) -> Sequence[EnquiryResult]:
        """The most urgent games of `asker` on boards; and all of them in a list, if not all are shown."""
        running = await self._store.running_of(asker)
        boards: list[EnquiryResult] = []
        for one in running[:BOARDS]:
            # One that cannot be read, or has been deleted since, keeps no other out of sight.
            with suppress(NotDone):
                boards.append(await self._shown(one.id, asker))
        return boards if boards and len(boards) == len(running) else [OwnGames(running), *boards]

    async def _shown(self, game_id: str, asker: str) -> OtherGame:
        game = (await self._round(game_id)).game
        seats = ((color, player_for(game, color)) for color in Color)
        return OtherGame(game, next((color for color, player in seats if player and player.id == asker), None))

    async def _told(self, command: AnsweredOnce, asker: str) -> EnquiryResult:
        match command:
            case ListGames(""):
                return OwnGames(await self._store.running_of(asker))
            case ListGames(name):
                account = await self._account(name)
                running = [one for one in await self._store.running_of(account.user) if one.opponent is not None]
                return GamesInProgress(account.name, running[:SHOWN])
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
                return await self._shown(game, asker)
            case ListSections():
                listed = await self.tournaments.listed(SHOWN, asker)
                may_enter = [one for one in listed.sections if one.is_open_section and one.stage == 1]
                own = await self.tournaments.entered_sections(asker)
                return OpenSections([(one, listed.joined[one.id]) for one in may_enter], own)
            case ShowSection(section):
                view = await self.find_section(section)
                return SectionTable(view.tournament, view.sheets, bool(view.pairings))
            case _:
                assert_never(command)

    async def find_section(self, section: str) -> TournamentView:
        """The section with that id as it stands."""
        try:
            view = await self.tournaments.look(section)
        except (KeyError, Unreadable):
            raise NotDone("no_such_section", section=section) from None
        if not view.tournament.terms.size:
            raise NotDone("no_such_section", section=section)
        return view

    async def section_to_enter(self, wanted: str) -> str:
        """The id of the section that is meant: by its id, or the newest open one of a variant."""
        if len(wanted) == LENGTH_OF_ID and await self._store.tournaments.find_tournament(wanted) is not None:
            return wanted
        variant, chess960 = self.names.find_variant(wanted)
        wanted_terms = (variant, chess960)
        for one in (await self.tournaments.listed(SHOWN)).sections:
            may_enter = one.is_open_section and one.stage == 1
            if may_enter and (one.terms.variant, one.terms.chess960) == wanted_terms:
                return one.id
        raise NotDone("no_open_section", variant=wanted[:40])

    @property
    def _store(self) -> Store:
        return self.rounds.services.store

    async def _leaders(self, written: str) -> Leaders:
        kind, _, last = written.rpartition(" ")
        meant = command_words().get(last.lower())
        speed = next((one for one in RATED_SPEEDS if one == meant), None)
        variant, chess960 = self.names.find_variant(kind if speed else written)
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

    async def show_board(self, game: Game, plies: int, report: MailReport) -> None:
        """Shows the board of `game` after so many half-moves."""
        if plies > len(game.plies):
            raise NotDone("show_beyond", n=len(game.plies)) if game.plies else NotDone("show_none")
        shown = await self.worker.run(lambda: position_after(game, plies))
        report.boards.append((Sentence("mail_answers.shown", {"n": plies}), shown))
