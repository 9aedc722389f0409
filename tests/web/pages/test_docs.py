"""The documentation of the release, at /docs of every site."""

import re
from html import unescape

import pytest

from server.web.assets import find_assets
from server.web.pages.docs import address_of, find_docs
from server.web.rendering.markdown import make_document
from tests.support.web.accounts import page_of

ADDRESSES = [address_of(name) for name in find_docs(find_assets().docs).files]
LINK = re.compile(r'<a href="([^"]+)"')
ID = re.compile(r' id="([^"]+)"')
ROUTED = {"/", "/about", "/fair-play"}


async def test_every_page_is_there_and_every_link_between_them_leads_to_a_heading(anna):
    pages = {address: await page_of(anna, address) for address in ADDRESSES}
    assert len(pages) > 25
    for address, page in pages.items():
        assert "<main" in page, address
        assert len(set(ID.findall(page))) == len(ID.findall(page)), f"{address} has two headings of one name"
    links = {(at, unescape(link)) for at, page in pages.items() for link in LINK.findall(page.split("<main")[1])}
    links = {(at, link) for at, link in links if "://" not in link}
    assert len(links) > 100
    dead = []
    for at, link in links:
        path, _, heading = link.partition("#")
        page = pages.get(path or at)
        if path not in ROUTED and (page is None or (heading and heading not in ID.findall(page))):
            dead.append(f"{at}: {link}")
    assert dead == []


async def test_a_page_is_part_of_the_site(anna):
    async with anna.http.get("/docs/backup") as answer:
        page, headers = await answer.text(), answer.headers
    assert "<title>Backup · Fairyhouse</title>" in page
    assert '<h2 id="which-files-form-a-site">Which files form a site</h2>' in page
    assert 'href="/docs/settings"' in page
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    assert "<!--" not in page
    assert "&lt;!--" not in page


async def test_a_page_that_has_not_changed_is_not_sent_again(anna):
    async with anna.http.get("/docs/backup") as answer:
        tag = answer.headers["ETag"]
    async with anna.http.get("/docs/backup", headers={"If-None-Match": tag}) as answer:
        assert answer.status == 304


async def test_the_page_is_english_whatever_the_reader_speaks(anna):
    async with anna.http.get("/docs", headers={"Accept-Language": "es"}) as answer:
        page = await answer.text()
    assert '<html lang="es"' in page
    assert '<main class="page" id="main" lang="en">' in page


@pytest.mark.parametrize("path", ["none", "index", "backup.md", "Backup", "..%2FLICENSE", "%2e%2e/LICENSE", "license"])
async def test_nothing_else_is_sent(anna, path):
    async with anna.http.get(f"/docs/{path}") as answer:
        assert answer.status == 404


async def test_every_page_of_the_site_leads_there(anna):
    assert 'href="/docs"' in (await page_of(anna, "/about")).rsplit("<footer", 1)[1]


def test_html_is_shown_and_not_obeyed():
    made = make_document("# A *page*\n\n<script>alert(1)</script> and <b onclick=x>this</b>\n\n```\n<i>\n```\n", {})
    assert made.title == "A page"
    assert "<script" not in made.body
    assert "<b" not in made.body
    assert "<i>" not in made.body


def test_links_lead_where_the_files_are_read():
    text = "# A\n[1](../B.md#c) [2](none.md) [3](https://example.org/x.md) [4](javascript:alert(1)) [5](#d)\n"
    body = make_document(text, {"B.md": "/docs/b"}).body
    assert 'href="/docs/b#c"' in body
    assert 'href="https://example.org/x.md" rel="noopener"' in body
    assert 'href="#d"' in body
    assert len(LINK.findall(body)) == 3
