"""How a command gets access to what the site has stored, and how it asks the running server to do something.

The SQLite file belongs to the running server alone. So a command opens the file if no server has it, and otherwise
leaves an admin command for the server. Knows no particular command.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TypeVar

from server import backends
from server.backends import admin_commands_of, sqlite_path
from server.language import about_variant_file
from server.realtime.process.bus import Deleted
from server.realtime.process.now import Now
from server.rules.catalogue import load_catalogue
from server.rules.errors import InvalidVariant
from server.rules.variant.variant import Variant
from server.settings import Settings
from server.storage.admin_commands import AdminCommand, AdminCommands, CommandFailed, StoreCommand
from server.storage.errors import InUse, StoreError
from server.storage.stores import Store
from server.web.operation.host_commands import carry_out

WAIT_MS = 200
"""A server that has the file keeps it, so waiting for it is no use."""
ANSWER_S = 10.0
LOOK_S = 0.1

Opened = TypeVar("Opened", bound=Store)


class CommandRefused(Exception):
    """The command was not carried out; the message says why, and what to do."""


def catalogue(settings: Settings) -> Mapping[str, Variant]:
    """The variants of the site. Raises CommandRefused."""
    try:
        return load_catalogue(settings.variants_dir)
    except InvalidVariant as error:
        raise CommandRefused(about_variant_file(error)) from None


@asynccontextmanager
async def closed_after(store: Opened) -> AsyncIterator[Opened]:
    """The store, closed at the end."""
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def opened_store(settings: Settings) -> AsyncIterator[Store]:
    """The site's store, closed at the end. Raises InUse, and CommandRefused for every other error of the store."""
    variants = catalogue(settings)
    if not settings.mongodb_uri:
        require_site(settings)
    try:
        async with closed_after(await backends.open_store(settings, variants, WAIT_MS)) as store:
            yield store
    except InUse:
        raise
    except StoreError as error:
        raise CommandRefused(str(error)) from None


def require_site(settings: Settings) -> None:
    """Raises CommandRefused if there is no embedded store."""
    if not sqlite_path(settings).exists():
        raise CommandRefused(f"There is no site in {settings.data_dir.absolute()}. Set DATA_DIR as for the server.")


async def carried_out(settings: Settings, command: StoreCommand) -> str:
    """What is said (`host_commands`) of the command when this process, or the server that has the file, has done it.

    Raises CommandRefused.
    """
    gone: list[Deleted] = []
    try:
        async with opened_store(settings) as store:
            return await carry_out(store, command, Now()(), settings.address, gone.append)
    except InUse as error:
        admin_commands = admin_commands_of(settings)
        return await await_answer(admin_commands, submit(admin_commands, command, str(error)), str(error))
    finally:
        await backends.tell_servers(settings, gone)


def submit(admin_commands: AdminCommands, command: AdminCommand, why: str) -> str:
    """Leaves `command` for the server and returns its number. Raises CommandRefused."""
    try:
        return admin_commands.submit(command)
    except OSError as error:
        raise CommandRefused(f"{why} No command can be left for it either: {error.strerror}.") from None


async def await_answer(admin_commands: AdminCommands, number: str, why: str) -> str:
    """Waits for the server's answer. `why`: what kept this process from doing it. Raises CommandRefused."""
    for _ in range(round(ANSWER_S / LOOK_S)):
        await asyncio.sleep(LOOK_S)
        try:
            answer = admin_commands.answer(number)
        except CommandFailed as error:
            raise CommandRefused(str(error)) from None
        if answer is not None:
            return answer
    admin_commands.withdraw(number)
    raise CommandRefused(f"{why} That server did not answer within {ANSWER_S:.0f} seconds.")
