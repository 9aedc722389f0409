"""`fairyhouse delete game ID`, `delete player NAME` and `delete imports`: counted first, and done with --yes.

While the server runs with SQLite it does it itself, by an admin command; its answer is printed. Servers on MongoDB
hear of it by Redis, and without one find it out within some seconds.
"""

import asyncio
import sys

from server.backends import tell_servers
from server.host.site_access import CommandRefused, open_store, run_on_server
from server.realtime.process.bus import Deleted
from server.realtime.process.now import Now
from server.settings import Settings
from server.storage.admin_commands import Deletion
from server.storage.errors import InUse, StoreError
from server.web.deleting import carry_out_deletion


def delete(settings: Settings, command: Deletion) -> None:
    """Without `sure` it is only printed what would go. Raises CommandRefused."""
    sys.stdout.write(f"{asyncio.run(_carry_out(settings, command))}\n")
    if not command.sure:
        sys.stdout.write("Nothing was deleted. Add --yes to do it.\n")


async def _carry_out(settings: Settings, command: Deletion) -> str:
    try:
        store = await open_store(settings)
    except InUse as error:
        return await run_on_server(settings, command, str(error))
    except StoreError as error:
        raise CommandRefused(str(error)) from None
    gone: list[Deleted] = []
    try:
        return await carry_out_deletion(store, command, Now()(), gone.append)
    except StoreError as error:
        raise CommandRefused(str(error)) from None
    finally:
        await store.close()
        await tell_servers(settings, gone)
