"""Flagging by hand on the board's page: the switch, what both see when time is over, the late move and the claim."""

from dataclasses import replace

import pytest
from playwright.async_api import expect

from server.games.changes.claiming import ChooseFlagging
from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.web.site import SITE
from tests.support.games import BLACK, after, running_game

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.browser]

DAYS = {"kind": "correspondence", "days": 1}


async def player_of(person):
    me = await person.page.evaluate("fetch('/api/me').then(answer => answer.json())")
    return Player(me["id"], me["name"])


async def test_the_choice_is_kept_and_seen_by_the_opponent(pair):
    white, black = await pair("chess", clock=DAYS)
    for person in (white, black):
        await person.open_more()
    await black.page.get_by_role("checkbox", name="I decide myself").click()
    await expect(white.page.locator("#they-flag-by-hand")).to_be_visible()
    await black.page.reload()
    await black.open_more()
    await expect(black.page.get_by_role("checkbox", name="I decide myself")).to_be_checked()
    await expect(black.page.locator("#they-flag-by-hand")).to_be_hidden()


async def test_over_time_the_game_goes_on_until_the_late_move_or_the_claim(pair, host):
    white, black = await pair("chess", clock=DAYS)
    game = after(running_game(control=TimeControl.correspondence(1)), ChooseFlagging(BLACK, True))
    game = replace(game, white=await player_of(white), black=await player_of(black))
    for name in ("latemoveab", "claimedabc"):
        await host.runner.app[SITE].store.create(replace(game, id=name))
    for person in (white, black):
        await person.page.goto(f"{host.site}/latemoveab")
    await expect(white.page.locator("#offers")).to_contain_text("You can still move until your opponent claims")
    await expect(black.page.locator("#offers")).to_contain_text("You can claim the win or a draw at any time")
    await white.write("Nf3")
    await white.confirm()
    for person in (white, black):
        await expect(person.page.locator("#offers")).to_be_empty()
    for person in (white, black):
        await person.page.goto(f"{host.site}/claimedabc")
    await black.page.get_by_role("button", name="Call it a draw").click()
    for person in (white, black):
        await expect(person.page.locator("#result")).to_contain_text("Time ran out, and the opponent made it a draw")
