"""Pictures by address: what they are, how long they are kept, and who is told to wait or to ask otherwise."""

import os
import re
import select
import signal
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import pytest

from server.pictures.drawings import read_drawings
from server.pictures.theme import BOARDS
from server.web.assets import find_assets
from server.web.budgets.buckets import RateLimit
from server.web.pictures import handlers
from server.web.pictures.handlers import Appearance
from server.web.site import SITE
from tests.support.rules.built_in import VARIANTS
from tests.support.web.host import Host
from tests.support.web.people import Person
from tests.web.pictures.asking import FOOLS_MATE, image, picture, played


async def test_a_board_at_any_half_move(anna, ben):
    game = await played(anna, ben)
    last, headers = await picture(anna, f"/{game}/board.svg")
    assert headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert ElementTree.fromstring(last).get("width") == "480"
    first, _ = await picture(anna, f"/{game}/board.svg?ply=0&flip=1&size=200&coords=0&board=walnut&pieces=plain")
    assert b"<text" not in first
    assert b'width="200"' in first
    assert (await picture(anna, f"/{game}/board.svg?ply=4"))[0] == last


async def test_a_position_of_a_finished_game_is_kept_for_ever_and_a_running_game_is_asked_for_again(anna, ben):
    over = await played(anna, ben)
    running = await played(anna, ben, FOOLS_MATE[:3])
    assert "immutable" in (await picture(anna, f"/{over}/board.svg?ply=2"))[1]["Cache-Control"]
    for path in (f"/{running}/board.svg", f"/{running}/board.svg?ply=2", f"/{over}/board.svg"):
        assert (await picture(anna, path))[1]["Cache-Control"] == "public, no-cache"


async def test_a_browser_that_has_the_picture_gets_304(anna, ben):
    game = await played(anna, ben, FOOLS_MATE[:2])
    _, headers = await picture(anna, f"/{game}/board.svg")
    body, again = await picture(anna, f"/{game}/board.svg", 304, **{"If-None-Match": headers["ETag"]})
    assert body == b""
    assert again["ETag"] == headers["ETag"]
    async with anna.follow({"id": game}) as white:
        await white.move(2, "g2g4")
    _, later = await picture(anna, f"/{game}/board.svg", **{"If-None-Match": headers["ETag"]})
    assert later["ETag"] != headers["ETag"]


async def test_a_replay_moves_as_svg_and_as_gif(anna, ben):
    game = await played(anna, ben)
    body, headers = await picture(anna, f"/{game}/replay.svg?seconds=1.5")
    assert headers["Cache-Control"] == "public, max-age=3600"
    names = [(await person.get("/api/me"))["name"] for person in (anna, ben)]
    assert all(name.encode() in body for name in names)
    moving, headers = await picture(anna, f"/{game}/replay.gif?size=200")
    assert headers["Content-Type"] == "image/gif"
    assert image(moving).n_frames == 5
    assert image(moving).width == 200


async def test_the_picture_of_an_open_game_shows_an_empty_seat(anna, ben):
    game = await anna.challenge(variant="grand", color="white")
    body, _ = await picture(ben, f"/{game['id']}/replay.svg")
    assert b">?</text>" in body
    assert game["secret"].encode() not in body
    start, _ = await picture(ben, "/api/variants/grand/board.svg")
    assert (await picture(ben, f"/{game['id']}/board.svg"))[0] == start


@pytest.mark.parametrize("variant", VARIANTS)
async def test_every_variant_has_its_picture(anna, variant):
    fen = VARIANTS[variant].start_fen
    async with anna.http.get(f"/api/variants/{variant}/board.svg", params={"fen": fen}) as answer:
        assert answer.status == 200
        assert await answer.read() == (await picture(anna, f"/api/variants/{variant}/board.svg"))[0]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/variants/nothing/board.svg", 404, "unknown_variant"),
        ("/api/variants/chess/board.svg?fen=nonsense", 400, "bad_fen"),
        ("/api/variants/chess/board.svg?size=9999", 400, "bad_request"),
        ("/api/variants/chess/board.svg?size=abc", 400, "bad_request"),
        ("/api/variants/chess/board.svg?colour=red", 400, "bad_request"),
        ("/api/variants/chess/board.svg?flip=1&flip=0", 400, "bad_request"),
        ("/api/variants/chess/card.png?size=10", 400, "bad_request"),
    ],
)
async def test_what_cannot_be_drawn_is_refused_with_a_sentence(anna, path, status, code):
    async with anna.http.get(path) as answer:
        assert answer.status == status
        assert (await answer.json())["code"] == code


async def test_keys_that_others_added_to_the_link_of_a_picture_are_ignored(anna, ben):
    game = await played(anna, ben, FOOLS_MATE[:1])
    for file in ("board.svg", "board.png", "replay.svg", "card.png"):
        await picture(anna, f"/{game}/{file}?utm_source=mail&fbclid=x&fbclid=y")
    assert (await picture(anna, f"/{game}/board.svg?utm_source=x"))[0] == (await picture(anna, f"/{game}/board.svg"))[0]


@pytest.mark.parametrize("language", ["en", "es"])
async def test_no_sentence_of_a_model_reaches_a_page(anna, ben, language):
    game = await played(anna, ben, FOOLS_MATE[:1])
    anna.http.headers["Accept-Language"] = language
    for path in (f"/{game}/board.png?size=abc", "/players?name=" + "x" * 90, "/games?rated=perhaps"):
        async with anna.http.get(path) as answer:
            page = await answer.text()
        assert answer.status == 400
        for word in ("Input", "should", "String", "valid", "size:", "name:", "rated:"):
            assert word not in re.sub("<[^>]*>", "", page), (path, word)
    refused = await anna.post("/api/games", 400, variant="chess", clock="x")
    assert "clock" in refused["detail"]
    assert refused["message"].startswith({"en": "The address", "es": "No se puede leer"}[language])


async def test_games_and_half_moves_that_do_not_exist_are_not_found(anna, ben):
    game = await played(anna, ben, FOOLS_MATE[:1])
    await picture(anna, f"/{game}/board.svg?ply=2", 404)
    for file in ("board.svg", "board.png", "replay.svg", "replay.gif", "card.png"):
        await picture(anna, f"/{'x' * 10}/{file}", 404)


async def test_drawing_is_limited_but_what_one_has_is_free(anna, server, monkeypatch):
    path = "/api/variants/chess/board.svg"
    _, headers = await picture(anna, path)
    monkeypatch.setattr(server.app[SITE].limits, "pictures", RateLimit(2, 3600))
    await picture(anna, path)
    await picture(anna, path)
    assert int((await picture(anna, path, 429))[1]["Retry-After"]) > 1000
    await picture(anna, path, 304, **{"If-None-Match": headers["ETag"]})


async def test_a_picture_never_carries_a_cookie(anna, server):
    await anna.challenge()
    tomorrow = server.app[SITE].now() + 2 * 86_400_000
    object.__setattr__(server.app[SITE].sessions, "now", lambda: tomorrow)
    assert "Set-Cookie" not in (await picture(anna, "/api/variants/chess/board.svg"))[1]
    assert "Set-Cookie" in (await picture(anna, "/rules"))[1]


async def test_the_drawing_process_does_not_outlive_a_server_that_was_killed(tmp_path):
    host = await Host(tmp_path).start()
    async with Person(host.site) as somebody:
        await picture(somebody, "/card.png")
    drawing = [
        pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if is_drawing_for(pid, host.process.pid)
    ]
    assert len(drawing) == 1
    ending = os.pidfd_open(drawing[0])
    await host.stop(signal.SIGKILL)
    ended, _, _ = select.select([ending], [], [], 10)
    os.close(ending)
    assert ended


def is_drawing_for(pid, server):
    try:
        parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        return parent == server and b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


@pytest.mark.row("A19")
async def test_gifs_have_a_limit_of_their_own_and_those_that_are_drawn_are_free(anna, ben, server, monkeypatch):
    game = await played(anna, ben)
    monkeypatch.setattr(server.app[SITE].limits, "films", RateLimit(1, 3600))
    for _ in range(2):
        moving, _ = await picture(anna, f"/{game}/replay.gif")
    assert image(moving).width == 480
    assert int((await picture(anna, f"/{game}/replay.gif?flip=1", 429))[1]["Retry-After"]) > 1000
    await picture(anna, f"/{game}/replay.svg")


async def test_a_moving_picture_that_is_refused_takes_nothing_of_the_allowance(anna, ben, server, monkeypatch):
    game = await played(anna, ben)
    monkeypatch.setattr(server.app[SITE].limits, "pictures", RateLimit(handlers.MOVING - 1, 3600))
    await picture(anna, f"/{game}/replay.svg", 429)
    for _ in range(handlers.MOVING - 1):
        await picture(anna, f"/{game}/board.svg")


async def test_a_game_too_long_for_a_gif_is_sent_to_the_svg(anna, ben, monkeypatch):
    monkeypatch.setattr(handlers, "LONGEST_GIF", 2)
    game = await played(anna, ben)
    page = (await picture(anna, f"/{game}/replay.gif", 422))[0].decode()
    assert "replay.svg" in page
    await picture(anna, f"/{game}/replay.svg")


async def test_what_is_wrong_with_an_address_is_said_in_the_readers_language(anna, ben):
    game = await played(anna, ben, FOOLS_MATE[:1])
    page = (await picture(anna, f"/{game}/board.svg?ply=9", 404, **{"Accept-Language": "es"}))[0].decode()
    assert "solo ha llegado a la media jugada 1" in page


def test_the_appearance_to_ask_for_is_one_that_can_be_drawn():
    drawings = read_drawings(find_assets().static)
    assert drawings is not None
    assert get_args(Appearance.model_fields["pieces"].annotation) == tuple(drawings.sets)


async def test_a_board_is_known_by_its_name_and_by_an_earlier_one(anna):
    path = "/api/variants/chess/board.svg?board="
    pictures = {name: (await picture(anna, path + name))[0] for name in BOARDS}
    assert len(set(pictures.values())) == len(BOARDS)
    assert (await picture(anna, path + "plain"))[0] == pictures["newsprint"]
    refused, _ = await picture(anna, path + "mahogany", 400)
    assert b"newsprint" in refused


async def test_the_icon_is_where_browsers_look_for_it(anna):
    body, headers = await picture(anna, "/favicon.ico")
    assert headers["Content-Type"] == "image/png"
    assert image(body).size == (180, 180)
