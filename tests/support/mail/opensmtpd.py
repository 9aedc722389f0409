"""A real opensmtpd for tests, set up for replies by the very lines that docs/mail.md gives.

All its places are fixed, and Debian's package of it keeps out postfix. So it runs from a folder into which that package
was unpacked, in a mount namespace of its own, where those places and its two users are; the machine has none of them.
"""

import asyncio
import os
import re
import shutil
import signal
import subprocess
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

import pytest

from tests.support.free_port import free_port
from tests.support.mail.started import STARTS_S, started, until_it_takes_mail

PAGE = Path(__file__).parents[3] / "docs/mail.md"
UNPACKED = Path("/opt/opensmtpd")
"""Where `.ci/run` unpacks Debian's package."""
LINES = re.compile(r"^ *((?:table|action|match) .*)$", re.MULTILINE)
USERS = {"opensmtpd": 61998, "opensmtpq": 61999}
START = """set -e
for place in "$0"/places/*; do mount --bind "$place" "/$(basename "$place" | tr , /)"; done
exec "$1" -d -v -f "$0"/smtpd.conf
"""
STOPS_S = 10


@cache
def can_run():
    if os.geteuid() != 0 or not (UNPACKED / "usr/sbin/smtpd").exists() or shutil.which("unshare") is None:
        return False
    asked = (["unshare", "--mount", "true"], [UNPACKED / "usr/sbin/smtpd", "-h"])
    # It may want a library that is not there.
    return all(subprocess.run(one, capture_output=True, check=False).returncode in (0, 1) for one in asked)


needs_opensmtpd = pytest.mark.skipif(
    not can_run(),
    reason=f"no opensmtpd in {UNPACKED}, or not root: mail through it is NOT tested; .ci/run shows how to unpack it",
)


class OpenSmtpd:
    """One instance. `mailboxes`: the port of a mail server that keeps what is for players."""

    def __init__(self, folder, mailboxes, lmtp_port, domain):
        self.port = free_port()
        self._folder = folder
        self._mailboxes = mailboxes
        self._lmtp_port = lmtp_port
        self._domain = domain
        self._process = None

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.port}"

    @property
    def log(self):
        return (self._folder / "log").read_text()

    def _settings(self):
        """The page's lines with this domain and port, and what a host has there already."""
        given = "\n".join(LINES.findall(PAGE.read_text()))
        assert given.count("\n") == 2
        return (
            f"listen on 127.0.0.1 port {self.port}\n"
            f"{given.replace('play.example.org', self._domain).replace('2424', str(self._lmtp_port))}\n"
            f'action "players" relay host "smtp://127.0.0.1:{self._mailboxes}"\n'
            'match from local for any action "players"\n'
        )

    def _prepare(self):
        """Makes the places, each under its own name with a comma for each slash."""
        self._folder.chmod(0o755)
        places = self._folder / "places"
        for name, needed in (("run", ""), ("var,spool", "smtpd"), ("var,lib", "opensmtpd/empty")):
            (places / name / needed).mkdir(parents=True)
        (places / "var,spool" / "smtpd").chmod(0o711)
        shutil.copytree(UNPACKED / "usr/libexec", places / "usr,libexec")
        for name, line in (("passwd", "{0}:x:{1}:{1}::/var/lib/opensmtpd/empty:/bin/false"), ("group", "{0}:x:{1}:")):
            known = [one for one in Path("/etc", name).read_text().splitlines() if one.split(":")[0] not in USERS]
            (places / f"etc,{name}").write_text(
                "\n".join([*known, *(line.format(*one) for one in USERS.items())]) + "\n"
            )
        (self._folder / "smtpd.conf").write_text(self._settings())
        (self._folder / "smtpd.conf").chmod(0o600)

    async def start(self):
        """Returns when it takes mail."""
        self._prepare()
        with (self._folder / "log").open("wb") as log:
            self._process = await asyncio.create_subprocess_exec(
                *("unshare", "--mount", "--propagation", "private", "sh", "-c", START),
                *(str(self._folder), str(UNPACKED / "usr/sbin/smtpd")),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        await until_it_takes_mail(self.port, self._assert_it_runs)

    def _assert_it_runs(self):
        assert self._process.returncode is None, self.log

    async def until(self, words):
        """Returns when its log has these words."""
        async with asyncio.timeout(STARTS_S):
            while True:
                if words in self.log:
                    return
                await asyncio.sleep(0.05)

    async def stop(self):
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            self._process.terminate()
        try:
            async with asyncio.timeout(STOPS_S):
                await self._process.wait()
        except TimeoutError:
            os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()


opensmtpd = partial(started, OpenSmtpd)
