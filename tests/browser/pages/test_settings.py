"""Each setting takes effect on a real board, at once, in every open tab, and on the first picture of the next page."""

import pytest
from playwright.async_api import expect

from tests.support.browser.layout_shifts import SCREENS, late_scripts, shifts
from tests.support.browser.settings import STYLE, pick, settings, switch

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

COLOURS = "() => getComputedStyle(document.querySelector('.board, cg-board')).backgroundImage"
PICTURE = "() => getComputedStyle(document.querySelector('piece.k-piece.white')).backgroundImage"

STYLED = "() => [...document.querySelectorAll('link[rel=stylesheet]')].every(link => link.sheet)"
"""A set of pieces comes with a style sheet of its own, until which the first set is shown."""


async def names_of(tab, name):
    return await tab.locator(f"[name={name}]").evaluate_all("all => all.map(each => each.value)")


async def test_each_board_and_each_set_is_another_at_once_also_on_the_board_of_another_tab_and_after_a_reload(seat):
    person = await seat()
    await person.challenge("chess")
    tab = await settings(person)
    for name, seen in (("board", COLOURS), ("pieces", PICTURE)):
        looks = {}
        for value in reversed(await names_of(tab, name)):
            await pick(tab, name, value)
            await expect(person.page.locator("html")).to_have_attribute(f"data-{name}", value)
            for each in (person.page, tab):
                await each.wait_for_function(STYLED)
            await person.page.wait_for_function(f"before => ({seen})() !== before", arg=looks.get("last", ""))
            looks["last"] = looks[value] = await person.page.evaluate(seen)
            assert await tab.evaluate(seen) == looks[value]
        await person.page.reload()
        await expect(person.page.locator("cg-board")).to_be_visible()
        assert await person.page.evaluate(seen) == looks.pop("last"), value
        assert len(set(looks.values())) == len(looks) > 2


async def test_each_picture_of_a_board_and_a_set_shows_that_one_whichever_is_chosen(seat):
    person = await seat()
    await person.page.goto(f"{person.site}/settings")
    pictures = (
        "all => all.map(each => [getComputedStyle(each).backgroundImage, getComputedStyle(each.firstElementChild)"
        ".backgroundImage + each.textContent].join())"
    )
    shown = [
        await person.page.locator(f".swatches-{name} .preview").evaluate_all(pictures) for name in ("board", "pieces")
    ]
    for each in shown:
        assert len(set(each)) == len(each)
    await pick(person.page, "board", "slate")
    await expect(person.page.locator("html")).to_have_attribute("data-board", "slate")
    boards = await person.page.locator(".swatches-board .preview").evaluate_all(pictures)
    assert boards == shown[0]


async def test_coordinates_targets_letters_and_the_glide_of_pieces(seat):
    person = await seat(reduced_motion="no-preference")
    page = person.page
    await page.goto(f"{person.site}/settings")
    coordinates = page.locator("#preview coords.side")
    board = page.locator("#preview cg-board")
    await expect(coordinates).to_be_visible()
    await pick(page, "coordinates", "beside")
    edge = await board.bounding_box()
    assert (await coordinates.bounding_box())["x"] < edge["x"] - 5
    await pick(page, "coordinates", "off")
    await expect(coordinates).to_be_hidden()

    king = page.locator("#preview piece.k-piece.white")
    plain = await king.evaluate(STYLE, "backgroundImage")
    await switch(page, "letters")
    assert await king.evaluate(STYLE, "backgroundImage") != plain

    await press_pawn(page)
    await expect(page.locator("#preview square.move-dest")).to_have_count(2)
    await switch(page, "targets")
    await expect(page.locator("#preview square.move-dest")).to_have_count(0)


async def press_pawn(page):
    """Picks up the pawn that stands furthest to the left."""
    box = await page.locator("#preview cg-board").bounding_box()
    ranks = int(await page.locator("#preview").get_attribute("data-ranks"))
    square = box["height"] / ranks
    await page.mouse.click(box["x"] + square / 2, box["y"] + box["height"] - 1.5 * square)


@pytest.mark.parametrize("glides", [True, False])
async def test_pieces_glide_unless_somebody_wants_them_not_to(seat, glides):
    person = await seat(reduced_motion="no-preference")
    await person.page.goto(f"{person.site}/settings")
    await pick(person.page, "animation", "slow" if glides else "off")
    await person.page.evaluate(
        """() => {
            globalThis.glided = false;
            const look = () => (globalThis.glided ||= !!document.querySelector('#preview piece.anim'));
            const board = document.querySelector('#preview cg-board');
            new MutationObserver(look).observe(board, { subtree: true, attributes: true, childList: true });
        }"""
    )
    await press_pawn(person.page)
    await person.page.locator("#preview square.move-dest").first.click()
    await expect(person.page.locator("#preview square.last-move")).to_have_count(2)
    assert await person.page.evaluate("glided") == glides


async def test_whoever_wants_no_premoves_can_set_none(pair):
    white, black = await pair("chess")
    tab = await settings(black)
    await switch(tab, "premove")
    await expect(black.page.locator("html")).to_have_attribute("data-premove", "off")
    await black.click("e7", "e5")
    await expect(black.page.locator("square.current-premove")).to_have_count(0)
    await switch(tab, "premove")
    await expect(black.page.locator("html")).to_have_attribute("data-premove", "on")
    await black.click("e7", "e5")
    await expect(black.page.locator("square.current-premove")).to_have_count(2)
    assert white.problems == []


async def test_every_mark_is_explained_and_drawn_as_on_a_board(seat):
    person = await seat()
    await person.page.goto(f"{person.site}/settings")
    drawn = """all => all.map(each => {
        const parts = [...each.querySelectorAll('square, .overlay i')];
        const look = (part, pseudo) => {
            const { backgroundColor, backgroundImage, outline, clipPath, maskImage } = getComputedStyle(part, pseudo);
            return [backgroundColor, backgroundImage, outline, clipPath, maskImage].join();
        };
        return parts.flatMap(part => [look(part), look(part, '::after')]).join() + each.textContent;
    })"""
    marks = await person.page.locator(".marks li").evaluate_all(drawn)
    assert len(set(marks)) == len(marks) == 8
    for part in await person.page.locator(".marks .one-square").all():
        assert (await part.bounding_box())["width"] == (await part.bounding_box())["height"] > 40


async def test_light_dark_and_contrast(seat):
    person = await seat(color_scheme="light")
    tab = await settings(person)
    body = tab.locator("body")
    light = await body.evaluate(STYLE, "backgroundColor")
    await pick(tab, "theme", "dark")
    dark = await body.evaluate(STYLE, "backgroundColor")
    await pick(tab, "contrast", "more")
    stark = await body.evaluate(STYLE, "backgroundColor")
    assert len({light, dark, stark}) == 3
    await tab.reload()
    assert await body.evaluate(STYLE, "backgroundColor") == stark


async def test_the_language_is_chosen_here_too_and_the_page_speaks_it(seat):
    person = await seat()
    await person.page.goto(f"{person.site}/settings")
    await person.page.locator("input[name=language][value=es]").check(force=True)
    await expect(person.page.locator("html")).to_have_attribute("lang", "es")
    await expect(person.page.locator("input[name=language][value=es]")).to_be_checked()


async def test_nothing_moves_while_the_settings_load(seat):
    person = await seat()
    await late_scripts(person.page)
    moved = {}
    for width, height in SCREENS:
        await person.page.set_viewport_size({"width": width, "height": height})
        if found := await shifts(person, "/settings", "#preview cg-board"):
            moved[width] = found
    assert moved == {}


async def test_with_forced_colors_it_shows_what_is_chosen(seat):
    person = await seat(forced_colors="active")
    await person.page.goto(f"{person.site}/settings")
    for chosen, other in (
        (".swatches label:has(:checked)", ".swatches label:not(:has(:checked))"),
        (".segments :checked + span", ".segments :not(:checked) + span"),
    ):
        outlines = [await person.page.locator(each).first.evaluate(STYLE, "outlineStyle") for each in (chosen, other)]
        assert outlines == ["solid", "none"]
    boards = person.page.locator(".swatches-board .preview")
    looks = await boards.evaluate_all("all => all.map(each => getComputedStyle(each).backgroundImage)")
    assert len(set(looks)) == len(looks)
