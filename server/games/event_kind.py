"""What every event of a game is: it says what it tells of, and how it can be recognised."""

from collections.abc import Iterator
from typing import ClassVar, Self

from server.games.state import Game


class EventKind:
    """What all events have. `tells`: the fields of the game that may differ because of it."""

    __slots__ = ()

    tells: ClassVar[frozenset[str]]

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        """Those of this kind that led from `before` to `after`, which is at most one move further; none if that cannot
        be seen, as of what lasts only a moment.
        """
        yield from ()
