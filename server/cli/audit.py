"""Who runs a command of the host, and the record of it: `commands.log` in the data folder, a JSON object on each line.

What the running server carries out is in its own log, too.
"""

import json
import os
import pwd
import re
import shlex
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from server.settings import Settings


def operator() -> str:
    """Who runs this process, in characters allowed in a file name: the user, after whoever became it by sudo."""
    try:
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        user = f"uid{os.getuid()}"
    sudo = os.environ.get("SUDO_USER", "")
    return re.sub(r"[^\w.-]", "_", f"{sudo}-as-{user}" if sudo else user)[:64]


def record_command(settings: Settings, typed: Sequence[str], outcome: str) -> None:
    """Appends what was typed, by whom, and how it ended. Does nothing where there is no data folder to write to."""
    line = {
        "ts": datetime.now(UTC).isoformat(timespec="seconds"),
        "by": operator(),
        "command": shlex.join(typed),
        "outcome": outcome,
    }
    with suppress(OSError), open(_open_record(settings.data_dir), "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def _open_record(folder: Path) -> int:
    """Opens the record. One that root creates is given to the folder's owner, who could not append to it otherwise.
    Raises OSError.
    """
    path, how = folder / "commands.log", os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    with suppress(FileExistsError):
        descriptor = os.open(path, how | os.O_CREAT | os.O_EXCL, 0o600)
        if os.geteuid() == 0:
            owner = folder.stat()
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
        return descriptor
    return os.open(path, how)
