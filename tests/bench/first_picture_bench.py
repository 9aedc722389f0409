"""When the largest part of a page has been drawn, on a slow connection and machine: less than 1.5 s are promised.

    python -m tests.bench.first_picture_bench [ROUNDS]

1.6 Mbit/s with 150 ms there and back, and a processor four times slower than this one, in Chromium, with nothing kept
from before. For each page the best and the median of the rounds: the largest contentful paint (ms after the start), how
much had come over the line by the end of loading (KiB, heads included) in how many requests, and the layout shift.
"""

import asyncio
import sys
from statistics import median
from typing import Any

from playwright.async_api import Browser, CDPSession

from tests.support.browser.site_and_browser import site_and_browser
from tests.support.web.people import Person

PROMISED_MS = 1_500
LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
SLOWER = 4
REST_MS = 1_000
"""How long nothing larger may come after the page has been loaded."""
SIZES = {"360x740": (360, 740), "1440x900": (1440, 900)}

WATCH = """
globalThis.seen = { largest: 0, what: '', shift: 0 };
new PerformanceObserver(list => {
    for (const { startTime, element, size } of list.getEntries())
        seen.largest = startTime, seen.what = `${element?.tagName} ${element?.id || element?.className} ${size}`;
}).observe({ type: 'largest-contentful-paint', buffered: true });
new PerformanceObserver(list => {
    for (const { value } of list.getEntries()) seen.shift += value;
}).observe({ type: 'layout-shift', buffered: true });
"""


async def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    async with site_and_browser() as (site, browser), Person(site) as maker:
        game = await maker.challenge(variant="seirawan")
        print(f"{'page':24}{'best':>7}{'median':>8}{'KiB':>7}{'requests':>10}{'shift':>7}  largest")
        for path in ("/", f"/{game['id']}", "/rules/seirawan"):
            for size, (width, height) in SIZES.items():
                found = [await look(browser, site + path, width, height) for _ in range(rounds)]
                print(line_of(f"{path} {size}", found))


async def look(browser: Browser, address: str, width: int, height: int) -> dict[str, Any]:
    """What a browser that has never been there sees."""
    context = await browser.new_context(viewport={"width": width, "height": height}, service_workers="block")
    page = await context.new_page()
    line = await context.new_cdp_session(page)
    await line.send("Network.enable")
    await line.send("Network.emulateNetworkConditions", LINE)
    await line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    came = received(line)
    await page.add_init_script(WATCH)
    await page.goto(address, wait_until="load")
    await page.wait_for_timeout(REST_MS)
    seen: dict[str, Any] = await page.evaluate("seen")
    await context.close()
    return {**seen, "bytes": sum(came.values()), "requests": len(came)}


def received(line: CDPSession) -> dict[str, float]:
    """The bytes of each answer that comes over the line, by request; filled while the page loads."""
    came: dict[str, float] = {}

    def answered(event: dict[str, Any]) -> None:
        if event["response"]["url"].startswith("http"):
            came[event["requestId"]] = 0

    def finished(event: dict[str, Any]) -> None:
        if event["requestId"] in came:
            came[event["requestId"]] = event["encodedDataLength"]

    line.on("Network.responseReceived", answered)
    line.on("Network.loadingFinished", finished)
    return came


def line_of(name: str, found: list[dict[str, Any]]) -> str:
    best = min(found, key=lambda one: one["largest"])
    over = "" if best["largest"] < PROMISED_MS else f"  MORE THAN {PROMISED_MS}"
    return (
        f"{name:24}{best['largest']:7.0f}{median(one['largest'] for one in found):8.0f}{best['bytes'] / 1024:7.1f}"
        f"{best['requests']:10}{max(one['shift'] for one in found):7.3f}  {best['what']}{over}"
    )


if __name__ == "__main__":
    asyncio.run(main())
