"""What people paste from the README and docs/ works: each example is run by a test, or says why it cannot be."""

import ast
import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from server.language import about_variant_file
from server.rules.catalogue import load_catalogue
from server.rules.errors import InvalidVariant
from server.setting_sources import read_settings
from server.web.notifications.web_push import read_key
from tests.support.bots.berserk_client import become_bot, challenge
from tests.support.documents import PAGES, ROOT, blocks, example, examples
from tests.support.patience import PATIENCE_S
from tests.support.web.balancers import needs
from tests.support.web.in_process import InProcess
from tests.support.web.people import Person

TABLE = tomllib.loads((Path(__file__).parent / "examples.toml").read_text())
REASONS = ("no engine: ", "no MongoDB: ", "no certificates: ")
"""All that the machine of the tests is without."""
SETTING = re.compile(r"FAIRYHOUSE_[A-Z_]+=\S+")
MAIL = {"FAIRYHOUSE_SMTP_URL": "smtp://localhost", "FAIRYHOUSE_MAIL_FROM": "games@example.org"}
"""For those that only make sense with mail."""


def proofs(page, heading):
    """What the table has for each example there."""
    told, number = TABLE[page][heading], len(examples(page)[heading])
    return told if isinstance(told, list) else [told] * number


@cache
def tree(file):
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


def imported(file):
    """The files of tests/ that `file` imports names from."""
    names = {node.module for node in ast.walk(tree(file)) if isinstance(node, ast.ImportFrom)}
    return {f"{name.replace('.', '/')}.py" for name in names if name and name.startswith("tests.support")}


def test_every_example_is_run_or_has_a_reason():
    shown = {path.name: {name: len(found) for name, found in examples(path.name).items()} for path in PAGES}
    told = {page: {heading: len(proofs(page, heading)) for heading in found} for page, found in TABLE.items()}
    assert told == {page: found for page, found in shown.items() if found}
    for path in PAGES:
        tokens = [token.type for token in MarkdownIt().parse(path.read_text())]
        assert tokens.count("code_block") == 0, "an example without a fence"
        assert sum(shown[path.name].values()) == tokens.count("fence"), "two headings have one name"


def test_every_test_of_the_table_is_there_and_reads_the_page():
    every = {(page, proof) for page, found in TABLE.items() for heading in found for proof in proofs(page, heading)}
    wrong = set()
    for page, proof in every:
        file, _, name = proof.partition("::")
        if not name:
            wrong |= set() if proof.startswith(REASONS) else {proof}
            continue
        defined = {one.name for one in ast.walk(tree(file)) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)}
        read = "".join((ROOT / one).read_text() for one in (file, *imported(file)))
        if name not in defined or not (page in read or "for page in PAGES" in read):
            wrong.add((page, proof))
    assert wrong == set()


def of_settings():
    """The examples that are nothing but settings: page, heading and number."""
    for path in PAGES:
        for heading, found in examples(path.name).items():
            for number, (_, text) in enumerate(found):
                lines = [line for line in text.splitlines() if not line.startswith("#")]
                if all(map(SETTING.fullmatch, lines)):
                    yield path.name, heading, number


@pytest.mark.parametrize(("page", "heading", "number"), tuple(of_settings()))
def test_settings_that_a_page_shows_can_be_used(page, heading, number, tmp_path):
    """As the shell reads them; `systemd-analyze` cannot say how systemd does."""
    (secret := tmp_path / "smtp_url").write_text("smtp://localhost\n")
    text = example(page, heading, number).replace("/run/secrets/smtp_url", str(secret))
    read = ("sh", "-euc", f"set -a\n{text}\nenv -0")
    told = subprocess.run(read, env={}, capture_output=True, text=True, check=True).stdout.split("\0")
    given = dict(one.split("=", 1) for one in told if one.startswith("FAIRYHOUSE_"))
    assert len(given) == len(SETTING.findall(text))
    if "FAIRYHOUSE_SMTP_URL_FILE" in given:
        given.setdefault("FAIRYHOUSE_SMTP_URL", "")
    settings = read_settings(MAIL | given)
    assert settings.model_fields_set >= {
        name.removeprefix("FAIRYHOUSE_").removesuffix("_FILE").lower() for name in given
    }


def test_the_table_names_every_example_of_settings():
    found = tuple(of_settings())
    assert len(found) > 10
    name = test_settings_that_a_page_shows_can_be_used.__name__
    assert [one for one in found if not proofs(*one[:2])[one[2]].endswith(name)] == []


def shell(text, folder=ROOT, **more):
    """What the shell writes if this is pasted into it, with the Python of the tests."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ("bash", "-euo", "pipefail", "-c", text),
        env=os.environ | {"PATH": path, "PYTHONPATH": str(ROOT), **more}, cwd=folder,
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (text, done.stdout, done.stderr)
    return done.stdout


def test_the_rules_are_asked_on_the_command_line(tmp_path):
    said = shell(example("api.md", "The rules on the command line"), tmp_path)
    judged, *counted = said.splitlines()
    assert json.loads(judged)["sans"] == ["e4", "e5"]
    assert counted
    assert "[our-shogun" in (tmp_path / "variants.ini").read_text()


def test_positions_of_the_variant_are_counted(tmp_path):
    (tmp_path / "amazon.toml").write_text(blocks("variants.md", "toml")[0])
    _, _, (_, line) = examples("variants.md")["Step by step"]
    assert "e2e4" in shell(line.replace("FOLDER", str(tmp_path)))


def test_a_mistake_in_the_variant_is_told_as_the_page_says(tmp_path):
    right, (_, told), _ = examples("variants.md")["Step by step"]
    (tmp_path / "amazon.toml").write_text(right[1].replace('to = ["a",', 'to = ["q",'))
    with pytest.raises(InvalidVariant) as refused:
        load_catalogue(tmp_path)
    assert about_variant_file(refused.value) == told.strip()


@pytest.mark.slow
def test_the_engine_says_a_move():
    assert "bestmove " in shell(example("bots.md", "The engine"))


@needs("openssl")
def test_the_key_that_the_page_makes_can_be_used():
    assert read_key(shell(example("push.md", "Web push")))


def test_a_release_is_tagged_and_pushed(tmp_path):
    begun = (
        "git init -q --bare there; git clone -q there here; cd here; git config user.name A; git config user.email a@b;"
    )
    shell(f"{begun} git commit -q --allow-empty -m one; git push -q -u origin HEAD\n{example('releasing.md', 'Steps')}",
          tmp_path, HOME=str(tmp_path))  # fmt: skip
    assert shell("git -C there tag", tmp_path) == "v1.1.0\n"


@needs("fail2ban-client")
@needs("fail2ban-regex")
def test_fail2ban_takes_the_jail_and_finds_who_guesses(tmp_path):
    (_, rule), (_, jail) = examples("monitoring.md")["fail2ban"]
    shutil.copytree("/etc/fail2ban", tmp_path / "fail2ban")
    for path, text in (("filter.d/fairyhouse.conf", rule), ("jail.d/fairyhouse.conf", jail)):
        (tmp_path / "fail2ban" / path).write_text(text)
    # Debian's own jail, which keeps fail2ban from starting where nothing writes the file that it reads.
    (tmp_path / "fail2ban/jail.d/defaults-debian.conf").write_text("[sshd]\nenabled = true\n")
    said = shell(f"fail2ban-client -c {tmp_path}/fail2ban --dump-pretty")
    assert "'add', 'fairyhouse'" in said
    assert "['add', 'sshd', 'systemd']" in said
    # By what Debian 12 has: with iptables alone it would ban nobody, and say that it had.
    assert all(f"['set', '{name}', 'addaction', 'nftables-multiport']" in said for name in ("fairyhouse", "sshd"))
    line = '{"ts": "2026-11-27T18:00:00.000+00:00", "msg": "sign-in refused from 203.0.113.7: wrong_password"}'
    found = shell(f"fail2ban-regex --print-all-matched '{line}' {tmp_path}/fail2ban/filter.d/fairyhouse.conf")
    assert "1 matched" in found


@needs("curl")
async def test_the_first_requests_are_answered(tmp_path, monkeypatch):
    async with InProcess(tmp_path, monkeypatch) as site:
        text = example("api.md", "A first request").replace("https://chess.example.org", site.settings.address)
        said = await asyncio.to_thread(shell, text.replace("curl ", "curl --fail --silent --write-out '\\n' "))
    now, explorer, variant, line = map(json.loads, said.splitlines())
    assert now["people"] == 0
    assert "moves" in explorer
    assert variant["id"] == "shogun"
    assert [ply["san"] for ply in line["plies"]] == ["e4", "e5"]


async def test_the_bot_of_the_page_plays(tmp_path, monkeypatch):
    async with (
        InProcess(tmp_path, monkeypatch) as site,
        Person(site.site, site.settings.address) as anna,
        Person(site.site, site.settings.address) as ben,
    ):
        one, other = await become_bot(anna, "AnnaBot", site.site), await become_bot(ben, "BenBot", site.site)
        program = example("bots.md", "The Bot API").replace("https://chess.example.org", site.site)
        playing = await asyncio.create_subprocess_exec(
            *(sys.executable, "-u", "-c", program),
            env=os.environ | {"TOKEN": other.token}, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            made = await challenge(one, other)
            async with asyncio.timeout(PATIENCE_S):
                assert await playing.stdout.readline() == f"playing {made['id']}\n".encode()
        finally:
            playing.kill()
            await playing.communicate()
