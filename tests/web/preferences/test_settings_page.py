"""The settings: what is chosen is on the next page from its first tag on, in the account or in the browser."""

import asyncio
import json

import pytest

from server.web.preferences import LETTERS, SOUNDS, USUAL, Preferences, parse_preferences, with_changes
from server.web.site import SITE
from tests.support.web.accounts import go, page_of, register, sign_in, sign_out

EVERYWHERE = ("/settings", "/rules", "/rules.txt", "/nothing-here", "/analysis/chess", "/sign-in")


def first_tag(page):
    return page[: page.index("<head>")]


async def choose(person, **fields):
    """As a script sends it."""
    async with person.http.post("/settings", data=fields, headers={"Accept": "application/json"}) as answer:
        return answer.status


async def stored(server, person):
    """What the account of that person holds."""
    site = server.app[SITE]
    user = (await person.get("/api/me"))["id"]
    session = (await site.store.accounts.sessions(user))[0]
    return (await site.store.session(session.token_hash))[0].preferences


async def test_a_guests_choice_is_in_the_first_tag_of_every_page_of_that_browser_only(anna, ben):
    assert await choose(anna, board="walnut", pieces="plain", size="80") == 204
    for path in EVERYWHERE:
        page = await page_of(anna, path)
        if "<head>" in page:
            assert ' data-board="walnut" data-pieces="plain" data-size="80"' in first_tag(page), path
            assert page.index("pieces-plain") < page.index("<script")
            assert "data-board" not in first_tag(await page_of(ben, path))
    assert await anna.get("/api/me") == {}, "nobody becomes a guest of the site by it"


async def test_what_is_the_default_again_leaves_the_page_as_everybody_gets_it(anna, ben):
    everybodys = await page_of(ben, "/rules/chess")
    await choose(anna, board="walnut")
    await choose(anna, board=USUAL.board)
    assert await page_of(anna, "/rules/chess") == everybodys


async def test_letters_need_no_style_sheet(anna):
    await choose(anna, pieces=LETTERS)
    page = await page_of(anna, "/rules")
    assert f'data-pieces="{LETTERS}"' in first_tag(page)
    assert '<link rel="stylesheet" href="/static/pieces' not in page


@pytest.mark.parametrize("before", [{}, {"zen": "on"}])
async def test_of_many_changes_at_once_none_is_lost(anna, server, before):
    await register(anna, "Anna")
    if before:
        await choose(anna, **before)
    changes = {"board": "walnut", "size": "80", "volume": "50", "sound": "off", "premove": "off", "letters": "on"}
    assert await asyncio.gather(*(choose(anna, **{name: value}) for name, value in changes.items())) == [204] * 6
    assert parse_preferences(await stored(server, anna)) == with_changes(USUAL, before | changes)


async def test_an_account_has_the_choice_in_every_browser_and_the_last_one_counts(anna, ben, server):
    await register(anna, "Anna")
    await choose(anna, board="slate", sound_chat="off")
    await sign_in(ben, "Anna")
    assert ' data-board="slate" data-sound_chat="off"' in first_tag(await page_of(ben, "/rules"))
    await choose(ben, board="walnut")
    assert 'data-board="walnut"' in first_tag(await page_of(anna, "/"))
    assert parse_preferences(await stored(server, anna)) == Preferences(board="walnut", sound_chat="off")
    await sign_out(anna)
    assert 'data-board="slate"' in first_tag(await page_of(anna, "/")), "as this browser knew it last"


async def test_what_a_guest_chose_is_in_their_account_once_they_register(anna, ben, server):
    await choose(anna, board="slate", confirm="always")
    await go(anna, "/language", language="es")
    await register(anna, "Anna")
    assert parse_preferences(await stored(server, anna)) == Preferences(board="slate", confirm="always", language="es")
    await sign_in(ben, "Anna")
    page = await page_of(ben, "/rules")
    assert 'lang="es"' in first_tag(page)
    assert 'data-board="slate"' in first_tag(page)


async def test_who_chose_nothing_brings_nothing_along(anna, server):
    await register(anna, "Anna")
    assert await stored(server, anna) == ""


async def test_the_export_has_what_was_chosen(anna):
    await register(anna, "Anna")
    await choose(anna, zen="on")
    exported = json.loads(await page_of(anna, "/account/export"))
    assert exported["preferences"] == {**USUAL.model_dump(), "zen": "on"}


async def test_without_a_script_the_whole_form_is_sent_and_a_switch_that_is_missing_is_off(anna):
    await choose(anna, letters="on", volume="50")
    fields = {"whole": "yes", "board": "slate", "sound": "on", "sound_move": "on", "volume": "50"}
    assert await go(anna, "/settings", **fields) == "/settings?saved"
    page = await page_of(anna, "/settings?saved")
    tag = first_tag(page)
    assert 'data-board="slate"' in tag
    assert "data-letters" not in tag
    for name in SOUNDS:
        assert (f'data-{name}="off"' in tag) == (name != "sound_move")
    assert ">Saved<" in page


@pytest.mark.parametrize(
    "fields",
    [{"board": "zebra"}, {"pieces": "../../x"}, {"size": "51"}, {"size": "1e9"}, {"bord": "sage"}, {"language": "tlh"}],
)
async def test_what_is_no_choice_is_refused_and_changes_nothing(anna, fields):
    await choose(anna, board="slate")
    assert await choose(anna, **fields) == 400
    assert 'data-board="slate"' in first_tag(await page_of(anna, "/rules"))


async def test_another_site_chooses_nothing(anna):
    async with anna.http.post(
        "/settings", data={"board": "slate"}, headers={"Origin": "https://other.example"}
    ) as answer:
        assert answer.status == 403
    assert "data-board" not in first_tag(await page_of(anna, "/rules"))


@pytest.mark.parametrize("cookie", ['1|board:"><script>alert(1)</script>', "|||", "1|size:0|board:slate", "é" * 50])
async def test_a_strange_cookie_does_no_harm(anna, cookie):
    async with anna.http.get("/rules", headers={"Cookie": f"prefs={cookie.encode().decode('latin-1')}"}) as answer:
        page = await answer.text()
    assert answer.status == 200
    assert "<script>alert" not in page
    assert ("data-board" in first_tag(page)) == ("board:slate" in cookie)


async def test_a_damaged_account_shows_the_usual_look(anna, server):
    await register(anna, "Anna")
    await server.app[SITE].store.accounts.keep_preferences((await anna.get("/api/me"))["id"], "}{|board:|size:9")
    assert "data-" not in first_tag(await page_of(anna, "/rules")).replace("data-member", "")


async def test_the_form_shows_what_is_chosen_and_every_choice_has_a_name(anna):
    await choose(anna, board="slate", premove="off", volume="40")
    page = await page_of(anna, "/settings")
    assert 'name="board" value="slate" checked' in page
    assert 'name="premove" value="on">' in page
    assert 'name="targets" value="on" checked' in page
    assert 'value="40"' in page
