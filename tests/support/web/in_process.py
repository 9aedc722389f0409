"""The whole site in the process of the tests, at a port as people reach it: ready in a tenth of a second.

For tests that neither kill the server nor look at its process; what is learnt once of the built-in variants is shared.
"""

import sys

from aiohttp import web
from argon2 import PasswordHasher
from pydantic import BaseModel

from server.app import build_app
from server.realtime.services import recovery
from server.settings import Settings
from server.storage.sqlite import file
from server.web.accounts import credentials
from server.web.assets import find_assets
from server.web.edge import BACKLOG, EdgeRunner
from server.web.pictures import image_cache
from tests.support.free_port import free_port
from tests.support.patience import PATIENCE_S
from tests.support.storage.sqlite_file import open_begun
from tests.support.web.read_once import share

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""No site here waits for a hash; what the real one costs is tested by itself."""


def default_settings(folder, monkeypatch, **more):
    """Nothing set but that no puzzles come with the site, and a data folder of its own.

    What comes with the server is read once for all tests.
    """
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    share(monkeypatch.setattr)
    for name in ("NOTED_MS", "STALL_MS"):
        # A busy machine stops tests, too, and a clock that is turned by hand leaps: no player is given that time back.
        monkeypatch.setattr(recovery, name, sys.maxsize)
    # Nor is anybody told to come again because a picture takes long.
    monkeypatch.setattr(image_cache, "PATIENCE_S", PATIENCE_S)
    monkeypatch.setattr(file, "open_file", open_begun)
    monkeypatch.setattr(credentials.Hashing.__init__, "__defaults__", (CHEAP,))
    settings = Settings.__new__(Settings)
    # Checked as ever, but not looked for in the environment: that takes longer than all else at the start of a site.
    BaseModel.__init__(settings, **{"data_dir": folder / "data", "shipped_puzzles": False, **more})
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
