"""Who is kept apart from whom, as one process knows it: all blocks of the site, in memory.

They are asked for within a pairing and for each line of chat. `realtime.ties` reads them from the store, which decides:
with several processes another one may have stored a block just now, so whatever brings two people to one game asks
`meeting`.
"""

from collections.abc import Iterable, Set

from server.rules.sliced_work import SlicedWork
from server.storage.tables.ties import Block

NOBODY: Set[str] = frozenset()


class Blocks:
    """People are ids."""

    def __init__(self) -> None:
        self._blocks_of: dict[str, set[str]] = {}
        self._blocked_by: dict[str, set[str]] = {}

    def are_apart(self, one: str, other: str) -> bool:
        """Has either blocked the other?"""
        return other in self._blocks_of.get(one, NOBODY) or one in self._blocks_of.get(other, NOBODY)

    def apart_from(self, person: str | None) -> Set[str]:
        """All with whom `person` is brought to no game; nobody for a visitor without a name."""
        if person is None:
            return NOBODY
        return self._blocks_of.get(person, NOBODY) | self._blocked_by.get(person, NOBODY)

    def unheard_by(self, reader: str | None) -> Set[str]:
        """Those of whom `reader` reads nothing."""
        return NOBODY if reader is None else frozenset(self._blocks_of.get(reader, NOBODY))

    def blockers_of(self, speaker: str) -> Set[str]:
        """Those who read nothing of `speaker`."""
        return self._blocked_by.get(speaker, NOBODY)

    def replace_all(self, blocks: Iterable[Block]) -> SlicedWork[Set[str]]:
        """Takes what the store has, and returns the people for whom it is new. Until all of it is taken what was known
        before holds, and nothing else may change it.
        """
        after = Blocks()
        for block in blocks:
            after._add((block,))
            yield
        new = set()
        for person in self._people() | after._people():
            if self.apart_from(person) != after.apart_from(person):
                new.add(person)
            yield
        self._blocks_of, self._blocked_by = after._blocks_of, after._blocked_by
        return new

    def replace_of(self, person: str, blocks: Iterable[Block]) -> None:
        """Takes what the store has of `person`: all blocks by them and of them."""
        for one in self._blocks_of.pop(person, NOBODY):
            self._forget(self._blocked_by, one, person)
        for one in self._blocked_by.pop(person, NOBODY):
            self._forget(self._blocks_of, one, person)
        self._add(blocks)

    def _add(self, blocks: Iterable[Block]) -> None:
        for owner, other in blocks:
            self._blocks_of.setdefault(owner, set()).add(other)
            self._blocked_by.setdefault(other, set()).add(owner)

    @staticmethod
    def _forget(sets: dict[str, set[str]], key: str, person: str) -> None:
        sets[key].discard(person)
        if not sets[key]:
            del sets[key]

    def _people(self) -> Set[str]:
        return self._blocks_of.keys() | self._blocked_by.keys()
