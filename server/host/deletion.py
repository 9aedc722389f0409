"""`fairyhouse delete game ID`, `delete player NAME` and `delete imports`: print what would go; with --yes, delete it.

With SQLite a running server deletes it itself, on an admin command, and its answer is printed. With MongoDB the servers
are told through Redis; without Redis they notice within a few seconds.
"""

import asyncio
import sys

from server.host.site_access import carried_out
from server.settings import Settings
from server.storage.admin_commands import Deletion


def delete(settings: Settings, command: Deletion) -> None:
    """Carries out the deletion, or only prints what would go unless it is `sure`. Raises CommandRefused."""
    sys.stdout.write(f"{asyncio.run(carried_out(settings, command))}\n")
    if not command.sure:
        sys.stdout.write("Nothing was deleted. Add --yes to do it.\n")
