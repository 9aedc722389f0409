"""A line on which everything comes late, in the right order."""

import asyncio
from contextlib import suppress

from playwright.async_api import Error

LATE_SCRIPT_S = 0.4
LATE_MESSAGES = """{
    const later = window.setTimeout;
    window.WebSocket = class extends WebSocket {
        set onmessage(hear) { super.onmessage = event => later(() => hear(event), 400); }
    };
}"""
"""What the server says is heard a moment later, in the same order, whatever a test does to the page's clock."""


async def slow_line(context):
    """With `--slow-pages`: what a test reads or presses too early is then always too early, not once in a thousand."""

    async def send_later(route):
        await asyncio.sleep(LATE_SCRIPT_S)
        with suppress(Error):  # the page has gone meanwhile
            await route.continue_()

    await context.route("**/*.js", send_later)
    await context.add_init_script(LATE_MESSAGES)
