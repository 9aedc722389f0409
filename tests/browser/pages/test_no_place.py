"""Whoever gets no connection because too many are open reads why, and what they can do; then they get one."""

import pytest
from playwright.async_api import expect

from server.web.websocket import open_sockets
from tests.support.browser.phone import Phone
from tests.support.browser.screens import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LINE = "#turn-line, #turn-line *"
LOOK_HERE = "document.dispatchEvent(new Event('visibilitychange'))"


async def test_a_stranger_for_whose_network_there_is_no_place_left(seat, monkeypatch):
    """In Spanish, whose words are the longer ones."""
    words = "Mira demasiada gente desde tu red. Entra en tu cuenta para tener sitio, o espera."
    anna, stranger = await seat(), await seat(**PHONE, locale="es-ES")
    link = await anna.challenge("chess")
    monkeypatch.setattr(open_sockets, "WATCHERS_PER_ADDRESS", 0)
    await stranger.open(link.partition("#")[0])
    status = stranger.page.locator("#status")
    await expect(status).to_have_text(words)
    await Phone(stranger).is_whole(LINE)
    monkeypatch.setattr(open_sockets, "WATCHERS_PER_ADDRESS", 1)
    await stranger.page.evaluate(LOOK_HERE)
    await expect(status).to_be_empty()
    assert all("429" in problem for problem in stranger.problems)
    stranger.problems.clear()  # the browser's own lines


async def test_a_player_with_too_many_pages_open(seat, monkeypatch):
    anna = await seat(**PHONE, locale="en-GB")
    monkeypatch.setattr(open_sockets, "PER_SESSION", 2)
    await anna.challenge("chess")
    first, anna.page = anna.page, await anna.context.new_page()
    await anna.open(first.url)
    anna.page = await anna.context.new_page()
    await anna.open(first.url)
    status = anna.page.locator("#status")
    await expect(status).to_have_text("You have 2 pages of this site open. Close one to go on here.")
    await Phone(anna).is_whole(LINE)
    await first.close()
    await anna.page.evaluate(LOOK_HERE)
    await expect(status).to_be_empty()
