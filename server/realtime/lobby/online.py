"""Who is on the site: everybody who has a page open that answers, on this process or another.

Processes tell each other every few seconds; what one has said counts for a little longer, so the people of a process
that died are soon gone. Knows ids only, and not who may be shown to whom.
"""

import secrets
from collections.abc import Set
from typing import Final

from server.realtime.process.bus import PeopleOnNode
from server.realtime.process.presence import HEARSAY_MS
from server.realtime.process.services import Services
from server.realtime.protocol.feed import Subscribers

MOST_TOLD: Final = 5_000
"""People of whom one process tells the others: about 60 KB every ten seconds."""


class OnlinePeople:
    """`pages`: those of the lobby, which every page of a player of this site is."""

    def __init__(self, services: Services, pages: Subscribers) -> None:
        self._services = services
        self._pages = pages
        self._node = secrets.token_hex(4)
        self._elsewhere: dict[str, tuple[Set[str], int]] = {}
        """By process: its people, and until when (ms) its word counts."""

    @property
    def _here(self) -> set[str]:
        return {person for person in self._pages.people if self._pages.answers(person)}

    @property
    def people(self) -> Set[str]:
        """The ids of all who are on the site, guests too."""
        now = self._services.now()
        return self._here.union(*(people for people, until in self._elsewhere.values() if until > now))

    def includes(self, person: str) -> bool:
        """Is that person (an id) on the site?"""
        now = self._services.now()
        told = any(person in people for people, until in self._elsewhere.values() if until > now)
        return told or self._pages.answers(person)

    def say_again(self) -> None:
        """Tells the other processes who is here."""
        self._services.bus.tell(PeopleOnNode(self._node, tuple(sorted(self._here)[:MOST_TOLD])))

    def hear(self, notice: PeopleOnNode) -> None:
        """Takes the word of another process, and forgets those that have said nothing for long."""
        now = self._services.now()
        self._elsewhere[notice.node] = frozenset(notice.people), now + HEARSAY_MS
        self._elsewhere = {node: told for node, told in self._elsewhere.items() if told[1] > now}
