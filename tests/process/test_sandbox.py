"""The server under the filter of system calls that its unit in docs/systemd.md has: it needs nothing beyond."""

import asyncio
import ctypes.util
import re
import subprocess
import sys

import pytest

from tests.support.documents import example
from tests.support.web.balancers import needs
from tests.support.web.host import Host, command
from tests.support.web.people import FOOLS_MATE, Person, play

pytestmark = pytest.mark.slow
LOCKED_IN = """
import ctypes, os, sys
seccomp = ctypes.CDLL(sys.argv[1])
seccomp.seccomp_init.restype = ctypes.c_void_p
rules = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(0x80000000)))  # whatever else: kills the process
for name in sys.argv[2].split():
    number = seccomp.seccomp_syscall_resolve_name(name.encode())
    if number >= 0:
        assert seccomp.seccomp_rule_add(rules, ctypes.c_uint32(0x7FFF0000), number, 0) == 0
assert seccomp.seccomp_load(rules) == 0
os.execv(sys.executable, (sys.executable, *sys.argv[3:]))
"""
LIBRARY = ctypes.util.find_library("seccomp")


def calls(group):
    """The system calls of a group of systemd's, such as @system-service."""
    listed = subprocess.run(("systemd-analyze", "syscall-filter", group), capture_output=True, text=True, check=True)
    for name in re.findall(r"^ +([@\w-]+)$", listed.stdout, re.MULTILINE):
        yield from calls(name) if name.startswith("@") else (name,)


def allowed():
    """What the unit leaves to the server."""
    left = set()
    for forbidden, groups in re.findall(
        r"^SystemCallFilter=(~?)(.+)$", example("systemd.md", "The service"), re.MULTILINE
    ):
        named = {call for group in groups.split() for call in calls(group)}
        left = left - named if forbidden else left | named
    return left


class LockedIn(Host):
    """Runs the server so that any other system call kills it."""

    async def _started(self, environment, errors):
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", LOCKED_IN, LIBRARY, " ".join(allowed()), "-m", "server"),
            env=environment, stdout=asyncio.subprocess.PIPE, stderr=errors,
        )  # fmt: skip


async def picture(host, path):
    """The first bytes of what was drawn there."""
    async with Person(host.site) as somebody, somebody.http.get(path) as answer:
        assert answer.status == 200
        return await answer.content.readexactly(4)


@needs("systemd-analyze")
@pytest.mark.skipif(LIBRARY is None, reason="no libseccomp: the unit's filter of system calls is NOT tested")
async def test_the_unit_leaves_the_server_every_system_call_that_it_needs(tmp_path):
    assert "read" in allowed()
    assert "mount" not in allowed()
    host = LockedIn(tmp_path)
    try:
        await host.start()
        async with Person(host.site) as anna, Person(host.site) as ben:
            game = await anna.challenge()
            await ben.join(game)
            async with anna.follow(game) as white, ben.follow(game) as black:
                await play((white, black), FOOLS_MATE)
        assert await picture(host, f"/{game['id']}/board.png") == b"\x89PNG"
        assert await picture(host, f"/{game['id']}/replay.gif") == b"GIF8"
        assert (await command(host, "backup", str(tmp_path / "copy")))[0] == 0
        assert (await host.stop())[0] == 0
    finally:
        await host.kill()
