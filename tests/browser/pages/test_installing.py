"""The site as an app: it can be installed, and offline it says so instead of showing what was once true."""

import json
import signal

import pytest
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

READY = "() => navigator.serviceWorker.ready.then(() => true)"


async def test_it_has_a_manifest_with_icons_screenshots_and_shortcuts_that_are_what_they_say(seat):
    person = await seat()
    await person.page.goto(person.site)
    way = await person.page.get_attribute("link[rel=manifest]", "href")
    answer = await person.page.request.get(f"{person.site}{way}")
    manifest = json.loads(await answer.text())
    assert answer.headers["content-type"].startswith("application/manifest+json")
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512"}
    assert [one["url"] for one in manifest["shortcuts"]] == ["/watch", "/games", "/analysis", "/rules"]
    for shortcut in manifest["shortcuts"]:
        assert shortcut["name"]
        assert (await person.page.request.get(person.site + shortcut["url"])).ok
    assert {one["form_factor"] for one in manifest["screenshots"]} == {"wide", "narrow"}
    for icon in (*manifest["icons"], *manifest["screenshots"]):
        drawn = await person.page.evaluate(
            """async src => { const image = new Image(); image.src = src; await image.decode();
                return `${image.naturalWidth}x${image.naturalHeight}`; }""",
            icon["src"],
        )
        assert drawn == icon["sizes"]


@pytest.mark.killed
async def test_without_a_server_there_is_one_page_and_no_old_game(seat, host):
    person = await seat(service_workers="allow")
    await person.challenge("grand")
    game = person.page.url
    assert await person.page.evaluate(READY)
    await host.stop(signal.SIGKILL)
    await person.page.goto(game)
    await expect(person.page.get_by_role("heading", name="You are offline")).to_be_visible()
    assert await person.page.locator("main").evaluate("main => getComputedStyle(main).marginLeft") != "0px"
    assert await person.page.locator("cg-board").count() == 0
    await host.start()
    await person.page.get_by_role("link", name="Try again").click()
    await expect(person.page.locator("#board cg-board")).to_be_visible()
    kept = await person.page.evaluate("caches.open('offline').then(c => c.keys()).then(all => all.map(one => one.url))")
    assert not any(url.startswith(game) or "/api/" in url for url in kept), kept
    person.problems = [problem for problem in person.problems if "ERR_FAILED" not in problem]
