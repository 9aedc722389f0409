"""The pages of studies: one's own, and the board with a chapter of one that is shared."""

import re

import pytest

from tests.support.web.accounts import page_of, register

MATE = '[FEN "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"]\n\n1. Ra8# *'


@pytest.fixture
async def study(anna):
    await register(anna, "Anna")
    made = await anna.post("/api/studies", name="<b>Mates</b>", chapter="Back & rank", pgn=MATE)
    return await anna.post(f"/api/studies/{made['id']}/chapters", name="Big", pgn='[Variant "Grand"]\n\n*')


async def test_ones_studies_are_listed_and_a_guest_signs_in_first(anna, ben, study):
    page = await page_of(anna, "/studies")
    assert f'href="/study/{study["id"]}"' in page
    assert "&lt;b&gt;Mates&lt;/b&gt;" in page
    assert await page_of(ben, "/studies") == "/sign-in?next=/studies"
    assert "scene-lines" not in page
    await register(ben, "Ben")
    assert "scene-lines" in await page_of(ben, "/studies")


async def test_a_private_study_has_no_page_for_others(anna, ben, study):
    for path in (f"/study/{study['id']}", f"/study/{study['id']}/{study['chapters'][0]['id']}"):
        async with ben.http.get(path) as answer:
            assert answer.status == 404
            assert "Mates" not in await answer.text()
        async with anna.http.get(path) as answer:
            assert answer.status == 200


async def test_a_shared_study_shows_a_preview_and_no_way_to_change_it(anna, ben, study):
    await anna.post(f"/api/studies/{study['id']}", rev=study["rev"], shared=True)
    async with ben.http.get(f"/study/{study['id']}") as answer:
        page = await answer.text()
        assert answer.headers["X-Robots-Tag"] == "noindex"
    assert "<title>&lt;b&gt;Mates&lt;/b&gt;: Back &amp; rank · Fairyhouse</title>" in page
    assert re.search(r'og:image" content="[^"]*/chess/card\.png\?fen=6k1%2F5ppp', page)
    assert 'id="study-copy"' in page
    assert not re.search('id="(study|chapter)-(edit|add|delete)"', page)
    assert 'id="study-edit"' in await page_of(anna, f"/study/{study['id']}")


async def test_it_is_said_what_a_link_has_before_it_is_copied(anna, study):
    label = re.compile(r'<label for="share-link">([^<]*)')
    private = await page_of(anna, f"/study/{study['id']}")
    for page in (private, await page_of(anna, "/analysis/chess")):
        assert label.search(page)[1] == "Link to these moves and variations, without comments"
        assert "All moves, variations and comments (PGN)" in page
    await anna.post(f"/api/studies/{study['id']}", rev=study["rev"], shared=True)
    assert label.search(await page_of(anna, f"/study/{study['id']}"))[1] == "Link to the study"


async def test_each_chapter_has_the_board_of_its_variant(anna, study):
    page = await page_of(anna, f"/study/{study['id']}/{study['chapters'][1]['id']}")
    assert 'data-files="10"' in page
    async with anna.http.get(f"/study/{study['id']}/0123456789") as answer:
        assert answer.status == 404
