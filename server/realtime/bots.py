"""Who is a bot, as one process knows it: all bots of the site, in memory, because every name that is shown asks.

The store decides; `LivePlay` reads it now and then, as another process may have made an account a bot.
"""

from collections.abc import Mapping, Set

from server.games.errors import NotAllowed


class Bots:
    """Nobody who is a bot ever becomes a person again, and no name is ever that of another."""

    def __init__(self) -> None:
        self.may_be_rated = False
        """Does the host let bots play rated games against each other?"""
        self._people: Mapping[str, str] = {}
        self._names: Set[str] = frozenset()

    def __contains__(self, person: object) -> bool:
        """Is that person (an id) a bot?"""
        return person in self._people

    @property
    def people(self) -> Mapping[str, str]:
        """Their names, by their ids."""
        return self._people

    def is_named(self, name: str | None) -> bool:
        """Is a bot called that, for lists that have only names?"""
        return name in self._names

    def check_rated(self, *people: str) -> None:
        """Raises NotAllowed if no rated game of these people (ids) may be."""
        among = [person in self for person in people]
        if any(among) and not (self.may_be_rated and all(among)):
            raise NotAllowed("rated_bot")

    def replace_all(self, people: Mapping[str, str]) -> None:
        """Takes what the store has: names by ids."""
        self._people = dict(people)
        self._names = frozenset(people.values())

    def add(self, person: str, name: str) -> None:
        """That person (an id) is a bot from now on."""
        self.replace_all({**self._people, person: name})
