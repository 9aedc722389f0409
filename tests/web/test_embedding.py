"""Games in frames of other sites: who may show them, that they know nobody, and how sites find them."""

import json
import re
from urllib.parse import quote

import pytest

from server.app import build_app
from server.settings import Settings
from server.storage.errors import Unavailable
from server.web.assets import find_assets
from server.web.embedding import frame_code
from server.web.preferences import COOKIE, LANGUAGE_COOKIE
from server.web.rendering.problems import Problem, too_many
from tests.support.patience import PATIENCE_S
from tests.support.web.fixtures import Served
from tests.support.web.people import FOOLS_MATE, Person, play

FRAMED = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"}


@pytest.fixture
async def game(anna, ben):
    game = await anna.challenge(variant="crazyhouse")
    await ben.join(game)
    return game


async def text_of(person, path, status=200, **headers):
    async with person.http.get(path, headers=headers) as answer:
        assert answer.status == status, path
        return await answer.text()


@pytest.mark.parametrize("path", ["/embed/{}", "/embed/tv/grand"])
async def test_frames_may_be_shown_elsewhere_and_no_other_page(anna, carla, game, path):
    async with carla.http.get(path.format(game["id"]), headers=FRAMED) as answer:
        assert answer.status == 200
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
        assert "frame-ancestors *;" in policy
        assert "form-action 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    for other in (f"/{game['id']}", "/", "/embed/nothing", "/watch/grand"):
        async with anna.http.get(other) as answer:
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"], other
        async with anna.http.get(other, headers=FRAMED) as answer:
            assert answer.status == 403, other


async def test_a_frame_depends_on_no_cookie_and_sets_none(anna, server, game):
    async with Person(server.make_url("/")) as stranger:
        for path in (f"/embed/{game['id']}", "/embed/tv/grand", "/embed/0123456789"):
            async with stranger.http.get(path) as answer:
                of_stranger = await answer.text()
            cookies = {COOKIE: "1|board:slate|pieces:paper|theme:dark", LANGUAGE_COOKIE: "es"}
            async with anna.http.get(path, cookies=cookies) as answer:
                assert await answer.text() == of_stranger
                assert "Set-Cookie" not in answer.headers
                assert "Cookie" not in answer.headers["Vary"]


async def test_a_frame_looks_as_its_address_says(carla, game):
    plain = await text_of(carla, f"/embed/{game['id']}")
    other = await text_of(carla, f"/embed/{game['id']}?theme=dark&lang=es&flip=1&board=slate")
    assert '<html lang="en">' in plain
    assert '<html lang="es" data-theme="dark">' in other
    assert "Abrir esta partida" in other
    assert re.findall(r'class="seat" id="(\w+)"', plain) == ["black", "white"]
    assert re.findall(r'class="seat" id="(\w+)"', other) == ["white", "black"]
    assert "#7189a0" in other
    assert "#7189a0" not in plain
    await text_of(carla, f"/embed/{game['id']}?theme=pink", 400)
    assert '<html lang="en">' in await text_of(carla, f"/embed/{game['id']}?lang=xx")


async def test_a_game_that_is_not_there_is_said_so_in_the_frame(carla):
    async with carla.http.get("/embed/0123456789", headers=FRAMED) as answer:
        assert answer.status == 404
        assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
        assert "There is no such game here" in await answer.text()


async def test_why_a_frame_shows_no_game_is_said_in_it_whatever_it_is(server, carla, game, monkeypatch):
    """Other pages of the site, such as those of errors, may stand in no frame."""
    path = f"/embed/{game['id']}?lang=es&theme=dark"

    def refuse(error):
        def handler(*_):
            raise error

        return handler

    told = {}
    for error in (too_many(7), Problem(503, "busy", retry_after=3), Unavailable("away")):
        with monkeypatch.context() as patch:
            patch.setattr("server.web.embedding.find_round", refuse(error))
            async with carla.http.get(path, headers=FRAMED) as answer:
                told[answer.status, answer.headers["Retry-After"]] = await answer.text()
                assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
    assert [*told] == [(429, "7"), (503, "3"), (503, "5")]
    assert all('<html lang="es" data-theme="dark">' in page for page in told.values())
    with monkeypatch.context() as patch:
        patch.setattr("server.web.middlewares.charge_address", refuse(too_many(9)))
        async with carla.http.get("/embed/tv/grand", headers=FRAMED) as answer:
            assert (answer.status, answer.headers["Retry-After"]) == (429, "9")
            assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
    for bad, status in ((path.replace("dark", "pink"), 400), ("/embed/tv/nothing", 404)):
        async with carla.http.get(bad, headers=FRAMED) as answer:
            assert answer.status == status
            assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]


async def test_the_socket_of_a_frame_shows_one_game_to_its_end(anna, ben, carla, game):
    async with anna.follow(game) as white, ben.follow(game) as black, carla.http.ws_connect("/ws/embed") as frame:

        async def heard():
            return json.loads((await frame.receive(timeout=PATIENCE_S)).data)

        await frame.send_str(json.dumps({"t": "hi", "proto": 1, "game": game["id"]}))
        assert [board["game"] for board in (await heard())["boards"]] == [game["id"]]
        await play((white, black), FOOLS_MATE)
        told = [await heard() for _ in range(5)]
        assert [one.get("last") for one in told] == [*FOOLS_MATE, None]
        assert told[-1]["result"] == "0-1"
        # Whoever comes late, or comes back, is told how it ended.
        async with carla.http.ws_connect("/ws/embed") as late:
            await late.send_str(json.dumps({"t": "hi", "proto": 1, "game": game["id"]}))
            boards, gone = [json.loads((await late.receive(timeout=PATIENCE_S)).data) for _ in range(2)]
            assert (boards["boards"][0]["last"], gone["result"]) == ("d8h4", "0-1")


async def test_the_socket_of_a_frame_says_that_a_game_is_not_there(carla):
    async with carla.http.ws_connect("/ws/embed") as frame:
        await frame.send_str(json.dumps({"t": "hi", "proto": 1, "game": "0123456789"}))
        assert json.loads((await frame.receive(timeout=PATIENCE_S)).data)["code"] == "no_game"


async def test_pages_say_where_their_frames_are_and_oembed_gives_them(carla, settings, game):
    for path, embedded in ((f"/{game['id']}", f"/embed/{game['id']}"), ("/watch/grand", "/embed/tv/grand")):
        page = await text_of(carla, path)
        (address,) = re.findall(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)">', page)
        path = address.removeprefix(settings.address)
        async with carla.http.get(path, headers=FRAMED | {"Sec-Fetch-Dest": "empty"}) as answer:
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
            found = await answer.json()
        assert (found["version"], found["type"], found["width"]) == ("1.0", "rich", 400)
        assert f'src="{settings.address}{embedded}"' in found["html"]
        async with carla.http.get(f"{path}&maxwidth=300&maxheight=350") as answer:
            small = await answer.json()
        assert (small["width"], small["height"]) == (300, 350)


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("https://elsewhere.example/0123456789", 404),
        ("{site}/0123456789", 404),
        ("{site}/watch/nonesuch", 404),
        ("{site}/games/mine", 404),
        ("{site}/watch/grand&format=xml", 501),
        ("{site}/watch/grand&maxwidth=0", 400),
    ],
)
async def test_oembed_knows_no_other_page(carla, settings, asked, status):
    url, _, more = asked.format(site=settings.address).partition("&")
    await text_of(carla, f"/oembed?url={quote(url, safe='')}&{more}", status)


def test_a_title_is_no_markup_in_a_code():
    code = frame_code("https://chess.example.org/embed/0123456789", '"><script>', 400, 500)
    assert 'title="&quot;&gt;&lt;script&gt;"' in code


async def test_the_share_panel_has_the_code(carla, game):
    assert f"/embed/{game['id']}&#34;" in await text_of(carla, f"/{game['id']}")


async def test_a_host_says_which_sites_may_show_games(settings):
    some = settings.model_copy(update={"embed_origins": ("https://club.example.org",)})
    none = settings.model_copy(update={"embed_origins": ("none",)})
    for chosen, status in ((some, 200), (none, 404)):
        server = Served(build_app(chosen, find_assets()))
        await server.start_server()
        async with Person(server.make_url("/")) as dora:
            async with dora.http.get("/embed/tv/grand") as answer:
                assert answer.status == status
                if status == 200:
                    policy = answer.headers["Content-Security-Policy"]
                    assert "frame-ancestors 'self' https://club.example.org;" in policy
            page = await text_of(dora, "/watch/grand")
            assert ("json+oembed" in page) == (status == 200)
        await server.close()


@pytest.mark.parametrize(
    ("given", "origins"),
    [
        ("*", ("*",)),
        ("none", ("none",)),
        ("https://a.example, http://B.example:80/", ("https://a.example", "http://b.example")),
    ],
)
def test_origins_are_read(given, origins):
    assert Settings(embed_origins=given).embed_origins == origins


@pytest.mark.parametrize("given", ["*,https://a.example", "a.example", "https://a.example/x", "https://a.example; x"])
def test_what_is_no_origin_is_refused(given):
    with pytest.raises(ValueError, match="give"):
        Settings(embed_origins=given)
