"""Each setting takes effect on a real board, at once, in every open tab, and on the first picture of the next page."""

import pytest
from playwright.async_api import expect

from tests.support.browser.layout_shifts import SCREENS, late_scripts, shifts

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

COLOURS = "() => getComputedStyle(document.querySelector('.board, cg-board')).backgroundImage"
PICTURE = "() => getComputedStyle(document.querySelector('piece.k-piece.white')).backgroundImage"
STYLE = "(each, name) => getComputedStyle(each)[name]"
KEPT = "Kept in this browser"


async def settings(person, path="/settings"):
    """Another tab of the same browser."""
    tab = await person.context.new_page()
    tab.on("pageerror", lambda error: person.problems.append(str(error)))
    await tab.goto(f"{person.site}{path}")
    return tab


async def pick(tab, name, value):
    async with tab.expect_response(lambda answer: answer.url.endswith("/settings")) as sent:
        await tab.locator(f"[name={name}][value='{value}']").check(force=True)
    assert (await sent.value).status == 204


async def switch(tab, name):
    async with tab.expect_response(lambda answer: answer.url.endswith("/settings")) as sent:
        await tab.locator(f".toggle[name={name}]").click()
    assert (await sent.value).status == 204


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
            await person.page.wait_for_function(f"before => ({seen})() !== before", arg=looks.get("last", ""))
            looks["last"] = looks[value] = await person.page.evaluate(seen)
            assert await tab.evaluate(seen) == looks[value]
            await person.page.reload()
            await expect(person.page.locator("cg-board")).to_be_visible()
            assert await person.page.evaluate(seen) == looks.pop("last"), value
            looks["last"] = looks[value]
        del looks["last"]
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


async def test_what_a_guest_chose_comes_along_into_the_account_and_from_there_to_another_browser(seat):
    anna, elsewhere = await seat(), await seat()
    await anna.page.goto(f"{anna.site}/settings")
    await expect(anna.page.locator("#kept")).to_have_text(KEPT)
    await pick(anna.page, "board", "slate")
    await anna.page.goto(f"{anna.site}/register")
    for person, path in ((anna, "/register"), (elsewhere, "/sign-in")):
        await person.page.goto(f"{person.site}{path}")
        await person.page.fill("#name", "Anna")
        await person.page.fill("#password", "a good long one")
        await person.page.locator("main form button.primary").click()
        await expect(person.page.locator(".nav-account")).to_contain_text("Anna")
        await expect(person.page.locator("html")).to_have_attribute("data-board", "slate")
    await elsewhere.page.goto(f"{anna.site}/settings")
    await expect(elsewhere.page.locator("#kept")).to_have_text("Kept in your account")
    await expect(elsewhere.page.locator("[name=board][value=slate]")).to_be_checked()


async def test_what_an_earlier_release_kept_in_the_browser_is_not_lost(seat):
    person = await seat()
    await person.page.goto(f"{person.site}/health")
    looks = '{"board": "slate", "coordinates": "off", "pieces": "gone"}'
    await person.page.evaluate(
        "looks => { localStorage.setItem('looks', looks); localStorage.setItem('sound', 'off'); }", looks
    )
    await person.page.goto(f"{person.site}/rules")
    await person.page.wait_for_function("() => !localStorage.getItem('looks') && !localStorage.getItem('sound')")
    await person.page.goto(f"{person.site}/settings")
    for box in ("[name=board][value=slate]", "[name=coordinates][value=off]"):
        await expect(person.page.locator(box)).to_be_checked()
    await expect(person.page.locator(".toggle[name=sound]")).not_to_be_checked()
    person.problems.clear()  # what no longer exists was refused


async def test_without_scripts_the_page_is_a_form_and_its_choices_hold(seat):
    reader = await seat(java_script_enabled=False)
    page = reader.page
    await page.goto(f"{reader.site}/settings")
    await page.locator("[name=board][value=walnut]").check(force=True)
    await page.locator(".toggle[name=sound_chat]").uncheck()
    await page.locator("[name=contrast][value=more]").check(force=True)
    await page.locator(".without-script button").click()
    await expect(page.locator("#kept")).to_have_text("Saved")
    for name, value in (("board", "walnut"), ("sound_chat", "off"), ("contrast", "more")):
        await expect(page.locator("html")).to_have_attribute(f"data-{name}", value)
    await expect(page.locator(".toggle[name=sound_chat]")).not_to_be_checked()
    await expect(page.locator(".toggle[name=sound_move]")).to_be_checked()


async def test_a_choice_that_could_not_be_kept_says_so_and_is_sent_with_the_next(seat):
    person = await seat()
    page = person.page
    await page.goto(f"{person.site}/settings")
    await page.route("**/settings", lambda route: route.abort())
    await page.locator("[name=board][value=slate]").check(force=True)
    await expect(page.locator("#kept")).to_contain_text("Not saved yet")
    await page.unroute("**/settings")
    await pick(page, "contrast", "more")
    await expect(page.locator("#kept")).to_have_text(KEPT)
    await page.goto(f"{person.site}/rules")
    await expect(page.locator("html")).to_have_attribute("data-board", "slate")
    person.problems.clear()  # the line that the test has cut


async def test_nothing_moves_while_the_settings_load(seat):
    person = await seat()
    await late_scripts(person.page)
    moved = {}
    for width, height in SCREENS:
        await person.page.set_viewport_size({"width": width, "height": height})
        if found := await shifts(person, "/settings", "#preview cg-board"):
            moved[width] = found
    assert moved == {}


async def test_the_board_of_a_game_is_as_large_as_chosen_at_once_and_nothing_moves_while_it_loads(seat):
    person = await seat(viewport={"width": 1440, "height": 900})
    await person.challenge("chess")
    game = person.page.url.removeprefix(person.site)
    tab = await settings(person)
    widths = []
    for size in ("100", "75", "50"):
        if size != "100":
            await tab.locator("[name=size]").fill(size)
            await expect(person.page.locator("html")).to_have_attribute("data-size", size)
        widths.append((await person.page.locator("#board cg-board").bounding_box())["width"])
    assert [round(width / widths[0], 1) for width in widths] == [1, 0.7, 0.5], widths
    await late_scripts(person.page)
    moved = {}
    for width, height in SCREENS:
        await person.page.set_viewport_size({"width": width, "height": height})
        if found := await shifts(person, game, "#invite"):
            moved[width] = found
    assert moved == {}
    await person.click("e2", "e4")
    await person.sees("e4")


async def test_zen_leaves_the_board_the_clocks_and_the_moves(pair):
    white, black = await pair("chess")
    await white.write("e4")
    await black.sees("e4")
    page = black.page
    place = await page.locator("#board").bounding_box()
    gone = [page.locator(part) for part in (".site-nav", "#tabs", ".seat-top .seat-name", ".terms")]
    for each in gone:
        await expect(each).to_be_visible()
    await page.locator("#tab-chat").click()
    await page.locator("#tab-chat").evaluate("each => each.blur()")
    await page.keyboard.press("z")
    await expect(page.locator("html")).to_have_attribute("data-zen", "on")
    for each in gone:
        await expect(each).to_be_hidden()
    for part in ("#board cg-board", "#clock-top", "#clock-bottom", "#move-list", "#settings-link", "#abort"):
        await expect(page.locator(part)).to_be_visible()
    assert await page.locator("#board").bounding_box() == place, "nothing has moved"
    await page.reload()
    await expect(page.locator("#move-list")).to_contain_text("e4")
    for each in gone:
        await expect(each).to_be_hidden()
    await page.locator("#more summary").click()
    await expect(page.locator("#zen")).to_have_attribute("aria-pressed", "true")
    await page.locator("#zen").click()
    for each in gone:
        await expect(each).to_be_visible()
    assert white.problems == []


async def test_a_mouse_makes_the_board_smaller_by_its_corner_and_it_stays_so(seat):
    person = await seat(viewport={"width": 1440, "height": 900})
    await person.challenge("chess")
    page = person.page
    board = page.locator("#board cg-board")
    before = await board.bounding_box()
    handle = await page.locator(".size-handle").bounding_box()
    x, y = handle["x"] + 16, handle["y"] + 16
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x - 0.3 * before["width"], y)
    await expect(page.locator("html")).to_have_attribute("data-size", "70")
    async with page.expect_response(lambda answer: answer.url.endswith("/settings")):
        await page.mouse.up()
    await page.mouse.move(x, y)
    await expect(page.locator("html")).to_have_attribute("data-size", "70")
    after = await board.bounding_box()
    assert abs(after["width"] / before["width"] - 0.7) < 0.02
    assert (after["x"], after["y"]) == (before["x"], before["y"])
    await person.click("e2", "e4")
    await person.sees("e4")
    pawn = await page.evaluate(
        "() => [...document.querySelectorAll('#board piece.p-piece.white')].map(each => each.getBoundingClientRect().y)"
    )
    assert min(pawn) == pytest.approx(after["y"] + after["height"] / 2, abs=3), (
        "the pieces stand on the smaller squares"
    )
    await page.reload()
    await expect(board).to_be_visible()
    assert await board.bounding_box() == after


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
