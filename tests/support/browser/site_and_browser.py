"""A server of its own and a Chromium beside it, for what is run by hand: pictures of pages and measurements of them."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from tests.support.browser.chromium import FLAGS, WHOLE, WITHOUT_WINDOWS, installed
from tests.support.web.host import Host


@asynccontextmanager
async def site_and_browser() -> AsyncIterator[tuple[str, Browser]]:
    """The address of an empty site and a browser, until it is left. Raises AssertionError without a Chromium."""
    program = installed(WITHOUT_WINDOWS + WHOLE)
    assert program, "no Chromium found: install the package chromium"
    async with AsyncExitStack() as stack:
        host = Host(Path(stack.enter_context(tempfile.TemporaryDirectory())))
        stack.push_async_callback(host.kill)
        await host.start(LOG_LEVEL="warning")
        playwright = await stack.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(executable_path=program, args=FLAGS)
        stack.push_async_callback(browser.close)
        yield host.site, browser
