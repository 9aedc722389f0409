"""What a server loads when it starts, only what every site needs, and of what it warns."""

import asyncio
import subprocess
import sys

import pytest

from server.backends import open_store_of_site
from server.serving import SWITCH_S, serve
from server.settings import Settings

ONLY_SOME_SITES = (
    "aiosmtpd",
    "motor",
    "pymongo",
    "redis",
    "pywebpush",
    "py_vapid",
    "cryptography",
    "prometheus_client",
)
ONLY_WHO_DRAWS = ("PIL", "resvg_py")
"""Pictures are drawn in a process of their own."""
ONLY_LATER = ("multiprocessing", "segno", "server.web.mailing", "server.cli.commands")
"""For a picture, for a code to be scanned, for a site with mail, for a command of the host."""


@pytest.fixture(scope="module")
def loaded():
    """The modules that `python -m server` has loaded when it is about to read its command."""
    program = "import sys, server.command_line; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return run.stdout.split()


@pytest.mark.parametrize("library", ONLY_SOME_SITES + ONLY_WHO_DRAWS + ONLY_LATER)
def test_optional_libraries_are_not_loaded_at_the_start(loaded, library):
    assert "server.app" in loaded
    assert library not in loaded


@pytest.fixture
def interval():
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("interval")
def test_the_stores_thread_gets_its_turn_beside_a_busy_loop(settings, monkeypatch):
    found = []
    monkeypatch.setattr(
        "server.serving.serve_until_told", lambda *_: found.append(sys.getswitchinterval()) or asyncio.sleep(0)
    )
    serve(settings)
    assert found == [SWITCH_S]


# A server that starts warns about a data folder that others can read.


@pytest.mark.parametrize(("mode", "told"), [(0o700, False), (0o750, True), (0o777, True)])
async def test_the_log_says_how_to_close_a_data_folder_open_to_others(tmp_path, mode, told, caplog):
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(mode)
    store = await open_store_of_site(Settings(data_dir=folder), {})
    await store.close()
    assert (f"chmod 700 '{folder}'" in caplog.text) == told
