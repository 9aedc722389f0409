"""The desk says how the site is, and makes its backups: by a button and daily, as many as are kept, never too many."""

import asyncio
import os
import re
import sqlite3
import sys
from contextlib import closing
from types import SimpleNamespace

import pytest

from server.app import say_goodbye
from server.games.clocks.time_control import DAY_MS
from server.realtime.services.site_settings import change_house
from server.storage.errors import Unavailable
from server.storage.sqlite import copy as sqlite_copy
from server.web.operation import site_check
from server.web.operation.backups import BACKUPS, FEWEST
from server.web.operation.site_check import SITE_CHECK, SiteCheck
from tests.support.patience import PATIENCE_S
from tests.support.web.accounts import PASSWORD, go, page_of
from tests.support.web.desk import ROOT

pytestmark = pytest.mark.usefixtures("unlimited")
ROOM = "/host/site"


@pytest.fixture
async def backups(server):
    return server.app[BACKUPS]


async def names(backups):
    return [one.name for one in await backups.made()]


async def test_the_page_says_how_the_site_is(site, host):
    site.store.damage.found["games"] += 2
    page = await page_of(host, ROOM)
    shown = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page))
    assert shown["What is stored"] == "can be written"
    assert shown["Damaged records that were met"] == "2"
    assert shown["Processes"] == "1"
    assert re.fullmatch(r"[0-9.]+ MB", shown["Size of the site’s file"])
    assert shown["Mail"] == "off"


async def test_a_store_that_takes_nothing_is_said(site, host, monkeypatch):
    async def fail():
        raise Unavailable("The disk is full.")

    monkeypatch.setattr(site.store, "ping", fail)
    assert "cannot be written now" in await page_of(host, ROOM)


async def test_the_button_makes_a_whole_backup_for_its_owner_alone_and_pressing_twice_makes_one(site, host, backups):
    for _ in range(2):
        assert await go(host, f"{ROOM}/backup", id="first") == f"{ROOM}?begun#backups-title"
        await site.live.services.background.finish(PATIENCE_S)
    (name,) = await names(backups)
    file = site.settings.data_dir / "backups" / name
    assert file.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(file)) as copy:
        assert copy.execute("SELECT name FROM accounts").fetchall() == [("Hilda",)]
    assert "UTC" not in name
    lines = [one.detail for one in await site.store.desk.log(site.now(), 99) if one.deed == "site"]
    assert lines == ["backup"]
    assert " MB" in await page_of(host, ROOM)


async def test_one_is_made_a_day_and_as_many_stay_as_are_kept(site, host, backups):
    now = site.now()
    await backups.make_due(0, now)
    assert await names(backups) == []
    assert await go(host, f"{ROOM}/backups", kept="3") == f"{ROOM}?done#backups-title"
    kept = site.live.settings.current.house.backups_kept
    for day in range(5):
        await backups.make_due(kept, now + day * DAY_MS)
        await backups.make_due(kept, now + (day + 1) * DAY_MS - 1_000)
    made = await backups.made()
    assert [(now - one.at) // 1_000 * 1_000 for one in made] == [-day * DAY_MS for day in (4, 3, 2)]
    assert (await go(host, f"{ROOM}/backups", kept="999"))[0] == 400


async def test_a_site_that_makes_none_by_itself_keeps_the_last_few(site, backups):
    for day in range(FEWEST + 2):
        await backups.make(0, site.now() + day * DAY_MS)
    assert len(await names(backups)) == FEWEST


async def test_without_room_none_is_made_and_the_page_says_why_until_one_is(site, host, backups, monkeypatch):
    free = SimpleNamespace(free=site.settings.site_file.stat().st_size, total=10**12)
    monkeypatch.setattr(sqlite_copy.shutil, "disk_usage", lambda _: free)
    await backups.make(3, site.now())
    assert await names(backups) == []
    assert "has not twice the room" in await page_of(host, ROOM)
    monkeypatch.undo()
    await backups.make(3, site.now())
    assert "The last one was not made" not in await page_of(host, ROOM)


async def test_a_copy_that_fails_leaves_those_before_and_no_draft(site, host, backups, monkeypatch):
    await backups.make(3, site.now())
    before = await names(backups)

    async def fail(path):
        path.write_bytes(b"half a file")
        raise Unavailable("The disk is full.")

    monkeypatch.setattr(site.store, "copy_to", fail)
    await backups.make(3, site.now() + DAY_MS)
    monkeypatch.undo()

    async def damaged(path):
        path.write_bytes(b"no database")

    monkeypatch.setattr(site.store, "copy_to", damaged)
    await backups.make(3, site.now() + DAY_MS)
    assert await names(backups) == before
    assert [one.name for one in (site.settings.data_dir / "backups").iterdir()] == before
    assert "The log of the server says why" in await page_of(host, ROOM)


async def test_what_the_site_says_of_itself_and_how_many_are_kept_do_not_undo_each_other(site, host):
    await go(host, f"{ROOM}/backups", kept="7")
    assert await go(host, "/host/settings", rev="1", lead="Hello.") == "/host/settings?done"
    house = (await site.store.site_settings.read()).house
    assert (house.lead, house.backups_kept) == ("Hello.", 7)
    await change_house(site.store.site_settings, lambda one: one, ROOT, site.now())
    await go(host, f"{ROOM}/backups", kept="0")
    assert (await site.store.site_settings.read()).house.lead == "Hello."


async def test_a_site_without_mail_sends_no_test(host):
    status, page = await go(host, f"{ROOM}/mail", id="mail1")
    assert (status, "This site sends no mail." in page) == (409, True)


async def test_today_warns_of_an_old_backup_and_the_page_tells_how_the_site_grows(site, host, backups, clock):
    assert "No backup has been made here." in await page_of(host, "/host")
    await backups.make(3, site.now())
    assert "desk_site" not in await page_of(host, "/host")
    for days, said in ((1, False), (7, True)):
        clock.turn(days * DAY_MS)
        assert await go(host, "/host/password", password=PASSWORD) == "/host"
        assert ("The last backup is 8 days old." in await page_of(host, "/host")) is said
    shown = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", await page_of(host, ROOM)))
    assert re.fullmatch(r"[0-9.]+ MB in 8 days", shown["Growth"])
    assert re.fullmatch(r"[0-9]+ ms \([A-Z]+ /.*\)", shown["The longest that one request held up the others"])


HAS_A_DEFECT = """
from server import command_line
from server.cli import commands

def check(settings):
    print('games <b>: bad.\\n' * 30, end='')
    raise KeyError('what nobody expected')

commands.check_all = check
raise SystemExit(command_line.carry_out(['check']))
"""


@pytest.mark.parametrize(
    ("script", "said", "logged"),
    [
        ("", "Everything that is stored is intact.", ["check", "checked 0"]),
        (
            "print('games <b>: bad.\\n' * 30, end=''); raise SystemExit(1)",
            "30 things are wrong.",
            ["check", "checked 30"],
        ),
        ("raise SystemExit(2)", "It could not be looked at.", ["check"]),
        (
            "import os; print('games <b>: bad.\\n' * 30, end='', flush=True); os.kill(os.getpid(), 9)",
            "It was not looked at to the end",
            ["check"],
        ),
        (HAS_A_DEFECT, "It was not looked at to the end", ["check"]),
    ],
    ids=["intact", "flaws", "failed", "killed", "ended by a defect"],
)
async def test_a_check_says_on_the_page_and_in_the_log_what_it_has_found(site, host, monkeypatch, script, said, logged):
    monkeypatch.setenv("FAIRYHOUSE_DATA_DIR", str(site.settings.data_dir))
    monkeypatch.setattr(site_check, "COMMAND", (sys.executable, "-c", script))
    assert await go(host, f"{ROOM}/check", id="one") == f"{ROOM}?checks#check-title"
    await site.live.services.background.finish(PATIENCE_S)
    page = await page_of(host, ROOM)
    assert said in page
    assert page.count("games &lt;b&gt;: bad.") == (20 if "games" in script else 0)
    lines = [one.detail for one in await site.store.desk.log(site.now(), 99) if one.deed == "site"]
    assert sorted(lines) == logged


async def test_a_check_that_cannot_begin_is_said(site, host, monkeypatch):
    monkeypatch.setattr(site_check, "COMMAND", ("/no/such/program",))
    await go(host, f"{ROOM}/check", id="one")
    await site.live.services.background.finish(PATIENCE_S)
    assert "It could not be looked at." in await page_of(host, ROOM)


async def test_a_check_that_finds_no_room_for_its_copy_is_said(site, host, monkeypatch):
    monkeypatch.setattr(site_check, "COMMAND", (sys.executable, "-c", "raise SystemExit(1)"))
    free = SimpleNamespace(free=site.settings.site_file.stat().st_size, total=10**12)
    monkeypatch.setattr(sqlite_copy.shutil, "disk_usage", lambda _: free)
    await go(host, f"{ROOM}/check", id="one")
    await site.live.services.background.finish(PATIENCE_S)
    page = await page_of(host, ROOM)
    assert page.count("has not twice the room of the site’s file") == 2, "of the check, and of backups in general"


HANGS = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); signal.pause()"


async def test_a_check_that_hangs_is_ended_and_another_can_be_asked_for(site, host, monkeypatch):
    monkeypatch.setattr(site_check, "COMMAND", (sys.executable, "-c", HANGS))
    monkeypatch.setattr(site_check, "MOST_S", 0.001)
    monkeypatch.setattr(site_check, "KILL_AFTER_S", 0.0)
    check = SiteCheck(None)
    assert not await check.run()
    assert (check.under_way, check.count, check.problem) == (False, None, "failed")
    monkeypatch.setattr(site_check, "MOST_S", 600.0)
    monkeypatch.setattr(site_check, "COMMAND", (sys.executable, "-c", ""))
    assert await check.run()


async def test_a_server_that_stops_waits_for_no_check_and_begins_none(server, site, monkeypatch):
    began, gone, loop = asyncio.Event(), asyncio.Event(), asyncio.get_running_loop()

    def nice(_, pid, by):
        process = os.pidfd_open(pid)
        loop.add_reader(process, lambda: (loop.remove_reader(process), os.close(process), gone.set()))
        began.set()

    monkeypatch.setattr(site_check.os, "setpriority", nice)
    monkeypatch.setattr(site_check, "COMMAND", (sys.executable, "-c", HANGS))
    monkeypatch.setattr(site_check, "KILL_AFTER_S", 0.0)
    check = server.app[SITE_CHECK]
    under_way = site.live.services.background.spawn(check.run())
    await began.wait()
    await say_goodbye(server.app)
    assert under_way.cancelled()
    assert not check.under_way
    assert not await check.run()
    await gone.wait()
