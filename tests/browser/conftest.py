"""A server for each test and one browser for all. Without Chromium all is skipped, and said aloud.

Pages are drawn by Chromium without its windows, where that is installed: it is the same engine at two thirds of the
cost. What only the whole Chromium has, like notifications, its tests ask for by the mark `whole_browser`.

One loop serves all tests of this folder, because a browser belongs to the loop in which it was started.
"""

from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright, expect

from tests.support.browser.chromium import FLAGS, WHOLE, WITHOUT_WINDOWS, installed
from tests.support.browser.player import Player, begin
from tests.support.browser.slow_line import slow_line
from tests.support.browser.visitor import Visitor
from tests.support.patience import PATIENCE_MS
from tests.support.web.host import QuickHost
from tests.support.web.in_process import InProcess
from tests.support.web.people import Person

CLIENT = Path(__file__).parents[2] / "static" / "dist" / "manifest.json"
SILENT = """window.AudioContext = class extends AudioContext {
    constructor() { super(); void super.suspend(); }
    resume() { return Promise.resolve(); }
}"""
"""The page makes its sounds as ever, and they wait for a device that never runs."""


expect.set_options(timeout=PATIENCE_MS)


NO_CHROMIUM = "no Chromium found"


def none_of(programs):
    """Why a test is skipped, and which package would let it run."""
    package = "chromium or chromium-headless-shell" if set(WITHOUT_WINDOWS) & set(programs) else "chromium"
    return f"{NO_CHROMIUM} (looked for {', '.join(programs)} on the PATH): install the package {package}"


def pytest_terminal_summary(terminalreporter):
    """A green run without browsers must not be taken for a run with them."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = {str(report.longrepr[-1]).removeprefix("Skipped: ") for report in skipped}
    for reason in sorted(reason for reason in reasons if NO_CHROMIUM in reason):
        terminalreporter.write_sep("!", red=True, bold=True)
        terminalreporter.write_line(f"BROWSER TESTS WERE SKIPPED: {reason}", red=True, bold=True)
        terminalreporter.write_sep("!", red=True, bold=True)


@asynccontextmanager
async def launched(programs):
    program = installed(programs)
    if program is None:
        pytest.skip(none_of(programs))
    assert CLIENT.exists(), "The client has not been built: make client"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def light_browser():
    async with launched(WITHOUT_WINDOWS + WHOLE) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def whole_browser():
    async with launched(WHOLE) as browser:
        yield browser


@pytest.fixture
def browser(request):
    whole = request.node.get_closest_marker("whole_browser")
    return request.getfixturevalue("whole_browser" if whole else "light_browser")


@pytest.fixture
def variants_dir():
    """None: the host keeps no variants of their own. A test that needs some overrides it with their folder."""


@pytest_asyncio.fixture(loop_scope="session")
async def host(request, tmp_path, monkeypatch, variants_dir):
    """A server for this test alone, in this process; in one of its own if the test kills it."""
    if request.node.get_closest_marker("killed") is None:
        async with InProcess(tmp_path, monkeypatch, variants_dir=variants_dir) as site:
            yield site
    else:
        host = QuickHost(tmp_path)
        await host.start()
        yield host
        await host.kill()


@pytest.fixture
def motion():
    """Most people here ask for none, as its pictures cost a core more than all else; tests of play look at it."""
    return "reduce"


@pytest.fixture
def ears():
    """Nobody has any but who overrides this: from its first sound on a page costs a few hundredths of a core."""
    return False


async def arrived(browser, site, slow, ears=False, **settings):
    """Somebody at a browser window of their own, with nothing open yet."""
    # A worker costs each new person half a second of a core; the tests that are about it ask for it.
    usual = {"viewport": {"width": 1200, "height": 800}, "service_workers": "block"}
    context = await browser.new_context(**{**usual, **settings})
    if slow:
        await slow_line(context)
    if not ears:
        await context.add_init_script(SILENT)
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    return Player(context, page, site)


@pytest.fixture(scope="session")
def slow_pages(request):
    return request.config.getoption("--slow-pages")


@pytest_asyncio.fixture(loop_scope="session")
async def seat(browser, host, motion, ears, slow_pages):
    """Seats another person; at the end none of them has met an error."""
    players = []

    async def sit(**settings):
        player = await arrived(browser, host.site, slow_pages, ears, **{"reduced_motion": motion, **settings})
        players.append(player)
        return player

    yield sit
    problems = [problem for player in players for problem in player.problems]
    for player in players:
        await player.close()
    assert problems == []


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def lasting_host(tmp_path_factory):
    """A server for all tests of a module: for pages that leave nothing behind there."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        async with InProcess(tmp_path_factory.mktemp("lasting"), monkeypatch) as site:
            yield site


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def window(light_browser, lasting_host, slow_pages):
    player = await arrived(light_browser, lasting_host.site, slow_pages, reduced_motion="reduce")
    yield player
    await player.close()


@pytest_asyncio.fixture(loop_scope="session")
async def regular(window):
    """Somebody who comes again and again, in the window in which they were before: nothing is open in it."""
    yield window
    problems, window.problems = window.problems, []
    await window.page.unroute_all(behavior="ignoreErrors")
    await window.page.goto("about:blank")
    assert problems == []


@pytest_asyncio.fixture(loop_scope="session")
async def off_screen(host):
    """Another person whom nobody looks at: they speak the protocol without a browser, at a tenth of the cost."""
    async with AsyncExitStack() as present:

        async def come():
            return await present.enter_async_context(Person(host.site))

        yield come


@pytest.fixture
def pair(seat):
    """Two people at one new game: White, who made it, and Black, who has taken the seat."""

    async def sit_down(variant, **terms):
        white, black = await seat(), await seat()
        await begin(white, black, variant, **terms)
        return white, black

    return sit_down


@pytest.fixture
def visitor(seat, host):
    """Somebody who opens the front page: `await visitor()`, with what `seat` takes."""

    async def come(**settings):
        return await Visitor(await seat(**settings), host.site).arrive()

    return come
