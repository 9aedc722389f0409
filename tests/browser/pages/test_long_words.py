"""Every page stays whole where there is little room: in Spanish, whose words are longer, on phones, and enlarged."""

import pytest
from playwright.async_api import expect

from tests.support.browser.computer import sits_down
from tests.support.browser.pages import PAGES
from tests.support.browser.screens import laid_out
from tests.support.browser.whole_texts import FOUND
from tests.support.web.people import play

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SCREENS = [(960, 700, 1), (360, 740, 1), (320, 256, 1), (1280, 900, 2)]
"""Their sizes, and how many times as large as usual people want text: a narrow window and a phone; 1280 px enlarged
four times, with no scrolling sideways (WCAG 1.4.10); and letters twice as large (1.4.4)."""
SIZES = [(360, 740, 1), (360, 640, 1), (820, 1180, 1), (1440, 900, 1)]
USUAL_PX = 16
MORE = ["/rules/seirawan", "/analysis/grandhouse", "/analysis/acedrex", "/forgotten", "/account", "/@/Ana"]
UNFOLD = "document.querySelectorAll('main details').forEach(each => { each.open = true; })"
DAYS = {"kind": "correspondence", "days": 3}


async def looks(person, screens):
    """What is wrong with the page as it is now, on each screen."""
    browser = await person.context.new_cdp_session(person.page)
    found = []
    for width, height, times in screens:
        sizes = {"standard": USUAL_PX * times, "fixed": USUAL_PX * times}
        await browser.send("Page.setFontSizes", {"fontSizes": sizes})
        await person.page.set_viewport_size({"width": width, "height": height})
        await laid_out(person.page)
        found += [f"{width}x{height}, {times}: {one}" for one in await person.page.evaluate(FOUND)]
    await browser.detach()
    return found


async def faults(person, path, screens):
    """Of the page with all unfolded, unless it is a board's, whose folds lie over it; and at its other tabs, on four of
    the screens."""
    if await person.page.locator("#round").count() == 0:
        await person.page.evaluate(UNFOLD)
    found = await looks(person, screens)
    tabs = await person.page.locator("[role=tab]:visible").all()
    others = [tab for tab in tabs if await tab.get_attribute("aria-selected") == "false"]
    for tab in others:
        if await (sheet := person.page.locator("#chat-close")).is_visible():
            await sheet.click()
        await tab.click()
        found += await looks(person, screens[:4])
    return [f"{path}: {one}" for one in dict.fromkeys(found)]


async def walked(person, paths, screens=SCREENS):
    found = []
    for path in paths:
        await person.page.goto(f"{person.site}{path}")
        await person.page.evaluate("document.fonts.ready")
        found += await faults(person, path, screens)
    return found


async def spaniard(seat):
    """Somebody who is signed in and reads Spanish."""
    person = await seat(locale="es-ES")
    form = {"name": "Ana", "password": "una buena y larga"}
    answer = await person.context.request.post(f"{person.site}/register", form=form, headers={"Origin": person.site})
    assert answer.ok
    return person


async def test_every_page_is_whole(seat):
    person = await spaniard(seat)
    found = await walked(person, PAGES + MORE)
    person.problems = [problem for problem in person.problems if "404" not in problem]
    assert found == []


async def test_every_game_is_whole(seat, off_screen):
    person, friend = await spaniard(seat), await off_screen()
    games = []
    firsts = {"chess": "e2e4", "grandhouse": "e3e5", "acedrex": "e4e5"}
    for variant, move in firsts.items():
        game = await friend.challenge(variant=variant, clock=DAYS)
        await person.post(f"/api/games/{game['id']}/join", {"secret": game["secret"]})
        async with friend.follow(game) as line:
            await play((line,), [move])
        games.append(f"/{game['id']}")
    async with friend.follow({"id": games[0][1:]}) as line:
        await line.command(t="resign")
    await person.page.goto(person.site + games[0])
    await expect(person.page.locator("#result")).not_to_be_empty()
    await person.challenge("capablanca")
    games.append(person.page.url.removeprefix(person.site))
    assert await walked(person, games, [*SCREENS, *SIZES[1:]]) == []


@pytest.mark.parametrize(("variant", "locale"), [("chess", "en-GB"), ("grandhouse", "es-ES")])
async def test_the_controls_of_a_game_against_the_computer_are_whole_from_its_beginning_to_its_end(
    seat, variant, locale
):
    person = await seat(locale=locale)
    await sits_down(person, variant)
    for stage in ("begins", "goes on", "is over"):
        if stage == "goes on":
            await person.write("b3" if variant == "chess" else "e4")
            await person.has(2)
        if stage == "is over":
            await person.resign()
            await expect(person.page.locator("#ending")).to_be_visible()
        assert await faults(person, stage, SIZES) == []
