"""What comes up beside a running game finds room on a phone: nothing is cut off, and nothing lies over a control."""

import json
import re

import pytest
from playwright.async_api import expect

from tests.support.browser.player import all_see
from tests.support.browser.screens import PHONE, areas, laid_out

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LANGUAGES = pytest.mark.parametrize("locale", ["en-GB", "es-ES"])
SENTENCE = 130
"""The narrowest column, px, in which a sentence is still read as one."""

NARROW = """(all, least) => all
    .filter(each => each.getBoundingClientRect().width < least)
    .map(each => each.textContent)"""

CUT_OFF = """([selector, width]) => [...document.querySelectorAll(selector)]
    .filter(each => each.checkVisibility())
    .filter(each => {
        const { left, right } = each.getBoundingClientRect();
        if (left < 0 || right > width) return true;
        return each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1;
    })
    .map(each => each.textContent)"""
"""The texts of those elements that are not whole on a screen of that width."""


class Phone:
    """Somebody with Black in a game on a phone, and the line that tells them where the other is."""

    def __init__(self, player):
        self.player = player
        self.page = player.page
        self.lines = []
        self.told = False

    async def sit_down(self, friend, variant):
        await self.page.route_web_socket("**/ws", self._connect)
        await self.player.open(await friend.challenge(variant))
        await self.player.join()
        await expect(friend.page.locator("#invite")).to_be_hidden()

    def _connect(self, line):
        line.connect_to_server().on_message(lambda news: self._pass_on(line, news))
        self.lines.append(line)

    def _pass_on(self, line, news):
        if not (self.told and json.loads(news)["t"] == "crowd"):
            line.send(news)

    def opponent(self, here, **more):
        """From now on this is where they are, whatever the server knows."""
        self.told = True
        crowd = {"t": "crowd", "white": {"here": here, **more}, "black": {"here": "here"}, "watchers": 0}
        self.lines[-1].send(json.dumps(crowd))

    async def is_whole(self, selector):
        width = PHONE["viewport"]["width"]
        await laid_out(self.page)
        assert await self.page.evaluate("document.documentElement.scrollWidth") == width
        assert await self.page.evaluate(CUT_OFF, [selector, width]) == []

    async def reads(self, words):
        """The newest notice has these words, and all there is of it is in sight."""
        await expect(self.page.locator("#offers")).to_contain_text(words)
        await self.is_whole(".notices, .notices *")
        assert await self.page.locator(".offer p").evaluate_all(NARROW, SENTENCE) == []

    async def answers(self):
        """Presses the last button of the notice: to decline, to withdraw."""
        await self.page.locator("#offers button").last.click()
        await expect(self.page.locator("#offers")).to_be_empty()


async def press(page, button):
    """Offers by a control; two of them ask whether it is meant."""
    await page.click(button)
    if button in ("#draw", "#resign"):
        await page.click(button)


@pytest.fixture
def phone(seat):
    async def take(variant, **settings):
        friend, phone = await seat(), Phone(await seat(**PHONE, **settings))
        await phone.sit_down(friend, variant)
        return friend, phone

    return take


async def begin(friend, phone, *sans):
    for ply, san in enumerate(sans):
        await (phone.player, friend)[ply % 2 == 0].write(san)
        await all_see((friend, phone.player), *sans[: ply + 1])


@LANGUAGES
async def test_every_notice_is_whole_on_a_phone(phone, locale):
    friend, black = await phone("chess", locale=locale)
    say = {"en-GB": 0, "es-ES": 1}[locale]
    await begin(friend, black, "e4", "e5")
    for kind, words in (
        ("draw", ("offers a draw", "ofrece tablas")),
        ("takeback", ("asks for a takeback", "deshacer")),
        ("adjourn", ("adjourn the game", "aplazar")),
    ):
        await press(friend.page, f"#{kind}")
        await black.reads(words[say])
        await black.answers()
    for kind, words in (
        ("draw", ("You have offered a draw", "Has ofrecido")),
        ("takeback", ("You have asked for a takeback", "Has pedido")),
        ("adjourn", ("You have asked to adjourn", "Has pedido")),
    ):
        await press(black.page, f"#{kind}")
        await black.reads(words[say])
        await black.answers()
    black.opponent("left", since=2000, claim_in=60_000)
    await black.reads(("You may claim in", "reclamar en")[say])
    black.opponent("left", since=10_000, claim_in=0)
    await black.reads(("You may claim the win", "Puedes reclamar")[say])
    await expect(black.page.locator("#offers button")).to_have_count(2)
    black.opponent("here")
    await expect(black.page.locator("#offers")).to_be_empty()
    await press(friend.page, "#adjourn")
    await black.reads(("adjourn the game", "aplazar")[say])
    await black.page.locator("#offers button").first.click()
    await black.reads(("The clocks stand still", "Los relojes")[say])
    await press(black.page, "#resign")
    await press(friend.page, "#rematch")
    await black.reads(("offers a rematch", "revancha")[say])
    await black.answers()
    await press(black.page, "#rematch")
    await black.reads(("You have offered a rematch", "revancha")[say])


@LANGUAGES
async def test_where_the_opponent_is_can_be_read_beside_the_time_to_begin(phone, locale):
    _, black = await phone("chess", locale=locale)
    presence = black.page.locator("#seat-top .seat-presence")
    time = ("first move within", "primera jugada en")[locale == "es-ES"]
    for here, said in (
        ("left", (r"left \d+ s ago", r"se fue hace \d+ s")),
        ("lost", (r"lost \d+ s ago", r"desde hace \d+ s")),
    ):
        black.opponent(here, since=12_000)
        await expect(presence).to_contain_text(re.compile(said[locale == "es-ES"]))
        await expect(presence).to_contain_text(time)
        await black.is_whole(".seat-name, .seat-presence")
        (seat,), (words,) = await areas(black.page, "#seat-top"), await areas(black.page, "#seat-top .seat-presence")
        assert seat[1] <= words[1] <= words[3] <= seat[3], (seat, words)


@LANGUAGES
async def test_a_player_whose_opponent_leaves_before_the_game_begins_can_abort_it(phone, locale):
    _, black = await phone("chess", locale=locale)
    await expect(black.page.locator("#offers")).to_be_empty()
    black.opponent("left", since=2000)
    await black.reads(("left before the game began", "se fue antes de que empezara")[locale == "es-ES"])
    await black.page.locator("#offers button").click()
    await expect(black.page.locator("#result")).not_to_be_empty()
    await expect(black.page.locator("#offers")).not_to_contain_text(("began", "antes de")[locale == "es-ES"])


COVERED = """() => {
    const over = document.getElementById('chat-alert').getBoundingClientRect();
    const controls = '#board, .pocket, .site-head :is(a, button), .panel :is(button:not(#chat-alert), a, input)';
    return [...document.querySelectorAll(controls)].filter(each => each.checkVisibility()).filter(each => {
        const { left, top, right, bottom } = each.getBoundingClientRect();
        return left < over.right && over.left < right && top < over.bottom && over.top < bottom;
    }).map(each => each.id || each.textContent);
}"""
"""What there is to press where the news of the chat lies."""


@pytest.mark.parametrize("variant", ["chess", "grandhouse", "acedrex"])
async def test_a_line_of_chat_that_is_out_of_sight_covers_no_control(phone, variant):
    friend, black = await phone(variant)
    for notice in (False, True):
        if notice:
            black.opponent("left", since=2000, claim_in=60_000)
            await expect(black.page.locator("#offers")).not_to_be_empty()
        await friend.page.fill("#chat-text", "Good luck, and a game that both of us will like to remember for long")
        await friend.page.press("#chat-text", "Enter")
        alert = black.page.locator("#chat-alert")
        await expect(alert).to_be_visible()
        await expect(alert).to_be_in_viewport(ratio=1)
        await black.is_whole(".notices, #chat-alert")
        assert await black.page.evaluate(COVERED) == []


@LANGUAGES
async def test_the_header_and_the_way_out_of_the_appearance_dialog_are_whole(seat, locale):
    phone = Phone(await seat(**PHONE, locale=locale))
    await phone.player.challenge("acedrex", clock={"kind": "realtime", "initial": 10_800, "increment": 180})
    await expect(phone.page.locator(".terms")).to_contain_text("180+180")
    await phone.is_whole(".site-title h1 a, .terms")
    await phone.page.click("#appearance-button")
    await expect(phone.page.locator("#appearance form > .button")).to_be_in_viewport(ratio=1)


async def test_a_finger_is_not_told_to_rest_a_pointer(seat):
    phone = await seat(**PHONE)
    await phone.challenge("chess")
    for words, shown in ((".for-mouse", "none"), (".for-touch", "inline")):
        style = "each => getComputedStyle(each).display"
        assert await phone.page.locator(words).first.evaluate(style) == shown


async def edges(page, selector):
    await laid_out(page)
    box = await page.locator(selector).first.bounding_box()
    return round(box["x"]), round(box["x"] + box["width"])


@pytest.mark.parametrize("variant", ["grandhouse", "seirawan"])
async def test_on_tv_a_board_is_as_wide_as_its_pocket(seat, pair, variant):
    white, black = await pair(variant)
    first, second = ("e5", "e6") if variant == "grandhouse" else ("e4", "e5")
    await white.write(first)
    await all_see((white, black), first)
    await black.write(second)
    await all_see((white, black), first, second)
    watcher = await seat(**PHONE)
    await watcher.page.goto(f"{watcher.site}/watch")
    await expect(watcher.page.locator(".tv-pocket")).to_have_count(2)
    board, pocket = [await edges(watcher.page, one) for one in (".tv-game .small-board", ".tv-pocket")]
    assert max(abs(one - other) for one, other in zip(board, pocket, strict=True)) <= 1, (board, pocket)


async def test_on_a_tablet_the_front_page_has_board_and_words_at_one_edge(visitor):
    somebody = await visitor(viewport={"width": 820, "height": 1180})
    (left, _), (words, _) = (
        await edges(somebody.page, ".stage-boards cg-board >> visible=true"),
        await edges(somebody.page, ".caption h2"),
    )
    assert abs(left - words) <= 4, "a board is as wide as whole pixels for each square allow"
