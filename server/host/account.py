"""`account reset NAME`: a new password for somebody who has forgotten theirs.

Works whether or not the server is running.
"""

import asyncio
import getpass
import sys

from server.host.site_access import CommandRefused, carried_out
from server.language import english
from server.settings import Settings
from server.storage.admin_commands import ResetPassword
from server.web.accounts.accounts import ONCE
from server.web.accounts.hashing import hash_password
from server.web.accounts.passwords import BadPassword, check_password, one_time_password


def reset(name: str, settings: Settings, ask: bool) -> None:
    """Gives `name` a new password and prints it. Raises CommandRefused."""
    password = prompt_for_password(name) if ask else one_time_password()
    owner = asyncio.run(carried_out(settings, ResetPassword(name, hash_password(password))))
    if not owner:
        raise CommandRefused(f"There is no account called {name}.")
    if not ask:
        sys.stdout.write(f"{password}\n")
    sys.stderr.write(
        f"This password lets {owner} sign in once, within {ONCE // 3_600_000} hours."
        f" {owner} is signed out everywhere.\n"
    )


def prompt_for_password(name: str) -> str:
    """Asks for a new password twice. Raises CommandRefused if they differ or it is not good enough."""
    password = getpass.getpass("New password: ")
    if getpass.getpass("Once more: ") != password:
        raise CommandRefused("The two passwords differ. Nothing was changed.")
    try:
        check_password(password, name)
    except BadPassword as error:
        raise CommandRefused(f"{english().said(error)} Nothing was changed.") from None
    return password
