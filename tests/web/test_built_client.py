"""The built client: found by its hashed names, kept by browsers for ever, sent compressed; also out of a wheel."""

import gzip
import json
import pathlib

import pytest
from aiohttp.test_utils import TestServer

from server.app import build_app
from server.web import assets
from server.web.assets import find_assets, load_assets
from server.web.rendering import built_files
from server.web.rendering.built_files import LARGEST
from tests.support.web.people import Person

SCRIPT = b"export const board = 1;\n" * 100


@pytest.fixture
def built(tmp_path):
    """A build of one script, laid out as esbuild's call leaves it, beside the real templates."""
    static = tmp_path / "dist"
    static.mkdir()
    (static / "round-1a2b.js").write_bytes(SCRIPT)
    (static / "round-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT))
    (static / "manifest.json").write_text(json.dumps({"round.js": "round-1a2b.js"}))
    (tmp_path / "secret.txt").write_text("secret")
    (static / "link.txt").symlink_to(tmp_path / "secret.txt")
    return load_assets(find_assets().templates, static)


@pytest.fixture
async def anna(settings, built):
    server = TestServer(build_app(settings, built))
    await server.start_server()
    async with Person(server.make_url("/"), "http://localhost:8080") as anna:
        yield anna
    await server.close()


async def test_a_built_file_is_kept_for_ever_and_sent_compressed(anna, built):
    async with anna.http.get(built.url("round.js")) as answer:
        assert answer.status == 200
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.headers["Content-Encoding"] == "gzip"
        assert answer.content_type in ("text/javascript", "application/javascript")
        assert await answer.read() == SCRIPT


async def test_a_built_file_is_sent_as_brotli_to_who_reads_that(anna, built):
    (built.static / "round-1a2b.js.br").write_bytes(b"as brotli")
    for accepted, encoding in (("gzip, deflate, br", "br"), ("gzip, deflate", "gzip"), ("identity", None)):
        headers = {"Accept-Encoding": accepted}
        async with anna.http.get(built.url("round.js"), headers=headers, auto_decompress=False) as answer:
            assert answer.headers.get("Content-Encoding") == encoding
            assert ((await answer.read()) == b"as brotli") is (encoding == "br")


@pytest.mark.parametrize("accepted", ["gzip, deflate, br, zstd", "gzip", "identity"])
async def test_a_built_file_is_the_same_from_memory_as_from_the_disk(visitor, monkeypatch, accepted):
    person, names = await visitor(), sorted(find_assets().names.values())

    async def read(name):
        headers = {"Accept-Encoding": accepted}
        async with person.http.get(f"/static/{name}", headers=headers, auto_decompress=False) as answer:
            assert answer.status == 200
            return await answer.read(), {key: answer.headers[key] for key in answer.headers if key != "Date"}

    with monkeypatch.context() as none_is_kept:
        none_is_kept.setattr(built_files, "LARGEST", 0)
        from_disk = [await read(name) for name in names]
    assert [await read(name) for name in names] == from_disk
    monkeypatch.setattr(pathlib.Path, "stat", None)
    small = [(name, *known) for name, known in zip(names, from_disk, strict=True) if len(known[0]) <= LARGEST]
    assert len(small) > len(names) / 2
    for name, *known in small:
        assert list(await read(name)) == known, "not looked for on the disk again"


async def test_a_part_of_a_built_file_and_whether_it_has_changed_can_be_asked_for(anna, built):
    async with anna.http.get(built.url("round.js")) as answer:
        etag = answer.headers["ETag"]
    async with anna.http.get(built.url("round.js"), headers={"If-None-Match": etag}) as answer:
        assert answer.status == 304
    part = {"Range": "bytes=0-5", "Accept-Encoding": "identity"}
    async with anna.http.get(built.url("round.js"), headers=part) as answer:
        assert (answer.status, await answer.read()) == (206, SCRIPT[:6])


def test_every_built_file_lies_there_compressed_in_both_ways():
    """All but typefaces, which are compressed in themselves."""
    static = find_assets().static
    for name in find_assets().names.values():
        if name.endswith(".woff2"):
            continue
        plain, zipped, smaller = (static / f"{name}{ending}" for ending in ("", ".gz", ".br"))
        assert gzip.decompress(zipped.read_bytes()) == plain.read_bytes(), name
        assert smaller.stat().st_size < zipped.stat().st_size, name


async def test_pages_name_the_built_file(anna):
    game = await anna.challenge()
    async with anna.http.get(f"/{game['id']}") as answer:
        assert 'src="/static/round-1a2b.js"' in await answer.text()


@pytest.mark.parametrize("path", ["link.txt", "../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "", "none.js"])
async def test_nothing_else_is_sent(anna, path):
    async with anna.http.get(f"/static/{path}") as answer:
        assert answer.status in (403, 404)
        assert "secret" not in (await answer.text()).replace("secret.txt", "")
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_wheel_carries_the_client_in_the_package(tmp_path, monkeypatch):
    monkeypatch.setattr(assets, "PACKAGE", tmp_path / "server")
    assert find_assets().static == tmp_path / "static" / "dist"
    (tmp_path / "server" / "_assets").mkdir(parents=True)
    found = find_assets()
    assert found.static == tmp_path / "server" / "_assets" / "static"
    assert found.templates == tmp_path / "server" / "_assets" / "templates"
