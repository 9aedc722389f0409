"""`fairyhouse puzzles`: makes puzzles from the site's finished games, lists and removes them.

Making them can be killed at any time and run again: what is found is stored game by game, a game that was searched is
left out, and what is found twice is kept once. With SQLite it reads a copy, and has the store open for moments only, so
the server can start and stop beside it. What counts as a puzzle is decided in `games`.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from server.cli.engines import running_engine
from server.cli.site_access import CommandRefused, carried_out, catalogue, opened_to_read, place_for_copy
from server.cli.suspicions import Suspicion, suspicions_in
from server.games.puzzle_mining import Analyst, Played, puzzles_in
from server.games.puzzles import Puzzle, prove_puzzle
from server.games.state import Game
from server.realtime.runtime.timers import Now
from server.rules.movegen.legal import play
from server.rules.notation.fen import parse_fen
from server.rules.notation.uci import parse_uci
from server.settings import Settings
from server.storage.admin_commands import KeepPuzzles, ListPuzzles, RemovePuzzles
from server.storage.errors import Unreadable
from server.storage.protocols.archive import GameSummary, Search
from server.storage.stores import Store
from server.storage.tables.puzzles import puzzle_document

NODES: Final = 40_000
"""For each position of a puzzle; four times as many verify it. A game takes some seconds."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Of which games to make puzzles. `limit`: how many to make at most; 0: as many as there are."""

    variant: str = ""
    limit: int = 0
    nodes: int = NODES
    imported: bool = False
    suspicious: bool = False
    again: bool = False
    """Search games that were searched before, too."""


def list_puzzles(settings: Settings, variant: str) -> None:
    """Prints the puzzles of a variant ("": of all), a line for each. Raises CommandRefused."""
    check_variant(settings, variant)
    sys.stdout.write(f"{asyncio.run(carried_out(settings, ListPuzzles(variant)))}\n")


def remove_puzzles(settings: Settings, puzzles: list[str], variant: str, sure: bool) -> None:
    """Removes those with these ids, or all of a variant ("": of all); unless `sure`, only prints what would go.

    Raises CommandRefused.
    """
    check_variant(settings, variant)
    sys.stdout.write(f"{asyncio.run(carried_out(settings, RemovePuzzles(puzzles, variant, sure)))}\n")


def check_variant(settings: Settings, variant: str) -> None:
    """Raises CommandRefused if no variant here has that id; "" stands for any."""
    if variant and variant not in (known := catalogue(settings)):
        raise CommandRefused(f"There is no variant {variant!r} here. There are {', '.join(known)}.")


PAGE: Final = 50
Keep = Callable[[KeepPuzzles], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Suspects:
    """The names of players whose rated games look farmed: against each other, or those of a winner over many."""

    pairs: Set[frozenset[str | None]] = frozenset()
    winners: Set[str] = frozenset()

    def played(self, game: GameSummary) -> bool:
        """Was the game rated, and may it have been farmed?"""
        names = frozenset((game.white, game.black))
        return game.rated and (names in self.pairs or not self.winners.isdisjoint(names))


def make_puzzles(settings: Settings, wanted: Wanted) -> None:
    """Makes puzzles, saying what it does. Raises CommandRefused."""
    check_variant(settings, wanted.variant)
    try:
        with running_engine(settings.variants_dir) as engine, place_for_copy(settings, "puzzles") as copied:
            asyncio.run(_make(settings, wanted, engine, copied))
    except KeyboardInterrupt:
        sys.stdout.write("\nStopped. What was found is kept; run the same command again to go on.\n")


async def _make(settings: Settings, wanted: Wanted, engine: Analyst, copied: Path) -> None:
    """Raises CommandRefused, OSError."""
    async with opened_to_read(settings, copied) as store:
        await PuzzleSearch(store, engine, wanted, lambda found: carried_out(settings, found)).run()


class PuzzleSearch:
    """One run over the games of a store that is only read; `keep` stores what is found in a game."""

    def __init__(self, store: Store, analyst: Analyst, wanted: Wanted, keep: Keep) -> None:
        self._store = store
        self._analyst = analyst
        self._wanted = wanted
        self._keep = keep
        self._games = 0
        self._made = 0

    async def run(self) -> None:
        """Searches until there are no more games, or enough puzzles. Raises CommandRefused, StoreError."""
        suspects = Suspects() if self._wanted.suspicious else await suspects_in(self._store)
        async for game in self._candidates(suspects):
            if self._wanted.limit and self._made >= self._wanted.limit:
                break
            await self._search(game)
        if not self._games:
            _say("There is no finished game to search that was not searched before (--again searches those, too).")
        else:
            _say(f"{_count(self._made, 'puzzle')} from {_count(self._games, 'game')}.")

    async def _candidates(self, suspects: Suspects) -> AsyncIterator[GameSummary]:
        """The games to be searched, newest first."""
        wanted, before = self._wanted, ""
        search = Search(variant=wanted.variant, source=None if wanted.imported else "played")
        while True:
            page = await self._store.archive.page(search, PAGE, before)
            ids = [game.id for game in page.games]
            known: Set[str] = frozenset() if wanted.again else await self._store.puzzles.searched_games(ids)
            for game in page.games:
                if game.id not in known and not suspects.played(game):
                    yield game
            if page.next is None:
                return
            before = page.next

    async def _search(self, summary: GameSummary) -> None:
        """Searches one game, and keeps what is found; a game that cannot be read is left to `fairyhouse check`."""
        try:
            game = await self._store.load(summary.id)
        except Unreadable:
            return
        if game is None:
            return
        now = Now()()
        found = await asyncio.to_thread(self._puzzles_in, game, now)
        await self._keep(
            KeepPuzzles(game.id, game.terms.variant.id, now, [dict(puzzle_document(one)) for one in found])
        )
        self._games += 1
        self._made += len(found)
        told = f"{summary.variant} {summary.id}, {summary.plies} half-moves: {_count(len(found), 'puzzle')}"
        _say(f"{told} ({self._made} from {_count(self._games, 'game')} so far)")

    def _puzzles_in(self, game: Game, now: int) -> Sequence[Puzzle]:
        """In a thread: the engine takes seconds. What the rules do not confirm is no puzzle."""
        found = list(puzzles_in(played(game), self._analyst, self._wanted.nodes, now))
        for puzzle in found:
            prove_puzzle(puzzle, game.terms.variant)
        return found


def played(game: Game) -> Played:
    """The game with all its positions."""
    position = parse_fen(game.terms.variant, game.terms.start_fen, game.terms.chess960)
    positions = [position]
    for ply in game.plies:
        position = play(position, parse_uci(position, ply.uci))
        positions.append(position)
    return Played(game.id, positions, [ply.uci for ply in game.plies])


async def suspects_in(store: Store) -> Suspects:
    """Whose rated games make no puzzles: those that `fairyhouse suspicions` lists. Raises Unavailable."""
    pairs, winners = set(), set()
    for one in await suspicions_in(store):
        if isinstance(one, Suspicion):
            pairs.add(frozenset[str | None](one.names))
        else:
            winners.add(one.winner)
    return Suspects(pairs, winners)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
