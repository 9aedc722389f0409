"""What is heard in real browsers: each move at both boards, and nothing for whoever turned the sound off."""

import pytest
from playwright.async_api import expect

from tests.support.browser.player import all_see
from tests.support.browser.visitor import Listener

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

# Counts what begins to sound; the browser has no ear to put to it.
LISTEN = """
window.heard = 0;
window.tunes = [];
for (const kind of [AudioBufferSourceNode, OscillatorNode]) {
  const start = kind.prototype.start;
  kind.prototype.start = function (...at) {
    window.heard += 1;
    window.tunes.push(this.frequency ? Math.round(this.frequency.value) : "wood");
    return start.apply(this, at);
  };
}
"""


@pytest.fixture
def ears():
    return True


async def heard(person):
    """How many sounds have begun since the last question."""
    return await person.page.evaluate("() => { const heard = window.heard; window.heard = 0; return heard; }")


async def listening(person):
    """From the next page on, which has been touched once: before that, browsers let nothing sound."""
    await person.page.add_init_script(LISTEN)
    await again(person)


async def again(person):
    await person.page.reload()
    await expect(person.page.locator("cg-board")).to_be_visible()
    await person.look_at("moves")
    await person.page.locator("#move-entry input").click()


async def test_moves_are_heard_and_whoever_turns_the_sound_off_hears_nothing_any_more(pair):
    white, black = await pair("chess")
    for person in (white, black):
        await listening(person)
    await white.click("e2", "e4")
    await all_see((white, black), "e4")
    for person in (white, black):
        await person.page.wait_for_function("() => window.heard > 0")
    await black.open_more()
    sound = black.page.locator("#sound")
    await expect(sound).to_have_attribute("aria-pressed", "true")
    await sound.click()
    await expect(sound).to_have_attribute("aria-pressed", "false")
    await heard(black)
    await black.click("e7", "e5")
    await all_see((white, black), "e4", "e5")
    assert await heard(black) == 0
    await again(black)
    await expect(sound).to_have_attribute("aria-pressed", "false")
    await white.click("g1", "f3")
    await all_see((white, black), "e4", "e5", "Nf3")
    assert await heard(black) == 0, "the choice is kept"
    await black.open_more()
    await sound.click()
    await black.click("b8", "c6")
    await all_see((white, black), "e4", "e5", "Nf3", "Nc6")
    await black.page.wait_for_function("() => window.heard > 0")


async def test_a_player_who_took_a_seat_by_link_hears_of_a_move_on_any_page(seat):
    white, black = await seat(), await seat()
    await black.open(await white.challenge("chess", clock={"kind": "correspondence", "days": 3}))
    await black.join()
    await black.page.add_init_script(LISTEN)
    await Listener(black.page).goes(f"{black.site}/rules", until="your_games")
    await black.page.click("h1")
    await white.write("e4")
    await white.confirm()
    await expect(black.page.locator("#notification")).to_contain_text("your move")
    await black.page.wait_for_function("() => window.heard > 0")


# The last note of what each is heard as (static/js/ui/audio/sound.js).
SOUNDS = {
    "join": 523,
    "start": 784,
    "move": "wood",
    "check": 740,
    "chat": 1175,
    "offer": 880,
    "pairing": 1175,
    "won": 1047,
    "lost": 349,
}


async def hears(person, sound):
    """Returns when that is what began to sound since the last question."""
    await person.page.wait_for_function("note => window.tunes.at(-1) === note", arg=SOUNDS[sound])
    await person.page.evaluate("() => { window.tunes = []; }")


async def test_each_thing_that_happens_in_a_game_is_heard(seat):
    white, black = await seat(), await seat()
    for person in (white, black):
        await person.page.add_init_script(LISTEN)
    link = await white.challenge("chess")
    await white.page.locator("#board").click()
    await black.open(link)
    await hears(white, "join")
    await black.join()
    for person in (white, black):
        await hears(person, "start")
    for mover, move in ((white, "f3"), (black, "e5"), (white, "a3")):
        await mover.write(move)
        for person in (white, black):
            await hears(person, "move")
    await black.write("Qh4+")
    for person in (white, black):
        await hears(person, "check")
    await black.page.click("#tab-chat")
    await black.page.fill("#chat-text", "Check!")
    await black.page.click("#chat-send")
    await hears(white, "chat")
    await black.offer_draw()
    await hears(white, "offer")
    await white._confirm("#resign")
    await hears(white, "lost")
    await hears(black, "won")


async def test_who_waits_for_an_opponent_hears_on_any_page_that_one_was_found(visitor):
    anna, ben = await visitor(), await visitor()
    await anna.page.add_init_script(LISTEN)
    await anna.quick("300+3")
    await anna.waits()
    await anna.goes(f"{anna.site}/rules")
    await anna.page.click("h1")
    await ben.takes("Chess")
    await hears(anna, "pairing")
