"""The Swiss: a number of rounds, all at once, equals against equals, and nobody twice. The second format. Pure.

What somebody has in a round is a line of their card, with the letter that FIDE's report files have for it; points,
tie-breaks and pairings are folds over cards. The rules are FIDE's: nobody meets twice and nobody is left over twice
(C.04.1), colours alternate (C.04.3.E), and tie-breaks are those of C.07 of 2026, in the order that the organiser has
chosen. A round can always begin: where it must, first colours give way, then people meet again. Who pauses is not in
the next round, and in the first half of the tournament has half a point for it, once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final, TypeAlias

from server.games.tournaments.matching import match_people
from server.games.tournaments.tournament import (
    FREE,
    HALF,
    MINUTE_MS,
    Field,
    Format,
    GameResult,
    Played,
    Scoring,
    Sheet,
    Standing,
    Tournament,
    TournamentTerms,
    Wait,
    WaitReason,
    next_round_at,
    standing_in,
)
from server.rules.sliced_work import SlicedWork
from server.rules.variant.pieces import Color

ALONE_MS: Final = 60 * MINUTE_MS
"""When a tournament ends in which no two are left who may play each other."""
POINTS: Final = {"1": 2, "+": 2, "U": 2, "=": 1, "H": 1, "0": 0, "-": 0, "Z": 0}
"""By the letter of a line, in halves of a point."""
OVER_THE_BOARD: Final = frozenset("1=0")
CAME: Final = frozenset("1=0+U")
"""What somebody has who was there for the round, and so has not left."""
ASKED: Final = frozenset("HZ")
"""What somebody has who did not want to play."""
UNPAID: Final = frozenset("HZ-")
"""What counts as absence of their own making: the first to be cut."""
FREE_POINT: Final = frozenset("+U")
"""A whole point without play: who has one is not left over again, and gets no half one."""
Pairs: TypeAlias = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Line:
    """One round of one person. `letter`: as FIDE's reports have it; `opponent`: an id, "" for none."""

    letter: str
    opponent: str = ""
    color: Color | None = None

    @property
    def points(self) -> int:
        """What it was worth, in halves of a point."""
        return POINTS[self.letter]

    @property
    def is_game(self) -> bool:
        """Was it played at the board?"""
        return self.letter in OVER_THE_BOARD


Cards: TypeAlias = Mapping[str, Sequence[Line]]
"""The lines of each person (an id), from the first round."""


def cards_of(sheets: Iterable[Sheet], rounds: int, *, complete: bool) -> Cards:
    """The cards after so many rounds. A round without a line is one that they were not in; where the last one is not
    `complete`, it may still be played.
    """
    return {sheet.person: card_of(sheet, rounds, complete=complete) for sheet in sheets}


def card_of(sheet: Sheet, rounds: int, *, complete: bool) -> Sequence[Line]:
    """The card of one person, as `cards_of` has it."""
    lines = {one.wave: line_of(one) for one in sheet.played}
    have = rounds if complete or rounds in lines else rounds - 1
    return tuple(lines.get(at, Line("Z")) for at in range(1, have + 1))


def line_of(played: Played) -> Line:
    """The line of one game, or of a round without one."""
    if played.opponent in (FREE, HALF):
        return Line("U" if played.opponent == FREE else "H")
    letter = ("+" if played.won else "-") if played.absent else "1" if played.won else "=" if played.drawn else "0"
    return Line(letter, played.opponent, played.color)


# --- tie-breaks -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tie:
    """All that tie-breaks are made of. `adjusted`: the scores of people as their opponents have them."""

    cards: Cards
    points: Mapping[str, int]
    adjusted: Mapping[str, int]

    def opposed(self, person: str) -> Sequence[tuple[Line, int]]:
        """Each round with what it stands for in a Buchholz: the opponent's score, or that of a dummy (C.07.16.4)."""
        own, lines = self.points[person], self.cards[person]
        return [(line, self._stands_for(line, own, len(lines))) for line in lines]

    def _stands_for(self, line: Line, own: int, rounds: int) -> int:
        if line.is_game:
            return self.adjusted.get(line.opponent, 0)
        if line.letter in "+-":
            return min(own, self.adjusted.get(line.opponent, own))
        return min(own, rounds)


def tie_of(cards: Cards) -> Tie:
    """What tie-breaks are made of."""
    points = {person: sum(line.points for line in lines) for person, lines in cards.items()}
    return Tie(cards, points, {person: _adjusted(lines) for person, lines in cards.items()})


def _adjusted(lines: Sequence[Line]) -> int:
    """Rounds that somebody did not want, and after which they never came again, count as draws (C.07.16.3)."""
    last = max((at for at, line in enumerate(lines) if line.letter in CAME), default=-1)
    return sum(1 if line.letter in ASKED and at > last else line.points for at, line in enumerate(lines))


def buchholz(tie: Tie, person: str) -> int:
    """The scores of all opponents, in halves."""
    return sum(score for _, score in tie.opposed(person))


def buchholz_cut(tie: Tie, person: str) -> int:
    """The same without the lowest one; first goes a round that was missed by their own making (C.07.16.5)."""
    scores = tie.opposed(person)
    unpaid = [score for line, score in scores if line.letter in UNPAID]
    cut = min(unpaid or [score for _, score in scores], default=0)
    return sum(score for _, score in scores) - (cut if len(scores) > 1 else 0)


def wins(tie: Tie, person: str) -> int:
    """Rounds with a whole point, also without play."""
    return sum(line.points == 2 for line in tie.cards[person])


def median(tie: Tie, person: str) -> int:
    """The Buchholz without the lowest opponent, as above, and without the highest one."""
    scores = tie.opposed(person)
    most = max((score for _, score in scores), default=0)
    return buchholz_cut(tie, person) - (most if len(scores) > 2 else 0)


def sonneborn_berger(tie: Tie, person: str) -> int:
    """What each opponent has, times what was won against them, in quarters of a point; as in a Buchholz, a round
    without a game stands for a dummy.
    """
    return sum(line.points * score for line, score in tie.opposed(person))


def won(tie: Tie, person: str) -> int:
    """Games won at the board."""
    return sum(line.letter == "1" for line in tie.cards[person])


def blacks(tie: Tie, person: str) -> int:
    """Games played with Black."""
    return sum(line.is_game and line.color is Color.BLACK for line in tie.cards[person])


def progressive(tie: Tie, person: str) -> int:
    """The sum of the scores after each round, in halves."""
    return sum(accumulate(line.points for line in tie.cards[person]))


TIES: Final = ("cut1", "buchholz", "direct", "wins")
"""What decides where points are equal, in this order, unless the organiser has chosen: ids of words
(`tournaments.tie_…`).
"""
Measures: TypeAlias = Mapping[str, Callable[[Tie, str], int]]
MEASURES: Final[Measures] = {
    "cut1": buchholz_cut,
    "buchholz": buchholz,
    "median": median,
    "sonneborn": sonneborn_berger,
    "wins": wins,
    "won": won,
    "blacks": blacks,
    "progressive": progressive,
}
"""Those that look at one person; `direct` looks at all who are equal."""
CHOICES: Final = ("cut1", "buchholz", "median", "sonneborn", "direct", "wins", "won", "blacks", "progressive")
"""What an organiser can choose from."""


def ties_of(terms: TournamentTerms) -> Sequence[str]:
    """What decides in a Swiss where points are equal."""
    return terms.ties or TIES


def ranked(
    cards: Cards, ratings: Mapping[str, int], ties: Sequence[str] = TIES, measures: Measures = MEASURES
) -> SlicedWork[Sequence[tuple[str, tuple[int, ...]]]]:
    """People (ids), the best first, each with what they have in each of the `ties`; then the higher rating is ahead.

    It takes 50 ms for a thousand people after fifteen rounds, and each result asks for it.
    """
    tie = tie_of(cards)
    values: dict[str, list[int]] = {person: [] for person in cards}
    groups = _split(cards, lambda person: tie.points[person])
    for name in ties:
        parted = []
        for group in groups:
            measure = measures.get(name)
            of = {} if measure else _direct(group, cards)
            for person in group:
                if measure:
                    of[person] = measure(tie, person)
                values[person].append(of[person])
                yield
            parted += _split(group, of.__getitem__)
        groups = parted
    ordered = [person for group in groups for person in sorted(group, key=lambda one: (-ratings.get(one, 0), one))]
    return [(person, tuple(values[person])) for person in ordered]


def _split(people: Iterable[str], measure: Callable[[str], int]) -> list[list[str]]:
    groups: dict[int, list[str]] = {}
    for person in people:
        groups.setdefault(measure(person), []).append(person)
    return [groups[value] for value in sorted(groups, reverse=True)]


def _direct(group: Sequence[str], cards: Cards) -> dict[str, int]:
    """What those who are equal have of the games between them; nothing, unless all have met."""
    among = set(group)
    games = {one: [line for line in cards[one] if line.is_game and line.opponent in among] for one in group}
    if any({line.opponent for line in games[one]} != among - {one} for one in group):
        return dict.fromkeys(group, 0)
    return {one: sum(line.points for line in lines) for one, lines in games.items()}


# --- pairing --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody who is to be paired. `number`: their starting number, by rating. `colors`: of their games, in order;
    `apart`: with whom (ids) they are brought to no game."""

    person: str
    number: int
    points: int
    met: Mapping[str, int]
    colors: tuple[Color, ...]
    has_free: bool
    apart: Set[str] = frozenset()

    @property
    def lead(self) -> int:
        """How much more often they had White than Black."""
        return sum(1 if color is Color.WHITE else -1 for color in self.colors)

    @property
    def wants(self) -> tuple[int, Color | None]:
        """How much they are due a colour, and which: 3 is a must, 2 strongly, 1 for the change, 0 not at all."""
        lead, last = self.lead, self.colors[-1] if self.colors else None
        twice = last is not None and self.colors[-2:] == (last, last)
        if abs(lead) > 1 or (twice and last is not None):
            due = (last.other if twice and last is not None else None) or (Color.BLACK if lead > 0 else Color.WHITE)
            return 3, due
        if lead:
            return 2, Color.BLACK if lead > 0 else Color.WHITE
        return (1, last.other) if last is not None else (0, None)


def seats_of(cards: Cards, numbers: Mapping[str, int], people: Mapping[str, Set[str]]) -> Sequence[Seat]:
    """People, by points and starting number, with what they bring into the next round. `people`: by id, with whom they
    are kept apart.
    """
    seats = []
    for person, apart in people.items():
        lines = cards.get(person, ())
        met: dict[str, int] = {}
        for line in lines:
            if line.is_game:
                met[line.opponent] = met.get(line.opponent, 0) + 1
        colors = tuple(line.color for line in lines if line.is_game and line.color is not None)
        points = sum(line.points for line in lines)
        has_free = any(line.letter in FREE_POINT for line in lines)
        seats.append(Seat(person, numbers[person], points, met, colors, has_free, apart))
    return sorted(seats, key=lambda one: (-one.points, one.number))


def pair_round(seats: Sequence[Seat]) -> SlicedWork[Pairs]:
    """The pairs, as (White, Black), the first board first; last whoever is left over, as (person, FREE), unless they
    have been so before: then they have nothing of this round, and are not in it. So it is with those who are kept apart
    from all who are left.
    """
    for strict, may_repeat in ((True, False), (False, False), (False, True)):
        for free in _left_over(seats)[:TRIED]:
            ordered = _neighbours([one for one in seats if one is not free])
            found = yield from match_people(len(ordered), _cost_between(ordered, strict=strict, may_repeat=may_repeat))
            if 2 * len(found) == len(ordered) or (may_repeat and found):
                pairs = _by_board(_by_color(ordered[one], ordered[other]) for one, other in found)
                return (*pairs, (free.person, FREE)) if free is not None and not free.has_free else pairs
    return ()


TRIED: Final = 5
"""So many are tried as the one who is left over, before a rule gives way."""


def _left_over(seats: Sequence[Seat]) -> Sequence[Seat | None]:
    """Who could be left over, the likeliest first: the last one who has not had a point without play."""
    if len(seats) % 2 == 0:
        return [None]
    upwards = seats[::-1]
    return [one for one in upwards if not one.has_free] or upwards


def _neighbours(seats: Sequence[Seat]) -> Sequence[Seat]:
    """The same people so that likely opponents are side by side: the upper half of each score with the lower."""
    ordered: list[Seat] = []
    for points in sorted({one.points for one in seats}, reverse=True):
        group = [one for one in seats if one.points == points]
        half = (len(group) + 1) // 2
        for at in range(half):
            ordered += group[at::half][:2]
    return ordered


def _cost_between(seats: Sequence[Seat], *, strict: bool, may_repeat: bool) -> Callable[[int, int], int | None]:
    """What it costs that two of them meet: first that one of them floats, then a colour that is due, then the place."""
    place = {one.person: at for at, one in enumerate(sorted(seats, key=lambda one: (-one.points, one.number)))}
    size: dict[int, int] = {}
    for one in seats:
        size[one.points] = size.get(one.points, 0) + 1

    def cost(at: int, other_at: int) -> int | None:
        one, other = seats[at], seats[other_at]
        again = one.met.get(other.person, 0)
        if other.person in one.apart or (again and not may_repeat):
            return None
        (much, mine), (also, theirs) = one.wants, other.wants
        clash = min(much, also) if mine is theirs and mine is not None else 0
        if clash == 3 and strict:
            return None
        ideal = size[one.points] // 2 if one.points == other.points else 0
        distance = abs(abs(place[one.person] - place[other.person]) - ideal)
        return (
            again * 10_000_000
            + (100_000 if clash == 3 else 400 * clash)
            + 2_000 * (one.points - other.points) ** 2
            + distance
        )

    return cost


def _by_color(one: Seat, other: Seat) -> tuple[Seat, Seat]:
    """The two as White and Black, by C.04.3.E: for whoever is more due it, then unlike when they last differed."""
    higher, lower = sorted((one, other), key=lambda seat: (-seat.points, seat.number))
    (much, mine), (also, theirs) = higher.wants, lower.wants
    if mine is not theirs or mine is None:
        color = mine or (theirs.other if theirs is not None else None)
    elif much != also or abs(higher.lead) != abs(lower.lead):
        first = (much, abs(higher.lead)) > (also, abs(lower.lead))
        color = mine if first else mine.other
    else:
        differ = next(
            (a for a, b in zip(higher.colors[::-1], lower.colors[::-1], strict=False) if a is not b), mine.other
        )
        color = differ.other
    if color is None:
        color = Color.WHITE if higher.number % 2 else Color.BLACK
    return (higher, lower) if color is Color.WHITE else (lower, higher)


def _by_board(pairs: Iterable[tuple[Seat, Seat]]) -> Pairs:
    """The pairs by the better score of the two, then both scores, then the better number."""

    def key(pair: tuple[Seat, Seat]) -> tuple[int, int, int]:
        best = min(pair, key=lambda seat: (-seat.points, seat.number))
        return -best.points, -sum(seat.points for seat in pair), best.number

    return [(white.person, black.person) for white, black in sorted(pairs, key=key)]


# --- the format -----------------------------------------------------------------------------------------------------


def pair_waiting(tournament: Tournament, field: Field, now: int) -> SlicedWork[Pairs]:
    """The next round, if it is due and there are two to play it; last who is left over, and who is excused."""
    if not can_go_on(field) or not is_due(tournament, field, now):
        yield
        return ()
    cards = cards_of(field.sheets, field.round, complete=True)
    numbers = starting_numbers(field.sheets)
    pairs = yield from pair_round(seats_of(cards, numbers, {one.person: one.apart for one in field.waiting}))
    if not pairs:
        return ()
    # Half a point is for who plays most of it: in the first half, and for nobody who has a point without play.
    asked = [one.person for one in field.sheets if is_excused(tournament, one, field)]
    excused = [person for person in asked if not _has_any_free(cards[person])]
    return (*pairs, *((person, HALF) for person in excused if 2 * field.round < tournament.terms.rounds))


def can_go_on(field: Field) -> bool:
    """Do two wait who may meet?"""
    people = {one.person for one in field.waiting}
    return any(len(people - one.apart) > 1 for one in field.waiting)


def starting_numbers(sheets: Iterable[Sheet]) -> dict[str, int]:
    """The starting number of each person (an id), from 1: by rating, then by who joined first."""
    by_rating = sorted(sheets, key=lambda one: (-one.entrant.rating, one.entrant.joined, one.person))
    return {one.person: number for number, one in enumerate(by_rating, 1)}


def _has_any_free(lines: Sequence[Line]) -> bool:
    return any(line.letter in FREE_POINT or line.letter == "H" for line in lines)


def is_excused(tournament: Tournament, sheet: Sheet, field: Field) -> bool:
    """Have they said since the last round began that they are not in the next one?"""
    return standing_in(tournament, sheet.entrant, field.round_at) is Standing.PAUSED


def is_due(tournament: Tournament, field: Field, now: int) -> bool:
    """Is it time for the next round?"""
    if field.under_way or not tournament.is_played(now) or field.round >= tournament.terms.rounds:
        return False
    if not field.round:
        return True
    at = next_round_at(tournament.terms, field.round, field.ended)
    return tournament.called > field.round if at is None else now >= at


def worth(scoring: Scoring, results: Sequence[GameResult], person: str) -> Sequence[Played]:
    """What they have of each round, in halves of a point. Who does not come has nothing; their opponent has won."""
    played = []
    for result in results:
        pairing = result.pairing
        color = pairing.color_of(person)
        won, drawn = result.winner is color, result.winner is None
        points, missed = 2 if won else int(drawn), result.absent is not None
        opponent = pairing.opponent_of(person)
        played.append(
            Played(pairing.game, opponent, color, won, drawn, points, False, False, missed, result.ended, pairing.wave)
        )
    return played


def rank(tournament: Tournament, sheets: Iterable[Sheet]) -> SlicedWork[Sequence[Sheet]]:
    """By points, then TIES, then the rating."""
    by_person = {one.person: one for one in sheets}
    rounds = max((one.wave for sheet in by_person.values() for one in sheet.played), default=0)
    cards = {}
    for person, sheet in by_person.items():
        cards[person] = card_of(sheet, rounds, complete=bool(tournament.over))
        yield
    ratings = {person: one.entrant.rating for person, one in by_person.items()}
    ordered = yield from ranked(cards, ratings, ties_of(tournament.terms))
    return [replace(by_person[person], ties=values) for person, values in ordered]


def is_over(tournament: Tournament, field: Field, now: int) -> bool:
    """Have all rounds been played, or have there for long been no two to play the next one, or is it far too late?"""
    if field.under_way:
        return now >= tournament.last_ms
    idle = max(field.ended, next_round_at(tournament.terms, field.round, field.ended) or 0)
    alone = now >= idle + ALONE_MS and not can_go_on(field)
    return field.round >= tournament.terms.rounds or alone or now >= tournament.ends


def why_waiting(tournament: Tournament, field: Field, person: str, now: int) -> Wait:
    """What somebody who has no game is told."""
    if not tournament.has_started(now):
        return Wait(WaitReason.NOT_STARTED)
    if field.under_way:
        return Wait(WaitReason.ROUND_ENDS, others=field.under_way)
    if tournament.over or field.round >= tournament.terms.rounds:
        return Wait(WaitReason.OVER)
    if person in field.banned:
        return Wait(WaitReason.BANNED)
    if not can_go_on(field):
        return Wait(WaitReason.ALONE)
    at = next_round_at(tournament.terms, field.round, field.ended)
    if at is None and tournament.called <= field.round:
        return Wait(WaitReason.BY_HAND)
    left = (at or now) - now
    return Wait(WaitReason.NEXT_ROUND, seconds=max(1, -(-left // 1_000)) if field.round else 1)


SWISS: Final = Format(pair_waiting, worth, rank, is_over, why_waiting, in_rounds=True)
