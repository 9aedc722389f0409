"""`make fast` in a copy of the checkout: the same tests pass on what it makes, until somebody edits the server."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
JUDGED = ["tests/rules", "tests/games", "tests/storage", "tests/realtime", "tests/web/websocket"]
WHICH = """
from server.compiled.finding import build_in_use
from server.rules import endings
print(build_in_use(), endings.__file__)
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.only_full("compiles for two minutes, and runs the tests of all that was compiled"),
    pytest.mark.skipif(
        not (shutil.which("cc") or shutil.which("gcc")), reason="there is no C compiler (Debian: apt-get install gcc)"
    ),
]


def run(folder, *arguments, **variables):
    """What Python prints that runs in `folder`, where it finds that folder's own server."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-3_000:]
    return done.stdout.strip()


def test_what_was_compiled_passes_the_same_tests_and_never_runs_in_place_of_edited_code(tmp_path):
    for name in ("server", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    run(tmp_path, "-m", "server.compiled.making")
    assert run(tmp_path, "-c", WHICH).startswith(f"compiled {tmp_path / 'build'}")
    run(tmp_path, "-m", "pytest", "-p", "no:xdist", "--quiet", *JUDGED)
    assert run(tmp_path, "-c", WHICH, PLAIN_PYTHON="1") == f"plain {tmp_path / 'server/rules/endings.py'}"
    with (tmp_path / "server/web/bodies.py").open("a") as edited:
        edited.write("# edited\n")
    assert run(tmp_path, "-c", WHICH) == f"outdated {tmp_path / 'server/rules/endings.py'}"
