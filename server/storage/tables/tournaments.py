"""Tournaments in a store: their terms, who has joined, the waves of pairings, and the results of games.

Waves, results, and what organisers have done are only ever added. A wave is one record, stored before any of its games
is made, under its number: so of two processes that would pair at once, one finds it taken, and after a crash the next
one makes the same games. Which process pairs is a lease on the tournament with a number that rises whenever it changes
hands; a wave is stored only under the lease of whoever stores it. A result is stored under the id of its game, so it
counts once, however often it is found; a correction is an act of its own. Times are ms since the epoch.

What somebody has played stays when their account is deleted, as games do: they are named as deleted. Who had joined
what has not begun is in it no more.
"""

from collections.abc import Mapping, Sequence, Set
from typing import Final

from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.player import DELETED_NAME, Player
from server.games.tournaments.tournament import (
    A_DAY,
    LATEST_MS,
    MOST_OPEN,
    NEVER,
    Act,
    ActKind,
    Correction,
    Entrant,
    GameResult,
    Pairing,
    Placing,
    Scoring,
    Standing,
    Tournament,
    TournamentTerms,
    check_corrections,
    check_room,
    downtime,
    too_many_a_day,
    too_many_open,
)
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from server.storage.fields import Fields, FlatRecord, flag, instant, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.quotas import QUOTAS, Quota, QuotaStore
from server.storage.tables.table import KEY, OwnedTableStore, Table, at_least, below

COLORS: Final = {"": None, "w": Color.WHITE, "b": Color.BLACK}
STEPS_AT_ONCE: Final = 100
"""Records that are changed by one write."""
TAKING_PART: Final = frozenset({Standing.IN.value, Standing.PAUSED.value})
UNPLACED: Final = Placing(0, 0, 0, 0)
TRIES: Final = 8
"""Attempts before a change gives way to others."""
NOBODY: Final[FlatRecord] = {"node": "", "leased": 0, "term": 0}


def tournament_of(fields: Fields) -> Tournament:
    """The tournament of stored fields. Raises as `fields` says, also for an impossible clock."""
    days = number(fields, "days")
    realtime = TimeControl.realtime(number(fields, "initial"), number(fields, "increment"))
    control = TimeControl.correspondence(days) if days else realtime
    control.validate()
    terms = TournamentTerms(
        name=text(fields, "name"),
        format=text(fields, "format"),
        variant=text(fields, "variant"),
        chess960=flag(fields, "chess960"),
        control=control,
        rated=flag(fields, "rated"),
        starts=instant(fields, "starts"),
        minutes=number(fields, "minutes"),
        scoring=Scoring(text(fields, "scoring")),
        berserk=flag(fields, "berserk"),
        late=flag(fields, "late"),
        lowest=number(fields, "lowest"),
        highest=number(fields, "highest"),
        rounds=number(fields, "rounds"),
        rest_s=number(fields, "rest_s"),
        no_show_s=number(fields, "no_show_s"),
        size=number(fields, "size"),
        twice=flag(fields, "twice"),
        go_on=flag(fields, "go_on"),
        dates=tuple(int(at) for at in text(fields, "dates").split()),
        ties=tuple(text(fields, "ties").split()),
        apart=tuple(tuple(group.split(",")) for group in text(fields, "apart").split()),
    )
    return Tournament(
        id=text(fields, "_id"),
        organiser=Player(text(fields, "owner"), text(fields, "owner_name")),
        terms=terms,
        created=instant(fields, "created"),
        ends=instant(fields, "ends"),
        over=instant(fields, "over"),
        called_off=flag(fields, "called_off"),
        called=number(fields, "called"),
        rev=number(fields, "rev"),
        winner=Player(winner, text(fields, "winner_name")) if (winner := text(fields, "winner")) else None,
        event=text(fields, "event"),
        stage=number(fields, "stage"),
        section=number(fields, "section"),
        led_to=text(fields, "led_to"),
        news_at=instant(fields, "news_at"),
    )


def tournament_document(tournament: Tournament) -> FlatRecord:
    """The tournament as a record, without its lease."""
    terms = tournament.terms
    return {
        "_id": tournament.id,
        "owner": tournament.organiser.id,
        "owner_name": tournament.organiser.name,
        "name": terms.name,
        "format": terms.format,
        "variant": terms.variant,
        "chess960": int(terms.chess960),
        "initial": terms.control.initial_ms[0],
        "increment": terms.control.increment_ms[0],
        "days": terms.control.days or 0,
        "rated": int(terms.rated),
        "starts": terms.starts,
        "minutes": terms.minutes,
        "scoring": terms.scoring.value,
        "berserk": int(terms.berserk),
        "late": int(terms.late),
        "lowest": terms.lowest,
        "highest": terms.highest,
        "rounds": terms.rounds,
        "rest_s": terms.rest_s,
        "no_show_s": terms.no_show_s,
        "size": terms.size,
        "twice": int(terms.twice),
        "go_on": int(terms.go_on),
        "dates": " ".join(map(str, terms.dates)),
        "ties": " ".join(terms.ties),
        "apart": " ".join(",".join(group) for group in terms.apart),
        "created": tournament.created,
        "ends": tournament.ends,
        "over": tournament.over,
        "called_off": int(tournament.called_off),
        "called": tournament.called,
        "rev": tournament.rev,
        "winner": "" if tournament.winner is None else tournament.winner.id,
        "winner_name": "" if tournament.winner is None else tournament.winner.name,
        "event": tournament.event,
        "stage": tournament.stage,
        "section": tournament.section,
        "led_to": tournament.led_to,
        "news_at": tournament.news_at,
    }


def _key_of(tournament: str, person: str) -> str:
    return f"{tournament} {person}"


def entrant_of(fields: Fields) -> Entrant:
    """The entrant of stored fields. Raises as `fields` says."""
    return Entrant(
        Player(text(fields, "owner"), text(fields, "name")),
        number(fields, "rating"),
        flag(fields, "provisional"),
        instant(fields, "joined"),
        Standing(text(fields, "standing")),
        instant(fields, "at"),
        placing_of(fields),
    )


def placing_of(fields: Fields) -> Placing | None:
    """The place of a stored entrant, None: there is none. Raises as `fields` says."""
    if not (ended := instant(fields, "ended")):
        return None
    return Placing(number(fields, "place"), number(fields, "of_all"), number(fields, "points"), ended)


def placing_document(format: str, placing: Placing) -> FlatRecord:
    """The fields of an entrant that say what they have come to in a tournament of that format."""
    return {
        "format": format,
        "place": placing.place,
        "of_all": placing.of,
        "points": placing.points,
        "ended": placing.ended,
    }


def entrant_document(tournament: str, entrant: Entrant) -> FlatRecord:
    """The entrant of a tournament (an id) as a record."""
    return {
        "_id": _key_of(tournament, entrant.person.id),
        "tournament": tournament,
        "owner": entrant.person.id,
        "name": entrant.person.name,
        "rating": entrant.rating,
        "provisional": int(entrant.provisional),
        "joined": entrant.joined,
        "standing": entrant.standing.value,
        "at": entrant.at,
        **placing_document("", entrant.placing or UNPLACED),
    }


def as_gone(*, over: bool) -> FlatRecord:
    """What is stored of an entrant whose account was deleted; what is `over` they have been in to the end, as what
    others have by their games stands.
    """
    return {"name": DELETED_NAME} if over else {"name": DELETED_NAME, "standing": Standing.OUT.value}


def wave_of(fields: Fields) -> Sequence[Pairing]:
    """The pairings of a stored wave, by board. Raises as `fields` says."""
    wave, at, pairs = number(fields, "wave"), instant(fields, "at"), text(fields, "pairs").split()
    split = [pair.split("/") for pair in pairs]
    return [Pairing(game, wave, board, white, black, at) for board, (game, white, black) in enumerate(split)]


def result_of_record(fields: Fields) -> GameResult:
    """The result of stored fields. Raises as `fields` says."""
    pairing = Pairing(
        text(fields, "_id"),
        number(fields, "wave"),
        number(fields, "board"),
        text(fields, "white"),
        text(fields, "black"),
        instant(fields, "at"),
    )
    berserk = text(fields, "berserk")
    return GameResult(
        pairing,
        COLORS[text(fields, "winner")],
        number(fields, "plies"),
        instant(fields, "ended"),
        COLORS[text(fields, "absent")],
        flag(fields, "void"),
        ("w" in berserk, "b" in berserk),
    )


def result_document(tournament: str, result: GameResult) -> FlatRecord:
    """The result of a game of a tournament (an id) as a record."""
    pairing = result.pairing
    return {
        "_id": pairing.game,
        "tournament": tournament,
        "wave": pairing.wave,
        "board": pairing.board,
        "white": pairing.white,
        "black": pairing.black,
        "at": pairing.at,
        "winner": _letter(result.winner),
        "plies": result.plies,
        "ended": result.ended,
        "absent": _letter(result.absent),
        "void": int(result.void),
        "berserk": "".join(letter for letter, went in zip("wb", result.berserk, strict=True) if went),
    }


def act_of(fields: Fields) -> Act:
    """The act of stored fields. Raises as `fields` says."""
    kind, said = ActKind(text(fields, "kind")), text(fields, "said")
    if kind is ActKind.RESULT:
        Correction(said)
    by = Player(text(fields, "owner"), text(fields, "name"))
    return Act(kind, text(fields, "about"), by, instant(fields, "at"), number(fields, "number"), said)


def act_document(tournament: str, act: Act) -> FlatRecord:
    """The act on a tournament (an id) as a record."""
    return {
        "_id": f"{tournament} {act.kind.value} {act.about} {act.number}",
        "tournament": tournament,
        "owner": act.by.id,
        "name": act.by.name,
        "kind": act.kind.value,
        "about": act.about,
        "number": act.number,
        "said": act.said,
        "at": act.at,
    }


def _letter(color: Color | None) -> str:
    return "" if color is None else color.letter


TOURNAMENTS: Final = RecordKind(
    "tournaments",
    typed_fields(
        "_id owner owner_name name format variant #chess960 #initial #increment #rated #starts #minutes scoring"
        " #berserk #late #lowest #highest #created #ends #over #called_off node #leased #term #rev winner winner_name"
        " #rounds #rest_s #called #no_show_s #days #size #twice #go_on event #stage #section led_to"
        " #news_at dates ties apart"
    ),
    added={
        **dict.fromkeys(("winner", "winner_name", "event", "led_to", "dates", "ties", "apart"), ""),
        **dict.fromkeys(("rounds", "rest_s", "called", "no_show_s", "days"), 0),
        **dict.fromkeys(("size", "twice", "go_on", "stage", "section", "news_at"), 0),
    },
    indexes=(
        *("over starts", "over starts called created", "owner created", "owner over", "winner over"),
        *("event stage section", "news_at"),
    ),
    read=tournament_of,
)
ENTRANTS: Final = RecordKind(
    "tournament_entrants",
    typed_fields(
        "_id tournament owner name #rating #provisional #joined standing #at format #place #of_all #points #ended"
    ),
    added={"format": "", "place": 0, "of_all": 0, "points": 0, "ended": 0},
    indexes=("tournament joined", "tournament standing", "owner", "owner format ended"),
    read=entrant_of,
)
WAVES: Final = RecordKind(
    "tournament_waves",
    typed_fields("_id tournament #wave #at pairs #made"),
    added={"made": 1},
    indexes=("tournament wave",),
    read=wave_of,
)
RESULTS: Final = RecordKind(
    "tournament_results",
    typed_fields("_id tournament #wave #board white black #at winner #plies #ended absent #void berserk"),
    indexes=("tournament wave",),
    read=result_of_record,
)


ACTS: Final = RecordKind(
    "tournament_acts",
    typed_fields("_id tournament owner name kind about #number said #at"),
    indexes=("tournament at", "owner"),
    read=act_of,
)


class TournamentStore(OwnedTableStore):
    """Tournaments, and what hangs on them."""

    kinds = (TOURNAMENTS, ENTRANTS, WAVES, RESULTS, ACTS, QUOTAS)

    def __init__(self, table: Table, entrants: Table, waves: Table, results: Table, acts: Table, quotas: Table) -> None:
        super().__init__(table)
        self._entrants = entrants
        self._waves = waves
        self._results = results
        self._acts = acts
        self._quotas = QuotaStore(quotas)

    # --- tournaments ------------------------------------------------------------------------------------------------

    async def announce_tournament(self, tournament: Tournament) -> None:
        """Stores a new tournament; repeating it changes nothing.

        Raises NotAllowed if its organiser has announced A_DAY within a day, or has MOST_OPEN that are not over.
        """
        await self._table.add_if_new({**tournament_document(tournament), **NOBODY})
        owner, now = tournament.organiser.id, tournament.created
        # Of sections that belong together the very first one stands for all: the others open by themselves.
        first = below(2)
        since, quota = at_least(now - DAY_MS), Quota(owner, "tournaments", A_DAY)
        if not await self._quotas.admit_record(
            quota,
            self._table,
            tournament.id,
            now,
            "created _id",
            owner=owner,
            created=since,
            stage=first,
            section=first,
        ):
            raise too_many_a_day()
        quota = Quota(owner, "open_tournaments", MOST_OPEN)
        # An event goes on as long as any of its sections does: the first one is over long before.
        if not await self._quotas.admit_record(
            quota, self._table, tournament.id, now, "created _id", together="event", owner=owner, over=0
        ):
            raise too_many_open()

    async def find_tournament(self, tournament: str) -> Tournament | None:
        """The tournament with that id. Raises Unreadable too."""
        return await self._table.read_one(tournament_of, tournament)

    async def begun(self, now: int, limit: int) -> Sequence[Tournament]:
        """Those that have started and are not over, by their start; no sections."""
        return await self._table.read(tournament_of, "starts", limit, over=0, starts=below(now + 1))

    async def all_begun(self, now: int) -> Sequence[str]:
        """The ids of all that have started and are not over, by their start; no sections."""
        found = await self._table.find("starts", only=("starts",), over=0, starts=below(now + 1))
        return [text(one, "_id") for one in found]

    async def open_section(self, section: Tournament) -> bool:
        """Stores another section of an event, unless that is stored. Was it not?"""
        return await self._table.add_if_new({**tournament_document(section), **NOBODY})

    async def last_section(self, event: str, stage: int) -> Tournament | None:
        """The last section of that stage of an event (an id); None: there is none yet."""
        found = await self._table.read(tournament_of, "section-", 1, event=event, stage=stage)
        return next(iter(found), None)

    async def sections_of(self, event: str) -> Sequence[Tournament]:
        """All sections of an event (an id), by stage and number."""
        return await self._table.read(tournament_of, "stage section", event=event)

    async def all_sections(self) -> Sequence[str]:
        """The ids of the sections that are not over, those that can be entered first, each kind by age."""
        found = await self._table.find("called created", only=("called",), over=0, starts=NEVER)
        return [text(one, "_id") for one in found]

    async def open_sections(self, limit: int) -> Sequence[Tournament]:
        """The sections that can be entered, the newest first."""
        return await self._table.read(tournament_of, "created-", limit, over=0, starts=NEVER, called=0)

    async def begun_sections(self, limit: int) -> Sequence[Tournament]:
        """The sections that are played, the newest first."""
        return await self._table.read(tournament_of, "created-", limit, over=0, starts=NEVER, called=1)

    async def tournaments_among(self, ids: Set[str]) -> Sequence[Tournament]:
        """Those of these ids."""
        return await self._table.read(tournament_of, _id=frozenset(ids)) if ids else ()

    async def coming(self, now: int, limit: int) -> Sequence[Tournament]:
        """Those that have not started and are not over, by their start; no sections."""
        announced = range(now + 1, now + 2 * LATEST_MS)
        return await self._table.read(tournament_of, "starts", limit, over=0, starts=announced)

    async def with_news(self, now: int, limit: int) -> Sequence[Tournament]:
        """Those of which players are to be told something, what has waited longest first."""
        return await self._table.read(tournament_of, "news_at", limit, news_at=range(1, now + 1))

    async def finished(self, before: int, limit: int) -> Sequence[Tournament]:
        """Those that were over before then, the last one first."""
        return await self._table.read(tournament_of, "over-", limit, over=range(1, before))

    async def change_tournament(self, after: Tournament) -> bool:
        """Stores it if the stored revision is the one before. False: it is not."""
        return await self._table.replace(tournament_document(after))

    async def lease(self, tournament: str, node: str, now: int, until: int) -> int:
        """Leases the tournament (an id) to that process until then. The number of the lease; 0: another one has it.

        The end moves by the time for which nobody had a lease, as the server was down (`downtime`).
        """
        found = await self._table.find(_id=tournament, over=0)
        if not found:
            return 0
        term, leased = number(found[0], "term"), number(found[0], "leased")
        if found[0]["node"] == node and leased >= now:
            kept = await self._table.set({"leased": until}, _id=tournament, node=node, term=term, over=0)
            return term if kept else 0
        if leased >= now:
            return 0
        rev, ends = number(found[0], "rev"), number(found[0], "ends")
        moved = downtime(max(leased, number(found[0], "starts")), ends, now)
        taken: FlatRecord = {"node": node, "leased": until, "term": term + 1, "ends": ends + moved, "rev": rev + 1}
        return term + 1 if await self._table.set(taken, _id=tournament, term=term, rev=rev, leased=leased) else 0

    # --- who plays --------------------------------------------------------------------------------------------------

    async def keep_entrant(self, tournament: str, before: Entrant | None, after: Entrant) -> bool:
        """Stores what an entrant has said last, if what they had said is still `before` (None: they had not joined).

        Raises NotAllowed if the tournament is full.
        """
        record = entrant_document(tournament, after)
        if before is not None:
            changed = {"standing": after.standing.value, "at": after.at}
            return await self._entrants.set(changed, _id=record["_id"], at=before.at) > 0
        check_room(await self._entrants.count(tournament=tournament))
        return await self._entrants.add_if_new(record)

    async def find_entrant(self, tournament: str, person: str) -> Entrant | None:
        """The entrant by ids; None: they have never joined. Raises Unreadable too."""
        return await self._entrants.read_one(entrant_of, _key_of(tournament, person))

    async def count_joined(self, tournament: str) -> int:
        """How many take part in it (an id), also while they pause."""
        return await self._entrants.count(tournament=tournament, standing=TAKING_PART)

    async def joined_of(self, person: str, tournaments: Sequence[str]) -> Set[str]:
        """In which of these they take part (all ids)."""
        keys = frozenset(_key_of(one, person) for one in tournaments)
        found = await self._entrants.find(only=("tournament",), _id=keys, standing=TAKING_PART) if keys else ()
        return {str(one["tournament"]) for one in found}

    async def keep_placings(self, tournament: Tournament, placings: Mapping[str, Placing]) -> None:
        """Stores what people (ids) have come to in it. Repeating it changes nothing."""
        steps = [
            self._entrants.set_step(placing_document(tournament.terms.format, one), _id=_key_of(tournament.id, person))
            for person, one in placings.items()
        ]
        for begin in range(0, len(steps), STEPS_AT_ONCE):
            await self._entrants.write(*steps[begin : begin + STEPS_AT_ONCE])

    async def placings_of(self, person: str, format: str, limit: int) -> Sequence[tuple[str, Placing]]:
        """What this person (an id) has come to in tournaments of that format, each with its id, the last one first."""

        def read(fields: Fields) -> tuple[str, Placing]:
            return text(fields, "tournament"), placing_of(fields) or UNPLACED

        return await self._entrants.read(read, "ended-", limit, owner=person, format=format, ended=at_least(1))

    async def entrants_of(self, tournament: str) -> Sequence[Entrant]:
        """All who have joined it (an id), in that order."""
        return await self._entrants.read(entrant_of, "joined _id", tournament=tournament)

    # --- what is played ---------------------------------------------------------------------------------------------

    async def add_wave(self, tournament: str, pairings: Sequence[Pairing], node: str, term: int) -> bool:
        """Stores a wave, if the tournament is still leased so and none has its number. Has this one stored it?

        A wave that is stored has to be carried out: its games are made by whoever finds it without.
        """
        wave, at = pairings[0].wave, pairings[0].at
        pairs = " ".join(f"{one.game}/{one.white}/{one.black}" for one in pairings)
        record: FlatRecord = {
            "_id": f"{tournament} {wave}",
            "tournament": tournament,
            "wave": wave,
            "at": at,
            "pairs": pairs,
            "made": 0,
        }
        leased = await self._table.count(_id=tournament, node=node, term=term, over=0)
        return leased > 0 and await self._waves.add_if_new(record)

    async def note_made(self, tournament: str, wave: int) -> None:
        """Notes that all games of a wave were made: one that is not there has been deleted since."""
        await self._waves.set({"made": 1}, _id=f"{tournament} {wave}")

    async def unmade_waves(self, tournament: str) -> Set[int]:
        """The numbers of the waves whose games may not all have been made."""
        found = await self._waves.find(only=("wave", "made"), tournament=tournament)
        return {number(one, "wave") for one in found if not one["made"]}

    async def waves_of(self, tournament: str, after: int = 0) -> Sequence[Sequence[Pairing]]:
        """The waves of a tournament (an id) with numbers above `after`, in order."""
        return await self._waves.read(wave_of, "wave", tournament=tournament, wave=at_least(after + 1))

    async def add_result(self, tournament: str, result: GameResult) -> bool:
        """Stores a result, unless its game has one. Had it none?"""
        return await self._results.add_if_new(result_document(tournament, result))

    async def results_of(self, tournament: str) -> Sequence[GameResult]:
        """All results of a tournament (an id), by wave."""
        return await self._results.read(result_of_record, "wave", tournament=tournament)

    async def results_among(self, games: Set[str]) -> Sequence[GameResult]:
        """The results of these games (ids), as far as they have any."""
        return await self._results.read(result_of_record, "wave", _id=frozenset(games)) if games else ()

    async def add_act(self, tournament: str, act: Act) -> bool:
        """Stores what an organiser has done, unless that is stored. Was it not?

        Raises NotAllowed if they have corrected as many results of the tournament (an id) as one person can.
        """
        if act.kind is ActKind.RESULT:
            found = await self._acts.find(only=("owner", "kind", "about"), tournament=tournament)
            theirs = [one for one in found if (one["owner"], one["kind"]) == (act.by.id, act.kind.value)]
            check_corrections(len(theirs), sum(one["about"] == act.about for one in theirs))
        return await self._acts.add_if_new(act_document(tournament, act))

    async def acts_of(self, tournament: str) -> Sequence[Act]:
        """What organisers have done in a tournament (an id), in order."""
        return await self._acts.read(act_of, "at number", tournament=tournament)

    async def announced_by(self, person: str) -> Sequence[Tournament]:
        """The tournaments that this person (an id) has announced, in order."""
        return await self._table.read(tournament_of, "created", owner=person)

    async def entries_of(self, person: str) -> Sequence[tuple[str, Entrant]]:
        """What this person (an id) has joined: the id of the tournament, and how they stand in it."""
        return await self._entrants.read(lambda one: (text(one, "tournament"), entrant_of(one)), owner=person)

    async def acts_by(self, person: str) -> Sequence[tuple[str, Act]]:
        """What this person (an id) has done as organiser: the id of the tournament, and the act."""
        return await self._acts.read(lambda one: (text(one, "tournament"), act_of(one)), owner=person)

    async def forget(self, owner: str) -> None:
        """Names the person as deleted, and takes them out of what they have joined."""
        for _ in range(TRIES):
            entries = await self._entrants.find(only=("tournament", "name", "standing", "at"), owner=owner)
            joined = frozenset(text(one, "tournament") for one in entries)
            over = {one[KEY] for one in await self._table.find(only=("over",), _id=joined, over=at_least(1))}
            told = [(one, as_gone(over=one["tournament"] in over)) for one in entries]
            left = [(one, gone) for one, gone in told if gone.items() - one.items()]
            if not left:
                break
            for one, gone in left:
                # What they have said last is later than all before, also for who has read that already.
                at = number(one, "at")
                await self._entrants.set({**gone, "at": at + ("standing" in gone)}, _id=one["_id"], at=at)
        else:
            raise Unavailable("What they have joined is changed by others all the time.")
        await self._acts.set({"name": DELETED_NAME}, owner=owner)
        await self._table.set({"owner_name": DELETED_NAME}, owner=owner)
        await self._table.set({"winner_name": DELETED_NAME}, winner=owner)
