"""What the tables of the SQLite file are: one script for each version of it. `schema` runs them.

A script that was released never changes: files out there have run it.
"""

from server.storage.sqlite.scripts.early import EARLY
from server.storage.sqlite.scripts.late import LATE

SCRIPTS = (*EARLY, *LATE)
