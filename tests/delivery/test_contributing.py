"""What CONTRIBUTING.md names is there, and it stays short."""

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


def test_it_fills_two_pages_at_most():
    assert len(TEXT.split()) <= 1_300
