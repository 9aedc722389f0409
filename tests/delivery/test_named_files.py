"""Every path and make target that CONTRIBUTING.md and SECURITY.md name exists, and the examples fit the code."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text()
MADE_UP = "NAME"


def test_every_file_and_folder_that_it_names_is_there():
    named = [path for path in re.findall(r"`((?:\w+/)+[\w.]*)`", TEXT) if MADE_UP not in path]
    assert len(named) > 25
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_target_that_it_names_can_be_made():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z]+)`", TEXT))
    assert len(named) > 4
    assert named <= targets


def test_its_examples_fit_the_code():
    """What an example leaves or takes away stands in the file of which it speaks."""
    missing, files = [], 0
    for example in re.findall(r"^```diff\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL):
        for path, lines in re.findall(r"^\+\+\+ (\S+)\n((?:(?!\+\+\+ ).*\n)*)", example, re.MULTILINE):
            if MADE_UP in path:
                continue
            files += 1
            there = (ROOT / path).read_text().splitlines()
            kept = [line[1:] for line in lines.splitlines() if line[:1] in (" ", "-")]
            assert kept, path
            missing += [(path, line) for line in kept if line not in there]
    assert files == 5 + 3 + 1
    assert missing == []


# SECURITY.md points at the code that defends; a file that has moved would leave it pointing nowhere.


def test_every_file_that_it_names_is_there():
    text = (ROOT / "SECURITY.md").read_text()
    named = set(re.findall(r"`((?:server/[\w/]+\.py)|Dockerfile|[\w-]+\.(?:yml|lock|json))`", text))
    assert len(named) > 20
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []
