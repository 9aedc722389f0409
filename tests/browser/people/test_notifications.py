"""Alerts in real browsers: left with one click, heard on any page, and pushed to a worker."""

import asyncio
import json
import re

import pytest
from playwright.async_api import expect

from tests.support.browser.visitor import Visitor
from tests.support.patience import PATIENCE_S

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.browser, pytest.mark.whole_browser]

NOTIFICATIONS = """async words => {
    const worker = await navigator.serviceWorker.ready;
    for (;;) {
        const shown = await worker.getNotifications();
        if (shown.some(({ title }) => title.includes(words)))
            return shown.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
        await new Promise(resolve => setTimeout(resolve, 20));
    }
}"""


@pytest.fixture
def visitor(seat, host):
    async def come(**settings):
        return await Visitor(await seat(service_workers="allow", **settings), host.site).arrive()

    return come


async def seek(person, variant, **more):
    clock = {"kind": "realtime", "initial": 300, "increment": 3}
    body = {"variants": [variant], "clock": clock, **more}
    answer = await person.context.request.post(f"{person.site}/api/seeks", data=body, headers={"Origin": person.site})
    assert answer.ok, await answer.text()


async def test_the_empty_lobby_offers_an_alert_and_any_page_notifies(visitor):
    anna, ben = await visitor(), await visitor()
    await anna.context.grant_permissions(["notifications"])
    await anna.choose("grandhouse")
    await expect(anna.page.locator("#seeks-empty")).to_contain_text("Nobody is waiting")
    await anna.page.click("#notify-me")
    said = anna.page.locator("#seeks-empty #notify-me-said")
    await expect(said).to_contain_text("your browser tells you when somebody is waiting")
    await expect(anna.page.locator("#seek-alerts-list li")).to_contain_text("Grandhouse")
    await anna.goes(f"{anna.site}/rules")
    await seek(ben, "chess")
    await seek(ben, "grandhouse")
    bar = anna.page.locator(".notification-bar")
    await expect(bar).to_contain_text("wants to play")
    (shown,) = await anna.page.evaluate(NOTIFICATIONS, "wants to play")
    assert (shown["tag"], shown["data"]) == ("waits", {"url": "/"})
    await bar.get_by_role("link").click()
    await expect(anna.row("Grandhouse")).to_be_visible()


async def test_it_outlives_the_browser_and_is_ended_by_its_owner(visitor):
    anna = await visitor()
    await anna.page.locator("#seek-alerts summary").click()
    for value in ("shogun", "blitz"):
        await anna.page.locator(f"#seek-alerts-form .chip:has([value='{value}'])").click()
    await anna.page.click("#seek-alerts-add")
    await expect(anna.page.locator("#seek-alerts-list li")).to_contain_text("Shogun")
    await anna.page.evaluate("localStorage.clear()")
    await anna.page.reload()
    await anna.page.locator("#seek-alerts summary").click()
    row = anna.page.locator("#seek-alerts-list li")
    await expect(row).to_contain_text("Blitz")
    await row.get_by_role("button", name="Remove this alert").click()
    await expect(row).to_have_count(0)
    await expect(anna.page.locator("#seek-alerts summary")).to_be_focused()


async def test_who_forbids_notifications_reads_what_to_do(visitor):
    anna = await visitor()
    await anna.page.add_init_script("Notification.requestPermission = async () => 'denied'")
    await anna.page.reload()
    await anna.page.click("#notify-me")
    await expect(anna.page.locator("#notify-me-said")).to_have_text(
        re.compile("a message appears .*browser's settings")
    )


class Worker:
    """The site's service worker in somebody's browser, as its push service reaches it."""

    def __init__(self, devtools, origin, registration):
        self.devtools = devtools
        self.where = {"origin": origin, "registrationId": registration}

    async def push(self, pushed):
        await self.devtools.send("ServiceWorker.deliverPushMessage", {**self.where, "data": json.dumps(pushed)})


async def worker_of(visitor):
    devtools = await visitor.context.new_cdp_session(visitor.page)
    known = asyncio.get_running_loop().create_future()

    def hear(event):
        if event["registrations"] and not known.done():
            known.set_result(event["registrations"][0]["registrationId"])

    devtools.on("ServiceWorker.workerRegistrationUpdated", hear)
    await devtools.send("ServiceWorker.enable")
    return Worker(devtools, visitor.site, await asyncio.wait_for(known, PATIENCE_S))


async def test_what_is_pushed_is_shown_and_a_newer_notification_replaces_an_older(visitor):
    anna = await visitor()
    await anna.context.grant_permissions(["notifications"])
    await anna.page.evaluate("async () => { await navigator.serviceWorker.ready }")
    where = await worker_of(anna)
    for name in ("Ben", "Carla"):
        pushed = {"title": f"{name} wants to play", "body": "Grand Chess, 5+3", "url": "/", "topic": "waits"}
        await where.push(pushed)
    (shown,) = await anna.page.evaluate(NOTIFICATIONS, "Carla")
    assert shown == {"title": "Carla wants to play", "body": pushed["body"], "tag": "waits", "data": {"url": "/"}}
