"""The whole site in another language, and the way there and back, with and without scripts."""

import re

import pytest
from playwright.async_api import expect

from server.language import load_words

pytestmark = pytest.mark.asyncio(loop_scope="session")

SPANISH = load_words()["es"]
ENGLISH = re.compile(
    r"\b(the|your?|is|and|with|game|moves?|white|black|play|flip|draw|send|copy|chat with|loading)\b", re.I
)
"""Words that stand in nearly every English sentence of the site, and in no Spanish one."""

READ = """() => [...document.querySelectorAll('body *')].filter(each => each.checkVisibility()).flatMap(element => [
    ...[...element.childNodes].filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.data.trim()),
    element.getAttribute('aria-label'), element.getAttribute('title'), element.placeholder,
    getComputedStyle(element, '::before').content, getComputedStyle(element, '::after').content,
]).filter(Boolean)"""
"""All that a person sees or hears of the page."""


async def no_english(page):
    said = await page.evaluate(READ)
    assert len(said) > 10
    assert [text for text in said if ENGLISH.search(text)] == []


TOO_WIDE = """() => [...document.querySelectorAll('#controls .control')].filter(each => each.checkVisibility())
    .filter(each => each.querySelector('span').offsetWidth > each.clientWidth).map(each => each.innerText)"""


async def test_the_words_of_the_buttons_fit_in_them_on_a_phone(off_screen, seat):
    friend, player = await off_screen(), await seat(locale="en", viewport={"width": 360, "height": 740})
    game = await friend.challenge()
    await player.open(f"{player.site}/{game['id']}#{game['secret']}")
    await player.join()
    async with friend.follow(game) as white:
        await white.move(0, "e2e4")
        await player.sees("e4")
        await player.write("e5")
        for language, name in (("en", "English"), ("es", "Español")):
            await player.look_at("rules")
            async with player.page.expect_navigation():
                await player.page.get_by_role("button", name=name).click()
            await expect(player.page.locator("html")).to_have_attribute("lang", language)
            await expect(player.page.locator("#adjourn")).not_to_have_attribute("hidden", "")
            await expect(player.page.locator("#controls .control:visible")).to_have_count(7)
            assert await player.page.evaluate(TOO_WIDE) == [], language


async def test_a_first_move_and_a_whole_short_game_without_a_word_of_english(seat):
    anna, bert = await seat(locale="es-ES"), await seat(locale="es-MX")
    await anna.page.goto(anna.site)
    await expect(anna.page.locator("html")).to_have_attribute("lang", "es")
    await no_english(anna.page)
    link = await anna.challenge("seirawan")
    await no_english(anna.page)
    await anna.click("e2", "e4")
    await anna.sees("e4")
    await bert.open(link)
    await no_english(bert.page)
    await bert.join()
    await bert.write("e7e8")
    await expect(bert.page.locator("#move-problem")).to_have_text("e7e8 no es legal aquí.")
    await bert.write("e5")
    await anna.sees("e4", "e5")
    await expect(anna.page.locator("#text-board")).to_contain_text("caballo de las blancas")
    await expect(anna.page.locator("#live")).to_contain_text("negras: e 5")
    await anna.point_out("b1c3")
    await expect(anna.page.get_by_role("menu", name="¿Qué pieza entra en b1?")).to_be_visible()
    await anna.choose("halcón")
    await anna.sees("e4", "e5", "Nc3/H")
    await bert.offer_draw()
    await expect(anna.page.locator("#offers")).to_contain_text("Tu rival ofrece tablas.")
    await no_english(anna.page)
    await anna.page.click("#offers button:has-text('Aceptar')")
    for person in (anna, bert):
        await expect(person.page.locator("#result")).to_have_text("½-½. Tablas de común acuerdo.")
        await no_english(person.page)


async def test_why_the_server_refused_a_move_is_read_and_heard_in_spanish(seat):
    """The board would not let one play it, so the line says another move than was made."""
    anna = await seat(locale="es-ES")

    def connect(line):
        server = line.connect_to_server()
        line.on_message(lambda said: server.send(said.replace('"e2e4"', '"e2e5"')))

    await anna.page.route_web_socket("**/ws?game=*", connect)
    await anna.challenge("chess")
    await anna.click("e2", "e4")
    for place in ("#status", "#live"):
        await expect(anna.page.locator(place)).to_contain_text("e2e5 no es legal aquí")
    await no_english(anna.page)


async def test_the_choice_of_a_language_brings_an_invited_friend_back_to_their_seat(off_screen, seat):
    anna, bert = await off_screen(), await seat()
    game = await anna.challenge()
    await bert.open(f"{bert.site}/{game['id']}#{game['secret']}")
    await expect(bert.page.locator("#join-game")).to_have_text("Play")
    await bert.page.get_by_role("button", name="Español").click()
    await expect(bert.page.locator("#join-game")).to_have_text("Jugar")
    await bert.join()
    await bert.page.get_by_role("button", name="English").click()
    await expect(bert.page.locator("html")).to_have_attribute("lang", "en")
    async with anna.follow(game) as white:
        await white.move(0, "e2e4")
        await bert.sees("e4")


async def test_without_scripts_a_language_is_chosen_too_and_kept_on_all_pages(seat):
    reader = await seat(java_script_enabled=False)
    await reader.page.goto(f"{reader.site}/games?variant=chess&result=won&player=Ana")
    await reader.page.get_by_role("button", name="Español").click()
    await expect(reader.page).to_have_url(f"{reader.site}/games?variant=chess&result=won&player=Ana")
    await expect(reader.page.locator("h1")).to_have_text(str(SPANISH.t("nav.games")))
    for path in ("/", "/rules/acedrex", "/sign-in"):
        await reader.page.goto(reader.site + path)
        await expect(reader.page.locator("html")).to_have_attribute("lang", "es")
    await expect(reader.page.get_by_role("button", name="Español")).to_have_attribute("aria-current", "true")
