"""A walk through the states of the site at ten sizes: what each promises is there, large, uncovered and in reach.

A state is a page and what stands on it, always with a notice of the host and a running game of one's own elsewhere.
In any run each state is looked at in Spanish, whose words are longer; with `--full` in English too, as is every page.
"""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest
from playwright.async_api import expect

from server.cli.admin import post_notice
from server.web.site import SITE
from tests.support.browser.layout import HINDRANCES
from tests.support.browser.pages import PAGES
from tests.support.browser.screens import laid_out
from tests.support.rules.vectors import records
from tests.support.web.accounts import register, token_of
from tests.support.web.people import play

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SIZES = [(360, 640), (360, 740), (390, 844), (667, 375), (740, 360)]
SIZES += [(820, 1180), (1024, 768), (1060, 800), (1366, 768), (1440, 900)]
NOTICE = (
    "The site moves to another machine on Sunday at noon. No game loses time by it, and nobody needs to do anything."
)
CLOCK = {"kind": "realtime", "initial": 10_800, "increment": 60}
DAYS = {"kind": "correspondence", "days": 3}
WORDS = "Good luck, and a game that both of us will like to remember for long"


@dataclass(frozen=True)
class State:
    """What is promised there, as selectors; which of its tabs or buttons has been pressed; which sheet that opened."""

    promised: tuple[str, ...]
    page: str
    pressed: str = ""
    sheet: str = ""


TABLE = ("#tab-moves", "#tab-chat", "#tab-rules", "#resign", "#more > summary", "#flip", "#nav-prev")
ANSWERS = (".offer-buttons > :first-child", ".offer-buttons > :last-child")
CHAT = ("#chat-text", "#chat-send", "#chat-lines")
RULES = ("#rules .as-text", "#keys-open", "#rules .languages button")
LINES = ("#conditional-save", "#conditional-close", "#conditional-start")
STATES = {
    "a draw is offered beside seven kinds": State((*TABLE, *ANSWERS), "offered"),
    "chat beside seven kinds and an offer": State((*CHAT, *ANSWERS), "offered", "#tab-chat", "#chat"),
    "while the opponent thinks for days": State((*TABLE, "#conditional-open"), "chess by days"),
    "conditional moves": State(LINES, "chess by days", "#conditional-open", "#conditional"),
    "conditional moves beside seven kinds": State(LINES, "drops by days", "#conditional-open", "#conditional"),
    "a game is over": State(("#rematch", "#new-opponent", "#replay-analyse", "#replay-play"), "over"),
    "more of a game": State(("#adjourn", "#sound", "#keep-pgn"), "drops by days", "#more > summary", ".more-list"),
    "rules beside seven kinds and an offer": State((*RULES, *ANSWERS), "offered", "#tab-rules", "#rules"),
    "a rematch is offered": State(("#new-opponent", "#replay-analyse", *ANSWERS), "rematch"),
    "analysis of a game": State(("#tabs > button", ".engine .switched"), "/analysis/crazyhouse?game="),
    "a seek of one's own": State(("#own-seek button", "#own-seek input"), "/", "#other-time"),
    "profile": State((".rating-card, .profile-head a",), "/@/Ana"),
    "account": State(("main button", "main a"), "/account"),
    "tokens": State(("main button",), "/account/tokens"),
    "studies": State(("main a",), "/studies"),
    "home": State((".shelf-one", "[data-clock='600+5']", "#create", "#your-games-list a"), "/"),
    "a lesson": State(("#lesson-next", "#lesson-show", "#notification a"), "/rules/grandhouse"),
    "analysis": State(("#tabs > button", ".engine .switched", "#notification a"), "/analysis/grandhouse"),
    "TV": State((".watch-shelf a", ".tv-name"), "/watch"),
}


async def begun(me, other, stack, variant, plies, clock):
    """The id of a game that has gone so far, and the lines of both."""
    game = await me.challenge(variant=variant, clock=clock)
    await other.join(game)
    lines = [await stack.enter_async_context(person.follow(game)) for person in (me, other)]
    await play(lines, records(variant)[0]["moves"][:plies])
    return f"/{game['id']}", lines


async def answer_pings(line):
    async for _ in line.websocket:
        pass


async def furnished(me, other, stack):
    """The addresses of games in each of the states."""
    await register(me, "Ana")
    await register(other, "Boris")
    offered, (_, theirs) = await begun(me, other, stack, "grandhouse", 14, CLOCK)
    assert (await theirs.command(t="offer", kind="draw"))["t"] == "ok"
    assert (await theirs.command(t="chat", text=WORDS))["t"] == "ok"
    over, (mine, _) = await begun(me, other, stack, "crazyhouse", 8, CLOCK)
    assert (await mine.command(t="resign"))["t"] == "ok"
    rematch, (mine, theirs_too) = await begun(me, other, stack, "grandhouse", 8, CLOCK)
    assert (await mine.command(t="resign"))["t"] == "ok"
    assert (await theirs_too.command(t="offer", kind="rematch"))["t"] == "ok"
    chess, _ = await begun(me, other, stack, "chess", 3, DAYS)
    drops, _ = await begun(me, other, stack, "grandhouse", 3, DAYS)
    listening = asyncio.create_task(answer_pings(theirs))
    stack.callback(listening.cancel)
    analysed = "/analysis/crazyhouse?game="
    games = {"offered": offered, "over": over, "rematch": rematch, analysed: analysed + over[1:]}
    return games | {"chess by days": chess, "drops by days": drops}


async def hindrances(page, state):
    """What is wrong with it, by size."""
    found = {}
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await laid_out(page)
        closing = page.locator(f"{state.sheet} > .sheet-close, {state.sheet} > * > .sheet-close")
        is_sheet = state.sheet and (not await closing.count() or await closing.is_visible())
        for fault in await page.evaluate(HINDRANCES, [state.promised, state.sheet if is_sheet else None]):
            found.setdefault(fault, []).append(f"{width}x{height}")
    return found


async def test_what_each_state_promises_is_in_reach_at_every_size(host, seat, off_screen, full):
    await asyncio.to_thread(post_notice, host.settings, NOTICE, 1)
    await host.runner.app[SITE].live.notice.refresh()
    me, other = await off_screen(), await off_screen()
    wrong = {}
    async with AsyncExitStack() as stack:
        games = await furnished(me, other, stack)
        pages = {path: State((), path) for path in PAGES} if full else {}
        for locale in ("es-ES", "en-GB") if full else ("es-ES",):
            person = await seat(locale=locale, has_touch=True)
            await person.context.add_cookies([{"name": "sid", "value": token_of(me), "url": host.site}])
            for name, state in {**STATES, **pages}.items():
                # Begun where nothing is a sheet, so that what is pressed is there.
                await person.page.set_viewport_size({"width": 1440, "height": 900})
                await person.page.goto(host.site + games.get(state.page, state.page))
                await person.page.evaluate("document.fonts.ready")
                if state.pressed:
                    await person.page.click(state.pressed)
                for promised in state.promised:
                    await expect(person.page.locator(promised).first).to_be_visible()
                await expect(person.page.locator(".shielded")).to_have_count(0)
                found = await hindrances(person.page, state)
                wrong.update({f"{name}, {locale}: {fault}": sizes for fault, sizes in found.items()})
            person.problems = [problem for problem in person.problems if "404" not in problem]
    assert wrong == {}
