"""A real postfix for tests: an instance of its own, set up for replies by the very commands that docs/mail.md gives.

It needs root, as every postfix does, and leaves the machine's own alone.
"""

import asyncio
import os
import re
import shlex
import shutil
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests.support.free_port import free_port
from tests.support.mail.started import started, until_it_takes_mail

PAGE = Path(__file__).parents[3] / "docs/mail.md"
SETTINGS = re.compile(r"^ +(postconf -e (?:.*\\\n)*.*)$", re.MULTILINE)
SERVICES = Path("/usr/share/postfix/master.cf.dist")
OTHER_MACHINE = "127.0.0.2"
"""An address from which mail comes as from the internet: the instance trusts 127.0.0.1 only, where the site is."""

needs_postfix = pytest.mark.skipif(
    shutil.which("postfix") is None or os.geteuid() != 0,
    reason="no postfix on the PATH, or not root: mail through a mail server is NOT tested; install postfix",
)


class Postfix:
    """One instance. `mailboxes`: the port of a mail server that keeps what is for players."""

    def __init__(self, folder, mailboxes, lmtp_port, domain, players_domain):
        self.port = free_port()
        self._folder = folder
        self._mailboxes = mailboxes
        self._lmtp_port = lmtp_port
        self._domain = domain
        self._players_domain = players_domain

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.port}"

    def _settings_of_page(self):
        """The arguments of the page's `postconf -e`, with this domain and port."""
        (given,) = SETTINGS.findall(PAGE.read_text())
        text = (
            given.replace("\\\n", " ").replace("play.example.org", self._domain).replace("2424", str(self._lmtp_port))
        )
        return shlex.split(text)[2:]

    async def _call(self, *command):
        process = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        said, _ = await process.communicate()
        assert process.returncode == 0, (command, said.decode(), self.log())

    def log(self):
        file = self._folder / "log" / "maillog"
        return file.read_text() if file.exists() else ""

    def _settings(self):
        """What postfix needs to be an instance of its own, without names to look up."""
        return (
            f"queue_directory = {self._folder}/queue",
            f"data_directory = {self._folder}/data",
            f"maillog_file = {self._folder}/log/maillog",
            f"maillog_file_prefixes = {self._folder}/log",
            "inet_interfaces = 127.0.0.1",
            "inet_protocols = ipv4",
            "mynetworks = 127.0.0.1/32",
            "myhostname = mail.test",
            "mydestination =",
            "smtp_host_lookup = native",
            "smtp_dns_support_level = disabled",
            "smtpd_peername_lookup = no",
            # On a busy machine the site's word about an address may take longer than the nine seconds of its own.
            "address_verify_poll_count = 60",
            f"transport_maps = inline:{{ {self._players_domain}=smtp:[127.0.0.1]:{self._mailboxes} }}",
        )

    def _prepare(self):
        """Makes the folders, and the list of services with this port in it."""
        # Not secret, unlike pytest's folders: postfix's own users have to get there.
        self._folder.chmod(0o755)
        for name in ("etc", "queue", "data", "log"):
            (self._folder / name).mkdir()
        shutil.chown(self._folder / "data", "postfix")
        services = SERVICES.read_text()
        at_port = re.sub(r"^smtp +inet ", f"{self.port} inet ", services, flags=re.MULTILINE)
        (self._folder / "etc" / "master.cf").write_text(at_port)
        (self._folder / "etc" / "main.cf").write_text("compatibility_level = 3.6\n")

    async def start(self):
        """Returns when it takes mail."""
        self._prepare()
        at = ("-c", str(self._folder / "etc"))
        await self._call("postconf", *at, "-F", "*/*/chroot = n")
        await self._call("postconf", *at, "-e", *self._settings(), *self._settings_of_page())
        await self._call("postfix", *at, "start")
        await until_it_takes_mail(self.port)

    async def stop(self):
        with suppress(AssertionError):
            await self._call("postfix", "-c", str(self._folder / "etc"), "stop")


postfix = partial(started, Postfix)
