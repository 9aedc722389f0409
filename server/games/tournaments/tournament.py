"""What every tournament is: terms, entrants, and rounds of pairings with results. Pure; `now` is always an argument.

A format answers four questions (`Format`): whom to pair now, what a result is worth, how to rank, and when it is over.
Nothing is counted up: standings are a fold over the results, in the order of the rounds, so whoever has the same
results has the same table, however often it is asked for and after whatever crash. A wave of an arena is a round. All
times are ms since the epoch.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Final

from server.games.clocks.time_control import TimeControl
from server.games.errors import BadTerms, NotAllowed, RegisteredOnly
from server.games.player import Player
from server.games.seeks import Seeker
from server.games.state import NO_RESULT, Game
from server.games.status import Status
from server.rules.sliced_work import SlicedWork, run_at_once
from server.rules.variant.pieces import Color

MINUTE_MS: Final = 60_000
ROUNDS: Final = range(3, 16)
"""How many rounds a tournament may have that is played in rounds."""
RESTS_S: Final = range(10, 3_601)
"""Seconds between two rounds, unless the organiser begins each."""
NO_SHOWS_S: Final = range(60, 3_601)
"""Seconds after which who has not come to the board loses, where the organiser has chosen that."""
DATES_APART_MS: Final = 10 * MINUTE_MS
"""How far apart rounds are at least that begin at dates."""
LAST_DATE_MS: Final = 180 * 24 * 60 * MINUTE_MS
"""How long after the start of a tournament its last round begins at the latest."""
MOST_TIES: Final = 4
"""How many tie-breaks may decide."""
MOST_APART: Final = 100
"""People who are kept apart, in all groups together."""
MOST_ROUNDS_MS: Final = 14 * 24 * 60 * MINUTE_MS
"""When a tournament in rounds ends at last, whatever its organiser has forgotten."""
SIZES: Final = range(4, 8)
"""How many people may be in a section of everyone against everyone."""
NEVER: Final = 253_370_764_800_000
"""The year 9999, ms since the epoch. A section has neither start nor end by the clock: both are so far away that
whatever looks at them passes it by.
"""
FREE: Final = "+"
HALF: Final = "="
"""In the place of Black, where somebody has no game in a round: left over, or excused."""
LONGEST_NAME: Final = 40
A_DAY: Final = 5
"""Tournaments that one person may announce within a day."""
MOST_OPEN: Final = 10
"""Tournaments of one person that are not over."""
MOST_ENTRANTS: Final = 1_000
"""How many may join, about: those who join at the very same moment are not counted among themselves, so that no join
reads all others or waits for them. It bounds the work that a tournament makes, and nothing relies on the number.
"""
MINUTES: Final = range(10, 12 * 60 + 1)
"""How long an arena may last."""
SOONEST_MS: Final = MINUTE_MS
LATEST_MS: Final = 90 * 24 * 60 * MINUTE_MS
"""How long after its announcement a tournament may begin."""
LATE_MS: Final = 5 * MINUTE_MS
"""How long after the end a game that was under way still counts, where the organiser has chosen that it does."""
REMIND_MS: Final = 10 * MINUTE_MS
"""How long before it begins its players are reminded."""
REMIND_APART_MS: Final = 60 * MINUTE_MS
"""Of rounds that follow the one before sooner nobody is reminded: players are still there."""
TOLD_WITHIN_MS: Final = 24 * 60 * MINUTE_MS
"""How long after its end its players are told the final table, if the server was down."""
TELLING_MS: Final = 2 * MINUTE_MS
"""If its players have not been told by then, the process that was at it has stopped."""
SHORT_MS: Final = 10_000
"""Another process takes a tournament over within this, and nobody minds."""
MOST_DOWN_MS: Final = 60 * MINUTE_MS
"""After so long nobody waits any more: a tournament then ends when it would have."""
FEWEST_GAMES: Final = 2
"""So many games of the expected length must fit into a tournament."""
BERSERK_INCREMENT: Final = 2
"""Nobody can go berserk where the increment in seconds is more than so many times the minutes: that costs nothing."""
PERFORMANCE_GAP: Final = 500
"""Points that a win is above the opponent's rating in a performance, and a loss below it."""


CORRECTED_MS: Final = 7 * 24 * 60 * MINUTE_MS
"""After a tournament is over, its results can be corrected for so long."""
MOST_CORRECTIONS: Final = 500
MOST_OF_GAME: Final = 10
"""So many results of a tournament one person corrects, and so often that of one game."""
ABANDONED_MS: Final = 24 * 60 * MINUTE_MS
"""What nobody has been able to play to its end is over so long after its last game could have ended."""


class BadTournament(BadTerms):
    """Such a tournament cannot be announced. No script has the words: the answer says why."""

    area = "problems"


class NotInTournament(NotAllowed):
    """Somebody may not do this in a tournament. No script has the words: the answer says why."""

    area = "problems"


class Scoring(StrEnum):
    """What games are worth: 2, 1, 0 and double after two wins; 1, ½, 0; or 3, 2, 1, where losing is worth something."""

    ARENA = "arena"
    PLAIN = "plain"
    CHILDREN = "children"


@dataclass(frozen=True, slots=True)
class TournamentTerms:
    """What was announced. `variant`: its id; `starts`: when; `minutes`: how long people are paired.

    `berserk`: may players halve their clock for a point more? `late`: do games that are under way at the end count?
    `lowest`, `highest`: the ratings that an entrant may have at least and at most; 0: any. `rounds`: how many, 0 where
    people are paired by the `minutes`; `rest_s`: seconds from one round to the next, 0: the organiser begins each, or
    they begin at `dates`, of all rounds but the first; `no_show_s`: seconds that players have to come to the board, 0:
    as in any game. `ties`: what decides where points are equal, in order, as the format names it; none: what is usual.
    `apart`: groups of people (names, folded) of whom no two are paired.

    `size`: how many people are in a section where all meet all by correspondence, 0 elsewhere; there, `twice`: do any
    two play two games? `go_on`: do the winners of sections meet in others?
    """

    name: str
    format: str
    variant: str
    chess960: bool
    control: TimeControl
    rated: bool
    starts: int
    minutes: int
    scoring: Scoring = Scoring.ARENA
    berserk: bool = True
    late: bool = True
    lowest: int = 0
    highest: int = 0
    rounds: int = 0
    rest_s: int = 0
    no_show_s: int = 0
    size: int = 0
    twice: bool = False
    go_on: bool = False
    dates: tuple[int, ...] = ()
    ties: tuple[str, ...] = ()
    apart: tuple[tuple[str, ...], ...] = ()

    @property
    def games_each(self) -> int:
        """How many games one person has in a section."""
        return (self.size - 1) * (2 if self.twice else 1)

    @property
    def game_ms(self) -> int:
        """How long a game is expected to take, both sides together."""
        return 2 * self.control.estimate_ms(Color.WHITE)

    @property
    def can_go_berserk(self) -> bool:
        """May players go berserk, and does it cost them something?"""
        return self.berserk and self.control.increment_ms[0] * 60 <= BERSERK_INCREMENT * self.control.initial_ms[0]


@dataclass(frozen=True, slots=True)
class Tournament:
    """`ends`: when pairing ends, later than announced if the server was down; `over`: since when it is over, 0 if it is
    not; `called_off`: without having been played to the end; `winner`: who was first when it was over, None: nobody
    played. `called`: the last round that its organiser has begun, or 1 for a section that has. `rev` counts the changes
    from 1.

    Of a section: `event` is the id of the first one of those that belong together, and `stage` and `section` are its
    place among them, from 1: winners go on from stage to stage. `led_to`: the section (an id) that its winner has gone
    on to, "" for none.

    `news_at`: when its players are to be told something next (`news_of`), 0: nothing.
    """

    id: str
    organiser: Player
    terms: TournamentTerms
    created: int
    ends: int
    over: int = 0
    called_off: bool = False
    called: int = 0
    rev: int = 1
    winner: Player | None = None
    event: str = ""
    stage: int = 0
    section: int = 0
    led_to: str = ""
    news_at: int = 0

    @property
    def is_open_section(self) -> bool:
        """Is it a section that has not begun?"""
        return self.terms.size > 0 and not self.called and not self.over

    def has_started(self, now: int) -> bool:
        """Is it time to play, or was it? A section has started once it was full."""
        return self.called > 0 if self.terms.size else now >= self.terms.starts

    def is_played(self, now: int) -> bool:
        """Has it begun, and is not over?"""
        return self.has_started(now) and not self.over

    @property
    def last_ms(self) -> int:
        """When a game must be over to count."""
        return self.ends + (LATE_MS if self.terms.late else 0)


class Standing(StrEnum):
    """What an entrant has said last: they play, they rest, they have left, or the organiser has taken them out."""

    IN = "in"
    PAUSED = "paused"
    LEFT = "left"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Placing:
    """What somebody has come to in a tournament that was played to its end: `place`, from 1, `of` so many, with
    `points` as in `Sheet`. `ended`: when it was over.
    """

    place: int
    of: int
    points: int
    ended: int


@dataclass(frozen=True, slots=True)
class Entrant:
    """`rating`: theirs when they joined; `provisional`: it was not sure yet. `joined`: when they first did.

    `standing` counts since `at`; a no-show at a later time pauses them, too (`did_not_come`). `placing`: None as long
    as it is not over, and for who has played nothing in it.
    """

    person: Player
    rating: int
    provisional: bool
    joined: int
    standing: Standing = Standing.IN
    at: int = 0
    placing: Placing | None = None

    @property
    def has_withdrawn(self) -> bool:
        """Have they left, or been taken out?"""
        return self.standing in (Standing.LEFT, Standing.OUT)


@dataclass(frozen=True, slots=True)
class Pairing:
    """`game`: its id; `wave` from 1 and `board` from 0 are its place. `white`, `black`: ids of people.

    Where `black` is FREE or HALF, `white` has no game in this round.
    """

    game: str
    wave: int
    board: int
    white: str
    black: str
    at: int

    @property
    def is_game(self) -> bool:
        """Do two people play?"""
        return self.black not in (FREE, HALF)

    def color_of(self, person: str) -> Color:
        """The colour of one of the two."""
        return Color.WHITE if person == self.white else Color.BLACK

    def opponent_of(self, person: str) -> str:
        """The id of the other one."""
        return self.black if person == self.white else self.white


@dataclass(frozen=True, slots=True)
class GameResult:
    """How the game of `pairing` ended, at `ended`, after `plies` half-moves.

    `winner`: None: drawn, or nobody played. `absent`: who did not come, or went before both had moved; their opponent
    wins. `void`: it counts for nobody, as when the host deletes a game. `berserk`: who has gone berserk.
    """

    pairing: Pairing
    winner: Color | None
    plies: int
    ended: int
    absent: Color | None = None
    void: bool = False
    berserk: tuple[bool, bool] = (False, False)


def result_of(pairing: Pairing, game: Game | None, now: int) -> GameResult | None:
    """The result of the game of `pairing` as it is stored; None while it is played. No `game`: it was deleted.

    A game that ends without result before both have moved is won by whoever did not hold it up.
    """
    if game is None:
        return GameResult(pairing, None, 0, now, void=True)
    if game.status is not Status.OVER or game.outcome is None:
        return None
    plies, ended = len(game.plies), game.ended or now
    if game.outcome.reason not in NO_RESULT:
        return GameResult(pairing, game.outcome.winner, plies, ended, berserk=game.clock.berserk)
    if game.outcome.reason not in ("abort", "expired"):
        return GameResult(pairing, None, plies, ended, void=True)
    absent = game.aborted_by or game.to_move
    return GameResult(pairing, absent.other, plies, ended, absent=absent, berserk=game.clock.berserk)


def result_without_game(pairing: Pairing) -> GameResult:
    """What somebody has of a round for which they have no game."""
    return GameResult(pairing, Color.WHITE if pairing.black == FREE else None, 0, pairing.at)


class Correction(StrEnum):
    """What an organiser makes of a result: won, drawn, won as the other one did not come, or of no account."""

    WHITE = "white"
    DRAW = "draw"
    BLACK = "black"
    NO_BLACK = "no_black"
    NO_WHITE = "no_white"
    VOID = "void"


def corrected(result: GameResult, correction: Correction) -> GameResult:
    """The result as the organiser has decided. The game stays as it was played."""
    winner, absent = {
        Correction.WHITE: (Color.WHITE, None),
        Correction.BLACK: (Color.BLACK, None),
        Correction.NO_BLACK: (Color.WHITE, Color.BLACK),
        Correction.NO_WHITE: (Color.BLACK, Color.WHITE),
    }.get(correction, (None, None))
    return replace(result, winner=winner, absent=absent, void=correction is Correction.VOID)


class ActKind(StrEnum):
    """What an organiser does: correct a result, take somebody out, begin a round, or end the tournament."""

    RESULT = "result"
    OUT = "out"
    ROUND = "round"
    END = "end"


@dataclass(frozen=True, slots=True)
class Act:
    """What `by` has done as organiser, at `at`. `about`: a game or a person (ids), the number of a round, or "".

    `number`: of the corrections of a game, from 1: the last one counts. `said`: the correction.
    """

    kind: ActKind
    about: str
    by: Player
    at: int
    number: int = 1
    said: str = ""


@dataclass(frozen=True, slots=True)
class Manager:
    """Who acts as organiser: whoever has announced it, or, `of_site`, a host or organiser of the site."""

    person: Player
    of_site: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """One game of one person. `points`: what it was worth; `doubled`: because of a streak. `opponent`: their id, or
    FREE or HALF for a round without a game.
    """

    game: str
    opponent: str
    color: Color
    won: bool
    drawn: bool
    points: int
    doubled: bool
    berserk: bool
    absent: bool
    ended: int
    wave: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that an entrant has played, in order. `points`: halves of a point where the scoring has such."""

    entrant: Entrant
    played: tuple[Played, ...] = ()
    points: int = 0
    performance: int = 0
    streak: int = 0
    """Games won in a row, up to the last one."""
    ties: tuple[int, ...] = ()
    """What decides where points are equal, in the order of the format."""

    @property
    def person(self) -> str:
        return self.entrant.person.id


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody who is present and would play. `place`: by the table, from 1. `since`: when they became free.

    `met`: opponents and own colours of their games, the newest last. `again`: they would meet the last one again.
    `apart`: with whom (ids) they are brought to no game, as one of the two has blocked the other.
    """

    person: str
    place: int
    rating: int
    since: int
    met: tuple[tuple[str, Color], ...] = ()
    again: bool = False
    apart: Set[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Busy:
    """Somebody who is present and plays. `free`: when they are expected to have finished."""

    person: str
    place: int
    free: int


@dataclass(frozen=True, slots=True)
class Field:
    """Who can be paired now, and who plays; all of them present, where the format asks for that.

    `banned`: who would, and has to wait (ids). `sheets`: the table; `under_way`: how many games are in play; `round`:
    the number of the last wave, paired at `round_at`, of which the last result is of `ended`.
    """

    waiting: tuple[Candidate, ...] = ()
    playing: tuple[Busy, ...] = ()
    banned: Set[str] = frozenset()
    sheets: Sequence[Sheet] = ()
    under_way: int = 0
    round: int = 0
    round_at: int = 0
    ended: int = 0


class WaitReason(StrEnum):
    """Why somebody waits: an id of words (`tournaments.wait_…`)."""

    NOT_STARTED = "not_started"
    OVER = "over"
    LAST_PAIRINGS = "last_pairings"
    PAUSED = "paused"
    AWAY = "away"
    BANNED = "banned"
    ALONE = "alone"
    ONLY_LAST = "only_last"
    PLAYING = "playing"
    SOON = "soon"
    ROUND_ENDS = "round_ends"
    NEXT_ROUND = "next_round"
    BY_HAND = "by_hand"
    NOT_FULL = "not_full"


@dataclass(frozen=True, slots=True)
class Wait:
    """`person`: whom it is about, "" for nobody. `seconds`: until something changes; 0: not known. `others`: how many
    play meanwhile.
    """

    reason: WaitReason
    person: str = ""
    seconds: int = 0
    others: int = 0


@dataclass(frozen=True, slots=True)
class Format:
    """How tournaments of one kind are played.

    `pair`: whom to pair now, as (White, Black) by id. `worth`: what each game of one person, in order, was worth.
    `rank`: the table, the best first. `is_over`: as the field stands. `why_waiting`: what somebody who waits is told.
    `in_rounds`: all who are in it are paired at once, present or not, and a pause is for one round.
    """

    pair: Callable[[Tournament, Field, int], SlicedWork[Sequence[tuple[str, str]]]]
    worth: Callable[[Scoring, Sequence[GameResult], str], Sequence[Played]]
    rank: Callable[[Tournament, Iterable[Sheet]], SlicedWork[Sequence[Sheet]]]
    is_over: Callable[[Tournament, Field, int], bool]
    why_waiting: Callable[[Tournament, Field, str, int], Wait]
    in_rounds: bool = False


def standings(
    format: Format, tournament: Tournament, entrants: Mapping[str, Entrant], results: Iterable[GameResult]
) -> Sequence[Sheet]:
    """The table, the best first, from scratch."""
    played = results_by_person(results)
    early = withdrawn_early(tournament, entrants, played)
    return run_at_once(
        table_of(
            format,
            tournament,
            (
                sheet_of(format, tournament, entrant, without(early, played.get(person, ())), entrants)
                for person, entrant in entrants.items()
            ),
        )
    )


def withdrawn_early(
    tournament: Tournament, entrants: Mapping[str, Entrant], played: Mapping[str, Sequence[GameResult]]
) -> Set[str]:
    """Who has withdrawn from a section (ids) before they had played more than half of their games: none of them counts.
    `played`: the results of each person. Once the section is over, nobody withdraws any more.
    """
    if not tournament.terms.size:
        return frozenset()
    early, over = set(), tournament.over
    for person, entrant in entrants.items():
        if entrant.has_withdrawn and not 0 < over < entrant.at:
            own = [one for one in played.get(person, ()) if not one.void]
            came = sum(one.absent is not one.pairing.color_of(person) for one in own)
            if 2 * came <= tournament.terms.games_each:
                early.add(person)
    return early


def without(people: Set[str], results: Iterable[GameResult]) -> Sequence[GameResult]:
    """The results in which none of these people (ids) has a part."""
    return [one for one in results if one.pairing.white not in people and one.pairing.black not in people]


def as_withdrawn(result: GameResult, entrants: Mapping[str, Entrant]) -> GameResult:
    """The result of a game in a section as it is stored: who has withdrawn has not played what they lose."""
    if result.winner is None or result.void:
        return result
    loser = result.winner.other
    person = result.pairing.white if loser is Color.WHITE else result.pairing.black
    has_withdrawn = person in entrants and entrants[person].has_withdrawn
    return replace(result, absent=loser) if has_withdrawn else result


def table_of(format: Format, tournament: Tournament, sheets: Iterable[Sheet]) -> SlicedWork[Sequence[Sheet]]:
    """The table, the best first: of those who are in, and of everybody who has played."""
    standing = (Standing.IN, Standing.PAUSED)
    return format.rank(tournament, (one for one in sheets if one.played or one.entrant.standing in standing))


def results_by_person(results: Iterable[GameResult]) -> dict[str, list[GameResult]]:
    """The results of each person (an id) who has any."""
    found: dict[str, list[GameResult]] = {}
    for result in results:
        for person in (result.pairing.white, result.pairing.black):
            found.setdefault(person, []).append(result)
    return found


def sheet_of(
    format: Format,
    tournament: Tournament,
    entrant: Entrant,
    results: Iterable[GameResult],
    entrants: Mapping[str, Entrant],
) -> Sheet:
    """The sheet of one entrant, by their results, in whatever order."""
    counting = (one for one in results if counts(tournament, one))
    ordered = sorted(counting, key=lambda one: (one.pairing.wave, one.pairing.board))
    played = tuple(format.worth(tournament.terms.scoring, ordered, entrant.person.id))
    streak = next((at for at, one in enumerate(reversed(played)) if not one.won), len(played))
    points = sum(one.points for one in played)
    return Sheet(entrant, played, points, _performance(played, entrants), streak)


def counts(tournament: Tournament, result: GameResult) -> bool:
    """Does it count, or was the game void, or over too late: also when its organiser had ended the tournament?"""
    last_ms = min(tournament.over, tournament.last_ms) if tournament.called_off else tournament.last_ms
    return not result.void and result.ended <= last_ms


def _performance(played: Sequence[Played], entrants: Mapping[str, Entrant]) -> int:
    """The mean of the opponents' ratings, by PERFORMANCE_GAP more for a win and less for a loss; 0 without a game.

    Games that somebody did not come to say nothing of how anybody plays.
    """
    shown = [
        entrants[one.opponent].rating + (0 if one.drawn else PERFORMANCE_GAP if one.won else -PERFORMANCE_GAP)
        for one in played
        if one.opponent in entrants and not one.absent
    ]
    return round(sum(shown) / len(shown)) if shown else 0


def did_not_come(sheet: Sheet) -> bool:
    """Did they not come to their latest game, and have not said since that they are back? They rest until they do.

    An earlier one says nothing: they have played since, whatever its result is corrected to.
    """
    last = sheet.played[-1] if sheet.played else None
    return last is not None and last.absent and not last.won and last.ended > sheet.entrant.at


def standing_in(tournament: Tournament, entrant: Entrant, round_at: int) -> Standing:
    """What counts of what an entrant has said last: in rounds, of which the last was paired at `round_at`, a pause is
    over with the next one.
    """
    is_over = tournament.terms.rounds and entrant.standing is Standing.PAUSED and entrant.at <= round_at
    return Standing.IN if is_over else entrant.standing


def check_terms(terms: TournamentTerms, now: int, most_ms: int = LATEST_MS) -> None:
    """Raises BadTerms or BadClock for what cannot be announced at `now`."""
    terms.control.validate()
    if not terms.name:
        raise BadTournament("tournament_unnamed")
    if 0 < terms.highest < terms.lowest:
        raise BadTerms("seek_range")
    if terms.format == "robin":
        _check_section(terms)
        return
    if not terms.control.by_the_minute or terms.control.has_odds:
        raise BadTournament("tournament_clock")
    if terms.rounds:
        _check_rounds(terms)
    elif terms.minutes not in MINUTES:
        raise BadTournament("tournament_minutes", least=MINUTES.start, most=MINUTES.stop - 1)
    elif terms.minutes * MINUTE_MS < FEWEST_GAMES * terms.game_ms:
        raise BadTournament("tournament_too_short", n=FEWEST_GAMES)
    if not now + SOONEST_MS <= terms.starts <= now + most_ms:
        raise BadTournament("tournament_start", n=most_ms // (24 * 60 * MINUTE_MS))


def _check_section(terms: TournamentTerms) -> None:
    if not terms.control.by_days:
        raise BadTournament("tournament_days")
    if terms.size not in SIZES:
        raise BadTournament("tournament_size", least=SIZES.start, most=SIZES.stop - 1)
    if terms.scoring is not Scoring.PLAIN or terms.berserk or terms.rounds or terms.minutes:
        raise BadTournament("tournament_variant")


def _check_rounds(terms: TournamentTerms) -> None:
    if terms.rounds not in ROUNDS:
        raise BadTournament("tournament_rounds", least=ROUNDS.start, most=ROUNDS.stop - 1)
    if terms.rest_s and terms.rest_s not in RESTS_S:
        raise BadTournament("tournament_rest", least=RESTS_S.start, most=RESTS_S.stop - 1)
    if terms.no_show_s and terms.no_show_s not in NO_SHOWS_S:
        least, most = NO_SHOWS_S.start // 60, NO_SHOWS_S.stop // 60
        raise BadTournament("tournament_no_show", least=least, most=most)
    if terms.dates:
        begin = (terms.starts, *terms.dates)
        follow = all(after - before >= DATES_APART_MS for before, after in pairwise(begin))
        if len(begin) != terms.rounds or not follow or begin[-1] > terms.starts + LAST_DATE_MS or terms.rest_s:
            days = LAST_DATE_MS // (24 * 60 * MINUTE_MS)
            raise BadTournament("tournament_dates", n=terms.rounds - 1, minutes=DATES_APART_MS // MINUTE_MS, days=days)
    if len(set(terms.ties)) != len(terms.ties) or len(terms.ties) > MOST_TIES:
        raise BadTournament("tournament_ties", n=MOST_TIES)
    if sum(map(len, terms.apart)) > MOST_APART or any(len(set(group)) < 2 for group in terms.apart):
        raise BadTournament("tournament_apart", n=MOST_APART)
    if terms.scoring is not Scoring.PLAIN or terms.berserk:
        raise BadTournament("tournament_variant")


def kept_apart(terms: TournamentTerms, entrants: Mapping[str, Entrant]) -> Mapping[str, Set[str]]:
    """With whom each entrant (ids) is not paired, as the organiser has it; who is not named is left out."""
    of_name = {one.person.name.lower(): id for id, one in entrants.items()}
    found: dict[str, set[str]] = {}
    for group in terms.apart:
        here = {of_name[name] for name in group if name in of_name}
        for one in here:
            found.setdefault(one, set()).update(here - {one})
    return found


def next_round_at(terms: TournamentTerms, round: int, ended: int) -> int | None:
    """When the round after that one begins by itself, of which the last game was over at `ended`; None: its organiser
    begins it.
    """
    if not round:
        return terms.starts
    if terms.dates:
        return max(ended, terms.dates[round - 1]) if round <= len(terms.dates) else None
    return ended + 1_000 * terms.rest_s if terms.rest_s else None


def announced(id: str, organiser: Player, terms: TournamentTerms, now: int) -> Tournament:
    """The tournament as it is first stored."""
    if terms.size:
        return Tournament(id, organiser, replace(terms, starts=NEVER), now, NEVER, event=id, stage=1, section=1)
    lasts = MOST_ROUNDS_MS if terms.rounds else terms.minutes * MINUTE_MS
    last_begins = max((terms.starts, *terms.dates))
    made = Tournament(id, organiser, terms, created=now, ends=last_begins + lasts)
    return replace(made, news_at=next_reminder(made, now))


def next_section(id: str, before: Tournament, stage: int, section: int, now: int) -> Tournament:
    """Another section of the same event, as it is first stored."""
    made = announced(id, before.organiser, before.terms, now)
    return replace(made, event=before.event, stage=stage, section=section)


def joined(
    tournament: Tournament,
    before: Entrant | None,
    seeker: Seeker,
    rating: int,
    provisional: bool,
    now: int,
    begun: int = 0,
) -> Entrant:
    """The entrant as they are stored once they have joined, or come back. Points stay, whoever leaves and comes back.
    `begun`: the waves so far.

    Raises NotAllowed, RegisteredOnly.
    """
    check_open(tournament, now)
    if not seeker.registered:
        raise RegisteredOnly
    if tournament.terms.size and (begun or tournament.called):
        raise NotInTournament("section_begun")
    if tournament.stage > 1 and before is None:
        raise NotInTournament("section_winners")
    if before is not None:
        if before.standing is Standing.OUT:
            raise NotInTournament("tournament_out")
        return replace(before, standing=Standing.IN, at=max(now, before.at + 1))
    terms = tournament.terms
    if is_too_late(tournament, begun):
        raise NotInTournament("tournament_late")
    if (terms.lowest and rating < terms.lowest) or (terms.highest and rating > terms.highest):
        raise NotInTournament(
            "tournament_rating", rating=rating, lowest=terms.lowest or "–", highest=terms.highest or "–"
        )
    return Entrant(seeker.player, rating, provisional, joined=now, at=now)


def is_too_late(tournament: Tournament, begun: int) -> bool:
    """Can nobody new join, as more than half of the rounds have begun?"""
    return 0 < tournament.terms.rounds < 2 * begun


def stood_down(entrant: Entrant, standing: Standing, now: int) -> Entrant:
    """The entrant once they pause, have left, or are taken out, which nobody but the organiser or the host takes back.

    Raises NotAllowed if they are out already.
    """
    if entrant.standing is Standing.OUT:
        raise NotInTournament("tournament_out")
    return replace(entrant, standing=standing, at=max(now, entrant.at + 1))


def check_room(entrants: int) -> None:
    """Raises NotAllowed if a tournament with so many `entrants` takes nobody more."""
    if entrants >= MOST_ENTRANTS:
        raise NotInTournament("tournament_full", n=MOST_ENTRANTS)


def check_organiser(tournament: Tournament, manager: Manager) -> None:
    """Raises NotAllowed unless they have announced it, or act for the site."""
    if not manager.of_site and tournament.organiser.id != manager.person.id:
        raise NotInTournament("tournament_not_yours")


def check_correction(tournament: Tournament, now: int) -> None:
    """Raises NotAllowed once its results are final."""
    if tournament.over and now >= tournament.over + CORRECTED_MS:
        raise NotInTournament("tournament_final", n=CORRECTED_MS // (24 * 60 * MINUTE_MS))


def check_corrections(in_all: int, of_game: int) -> None:
    """Raises NotAllowed if one person has corrected so many results of a tournament, and so often that of one game."""
    if of_game >= MOST_OF_GAME:
        raise NotInTournament("tournament_corrected", n=MOST_OF_GAME)
    if in_all >= MOST_CORRECTIONS:
        raise NotInTournament("tournament_corrections", n=MOST_CORRECTIONS)


def not_joined() -> NotAllowed:
    """What somebody is told who has not joined."""
    return NotInTournament("not_joined")


def too_many_a_day() -> NotAllowed:
    """What somebody is told who has announced as many tournaments within a day as one person can."""
    return NotInTournament("tournaments_a_day", n=A_DAY)


def too_many_open() -> NotAllowed:
    """What somebody is told who has as many tournaments that are not over as one person can."""
    return NotInTournament("tournaments_open", n=MOST_OPEN)


def check_open(tournament: Tournament, now: int) -> None:
    """Raises NotAllowed if nobody can join or leave any more."""
    if tournament.over or now >= tournament.ends:
        raise NotInTournament("tournament_over")


def called_off(tournament: Tournament, now: int) -> Tournament:
    """The tournament as its organiser, or the host, ends it. Raises NotAllowed if it is over."""
    if tournament.over:
        raise NotInTournament("tournament_over")
    return replace(tournament, over=now, called_off=True, rev=tournament.rev + 1, news_at=0)


def round_called(tournament: Tournament, number: int) -> Tournament:
    """The tournament once its organiser has begun that round. Raises NotAllowed if none is to be begun by hand."""
    if tournament.over:
        raise NotInTournament("tournament_over")
    if tournament.terms.rest_s or tournament.terms.dates or not 1 < number <= tournament.terms.rounds:
        raise NotInTournament("tournament_no_round")
    return replace(tournament, called=number, rev=tournament.rev + 1)


def finished(tournament: Tournament, now: int, sheets: Sequence[Sheet] = ()) -> Tournament:
    """The tournament as it is stored when it has been played to the end, with that table."""
    # The end of an arena is seen by all who were there.
    news_at = now if tournament.terms.rounds or tournament.terms.size else 0
    return replace(tournament, over=now, winner=winner_of(sheets), rev=tournament.rev + 1, news_at=news_at)


class TournamentNews(StrEnum):
    """What the players of a tournament are told while they are elsewhere: that it begins soon, or its final table."""

    SOON = "soon"
    OVER = "over"


def next_reminder(tournament: Tournament, now: int) -> int:
    """When its players are to be reminded next that it begins; 0: not any more."""
    begin = (tournament.terms.starts, *tournament.terms.dates)
    far = [begin[0], *(after for before, after in pairwise(begin) if after - before >= REMIND_APART_MS)]
    return next((at - REMIND_MS for at in far if at - REMIND_MS > now), 0)


def news_of(tournament: Tournament, now: int) -> TournamentNews | None:
    """What its players are to be told at `now`; None: nothing, or it is too late for that."""
    if not 0 < tournament.news_at <= now:
        return None
    if tournament.over:
        return TournamentNews.OVER if now < tournament.over + TOLD_WITHIN_MS else None
    return TournamentNews.SOON if now < begins_next(tournament, now) <= now + REMIND_MS else None


def begins_next(tournament: Tournament, now: int) -> int:
    """When it begins, or the next of its rounds that have dates; 0: nothing of it does."""
    return next((at for at in (tournament.terms.starts, *tournament.terms.dates) if at > now), 0)


def news_claimed(tournament: Tournament, now: int) -> Tournament:
    """The tournament as it is stored while one process tells its news: another one tells it if that dies."""
    return replace(tournament, news_at=now + TELLING_MS, rev=tournament.rev + 1)


def news_told(tournament: Tournament, now: int) -> Tournament:
    """The tournament as it is stored once its players have been told."""
    news_at = 0 if tournament.over else next_reminder(tournament, now)
    return replace(tournament, news_at=news_at, rev=tournament.rev + 1)


def players_to_tell(tournament: Tournament, sheets: Iterable[Sheet], round_at: int) -> Sequence[Sheet]:
    """Whom its news concerns: once it is over all who have played, before that all who are in it."""
    if tournament.over:
        return [one for one in sheets if one.played]
    return [
        one for one in sheets if standing_in(tournament, one.entrant, round_at) is Standing.IN and not did_not_come(one)
    ]


def chosen_in_turn(found: Sequence[Tournament], most: int, own: Set[str] = frozenset()) -> Sequence[Tournament]:
    """At most so many of these, in their order: first those in `own` (ids), then of each organiser the first one, then
    of each the second, so that whoever announces many hides nobody else's.
    """
    turns: dict[str, int] = {}
    ranked = []
    for at, one in enumerate(found):
        turns[one.organiser.id] = turn = turns.get(one.organiser.id, -1) + 1
        ranked.append((one.id not in own, turn, at))
    return [found[at] for at in sorted(at for *_, at in sorted(ranked)[:most])]


def winner_of(sheets: Sequence[Sheet]) -> Player | None:
    """Who is first in the table; None: nobody has played."""
    return sheets[0].entrant.person if sheets and sheets[0].played else None


def placings(tournament: Tournament, sheets: Sequence[Sheet]) -> Mapping[str, Placing]:
    """What each person (an id) has come to who has played; nothing where it was not played to its end."""
    if not tournament.over or tournament.called_off:
        return {}
    return {
        one.person: Placing(place, len(sheets), one.points, tournament.over)
        for place, one in enumerate(sheets, 1)
        if one.played
    }


def settled(tournament: Tournament, sheets: Sequence[Sheet]) -> Tournament | None:
    """A tournament that is over as it is stored once a correction has changed who is first; None: it has not."""
    winner, before = winner_of(sheets), tournament.winner
    same = (before and before.id) == (winner and winner.id)
    if not tournament.over or tournament.called_off or same:
        return None
    return replace(tournament, winner=winner, rev=tournament.rev + 1)


def abandoned(tournament: Tournament, now: int) -> Tournament | None:
    """The tournament as it is stored if nobody has been able to play it to its end for a day; None: it goes on."""
    if now < tournament.last_ms + ABANDONED_MS:
        return None
    return replace(tournament, over=now, called_off=True, rev=tournament.rev + 1)


def was_abandoned(tournament: Tournament) -> bool:
    """Is it over because nobody could play it to its end, and not by anybody's doing?"""
    return tournament.called_off and tournament.over >= tournament.last_ms + ABANDONED_MS


def downtime(since: int, ends: int, now: int) -> int:
    """By how much the end moves if nobody has paired since then: not at all after a short or a very long while."""
    gap = now - since
    return gap if since < ends and SHORT_MS <= gap <= MOST_DOWN_MS else 0
