"""Taking in games that were played elsewhere: read, judged and stored one by one, in short steps between live games.

One game is worked on at a time, with a rest after each step, so that no move waits for it more than some milliseconds.
Several files take turns game by game, and of one network there is one at a time: a long file makes nobody else wait for
its end. The turns are shared fairly between networks (`heavy.FairQueue`), whoever asks: so a flood of guests keeps out
nobody, nor does a long file of somebody who has signed in.

There is room for hundreds of small files, so that between two games of theirs everybody waits for one of each network
at most. Of more files than memory may hold, one of the network that has most, or else a large one of a stranger, gives
way and ends with the game before: what it has stored stays. A large one that has a game in gives way to one that has
none, so that whoever comes gets at least one in. Every game is stored whole or not at all; what is wrong with one does
not touch the others.
"""

import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import blake2b
from typing import Final

from aiohttp import web

from server.games.clocks.time_control import DAY_MS
from server.games.errors import NotAllowed
from server.games.importing import import_game, imported_id, same_game
from server.games.state import Game, ImportSource
from server.rules.errors import InvalidPgn
from server.rules.notation.pgn import read_pgn
from server.rules.notation.pgn_file import GameText, split_games
from server.rules.notation.pgn_line import Mend
from server.rules.sliced_work import SlicedWork, in_one_slice
from server.rules.variant.variant import Variant
from server.storage.errors import Duplicate, StoreError, Unreadable
from server.storage.stores import Store
from server.storage.tables.imports import ImportAllowance, ImportNote, ImportStore
from server.storage.time_slices import run_sliced
from server.web.budgets.buckets import is_ipv6
from server.web.budgets.heavy import FairQueue, QueueFull
from server.web.budgets.limits import FILE, Limits
from server.web.rendering.problems import Problem

MAX_BY_USER: Final = 20_000
"""A file of 200 games of 100 half-moves."""
MAX_BY_PLACE: Final = 60_000
LETTERS_A_PLY: Final = 64
"""A half-move with its number, clock and glyph takes about half of that; anything beyond it is comments."""
RETRY_S: Final = 3_600
"""Games drop out of the count one by one, a day after their import."""

DATE = re.compile(r"(\d{4})[.-](\d\d|\?\?)[.-](\d\d|\?\?)", re.ASCII)
TIME_OF_DAY = re.compile(r"(\d\d):(\d\d):(\d\d)", re.ASCII)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)

MAX_GAMES: Final = 200
REST_S: Final = 0.004
ID_TRIES: Final = 3
MAX_AT_ONCE: Final = 512
"""Files, of as many networks. One has its turn while the others wait."""
SMALL: Final = 16 * FILE // MAX_AT_ONCE
"""Characters of a file that is small enough, some thirty games: there is room for as many as may be under way."""
LONG_MS: Final = 45_000
"""How long a file takes turns while others wait: what it has so far is told before browsers and proxies hang up."""


@dataclass(slots=True)
class DailyAdmission:
    """What `user` at `place` may import in a day. It is counted from the store's notes on imported games, so that a
    restart or another server does not reset the count.

    `limits` count in memory, by `session` and `address`, the games that are new, and the half-moves of those that are
    refused. `now` gives ms.
    """

    store: ImportStore
    limits: Limits
    user: str
    place: str
    session: str
    address: str
    now: Callable[[], int]
    _left: int | None = None

    async def is_open(self) -> bool:
        """May another game be tried? Asks the store once, when it is the import's turn. Raises Unavailable."""
        if self.seconds_to_wait():
            return False
        if self._left is None:
            since = self.now() - DAY_MS
            by_user = MAX_BY_USER - await self.store.plies_of_user(self.user, since)
            by_place = MAX_BY_PLACE - await self.store.plies_of_place(self.place, since)
            self._left = min(by_user, by_place)
        return self._left > 0

    def seconds_to_wait(self) -> int:
        """Seconds until the next try makes sense, as far as this process knows."""
        imported = self.limits.imported.wait(self.session, self.now(), shared_by=self.address)
        return max(imported, self.limits.refused_plies.wait(self.address, self.now()))

    async def admit_game(self, game: Game, text: str) -> bool:
        """Notes a new game, read from `text`, that is about to be stored; False: the quota does not reach for it.

        Raises Unavailable.
        """
        plies, now = charged_for(len(game.plies), text), self.now()
        allowance = ImportAllowance(now - DAY_MS, MAX_BY_USER, MAX_BY_PLACE)
        admitted = await self.store.admit_import(ImportNote(game.id, now, plies, self.user, self.place), allowance)
        self._left = (self._left or 0) - plies
        return admitted

    def charge_refused(self, text: str) -> None:
        """Counts the half-moves that the refused game in `text` may have had: they were judged, too."""
        self.limits.refused_plies.force(self.address, self.now(), charged_for(1, text))


def charged_for(plies: int, text: str) -> int:
    """How many half-moves a game counts for: its own, or as many as would fit into its text if that is more."""
    return max(plies, len(text) // LETTERS_A_PLY)


def place_of(address: str) -> str:
    """A mark of the network of `address` (as `callers.address_key` writes it): of IPv6 the /48 that a customer has.

    16 bits of a hash: one network in 65,536 has the same, and whoever reads the store learns next to nothing.
    """
    return blake2b(f"import {network_of(address)}".encode(), digest_size=2).hexdigest()


def network_of(address: str) -> str:
    """The network that a customer has: of IPv6 the /48, of IPv4 the address."""
    return address[:14] if is_ipv6(address) else address


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
    line: int
    """Of the file, from 1, where the game begins."""
    mends: tuple[Mend, ...]
    """What of it was not as it should be; their lines are those of the file."""


@dataclass(frozen=True, slots=True)
class RejectedGame:
    """A game of the file that was not taken, and why. `line` counts the file's lines from 1."""

    number: int
    line: int
    error: InvalidPgn


@dataclass(frozen=True, slots=True)
class SkippedGames:
    """How many games at the end of the file were not looked at, as no more may be taken today.

    `busy`: or as others came who had their turn less lately, so these may come again soon.
    """

    games: int
    busy: bool = False


@dataclass(slots=True)
class Imports:
    """All imports of this process. `now` gives ms since the epoch."""

    store: Store
    variants: Mapping[str, Variant]
    now: Callable[[], int]
    turns: FairQueue = field(default_factory=lambda: FairQueue(1, MAX_AT_ONCE - 1, SMALL))
    check_text: Callable[[str], SlicedWork[None]] = lambda _: in_one_slice(lambda: None)
    _under_way: set[str] = field(default_factory=set)

    async def import_games(
        self, text: str, address: str, admission: DailyAdmission, *, known: bool = False
    ) -> AsyncIterator[ImportedGame | RejectedGame | SkippedGames]:
        """Takes in the games of `text` as long as there is `admission`, and says of each what became of it.

        `address`: where it comes from, as `callers.address_key` writes it. `known`: from somebody who keeps their place
        while strangers have some. Raises Problem when the file has too many
        games, or too many files are being read, and Unavailable; what was taken until then stays.
        """
        network = network_of(address)
        if network in self._under_way:
            raise Problem(429, "import_under_way", retry_after=20)
        self._under_way.add(network)
        try:
            async for one in self._import_all(
                text, admission, partial(self.turns.place, address, stays=known, size=len(text))
            ):
                yield one
        finally:
            self._under_way.discard(network)

    async def _import_all(
        self, text: str, admission: DailyAdmission, turn: Callable[..., AbstractAsyncContextManager[None]]
    ) -> AsyncIterator[ImportedGame | RejectedGame | SkippedGames]:
        # Files take turns by giving theirs back after each game. The first game comes with the first turn: if everybody
        # had to wait once more before it, a flood could turn all of them away, and nobody would get anywhere.
        pieces: Sequence[GameText] = ()
        done, began = 0, self.now()
        while not pieces or done < len(pieces):
            if done and len(self.turns) and self.now() - began > LONG_MS:
                yield SkippedGames(len(pieces) - done, busy=True)
                return
            try:
                async with turn(yields=done > 0 and len(text) > SMALL):
                    if not pieces:
                        pieces = await run_sliced(split_games(text, MAX_GAMES), REST_S)
                        if len(pieces) > MAX_GAMES:
                            raise Problem(413, "too_many_games", n=MAX_GAMES)
                        if not pieces:
                            return
                    one = await self._import_game(pieces[done], admission) if await admission.is_open() else None
            except QueueFull:
                if not done:
                    raise _busy() from None
                yield SkippedGames(len(pieces) - done, busy=True)
                return
            if one is None:
                yield SkippedGames(len(pieces) - done)
                return
            done += 1
            yield one

    async def _import_game(self, piece: GameText, admission: DailyAdmission) -> ImportedGame | RejectedGame | None:
        """None: it was not admitted."""
        try:
            record = await run_sliced(read_pgn(piece.text, self.variants), REST_S)
            game = await run_sliced(import_game(record, date_of(record.tags, self.now())), REST_S)
            await run_sliced(self._checking_said(game), REST_S)
        except InvalidPgn as error:
            admission.charge_refused(piece.text)
            return RejectedGame(piece.number, piece.line, error)
        mends = tuple(one.moved_down(piece.line - 1) for one in record.mends)
        return await self._store_game(piece, game, mends, admission)

    def _checking_said(self, game: Game) -> SlicedWork[None]:
        """Raises InvalidPgn if the host holds back a word of what is said in it, or of who plays it."""
        source = game.import_source or ImportSource()
        try:
            yield from self.check_text(" ".join((*(value for _, value in source.tags), source.movetext)))
        except NotAllowed as refusal:
            raise InvalidPgn("word_held", word=refusal.params["word"]) from None

    async def _store_game(
        self, piece: GameText, game: Game, mends: tuple[Mend, ...], admission: DailyAdmission
    ) -> ImportedGame | None:
        for attempt in range(ID_TRIES):
            game = replace(game, id=imported_id(game, attempt))
            try:
                there = await self.store.load(game.id)
            except Unreadable:
                # Some other game's record is damaged, or this one's: that costs nobody the file.
                continue
            if there is None:
                if not await admission.admit_game(game, piece.text):
                    return None
                with suppress(Duplicate):
                    await self.store.create(game)
                    return _outcome(piece, game, mends, known=False)
                there = await self.store.load(game.id)
            if there is not None and same_game(there, game):
                return _outcome(piece, there, mends, known=True)
        raise StoreError("no free id was found for an imported game")


IMPORTS = web.AppKey("IMPORTS", Imports)


def _busy() -> Problem:
    return Problem(503, "imports_busy", retry_after=60)


def _outcome(piece: GameText, game: Game, mends: tuple[Mend, ...], *, known: bool) -> ImportedGame:
    """The line of a report for the game of that `piece` of a file, stored now or `known` before."""
    assert game.white is not None
    assert game.black is not None
    terms, names = game.terms, (game.white.name, game.black.name)
    told = (game.id, terms.variant.id, terms.chess960, *names, game.result, len(game.plies))
    return ImportedGame(piece.number, known, *told, piece.line, mends)


def date_of(tags: Mapping[str, str], now: int) -> int:
    """Ms since the epoch. Unknown parts of a date count as the first; without a date in the past, `now`."""
    written = DATE.fullmatch(tags.get("UTCDate", "")) or DATE.fullmatch(tags.get("Date", ""))
    if written is None:
        return now
    year, month, day = (int(part) if part.isdigit() else 1 for part in written.groups())
    clock = TIME_OF_DAY.fullmatch(tags.get("UTCTime", ""))
    hour, minute, second = map(int, clock.groups()) if clock else (0, 0, 0)
    try:
        played = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return now
    return min(now, (played - EPOCH) // MILLISECOND)
