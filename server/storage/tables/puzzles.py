"""Puzzles in a store, which games were searched for them, and what people with an account have done at them.

Guests keep in their browser what they have done. Only the first try at a puzzle counts. Ratings are stored in
thousandths of a point, volatilities in millionths. Times are ms since the epoch.
"""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from server.games.puzzles import Puzzle, PuzzleStanding, Theme
from server.games.rating import Rating
from server.storage.fields import Fields, FlatRecord, flag, flat, instant, text, within
from server.storage.protocols.ratings import MAX_GAMES, MAX_VALUE, MICRO, MILLI, SHUFFLED
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import After, NoneOf, OwnedTableStore, Table, TableStore, at_least, below


@dataclass(frozen=True, slots=True)
class Searched:
    """The game with that id was searched for puzzles at `at`."""

    game: str
    variant: str
    at: int


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


def rating_fields(rating: Rating) -> Mapping[str, int]:
    """The rating in whole thousandths and, for the volatility, millionths: stores compare them exactly."""
    return {
        "rating": round(rating.value * MILLI),
        "deviation": round(rating.deviation * MILLI),
        "volatility": round(rating.volatility * MICRO),
        "tries": rating.games,
        "rated_at": rating.at,
    }


def rating_of(fields: Fields) -> Rating:
    """The rating of stored fields. Raises as `fields` says."""
    value, deviation, volatility = (within(fields, name, MAX_VALUE) for name in ("rating", "deviation", "volatility"))
    tries = within(fields, "tries", MAX_GAMES)
    return Rating(value / MILLI, deviation / MILLI, volatility / MICRO, tries, instant(fields, "rated_at"))


def puzzle_document(puzzle: Puzzle) -> FlatRecord:
    """The puzzle as a record."""
    return {
        "_id": puzzle.id,
        "variant": puzzle.variant,
        "chess960": int(puzzle.chess960),
        "fen": puzzle.fen,
        "last": puzzle.last,
        "line": " ".join(puzzle.line),
        "themes": " ".join(sorted(puzzle.themes)),
        "game": puzzle.game,
        "ply": puzzle.ply,
        "made": puzzle.made,
        **rating_fields(puzzle.rating),
    }


def puzzle_of(fields: Fields) -> Puzzle:
    """The puzzle of stored fields. Raises as `fields` says."""
    line = tuple(text(fields, "line").split())
    if len(line) % 2 == 0:
        raise ValueError("its line does not end with a move of the solver's")
    return Puzzle(
        id=text(fields, "_id"),
        variant=text(fields, "variant"),
        chess960=flag(fields, "chess960"),
        fen=text(fields, "fen"),
        last=text(fields, "last"),
        line=line,
        themes=frozenset(map(Theme, text(fields, "themes").split())),
        game=text(fields, "game"),
        ply=within(fields, "ply", MAX_GAMES),
        made=instant(fields, "made"),
        rating=rating_of(fields),
    )


def searched_of(fields: Fields) -> Searched:
    """What stored fields say. Raises as `fields` says."""
    return Searched(text(fields, "_id"), text(fields, "variant"), instant(fields, "at"))


def try_document(tried: PuzzleTry) -> FlatRecord:
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


PUZZLES: Final = RecordKind(
    "puzzles",
    typed_fields(
        "_id variant #chess960 fen last line themes game #ply #made #rating #deviation #volatility #tries #rated_at"
    ),
    indexes=("variant chess960 rating",),
    read=puzzle_of,
)
FOR_GOOD: Final = 0
"""When games were searched that are none, such as those of the puzzles that come with the program."""
PUZZLE_GAMES: Final = RecordKind("puzzle_games", typed_fields("_id variant #at"), read=searched_of)
PUZZLE_TRIES: Final = RecordKind(
    "puzzle_tries",
    typed_fields("_id owner puzzle #solved #at"),
    indexes=("owner", "puzzle"),
    read=try_of,
    people=("owner",),
)
PUZZLE_STANDINGS: Final = RecordKind(
    "puzzle_standings",
    typed_fields("_id owner variant #chess960 #solved #streak #best #rating #deviation #volatility #tries #rated_at"),
    indexes=("owner",),
    read=standing_of,
    people=("owner",),
)


class PuzzleStore(TableStore):
    """Puzzles, and the games that were searched for them."""

    kinds = (PUZZLES, PUZZLE_GAMES, PUZZLE_TRIES)

    def __init__(self, table: Table, games: Table, tries: Table) -> None:
        super().__init__(table)
        self._games = games
        self._tries = tries

    async def keep_puzzles(self, searched: Searched, puzzles: Sequence[Puzzle]) -> None:
        """Stores what was found in a game, and that it was searched. A puzzle that exists stays as it is."""
        found = [self._table.add_if_new_step(puzzle_document(puzzle)) for puzzle in puzzles]
        await self._table.write(*found, self._games.put_step(flat(searched, key="game")))

    async def begin_search(self, search: Searched, beyond: int) -> bool:
        """Notes that somebody searches since `search.at`, unless that was done for good, or somebody began at `beyond`
        or later and may still be at it: of several who ask, one may begin.
        """
        if await self._games.add_if_new(flat(search, key="game")):
            return True
        began = range(FOR_GOOD + 1, max(FOR_GOOD + 1, beyond))
        return await self._games.set({"at": search.at}, _id=search.game, at=began) > 0

    async def searches(self, games: Collection[str]) -> Mapping[str, int]:
        """Since when those of these games (ids) that were searched are noted so, ms; FOR_GOOD: for good."""
        return {one.game: one.at for one in await self._games.read(searched_of, _id=frozenset(games))}

    async def searched_games(self, games: Collection[str]) -> Set[str]:
        """Those of these games (ids) that were searched."""
        return {str(one["_id"]) for one in await self._games.find(_id=frozenset(games))}

    async def find_puzzle(self, puzzle: str) -> Puzzle | None:
        """The puzzle with that id, if it can be read."""
        return next(iter(await self._table.read(puzzle_of, _id=puzzle)), None)

    async def count_puzzles(self, variant: str, chess960: bool) -> int:
        """How many there are of a form."""
        return await self._table.count(variant=variant, chess960=chess960)

    async def puzzles_near(
        self, variant: str, chess960: bool, value: float, but: Collection[str], most: int
    ) -> Sequence[Puzzle]:
        """Puzzles of a form but those with these ids: up to `most` of those rated `value` or higher, the lowest first,
        and as many of the lower ones, the highest first.
        """
        limit, others = round(value * MILLI), NoneOf(frozenset(but))
        above = await self._table.read(
            *(puzzle_of, "rating", most), variant=variant, chess960=chess960, rating=at_least(limit), _id=others
        )
        lower = await self._table.read(
            *(puzzle_of, "rating-", most), variant=variant, chess960=chess960, rating=below(limit), _id=others
        )
        return [*above, *lower]

    async def page_of_puzzles(self, variant: str, after: str, most: int) -> Sequence[Puzzle]:
        """Up to `most` puzzles of a variant ("": of any) by their ids, from the first behind `after` on."""
        form = {"variant": variant} if variant else {}
        return await self._table.read(puzzle_of, "_id", most, (), _id=After(after), **form)

    async def remove_puzzles(self, puzzles: Collection[str]) -> int:
        """Deletes those with these ids, and what people did at them; how many there were."""
        await self._tries.delete(puzzle=frozenset(puzzles))
        return await self._table.delete(_id=frozenset(puzzles))

    async def forget_searched(self, variant: str) -> None:
        """Forgets which games of a variant ("": of any) were searched, but not what was noted for good."""
        await self._games.delete(at=at_least(FOR_GOOD + 1), **{"variant": variant} if variant else {})


class PuzzleTryStore(OwnedTableStore):
    """What people have done at puzzles. How a try is noted depends on whether the engine has transactions."""

    kinds = (PUZZLE_TRIES, PUZZLE_STANDINGS)

    def __init__(self, table: Table, standings: Table) -> None:
        super().__init__(table)
        self._standings = standings

    @abstractmethod
    async def note_try(self, tried: PuzzleTry, puzzle: Puzzle) -> tuple[PuzzleStanding, PuzzleStanding] | None:
        """Stores a first try with what it makes of the solver's standing and of the puzzle's rating, each once.

        Returns the standing before and after it; None and stores nothing if this is not the first. What failed half-way
        is completed by repeating it.
        """

    async def tried_puzzles(self, owner: str) -> Set[str]:
        """The ids of the puzzles that `owner` has tried."""
        return {str(one["puzzle"]) for one in await self._table.find(only=("puzzle",), owner=owner)}

    async def find_standing(self, owner: str, variant: str, chess960: bool) -> PuzzleStanding:
        """What `owner` has done at the puzzles of a form."""
        found = await self._standings.read(standing_of, _id=standing_key(owner, variant, chess960))
        return found[0].standing if found else PuzzleStanding()

    async def tries_of(self, owner: str) -> Sequence[PuzzleTry]:
        """The tries of `owner`, in no particular order."""
        return await self._table.read(try_of, owner=owner)

    async def standings_of(self, owner: str) -> Sequence[FormStanding]:
        """What `owner` has done at each form, in no particular order."""
        return await self._standings.read(standing_of, owner=owner)

    async def forget(self, owner: str) -> None:
        """Deletes what `owner` has done."""
        await self._table.write(self._table.delete_step(owner=owner), self._standings.delete_step(owner=owner))
