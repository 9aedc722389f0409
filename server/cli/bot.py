"""`fairyhouse bot`: a UCI engine as an opponent who is always there, through the Bot API like any other bot.

It accepts challenges, takes seeks that nobody has taken for a while, and plays the games. The site tells a bot that
connects about everything that is going on, so it can be stopped and started at any time. Whatever fails is tried again;
a game in which the site refuses the engine's move is resigned, so that nobody has to wait. Opens no store.
"""

import asyncio
import logging
import os
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import aiohttp
import orjson

from server.cli.engines import BotTurn, EngineFailed, UciEngine, engine_at, own_engine
from server.cli.site_access import CommandRefused, catalogue
from server.rules.errors import InvalidPgn
from server.rules.notation.fen import format_fen, start_position
from server.rules.notation.pgn_tags import find_variant
from server.rules.variant.variant import Variant
from server.settings import Settings

TOKEN: Final = "BOT_TOKEN"
"""The environment variable with the token, which other people on the machine could read on the command line."""


@dataclass(frozen=True, slots=True)
class BotOptions:
    """The options of the command. `engine`: None for the site's own. `variants`: ids, none for all that it plays.
    `site`: "" for that of the settings.
    """

    engine: Path | None
    level: int
    variants: Sequence[str]
    site: str
    wait_s: int
    games: int


def play(settings: Settings, options: BotOptions) -> None:
    """Plays until it is told to stop. Raises CommandRefused."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        asyncio.run(_play(settings, options))
    except KeyboardInterrupt:
        return
    except BaseExceptionGroup as group:
        refused = group.subgroup(CommandRefused)
        if refused is None:
            raise
        first: BaseException = refused
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        raise first from None


async def _play(settings: Settings, options: BotOptions) -> None:
    token = os.environ.get(TOKEN, "")
    if not token:
        raise CommandRefused(
            f"{TOKEN} is not set. Register an account for the bot on the site, make a token with bot:play at"
            " /account/tokens, and give it by that environment variable."
        )
    program = engine_at(options.engine) if options.engine else own_engine(settings.variants_dir)
    engine = UciEngine(program, options.level)
    await engine.start()
    try:
        known = catalogue(settings)
        plays = frozenset(options.variants) or engine.variants & known.keys()
        if odd := sorted(plays - (engine.variants & known.keys())):
            both = ", ".join(sorted(engine.variants & known.keys())) or "nothing"
            raise CommandRefused(f"The site or the engine does not play {', '.join(odd)}. Both play {both}.")
        async with aiohttp.ClientSession() as http:
            api = ApiClient(options.site or f"http://127.0.0.1:{settings.port}", token, http)
            own_id = await _enter(api)
            bot = HostBot(api, engine, known, plays, options.wait_s, options.games, own_id)
            sys.stdout.write(
                f"{own_id} plays {', '.join(sorted(plays))} at level {options.level} ({engine.strength}).\n"
            )
            sys.stdout.flush()
            await bot.run()
    finally:
        await engine.stop()


async def _enter(api: "ApiClient") -> str:
    """Turns the token's account into a bot and returns its id. Raises CommandRefused."""
    try:
        account = await api.get("/api/account")
        await api.post("/api/bot/account/upgrade")
    except Declined as why:
        raise CommandRefused(str(why)) from None
    except GONE as error:
        raise CommandRefused(f"The site does not answer: {error}. Is it running, and is --site right?") from None
    return str(account["id"])


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

    api: "ApiClient"
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
                    log.warning("gave up game %s: %s", game, why)
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
        """What to ask the engine; None if the other side is to move."""
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
                log.warning("restarting the engine: %s", why)
                await self.engine.start()
                move = await self.engine.best_move(turn)
            await self.api.post(f"/api/bot/game/{game}/move/{move}")
        except (Declined, EngineFailed) as why:
            state = await self.api.get("/api/account/playing")
            still = [one for one in state["nowPlaying"] if one["gameId"] == game and one["isMyTurn"]]
            if still:
                log.warning("resigning game %s: %s", game, why)
                with suppress(Declined):
                    await self.api.post(f"/api/bot/game/{game}/resign")


QUIET_S: Final = 20.0
"""After so many seconds without a line the connection counts as dead; the site sends empty ones more often."""


class Declined(Exception):
    """The site has refused a request; the message is its reason."""


class ApiClient:
    """Speaks to `site` by `token`. Every method raises Declined, aiohttp.ClientError, TimeoutError."""

    def __init__(self, site: str, token: str, http: aiohttp.ClientSession) -> None:
        self._site = site.rstrip("/")
        self._http = http
        self._headers = {"Authorization": f"Bearer {token}"}

    async def get(self, path: str) -> Any:
        """Returns the site's answer, parsed."""
        async with self._http.get(self._site + path, headers=self._headers) as answer:
            return await self._said(answer)

    async def post(self, path: str, **fields: str) -> Any:
        """Sends `fields` as a form."""
        async with self._http.post(self._site + path, headers=self._headers, data=fields or None) as answer:
            return await self._said(answer)

    async def lines(self, path: str) -> AsyncIterator[dict[str, Any]]:
        """The lines of a stream, until it ends."""
        patience = aiohttp.ClientTimeout(total=None, sock_read=QUIET_S)
        async with self._http.get(self._site + path, headers=self._headers, timeout=patience) as answer:
            if answer.status >= 400:
                await self._said(answer)
            async for line in answer.content:
                if line.strip():
                    yield orjson.loads(line)

    async def _said(self, answer: aiohttp.ClientResponse) -> Any:
        """Raises CommandRefused if the token does not allow it, as asking again would not help."""
        said = orjson.loads(await answer.read() or b"{}")
        if answer.status in (401, 403):
            raise CommandRefused(f"{self._site} refuses the token: {said.get('error', answer.status)}")
        if answer.status >= 400:
            raise Declined(str(said.get("error") or said.get("message") or answer.status))
        return said
