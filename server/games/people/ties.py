"""Ties: whom somebody follows, and whom they have blocked. Pure; knows no store and nobody who is here.

Two people between whom there is a block, whoever of them made it, are kept apart: the site brings them to no new game.
Nobody is told that they are blocked; whoever blocked them simply does not hear them. A tie belongs to the person who
made it, the `owner`; whom it is about, the `other`, never sees it.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from server.games.errors import NotAllowed
from server.games.frozen import replace
from server.games.player import Player


class TieKind(StrEnum):
    FOLLOWS = "follows"
    BLOCKS = "blocks"


MOST: Final = {TieKind.FOLLOWS: 200, TieKind.BLOCKS: 500}
"""Ties of each kind that one person may have."""


@dataclass(frozen=True, slots=True)
class Tie:
    """`owner` (an id) follows or has blocked `other`, since `at` (ms since the epoch)."""

    owner: str
    kind: TieKind
    other: Player
    at: int


def check_new(tie: Tie, own: Collection[Tie]) -> None:
    """Raises NotAllowed if `tie` is about its owner, or they have too many of that kind. `own`: those they have."""
    if tie.other.id == tie.owner:
        raise NotAllowed("tie_to_oneself")
    if sum(one.kind is tie.kind and one.other.id != tie.other.id for one in own) >= MOST[tie.kind]:
        raise NotAllowed("too_many_follows" if tie.kind is TieKind.FOLLOWS else "too_many_blocks", n=MOST[tie.kind])


def handed_over(tie: Tie, user: str, heir: Player) -> Tie | None:
    """The tie once everything of `user` belongs to `heir`; None if it would be about its own owner."""
    owner = heir.id if tie.owner == user else tie.owner
    other = heir if tie.other.id == user else tie.other
    return None if owner == other.id else replace(tie, owner=owner, other=other)
