"""SECURITY.md points at the code that defends; a file that has moved would leave it pointing nowhere."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_file_that_it_names_is_there():
    text = (ROOT / "SECURITY.md").read_text()
    named = set(re.findall(r"`((?:server/[\w/]+\.py)|Dockerfile|[\w-]+\.(?:yml|lock|json))`", text))
    assert len(named) > 20
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []
