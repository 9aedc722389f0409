"""`fairyhouse bot`: looks for what it needs first, and says what is missing."""

import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import aiohttp

from server.host.bot.api_client import ApiClient, Declined
from server.host.bot.host_bot import GONE, HostBot
from server.host.bot.uci_engine import UciEngine
from server.host.engine_program import engine_at, own_engine
from server.host.site_access import CommandRefused, catalogue
from server.settings import Settings

TOKEN: Final = "BOT_TOKEN"
"""The environment variable with the token, which other people on the machine could read on the command line."""


@dataclass(frozen=True, slots=True)
class BotOptions:
    """What was typed. `engine`: None for the site's own. `variants`: ids, none: all that it plays. `site`: "" for
    that of the settings.
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


async def _enter(api: ApiClient) -> str:
    """The id of the token's account, which becomes a bot. Raises CommandRefused."""
    try:
        account = await api.get("/api/account")
        await api.post("/api/bot/account/upgrade")
    except Declined as why:
        raise CommandRefused(str(why)) from None
    except GONE as error:
        raise CommandRefused(f"The site does not answer: {error}. Is it running, and is --site right?") from None
    return str(account["id"])
