"""`fairyhouse suspicions`: which rated results look farmed? The host decides what to make of them.

Reads everything page by page, twice. It follows only the pairs with the most rated games and the accounts that have
lost most often to one other player and did little else, so memory is bounded however long the site has run. With
SQLite it reads a copy, as `fairyhouse check` does. `farming` says what is suspicious.
"""

import asyncio
import heapq
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from server.cli.site_access import opened_to_read, place_for_copy
from server.games.fair_play import MIN_GAMES, Harvest, Losses, RatedGame, Series
from server.rules.variant.pieces import Color
from server.settings import Settings
from server.storage.damage import WRONG
from server.storage.documents import Head
from server.storage.errors import Unreadable
from server.storage.fields import FlatRecord
from server.storage.protocols.ratings import FinishedGame, RatingChanges
from server.storage.protocols.records import UnreadableRecord
from server.storage.record_kinds import SCORES
from server.storage.stores import Store
from server.storage.summaries import finished_game_of, summary

MAX_PAIRS: Final = 5_000
"""Pairs followed, those with the most rated games; each takes about a kilobyte."""
MAX_COUNTED: Final = 200_000
"""Pairs counted, those who have met most often, rated or not; each takes a hundredth of that."""

Pair = tuple[str, str]
"""The ids of two players in alphabetical order."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """The `names` of the winner and the loser, and their games, which look farmed."""

    names: tuple[str, str]
    series: Series

    def __str__(self) -> str:
        side = self.series.winning
        winner, loser = self.names
        shown = " ".join(game for _, game in side.examples)
        return (
            f"{winner} won {side.won} of {self.series.games} rated games against {loser}, {side.quick} of them quickly,"
            f" and gained {side.gain:.0f} points by them all: {shown}"
        )

    @property
    def gain(self) -> float:
        """Rating points."""
        return self.series.winning.gain


@dataclass(frozen=True, slots=True)
class Harvested:
    """`winner` is a name; `harvest` is what they gained from several accounts that were there to lose."""

    winner: str
    harvest: Harvest

    def __str__(self) -> str:
        side = self.harvest.side
        shown = " ".join(game for _, game in side.examples)
        return (
            f"{self.winner} won {side.won} of {self.harvest.games} rated games against {self.harvest.losers} players"
            f" who did little but lose to them, {side.quick} of them quickly, and gained {side.gain:.0f} points"
            f" by them all: {shown}"
        )

    @property
    def gain(self) -> float:
        """Rating points."""
        return self.harvest.side.gain


def list_suspicions(settings: Settings) -> None:
    """Prints a line for each pair and for each winner over several, largest gain first. Raises CommandRefused."""
    with place_for_copy(settings, "suspicions") as copied:
        found = asyncio.run(_read(settings, copied))
    for one in found:
        sys.stdout.write(f"{one}\n")
    if not found:
        sys.stdout.write("No rated results look farmed.\n")


async def _read(settings: Settings, copied: Path) -> list[Suspicion | Harvested]:
    """Raises CommandRefused, OSError."""
    async with opened_to_read(settings, copied) as store:
        return await suspicions_in(store)


async def suspicions_in(store: Store) -> list[Suspicion | Harvested]:
    """The suspicions, largest gain first; leaves out what cannot be read, which `check` reports. Raises Unavailable."""
    lost_to = await _losers(store)
    found = dict.fromkeys([*await _frequent(store), *(_pair(*one) for one in lost_to.items())], Series())
    names: dict[str, str] = {}
    async for pair, finished, head in _rated_games(store):
        if pair in found:
            changes = await store.ratings.changes(finished.game)
            found[pair] = found[pair].after(_as_seen(pair[0], finished, head, changes))
            names |= _names(head, finished)
    farmed = [
        Suspicion((names[one], names[other]) if series.winning is series.one else (names[other], names[one]), series)
        for (one, other), series in found.items()
        if series.farmed
    ]
    return sorted([*farmed, *_harvests(lost_to, found, names)], key=lambda one: one.gain, reverse=True)


def _harvests(
    lost_to: Mapping[str, str], found: Mapping[Pair, Series], names: Mapping[str, str]
) -> Iterator[Harvested]:
    losers: defaultdict[str, list[Series]] = defaultdict(list)
    for loser, winner in lost_to.items():
        series = found[_pair(loser, winner)]
        if series.winning is (series.one if winner < loser else series.other):
            losers[winner].append(series)
    for winner, all_series in losers.items():
        if (harvest := Harvest.of(all_series)).farmed:
            yield Harvested(names[winner], harvest)


async def _losers(store: Store) -> Mapping[str, str]:
    """The MAX_PAIRS accounts that most often lost to one player and did hardly anything else, each with that player."""
    most: list[tuple[int, str, str]] = []
    player, losses = "", Losses()

    def done() -> None:
        if losses.only:
            heapq.heappush(most, (losses.lost_to, player, losses.to))
            if len(most) > MAX_PAIRS:
                heapq.heappop(most)

    # All scores of one player come one after the other.
    async for one in _scores(store):
        if one["player"] != player:
            done()
            player, losses = str(one["player"]), Losses()
        losses = losses.after(str(one["opponent"]), int(one["games"]), int(one["lost"]))
    done()
    return {loser: winner for _, loser, winner in most}


async def _frequent(store: Store) -> list[Pair]:
    """The MAX_PAIRS pairs with the most rated games, if they have enough to tell anything."""
    counted = dict.fromkeys(await _often_met(store), 0)
    async for pair, _, _ in _rated_games(store):
        if pair in counted:
            counted[pair] += 1
    often = ((games, pair) for pair, games in counted.items() if games >= MIN_GAMES)
    return [pair for _, pair in heapq.nlargest(MAX_PAIRS, often)]


async def _often_met(store: Store) -> list[Pair]:
    """The MAX_COUNTED pairs who have met most often, rated or not."""
    most: list[tuple[int, Pair]] = []
    async for one in _scores(store):
        games, pair = int(one["games"]), (str(one["player"]), str(one["opponent"]))
        if games >= MIN_GAMES and pair == _pair(*pair):
            heapq.heappush(most, (games, pair))
            if len(most) > MAX_COUNTED:
                heapq.heappop(most)
    return [pair for _, pair in most]


async def _scores(store: Store) -> AsyncIterator[FlatRecord]:
    async for page in store.records.records(SCORES):
        for one in page:
            if not isinstance(one, UnreadableRecord):
                yield one


async def _rated_games(store: Store) -> AsyncIterator[tuple[Pair, FinishedGame, Head]]:
    """Yields each rated game as it was counted, with its players."""
    async for page in store.records.games():
        for document in page:
            if not isinstance(document, UnreadableRecord) and (finished := _rated(document.head)) is not None:
                yield _pair(finished.white, finished.black), finished, document.head


def _rated(head: Head) -> FinishedGame | None:
    """The game of `head` if it is over and changed the ratings of two players who are still here."""
    try:
        if summary(head).status != "over" or not (finished := finished_game_of(head)).rated:
            return None
    except (*WRONG, Unreadable):
        return None
    return finished if finished.white and finished.black else None


def _pair(white: str, black: str) -> Pair:
    return (white, black) if white < black else (black, white)


def _as_seen(player: str, finished: FinishedGame, head: Head, changes: RatingChanges) -> RatedGame:
    color = Color.WHITE if finished.white == player else Color.BLACK
    line = summary(head)
    won = None if finished.winner is None else finished.winner is color
    return RatedGame(
        finished.game, won, line.reason or "", line.plies, *(_gain(changes, one) for one in (color, color.other))
    )


def _gain(changes: RatingChanges, color: Color) -> float:
    return changes[color].after - changes[color].before if color in changes else 0.0


def _names(head: Head, finished: FinishedGame) -> Mapping[str, str]:
    return {finished.white: str(head["white_name"]), finished.black: str(head["black_name"])}
