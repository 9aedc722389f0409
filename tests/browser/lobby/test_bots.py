"""A bot of somebody's, from the page that gives its token to the game: people see at each step that it is one."""

import pytest
from playwright.async_api import expect

from tests.support.bots.berserk_client import BerserkBot
from tests.support.browser.accessibility import audit
from tests.support.browser.player import FIVE_MINUTES
from tests.support.web.tokens import TOKEN

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def with_a_token(owner, name):
    """The program that `owner` lets play by a token, made on the page for that."""
    page = owner.page
    await page.goto(f"{owner.site}/account/tokens")
    await page.fill("#token-name", "my bot")
    for scope in ("bot_play", "read", "write"):
        await page.check(f"input[name={scope}]", force=True)
    await page.get_by_role("button", name="Make the token").click()
    shown = page.locator("input.token")
    await expect(shown).to_have_value(TOKEN)
    assert await audit(page) == []
    token = await shown.input_value()
    await page.reload()
    await expect(page.get_by_role("heading", name="Your tokens")).to_be_visible()
    await page.goto(f"{owner.site}/account/tokens")
    assert token not in await page.content()
    return BerserkBot(owner.site, name, token)


async def test_a_bot_is_called_one_at_the_board_in_its_chat_and_in_the_lobby(member):
    owner, carla = await member("Robina"), await member("Carla")
    bot = await with_a_token(owner, "Robina")
    await bot.do(bot.client.account.upgrade_to_bot)
    challenge = {"variant": "chess", "color": "white", "clock": FIVE_MINUTES, "to": "Robina"}
    game = (await carla.post("/api/games", challenge))["id"]
    await carla.open(f"{carla.site}/{game}")
    name = carla.page.locator("#seat-top .seat-name")
    await expect(name).to_have_text("BOT Robina")
    await bot.do(bot.client.bots.accept_challenge, game)
    await expect(carla.page.locator("#invite")).to_be_hidden()
    await expect(name).to_have_text("BOT Robina")
    await carla.click("e2", "e4")
    await carla.sees("e4")
    await bot.do(bot.client.bots.make_move, game, "e7e5")
    await carla.sees("e4", "e5")
    await bot.do(bot.client.bots.post_message, game, "Good luck!")
    await expect(carla.page.locator("#chat-lines li b")).to_have_text("BOT Robina")
    await carla.page.goto(f"{carla.site}/?to=Robina")
    await expect(carla.page.locator(".home-title .bot-title")).to_have_text("BOT")
    await expect(carla.page.locator("#rated-link")).to_have_count(0)
    await carla.page.goto(f"{carla.site}/games/mine")
    await expect(carla.page.locator(".bot-title").first).to_have_text("BOT")
