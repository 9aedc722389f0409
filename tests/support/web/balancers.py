"""Proxies before several nodes, set up as docker-compose.yml and the README say, on this machine and as this user."""

import asyncio
import re
import shutil
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from textwrap import dedent

import pytest
import yaml

from tests.support.free_port import free_port

ROOT = Path(__file__).parents[3]
NODE = re.compile(r"^( *server) (node1 )?node1:8080(.*)\n *server .*node2:8080.*\n", re.MULTILINE)
"""The lines about both nodes, in either proxy's language."""


def needs(program):
    return pytest.mark.skipif(
        shutil.which(program) is None, reason=f"no {program} on the PATH: the README's words on it are NOT tested"
    )


def _with_nodes(text, ports):
    def lines(found):
        begin, name, rest = found[1], found[2], found[3].replace(" resolve", "")
        each = (f"{begin} {f'node{port} ' if name else ''}127.0.0.1:{port}{rest}" for port in ports)
        return "\n".join(each) + "\n"

    return NODE.sub(lines, text)


def _nginx(folder, port, nodes):
    text = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["configs"]["proxy"]["content"].replace("$$", "$")
    text = re.sub(r"\n *resolver .*", "", text.replace("listen 8080", f"listen 127.0.0.1:{port}"))
    (folder / "nginx.conf").write_text(_with_nodes(text.replace("/tmp/", f"{folder}/"), nodes))
    return ("nginx", "-c", str(folder / "nginx.conf"), "-g", "daemon off; master_process off;")


def _haproxy(folder, port, nodes):
    readme = (ROOT / "README.md").read_text()
    text = dedent(re.search(r"^    defaults\n(?:    .*\n)+", readme, re.MULTILINE)[0])
    (folder / "haproxy.cfg").write_text(_with_nodes(text.replace("127.0.0.1:8080", f"127.0.0.1:{port}"), nodes))
    return ("haproxy", "-db", "-f", str(folder / "haproxy.cfg"))


BALANCERS = {"nginx": _nginx, "haproxy": _haproxy}


@asynccontextmanager
async def balancer(program, folder, nodes):
    """The address of a proxy before `nodes`, which are ports."""
    port = free_port()
    with (folder / "said").open("wb") as said:
        process = await asyncio.create_subprocess_exec(
            *BALANCERS[program](folder, port, nodes), stdout=said, stderr=said
        )
    try:
        for _ in range(200):
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            assert process.returncode is None, (folder / "said").read_text()
            await asyncio.sleep(0.02)
        yield f"http://127.0.0.1:{port}"
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
