"""A bot beside the server: it accepts challenges, takes seeks that nobody has taken for a while, and plays the games.

The site tells a bot that connects about everything that is going on, so it can be stopped and started at any time.
Whatever fails is tried again; a game in which the site refuses the engine's move is resigned, so that nobody has to
wait.
"""

import asyncio
import logging
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp

from server.host.bot.api_client import ApiClient, Declined
from server.host.bot.uci_engine import BotTurn, EngineFailed, UciEngine
from server.rules.errors import InvalidPgn
from server.rules.notation.fen import format_fen, start_position
from server.rules.notation.pgn_tags import find_variant
from server.rules.variant.variant import Variant

log = logging.getLogger(__name__)

LOOK_EVERY_S: Final = 5.0
AGAIN_S: Final = 3.0
"""Seconds until a broken connection is tried again."""
GONE: Final = (aiohttp.ClientError, TimeoutError, OSError)


@dataclass(slots=True)
class HostBot:
    """`plays`: its variants, by id. `wait_s`: how long a seek stands before it is taken. `most`: games at once.
    `own_id`: its id in games.
    """

    api: ApiClient
    engine: UciEngine
    catalogue: Mapping[str, Variant]
    plays: frozenset[str]
    wait_s: float
    most: int
    own_id: str
    games: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    seen: dict[str, float] = field(default_factory=dict)
    """When each seek was first seen, by a clock that only goes forward, s."""

    async def run(self) -> None:
        """Plays until cancelled. Raises CommandRefused if the site refuses the token."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._look_for_seeks())
            while True:
                with suppress(Declined, *GONE):
                    async for event in self.api.lines("/api/stream/event"):
                        await self._take(event, tasks)
                await asyncio.sleep(AGAIN_S)

    async def _take(self, event: dict[str, Any], tasks: asyncio.TaskGroup) -> None:
        match event["type"]:
            case "challenge":
                answer = "accept" if self._wants(event["challenge"]) else "decline"
                with suppress(Declined):
                    await self.api.post(f"/api/challenge/{event['challenge']['id']}/{answer}")
            case "gameStart":
                game = event["game"]["gameId"]
                if game not in self.games:
                    self.games[game] = tasks.create_task(self._play(game))

    def _wants(self, challenge: dict[str, Any]) -> bool:
        try:
            variant, _ = find_variant(challenge["variant"]["key"], self.catalogue)
        except InvalidPgn:
            return False
        return variant.id in self.plays and not challenge["rated"] and len(self.games) < self.most

    # --- seeks ------------------------------------------------------------------------------------------------------

    async def _look_for_seeks(self) -> None:
        while True:
            with suppress(Declined, *GONE):
                await self._take_seeks((await self.api.get("/api/seeks"))["seeks"], time.monotonic())
            await asyncio.sleep(LOOK_EVERY_S)

    async def _take_seeks(self, seeks: list[dict[str, Any]], now: float) -> None:
        """Takes those that have stood for long enough at `now` (s)."""
        self.seen = {seek["id"]: self.seen.get(seek["id"], now) for seek in seeks}
        for seek in seeks:
            wanted = sorted(self.plays & set(seek.get("variants") or self.plays))
            suits = wanted and not seek.get("rated") and not seek.get("bot")
            if suits and len(self.games) < self.most and now - self.seen[seek["id"]] >= self.wait_s:
                with suppress(Declined):
                    await self.api.post(f"/api/bot/seek/{seek['id']}/take", variants=",".join(wanted))

    # --- a game -----------------------------------------------------------------------------------------------------

    async def _play(self, game: str) -> None:
        """Plays a game to its end, however often the connection breaks."""
        try:
            over = False
            while not over:
                try:
                    over = await self._follow(game)
                except Declined as why:
                    log.warning("game %s is left: %s", game, why)
                    return
                except GONE:
                    await asyncio.sleep(AGAIN_S)
        finally:
            self.games.pop(game, None)

    async def _follow(self, game: str) -> bool:
        """Follows the stream of a game to its end. Returns whether the game is over."""
        full: dict[str, Any] = {}
        status = ""
        async for line in self.api.lines(f"/api/bot/game/stream/{game}"):
            full = line if line["type"] == "gameFull" else full
            state = line.get("state", line)
            if "moves" in state:
                status = state["status"]
                await self._answer(game, full, state)
        return status not in ("created", "started")

    async def _answer(self, game: str, full: dict[str, Any], state: dict[str, Any]) -> None:
        own = "white" if full["white"]["id"] == self.own_id else "black"
        theirs = "b" if own == "white" else "w"
        if state["status"] != "started":
            return
        with suppress(Declined):
            if state.get(f"{theirs}takeback"):
                await self.api.post(f"/api/bot/game/{game}/takeback/yes")
                return
            if state.get(f"{theirs}draw"):
                await self.api.post(f"/api/bot/game/{game}/draw/no")
        turn = self.position_of(full, state, own)
        if turn is not None:
            await self._move(game, turn)

    def position_of(self, full: dict[str, Any], state: dict[str, Any], own: str) -> BotTurn | None:
        """What to ask the engine; None: the other side is to move."""
        variant, chess960 = find_variant(full["variant"]["key"], self.catalogue)
        fen = full["initialFen"]
        if fen == "startpos":
            fen = format_fen(start_position(variant))
        moves = tuple(state["moves"].split())
        begins = "white" if fen.split()[1] == "w" else "black"
        mover = begins if len(moves) % 2 == 0 else {"white": "black", "black": "white"}[begins]
        left = state["wtime" if own == "white" else "btime"]
        return BotTurn(variant.id, chess960, fen, moves, left) if mover == own else None

    async def _move(self, game: str, turn: BotTurn) -> None:
        """Plays, or resigns if the engine has no move that the site accepts."""
        try:
            try:
                move = await self.engine.best_move(turn)
            except EngineFailed as why:
                log.warning("the engine is started again: %s", why)
                await self.engine.start()
                move = await self.engine.best_move(turn)
            await self.api.post(f"/api/bot/game/{game}/move/{move}")
        except (Declined, EngineFailed) as why:
            state = await self.api.get("/api/account/playing")
            still = [one for one in state["nowPlaying"] if one["gameId"] == game and one["isMyTurn"]]
            if still:
                log.warning("game %s is resigned: %s", game, why)
                with suppress(Declined):
                    await self.api.post(f"/api/bot/game/{game}/resign")
