"""The whole site in the process of the tests, at a port as people reach it: ready in a tenth of a second.

For tests that neither kill the server nor look at its process; what is learnt once of the built-in variants is shared.
"""

import functools

import jinja2
from aiohttp import web

from server import app
from server.app import build_app
from server.language import load_words
from server.rules.catalogue import load_catalogue
from server.settings import Settings
from server.web.assets import find_assets
from server.web.board_data import all_board_data
from server.web.edge.serving import BACKLOG, EdgeRunner
from tests.support.rules.built_in import VARIANTS
from tests.support.web.host import free_port

KNOWN_STARTS = {}


class Compiled(jinja2.BytecodeCache):
    """Templates are compiled once for all tests."""

    def __init__(self):
        self._code = {}

    def load_bytecode(self, bucket):
        if bucket.key in self._code:
            bucket.bytecode_from_string(self._code[bucket.key])

    def dump_bytecode(self, bucket):
        self._code[bucket.key] = bucket.bytecode_to_string()


set_up_templates = functools.partial(app.aiohttp_jinja2.setup, bytecode_cache=Compiled())


def starts(catalogue, names):
    """Worked out once for each language."""
    words = tuple(each.tagline for each in names.values())
    if words not in KNOWN_STARTS:
        KNOWN_STARTS[words] = all_board_data(catalogue, names)
    return KNOWN_STARTS[words]


@functools.cache
def words():
    return load_words()


def default_settings(folder, monkeypatch, **more):
    """Nothing set, and a data folder of its own. What comes with the server is read once for all tests."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setattr(app, "load_catalogue", lambda own: load_catalogue(own) if own else VARIANTS)
    monkeypatch.setattr(app, "load_words", words)
    monkeypatch.setattr(app, "all_board_data", starts)
    monkeypatch.setattr(app.aiohttp_jinja2, "setup", set_up_templates)
    return Settings(data_dir=folder / "data", **more)


class InProcess:
    """A site with the same settings as `tests.support.web.host.Host` gives its own, until it is left."""

    def __init__(self, folder, monkeypatch, **more):
        port = free_port()
        self.site = f"http://127.0.0.1:{port}"
        self.settings = default_settings(folder, monkeypatch, port=port, **more)

    async def __aenter__(self):
        built = build_app(self.settings, find_assets())
        self.runner = EdgeRunner(built)
        await self.runner.setup()
        await web.TCPSite(self.runner, self.settings.host, self.settings.port, backlog=BACKLOG).start()
        return self

    async def __aexit__(self, *_):
        await self.runner.cleanup()
