"""The running of tournaments: who is present, who is paired when, which results count, and what their pages are told.

One process at a time pairs a tournament, by a lease (`storage.tables.tournaments`). A wave is stored before its games
are made, under ids that follow from their place, so whoever takes over after a crash makes the same games. The process
on which a game ends stores its result; what was missed is found by comparing, at each lease and once a minute, what is
under way with the games themselves. Present is whose page of the tournament answers, on whatever process, and for a
while who has just gone: phones go to sleep for a moment.

All that a process knows of a tournament (`Room`) is read from the store, and read again whenever something has changed.

A section of everyone against everyone is looked at when something has changed in it, and once a minute, in a loop of
its own (`tick_sections`): it lasts for months. Each step of it can be repeated: its games, the section that opens when
it has begun, those who withdraw, those who came too late for it, and where its winner goes on.
"""

import asyncio
import logging
import random
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from pydantic import TypeAdapter

from server.games.changes.beginning import new_game
from server.games.changes.ending import Abort, GoBerserk, Resign
from server.games.errors import GameDeleted, Gone, NotAllowed, Refused
from server.games.player import Player
from server.games.seeks import Seeker
from server.games.state import Game
from server.games.status import Status
from server.games.terms import Terms
from server.games.tournaments.formats import FORMATS
from server.games.tournaments.robin import winner_who_goes_on
from server.games.tournaments.tournament import (
    MINUTE_MS,
    Act,
    ActKind,
    BadTournament,
    Busy,
    Candidate,
    Correction,
    Entrant,
    Field,
    Format,
    GameResult,
    Manager,
    NotInTournament,
    Pairing,
    Placing,
    Sheet,
    Standing,
    Tournament,
    TournamentTerms,
    Wait,
    abandoned,
    announced,
    as_withdrawn,
    called_off,
    check_correction,
    check_open,
    check_organiser,
    check_terms,
    chosen_in_turn,
    corrected,
    did_not_come,
    finished,
    joined,
    kept_apart,
    next_section,
    not_joined,
    placings,
    result_of,
    result_without_game,
    round_called,
    settled,
    sheet_of,
    standing_in,
    stood_down,
    table_of,
    was_abandoned,
    withdrawn_early,
    without,
)
from server.realtime.cluster.bus import Deleted, PeopleInTournament, TournamentChanged, WouldMeetAgain
from server.realtime.moderation import Blocks, Playbans
from server.realtime.play.connection import POLICY
from server.realtime.play.creation import NewGames
from server.realtime.play.rounds import Rounds
from server.realtime.protocol.codec import encode
from server.realtime.protocol.feed import Subscriber, Subscribers
from server.realtime.protocol.tournament_messages import (
    Inbound,
    TournamentGone,
    TournamentHi,
    TournamentPaired,
    TournamentShown,
)
from server.realtime.runtime.background import SingleFlight
from server.realtime.runtime.ids import game_of_board, tournament_of_key, tournament_of_section
from server.realtime.shared import GameObserver, Services
from server.rules.errors import InvalidFen
from server.rules.notation.fen import format_fen, shuffled_fen, start_position
from server.rules.sliced_work import SlicedWork
from server.rules.variant.variant import Variant
from server.storage.errors import StoreError, Unavailable, Unreadable
from server.storage.protocols.ratings import Category
from server.storage.time_slices import run_sliced

log = logging.getLogger(__name__)

TICK_EVERY_S: Final = 1.0
LEASE_MS: Final = 5_000
GRACE_MS: Final = 15_000
"""How long somebody is still present whose page has gone."""
HEARSAY_MS: Final = 25_000
TELL_EVERY_MS: Final = 5_000
LOOK_EVERY_MS: Final = 5_000
"""How often a tournament is read again that is played or looked at: an account may be deleted, or a notice lost."""
COMPARE_EVERY_MS: Final = 60_000
SECTIONS_EVERY_MS: Final = 60_000
COMPARE_SECTIONS_MS: Final = 10 * MINUTE_MS
"""How often the sections are looked at in which nothing is known to have changed, and how often their games."""
TRIES: Final = 5
FRESH_MS: Final = 20_000
"""A page that comes so soon after its reader was paired leads them to the board: they may not know of it."""
VIEW_MS: Final = 1_000
"""How long one view of a tournament is shown to all who ask, if nothing but time has passed."""
NEXT_MS: Final = 5_000
"""How long the front page shows the same tournament as the next one, without another look at the store."""
MOST_COMPARED: Final = 20
"""Of those that are played, and those that come, so many are looked at for the front page."""
MOST_READ: Final = 100
"""Of each part of the list so many are read, from which those that are shown are chosen."""
SOON_MS: Final = 24 * 60 * MINUTE_MS
"""A tournament that begins later than this is not yet on the front page."""
KEPT_MS: Final = 10 * MINUTE_MS
MOST_ROOMS: Final = 200
"""Tournaments that nobody plays or follows are kept in memory so long, and so many of them at most."""
MOST_AT_ONCE: Final = 200
"""Tournaments that are looked at in one second; where more are played, each has its turn."""
MOST_SECTIONS: Final = 50
"""The same of sections, in which a few seconds mean little."""
AT_ONCE: Final = 8
"""Games of a wave that are made together, by one commit of the store: more would hold up the moves of others."""


@dataclass(frozen=True, slots=True)
class TournamentView:
    """A tournament as it stands. `sheets`: the table; `under_way`: what is played; `field`: who is present.

    By person (an id): `places`, from 0, `playing`, and who is `waiting`. By game (an id): `pairings` and `results`,
    which grow while it is played. `acts`: what its organisers have done, in order.
    """

    tournament: Tournament
    entrants: Mapping[str, Entrant]
    sheets: Sequence[Sheet]
    under_way: Sequence[Pairing]
    field: Field
    rev: int
    places: Mapping[str, int]
    playing: Mapping[str, Pairing]
    waiting: Set[str]
    pairings: Mapping[str, Pairing]
    results: Mapping[str, GameResult]
    acts: Sequence[Act]

    def wait_of(self, person: str, now: int) -> Wait:
        """Why somebody who has joined and plays nothing waits."""
        return format_of(self.tournament).why_waiting(self.tournament, self.field, person, now)

    def ends_games_of(self, person: str) -> bool:
        """Do games end if somebody (an id) leaves: is it a section that has begun, in which they are?"""
        entrant = self.entrants.get(person)
        is_in = entrant is not None and not entrant.has_withdrawn
        return is_in and self.tournament.terms.size > 0 and bool(self.pairings)


@dataclass(frozen=True, slots=True)
class ListedTournaments:
    """What is played, what comes and what was played last, and the `sections` that are open or played by
    correspondence. `joined`: how many take part, of those that are not over; `mine`: in which of them the reader does.
    """

    running: Sequence[Tournament]
    coming: Sequence[Tournament]
    finished: Sequence[Tournament]
    joined: Mapping[str, int]
    mine: Set[str]
    sections: Sequence[Tournament] = ()


@dataclass(frozen=True, slots=True)
class NextTournament:
    """The one that is played, or begins next. `joined`: how many take part."""

    tournament: Tournament
    joined: int
    runs: bool


@dataclass(eq=False, slots=True)
class Room:
    """What this process knows of one tournament. `rev` rises with each change here; `told`: what the pages know.

    `term`, `leased`: the number of the lease that this process has, 0 for none, and until when. `since`: by person,
    since when they have been present; `seen`: when last. `again`: who would meet their last opponent again, and since
    when. `open`: what has been paired and has no result, by game; `busy`: the same by person. `untold`: what is paired,
    and pages here may not know. `shown_fold`: of the folds of the table that were begun, the number of the latest that
    was finished. `looked_at`: the revision of each open game that was found unfinished.
    """

    tournament: Tournament
    entrants: dict[str, Entrant] = field(default_factory=dict)
    pairings: dict[str, Pairing] = field(default_factory=dict)
    results: dict[str, GameResult] = field(default_factory=dict)
    open: dict[str, Pairing] = field(default_factory=dict)
    busy: dict[str, Pairing] = field(default_factory=dict)
    untold: dict[str, Pairing] = field(default_factory=dict)
    acts: Sequence[Act] = ()
    corrections: dict[str, Correction] = field(default_factory=dict)
    played: dict[str, list[GameResult]] = field(default_factory=dict)
    sheet_of: dict[str, Sheet] = field(default_factory=dict)
    sheets: Sequence[Sheet] = ()
    begun_folds: int = 0
    shown_fold: int = 0
    pages: Subscribers = field(default_factory=Subscribers)
    elsewhere: dict[str, tuple[Set[str], int]] = field(default_factory=dict)
    since: dict[str, int] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    again: dict[str, int] = field(default_factory=dict)
    term: int = 0
    leased: int = 0
    rev: int = 0
    told: int = 0
    people_told_at: int = 0
    people_changed: bool = False
    used_at: int = 0
    read_at: int = 0
    compared_at: int = 0
    looked_at: dict[str, int] = field(default_factory=dict)
    stale: bool = True
    view: TournamentView | None = None
    viewed_at: int = 0

    def fold(self, people: Iterable[str] | None = None) -> SlicedWork[None]:
        """Makes the table anew, as something has changed for these people (ids); None: for all.

        A fold of all takes a third of a second for a thousand people, that of two no time. Each sheet is made of what
        is known then, so whatever comes between two slices is in the table of whoever brings it.
        """
        format = format_of(self.tournament)
        # Whoever withdraws from a section changes what others have.
        everybody = people is None or self.is_section
        early = withdrawn_early(self.tournament, self.entrants, self.played)
        for person in tuple(self.entrants if everybody or people is None else people):
            if (entrant := self.entrants.get(person)) is not None:
                mine = without(early, self.played.get(person, ()))
                self.sheet_of[person] = sheet_of(format, self.tournament, entrant, mine, self.entrants)
                yield
        self.begun_folds += 1
        number = self.begun_folds
        sheets = yield from table_of(format, self.tournament, tuple(self.sheet_of.values()))
        # One that began later knows more.
        if number > self.shown_fold:
            self.sheets, self.shown_fold = sheets, number
        self.rev += 1

    @property
    def is_section(self) -> bool:
        """Is it one of everyone against everyone, by correspondence?"""
        return self.tournament.terms.size > 0

    def add_pairings(self, pairings: Iterable[Pairing]) -> Set[str]:
        """Takes pairings that are stored and have no result here, and returns who has no game by them (ids)."""
        free = set()
        for one in pairings:
            self.pairings[one.game] = one
            if one.is_game:
                self.open[one.game] = one
                self.busy[one.white] = self.busy[one.black] = one
            else:
                free.add(one.white)
                self.played.setdefault(one.white, []).append(result_without_game(one))
        return free

    def keep_entrants(self, entrants: Iterable[Entrant]) -> Set[str]:
        """Takes what entrants have said, unless they have said something later, and returns whom that changes (ids)."""
        after, changed = dict(self.entrants), set()
        for one in entrants:
            before = after.get(one.person.id)
            if before != one and (before is None or one.at >= before.at):
                after[one.person.id] = one
                changed.add(one.person.id)
        self.entrants = after
        return changed

    def keep_acts(self, acts: Sequence[Act]) -> Set[str]:
        """Takes what organisers have done, and returns whose results that changes (ids)."""
        people: set[str] = set()
        if len(acts) < len(self.acts):
            return people
        # Whoever has done them may be called otherwise since.
        self.acts = acts
        said = sorted((one for one in acts if one.kind is ActKind.RESULT), key=lambda one: one.number)
        self.corrections = {one.about: Correction(one.said) for one in said}
        for game, correction in self.corrections.items():
            before = self.results.get(game)
            if before is None or (after := corrected(before, correction)) == before:
                continue
            self.results[game] = after
            for person in (after.pairing.white, after.pairing.black):
                self.played[person] = [after if one.pairing.game == game else one for one in self.played[person]]
                people.add(person)
        return people

    def add_results(self, results: Iterable[GameResult]) -> Set[str]:
        """Takes results that are stored, and returns whom the new ones are of (ids)."""
        people: set[str] = set()
        for result in results:
            pairing = result.pairing
            if pairing.game not in self.results:
                if (correction := self.corrections.get(pairing.game)) is not None:
                    result = corrected(result, correction)
                self.results[pairing.game] = result
                self.open.pop(pairing.game, None)
                for person in (pairing.white, pairing.black):
                    if self.busy.get(person) == pairing:
                        del self.busy[person]
                people.update((pairing.white, pairing.black))
                for person in (pairing.white, pairing.black):
                    self.played.setdefault(person, []).append(result)
        return people

    def present(self, now: int) -> Set[str]:
        """Notes who is present now, and returns their ids."""
        here = {person for person in self.pages.people if self.pages.answers(person)}
        here.update(*(people for people, at in self.elsewhere.values() if now - at < HEARSAY_MS))
        for person in here:
            self.seen[person] = now
            self.since.setdefault(person, now)
        for person in [one for one, at in self.seen.items() if now - at > GRACE_MS]:
            del self.seen[person]
            self.since.pop(person, None)
        return self.seen.keys()

    def field_at(self, now: int, blocks: Blocks, playbans: Playbans) -> Field:
        """Who can be paired, and who plays: of those present, or, where all play in rounds, of all."""
        present, playing, in_rounds = self.present(now), self.busy, format_of(self.tournament).in_rounds
        last = max(self.pairings.values(), key=lambda one: one.wave, default=None)
        wave, at = (0, 0) if last is None else (last.wave, last.at)
        waiting, busy, banned = [], [], set()
        grouped = kept_apart(self.tournament.terms, self.entrants)
        for place, sheet in enumerate(self.sheets, 1):
            person = sheet.person
            is_in = standing_in(self.tournament, sheet.entrant, at) is Standing.IN
            if not is_in or (person not in present and not in_rounds):
                continue
            if person in playing:
                busy.append(Busy(person, place, max(now, playing[person].at + self.tournament.terms.game_ms)))
            elif did_not_come(sheet):
                continue
            elif playbans.is_banned(sheet.entrant.person, now):
                banned.add(person)
            else:
                waiting.append(
                    self._candidate(sheet, place, now, blocks.apart_from(person) | grouped.get(person, frozenset()))
                )
        ended = max((one.ended for one in self.results.values() if one.pairing.wave == wave), default=at)
        return Field(tuple(waiting), tuple(busy), banned, self.sheets, len(self.open), wave, at, ended)

    def _candidate(self, sheet: Sheet, place: int, now: int, apart: Set[str]) -> Candidate:
        last = sheet.played[-1].ended if sheet.played else 0
        since = max(self.since.get(sheet.person, now), sheet.entrant.at, last, self.tournament.terms.starts)
        met = tuple((one.opponent, one.color) for one in sheet.played)
        again = self.again.get(sheet.person, -1) >= last > 0
        return Candidate(sheet.person, place, sheet.entrant.rating, since, met, again, apart)


def format_of(tournament: Tournament) -> Format:
    """How it is played."""
    return FORMATS[tournament.terms.format]


class Tournaments(GameObserver):
    """All tournaments, as far as this process runs them or has pages of them. A feed."""

    kinds: TypeAdapter[Inbound] = TypeAdapter(Inbound)

    def __init__(self, rounds: Rounds, variants: Mapping[str, Variant]) -> None:
        self._rounds = rounds
        self._services: Services = rounds.services
        self._variants = variants
        self._new_games = NewGames(rounds.services, variants)
        self._rooms: dict[str, Room] = {}
        self._room_of: dict[Subscriber, str] = {}
        self._loading: SingleFlight[Room | None] = SingleFlight()
        self._reading: SingleFlight[None] = SingleFlight()
        self._late: list[tuple[Subscriber, str]] = []
        self._next: NextTournament | None = None
        self._next_at = -NEXT_MS
        self._looked_at = 0
        self._sections_due: dict[str, None] = {}
        """Sections in which something has changed, and below all that have not had their turn, in order."""
        self._sections_left: dict[str, None] = {}
        self._sections_at = -SECTIONS_EVERY_MS

    # --- what people ask for ----------------------------------------------------------------------------------------

    async def announce(self, organiser: Player, terms: TournamentTerms, key: str) -> Tournament:
        """Announces a tournament; with the same `key` of the same person it is the same one.

        Raises BadClock, InvalidFen, NotAllowed, Unavailable, Unreadable.
        """
        self._services.sanctions.check_speech(organiser.id, "", self._services.now())
        self._services.sanctions.check_text(terms.name)
        id = tournament_of_key(await self._services.store.addresses.signing_key(), organiser.id, key)
        if (before := await self._services.store.tournaments.find_tournament(id)) is not None:
            return before
        now = self._services.now()
        check_terms(terms, now)
        if terms.format not in FORMATS or terms.variant not in self._services.house.offered(self._variants):
            raise BadTournament("tournament_variant")
        made = announced(id, organiser, terms, now)
        new_game("", _game_terms(terms, self._variants[terms.variant]), now, organiser, Player("-", "-"))
        await self._services.store.tournaments.announce_tournament(made)
        return made

    async def sections_of(self, tournament: Tournament) -> Sequence[Tournament]:
        """All sections that belong together with this one, by stage and number. Raises Unavailable."""
        return await self._services.store.tournaments.sections_of(tournament.event)

    async def join(self, tournament: str, seeker: Seeker) -> Entrant:
        """Enters somebody, or lets them go on. Raises KeyError for no such tournament, NotAllowed, Playbanned,
        RegisteredOnly, Unavailable.
        """
        room = await self._found(tournament)
        terms, person = room.tournament.terms, seeker.player
        if person.id in self._services.bots:
            raise NotInTournament("tournament_bots")
        self._services.sanctions.check_tournaments(person.id, self._services.now())
        if terms.rated:
            self._services.sanctions.check_rated(person.id, self._services.now())
        self._services.playbans.check(person, self._services.now())
        category = Category.of(_game_terms(terms, self._variants[terms.variant]))
        rating = (await self._services.store.ratings.perf(person.id, category)).rating
        for _ in range(TRIES):
            now = self._services.now()
            before = await self._services.store.tournaments.find_entrant(tournament, person.id)
            if before is not None and before.standing is Standing.IN and not self._has_missed(room, before):
                return before
            begun = max((one.wave for one in room.pairings.values()), default=0)
            after = joined(
                await self._stored(tournament), before, seeker, rating.rounded, rating.provisional, now, begun
            )
            if await self._services.store.tournaments.keep_entrant(tournament, before, after):
                await self._show_entrant(room, after)
                return after
        raise NotAllowed("not_saved")

    def _has_missed(self, room: Room, entrant: Entrant) -> bool:
        sheet = room.sheet_of.get(entrant.person.id)
        return sheet is not None and did_not_come(replace(sheet, entrant=entrant))

    async def stand_down(self, tournament: str, person: str, standing: Standing) -> None:
        """Has somebody (an id) rest or leave; repeating it changes nothing.

        Raises KeyError, NotAllowed, also once it is over, and Unavailable.
        """
        room = await self._found(tournament)
        for _ in range(TRIES):
            before = await self._services.store.tournaments.find_entrant(tournament, person)
            if before is None:
                raise not_joined()
            if room.is_section and standing is Standing.PAUSED:
                raise NotInTournament("section_no_pause")
            round_at = max((one.at for one in room.pairings.values()), default=0)
            if standing_in(room.tournament, before, round_at) is standing:
                return
            check_open(await self._stored(tournament), self._services.now())
            after = stood_down(before, standing, self._services.now())
            if await self._services.store.tournaments.keep_entrant(tournament, before, after):
                await self._show_entrant(room, after)
                return
        raise NotAllowed("not_saved")

    async def _show_entrant(self, room: Room, entrant: Entrant) -> None:
        """This process has stored what somebody has said."""
        if changed := room.keep_entrants([entrant]):
            await run_sliced(room.fold(changed))
        self._tell_changed(room.tournament.id)

    async def take_out(self, tournament: str, by: Manager, person: str) -> None:
        """The organiser takes somebody (an id) out for good. Raises as `stand_down`."""
        check_organiser((await self._found(tournament)).tournament, by)
        await self.stand_down(tournament, person, Standing.OUT)
        await self._note_act(tournament, ActKind.OUT, by, person)

    async def _note_act(self, tournament: str, kind: ActKind, by: Manager, about: str = "") -> None:
        """Notes what was done. After a crash whoever does it once more notes it."""
        act = Act(kind, about, by.person, self._services.now())
        if await self._services.store.tournaments.add_act(tournament, act):
            self._note_changed(tournament)

    async def correct_result(self, tournament: str, by: Manager, game: str, correction: Correction) -> None:
        """The organiser corrects the result of a game (an id) that is over. Repeating it changes nothing.

        Raises KeyError, NotAllowed, Unavailable, Unreadable.
        """
        room = await self._found(tournament)
        for _ in range(TRIES):
            await self._read(room)
            check_organiser(room.tournament, by)
            check_correction(room.tournament, self._services.now())
            if not room.tournament.terms.rounds:
                raise NotInTournament("no_rounds")
            before = room.results.get(game)
            if before is None:
                raise NotInTournament("tournament_no_result")
            if corrected(before, correction) == before:
                return
            number = 1 + sum(one.about == game for one in room.acts)
            act = Act(ActKind.RESULT, game, by.person, self._services.now(), number, correction.value)
            if await self._services.store.tournaments.add_act(tournament, act):
                self._note_changed(tournament)
        raise NotAllowed("not_saved")

    async def call_off(self, tournament: str, by: Manager) -> None:
        """The organiser ends it. Repeating it changes nothing. Raises KeyError, NotAllowed, Unavailable."""
        for _ in range(TRIES):
            found = await self._stored(tournament)
            check_organiser(found, by)
            if was_abandoned(found):
                return
            if found.called_off or await self._services.store.tournaments.change_tournament(
                called_off(found, self._services.now())
            ):
                self._note_changed(tournament)
                await self._note_act(tournament, ActKind.END, by)
                return
        raise NotAllowed("not_saved")

    async def begin_round(self, tournament: str, by: Manager, number: int) -> None:
        """The organiser begins that round. Repeating it changes nothing.

        Raises KeyError, NotAllowed, Unavailable.
        """
        room = await self._found(tournament)
        for _ in range(TRIES):
            found = await self._stored(tournament)
            check_organiser(found, by)
            if found.called >= number:
                # Of the latest one a crash may have left out the note; no first round is begun by hand.
                if found.called == number > 1:
                    await self._note_act(tournament, ActKind.ROUND, by, str(number))
                return
            if number != self._field_at(room, self._services.now()).round + 1 or room.open:
                raise NotInTournament("tournament_no_round")
            if await self._services.store.tournaments.change_tournament(round_called(found, number)):
                self._note_changed(tournament)
                await self._note_act(tournament, ActKind.ROUND, by, str(number))
                return
        raise NotAllowed("not_saved")

    async def meet_again(self, tournament: str, person: str) -> None:
        """Somebody would play their last opponent once more: the process that pairs has to know.

        Raises KeyError, NotInTournament, Unavailable.
        """
        room = await self._found(tournament)
        if await self._services.store.tournaments.find_entrant(tournament, person) is None:
            raise not_joined()
        room.again[person] = self._services.now()
        self._services.bus.tell(WouldMeetAgain(tournament, person, room.again[person]))

    async def go_berserk(self, tournament: str, person: str) -> None:
        """Halves the clock of somebody in their game. Raises KeyError, Refused, Busy, Unavailable."""
        room = await self._found(tournament)
        mine = room.busy.get(person)
        if mine is None or not room.tournament.terms.can_go_berserk:
            raise NotAllowed("no_berserk")
        found = await self._rounds.get(mine.game)
        if found is None:
            raise GameDeleted
        await found.submit(GoBerserk(mine.color_of(person)), self._services.now())

    async def look(self, tournament: str) -> TournamentView:
        """The tournament as it stands. Raises KeyError, Unavailable, Unreadable."""
        room = await self._found(tournament)
        if self._is_due(room):
            await self._read(room)
        now, view = self._services.now(), room.view
        if view is None or view.rev != room.rev or not 0 <= now - room.viewed_at < VIEW_MS:
            field_now = self._field_at(room, now)
            room.viewed_at = now
            room.view = view = TournamentView(
                room.tournament,
                room.entrants,
                room.sheets,
                tuple(room.open.values()),
                field_now,
                room.rev,
                {one.person: at for at, one in enumerate(room.sheets)},
                dict(room.busy),
                frozenset(one.person for one in field_now.waiting),
                room.pairings,
                room.results,
                room.acts,
            )
        return view

    def _field_at(self, room: Room, now: int) -> Field:
        """Who can be paired: nobody about whom something was decided since they joined, or who has become a bot."""
        sanctions, bots, rated = self._services.sanctions, self._services.bots, room.tournament.terms.rated
        seen = room.field_at(now, self._services.blocks, self._services.playbans)
        may = tuple(
            one
            for one in seen.waiting
            if one.person not in bots and sanctions.may_be_paired(one.person, now, rated=rated)
        )
        return replace(seen, waiting=may)

    async def listed(self, limit: int, person: str = "") -> ListedTournaments:
        """At most `limit` of each part, as that person (an id, "" for nobody) sees them: all that everybody may be told
        of, and their own. Raises Unavailable.
        """
        kept, now = self._services.store.tournaments, self._services.now()
        parts = (
            await kept.begun(now, MOST_READ),
            await kept.coming(now, MOST_READ),
            await kept.finished(now + 1, MOST_READ),
            (*await kept.open_sections(MOST_READ), *await kept.begun_sections(MOST_READ)),
        )
        mine = await kept.joined_of(person, [one.id for part in parts for one in part]) if person else set()
        own = mine | {one.id for part in parts for one in part if person and one.organiser.id == person}

        def listed_of(part: Sequence[Tournament]) -> Sequence[Tournament]:
            may_be_told = [one for one in part if one.id in own or self._may_be_announced(one, now)]
            return chosen_in_turn([one for one in may_be_told if self._is_known(one)], limit, own)

        running, coming, over, sections = map(listed_of, parts)
        joined = {one.id: await kept.count_joined(one.id) for one in (*running, *coming, *sections)}
        return ListedTournaments(running, coming, over, joined, mine & joined.keys(), sections)

    async def placings_of(self, person: str, limit: int) -> Sequence[tuple[Tournament, Placing]]:
        """What somebody (an id) has come to in tournaments that everybody may be told of: of each format at most
        `limit`, the last one first. Raises Unavailable.
        """
        kept, now = self._services.store.tournaments, self._services.now()
        found = [one for name in FORMATS for one in await kept.placings_of(person, name, limit)]
        among = await kept.tournaments_among(frozenset(id for id, _ in found))
        # Places are stored before the end is: the organiser may have ended it in between.
        named = {one.id: one for one in among if one.over and not one.called_off}
        shown = [(named[id], placing) for id, placing in found if id in named]
        return [one for one in shown if self._is_known(one[0]) and self._may_be_announced(one[0], now)]

    async def entered_sections(self, person: str) -> Sequence[Tournament]:
        """All sections, open and begun, that somebody (an id) has entered: the open ones first, then the newest. Raises
        Unavailable.
        """
        kept = self._services.store.tournaments
        entered = frozenset(id for id, entrant in await kept.entries_of(person) if entrant.standing is Standing.IN)
        found = [one for one in await kept.tournaments_among(entered) if one.terms.size and not one.over]
        found.sort(key=lambda one: (one.called, -one.created, one.id))
        return [one for one in found if self._is_known(one)]

    async def next_up(self) -> NextTournament | None:
        """The one that everybody is told of: that most have joined of those that are played by two or more, else of
        those that begin soon. None as long as the store is silent, too.
        """
        now = self._services.now()
        if not 0 <= now - self._next_at < NEXT_MS:
            # Until it is known, all others are told what was.
            self._next_at = now
            try:
                self._next = await self._find_next(now)
            except StoreError as error:
                self._next = None
                log.warning("the next tournament is not known: %s", error)
        return self._next

    async def _find_next(self, now: int) -> NextTournament | None:
        kept = self._services.store.tournaments
        latest = (await kept.all_begun(now))[-MOST_READ:]
        running = await self._joined_in(await kept.tournaments_among(frozenset(latest)), now)
        if played := [one for one in running if one.joined >= 2]:
            return max(played, key=lambda one: (one.joined, one.tournament.terms.starts))
        soon = [one for one in await kept.coming(now, MOST_READ) if one.terms.starts < now + SOON_MS]
        coming = await self._joined_in(soon, now)
        return max(coming, key=lambda one: (one.joined, -one.tournament.terms.starts), default=None)

    async def _joined_in(self, tournaments: Iterable[Tournament], now: int) -> list[NextTournament]:
        """Those that everybody may be told of, with how many have joined each."""
        count = self._services.store.tournaments.count_joined
        shown = [one for one in tournaments if self._is_known(one) and self._may_be_announced(one, now)]
        compared = chosen_in_turn(shown, MOST_COMPARED)
        return [NextTournament(one, await count(one.id), one.has_started(now)) for one in compared]

    def _may_be_announced(self, tournament: Tournament, now: int) -> bool:
        """May everybody be told of it, and so read the name that its organiser has given it?"""
        sanctions, organiser = self._services.sanctions, tournament.organiser.id
        return organiser not in sanctions.hidden(now) and sanctions.may_be_read(organiser, now)

    def _is_known(self, tournament: Tournament) -> bool:
        """Has this site its variant, and its format?"""
        return tournament.terms.variant in self._variants and tournament.terms.format in FORMATS

    # --- who looks --------------------------------------------------------------------------------------------------

    def subscribe(self, subscriber: Subscriber, hi: TournamentHi) -> None:
        """As `Feed.subscribe`: the reader is present from now on."""
        self.unsubscribe(subscriber)
        self._room_of[subscriber] = hi.tournament
        self._services.background.spawn(self._come(subscriber, hi.tournament))

    async def _come(self, subscriber: Subscriber, tournament: str) -> None:
        try:
            room = await self._room(tournament)
        except StoreError:
            # They are present as soon as the store answers: `tick` asks again.
            self._late.append((subscriber, tournament))
            raise
        if self._room_of.get(subscriber) != tournament:
            return
        if room is None:
            del self._room_of[subscriber]
            subscriber.outbox.put(encode(TournamentGone()))
            subscriber.outbox.close(POLICY)
            return
        now = self._services.now()
        room.pages.add(subscriber)
        room.present(now)
        room.people_changed = True
        subscriber.outbox.put(encode(TournamentShown(rev=room.rev)))
        pairing = room.busy.get(subscriber.person or "")
        if pairing is not None and not room.is_section and now - pairing.at < FRESH_MS:
            room.untold[pairing.game] = pairing
            await self._tell_paired(room)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """As `Feed.unsubscribe`."""
        room = self._rooms.get(self._room_of.pop(subscriber, ""))
        if room is not None:
            room.pages.remove(subscriber)
            room.people_changed = True

    def silence_changed(self, subscriber: Subscriber) -> None:
        """Who is silent is not present: `Room.present` asks."""

    def dismiss(self, farewell: str, code: int) -> None:
        """Sends `farewell` to everybody and closes all connections with `code`."""
        for room in self._rooms.values():
            room.pages.dismiss(farewell, code)

    def _tell_people(self, room: Room) -> None:
        """Tells the other processes who is here."""
        room.people_told_at, room.people_changed = self._services.now(), False
        people = tuple(sorted(person for person in room.pages.people if room.pages.answers(person)))
        self._services.bus.tell(PeopleInTournament(room.tournament.id, self._services.hearing.node, people))

    # --- what happens -----------------------------------------------------------------------------------------------

    def hear(self, notice: TournamentChanged | PeopleInTournament | WouldMeetAgain) -> None:
        """Takes the word of another process."""
        room = self._rooms.get(notice.tournament)
        if room is None:
            return
        match notice:
            case TournamentChanged():
                room.stale = True
                self._note_due(room)
            case PeopleInTournament(_, node, people):
                room.elsewhere[node] = frozenset(people), self._services.now()
            case WouldMeetAgain(_, person, at):
                room.again[person] = at

    def catch_up(self) -> None:
        """Reads everything again, as what was told of it may be lost."""
        for room in self._rooms.values():
            room.stale = True

    def show_game(self, game: Game) -> None:
        """As an observer: the end of a game of a tournament is its result."""
        if game.tournament and game.status is Status.OVER:
            self._services.background.spawn(self._note_end(game))

    def remove_game(self, deleted: Deleted) -> None:
        """As an observer: a game that the host deletes counts for nobody, and is not made again."""
        for room in self._rooms.values():
            pairing = room.pairings.get(deleted.game)
            if pairing is not None and deleted.game not in room.results:
                void = GameResult(pairing, None, 0, self._services.now(), void=True)
                self._services.background.spawn(self._keep(room, void))

    async def _note_end(self, game: Game) -> None:
        room = await self._room(game.tournament)
        if room is None or game.id in room.results:
            return
        # In a section it counts whether the loser has withdrawn.
        if game.id not in room.pairings or room.is_section:
            await self._read(room)
        pairing = room.pairings.get(game.id)
        if pairing is not None and (result := result_of(pairing, game, self._services.now())) is not None:
            await self._keep(room, result)

    async def _keep(self, room: Room, result: GameResult) -> None:
        """Stores a result, and has it count; the first one counts, whoever has stored it."""
        if room.is_section:
            result = as_withdrawn(result, room.entrants)
        if await self._services.store.tournaments.add_result(room.tournament.id, result):
            if people := room.add_results([result]):
                await run_sliced(room.fold(people))
            self._tell_changed(room.tournament.id)
        else:
            self._note_changed(room.tournament.id)

    def _note_changed(self, tournament: str) -> None:
        """Something of it is stored that this process has to read."""
        if (room := self._rooms.get(tournament)) is not None:
            room.stale = True
        self._tell_changed(tournament)

    def _tell_changed(self, tournament: str) -> None:
        if (room := self._rooms.get(tournament)) is not None:
            self._note_due(room)
        self._services.bus.tell(TournamentChanged(tournament))

    def _note_due(self, room: Room) -> None:
        """A section is looked at soon, whichever process has changed something."""
        if room.is_section and not room.tournament.over:
            self._sections_due[room.tournament.id] = None

    # --- what is known ----------------------------------------------------------------------------------------------

    async def _found(self, tournament: str) -> Room:
        room = await self._room(tournament)
        if room is None:
            raise KeyError(tournament)
        return room

    async def _stored(self, tournament: str) -> Tournament:
        """As it is stored now: another process may have ended it. Raises KeyError, Unavailable, Unreadable."""
        if (found := await self._services.store.tournaments.find_tournament(tournament)) is None:
            raise KeyError(tournament)
        return found

    async def _room(self, tournament: str) -> Room | None:
        """What is known of it, read from the store if need be. Raises Unavailable, Unreadable."""
        room = self._rooms.get(tournament)
        if room is None:
            room = await self._loading.do(tournament, lambda: self._load(tournament))
        if room is not None:
            room.used_at = self._services.now()
        return room

    async def _load(self, tournament: str) -> Room | None:
        found = await self._services.store.tournaments.find_tournament(tournament)
        if found is None or not self._is_known(found):
            return None
        room = Room(found)
        await self._read(room)
        self._rooms[tournament] = room
        return room

    def _is_due(self, room: Room) -> bool:
        return room.stale or not 0 <= self._services.now() - room.read_at < LOOK_EVERY_MS

    async def _read(self, room: Room) -> None:
        """Reads all of it that may have changed, once for all who ask meanwhile. Raises Unavailable, Unreadable."""
        await self._reading.do(room, lambda: self._read_now(room))

    async def _read_now(self, room: Room) -> None:
        kept, id = self._services.store.tournaments, room.tournament.id
        room.stale, room.read_at = False, self._services.now()
        try:
            found = await kept.find_tournament(id)
            entrants = await kept.entrants_of(id)
            acts = await kept.acts_of(id)
            known = max((one.wave for one in room.pairings.values()), default=0)
            fresh = [one for wave in await kept.waves_of(id, known) for one in wave]
            results = await kept.results_among(room.open.keys()) if known else ()
            if fresh:
                # Whoever comes late reads all of them at once.
                among = {one.game for one in fresh}
                results = [*results, *(one for one in await kept.results_of(id) if one.pairing.game in among)]
        except StoreError:
            room.stale = True
            raise
        if found is None:
            return
        moved = (found.ends, found.terms, found.called_off) != (
            room.tournament.ends,
            room.tournament.terms,
            room.tournament.called_off,
        )
        news = found != room.tournament or bool(fresh)
        room.tournament = found
        changed = set(room.keep_entrants(entrants)) | room.keep_acts(acts)
        if known and not room.is_section:
            room.untold.update({one.game: one for one in fresh if one.is_game and one.game not in room.pairings})
        changed |= room.add_pairings([one for one in fresh if one.game not in room.pairings])
        changed |= room.add_results(results)
        if moved or changed or news:
            await run_sliced(room.fold(None if moved else changed))
        # A correction may change the places in a tournament that is over, and who was first.
        if room.corrections:
            await self._keep_placings(room, room.tournament, room.sheets)
        if room.corrections and (after := settled(room.tournament, room.sheets)) is not None:
            room.stale = not await kept.change_tournament(after)
            room.tournament = room.tournament if room.stale else after
        await self._tell_paired(room)

    async def _tell_paired(self, room: Room) -> None:
        """Leads people here to the games that they have been paired in, once those are there and as long as they are
        played. What the store cannot say now is asked again (`tick`).
        """
        for pairing in tuple(room.untold.values()):
            people = {pairing.white, pairing.black}
            if pairing.game in room.open and people & room.pages.people:
                try:
                    game = await self._services.store.load(pairing.game)
                except StoreError:
                    continue
                if game is None:
                    continue
                if game.status is Status.LIVE:
                    room.pages.show_people(encode(TournamentPaired(game=pairing.game)), people)
            room.untold.pop(pairing.game, None)

    # --- what goes on by itself -------------------------------------------------------------------------------------

    async def tick(self) -> None:
        """Pairs, and ends, what is due; tells pages what has changed. Raises Unavailable."""
        late, self._late = self._late, []
        for subscriber, id in late:
            self._services.background.spawn(self._come(subscriber, id))
        now = self._services.now()
        for tournament in await self._next_to_run(now):
            await self._tick_one(tournament, now)
        for room in tuple(self._rooms.values()):
            await self._show(room, now)
        idle = [one for one in self._rooms.values() if not len(one.pages) and not one.tournament.is_played(now)]
        idle.sort(key=lambda one: -one.used_at)
        for at, room in enumerate(idle):
            if at >= MOST_ROOMS or now - room.used_at > KEPT_MS:
                del self._rooms[room.tournament.id]

    async def _next_to_run(self, now: int) -> Sequence[Tournament]:
        """Those that are played, MOST_AT_ONCE at most, from where the last look ended: each has its turn, however many
        there are in which nothing happens. Raises Unavailable.
        """
        ids = await self._services.store.tournaments.all_begun(now)
        begin = self._looked_at % len(ids) if len(ids) > MOST_AT_ONCE else 0
        self._looked_at = begin + MOST_AT_ONCE
        chosen = frozenset([*ids, *ids][begin : begin + MOST_AT_ONCE])
        return await self._services.store.tournaments.tournaments_among(chosen)

    async def tick_sections(self) -> None:
        """Goes on with the sections in which something has changed, and once in a while with all: MOST_SECTIONS at
        most, those that have changed first. Nothing else waits for them. Raises Unavailable.
        """
        kept, now = self._services.store.tournaments, self._services.now()
        if not 0 <= now - self._sections_at < SECTIONS_EVERY_MS:
            self._sections_left = dict.fromkeys([*self._sections_left, *await kept.all_sections()])
            self._sections_at = now
        chosen = tuple(islice(dict.fromkeys([*self._sections_due, *self._sections_left]), MOST_SECTIONS))
        found = {one.id: one for one in await kept.tournaments_among(frozenset(chosen))}
        for id in chosen:
            # What changes meanwhile is due once more; what the store has not done remains due.
            self._sections_due.pop(id, None)
            if id in found and not found[id].over:
                try:
                    await self._tick_one(found[id], now)
                except StoreError:
                    self._sections_due[id] = None
                    raise
            self._sections_left.pop(id, None)

    async def _tick_one(self, tournament: Tournament, now: int) -> None:
        """One that cannot be run holds up no other, whatever is wrong with it. Raises Unavailable."""
        try:
            room = await self._room(tournament.id)
            if room is not None:
                await self._run(room)
            elif (over := abandoned(tournament, now)) is not None:
                await self._services.store.tournaments.change_tournament(over)
        except Unavailable:
            raise
        except (StoreError, InvalidFen, Refused) as error:
            log.warning("tournament %s waits: %s", tournament.id, error)
        except Exception:
            log.exception("tournament %s waits", tournament.id)

    async def _show(self, room: Room, now: int) -> None:
        if len(room.pages) and self._is_due(room):
            await self._read(room)
        elif room.untold:
            await self._tell_paired(room)
        if room.people_changed or (len(room.pages) and now - room.people_told_at >= TELL_EVERY_MS):
            self._tell_people(room)
        if room.rev != room.told:
            room.told = room.rev
            room.pages.show_all(encode(TournamentShown(rev=room.rev)))

    async def _run(self, room: Room) -> None:
        """One step of a tournament that has started, if this process leases it. Raises Unavailable, Unreadable."""
        services, kept, id = self._services, self._services.store.tournaments, room.tournament.id
        now, node = services.now(), services.hearing.node
        is_new = False
        if not room.term or now > room.leased - LEASE_MS // 2:
            term = await kept.lease(id, node, now, now + LEASE_MS)
            is_new, room.term, room.leased = term not in (0, room.term), term, now + LEASE_MS
        if not room.term:
            return
        if is_new or self._is_due(room):
            await self._read(room)
        # A section is leased anew each time.
        if (is_new and not room.is_section) or now - room.compared_at >= self._compare_every(room):
            room.compared_at = now
            await self._compare(room)
        if room.is_section and room.pairings and not room.tournament.over:
            await self._go_on_with(room)
        if format_of(room.tournament).is_over(room.tournament, self._field_at(room, now), now):
            # A result that nobody could note, as a process died, is found now or never.
            await self._compare(room)
            # The table as it is from now on: who was not in the last round has a line for it only then.
            table = await run_sliced(
                table_of(format_of(room.tournament), replace(room.tournament, over=now), tuple(room.sheet_of.values()))
            )
            if room.is_section:
                await self._lead_winner_on(room, table)
            await self._keep_placings(room, finished(room.tournament, now, table), table)
            if await kept.change_tournament(finished(room.tournament, now, table)):
                self._note_changed(id)
            return
        if not (room.tournament.over or services.restart.announced):
            await self._pair(room, now)

    async def _keep_placings(self, room: Room, tournament: Tournament, table: Sequence[Sheet]) -> None:
        """Stores what everybody has come to, as far as that is not stored."""
        found = placings(tournament, table)
        fresh = {person: one for person, one in found.items() if room.entrants[person].placing != one}
        await self._services.store.tournaments.keep_placings(tournament, fresh)

    def _compare_every(self, room: Room) -> int:
        return COMPARE_SECTIONS_MS if room.is_section else COMPARE_EVERY_MS

    # --- sections ---------------------------------------------------------------------------------------------------

    async def _go_on_with(self, room: Room) -> None:
        """What is to be done in a section that has begun, as far as it is not done. Raises Unavailable, Unreadable."""
        kept, section = self._services.store.tournaments, room.tournament
        if not section.called:
            room.stale = True
            if not await kept.change_tournament(replace(section, called=1, rev=section.rev + 1)):
                return
            await self._read(room)
        if section.stage == 1:
            await self._open_next(section)
        seated = {person for one in room.pairings.values() for person in (one.white, one.black)}
        for entrant in tuple(room.entrants.values()):
            if entrant.person.id not in seated and not entrant.has_withdrawn:
                await self._move_on(room, entrant)
        for pairing in tuple(room.open.values()):
            for person in (pairing.white, pairing.black):
                if person in room.entrants and room.entrants[person].has_withdrawn:
                    await self._end_game(room, pairing, person)
                    break

    async def _open_next(self, section: Tournament) -> Tournament:
        """The section that follows this one, opened if need be."""
        kept, now = self._services.store.tournaments, self._services.now()
        key = await self._services.store.addresses.signing_key()
        id = tournament_of_section(key, section.event, section.stage, section.section + 1)
        if (found := await kept.find_tournament(id)) is not None:
            return found
        made = next_section(id, section, section.stage, section.section + 1, now)
        await kept.open_section(made)
        return made

    async def _open_section_of(self, section: Tournament, stage: int) -> Tournament | None:
        """The section of that stage of the same event that can be entered, opened if need be. None: its organiser has
        ended the last one, and so takes no more entries.
        """
        kept = self._services.store.tournaments
        last = await kept.last_section(section.event, stage)
        if last is not None:
            return last if last.is_open_section else None if last.called_off else await self._open_next(last)
        key = await self._services.store.addresses.signing_key()
        id = tournament_of_section(key, section.event, stage, 1)
        made = next_section(id, section, stage, 1, self._services.now())
        await kept.open_section(made)
        return made

    async def _move_on(self, room: Room, entrant: Entrant) -> None:
        """Somebody who has come too late for a section is in the next one."""
        kept, now = self._services.store.tournaments, self._services.now()
        to = await self._open_section_of(room.tournament, room.tournament.stage)
        if to is not None:
            await self._enter(to, entrant)
        after = stood_down(entrant, Standing.LEFT, now)
        if await kept.keep_entrant(room.tournament.id, entrant, after):
            await self._show_entrant(room, after)

    async def _enter(self, section: Tournament, entrant: Entrant) -> None:
        """Enters somebody into another section, unless they have been in it."""
        kept, now = self._services.store.tournaments, self._services.now()
        if await kept.find_entrant(section.id, entrant.person.id) is None:
            entered = replace(entrant, joined=now, standing=Standing.IN, at=now)
            await kept.keep_entrant(section.id, None, entered)
        self._note_changed(section.id)
        self._sections_due[section.id] = None

    async def _end_game(self, room: Room, pairing: Pairing, person: str) -> None:
        """Ends a game of somebody (an id) who has withdrawn."""
        found = await self._rounds.get(pairing.game)
        if found is None:
            return  # `_compare` makes it, or notes that it was deleted
        color, now = pairing.color_of(person), self._services.now()
        if found.game.status is not Status.OVER:
            await found.submit(Resign(color) if found.game.started else Abort(color), now)
        if (result := result_of(pairing, found.game, now)) is not None:
            await self._keep(room, result)

    async def _lead_winner_on(self, room: Room, table: Sequence[Sheet]) -> None:
        """Enters the winner of a section into one of the next stage, if that is played. Which one is stored first."""
        kept, section = self._services.store.tournaments, room.tournament
        winner = winner_who_goes_on(table) if section.terms.go_on else None
        if winner is None:
            return
        if not section.led_to:
            to = await self._open_section_of(section, section.stage + 1)
            if to is None:
                return
            room.stale = True
            if not await kept.change_tournament(replace(section, led_to=to.id, rev=section.rev + 1)):
                raise Unreadable(f"section {section.id} has just been changed")
            await self._read(room)
        if (to_enter := await kept.find_tournament(room.tournament.led_to)) is not None:
            await self._enter(to_enter, winner.entrant)

    async def _compare(self, room: Room) -> None:
        """Makes the games that a crash left unmade, and notes the results that nobody has noted."""
        now, id = self._services.now(), room.tournament.id
        unmade = await self._services.store.tournaments.unmade_waves(id)
        # Most games are as they were when they were last looked at: only those that are not are read.
        revs = (await self._services.store.progress(tuple(room.open), now)).revs
        for pairing in tuple(room.open.values()):
            if pairing.game in revs and revs[pairing.game] == room.looked_at.get(pairing.game):
                continue
            try:
                game = await self._services.store.load(pairing.game)
            except Unreadable:
                continue
            if game is None and pairing.wave in unmade and now < room.tournament.ends:
                await self._make(room, pairing)
            elif (result := result_of(pairing, game, now)) is not None:
                await self._keep(room, result)
            elif game is not None:
                room.looked_at[pairing.game] = game.rev
        room.looked_at = {game: rev for game, rev in room.looked_at.items() if game in room.open}
        for wave in sorted(unmade):
            await self._services.store.tournaments.note_made(id, wave)

    async def _pair(self, room: Room, now: int) -> None:
        pairs = await run_sliced(format_of(room.tournament).pair(room.tournament, self._field_at(room, now), now))
        if not pairs:
            return
        wave = max((one.wave for one in room.pairings.values()), default=0) + 1
        key = await self._services.store.addresses.signing_key()
        pairings = [
            Pairing(game_of_board(key, room.tournament.id, wave, board), wave, board, white, black, now)
            for board, (white, black) in enumerate(pairs)
        ]
        node = self._services.hearing.node
        if not await self._services.store.tournaments.add_wave(room.tournament.id, pairings, node, room.term):
            room.stale = True
            return
        await run_sliced(room.fold(room.add_pairings(pairings)))
        # What is not made now is made by `_compare`.
        room.compared_at = 0
        games = [one for one in pairings if one.is_game]
        for begin in range(0, len(games), AT_ONCE):
            some = (self._make(room, one) for one in games[begin : begin + AT_ONCE])
            for done in await asyncio.gather(*some, return_exceptions=True):
                if isinstance(done, BaseException):
                    raise done
        await self._services.store.tournaments.note_made(room.tournament.id, wave)
        room.compared_at = now
        self._tell_changed(room.tournament.id)

    async def _make(self, room: Room, pairing: Pairing) -> None:
        """Makes the game of a pairing; repeating it changes nothing. Raises Unavailable."""
        terms = _game_terms(room.tournament.terms, self._variants[room.tournament.terms.variant])
        try:
            white, black = (room.entrants[person].person for person in (pairing.white, pairing.black))
            if terms.rated:
                self._services.bots.check_rated(white.id, black.id)
            game = new_game(pairing.game, terms, self._services.now(), white, black)
            await self._new_games.make_tournament_game(
                game, room.tournament.id, 1_000 * room.tournament.terms.no_show_s
            )
        except (Gone, NotAllowed, InvalidFen, KeyError, ValueError) as error:
            log.error("the game %s of a tournament cannot be made: %s", pairing.game, error)
            await self._keep(room, GameResult(pairing, None, 0, self._services.now(), void=True))
            return
        if not room.is_section:
            room.pages.show_people(encode(TournamentPaired(game=pairing.game)), {pairing.white, pairing.black})


def _game_terms(terms: TournamentTerms, variant: Variant) -> Terms:
    """The terms of one of its games; a shuffled start is drawn each time."""
    fen = shuffled_fen(variant, random.SystemRandom()) if terms.chess960 else format_fen(start_position(variant))
    return Terms(variant, terms.chess960, fen, terms.control, terms.rated)
