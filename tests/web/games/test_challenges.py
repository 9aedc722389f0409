"""What a challenge can be besides a link to a friend: a link for each of two others, a QR code."""

import asyncio
import json
import re

import pytest
import segno

from server.games.people import TieKind
from server.games.player import Player
from server.realtime.play import meetings
from server.storage import time_slices
from server.storage.tables.challenges import MAX_PER_PLAYER
from server.web.accounts.accounts import ACCOUNTS
from server.web.games.invitations import qr_svg
from server.web.site import SITE
from tests.support.patience import PATIENCE_S, waits_for_a_slice
from tests.support.web.accounts import PASSWORD, go, register
from tests.support.web.people import BLITZ


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
async def test_a_game_for_two_others_that_seats_its_maker_is_refused(anna, asked):
    assert (await for_others(anna, 400, **asked))["code"] == "bad_request"


async def test_a_qr_code_is_drawn_when_no_other_long_work_has_its_turn(anna, server):
    game = await anna.challenge()
    assert await server.app[SITE].rounds.get(game["id"]) is not None, "from now on it is in memory"
    async with time_slices.slice_lock():
        asked = asyncio.create_task(anna.http.post(f"/api/games/{game['id']}/qr", json={"fragment": game["secret"]}))
        assert await waits_for_a_slice(asked)
    assert (await asked).status == 200


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


NO_CHALLENGE = 'aria-labelledby="challenges-title" hidden'
"""The front page's list while it is empty."""


def no_limit(monkeypatch):
    monkeypatch.setattr(meetings, "MAX_OF_ONE", 1_000)


class TestByName:
    async def test_the_one_who_is_asked_finds_it_and_only_they_can_take_it(self, anna, ben, carla):
        await register(anna, "Anna")
        await register(ben, "Ben")
        async with ben.http.ws_connect("/ws/lobby") as lobby:
            await lobby.send_str('{"t":"hi","proto":1}')
            await lobby.receive(timeout=PATIENCE_S)
            game = await anna.challenge(to="ben")
            assert "secret" not in game
            assert json.loads((await lobby.receive(timeout=PATIENCE_S)).data) == {
                "t": "challenged",
                "game": game["id"],
                "by": "Anna",
            }
        async with ben.http.get("/") as front:
            assert f'href="/{game["id"]}"' in await front.text()
        join = f"/api/games/{game['id']}/join"
        assert (await carla.post(join, 403))["code"] == "wrong_invitation"
        assert (await carla.post(join, 403, secret="A" * 22))["code"] == "wrong_invitation"
        assert (await ben.post(join))["color"] == "black"
        async with ben.http.get("/") as front:
            assert NO_CHALLENGE in await front.text()

    async def test_who_has_asked_reads_for_whom_they_wait(self, anna, ben):
        await register(anna, "Anna")
        await register(ben, "Ben")
        game = await anna.challenge(to="ben")
        (mine,) = (await anna.get("/api/me/games"))["games"]
        assert mine["id"] == game["id"]
        for path, words in (
            ("/", "<b>Waiting for Ben</b>"),
            ("/games/mine", 'Chess, waiting for <a class="person-link" '),
        ):
            async with anna.http.get(path) as answer:
                page = await answer.text()
            assert words in page, path
            assert "a friend</b>" not in page
        await ben.post(f"/api/games/{game['id']}/join")
        async with anna.http.get("/games/mine") as answer:
            assert "waiting for" not in await answer.text()

    @pytest.mark.parametrize(
        ("asked", "said"),
        [
            ({}, "Chess · 5+2 · you have Black"),
            ({"color": "black", "rated": True}, "Chess · 5+2 · rated · you have White"),
            (
                {"chess960": True, "clock": {"kind": "correspondence", "days": 3}},
                "Chess960 · 3 days a move · you have Black",
            ),
            (
                {"clock": BLITZ | {"black_initial": 60, "black_increment": 0}},
                "Chess · 5+2 against 1+0 · you have Black",
            ),
            ({"fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}, "Chess · 5+2 · you have Black · from a position of its own"),
        ],
    )
    async def test_the_one_who_is_asked_reads_what_game_it_is(self, anna, ben, asked, said):
        """It said who challenges and nothing else, so one had to open the game to know the variant and the time."""
        await register(anna, "Anna")
        await register(ben, "Ben")
        game = await anna.post(
            "/api/games", 201, **({"variant": "chess", "clock": BLITZ, "color": "white", "to": "Ben"} | asked)
        )
        (found,) = (await ben.get("/api/me/challenges"))["challenges"]
        assert (found["game"], found["by"], found["words"]) == (game["id"], "Anna", said)
        async with ben.http.get("/") as front:
            assert said in await front.text()
        assert await anna.get("/api/me/challenges") == {"challenges": []}

    async def test_the_opponent_finds_a_challenge_though_the_server_died_while_it_was_made(
        self, anna, ben, server, monkeypatch
    ):
        await register(anna, "Anna")
        await register(ben, "Ben")

        def die(*_):
            raise RuntimeError("The server died here.")

        monkeypatch.setattr("server.web.games.api.created", die)
        await anna.post("/api/games", 500, variant="chess", clock=BLITZ, to="Ben")
        async with ben.http.get("/") as front:
            assert NO_CHALLENGE not in await front.text()

    async def test_what_is_just_being_made_is_not_lost_by_looking_too_early(self, ben, server):
        await register(ben, "Ben")
        challenges, who = server.app[SITE].store.challenges, (await ben.get("/api/me"))["id"]
        await challenges.note("NotYetMade", who, server.app[SITE].now())
        async with ben.http.get("/") as front:
            assert NO_CHALLENGE in await front.text()
        assert list(await challenges.of(who)) == ["NotYetMade"]

    async def test_it_can_be_refused_by_them_alone(self, anna, ben, carla):
        await register(anna, "Anna")
        await register(ben, "Ben")
        game = await anna.challenge(to="Ben")
        refuse = f"/api/games/{game['id']}/refuse"
        assert (await carla.post(refuse, 403))["code"] == "wrong_invitation"
        assert (await anna.post(refuse, 403))["code"] == "wrong_invitation"
        await ben.post(refuse)
        record = await anna.get(f"/api/games/{game['id']}")
        assert (record["status"], record["reason"]) == ("over", "declined")

    async def test_nobody_waits_for_somebody_who_has_left(self, anna, ben, server):
        await register(anna, "Anna")
        await register(ben, "Ben")
        game = await anna.challenge(to="Ben")
        await go(ben, "/account/delete", password=PASSWORD)
        await server.app[ACCOUNTS].merges.carry_out_all()
        record = await anna.get(f"/api/games/{game['id']}")
        assert (record["status"], record["reason"]) == ("over", "declined")

    async def test_no_challenge_is_left_of_those_to_somebody_who_has_left(self, anna, ben, server, monkeypatch):
        no_limit(monkeypatch)
        await register(anna, "Anna")
        await register(ben, "Ben")
        server.app[SITE].limits.create.amount = 100
        games = [await anna.challenge(to="Ben") for _ in range(MAX_PER_PLAYER + 1)]
        await go(ben, "/account/delete", password=PASSWORD)
        await server.app[ACCOUNTS].merges.carry_out_all()
        found = [(await anna.get(f"/api/games/{game['id']}"))["reason"] for game in games]
        assert found == ["declined"] * len(games)

    async def test_who_is_blocked_keeps_no_challenge_of_others_out_of_sight(
        self, anna, ben, carla, server, monkeypatch
    ):
        no_limit(monkeypatch)
        for person, name in ((anna, "Anna"), (ben, "Ben"), (carla, "Carla")):
            await register(person, name)
        server.app[SITE].limits.create.amount = 100
        waiting = await carla.challenge(to="Anna")
        for _ in range(2 * MAX_PER_PLAYER):
            await ben.challenge(to="Anna")
        one, other = [await person.get("/api/me") for person in (anna, ben)]
        await server.app[SITE].live.ties.make_tie(one["id"], TieKind.BLOCKS, Player(other["id"], other["name"]))
        shown = (await anna.get("/api/me/challenges"))["challenges"]
        assert [one["game"] for one in shown] == [waiting["id"]]

    @pytest.mark.parametrize(
        ("name", "status", "code"), [("Anna", 400, "challenge_oneself"), ("Nobody", 400, "nobody_of_that_name")]
    )
    async def test_some_people_cannot_be_challenged(self, anna, name, status, code):
        await register(anna, "Anna")
        refused = await anna.post("/api/games", status, variant="chess", clock=BLITZ, to=name)
        assert refused["code"] == code

    async def test_a_guest_cannot_challenge_by_name(self, anna, ben):
        await register(ben, "Ben")
        refused = await anna.post("/api/games", 403, variant="chess", clock=BLITZ, to="Ben")
        assert refused["code"] == "challenge_registered"


async def test_challenges_from_ever_new_sessions_are_limited(anna, ben, server):
    await register(anna, "Anna")
    await register(ben, "Ben")
    limit, asker = server.app[SITE].limits.challenges, (await anna.get("/api/me"))["id"]
    for _ in range(limit.amount):
        limit.take(asker, server.app[SITE].now())
    await anna.post("/api/games", 429, variant="chess", clock=BLITZ, to="Ben")
    await anna.post("/api/games", 201, variant="chess", clock=BLITZ)
