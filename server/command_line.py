"""What the host types: `fairyhouse` serves the site, `fairyhouse account reset NAME` lets somebody in again.

A reset works while the server runs and while it does not. With MongoDB it is written there; the SQLite file belongs
to the running server alone, so the command opens it itself if nobody has it, and else leaves an order for the server.
"""

import argparse
import asyncio
import getpass
import sys
from collections.abc import Sequence

from server import parts
from server.app import serve
from server.parts import orders_of, sqlite_path
from server.realtime.now import Now
from server.rules.catalogue import load_catalogue
from server.rules.errors import InvalidVariant
from server.settings import Settings
from server.storage.errors import StoreError, Unavailable
from server.storage.stores import Store
from server.web.people.account_names import fold
from server.web.people.accounts import ONCE
from server.web.people.hashing import hash_password
from server.web.people.passwords import BadPassword, check_password, one_time_password

WAIT_MS = 200
"""Whoever has the file keeps it; there is no use in waiting for it."""
ANSWER_S = 10.0
LOOK_S = 0.1


class Refused(Exception):  # noqa: N818 - says what is so
    """The command was not carried out; the message says why, and what to do."""


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command. Leaves the program (SystemExit) after --help, or with a sentence for what it cannot read."""
    parser = argparse.ArgumentParser(
        prog="fairyhouse",
        description="A server for chess variants. Without a command it serves the site until Ctrl-C or SIGTERM.",
        epilog=settings_help(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    account = commands.add_parser("account", help="see to somebody's account")
    deeds = account.add_subparsers(dest="deed", metavar="DEED", required=True)
    reset = deeds.add_parser(
        "reset",
        help="give somebody a new password",
        description="Prints a password that lets NAME in once, within a day; NAME then chooses a new one. The old"
        " password ends, and NAME is signed out everywhere. Works while the server runs. Use the same settings"
        " (DATA_DIR or MONGODB_URI) as the server.",
    )
    reset.add_argument("name", metavar="NAME")
    reset.add_argument("--ask", action="store_true", help="ask for the password instead of making one up")
    return parser.parse_args(arguments)


def settings_help() -> str:
    """Every setting by the name of its environment variable, with the value it has when it is not set."""
    lines = [
        f"  {name.upper():<20} {'not set' if field.default is None else field.default}"
        for name, field in Settings.model_fields.items()
    ]
    return "\n".join(
        ["settings, from the environment, and what they are when not set:", *lines, "", "The README explains each."]
    )


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Carry out the command. Raises CannotStart, Refused."""
    if arguments.command == "account":
        reset(arguments.name, settings, ask=arguments.ask)
    else:
        serve(settings)


def reset(name: str, settings: Settings, ask: bool) -> None:
    """A new password for `name`, written to standard output. Raises Refused."""
    password = asked_password(name) if ask else one_time_password()
    owner = asyncio.run(set_password(settings, fold(name), hash_password(password)))
    if not owner:
        raise Refused(f"There is no account called {name}.")
    if not ask:
        sys.stdout.write(f"{password}\n")
    sys.stderr.write(
        f"This password lets {owner} in once, within {ONCE // 3_600_000} hours. {owner} is signed out everywhere.\n"
    )


def asked_password(name: str) -> str:
    password = getpass.getpass("New password: ")
    if getpass.getpass("Once more: ") != password:
        raise Refused("These were two different passwords. Nothing was changed.")
    try:
        check_password(password, name)
    except BadPassword as error:
        raise Refused(f"{error} Nothing was changed.") from None
    return password


async def set_password(settings: Settings, folded: str, hashed: str) -> str:
    """Whose password it is now, as he writes his name; "" for nobody's. Raises Refused."""
    try:
        store = await open_store(settings)
    except Unavailable as error:
        if settings.mongodb_uri:
            raise Refused(str(error)) from None
        return await order(settings, folded, hashed, str(error))
    try:
        return await store.accounts.reset_password(folded, hashed, Now()() + ONCE) or ""
    except StoreError as error:
        raise Refused(str(error)) from None
    finally:
        await store.close()


async def open_store(settings: Settings) -> Store:
    """The site's store. Raises Refused, Unavailable."""
    try:
        variants = load_catalogue(settings.variants_dir)
    except InvalidVariant as error:
        raise Refused(f"A variant file cannot be used. {error}") from None
    if not settings.mongodb_uri and not sqlite_path(settings).exists():
        raise Refused(f"There is no site in {settings.data_dir.absolute()}. Set DATA_DIR as the server has it.")
    return await parts.open_store(settings, variants, WAIT_MS)


async def order(settings: Settings, folded: str, hashed: str, why: str) -> str:
    """Has the server that keeps the file do it. `why`: what hindered this process. Raises Refused."""
    orders = orders_of(settings, Now())
    try:
        number = orders.leave(folded, hashed)
    except OSError as error:
        raise Refused(f"{why} No order can be left for it either: {error.strerror}.") from None
    for _ in range(round(ANSWER_S / LOOK_S)):
        await asyncio.sleep(LOOK_S)
        if (answer := orders.answer(number)) is not None:
            return answer
    orders.withdraw(number)
    raise Refused(f"{why} That server did not answer within {ANSWER_S:.0f} seconds.")
