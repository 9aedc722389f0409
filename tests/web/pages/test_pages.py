"""Pages: that they are there for every variant, small, and safe whatever text they hold."""

import gzip
import html
import json
import re

import pytest

from server.web.board_data import script_safe, to_json
from tests.support.rules.built_in import VARIANTS
from tests.support.web.accounts import page_of
from tests.support.web.page_block import block_of

NASTY = ["</script><script>alert(1)</script>", "<!--", "]]>", "\u2028\u2029", "&lt;", "'\"", "\\", "\x00\x1b"]


@pytest.mark.parametrize("text", NASTY)
def test_no_text_ends_the_block_that_holds_it(text):
    block = str(script_safe(to_json({"name": text, text: 1})))
    assert not set(block) & set("<>&\u2028\u2029")
    assert json.loads(block) == {"name": text, text: 1}


async def test_the_front_page_knows_every_variant(anna):
    shown = await block_of(anna, "/")
    assert [one["id"] for one in shown["variants"]] == list(VARIANTS)
    assert [one["id"] for one in shown["variants"] if "legal" in one] == list(VARIANTS)[:1]
    assert shown["me"] is None
    me = await anna.post("/api/guest")
    assert (await block_of(anna, "/"))["me"] == me


async def test_the_front_page_is_small(anna):
    async with anna.http.get("/", headers={"Accept-Encoding": "gzip"}) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert len(gzip.compress(await answer.read())) < 20_000


async def test_the_board_is_on_the_page_before_the_socket_is_open(anna, ben):
    game = await anna.challenge(move="e2e4")
    shown = await block_of(ben, f"/{game['id']}")
    assert shown["game"] == game["id"]
    assert shown["variant"]["id"] == shown["snapshot"]["variant"] == "chess"
    assert [move[0] for move in shown["snapshot"]["moves"]] == ["e2e4"]
    assert "you" not in shown["snapshot"]
    assert shown["me"] is None
    assert (await block_of(anna, f"/{game['id']}"))["snapshot"]["you"] == "white"


async def test_the_seats_are_called_yours_only_for_whoever_has_one(anna, ben):
    game = await anna.challenge(variant="crazyhouse")
    for person, called in (
        (anna, ["Opponent", "Your opponent's pocket", "You", "Your pocket"]),
        (ben, ["Above the board", "Pocket above the board", "Below the board", "Pocket below the board"]),
    ):
        page = html.unescape(await page_of(person, f"/{game['id']}"))
        for place in called:
            assert f'aria-label="{place}"' in page


async def test_the_player_to_move_can_move_before_the_socket_is_open(anna, ben):
    game = await anna.challenge()
    await ben.join(game)
    assert "e2e4" in (await block_of(anna, f"/{game['id']}"))["snapshot"]["legal"].split()
    assert "legal" not in (await block_of(ben, f"/{game['id']}"))["snapshot"]


@pytest.mark.parametrize("variant", VARIANTS)
async def test_every_variant_has_a_page(anna, variant):
    shown = await block_of(anna, f"/rules/{variant}")
    assert shown["variant"]["id"] == variant


@pytest.mark.parametrize("path", ["/0123456789", "/rules/nonesuch", "/wp-login.php", "/%3Cscript%3E", "/a/b/c"])
async def test_a_missing_page_says_what_to_do_next(anna, path):
    async with anna.http.get(path) as answer:
        assert answer.status == 404
        text = await answer.text()
    assert 'href="/"' in text
    assert "<script>" not in text.replace('<script src="', "")


@pytest.mark.parametrize(
    "path",
    ["/static/", "/static/../server/app.py", "/static/%2e%2e/pyproject.toml", "/static/..%2f..%2fpyproject.toml"],
)
async def test_static_files_are_only_static_files(anna, path):
    async with anna.http.get(path) as answer:
        assert answer.status in (403, 404)


async def test_an_internal_error_is_admitted_with_a_number(server, anna, monkeypatch):
    def broken(_):
        raise RuntimeError("secret detail")

    monkeypatch.setattr("server.web.games.api.rule_data", broken)
    async with anna.http.get("/api/variants/chess") as answer:
        assert answer.status == 500
        text = await answer.text()
    assert re.search("logged as [0-9a-f]{8}", text)
    assert "secret detail" not in text
