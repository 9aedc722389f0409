"""What an upgrade of the SQLite file would do, in words for the host."""

import re
from collections.abc import Sequence

from server.storage.sqlite.scripts import SCRIPTS

CHANGE = re.compile(
    r"CREATE (?P<kind>TABLE|INDEX) (?P<made>\w+)|ALTER TABLE (?P<table>\w+) ADD COLUMN (?P<column>\w+)"
    r"|^\s*(?:UPDATE|DELETE FROM|INSERT(?: OR \w+)? INTO) (?P<changed>\w+)",
    re.MULTILINE,
)


def steps_from(version: int) -> Sequence[str]:
    """A line for each step from a file of that version to one of this release; none if it has it already."""
    return [f"{number}: {', '.join(_told(script))}" for number, script in enumerate(SCRIPTS, 1) if number > version]


def _told(script: str) -> Sequence[str]:
    told = []
    for found in CHANGE.finditer(script):
        if found["made"]:
            told.append(f"new {found['kind'].lower()} {found['made']}")
        elif found["column"]:
            told.append(f"new column {found['column']} in {found['table']}")
        else:
            told.append(f"rows of {found['changed']}")
    return told
