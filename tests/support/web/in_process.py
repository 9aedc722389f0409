"""The whole site in the process of the tests, at a port as people reach it: ready in a tenth of a second.

For tests that neither kill the server nor look at its process; what is learnt once of the built-in variants is shared.
"""

from aiohttp import web
from pydantic import BaseModel

from server.app import build_app
from server.settings import Settings
from server.storage.sqlite import file
from server.web.assets import find_assets
from server.web.edge.serving import BACKLOG, EdgeRunner
from tests.support.free_port import free_port
from tests.support.storage.sqlite_file import open_begun
from tests.support.web.read_once import share


def default_settings(folder, monkeypatch, **more):
    """Nothing set, and a data folder of its own. What comes with the server is read once for all tests."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    share(monkeypatch.setattr)
    monkeypatch.setattr(file, "open_file", open_begun)
    settings = Settings.__new__(Settings)
    # Checked as ever, but not looked for in the environment: that takes longer than all else at the start of a site.
    BaseModel.__init__(settings, data_dir=folder / "data", **more)
    return settings


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
