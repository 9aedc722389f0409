"""A server of its own and real Chromium. Skipped where there is no Chromium or the client has not been built."""

import shutil
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from tests.browser.player import Player
from tests.web.host import Host

CLIENT = Path(__file__).parents[2] / "static" / "dist" / "manifest.json"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture
async def browser():
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("there is no Chromium on this machine")
    if not CLIENT.exists():
        pytest.skip("the client has not been built: npm run build")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        await browser.close()


@pytest.fixture
async def host(tmp_path):
    host = Host(tmp_path)
    await host.start()
    yield host
    await host.kill()


@pytest.fixture
async def seat(browser, host):
    """Seats another person; at the end none of them has met an error."""
    players = []

    async def sit(**settings):
        context = await browser.new_context(**{"viewport": {"width": 1200, "height": 800}, **settings})
        page = await context.new_page()
        page.set_default_timeout(8000)
        player = Player(context, page, host.site)
        players.append(player)
        return player

    yield sit
    problems = [problem for player in players for problem in player.problems]
    for player in players:
        await player.close()
    assert problems == []


@pytest.fixture
def pair(seat):
    """Two people at one new game: White, who made it, and Black, who has taken the seat."""

    async def sit_down(variant, **terms):
        white, black = await seat(), await seat()
        await black.open(await white.challenge(variant, **terms))
        await black.join()
        return white, black

    return sit_down
