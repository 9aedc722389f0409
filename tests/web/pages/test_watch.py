"""The pages of games in play, and their socket."""

import json

import pytest

from server.web.board_data import emblems
from tests.support.patience import PATIENCE_S
from tests.support.rules.built_in import VARIANTS


@pytest.mark.parametrize("path", ["/watch", "/watch/grand"])
async def test_there_is_a_page_for_all_and_for_each_variant(anna, path):
    async with anna.http.get(path) as answer:
        text = await answer.text()
    assert answer.status == 200
    assert f'href="{path}" aria-current="page"' in text


def test_each_variant_has_a_picture_of_its_own():
    """One stood for three of them, and on a profile another piece stood for the same variant."""
    found = emblems(VARIANTS)
    assert len(set(found.values())) == len(found) == len(VARIANTS)


async def test_an_unknown_variant_has_no_page(anna):
    async with anna.http.get("/watch/nonesuch") as answer:
        assert answer.status == 404


async def test_a_stranger_may_look(anna):
    async with anna.http.ws_connect("/ws/watch") as socket:
        await socket.send_str('{"t":"hi","proto":1}')
        assert json.loads((await socket.receive(timeout=PATIENCE_S)).data) == {"t": "boards", "boards": []}
        await socket.send_str('{"t":"move"}')
        assert json.loads((await socket.receive(timeout=PATIENCE_S)).data)["code"] == "bad_message"
