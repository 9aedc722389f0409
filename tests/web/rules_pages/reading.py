"""Rules pages as a browser asks for them, in every language: each is made once for all tests."""

import asyncio
from functools import cache

import aiohttp
import pytest

from server.app import build_app
from server.language import FOLDER, load_words
from server.web.assets import find_assets
from server.web.budgets.buckets import RateLimit
from server.web.budgets.limits import Limits
from server.web.rules_pages.rules_pages import RULES_PAGES, Wording
from server.web.site import SITE
from server.web.variant_words import names_in
from tests.support.rules.built_in import VARIANTS
from tests.support.web.fixtures import Served
from tests.support.web.in_process import default_settings

LANGUAGES = sorted(path.name for path in FOLDER.iterdir() if (path / "rules").is_dir())


async def read(http, path, language="en"):
    async with http.get(path, headers={"Accept-Language": language}) as answer:
        assert answer.status == 200, path
        return await answer.text()


class Pages:
    """The pages of one site, which runs only while one of them is made. What was read once is not asked for again.

    `runner` is an `asyncio.Runner`, as these tests have no event loop of their own.
    """

    def __init__(self, folder, runner):
        self._run = runner.run
        with pytest.MonkeyPatch.context() as monkeypatch:
            self._server = Served(build_app(default_settings(folder, monkeypatch), find_assets()))
            self._run(self._server.start_server())
        # All of them are read from one address.
        for name in Limits.__slots__:
            setattr(self._server.app[SITE].limits, name, RateLimit(10**9, 1))
        self._words = load_words()
        self.read, self.composed = cache(self._read), cache(self._composed)

    def _read(self, path, language="en"):
        """The page as a stranger gets it."""

        async def ask():
            async with aiohttp.ClientSession(self._server.make_url("/")) as http:
                return await read(http, path, language)

        return self._run(ask())

    def _composed(self, variant, language="en", shuffled=False):
        """What the page is rendered from. `variant` is an id."""
        wording = Wording(language, self._words[language].plain, names_in(language, VARIANTS))
        return self._run(self._server.app[RULES_PAGES].page(VARIANTS[variant], wording, shuffled))

    def close(self):
        self._run(self._server.close())


def opened_pages(folder):
    """Yields the pages of a site with its data in `folder`."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        pages = Pages(folder, runner)
        yield pages
        pages.close()
