"""Whose opponent has gone finds another one by one press: the same game is sought again."""

import json

import pytest
from playwright.async_api import expect

from tests.support.browser.screens import PHONE
from tests.support.browser.slow_line import LATE_MESSAGES

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SEEKS = "fetch('/api/seeks').then(answer => answer.json()).then(({ seeks }) => seeks)"


@pytest.fixture
def paired(visitor):
    """Two who have found each other by quick pairing: one on a phone, and their opponent."""

    async def find_each_other():
        one, other = await visitor(**PHONE), await visitor()
        for person in (one, other):
            await person.choose("gothic")
            await person.quick("300+3")
            if person is one:
                await one.waits()
        for person in (one, other):
            await person.is_playing()
        return one, other

    return find_each_other


async def seeks_the_same(person):
    await person.waits()
    (seek,) = await person.page.evaluate(SEEKS)
    assert (seek["variants"], seek["clock"]) == (["gothic"], "300+3"), json.dumps(seek)
    await expect(person.page.locator("#waiting-text")).to_contain_text("Gothic")


async def test_after_an_abort_the_same_game_is_sought_by_one_press(paired):
    one, other = await paired()
    await other.page.click("#abort")
    link = one.page.get_by_role("link", name="New opponent")
    await expect(link).to_be_in_viewport(ratio=1)
    await link.click()
    await seeks_the_same(one)
    await one.page.reload()
    await one.page.click("#waiting-cancel")
    await expect(one.page.locator("#waiting-cancel")).to_be_hidden()
    await one.page.reload()
    await expect(one.page.locator("#quick [data-clock]").first).to_be_visible()
    assert await one.page.evaluate(SEEKS) == [], "sought once, not at each visit"


async def test_who_is_left_alone_before_the_game_begins_leaves_for_another(paired):
    one, other = await paired()
    await other.page.goto(f"{other.site}/health")
    button = one.page.locator("#offers").get_by_role("button", name="New opponent")
    await button.click()
    await seeks_the_same(one)


async def test_who_is_left_alone_after_the_end_finds_another(paired):
    """Also where the list of seeks from before theirs comes after the answer to it."""
    one, other = await paired()
    await one.page.add_init_script(LATE_MESSAGES)

    async def ask_after_the_list(route):
        one.heard.clear()
        await one.hears("seeks")
        await route.continue_()

    await one.page.route(lambda url: url.endswith("/api/seeks"), ask_after_the_list, times=1)
    await other.page.click("#abort")
    await other.page.goto(f"{other.site}/health")
    await expect(one.page.locator("#seat-top")).to_have_attribute("data-here", "left")
    await one.page.get_by_role("link", name="New opponent").click()
    await seeks_the_same(one)
