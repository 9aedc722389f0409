"""The Makefile offers what it lists at its top, and `make dev` serves what was changed last."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.free_port import free_port

ROOT = Path(__file__).parents[2]
IN_THE_FOREGROUND = """
import os, signal
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp("make", ["make", "dev"])
"""
"""What a shell starts in the background is deaf to Ctrl-C, and so is all that it starts."""


def test_each_target_that_the_makefile_lists_can_be_made():
    makefile = (ROOT / "Makefile").read_text()
    listed = re.findall(r"^# make ([a-z]+) ", makefile, re.MULTILINE)
    assert len(listed) > 5
    assert set(listed) <= set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))


@pytest.mark.only_full("starts the server twice, and whoever edits a file meanwhile starts it a third time")
def test_dev_starts_again_after_a_change_and_leaves_nothing_behind(tmp_path):
    settings = {"FAIRYHOUSE_PORT": str(free_port()), "FAIRYHOUSE_DATA_DIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", IN_THE_FOREGROUND],
        cwd=ROOT,
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as making:
        try:
            lines = iter(making.stdout.readline, "")
            assert any("is running at" in line for line in lines)
            # As an editor does that saves a file; it is in no bundle, so the client need not be built.
            os.utime(ROOT / "templates" / "base.html")
            assert any("is running at" in line for line in lines)
        finally:
            # As a terminal does on Ctrl-C: everybody in the foreground is interrupted.
            os.killpg(making.pid, signal.SIGINT)
            try:
                making.wait(timeout=30)
            except subprocess.TimeoutExpired:
                os.killpg(making.pid, signal.SIGKILL)
                raise
    with pytest.raises(ProcessLookupError):
        os.killpg(making.pid, 0)
