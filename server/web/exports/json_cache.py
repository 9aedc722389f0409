"""The JSON of games, worked out in steps, once for each state of a game however many ask for it, and kept for a while.

The game is replayed for it: 5,000 half-moves take a third of a second, and no move may wait that long.
"""

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from aiohttp import web

from server.games.state import Game
from server.realtime.process.single_flight import SingleFlight
from server.storage.time_slices import run_sliced
from server.web.exports.game_json import game_steps
from server.web.rendering.answers import as_json
from server.web.rendering.page_cache import CachedPage, Key, PageCache, made


@dataclass(slots=True)
class GameJsonCache:
    """The JSON of the games of one site."""

    kept: PageCache = field(default_factory=PageCache)
    _under_way: SingleFlight[CachedPage] = field(default_factory=SingleFlight)

    def known(self, game: Game) -> bool:
        """Can it be had at once?"""
        return self.kept.find(key_of(game)) is not None

    async def read(self, game: Game) -> CachedPage:
        """The JSON of that state of the game."""
        key = key_of(game)
        if (found := self.kept.find(key)) is not None:
            return found
        return await self._under_way.do(key, partial(self._make, game))

    async def _make(self, game: Game) -> CachedPage:
        answer = as_json(await run_sliced(game_steps(game)))
        # In a thread, because compressing releases the interpreter lock.
        page = await asyncio.to_thread(made, answer, marked=False)
        self.kept.keep(key_of(game), page)
        return page


def key_of(game: Game) -> Key:
    """Another one after each change of the game."""
    return game.id, str(game.rev), ""


GAME_JSON_CACHE: Final = web.AppKey("GAME_JSON_CACHE", GameJsonCache)
