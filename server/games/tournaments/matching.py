"""Who meets whom, so that the sum of what the pairs cost is small. Pure; knows nobody and no tournament.

Up to EXACT people it is the best there is. Beyond that each looks at NEIGHBOURS others in both directions, the cheapest
pairs are taken first, and then pairs exchange partners as long as that makes them cheaper. Up to SEARCHED people, no
way to pair more of them is overlooked. It is own code because what
there is of libraries takes 0.4 s for 200 people (networkx), or 70 MB (rustworkx with numpy), and nobody notices the
difference to the best: the pairs of a wave are forgotten ten minutes later.
"""

from collections import deque
from collections.abc import Callable, Generator, Sequence
from typing import Final, TypeAlias

from server.rules.sliced_work import SlicedWork

Cost: TypeAlias = Callable[[int, int], int | None]
"""What it costs that two people, by number, meet; None: they must not. The same in either order."""
Pairs: TypeAlias = Sequence[tuple[int, int]]

EXACT: Final = 10
"""People of whom every way to pair them is looked at: 9,496 ways for ten."""
SEARCHED: Final = 200
"""People of whom those who are left over are given partners whatever has to change for that."""
NEIGHBOURS: Final = 12
PASSES: Final = 6
"""How often everybody looks for a better partner; hardly anybody finds one after the third time."""
SINGLE: Final = 1_000_000_000
"""What it costs that somebody is left alone: more than any pairs do, so as many as possible are paired."""


def match_people(count: int, cost: Cost) -> SlicedWork[Pairs]:
    """Pairs of the numbers below `count`, whose neighbours are the likely opponents. Nobody is in two pairs.

    Two who are left over must not meet. The work is done in slices.
    """
    known: dict[tuple[int, int], int | None] = {}

    def remembered(one: int, other: int) -> int | None:
        key = (one, other) if one < other else (other, one)
        if key not in known:
            known[key] = cost(*key)
        return known[key]

    if count <= EXACT:
        yield
        return _best(tuple(range(count)), remembered, {})[1]
    return (yield from _near_best(count, remembered))


def _best(free: tuple[int, ...], cost: Cost, found: dict[tuple[int, ...], tuple[int, Pairs]]) -> tuple[int, Pairs]:
    """The cheapest way to pair the `free`, and what it costs. `found`: what is known of fewer people."""
    if len(free) < 2:
        return SINGLE * len(free), ()
    if free in found:
        return found[free]
    first, others = free[0], free[1:]
    price, pairs = _best(others, cost, found)
    best: tuple[int, Pairs] = (price + SINGLE, pairs)
    for at, other in enumerate(others):
        if (own := cost(first, other)) is not None:
            price, pairs = _best(others[:at] + others[at + 1 :], cost, found)
            best = min(best, (price + own, ((first, other), *pairs)), key=lambda one: one[0])
    found[free] = best
    return best


def _near_best(count: int, cost: Cost) -> Generator[None, None, Pairs]:
    partner = [-1] * count
    yield from _take_cheapest(partner, cost)
    yield from _pair_the_rest(partner, cost)
    if count <= SEARCHED:
        for one in range(count):
            if partner[one] == -1 and partner.count(-1) > 1:
                yield from _augment(one, partner, cost)
    for _ in range(PASSES):
        if not (yield from _exchange_partners(partner, cost)):
            break
    return tuple((one, other) for one, other in enumerate(partner) if one < other)


def _take_cheapest(partner: list[int], cost: Cost) -> Generator[None, None, None]:
    edges = []
    for one in range(len(partner)):
        for other in range(one + 1, min(one + 1 + NEIGHBOURS, len(partner))):
            if (price := cost(one, other)) is not None:
                edges.append((price, one, other))
        yield
    edges.sort()
    for _, one, other in edges:
        if partner[one] == partner[other] == -1:
            partner[one], partner[other] = other, one
        yield


def _pair_the_rest(partner: list[int], cost: Cost) -> Generator[None, None, None]:
    """Pairs those left over with one another, or, where they must not meet, by way of a pair that parts for them."""
    for one in range(len(partner)):
        if partner[one] != -1:
            continue
        yield
        left = [other for other in range(one + 1, len(partner)) if partner[other] == -1]
        allowed = [(price, other) for other in left if (price := cost(one, other)) is not None]
        if allowed:
            other = min(allowed)[1]
            partner[one], partner[other] = other, one
            continue
        for other in left:
            yield
            if _part_for(one, other, partner, cost):
                break


def _part_for(one: int, other: int, partner: list[int], cost: Cost) -> bool:
    """Has a pair parted, so that `one` and `other`, who must not meet, have an opponent each?"""
    ways = [
        (mine + theirs, a, b)
        for a, b in enumerate(partner)
        if b != -1 and (mine := cost(one, a)) is not None and (theirs := cost(other, b)) is not None
    ]
    if ways:
        _, a, b = min(ways)
        partner[one], partner[a], partner[other], partner[b] = a, one, b, other
    return bool(ways)


def _augment(root: int, partner: list[int], cost: Cost) -> Generator[None, None, None]:
    """Pairs `root` and somebody else who is left over, if others can change partners so that all of them still have
    one. By Edmonds: paths that leave the pairs as they are in every other step, odd rings taken as one person.
    """
    count = len(partner)
    base, came_from = list(range(count)), [-1] * count
    reached, queue = {root}, deque([root])

    def stem(one: int) -> list[int]:
        """The rings on the way back to the root."""
        way = [base[one]]
        while way[-1] != base[root]:
            way.append(base[came_from[partner[way[-1]]]])
        return way

    def mark_ring(one: int, top: int, next_one: int, ring: set[int]) -> None:
        while base[one] != top:
            ring.update((base[one], base[partner[one]]))
            came_from[one], next_one = next_one, partner[one]
            one = came_from[partner[one]]

    while queue:
        one = queue.popleft()
        yield
        for other in range(count):
            if base[one] == base[other] or partner[one] == other or cost(one, other) is None:
                continue
            if other == root or (partner[other] != -1 and came_from[partner[other]] != -1):
                back = set(stem(one))
                top = next(each for each in stem(other) if each in back)
                ring: set[int] = set()
                mark_ring(one, top, other, ring)
                mark_ring(other, top, one, ring)
                for each in range(count):
                    if base[each] in ring:
                        base[each] = top
                        if each not in reached:
                            reached.add(each)
                            queue.append(each)
            elif came_from[other] == -1:
                came_from[other] = one
                if partner[other] == -1:
                    while other != -1:
                        mate = came_from[other]
                        partner[other], partner[mate], other = mate, other, partner[mate]
                    return
                reached.add(partner[other])
                queue.append(partner[other])


def _exchange_partners(partner: list[int], cost: Cost) -> Generator[None, None, bool]:
    """Two pairs near each other exchange partners, or somebody left over takes a place, where that is cheaper.

    Has it happened?
    """
    happened = False
    for one in range(len(partner)):
        yield
        for other in range(one + 1, min(one + 1 + NEIGHBOURS, len(partner))):
            mine, theirs = partner[one], partner[other]
            if mine in (other, -1) or theirs == -1:
                continue
            now = (cost(one, mine) or 0) + (cost(other, theirs) or 0)
            if (first := cost(one, other)) is None or (second := cost(mine, theirs)) is None:
                continue
            if first + second < now:
                partner[one], partner[other], partner[mine], partner[theirs] = other, one, theirs, mine
                happened = True
    return happened
