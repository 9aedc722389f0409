"""What a challenge can be beside a link to a friend: a link for each of two others, a QR code."""

import re

import pytest
import segno

from server.web.qr import qr_svg
from tests.web.people import BLITZ


async def for_others(person, status=201, **asked):
    return await person.post("/api/games", status, variant="chess", clock=BLITZ, players="others", **asked)


def secret_of(link):
    return re.fullmatch(r".*#([0-9A-Za-z_-]+)\.(white|black)", link)[1]


async def test_two_others_get_a_link_each(anna, ben, carla):
    made = await for_others(anna)
    assert set(made) == {"id", "url", "links"}
    assert all(link.endswith(f".{side}") for side, link in made["links"].items())
    join = f"/api/games/{made['id']}/join"
    black = await ben.post(join, secret=secret_of(made["links"]["black"]))
    assert black["color"] == "black"
    assert (await anna.get(f"/api/games/{made['id']}"))["status"] == "open"
    assert (await ben.post(join, 403, secret=secret_of(made["links"]["white"])))["code"] == "own_challenge"
    await carla.post(join, secret=secret_of(made["links"]["white"]))
    record = await anna.get(f"/api/games/{made['id']}")
    assert (record["status"], record["white"]) == ("live", await carla.get("/api/me"))


@pytest.mark.parametrize("asked", [{"move": "e2e4"}, {"color": "white"}])
async def test_who_sets_a_game_up_for_others_plays_no_part_in_it(anna, asked):
    assert (await for_others(anna, 400, **asked))["code"] == "bad_request"


async def test_a_link_can_be_had_as_a_qr_code(anna):
    game = await anna.challenge()
    async with anna.http.post(f"/api/games/{game['id']}/qr", json={"fragment": game["secret"]}) as answer:
        assert (answer.status, answer.content_type) == (200, "image/svg+xml")
        assert await answer.read() == qr_svg(game["link"])
    wrong = await anna.post(f"/api/games/{game['id']}/qr", 400, fragment="javascript:alert(1)")
    assert wrong["code"] == "bad_request"


def test_the_code_holds_the_whole_link_and_its_margin():
    link = "https://chess.example.org/AbCdEfGhIj#0123456789abcdefABCDEF"
    picture = qr_svg(link).decode()
    modules = segno.make(link, error="m", micro=False).symbol_size(border=4)[0]
    assert f'width="{modules}" height="{modules}"' in picture
    assert 'fill="#fff"' in picture
