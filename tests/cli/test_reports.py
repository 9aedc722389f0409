"""`fairyhouse reports` on a site whose server does not run: the same list, and the same closing."""

import asyncio

import pytest

from server.cli.commands import run
from server.cli.site_access import CommandRefused
from server.command_line import parse_command
from server.games.people import Report, ReportKind
from server.settings import Settings
from server.storage.sqlite.store import SqliteStore
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.rated_games import ANNA, BERTA

NOW = 1_700_000_000_000


@pytest.fixture
def settings(tmp_path):
    async def fill():
        store = await SqliteStore.open(tmp_path / "fairyhouse.sqlite3", VARIANTS)
        await store.reports.add(Report("r1", ANNA, BERTA, ReportKind.CHEATING, "", "How so?", NOW))
        await store.close()

    asyncio.run(fill())
    return Settings(data_dir=tmp_path)


def test_open_reports_are_listed_and_closed(settings, capsys):
    run(parse_command(["reports"]), settings)
    assert "r1  2023-11-14 22:13 UTC  cheating" in capsys.readouterr().out
    run(parse_command(["reports", "--close", "r1"]), settings)
    run(parse_command(["reports"]), settings)
    assert capsys.readouterr().out == "There are no open reports.\n"
    with pytest.raises(CommandRefused, match="There is no open report r1"):
        run(parse_command(["reports", "--close", "r1"]), settings)
