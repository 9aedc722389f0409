"""Who watches one game, on whatever process: how many, and the names of those who may be shown.

Named are people with an account who have not asked not to be listed, to nobody from whom they are kept apart; all
others are a number. However many come and go, who is listed is asked once at a time, for a bounded number, and the
other processes are told as often as the pages are: once a second at most. What is not repeated in time is forgotten.
"""

from collections.abc import Callable, Iterable, Mapping, Set
from itertools import islice
from typing import Final

from server.games.people import has_account
from server.realtime.cluster.bus import SpectatorsOnNode
from server.realtime.cluster.presence import HEARSAY_MS
from server.realtime.play.round_subscribers import RoundSubscriber
from server.realtime.shared import Services

MOST_NAMED: Final = 20
MOST_ASKED: Final = 40
"""People of whom it is asked whether they are listed: some are not."""
MOST_TOLD: Final = 100
"""People without a name to show of whom a process tells the others who they are, so that nobody counts twice."""
ASK_AGAIN_MS: Final = 60_000
"""How long an answer counts: people change their mind while they watch."""


class Spectators:
    """Of the game with that id. `changed` is called when there is something new to show."""

    __slots__ = (
        "_asked", "_asking", "_changed", "_elsewhere", "_game", "_here", "_listed", "_people", "_services",
        "_strangers", "_told",
    )  # fmt: skip

    def __init__(self, services: Services, game: str, changed: Callable[[], None]) -> None:
        self._services = services
        self._game = game
        self._changed = changed
        self._here: tuple[str, ...] = ()
        """Those here with an account (ids), in the order in which they came, MOST_ASKED at most."""
        self._people: Set[str] = frozenset()
        """All here who can be told apart (ids), guests as well."""
        self._strangers = 0
        """How many pages here are nobody's."""
        self._asked: Set[str] = frozenset()
        self._asking = False
        self._listed: Mapping[str, str] = {}
        """The names of those of `_asked` who may be shown, by their ids."""
        self._elsewhere: dict[str, tuple[SpectatorsOnNode, int]] = {}
        """By process: what it said last, and when (ms)."""
        self._told: SpectatorsOnNode | None = None

    @property
    def number(self) -> int:
        """How many watch: somebody with several pages once, wherever these are."""
        people, uncounted = set(self._people), self._strangers
        for one, _ in self._elsewhere.values():
            people.update(dict(one.named), one.unnamed)
            uncounted += max(0, one.others - len(one.unnamed))
        return len(people) + uncounted

    @property
    def named(self) -> Mapping[str, str]:
        """The names of MOST_NAMED who may be shown, by their ids."""
        return dict(islice(self._all_named.items(), MOST_NAMED))

    @property
    def _all_named(self) -> Mapping[str, str]:
        found = dict(self._named_here)
        for one, _ in self._elsewhere.values():
            found |= one.named
        return found

    @property
    def _named_here(self) -> Mapping[str, str]:
        return dict(islice(((one, self._listed[one]) for one in self._here if one in self._listed), MOST_NAMED))

    def names_for(self, hidden: Set[str]) -> list[str] | None:
        """The names to show to somebody who is kept apart from these people (ids); None: no name."""
        return [name for person, name in self.named.items() if person not in hidden] or None

    def hidden_from(self, person: str | None) -> frozenset[str]:
        """Those of the named (ids) from whom `person` is kept apart."""
        apart = self._services.blocks.apart_from(person)
        return frozenset(apart & self.named.keys()) if apart else frozenset()

    def count(self, watchers: Iterable[RoundSubscriber]) -> None:
        """Notes who is here. Call it before they are shown."""
        people, strangers = {}, 0
        for one in watchers:
            if one.player is None:
                strangers += 1
            else:
                people[one.player.id] = has_account(one.player)
        self._here = tuple(islice((person for person, known in people.items() if known), MOST_ASKED))
        self._people, self._strangers = people.keys(), strangers
        self._tell()
        if set(self._here) - self._asked:
            self._ask()

    def _ask(self) -> None:
        """Asks who of those here may be shown, unless that is being asked: who has come meanwhile is asked for then."""
        if self._asking:
            return
        if not self._here:
            # Who comes back is asked about anew: nothing would make the answers of before out of date.
            self._asked, self._listed = frozenset(), {}
            return
        self._asking = True
        self._services.background.spawn(self._look_up(frozenset(self._here)))

    async def _look_up(self, people: frozenset[str]) -> None:
        before = self._named_here
        try:
            self._listed = await self._services.store.accounts.listed(people)
            self._asked = people
        finally:
            self._asking = False
            again = self._services.now() + ASK_AGAIN_MS
            self._services.timers.set((self._game, "spectators"), again, self._ask)
        if self._named_here != before or set(self._here) - self._asked:
            self._changed()

    def _tell(self, *, again: bool = False) -> None:
        """Tells the other processes who is here, if that is new or `again`."""
        named = self._named_here
        others = len(self._people) - len(named) + self._strangers
        unnamed = tuple(islice((one for one in self._people if one not in named), MOST_TOLD))
        seen = SpectatorsOnNode(self._game, self._services.hearing.node, tuple(named.items()), others, unnamed)
        some = bool(named or seen.others)
        news = seen != self._told and (some or self._told is not None)
        if news or (again and some):
            self._services.bus.tell(seen)
        self._told = seen

    def hear(self, seen: SpectatorsOnNode) -> None:
        """Notes who watches at another process."""
        before = self._elsewhere.pop(seen.node, None)
        if seen.named or seen.others:
            self._elsewhere[seen.node] = seen, self._services.now()
        if before is None or before[0] != seen:
            self._changed()

    def repeat(self) -> None:
        """Tells again who is here, and forgets what was said elsewhere long ago."""
        self._tell(again=True)
        old = [node for node, (_, at) in self._elsewhere.items() if at <= self._services.now() - HEARSAY_MS]
        for node in old:
            del self._elsewhere[node]
        if old:
            self._changed()

    def stop(self) -> None:
        """Asks nothing any more, and knows no answer."""
        self._asked, self._listed = frozenset(), {}
        self._services.timers.clear((self._game, "spectators"))
