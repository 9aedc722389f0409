"""Three hundred Swiss of 5 to 101 players with results, absences and groups by chance, held against FIDE's rules by a
checker of its own: it knows who has met whom, who was left over and which colours people had, and nothing of how pairs
are found. Where a rule gives way, every other way to pair the round is tried, to see that it had to.
"""

import random
from collections import defaultdict
from functools import cache

import pytest

from server.games.tournaments.swiss import Line, pair_round, seats_of
from server.games.tournaments.tournament import FREE
from server.rules.sliced_work import run_at_once
from server.rules.variant.pieces import Color

MOST_TRIED = 12
"""Of so many people all ways to pair them are tried. With more there are so many rounds only that one without a rematch
exists (Dirac's theorem: everybody still may meet half of the others).
"""
RESULTS = (("1", "0"), ("=", "="), ("0", "1"), ("+", "-"), ("-", "+"))
CHANCES = (40, 20, 34, 3, 3)


class Event:
    """A Swiss as a checker sees it: who has met whom, with which colours, and who had a point without play."""

    def __init__(self, people, chance):
        self.people = [f"p{number:03}" for number in range(people)]
        self.chance = chance
        self.numbers = {person: number for number, person in enumerate(self.people, 1)}
        self.cards = dict.fromkeys(self.people, ())
        self.met = defaultdict(set)
        self.colors = defaultdict(str)
        self.free = set()
        self.points = defaultdict(int)

    def may_meet(self, one, other, *, colors):
        return other not in self.met[one] and (not colors or not self.must(one) or self.must(one) != self.must(other))

    def must(self, person):
        """The colour that they have to have: after two of the other running, or two more of it in all."""
        had = self.colors[person]
        lead = had.count("w") - had.count("b")
        if had.endswith("ww") or lead > 1:
            return "b"
        return "w" if had.endswith("bb") or lead < -1 else ""

    def can_pair(self, people, *, colors):
        """Can they all be paired, but for one with an odd number who was not left over before? Tries all ways."""
        people = tuple(people)

        @cache
        def paired(left):
            if not left:
                return True
            one, rest = left[0], left[1:]
            return any(
                self.may_meet(one, other, colors=colors) and paired(rest[:at] + rest[at + 1 :])
                for at, other in enumerate(rest)
            )

        if len(people) % 2 == 0:
            return paired(people)
        return any(paired(people[:at] + people[at + 1 :]) for at, one in enumerate(people) if one not in self.free)

    def play(self, here):
        """Pairs and plays a round of those who are `here`. Returns which rules gave way."""
        pairs = run_at_once(pair_round(seats_of(self.cards, self.numbers, dict.fromkeys(here, frozenset()))))
        given_way = self.check(pairs, here)
        lines = {person: Line("Z") for person in self.people}
        for white, black in pairs:
            if black == FREE:
                lines[white] = Line("U")
                self.free.add(white)
                continue
            (mine, theirs) = self.chance.choices(RESULTS, CHANCES)[0]
            lines[white], lines[black] = Line(mine, black, Color.WHITE), Line(theirs, white, Color.BLACK)
            if mine in "1=0":
                self.met[white].add(black)
                self.met[black].add(white)
                self.colors[white] += "w"
                self.colors[black] += "b"
            self.free |= {one for one, letter in ((white, mine), (black, theirs)) if letter == "+"}
        for person, line in lines.items():
            self.cards[person] = (*self.cards[person], line)
            self.points[person] += line.points
        return given_way

    def check(self, pairs, here):
        games = [pair for pair in pairs if pair[1] != FREE]
        over = [white for white, black in pairs if black == FREE]
        seated = [person for pair in games for person in pair] + over
        assert len(seated) == len(set(seated)), "somebody is in the round twice"
        assert set(seated) <= set(here)
        assert len(over) <= len(here) % 2, "somebody is left over without need"
        assert not self.free & set(over), "somebody has a point without play twice"
        # Whoever is left over for the second time has nothing of the round, and then all had that point already.
        missing = set(here) - set(seated)
        assert not missing or (len(missing) == len(here) % 2 and set(here) <= self.free)
        again = any(black in self.met[white] for white, black in games)
        color = any(self.must(one) and self.must(one) == self.must(other) for one, other in games)
        for white, black in games:
            # Between the two of a game, whoever must have a colour has it.
            if self.must(white) != self.must(black):
                assert self.must(white) != "b", "a must gave way to less"
                assert self.must(black) != "w", "a must gave way to less"
        return {rule for rule, gave_way in (("again", again), ("color", color)) if gave_way}


@pytest.mark.parametrize("part", range(10))
def test_whatever_the_results_are_the_rules_hold_and_none_gives_way_without_need(part):
    for seed in range(30 * part, 30 * part + 30):
        chance = random.Random(seed)
        people = chance.choice((*range(5, MOST_TRIED + 1), *range(13, 41), 64, 101)) if seed % 30 else 101
        rounds = people - 1 if people <= MOST_TRIED else min(9, (people - 1) // 2 - 1)
        event = Event(people, chance)
        for _ in range(rounds):
            away = set(chance.sample(event.people, people // 20)) if people > MOST_TRIED else set()
            here = [one for one in event.people if one not in away]
            feasible = None
            if people <= MOST_TRIED:
                feasible = {colors: event.can_pair(here, colors=colors) for colors in (True, False)}
            given_way = event.play(here)
            if feasible is None:
                assert "again" not in given_way
            else:
                assert "again" not in given_way or not feasible[False]
                assert "color" not in given_way or not feasible[True]
