"""`fairyhouse delete game ID`, `delete player NAME` and `delete imports`: print what would go; with --yes, delete it.

With SQLite a running server deletes it itself, on an admin command, and its answer is printed. With MongoDB the servers
are told through Redis; without Redis they notice within a few seconds.
"""

import asyncio
import sys

from server.backends import tell_servers
from server.host.site_access import opened_store, run_on_server
from server.realtime.process.bus import Deleted
from server.realtime.process.now import Now
from server.settings import Settings
from server.storage.admin_commands import Deletion
from server.storage.errors import InUse
from server.web.deletion import carry_out_deletion


def delete(settings: Settings, command: Deletion) -> None:
    """Carries out the deletion, or only prints what would go unless it is `sure`. Raises CommandRefused."""
    sys.stdout.write(f"{asyncio.run(_carry_out(settings, command))}\n")
    if not command.sure:
        sys.stdout.write("Nothing was deleted. Add --yes to do it.\n")


async def _carry_out(settings: Settings, command: Deletion) -> str:
    gone: list[Deleted] = []
    try:
        async with opened_store(settings) as store:
            return await carry_out_deletion(store, command, Now()(), gone.append)
    except InUse as error:
        return await run_on_server(settings, command, str(error))
    finally:
        await tell_servers(settings, gone)
