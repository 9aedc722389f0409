"""What `pip install` of a release brings is the whole site: it runs with nothing of the checkout beside it."""

import asyncio
import email
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import aiohttp
import pytest

from tests.support.documents import blocks
from tests.support.web.host import Host

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\(([^)]+)\)")

pytestmark = pytest.mark.skipif(
    not (ROOT / ".git").exists(), reason="no checkout: nothing says what is committed, and a wheel is made of that"
)


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


PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """What is committed or staged."""
    tree = tmp_path_factory.mktemp("tree")
    subprocess.run(["git", "checkout-index", "--all", f"--prefix={tree}/"], cwd=ROOT, check=True)
    return tree


@pytest.fixture(scope="module")
def packages(tree, tmp_path_factory):
    """The folder into which the wheel was installed, built from the tree."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", str(folder), str(tree)], check=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([*PIP, "install", "--no-deps", "--target", str(folder / "packages"), str(wheel)], check=True)
    return folder / "packages"


@pytest.fixture(scope="module")
def builder(tmp_path_factory):
    """Runs Python with what builds the source package."""
    folder = tmp_path_factory.mktemp("builder")
    subprocess.run([*PIP, "install", "--target", str(folder), "hatchling>=1.27"], check=True)

    def run(*arguments, cwd):
        known = os.environ | {"PYTHONPATH": str(folder)}
        done = subprocess.run(
            [sys.executable, *arguments], cwd=cwd, env=known, capture_output=True, text=True, check=True
        )
        return done.stdout

    return run


@pytest.mark.slow
def test_the_source_package_has_all_that_is_committed_and_a_description_that_stands_alone(tree, builder, tmp_path):
    builder("-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path), cwd=tree)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as package:
        files = {name.partition("/")[2]: name for name in package.getnames()}
        told = email.message_from_binary_file(package.extractfile(files["PKG-INFO"]))
    assert tracked() - files.keys() == {".git-blame-ignore-revs"}
    assert_stands_alone(told)


def assert_stands_alone(metadata):
    text = metadata.get_payload()
    assert "Host it in ten minutes" in text
    assert [link for link in LINK.findall(text) if not link.startswith("https://")] == []


@pytest.mark.slow
def test_links_of_the_description_lead_to_where_the_files_are(builder):
    (example,) = [tomllib.loads(text) for text in blocks("releasing.md", "toml")]
    files = example["project"]["urls"]["Files"]
    program = f"import description; print(description.description(open('../README.md').read(), {files!r}))"
    links = LINK.findall(builder("-c", program, cwd=ROOT / "static"))
    assert {f"{files}docs/players.md", f"{files}static/screenshot.png", f"{files}README.md#try-it"} <= set(links)
    assert [link for link in links if not link.startswith("https://")] == []
    assert [link for link in links if not (ROOT / link.removeprefix(files).partition("#")[0]).exists()] == []


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
    (metadata,) = packages.glob("fairyhouse-*.dist-info/METADATA")
    assert_stands_alone(email.message_from_string(metadata.read_text()))
    host = Installed(tmp_path, packages)
    try:
        await host.start(PYTHONPATH=str(packages))
        for path in ("/", "/rules/chess", "/docs", "/docs/backup", "/docs/security", await source_of(host.site)):
            assert await status_of(host.site + path) == 200
    finally:
        await host.kill()
