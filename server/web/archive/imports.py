"""Taking in games that were played elsewhere: read, judged and stored one by one, in short steps between live games.

One game is worked on at a time, with a rest after each step, so that no move waits for it more than some milliseconds.
Several files take turns game by game, and of one network there is one at a time: a long file makes nobody else wait for
its end. Every game is stored whole or not at all; what is wrong with one does not touch the others.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from aiohttp import web

from server.games.intake.importing import import_game, imported_id, same_game
from server.games.state import Game
from server.rules.errors import InvalidPgn
from server.rules.notation.pgn import read_pgn
from server.rules.notation.pgn_file import GameText, split_games
from server.rules.variant.variant import Variant
from server.storage.errors import Duplicate, StoreError
from server.storage.stores import Store
from server.storage.time_slices import run_sliced
from server.web.archive.pgn_dates import date_of
from server.web.rendering.problems import Problem

MAX_GAMES: Final = 200
REST_S: Final = 0.004
ID_TRIES: Final = 3
MAX_AT_ONCE: Final = 16
"""Files, of as many networks; each is up to a megabyte of text in memory."""


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """A game of the file that is here now. `known`: it was here before.

    Only what is told of it: two hundred whole games in memory would make Python's collector pause for long.
    """

    number: int
    known: bool
    id: str
    variant: str
    chess960: bool
    white: str
    black: str
    result: str
    plies: int


@dataclass(frozen=True, slots=True)
class RejectedGame:
    """A game of the file that was not taken, and why. `line` counts the file's lines from 1."""

    number: int
    line: int
    error: InvalidPgn


@dataclass(frozen=True, slots=True)
class SkippedGames:
    """How many games at the end of the file were not looked at, as no more may be taken today."""

    games: int


class Admission(Protocol):
    """Whether somebody may import more. Everything here raises Unavailable."""

    async def is_open(self) -> bool:
        """May another game be looked at?"""

    async def admit(self, game: Game, text: str) -> bool:
        """May this one be stored, which is new and was read from `text`? Then it counts as stored."""

    def charge(self, error: InvalidPgn, text: str) -> None:
        """A game that was read from `text` until `error` is refused: that was work too."""


@dataclass(slots=True)
class Imports:
    """All imports of this process. `now` gives ms since the epoch."""

    store: Store
    variants: Mapping[str, Variant]
    now: Callable[[], int]
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _under_way: set[str] = field(default_factory=set)

    async def take(
        self, text: str, network: str, admission: Admission
    ) -> AsyncIterator[ImportedGame | RejectedGame | SkippedGames]:
        """Takes in the games of `text` as long as there is `admission`, and says of each what became of it.

        `network` is any mark of where it comes from. Raises Problem when the file has too many games, or too many
        files are being read, and Unavailable; what was taken until then stays.
        """
        if network in self._under_way:
            raise Problem(429, "import_under_way", retry_after=20)
        if len(self._under_way) >= MAX_AT_ONCE:
            # One more would wait for minutes.
            raise Problem(503, "imports_busy", retry_after=60)
        self._under_way.add(network)
        try:
            async for one in self._take_all(text, admission):
                yield one
        finally:
            self._under_way.discard(network)

    async def _take_all(
        self, text: str, admission: Admission
    ) -> AsyncIterator[ImportedGame | RejectedGame | SkippedGames]:
        # The lock is given to whoever has waited longest, so files take turns by letting go of it after each game.
        async with self._turn:
            pieces = await run_sliced(split_games(text, MAX_GAMES), REST_S)
        if len(pieces) > MAX_GAMES:
            raise Problem(413, "too_many_games", n=MAX_GAMES)
        for done, piece in enumerate(pieces):
            async with self._turn:
                one = await self._take(piece, admission) if await admission.is_open() else None
            if one is None:
                yield SkippedGames(len(pieces) - done)
                return
            yield one

    async def _take(self, piece: GameText, admission: Admission) -> ImportedGame | RejectedGame | None:
        """None: it was not admitted."""
        try:
            record = await run_sliced(read_pgn(piece.text, self.variants), REST_S)
            game = await run_sliced(import_game(record, date_of(record.tags, self.now())), REST_S)
        except InvalidPgn as error:
            admission.charge(error, piece.text)
            return RejectedGame(piece.number, piece.line, error)
        return await self._keep(piece, game, admission)

    async def _keep(self, piece: GameText, game: Game, admission: Admission) -> ImportedGame | None:
        for attempt in range(ID_TRIES):
            game = replace(game, id=imported_id(game, attempt))
            there = await self.store.load(game.id)
            if there is None:
                if not await admission.admit(game, piece.text):
                    return None
                with suppress(Duplicate):
                    await self.store.create(game)
                    return taken(piece.number, game, known=False)
                there = await self.store.load(game.id)
            if there is not None and same_game(there, game):
                return taken(piece.number, there, known=True)
        raise StoreError("no free id was found for an imported game")


def taken(number: int, game: Game, *, known: bool) -> ImportedGame:
    """The line of a report for game `number` of a file, stored now or `known` before."""
    assert game.white is not None
    assert game.black is not None
    terms, names = game.terms, (game.white.name, game.black.name)
    return ImportedGame(number, known, game.id, terms.variant.id, terms.chess960, *names, game.result, len(game.plies))


IMPORTS = web.AppKey("IMPORTS", Imports)
