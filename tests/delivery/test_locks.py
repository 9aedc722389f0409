"""What is installed is locked by digest, from any index, and the locks are those of what is asked for."""

import ast
import json
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
ENTRY = re.compile(r"^([a-z0-9-]+)==([^ ]+)( ; [^\\]+)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)


FOUND = packages_distributions()
HOMES = {
    "mongo": ("storage/mongo/",),
    "redis": ("realtime/cluster/redis_bus.py",),
    "mail": ("mail/smtp.py", "mail/inbound/lmtp.py"),
    "push": ("web/notifications/web_push.py",),
}
"""What alone may import packages of an extra, and is imported only by who needs it."""
INSTALLED = ("mongo", "redis", "mail", "push")
"""The extras that the image has."""


def locked():
    """The version and the number of digests of each package, and what is left of the file without them."""
    text = (ROOT / "requirements.lock").read_text()
    entries = {name: (version, hashes.count("--hash")) for name, version, _, hashes in ENTRY.findall(text)}
    return entries, ENTRY.sub("", text)


def test_every_line_is_a_package_with_its_digests():
    entries, rest = locked()
    assert len(entries) > 20
    assert all(hashes for _, hashes in entries.values())
    assert [line for line in rest.split("\n") if line and not line.startswith("#")] == []
    assert "://" not in rest


def test_what_the_project_asks_for_is_locked_at_a_version_that_it_allows():
    entries, _ = locked()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [
        Requirement(text)
        for text in (
            *project["dependencies"],
            *(one for extra in INSTALLED for one in project["optional-dependencies"][extra]),
        )
    ]
    for requirement in asked:
        version, _ = entries[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement} is locked at {version}: run `make lock`"


def names_of(requirements):
    return {canonicalize_name(Requirement(text).name) for text in requirements}


def packages_in(file):
    """The names of what is not Python's own that a file imports, as they are asked for."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module.partition(".")[0])
    others = names - sys.stdlib_module_names - {"server"}
    return {canonicalize_name(name) for other in others for name in FOUND.get(other, (f"{other}, of no package",))}


def test_what_is_imported_is_asked_for_and_what_few_need_in_its_extra_alone():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    always, extras = names_of(project["dependencies"]), project["optional-dependencies"]
    wrong = set()
    for file in (ROOT / "server").rglob("*.py"):
        path = str(file.relative_to(ROOT / "server"))
        at_home = {extra for extra, homes in HOMES.items() if path.startswith(homes)}
        allowed = always.union(*(names_of(extras[extra]) for extra in at_home))
        wrong |= {(path, name) for name in packages_in(file) - allowed}
    assert wrong == set()


def test_no_release_with_another_first_number_is_taken_unseen():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = (one for extra in INSTALLED for one in project["optional-dependencies"][extra])
    assert [text for text in (*project["dependencies"], *extras) if "<" not in text] == []


def test_npm_packages_have_digests_and_no_registry_is_named():
    lock = json.loads((ROOT / "package-lock.json").read_text())
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert len(packages) > 4
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert not [name for name, package in packages.items() if "resolved" in package]
    asked = json.loads((ROOT / "package.json").read_text())
    assert lock["packages"][""]["dependencies"] == asked["dependencies"]
    assert lock["packages"][""]["devDependencies"] == asked["devDependencies"]


def test_the_image_runs_nothing_that_is_not_locked():
    dockerfile = (ROOT / "Dockerfile").read_text()
    installs = [line for line in dockerfile.replace("\\\n", "").split("\n") if "pip install" in line]
    assert len(installs) == 2
    assert "--require-hashes" in installs[0]
    assert "--no-deps" in installs[1]
