"""Pages served from memory: the same for everybody, rendered once, and never with what is another's on them."""

import asyncio
import gzip
from types import SimpleNamespace

import aiohttp_jinja2
import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from markupsafe import Markup

from server.games.clocks.time_control import DAY_MS
from server.games.site_settings import SiteSettings
from server.web.rendering import answers
from server.web.rendering.answers import TEMPLATE_CONTEXT
from server.web.rendering.page_cache import (
    BESIDE_BODY,
    HERE,
    NAME,
    PAGE_CACHE,
    CachedPage,
    Look,
    PageCache,
    cached_problem,
)
from server.web.rules_pages import rules_pages
from server.web.site import SITE
from tests.support.web.accounts import register

USUAL = Look(Markup(""), Markup(""))
PAGES = (
    "/",
    "/rules",
    "/rules.txt",
    "/rules/grand",
    "/rules/grand.txt",
    "/analysis",
    "/analysis/grandhouse",
    "/watch",
    "/watch/chess",
    "/protocol",
    "/offline",
    "/app.webmanifest",
    "/api/variants/grand",
    "/api/protocol",
)


@pytest.fixture
def rendered(monkeypatch):
    """The templates that are rendered from now on."""
    names, large, small = [], answers.filling, aiohttp_jinja2.render_template
    monkeypatch.setattr(answers, "filling", lambda found, seen: names.append(found.name) or large(found, seen))
    monkeypatch.setattr(aiohttp_jinja2, "render_template", lambda name, *rest: names.append(name) or small(name, *rest))
    return names


async def read(person, path, **headers):
    async with person.http.get(path, headers=headers, allow_redirects=False) as answer:
        return answer.status, await answer.text(), answer.headers


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_is_rendered_once_for_all_strangers(anna, ben, rendered, path):
    _, first, _ = await read(anna, path)
    before = len(rendered)
    for _ in range(3):
        assert (await read(ben, path))[1] == first
    assert len(rendered) == before


async def test_a_page_is_rendered_once_for_simultaneous_first_requests(anna, rendered, monkeypatch):
    composed, real = [], rules_pages.rules_page
    monkeypatch.setattr(rules_pages, "rules_page", lambda context: (composed.append(1), real(context))[1])
    answers = await asyncio.gather(*(read(anna, "/rules/grand") for _ in range(10)))
    assert len({text for _, text, _ in answers}) == 1
    assert rendered == ["rules/rules.html"]
    assert len(composed) == 1


@pytest.mark.parametrize("path", [path for path in PAGES if path != "/"])
async def test_a_client_that_has_the_page_gets_304_but_not_for_another_language(anna, path):
    _, _, headers = await read(anna, path)
    status, text, again = await read(anna, path, **{"If-None-Match": headers["ETag"]})
    assert (status, text) == (304, "")
    assert again["ETag"] == headers["ETag"]
    assert "Accept-Encoding" in again["Vary"]
    if not path.startswith("/api/"):
        other = {"Accept-Language": "es", "If-None-Match": headers["ETag"]}
        assert (await read(anna, path, **other))[0] == 200


@pytest.mark.parametrize("path", ["/sw.js", "/rules.txt", "/api/protocol"])
async def test_members_too_get_304_for_what_has_no_name_on_it(anna, path):
    await register(anna, "Anna")
    _, _, headers = await read(anna, path)
    assert (await read(anna, path, **{"If-None-Match": headers["ETag"]}))[:2] == (304, "")


async def test_a_page_comes_uncompressed_to_clients_that_need_it(anna):
    _, text, headers = await read(anna, "/rules/grand", **{"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in headers
    assert text == (await read(anna, "/rules/grand"))[1]


async def test_a_page_about_a_problem_is_compressed_only_for_those_who_accept_that(anna, monkeypatch):
    done, real = [], gzip.compress
    monkeypatch.setattr(gzip, "compress", lambda *given, **more: done.append(1) or real(*given, **more))
    await read(anna, "/rules/unheard-of", **{"Accept-Encoding": "identity"})
    assert done == []
    await read(anna, "/rules/unheard-of")
    assert done == [1]


@pytest.mark.parametrize("path", PAGES)
async def test_no_name_gets_to_another_visitor(anna, ben, carla, path):
    await register(anna, "Anna")
    await register(ben, "Ben")
    for _ in range(2):
        for person, name in ((anna, "Anna"), (ben, "Ben"), (carla, None)):
            _, text, headers = await read(person, path)
            names = {each for each in ("Anna", "Ben") if f"<span>{each}</span>" in text}
            assert names == ({name} if name and "<header" in text else set())
            assert NAME not in text
            assert HERE not in text
            if names:
                assert headers["Cache-Control"] == "no-store"
                assert "ETag" not in headers


async def test_a_guest_gets_the_script_that_notifies_and_a_stranger_does_not(anna, ben):
    await anna.post("/api/guest")
    for _ in range(2):
        assert "/static/notifications" in (await read(anna, "/rules"))[1]
        assert "/static/notifications" not in (await read(ben, "/rules"))[1]


async def test_the_front_page_shows_a_guest_who_goes_back_what_waits_for_them(anna, ben):
    _, text, headers = await read(anna, "/")
    assert headers["Cache-Control"] == "no-store"
    game = await anna.challenge()
    assert f'href="/{game["id"]}"' in (await read(anna, "/"))[1]
    assert (await read(ben, "/"))[1] == text


async def test_what_caches_on_the_way_may_keep_carries_no_cookie(anna, ben, server):
    site = server.app[SITE]
    await ben.join(await anna.challenge())
    tomorrow = site.now() + 2 * DAY_MS
    object.__setattr__(site.sessions, "now", lambda: tomorrow)
    _, _, headers = await read(anna, "/api/variants/grand")
    assert headers["Cache-Control"].startswith("public")
    assert "Set-Cookie" not in headers
    # Of who has a seat the session is looked up for a file too, when the address may ask for no more.
    site.limits.files.whole["127.0.0.1"] = site.now() + site.limits.files.period_ms + 3_600_000
    site.seats.known.clear()
    status, _, headers = await read(ben, site.assets.url("notifications.js"))
    assert status == 200
    assert headers["Cache-Control"].startswith("public")
    assert "Set-Cookie" not in headers


async def test_an_unknown_query_makes_no_further_page(anna, server):
    await read(anna, "/rules")
    for number in range(5):
        assert (await read(anna, f"/rules?utm_source={number}"))[0] == 200
    assert len(server.app[PAGE_CACHE].pages) == 1


async def test_a_position_in_the_address_is_on_the_card_of_the_analysis_board(anna):
    await read(anna, "/analysis/chess")
    _, text, _ = await read(anna, "/analysis/chess?fen=8%2F8%2F8%2F8%2F8%2F8%2F8%2FK1k5+w+-+-+0+1")
    assert "card.png?fen=8%2F8" in text


async def test_a_page_about_a_problem_is_rendered_once_and_leads_back_to_where_it_was(anna, server, rendered):
    for number in range(5):
        status, text, _ = await read(anna, f"/nothing/{number}")
        assert status == 404
        assert f'value="/nothing/{number}"' in text
    assert rendered == ["error.html"]
    assert len(server.app[PAGE_CACHE].pages) == 1


@pytest.mark.parametrize("path", ["/rules/nothing", "/watch/nothing", "/analysis/nothing"])
async def test_a_cached_page_about_a_missing_address_shows_each_visitor_their_own_name(anna, ben, path):
    await register(anna, "Anna")
    await register(ben, "Ben")
    for person, name in ((anna, "Anna"), (ben, "Ben")):
        status, text, _ = await read(person, path)
        assert status == 404
        assert f"<span>{name}</span>" in text
        assert NAME not in text


def test_the_visitor_keeps_their_name_where_the_page_about_a_problem_cannot_be_rendered():
    app = web.Application()
    app[PAGE_CACHE] = PageCache()
    request = make_mocked_request("GET", "/", app=app)
    frame = {"language": SimpleNamespace(code="en"), "notice": None, "chosen": SiteSettings()}
    frame |= {"visitor": None, "decided": False, "look": USUAL, "restarts_in": None}
    request[TEMPLATE_CONTEXT] = frame
    with pytest.raises(ZeroDivisionError):
        cached_problem(request, "404", lambda: 1 // 0)
    assert request[TEMPLATE_CONTEXT] is frame


@pytest.mark.parametrize("path", ["/rules/grand", "/analysis/grandhouse", "/protocol", "/nothing-here"])
async def test_a_page_for_those_who_chose_its_look_is_rendered_once_and_has_each_ones_own(anna, ben, rendered, path):
    looks = {anna: "board:slate", ben: "board:walnut|pieces:plain"}
    pages = {}
    for person, look in looks.items():
        async with person.http.get(path, cookies={"prefs": f"1|{look}"}) as answer:
            pages[person] = await answer.text()
            assert "ETag" not in answer.headers, "nobody keeps what may look otherwise the next time"
    assert len(rendered) == 1
    assert ' data-board="slate">' in pages[anna]
    assert ' data-board="walnut" data-pieces="plain">' in pages[ben]
    assert 'data-board="slate"' not in pages[ben]
    assert "pieces-plain" in pages[ben].partition("<script")[0]
    assert "pieces-plain" not in pages[anna].partition("<script")[0]


async def test_what_stands_in_an_address_is_text_on_the_page_about_a_problem(anna):
    _, text, _ = await read(anna, '/nothing/"><script>')
    assert "<script>" not in text.replace("<script type", "")


def test_what_is_kept_is_bounded_and_the_page_used_longest_ago_goes_first():
    pages = PageCache(most=2 * BESIDE_BODY + 100)
    for name in "abc":
        pages.keep((name, "en", "guest"), CachedPage(b"x" * 40, {}, name, marked=False))
        pages.find(("a", "en", "guest"))
    assert [key[0] for key in pages.pages] == ["c", "a"]
    assert pages.size == 2 * BESIDE_BODY + 80
