"""What somebody may do follows from who they are and where they sit, never from what they know or send (A12, A15)."""

import pytest

from server.web.site import SITE
from tests.support.web.accounts import register

COMMANDS = [
    {"t": "move", "ply": 2, "uci": "g1f3"},
    {"t": "move", "ply": 3, "uci": "g8f6"},
    {"t": "resign"},
    {"t": "abort"},
    *({"t": "offer", "kind": kind} for kind in ("draw", "takeback", "rematch", "adjourn")),
    {"t": "accept", "offer": 1},
    {"t": "decline", "offer": 1},
    {"t": "claim", "result": "win"},
    {"t": "claim", "result": "draw"},
    {"t": "ready"},
]


async def ask(socket, number, command):
    """The answer to this very command."""
    await socket.send({**command, "id": number})
    while (message := await socket.next()).get("id") != number:
        pass
    return message


@pytest.mark.row("A12")
@pytest.mark.usefixtures("unlimited")
async def test_knowing_the_address_of_a_game_gives_no_seat(server, anna, ben, carla, scale, counted):
    await carla.post("/api/guest")
    games = scale(200)
    for _ in range(games):
        game = await anna.challenge(move="e2e4")
        await ben.join(game)
        before = server.app[SITE].rounds.in_memory(game["id"]).game
        async with carla.follow(game) as socket:
            assert (await socket.next()).get("you") is None
            assert (await socket.move(1, "e7e5"))["code"] == "not_a_player"
        await carla.post(f"/api/games/{game['id']}/join", 403, secret="A" * 22)
        assert server.app[SITE].rounds.in_memory(game["id"]).game.plies == before.plies
    counted("games", games)


@pytest.mark.row("A15")
async def test_only_the_two_players_can_command_a_game(server, anna, ben, carla, visitor, counted):
    game = await anna.challenge(move="e2e4")
    await ben.join(game)
    async with ben.follow(game) as black:
        await black.next()
        assert (await black.move(1, "e7e5"))["t"] == "ok"
        assert (await ask(black, 99, {"t": "offer", "kind": "draw"}))["t"] == "ok"
    round_ = server.app[SITE].rounds.in_memory(game["id"])
    before = round_.game
    await carla.post("/api/guest")
    for stranger in (carla, await visitor()):
        async with stranger.follow(game) as socket:
            for number, command in enumerate(COMMANDS):
                assert (await ask(socket, number, command))["code"] == "not_a_player", command
    # A player's other game gives them no right here either: only the seat in this one does.
    other = await carla.challenge()
    async with carla.follow(other) as socket:
        await socket.hello(game["id"])
        assert (await ask(socket, 1, COMMANDS[0]))["code"] == "not_a_player"
    assert round_.game == before
    counted("commands", 2 * len(COMMANDS) + 1)


@pytest.mark.row("A15")
@pytest.mark.usefixtures("unlimited")
async def test_everybody_else_is_denied_what_belongs_to_one_person(anna, ben, carla, counted):
    await register(anna, "Anna")
    await register(ben, "Ben")
    await carla.post("/api/guest")
    clock = {"kind": "correspondence", "days": 3}
    seek = (await anna.post("/api/seeks", 201, variants=["grand"], clock=clock))["seek"]["id"]
    alert = (await anna.post("/api/alerts", 201, variants=["grand"]))["id"]
    asked = await anna.challenge(to="Ben")
    denied = 0
    for person, others in ((ben, {410, 403}), (carla, {410, 403})):
        for path in (f"/api/seeks/{seek}", f"/api/alerts/{alert}"):
            async with person.http.delete(path) as answer:
                assert answer.status in others, path
                denied += 1
        assert (await person.get("/api/alerts"))["alerts"] == []
    for path in ("join", "refuse"):
        assert (await carla.post(f"/api/games/{asked['id']}/{path}", 403))["code"] == "wrong_invitation"
    for path in ("/account/password", "/account/delete", "/account/sign-out-everywhere"):
        fields = {"password": "a good long one", "old": "a good long one", "new": "another good one"}
        async with carla.http.post(path, data=fields, allow_redirects=False) as answer:
            assert answer.headers["Location"] == "/sign-in?next=/account"
    for path in ("/account", "/account/export"):
        async with carla.http.get(path, allow_redirects=False) as answer:
            assert answer.status == 303
    assert [one["id"] for one in (await anna.get("/api/alerts"))["alerts"]] == [alert]
    assert [one["id"] for one in (await anna.get("/api/seeks"))["seeks"]] == [seek]
    counted("requests", denied + 7)
