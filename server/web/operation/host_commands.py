"""Carries out what the host asks for on the command line: on the store of a running server, or of a command that has
it to itself. Knows no request.
"""

from collections.abc import Callable
from typing import assert_never

from server.realtime.process.bus import Deleted
from server.storage.admin_commands import (
    CloseReport,
    DeleteGame,
    DeleteImports,
    DeletePlayer,
    KeepPuzzles,
    ListPuzzles,
    ListReports,
    PostNotice,
    RemoveNotice,
    RemovePuzzles,
    ResetPassword,
    StoreCommand,
)
from server.storage.stores import Store
from server.storage.tables.notices import SiteNotice
from server.web.accounts.accounts import ONCE
from server.web.operation.deletion import carry_out_deletion
from server.web.people.report_list import MOST, report_list
from server.web.puzzles.admin import carry_out_puzzles


async def carry_out(
    store: Store, command: StoreCommand, now: int, address: str, forget: Callable[[Deleted], None]
) -> str:
    """Does it at `now` (ms), and returns what to say of it. `address`: of the site, for links. `forget` is called for
    each deleted game.

    For a reset password that is the owner's name, "" if there is no such account; for a notice removed or a report
    closed "yes", "" if there was none; for a notice posted "". Raises NotStored for what is not there, StoreError.
    """
    match command:
        case ResetPassword(name, password):
            return await store.accounts.reset_password(name, password, now + ONCE) or ""
        case PostNotice(text, posted, until):
            await store.notices.post(SiteNotice(text, posted, until))
            return ""
        case RemoveNotice():
            return "yes" if await store.notices.remove() else ""
        case ListReports():
            return report_list(await store.reports.open(MOST), address)
        case CloseReport(report):
            return "yes" if await store.reports.close(report, now) else ""
        case DeleteGame() | DeleteImports() | DeletePlayer():
            return await carry_out_deletion(store, command, now, forget)
        case KeepPuzzles() | ListPuzzles() | RemovePuzzles():
            return await carry_out_puzzles(store, command, address)
        case _:
            assert_never(command)
