"""Whose notices this process hears: of everybody who has a page open here, or had one a moment ago.

Somebody who goes from page to page closes one and opens the next. If their notices were no longer heard in between, the
list of their games would have to be read anew for each.
"""

from typing import Final

from server.realtime.process.bus import PersonTopic
from server.realtime.process.services import Services
from server.realtime.protocol.feed import Subscribers

KEPT_MS: Final = 60_000


class FollowedPeople:
    """`pages`: those that are open here."""

    def __init__(self, services: Services, pages: Subscribers) -> None:
        self._services = services
        self._pages = pages

    def came(self, person: str | None) -> None:
        """A page of `person` (an id; None: a visitor without a name) has opened."""
        if person is not None and not self._services.bus.alone:
            self._services.timers.clear((person, "followed"))
            self._services.bus.follow(PersonTopic(person))

    def went(self, person: str | None) -> None:
        """A page of theirs has closed."""
        if person is not None and not self._services.bus.alone and person not in self._pages.people:
            until = self._services.now() + KEPT_MS
            self._services.timers.set((person, "followed"), until, lambda: self._leave(person))

    def _leave(self, person: str) -> None:
        self._services.bus.unfollow(PersonTopic(person))
