"""Keeps, lists and removes puzzles for the host. Knows a store, but no request."""

from collections.abc import AsyncIterator, Sequence

from server.games.puzzles.puzzle import Puzzle
from server.storage.admin_commands import KeepPuzzles, ListPuzzles, PuzzleCommand, RemovePuzzles
from server.storage.damage import WRONG
from server.storage.errors import NotStored
from server.storage.protocols.puzzles.puzzles import Searched, puzzle_of
from server.storage.protocols.ratings import SHUFFLED
from server.storage.stores import Store

AT_ONCE = 100
"""Puzzles read and deleted at a time, few enough to delay no move."""
NONE = "There are no puzzles. `fairyhouse puzzles make` makes some from the site's games."


async def carry_out_puzzles(store: Store, command: PuzzleCommand, address: str) -> str:
    """Does it, and returns what to tell the host. `address`: of the site, for links. Raises NotStored, StoreError."""
    match command:
        case KeepPuzzles(game, variant, at, puzzles):
            await store.puzzles.keep(Searched(game, variant, at), [_read(one) for one in puzzles])
            return ""
        case ListPuzzles(variant):
            lines = [_line(puzzle, address) async for page in _pages(store, variant) for puzzle in page]
            return "\n".join(lines or [NONE])
        case _:
            return await _remove(store, command)


def _read(fields: dict[str, int | str]) -> Puzzle:
    """Raises NotStored if these are no fields of a puzzle."""
    try:
        return puzzle_of(fields)
    except WRONG as error:
        raise NotStored(f"That is no puzzle ({error}).") from None


async def _pages(store: Store, variant: str) -> AsyncIterator[Sequence[Puzzle]]:
    after = ""
    while page := await store.puzzles.page(variant, after, AT_ONCE):
        after = page[-1].id
        yield page


def _line(puzzle: Puzzle, address: str) -> str:
    """One puzzle as the host reads it."""
    form = f"{puzzle.variant}{SHUFFLED * puzzle.chess960}"
    themes = " ".join(sorted(puzzle.themes))
    tried = f"rated {puzzle.rating.rounded}, tries: {puzzle.rating.games}"
    moves = len(puzzle.line) // 2 + 1
    return f"{puzzle.id}  {form}  moves: {moves}, {themes}  {tried}  {address}/{puzzle.game}#{puzzle.ply}"


async def _remove(store: Store, command: RemovePuzzles) -> str:
    """Of `puzzles` none: all of the variant, and the games count as not searched. Raises NotStored."""
    if command.puzzles:
        found = [puzzle for one in command.puzzles if (puzzle := await store.puzzles.find(one))]
        ids = [puzzle.id for puzzle in found]
        if missing := [one for one in command.puzzles if one not in ids]:
            raise NotStored(f"There is no puzzle {missing[0]}. `fairyhouse puzzles list` lists them.")
    else:
        ids = [puzzle.id async for page in _pages(store, command.variant) for puzzle in page]
    told = f"{len(ids)} puzzle{'s' * (len(ids) != 1)}, with what people did at them"
    if not command.sure:
        return f"This would remove {told}.\nNothing was removed. Add --yes to do it."
    for start in range(0, len(ids), AT_ONCE):
        await store.puzzles.remove(ids[start : start + AT_ONCE])
    if not command.puzzles:
        await store.puzzles.forget_searched(command.variant)
    return f"Removed {told}."
