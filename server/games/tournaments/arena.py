"""The arena: whoever is present and free is paired again at once, until time is over. The first format. Pure.

Who is *present* counts, not who has not paused. A wave runs as soon as two who may meet are free and nobody who plays
would be a clearly better opponent in a moment, or somebody has waited long enough, or many wait. The last opponent is
excluded, unless nobody else is present or both want it. Pairs are people near each other in the table, the nearer the
higher they are, as on lichess.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from server.games.tournaments.matching import match_people
from server.games.tournaments.tournament import (
    Busy,
    Candidate,
    Field,
    Format,
    GameResult,
    Played,
    Scoring,
    Sheet,
    Tournament,
    Wait,
    WaitReason,
)
from server.rules.sliced_work import SlicedWork
from server.rules.variant.pieces import Color

FREE_AFTER_MS: Final = 3_000
"""Nobody is paired sooner after a game: so long *Pause* is in reach."""
SOON_MS: Final = 10_000
"""Somebody who plays is worth waiting for if they are free within this."""
LONGEST_WAIT_MS: Final = 15_000
MANY: Final = 16
"""When so many wait, nobody has to wait for a better opponent."""
AGAIN_AFTER_MS: Final = 20_000
"""Two who have just met, and both ask for it, meet again after so long."""
MOST_RUNNING: Final = 3
"""Games in a row with one colour; nobody has it a fourth time."""
SHORT_DRAW: Final = 20
"""Half-moves below which a draw is worth nothing."""
LONG_DRAW: Final = 60
"""Half-moves from which a second draw in a row is worth something."""
SHORTEST_GAME: Final = 6
"""Half-moves below which children get nothing for a game that they have not won: who resigns at once has not played."""
BERSERK_PLIES: Final = 14
"""Half-moves that a game must last for the point of somebody who has gone berserk."""
ON_FIRE: Final = 2
"""Wins in a row after which games count double."""


def longest_wait_ms(tournament: Tournament) -> int:
    """How long somebody waits at most while another is there whom they may meet."""
    return max(FREE_AFTER_MS, min(LONGEST_WAIT_MS, tournament.terms.game_ms // 20))


def last_pairing_at(tournament: Tournament) -> int:
    """When (ms) the last game may begin: it should end near the end of the tournament."""
    return tournament.ends - max(30_000, min(tournament.terms.control.initial_ms[0] // 2, 120_000))


def pair_waiting(tournament: Tournament, field: Field, now: int) -> SlicedWork[Sequence[tuple[str, str]]]:
    """Whom to pair now, as (White, Black): nobody as long as waiting is better."""
    ready = [one for one in field.waiting if now - one.since >= FREE_AFTER_MS]
    in_time = tournament.has_started(now) and now <= last_pairing_at(tournament)
    if not in_time or not _wave_is_due(ready, field, now, tournament):
        yield
        return ()
    ready.sort(key=lambda one: (one.place, one.person))
    if len(ready) % 2 and len(ready) > 2:
        ready = _without_newest(ready)
    only_two = len(field.waiting) + len(field.playing) == 2
    places = max(one.place for one in ready)

    def cost(at: int, other_at: int) -> int | None:
        one, other = ready[at], ready[other_at]
        if not may_meet(one, other, now, only_two=only_two):
            return None
        share = 300 + 1_700 * (places - min(one.place, other.place)) // places
        return abs(one.place - other.place) * share + abs(one.rating - other.rating)

    pairs = yield from match_people(len(ready), cost)
    return tuple(colors_of(ready[one], ready[other]) for one, other in pairs)


def _wave_is_due(ready: Sequence[Candidate], field: Field, now: int, tournament: Tournament) -> bool:
    if len(ready) < 2:
        return False
    waited = max(now - one.since for one in ready)
    if len(ready) >= MANY or waited >= longest_wait_ms(tournament):
        return True
    # Whoever comes free in a moment is better if they are nearer in the table than the two who would meet.
    first, second = sorted(one.place for one in ready)[:2]
    better = second - first
    return not any(
        one.free - now <= SOON_MS and min(abs(one.place - first), abs(one.place - second)) < better
        for one in field.playing
    )


def _without_newest(ready: Sequence[Candidate]) -> list[Candidate]:
    """An odd number without the one who has waited least."""
    newest = max(ready, key=lambda one: (one.since, one.place))
    rest = [one for one in ready if one is not newest]
    # With three, the two others may be those who must not meet.
    return list(ready) if len(ready) == 3 else rest


def may_meet(one: Candidate, other: Candidate, now: int, *, only_two: bool) -> bool:
    """May the two be paired? `only_two`: nobody else is present."""
    if other.person in one.apart or one.person in other.apart:
        return False
    lean = _lean(one)
    if lean is not None and lean is _lean(other) and not only_two:
        return False
    if not (_last(one) == other.person or _last(other) == one.person):
        return True
    both_ask = one.again and other.again and all(now - each.since >= AGAIN_AFTER_MS for each in (one, other))
    return only_two or both_ask


def _last(one: Candidate) -> str:
    return one.met[-1][0] if one.met else ""


def _lean(one: Candidate) -> Color | None:
    """The colour that they have had MOST_RUNNING times running, and must not have again."""
    last = {color for _, color in one.met[-MOST_RUNNING:]}
    return last.pop() if len(one.met) >= MOST_RUNNING and len(last) == 1 else None


def colors_of(one: Candidate, other: Candidate) -> tuple[str, str]:
    """The two as (White, Black): White is for whoever had it less often, then for whoever had Black last."""

    def claim(person: Candidate) -> tuple[int, int, int, int, str]:
        whites = sum(color is Color.WHITE for _, color in person.met)
        lean = _lean(person)
        forced = 0 if lean is None else 1 if lean is Color.WHITE else -1
        was_white = int(bool(person.met) and person.met[-1][1] is Color.WHITE)
        return forced, 2 * whites - len(person.met), was_white, person.place, person.person

    white, black = sorted((one, other), key=claim)
    return white.person, black.person


def worth(scoring: Scoring, results: Sequence[GameResult], person: str) -> Sequence[Played]:
    """What each of their games was worth, in the order of `results`."""
    played: list[Played] = []
    streak, drew = 0, False
    for result in results:
        pairing = result.pairing
        color = pairing.color_of(person)
        won, drawn = result.winner is color, result.winner is None
        berserk = result.berserk[color is Color.BLACK]
        doubled = scoring is Scoring.ARENA and streak >= ON_FIRE
        points = _points(scoring, result, won=won, drawn=drawn, absent=result.absent is color, drew=drew)
        if scoring is Scoring.ARENA:
            points = points * (2 if doubled else 1) + int(won and berserk and result.plies >= BERSERK_PLIES)
        streak = streak + 1 if won else 0
        drew = drawn or (drew and not won)
        missed = result.absent is not None
        opponent = pairing.opponent_of(person)
        played.append(Played(pairing.game, opponent, color, won, drawn, points, doubled, berserk, missed, result.ended))
    return played


def _points(scoring: Scoring, result: GameResult, *, won: bool, drawn: bool, absent: bool, drew: bool) -> int:
    """What a game is worth by itself. `drew`: they have drawn one since they last won."""
    if absent:
        return 0
    match scoring:
        case Scoring.CHILDREN if not won and result.plies < SHORTEST_GAME:
            return 0
        case Scoring.CHILDREN:
            return 3 if won else 2 if drawn else 1
        case Scoring.ARENA if drawn:
            return 0 if result.plies < (LONG_DRAW if drew else SHORT_DRAW) else 1
    return 2 if won else int(drawn)


def rank(_: Tournament, sheets: Iterable[Sheet]) -> SlicedWork[Sequence[Sheet]]:
    """By points, then performance, then who joined first."""
    yield
    return sorted(sheets, key=lambda one: (-one.points, -one.performance, one.entrant.joined, one.person))


def is_over(tournament: Tournament, field: Field, now: int) -> bool:
    """Is time over, and has the last game ended, or taken too long?"""
    return now >= tournament.ends and (not field.under_way or now >= tournament.last_ms)


def why_waiting(tournament: Tournament, field: Field, person: str, now: int) -> Wait:
    """What somebody present who wants to play is told while they wait."""
    if not tournament.has_started(now):
        return Wait(WaitReason.NOT_STARTED, seconds=_seconds(tournament.terms.starts - now))
    if tournament.over or now >= tournament.ends:
        return Wait(WaitReason.OVER)
    if now > last_pairing_at(tournament):
        return Wait(WaitReason.LAST_PAIRINGS, seconds=_seconds(tournament.ends - now))
    mine = next((one for one in field.waiting if one.person == person), None)
    if mine is None:
        return Wait(WaitReason.BANNED if person in field.banned else WaitReason.AWAY)
    others = [one for one in field.waiting if one is not mine]
    only_two = len(field.waiting) + len(field.playing) == 2
    if any(may_meet(mine, one, now, only_two=only_two) for one in others):
        waited = now - min(mine.since, *(one.since for one in others))
        return Wait(WaitReason.SOON, seconds=_seconds(longest_wait_ms(tournament) - waited))
    next_free = _next_free(mine, field.playing)
    if next_free is not None:
        return Wait(WaitReason.PLAYING, next_free.person, _seconds(next_free.free - now), len(field.playing))
    last = next((one for one in others if _last(mine) == one.person and one.person not in mine.apart), None)
    if last is not None:
        return Wait(WaitReason.ONLY_LAST, last.person)
    return Wait(WaitReason.ALONE)


def _next_free(mine: Candidate, playing: Sequence[Busy]) -> Busy | None:
    """Who will be free first of those whom they may meet: not the last opponent, who cannot be playing somebody else
    and be the only choice.
    """
    return min((one for one in playing if one.person != _last(mine)), key=lambda one: one.free, default=None)


def _seconds(ms: int) -> int:
    """Whole seconds, at least one."""
    return max(1, -(-ms // 1_000))


ARENA: Final = Format(pair_waiting, worth, rank, is_over, why_waiting)
