"""Pages with nothing to show: what is so, and one way on."""

import re

import pytest

from server.web import middlewares
from server.web.languages import LANGUAGES as SPOKEN
from server.web.rendering.problems import Problem, too_many

LANGUAGES = ("en", "es")


async def page(person, path, language="en"):
    async with person.http.get(path, headers={"Accept-Language": language}) as answer:
        return answer.status, await answer.text()


def primary(text):
    """Where the filled buttons of the page lead."""
    main = text.partition("<main")[2].partition("</main>")[0]
    return re.findall(r'<a class="button primary" href="([^"]*)"', main)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/nothing-here", "/0123456789", "/@/nobody", "/watch/nonesuch"])
async def test_a_wrong_address_leads_to_the_choice_of_a_game(anna, path, language):
    status, text = await page(anna, path, language)
    assert status == 404
    assert f'<p class="lost-status">{status}</p>' in text
    assert text.count("<h1>") == 1
    assert primary(text) == ["/"]


@pytest.mark.parametrize(
    ("refusal", "status"),
    [(too_many(7), 429), (Problem(503, "storage"), 503), (Problem(500, "internal", number=5), 500)],
)
async def test_what_passes_leads_back_to_the_same_page(anna, server, monkeypatch, refusal, status):
    monkeypatch.setattr(middlewares, "from_http", lambda error: refusal)
    for path in ("/not/there?one=1", "/nor/this"):
        found, text = await page(anna, path)
        assert found == status
        assert primary(text) == [path]


@pytest.mark.parametrize(("path", "way"), [("/games/mine", "/"), ("/players", "/#lobby"), ("/online", "/#lobby")])
async def test_an_empty_list_says_so_and_leads_on(anna, path, way):
    status, text = await page(anna, path)
    assert status == 200
    assert text.count('class="card empty"') == 1
    assert primary(text) == [way]


@pytest.mark.parametrize(("query", "way"), [("", "/"), ("?player=nobody", "/games"), ("?variant=chess", "/games")])
async def test_an_empty_archive_says_whether_fewer_conditions_would_help(anna, query, way):
    _, text = await page(anna, f"/games{query}")
    found = text.partition('class="card empty"')[2]
    assert re.search(r'<a class="button" href="([^"]*)"', found)[1] == way


@pytest.mark.parametrize(("language", "day"), [("en", "29 February 2020"), ("es", "29 de febrero de 2020")])
async def test_days_are_written_in_words(server, language, day):
    assert server.app[SPOKEN][language].full_date("2020-02-29") == day
