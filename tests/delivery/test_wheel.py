"""What `pip install` of a release brings is the whole site: it runs with nothing of the checkout beside it."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.support.web.host import Host

ROOT = Path(__file__).parents[2]


def tracked(*paths):
    """The files under `paths` that are committed."""
    known = subprocess.run(
        ["git", "ls-files", "-z", *paths], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return set(known.split("\0")) - {""}


def test_no_committed_file_is_one_that_git_ignores():
    """What builds a wheel leaves out what .gitignore names, committed or not."""
    ignored = ["git", "ls-files", "--cached", "--ignored", "--exclude-per-directory=.gitignore"]
    assert subprocess.run(ignored, cwd=ROOT, capture_output=True, text=True, check=True).stdout == ""


class Installed(Host):
    """Runs the installed program, of which Python finds only what the wheel brought."""

    def __init__(self, folder, site_packages):
        super().__init__(folder)
        self._program = site_packages / "bin" / "fairyhouse"

    async def _started(self, environment, errors):
        return await asyncio.create_subprocess_exec(
            *(sys.executable, str(self._program)), env=environment, stdout=asyncio.subprocess.PIPE, stderr=errors
        )


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The folder into which the wheel was installed, built from what is committed or staged."""
    folder = tmp_path_factory.mktemp("wheel")
    tree, packages = folder / "tree", folder / "packages"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run(["git", "checkout-index", "--all", f"--prefix={tree}/"], cwd=ROOT, check=True)
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(tree)], check=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", str(packages), str(wheel)], check=True)
    return packages


async def source_of(site):
    """Where the page about the site says that its source is."""
    async with aiohttp.ClientSession() as http, http.get(f"{site}/about") as page:
        (address,) = set(re.findall(r'href="([^"]+\.tar\.gz)"', await page.text()))
        return address


async def status_of(address):
    async with aiohttp.ClientSession() as http, http.get(address) as answer:
        await answer.read()
        return answer.status


@pytest.mark.slow
async def test_an_installed_wheel_has_every_file_and_serves_the_site(packages, tmp_path):
    assert [name for name in sorted(tracked("server")) if not (packages / name).exists()] == []
    host = Installed(tmp_path, packages)
    try:
        await host.start(PYTHONPATH=str(packages))
        for path in ("/", "/rules/chess", "/docs", "/docs/backup", "/docs/security", await source_of(host.site)):
            assert await status_of(host.site + path) == 200
    finally:
        await host.kill()
