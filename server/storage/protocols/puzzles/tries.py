"""What people with an account have done at puzzles, in a store. Guests keep that in their browser.

Only the first try at a puzzle counts. Times are ms since the epoch.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from server.games.puzzles.standing import PuzzleStanding
from server.games.rating import Rating
from server.storage.fields import Fields, FlatRecord, flag, instant, text, within
from server.storage.protocols.puzzles.puzzles import rating_fields, rating_of
from server.storage.protocols.ratings import MAX_GAMES, SHUFFLED


@dataclass(frozen=True, slots=True)
class PuzzleTry:
    """The user `owner` has tried a puzzle first at `at`, and solved it then or not."""

    owner: str
    puzzle: str
    solved: bool
    at: int


@dataclass(frozen=True, slots=True)
class FormStanding:
    """What `owner` has done at the puzzles of a form."""

    owner: str
    variant: str
    chess960: bool
    standing: PuzzleStanding


class PuzzleTryStore(Protocol):
    """All methods raise Unavailable."""

    async def note(self, tried: PuzzleTry, after: FormStanding, puzzle: Rating) -> bool:
        """Stores a first try with what it makes of the solver's standing and of the puzzle's rating.

        Returns False and stores nothing if this is not the first. Where one write cannot hold all three, the try comes
        first: what a crash leaves out is a change of ratings, never counted twice.
        """

    async def tried(self, owner: str) -> Set[str]:
        """The ids of the puzzles that `owner` has tried."""

    async def standing(self, owner: str, variant: str, chess960: bool) -> PuzzleStanding:
        """What `owner` has done at the puzzles of a form."""

    async def of(self, owner: str) -> Sequence[PuzzleTry]:
        """The tries of `owner`, in no particular order."""

    async def standings(self, owner: str) -> Sequence[FormStanding]:
        """What `owner` has done at each form, in no particular order."""

    async def forget(self, owner: str) -> None:
        """Deletes what `owner` has done."""


def to_document(tried: PuzzleTry) -> FlatRecord:
    """The try as a record; its key lets each owner try a puzzle once."""
    key = f"{tried.owner} {tried.puzzle}"
    return {"_id": key, "owner": tried.owner, "puzzle": tried.puzzle, "solved": int(tried.solved), "at": tried.at}


def try_of(fields: Fields) -> PuzzleTry:
    """The try of stored fields. Raises as `fields` says."""
    return PuzzleTry(text(fields, "owner"), text(fields, "puzzle"), flag(fields, "solved"), instant(fields, "at"))


def standing_key(owner: str, variant: str, chess960: bool) -> str:
    """The key of the only standing of `owner` in that variant and form."""
    return f"{owner} {variant}{SHUFFLED * chess960}"


def standing_document(one: FormStanding) -> FlatRecord:
    """The standing as a record."""
    return {
        "_id": standing_key(one.owner, one.variant, one.chess960),
        "owner": one.owner,
        "variant": one.variant,
        "chess960": int(one.chess960),
        "solved": one.standing.solved,
        "streak": one.standing.streak,
        "best": one.standing.best,
        **rating_fields(one.standing.rating),
    }


def standing_of(fields: Fields) -> FormStanding:
    """The standing of stored fields. Raises as `fields` says."""
    solved, streak, best = (within(fields, name, MAX_GAMES) for name in ("solved", "streak", "best"))
    standing = PuzzleStanding(rating_of(fields), solved, streak, best)
    return FormStanding(text(fields, "owner"), text(fields, "variant"), flag(fields, "chess960"), standing)
