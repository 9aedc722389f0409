"""The robin: everyone against everyone, in sections of four to seven, by correspondence. The third format. Pure.

A section begins when it is full, with all of its games at once: that is its only wave. Who has White is from FIDE's
Berger tables (C.05), by the order in which people have entered. Who withdraws loses what they have not played, if they
have played more than half of their games; otherwise none of their games counts (`withdrawn_early`). What is lost in
this way stands in tie-breaks as if it had been played, as FIDE has it for such tournaments (C.07).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from server.games.tournaments.swiss import Cards, Line, Pairs, Tie, line_of, ranked, wins, worth
from server.games.tournaments.tournament import (
    Candidate,
    Field,
    Format,
    Sheet,
    Standing,
    Tournament,
    Wait,
    WaitReason,
)
from server.rules.sliced_work import SlicedWork

AS_PLAYED: Final = {"+": "1", "-": "0"}
"""What a game counts as in tie-breaks that somebody did not play."""


# --- who has White --------------------------------------------------------------------------------------------------


def berger_table(people: int) -> Sequence[Sequence[tuple[int, int]]]:
    """The rounds in which so many people all meet once, by number from 1, as (White, Black).

    With an odd number, whoever would meet the next higher one has no game in that round.
    """
    even = people + people % 2
    turning = even - 1
    rounds = []
    for at in range(turning):
        # All but the highest sit in a circle, which turns by half of it from round to round.
        first = at * even // 2 % turning
        top = (first + 1, even)
        pairs = [top if at % 2 == 0 else top[::-1]]
        for step in range(1, even // 2):
            pairs.append(((first + step) % turning + 1, (first - step) % turning + 1))
        rounds.append([pair for pair in pairs if people >= max(pair)])
    return rounds


def all_games(people: int, *, twice: bool) -> Sequence[tuple[int, int]]:
    """All games of so many people, by number from 1, as (White, Black); `twice`: the same with colours changed, too."""
    once = [pair for pairs in berger_table(people) for pair in pairs]
    return [*once, *(pair[::-1] for pair in once)] if twice else once


# --- tie-breaks -----------------------------------------------------------------------------------------------------


def sonneborn_berger(tie: Tie, person: str) -> int:
    """The points of whom they have beaten, and half of those of whom they have drawn with, in quarters of a point."""
    return sum(line.points * tie.points.get(line.opponent, 0) for line in tie.cards[person])


def koya(tie: Tie, person: str) -> int:
    """Points, in halves, against those who have at least half of all that could be won."""
    return sum(
        line.points for line in tie.cards[person] if tie.points.get(line.opponent, 0) >= len(tie.cards[line.opponent])
    )


TIES: Final = ("sonneborn", "direct", "wins", "koya")
"""What decides where points are equal, in this order: ids of words (`tournaments.tie_…`)."""
MEASURES: Final = {"sonneborn": sonneborn_berger, "wins": wins, "koya": koya}


def cards_of(sheets: Iterable[Sheet]) -> Cards:
    """What each person has played, as if nobody had withdrawn."""
    cards: dict[str, Sequence[Line]] = {}
    for sheet in sheets:
        lines = [line_of(one) for one in sheet.played]
        cards[sheet.person] = [replace(line, letter=AS_PLAYED.get(line.letter, line.letter)) for line in lines]
    return cards


# --- the format -----------------------------------------------------------------------------------------------------


def pair_waiting(tournament: Tournament, field: Field, now: int) -> SlicedWork[Pairs]:
    """All games of the section, once it is full: of the first to enter of whom no two are kept apart."""
    yield
    seated = seats(tournament, field)
    if field.round or tournament.over or len(seated) < tournament.terms.size:
        return ()
    games = all_games(tournament.terms.size, twice=tournament.terms.twice)
    return tuple((seated[white - 1].person, seated[black - 1].person) for white, black in games)


def seats(tournament: Tournament, field: Field) -> Sequence[Candidate]:
    """Who plays in the section as things stand, in the order in which they have entered."""
    seated: list[Candidate] = []
    for one in sorted(field.waiting, key=lambda one: one.place):
        if not any(other.person in one.apart or one.person in other.apart for other in seated):
            seated.append(one)
    return seated[: tournament.terms.size]


def rank(tournament: Tournament, sheets: Iterable[Sheet]) -> SlicedWork[Sequence[Sheet]]:
    """By points, then TIES, then the rating; before anything is played, by who has entered first."""
    by_person = {one.person: one for one in sheets}
    if not any(one.played for one in by_person.values()):
        return sorted(by_person.values(), key=lambda one: (one.entrant.joined, one.person))
    ratings: Mapping[str, int] = {person: one.entrant.rating for person, one in by_person.items()}
    ordered = yield from ranked(cards_of(by_person.values()), ratings, TIES, MEASURES)
    return [replace(by_person[person], ties=values) for person, values in ordered]


def is_over(tournament: Tournament, field: Field, now: int) -> bool:
    """Has every game of the section ended?"""
    return field.round > 0 and not field.under_way


def why_waiting(tournament: Tournament, field: Field, person: str, now: int) -> Wait:
    """What somebody is told who has entered: that it begins when it is full, or what is still played."""
    if tournament.over or (field.round and not field.under_way):
        return Wait(WaitReason.OVER)
    if field.round:
        return Wait(WaitReason.ROUND_ENDS, others=field.under_way)
    if person in field.banned:
        return Wait(WaitReason.BANNED)
    return Wait(WaitReason.NOT_FULL, others=tournament.terms.size - len(seats(tournament, field)))


def winner_who_goes_on(sheets: Sequence[Sheet]) -> Sheet | None:
    """The first in the table who has not withdrawn; None: nobody."""
    return next((one for one in sheets if one.played and one.entrant.standing is Standing.IN), None)


ROBIN: Final = Format(pair_waiting, worth, rank, is_over, why_waiting, in_rounds=True)
