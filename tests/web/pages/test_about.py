"""What the site says of itself: its release, licences, source and colours, and what is found at fixed addresses."""

import json
import re
import subprocess
import sys
import tarfile
import tomllib
from importlib import util
from io import BytesIO
from pathlib import Path

import pytest

from server.app import build_app
from server.pictures import theme
from server.release import release
from server.web.assets import Assets, find_assets
from server.web.pages.about import PARTS, source_address
from tests.support.web.accounts import page_of
from tests.support.web.fixtures import Served
from tests.support.web.origins import ORIGIN
from tests.support.web.people import Person

ROOT = Path(__file__).parents[3]


@pytest.fixture
async def ben(settings):
    """At a site whose host says where they can be reached, and where the source is."""
    told = settings.model_copy(
        update={"host_contact": "mailto:host@example.org", "source_url": "https://example.org/source"}
    )
    server = Served(build_app(told, find_assets()))
    await server.start_server()
    async with Person(server.make_url("/"), ORIGIN) as ben:
        yield ben
    await server.close()


def test_the_program_says_its_release():
    said = subprocess.run([sys.executable, "-m", "server", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout == f"fairyhouse {release()}\n"


@pytest.mark.parametrize("path", ["/", "/rules", "/nothing-here"])
async def test_the_foot_of_a_page_leads_to_what_the_site_says_of_itself(ben, path):
    foot = (await page_of(ben, path)).rsplit("<footer", 1)[1]
    assert 'href="/about"' in foot
    assert 'href="https://example.org/source"' in foot
    assert f"Fairyhouse {release()}" in foot


async def test_the_page_has_every_licence_with_its_text(ben):
    page = await page_of(ben, "/about")
    assert release() in page
    assert 'href="https://example.org/source"' in page
    for _, name, licence, _ in PARTS:
        assert name in page
        assert licence in page
    texts = re.findall(r'href="(/static/licence-[^"]+)"', page)
    assert len(texts) == len(PARTS)
    for text in texts:
        async with ben.http.get(text) as answer:
            assert answer.status == 200
            assert answer.content_type == "text/plain"
            assert re.search("GNU|SIL", await answer.text())


async def test_a_site_without_a_source_address_says_who_gives_it(anna):
    async with anna.http.get("/about", headers={"Accept-Language": "es"}) as answer:
        page = await answer.text()
    assert "quien administra este sitio" in page
    assert 'href=""' not in page


def test_the_source_that_a_wheel_brings_is_found():
    built = Assets(Path(), Path(), {"source.tar.gz": "source-1A2B.tar.gz"})
    assert source_address(built, None) == "/static/source-1A2B.tar.gz"
    assert source_address(built, "https://example.org/mine") == "https://example.org/mine"


async def test_crawlers_are_told_what_not_to_read(anna):
    async with anna.http.get("/robots.txt") as answer:
        assert answer.content_type == "text/plain"
        assert "Disallow: /api/" in await answer.text()


async def test_whoever_finds_a_vulnerability_is_told_whom_to_write_to(ben):
    async with ben.http.get("/.well-known/security.txt") as answer:
        told = await answer.text()
    assert "Contact: mailto:host@example.org\n" in told
    assert re.search(r"^Expires: \d{4}-\d\d-\d\dT00:00:00Z$", told, re.MULTILINE)


async def test_a_site_that_names_nobody_has_no_such_page(anna):
    async with anna.http.get("/.well-known/security.txt") as answer:
        assert answer.status == 404


async def test_a_password_manager_finds_the_page_for_a_new_password(anna):
    async with anna.http.get("/.well-known/change-password", allow_redirects=False) as answer:
        assert (answer.status, answer.headers["Location"]) == (302, "/account")


def wheel_hook():
    """The module static/wheel.py, which imports a part of hatchling that is there only while a wheel is built."""
    text = (ROOT / "static" / "wheel.py").read_text().split("class WheelHook")[0]
    text = re.sub(r"^from hatchling.*$", "", text, flags=re.MULTILINE)
    module = util.module_from_spec(util.spec_from_loader("wheel_hook", loader=None))
    exec(compile(text, "static/wheel.py", "exec"), module.__dict__)
    return module


def test_a_wheel_brings_the_source_that_it_was_built_from(tmp_path):
    hook = wheel_hook()
    for name in hook.SOURCE:
        if "." in name or name == "LICENSE":
            (tmp_path / name).write_text(name)
        else:
            (tmp_path / name / "__pycache__").mkdir(parents=True)
            (tmp_path / name / "file.txt").write_text(name)
    (tmp_path / "static" / "dist").mkdir()
    (tmp_path / "static" / "dist" / "manifest.json").write_text('{"round.js": "round-1.js"}')
    hook.add_source(tmp_path)
    manifest = json.loads((tmp_path / "static" / "dist" / "manifest.json").read_text())
    assert manifest["round.js"] == "round-1.js"
    packed = (tmp_path / "static" / "dist" / manifest["source.tar.gz"]).read_bytes()
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        names = set(archive.getnames())
        assert archive.getmember("fairyhouse/server/file.txt").uname == ""
    assert {f"fairyhouse/{name}" for name in hook.SOURCE} <= names
    assert not [name for name in names if "dist" in name or "__pycache__" in name]


def test_the_source_is_all_that_the_image_copies():
    copied = re.findall(r"^COPY (?!--)(.*) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert set(wheel_hook().SOURCE) <= set(" ".join(copied).split())


def test_the_metadata_are_complete():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    said = {*project, *project["dynamic"]}
    assert {"authors", "classifiers", "description", "keywords", "license", "readme"} <= said
    assert f"## {project['version']} (" in (ROOT / "CHANGELOG.md").read_text()


# The colours that browsers show around the site are those of its style sheet, which cannot reach there.


TOKENS = (ROOT / "static/css/base/tokens.css").read_text(encoding="utf-8")


def token(name):
    """Its colours, light and dark."""
    return re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\);", TOKENS).groups()


async def test_the_bar_of_a_browser_has_the_colour_of_the_page(anna):
    async with anna.http.get("/") as answer:
        page = await answer.text()
    told = dict(re.findall(r'name="theme-color" content="(#\w+)" media="\(prefers-color-scheme: (\w+)\)"', page))
    assert told == dict(zip(token("paper"), ("light", "dark"), strict=True))


async def test_an_installed_site_begins_with_the_colour_of_the_page(anna):
    async with anna.http.get("/app.webmanifest") as answer:
        manifest = await answer.json(content_type=None)
    assert (manifest["background_color"], manifest["theme_color"]) == (token("paper")[0],) * 2


async def test_pictures_and_the_logo_have_the_colours_of_the_light_page(anna):
    names = ("paper", "card", "ink", "soft", "brand", "on-brand")
    shown = (theme.PAPER, theme.CARD, theme.INK, theme.SOFT, theme.ACCENT, theme.ON_ACCENT)
    assert dict(zip(names, shown, strict=True)) == {name: token(name)[0] for name in names}
    async with anna.http.get("/") as answer:
        logo = (await answer.text()).split('class="brand"')[1].split("</svg>")[0]
    assert f'fill="{theme.ACCENT}"' in logo
