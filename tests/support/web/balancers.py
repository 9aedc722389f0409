"""Proxies before several nodes, set up as docker-compose.yml and docs/cluster.md say, here and as this user."""

import asyncio
import re
import shutil
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
import yaml

from tests.support.documents import blocks
from tests.support.free_port import free_port

ROOT = Path(__file__).parents[3]
NODE = re.compile(r"^( *server) (node1 )?node1:8080(.*)\n *server .*node2:8080.*\n", re.MULTILINE)
"""The lines about both nodes, in either proxy's language."""


def needs(program):
    return pytest.mark.skipif(
        shutil.which(program) is None, reason=f"no {program} on the PATH: what docs/ says of it is NOT tested"
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
    (text,) = blocks("cluster.md", "haproxy")
    (folder / "haproxy.cfg").write_text(_with_nodes(text.replace("127.0.0.1:8080", f"127.0.0.1:{port}"), nodes))
    return ("haproxy", "-db", "-f", str(folder / "haproxy.cfg"))


BALANCERS = {"nginx": _nginx, "haproxy": _haproxy}


@asynccontextmanager
async def balancer(program, folder, nodes):
    """The address of a proxy before `nodes`, which are ports."""
    port = free_port()
    async with started(BALANCERS[program](folder, port, nodes), folder, port):
        yield f"http://127.0.0.1:{port}"


def _https_nginx(folder, port, site, certificate, *, second=False):
    server, behind = blocks("proxy.md", "nginx")
    if second:
        *believed, address = re.sub(r"(set_real_ip_from) \S+;", r"\1 127.0.0.1;", behind).splitlines()
        server = re.sub(r".*proxy_set_header X-Forwarded-For.*", address, server)
        server = server.replace("    location", "\n".join((*believed, "    location")))
    server = re.sub(r"listen 443 ssl;\n.*\n", f"listen 127.0.0.1:{port} ssl;\n", server).replace(":8080", f":{site}")
    server = re.sub(r"listen 80;\n.*\n", f"listen unix:{folder}/http;\n", server)
    server = re.sub(r"/etc/letsencrypt\S+\.pem", str(certificate), server)
    places = "".join(f"{each}_temp_path {folder}/{each};" for each in ("proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"pid {folder}/pid; error_log stderr; events {{}}"
        f" http {{ access_log off; client_body_temp_path {folder}/body; {places} {server} }}"
    )
    return ("nginx", "-c", str(folder / "nginx.conf"), "-g", "daemon off; master_process off;")


def _https_haproxy(folder, port, site, certificate):
    (text,) = blocks("proxy.md", "haproxy")
    text = text.replace("bind :443", f"bind 127.0.0.1:{port}").replace("127.0.0.1:8080", f"127.0.0.1:{site}")
    (folder / "haproxy.cfg").write_text(re.sub(r"/etc/haproxy/certs/\S+", str(certificate), text))
    return ("haproxy", "-db", "-f", str(folder / "haproxy.cfg"))


HTTPS = {
    "nginx": _https_nginx,
    "nginx behind another proxy": partial(_https_nginx, second=True),
    "haproxy": _https_haproxy,
}


@asynccontextmanager
async def https_proxy(program, folder, port, site, certificate):
    """A proxy as docs/proxy.md has it, at `port`, before the site at port `site`; `certificate`: one with its key."""
    async with started(HTTPS[program](folder, port, site, certificate), folder, port):
        yield


@asynccontextmanager
async def started(command, folder, port):
    """The program runs and takes connections at `port`."""
    with (folder / "said").open("wb") as said:
        process = await asyncio.create_subprocess_exec(*command, stdout=said, stderr=said)
    try:
        for _ in range(200):
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            assert process.returncode is None, (folder / "said").read_text()
            await asyncio.sleep(0.02)
        yield
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
