"""The pages for people: links lead somewhere, what is made from the code is fresh, what can be pasted is right."""

import re
import shlex
import subprocess
from importlib.util import find_spec
from itertools import dropwhile, takewhile
from pathlib import Path
from textwrap import dedent

import pytest
import yaml
from aiohttp.test_utils import make_mocked_request

from server.app import build_app
from server.command_line import command_parser
from server.rules.catalogue import load_catalogue
from server.rules.lesson import lessons
from server.rules.lesson.lessons import load_lessons
from server.rules.variant import variant_file
from server.setting_sources import read_settings
from server.settings import Settings
from server.storage.sqlite.scripts import SCRIPTS
from server.web.assets import find_assets
from tests.delivery.generated_docs import MARKED, commands, generated
from tests.delivery.generated_docs import metrics as generated_metrics
from tests.support.documents import BLOCK, DOCS, HEADING, PAGES, ROOT, blocks, prose, units_of_page
from tests.support.web.balancers import needs
from tests.support.web.in_process import default_settings

LINK = re.compile(r"\]\(([^)\s]+)\)")
ADDRESS = re.compile(
    r"(?:`(?:(GET|POST|DELETE) )?|//chess\.example\.org)"
    r"(/(?!etc|opt|var|usr|tmp|data|run|dev|metrics)[\w@{](?:[\w{}./@-]*[\w}])?)(?=[`?\s])"
)
"""Of the site, with the method if one is named; folders of a machine are none."""
EXAMPLES = {"study": "dTv2QzwC0udTv2QzwC0u12", "variant": "chess"}
"""Of what stands in braces, where it is no id of a game."""
KEY_READ = re.compile(r"\.(?:text|texts|flag|number|decimal|table|ranks|file_pair|board_file)\(\s*\"(\w+)\"")


def anchors(page):
    """Of all headings, as GitHub writes them."""
    heads = HEADING.findall(prose(page.read_text()))
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_every_link_between_pages_leads_to_a_page_and_a_heading():
    dead = []
    for page in PAGES:
        for link in LINK.findall(prose(page.read_text())):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if "://" not in link and not (target.is_file() and (not anchor or anchor in anchors(target))):
                dead.append(f"{page.name}: {link}")
    assert dead == []


def test_every_page_can_be_found_from_the_readme():
    linked = set(LINK.findall((ROOT / "README.md").read_text()))
    assert [page.name for page in DOCS.glob("*.md") if f"docs/{page.name}" not in linked] == []


def test_the_readme_is_short_and_leads_to_twenty_features():
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 170
    assert len(set(LINK.findall(text.partition("## What it has")[2].partition("\n## ")[0]))) >= 20


def test_what_is_made_from_the_code_is_fresh():
    stale = [page.name for page in PAGES if generated(page.read_text()) != page.read_text()]
    assert stale == [], "run python -m tests.delivery.generated_docs"


def test_every_command_has_its_place():
    marked = [name for page in PAGES for _, name, *_ in MARKED.findall(page.read_text())]
    assert {"settings", "metrics", "records", *map(" ".join, commands())} <= {*marked, "account", "puzzles"}


def test_the_toml_file_of_the_manual_has_settings(tmp_path):
    (text,) = blocks("settings.md", "toml")
    (tmp_path / "fairyhouse.toml").write_text(text)
    settings = read_settings({"FAIRYHOUSE_CONFIG": str(tmp_path / "fairyhouse.toml")})
    assert (settings.address, settings.chat_kept_days) == ("https://chess.example.org", 90)


def test_every_block_of_yaml_can_be_read():
    read = [yaml.safe_load(text) for page in DOCS.glob("*.md") for text in blocks(page.name, "yaml")]
    assert len(read) > 1


def test_the_schema_versions_of_releases_end_with_the_one_here():
    text = (DOCS / "upgrade.md").read_text()
    versions = [int(one) for one in re.findall(r"^\| [\w.]+ \| (\d+) \|$", text, re.MULTILINE)]
    assert versions == sorted(versions)
    assert versions[-1] == len(SCRIPTS)
    assert set(re.findall(r"fairyhouse\.before-(\d+)\.sqlite3", text)) == {str(len(SCRIPTS))}


def test_every_setting_that_a_page_assigns_exists():
    known = {f"FAIRYHOUSE_{name.upper()}{end}" for name in Settings.model_fields for end in ("", "_FILE")}
    others = {
        "BASE",
        "BOT_TOKEN",
        "FAIRYHOUSE",
        "FAIRYHOUSE_CONFIG",
        "MINUTES",
        "PYTHONDONTWRITEBYTECODE",
        "REDIS_PASSWORD",
        "TARGET",
        "TOKEN",
        "LICHESS_BOT",
    }
    assigned = {
        name for page in PAGES for _, kind, text in BLOCK.findall(page.read_text()) if kind == "sh"
        for name in re.findall(r"(?:^|\s)([A-Z][A-Z_]+)=", text)
    }  # fmt: skip
    assert assigned - known - others == set()


def typed():
    """The lines of all blocks for a shell, each as its words, without settings before it and files behind it."""
    for page in PAGES:
        for _, kind, text in BLOCK.findall(page.read_text()):
            for line in dedent(text).replace("\\\n", " ").splitlines() if kind == "sh" else ():
                words = list(takewhile(lambda word: word != ">", shlex.split(line, comments=True)))
                yield list(dropwhile(lambda word: re.match(r"[A-Z_]+=|export$", word), words))


def test_every_command_of_the_host_can_be_read(capsys):
    programs = re.compile(r"(?:/opt/fairyhouse(?:-\d)?/bin/)?fairyhouse(?:-host)?")
    refused, found, parser = [], 0, command_parser()
    for words in typed():
        at = [number for number, word in enumerate(words) if programs.fullmatch(word)]
        # A container has the name of the program that runs in it, and comes first.
        inside = words[:2] in (["docker", "exec"], ["docker", "compose"]) or words[:3] == ["docker", "run", "--rm"]
        for number in (at[-1:] if inside else at) if words[-1:] != ["$@"] else ():
            if (number > 0 and not inside and not words[number].startswith("/")) or (
                inside and words[number + 1] in ("sh", "rm")
            ):
                continue
            found += 1
            try:
                parser.parse_args(words[number + 1 :])
            except SystemExit:
                refused.append((" ".join(words), capsys.readouterr().err))
    assert found > 25
    assert refused == []


def test_every_module_target_and_file_that_a_page_names_exists():
    text = "\n".join(page.read_text() for page in PAGES)
    modules = set(re.findall(r"python -m ((?:tests|server)[\w.]*)", text)) | set(re.findall(r"`(tests\.[\w.]+)", text))
    assert len(modules) > 8
    assert [name for name in modules if find_spec(name) is None] == []
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"^make ([a-z]+)", text, re.MULTILINE)) == {"run", "test"}
    assert {"run", "test", *re.findall(r"`make ([a-z]+)", text)} <= targets
    named = re.findall(r"`((?:server|tests|static|templates)/[\w./-]*)`", text)
    assert [path for path in named if "NAME" not in path and not (ROOT / path).exists()] == []


async def test_every_address_that_a_page_names_is_there(tmp_path, monkeypatch):
    app = build_app(default_settings(tmp_path, monkeypatch), find_assets())
    missing, found = [], 0
    for page in PAGES:
        for method, path in ADDRESS.findall(page.read_text()):
            found += 1
            asked = re.sub(r"\{(\w+)\}", lambda name: EXAMPLES.get(name[1], "dTv2QzwC0u"), path)
            answer = await app.router.resolve(make_mocked_request(method or "GET", asked))
            wrong = getattr(answer.http_exception, "status", 200)
            if wrong == 404 or (wrong == 405 and method):
                missing.append(f"{page.name}: {method} {path}")
    assert found > 50
    assert missing == []


@pytest.mark.parametrize("page", ["troubleshooting.md", "monitoring.md"])
def test_every_message_that_a_page_explains_can_be_read(page):
    code = "\n".join(file.read_text() for file in (ROOT / "server").rglob("*.py"))
    words = (ROOT / "server/words/en/problems.json").read_text()
    told = [
        text for row in re.findall(r"^\| (.*?) \|", (DOCS / page).read_text(), re.MULTILINE) for text in quoted(row)
    ]
    assert len(told) > 8
    assert [text for text in told if text not in code + words] == []


def quoted(row):
    """The sentences that a cell quotes, in the parts between what changes."""
    for text in re.findall(r"`([^`]+ [^`]+)`|\"([^\"]+)\"", row):
        for part in re.split(r"…|NAME|NUMBER|^[A-Z_]+: ", "".join(text)):
            if len(part.strip(" .:,")) > 4:
                yield part.strip(" .:,")


def test_every_metric_that_a_page_names_exists():
    table, text = generated_metrics(), (DOCS / "monitoring.md").read_text()
    named = set(re.findall(r"\bfairyhouse_\w+", text + (DOCS / "troubleshooting.md").read_text()))
    assert [name for name in named if f"`{name.removesuffix('_bucket')}`" not in table] == []


@pytest.mark.parametrize("module", [variant_file, lessons])
def test_every_key_of_a_variant_and_a_lesson_is_explained(module):
    keys = set(KEY_READ.findall(Path(module.__file__).read_text()))
    assert len(keys) > 8
    explained = set(re.findall(r"`\[?(\w+)[].`]", (DOCS / "variants.md").read_text()))
    assert keys - explained == set()


def test_the_variant_and_the_lesson_of_the_page_can_be_used(tmp_path):
    variant, lesson = blocks("variants.md", "toml")
    (tmp_path / "amazon.toml").write_text(variant)
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "amazon.toml").write_text(lesson)
    variants = load_catalogue(tmp_path)
    assert variants["amazon"].name == "Amazon Chess"
    lessons.prove_lesson("amazon.toml", load_lessons(variants, tmp_path)["amazon"])


@needs("systemd-analyze")
def test_systemd_takes_the_units(tmp_path):
    """But for the program and the user, which this machine lacks."""
    units = units_of_page()
    for name, text in units:
        text = re.sub(r"(?m)^(User|Group)=.*\n", "", text)
        (tmp_path / name).write_text(text.replace("/opt/fairyhouse/bin/fairyhouse", "/bin/true"))
    checked = ("systemd-analyze", "verify", "--man=no", *(str(tmp_path / name) for name, _ in units))
    done = subprocess.run(checked, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@needs("systemd-analyze")
def test_the_services_are_locked_up(tmp_path):
    """By systemd's own figure, which goes from 0 to 10; most services of a machine have more than 9."""
    for name, text in units_of_page():
        if name.endswith(".service"):
            (tmp_path / name).write_text(text)
            asked = ("systemd-analyze", "security", "--offline=true", "--threshold=20", str(tmp_path / name))
            done = subprocess.run(asked, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout[-200:] + done.stderr


@needs("caddy")
def test_caddy_takes_the_site(tmp_path):
    (site,) = blocks("proxy.md", "caddyfile")
    assert site in dedent((ROOT / "README.md").read_text().replace("\n   ", "\n"))
    (tmp_path / "Caddyfile").write_text(site)
    checked = ("caddy", "validate", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile"))
    done = subprocess.run(checked, env={"HOME": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@needs("promtool")
def test_prometheus_takes_what_it_is_to_read_and_to_wake_for(tmp_path):
    config, rules = blocks("monitoring.md", "yaml")
    (tmp_path / "rules.yml").write_text(rules)
    (tmp_path / "prometheus.yml").write_text(f"rule_files: [rules.yml]\n{config}")
    checked = ("promtool", "check", "config", str(tmp_path / "prometheus.yml"))
    done = subprocess.run(checked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(yaml.safe_load(rules)['groups'][0]['rules'])} rules found" in done.stdout
