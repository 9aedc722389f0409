"""A host follows docs/: what the pages have them type is typed as it stands there, on a machine of the tests' own."""

import asyncio
import json
import re
import shutil
import time

import pytest

from server.games.joining import JoinRequest
from server.games.people import Report, ReportKind
from server.realtime.services.joining import ask_to_join
from server.storage.sqlite.copy import version_of
from server.storage.sqlite.scripts import SCRIPTS
from server.storage.sqlite.store import SqliteStore
from server.storage.tables.accounts import fold
from server.storage.tables.puzzles import Searched
from tests.support.documents import ROOT, example, examples, units_of_page
from tests.support.host_machine import HostMachine
from tests.support.mail.mail_server import mail_server
from tests.support.puzzles import SMOTHERED
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.filled_site import contents
from tests.support.storage.old_files import make_old_file
from tests.support.storage.rated_games import ANNA, BERTA, count_all, played, register
from tests.support.web.people import Person

pytestmark = pytest.mark.slow


@pytest.fixture
def machine(tmp_path):
    machine = HostMachine(tmp_path)
    machine.run(example("backup.md", "Restoring", 0))
    yield machine
    machine.end()


async def fill_site(path):
    """Somebody has played, a puzzle was made of a game, something was reported, and two people ask to join."""
    store = await SqliteStore.open(path, VARIANTS)
    await register(store, ANNA, BERTA)
    for number in range(3):
        await played(store, f"rated{number}", ANNA, BERTA)
    await count_all(store)
    await store.puzzles.keep_puzzles(Searched(SMOTHERED.game, SMOTHERED.variant, 0), [SMOTHERED])
    for name in ("Nuri", "Rik"):
        await ask_to_join(store, JoinRequest(fold(name), name, "no hash", "Hello.", int(time.time() * 1000)))
    await store.reports.add(Report("r1", ANNA, BERTA, ReportKind.INSULTS, "rated0", "Oh!", 0))
    await store.close()


def test_a_first_start_by_hand_is_asked_whether_it_is_ready(machine):
    *_, (_, by_hand), (_, asked) = examples("install.md")["Steps"]
    with machine.typed(f"export FAIRYHOUSE_PORT={machine.port}\n{by_hand}", machine.port):
        assert machine.run(asked) == '{"ready": true}'
        assert machine.run(example("troubleshooting.md", "Troubleshooting")).count("HTTP/1.1 200 OK") == 2
    assert (machine.data / "fairyhouse.sqlite3").exists()


def test_a_site_on_the_local_network_answers_by_the_name_of_the_machine(machine):
    with (machine.root / "etc/fairyhouse.env").open("a") as settings:
        settings.write(machine.here(example("install.md", "On the local network")))
    machine.run("systemctl start fairyhouse")
    asked = "curl --fail --silent --header Host:the-machine:8080 http://127.0.0.1:8080/about"
    assert "Fairyhouse" in machine.run(asked)


async def test_the_service_serves_a_backup_is_taken_and_every_command_of_the_manual_does_what_it_says(machine):
    await fill_site(machine.data / "fairyhouse.sqlite3")
    for name, text in units_of_page():
        machine.unit(name, text)
    async with mail_server() as server:
        with (machine.root / "etc/fairyhouse.env").open("a") as settings:
            settings.write(re.sub(r"smtp://\S+", server.url, example("mail.md", "Sending")))
        run = lambda script: asyncio.to_thread(machine.run, script)  # noqa: E731
        await run(example("systemd.md", "The service", 1))
        assert "day-" in await run(example("systemd.md", "A daily backup", 2))
        assert "r1 " in await run(example("systemd.md", "Commands of the host", 1))
        assert re.fullmatch(r"[\w-]{14}\n", await run(example("operate.md", "A forgotten password")))
        assert (await run(example("operate.md", "Decisions about people"))).endswith(": mute lifted.\n")
        told = await run(example("operate.md", "Who asks for their data").partition(" >")[0])
        assert json.loads(told)["profile"]["name"] == "Anna"
        told = await run(example("operate.md", "Who has a role"))
        assert "/host/claim#" in told
        assert told.endswith("moderator  Anna\n")
        told = await run(example("operate.md", "Who may join"))
        assert told.startswith("accounts: asked\nguests: link\n\nNuri asks since ")
        assert "/register?invitation=" in told
        assert told.endswith("used: 0 of 30  Poster in the library\n")
        await run(example("operate.md", "A notice for everybody"))
        await run(example("operate.md", "Reports").replace("ID", "r1"))
        assert await run("fairyhouse reports") == "There are no open reports.\n"
        await run(example("operate.md", "Rated games that look farmed"))
        puzzles = example("operate.md", "Puzzles").replace("--limit 100", "--limit 1 --nodes 20")
        assert "Removed 1 puzzle" in await run(puzzles.replace("ID", SMOTHERED.id))
        await run(example("operate.md", "Checking"))
        told = await run(example("operate.md", "The settings").replace("you@example.org", "anna@example.net"))
        assert f"FAIRYHOUSE_DATA_DIR={machine.data}" in told
        assert [mail["To"] for mail in server.mails] == ["anna@example.net"]
        assert "This release can open it." in await run(example("operate.md", "Upgrades"))
        await run(example("operate.md", "Deleting").replace("dTv2QzwC0u", "rated2"))
        await run("systemctl stop fairyhouse")
        backup, restore, export, *_ = example("operate.md", "Copies").splitlines()
        await run("\n".join((backup, restore, export)))
    (aside,) = machine.data.glob("fairyhouse.until-*.sqlite3")
    assert contents(aside) == contents(machine.data / "fairyhouse.sqlite3")


async def test_after_the_loss_of_the_disk_the_backup_is_the_site_and_was_rehearsed(machine):
    site = machine.data / "fairyhouse.sqlite3"
    await fill_site(site)
    before = contents(site)
    machine.run(example("backup.md", "A copy"))
    (kept := machine.root / "var/lib/fairyhouse-backups").mkdir()
    shutil.copy(machine.root / "site.sqlite3", kept / "day-15.sqlite3")
    with machine.typed(example("backup.md", "Rehearsal"), machine.other_port):
        assert (machine.root / "tmp/rehearsal/fairyhouse.sqlite3").exists()
    assert not (machine.root / "tmp/rehearsal").exists()
    shutil.rmtree(machine.data)
    for _, text in examples("backup.md")["Restoring"]:
        machine.run(text)
    assert contents(site) == before
    exported, imported = example("backup.md", "Moving to another machine or database").splitlines()
    machine.run(exported)
    site.unlink()
    machine.run(imported)
    assert contents(site) == before


def test_the_readme_installs_as_the_manual_does():
    steps = "".join(text for _, text in examples("install.md")["Steps"][:3])
    assert set(example("README.md", "Host it in ten minutes").splitlines()) <= set(steps.splitlines())


@pytest.mark.only_full("it fetches every package twice")
async def test_what_was_installed_and_upgraded_by_the_manual_serves_a_game(machine):
    shutil.rmtree(machine.root / "opt")
    steps = "".join(text for _, text in examples("install.md")["Steps"][:3])
    (machine.root / "copy").symlink_to(ROOT)
    machine.run(steps.replace("https://YOUR.COPY/fairyhouse.git", "copy"))
    machine.run(examples("upgrade.md")["Steps"][1][1])
    machine.run("ln -sfn fairyhouse-2 /opt/fairyhouse\nsystemctl start fairyhouse")
    async with Person(machine.site) as anna, Person(machine.site) as ben:
        game = await anna.challenge()
        await ben.join(game)
        async with anna.follow(game) as white:
            assert (await white.move(0, "e2e4"))["t"] == "ok"


def test_a_new_release_is_asked_what_it_would_do_is_taken_and_given_back(machine):
    """The older release is only in the file: nothing of it runs here."""
    site, old = machine.data / "fairyhouse.sqlite3", len(SCRIPTS) - 1
    make_old_file(site, old)
    backup, _, asked, changed = (text for _, text in examples("upgrade.md")["Steps"])
    machine.run(backup)
    assert version_of(machine.data / "before-upgrade.sqlite3") == old
    machine.install("fairyhouse-2")
    assert "This release can open it." in machine.run(asked)
    assert version_of(site) == old
    machine.run(changed.replace("restart", "start"))
    assert version_of(machine.data / f"fairyhouse.before-{old + 1}.sqlite3") == old
    assert (machine.root / "opt/fairyhouse").readlink().name == "fairyhouse-2"
    back, given_back = (text for _, text in examples("upgrade.md")["Going back"])
    machine.run(re.sub(r"before-\d+", f"before-{old + 1}", back))
    assert version_of(site) == old
    machine.run(given_back)
    assert (machine.root / "opt/fairyhouse").readlink().name == "fairyhouse-1"
