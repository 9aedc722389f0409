"""Looking for an opponent by HTTP and by the lobby's socket."""

from dataclasses import replace

import pytest

from server.web.budgets.buckets import RateLimit
from server.web.site import SITE
from tests.support.games import running_game
from tests.support.web.accounts import PASSWORD, go, register
from tests.support.web.lobby_socket import lobby_of
from tests.support.web.people import BLITZ

DAYS = {"kind": "correspondence", "days": 3}


async def seek(person, status=201, **wanted):
    return await person.post("/api/seeks", status, **{"variants": ["grand"], "clock": BLITZ, **wanted})


async def withdraw(person, seek_id):
    async with person.http.delete(f"/api/seeks/{seek_id}") as answer:
        return answer.status


async def test_a_seek_is_made_and_taken(anna, ben):
    made = (await seek(anna))["seek"]
    async with lobby_of(anna) as annas, lobby_of(ben) as bens:
        assert (await bens.next())["seeks"] == [made] == (await annas.next())["seeks"]
        taken = await ben.post(f"/api/seeks/{made['id']}/accept")
        assert await bens.next() == {"t": "seek_gone", "id": made["id"]} == await annas.next()
        assert await annas.next() == {"t": "paired", "game": taken["game"], "seek": made["id"]}
    record = await anna.get(f"/api/games/{taken['game']}")
    names = {record[side]["name"] for side in ("white", "black")}
    assert names == {(await anna.get("/api/me"))["name"], (await ben.get("/api/me"))["name"]}
    assert record["status"] == "live"
    assert (await ben.post(f"/api/seeks/{made['id']}/accept", 410))["code"] == "gone"


async def test_its_id_tells_nobody_the_id_of_the_game_to_come(anna, ben, carla):
    made = (await seek(anna))["seek"]
    asked = f"/api/seeks/{made['id']}/game"
    await anna.get(asked, 404)
    game = (await ben.post(f"/api/seeks/{made['id']}/accept"))["game"]
    assert game != made["id"]
    assert await anna.get(asked) == await ben.get(asked) == {"game": game}
    await carla.get(asked, 404)


async def test_who_asks_for_the_game_of_a_seek_pays_for_misses_only(anna, ben, carla, server):
    """A page that has lost its connection asks anew. A seek of an earlier release has the id of its game."""
    server.app[SITE].limits.misses = RateLimit(1, 60)
    made = (await seek(anna))["seek"]
    game = (await ben.post(f"/api/seeks/{made['id']}/accept"))["game"]
    for known in (made["id"], game) * 2:
        assert await anna.get(f"/api/seeks/{known}/game") == {"game": game}
    await carla.get(f"/api/seeks/{game}/game", 404)
    await carla.get(f"/api/seeks/{game}/game", 429)
    assert await anna.get(f"/api/seeks/{game}/game") == {"game": game}


async def test_a_game_that_has_the_id_already_is_not_taken_for_theirs(anna, ben, server):
    """It would be a fault of ours; then neither player lands on a stranger's board, and the lobby goes on."""
    store, made = server.app[SITE].store, (await seek(anna))["seek"]
    (standing,) = await store.seeks.open()
    waiting = standing.seek
    await store.create(replace(running_game(), id=waiting.game))
    assert (await ben.post(f"/api/seeks/{made['id']}/accept", 410))["code"] == "gone"
    assert await store.seeks.open() == [] == await store.seeks.taken()
    await seek(anna)
    assert (await seek(ben, 200))["game"] not in (waiting.game, made["id"])


async def test_two_who_seek_the_same_are_paired_at_once(anna, ben):
    await seek(anna, variants=[])
    game = (await seek(ben, 200, variants=["acedrex", "grand"]))["game"]
    assert (await anna.get(f"/api/games/{game}"))["variant"] in ("acedrex", "grand")


async def test_only_the_maker_can_withdraw_a_seek(anna, ben, carla):
    made = (await seek(anna, clock=DAYS))["seek"]
    await seek(ben)
    assert await withdraw(carla, made["id"]) == 403
    assert await withdraw(ben, made["id"]) == 410
    assert await withdraw(anna, made["id"]) == 200
    assert [one["clock"] for one in (await carla.get("/api/seeks"))["seeks"]] == [
        f"{BLITZ['initial']}+{BLITZ['increment']}"
    ]


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"variants": ["nonesuch"]}, "unknown_variant"),
        ({"variants": ["grand"], "chess960": True}, "no_chess960"),
        ({"variants": [], "chess960": True}, "bad_seek"),
        ({"variants": ["chess"] * 5}, "bad_request"),
        ({"clock": {"kind": "unlimited"}}, "bad_request"),
        ({"clock": {**BLITZ, "initial": 0, "increment": 0}}, "bad_clock"),
        ({"clock": {"kind": "correspondence", "days": 4}}, "bad_clock"),
        ({"clock": {"kind": "bank", "initial": 10, "increment": 1, "cap": 60}}, "bad_clock"),
        ({"clock": {**BLITZ, "black_initial": 60}}, "bad_seek"),
        ({"color": "green"}, "bad_request"),
        ({"fen": "x"}, "bad_request"),
    ],
)
async def test_an_impossible_seek_is_refused_with_a_sentence(anna, wanted, code):
    refused = await seek(anna, 400, **wanted)
    assert refused["code"] == code
    assert refused["message"].endswith(".")


async def test_a_guest_cannot_seek_a_rated_game(anna):
    assert (await seek(anna, 403, rated=True))["code"] == "registered_only"


async def test_the_lobbys_messages_are_published(anna):
    lobby = (await anna.get("/api/protocol"))["lobby"]
    assert set(lobby["outbound"]["discriminator"]["mapping"]) >= {"seeks", "seek_added", "seek_gone", "paired"}
    assert set(lobby["inbound"]["discriminator"]["mapping"]) == {"hi", "ping", "bye"}
    assert lobby["outbound"]["$defs"]["SeekView"]["required"] == ["id", "by", "name", "clock"]


async def test_no_seek_of_a_player_who_left_the_site_can_be_taken(anna, ben, server):
    assert await register(anna, "Anna") == "/?registered"
    made = (await seek(anna, clock=DAYS))["seek"]
    assert await go(anna, "/account/delete", password=PASSWORD) == "/sign-in?deleted"
    assert (await ben.get("/api/seeks"))["seeks"] == []
    assert await server.app[SITE].store.seeks.open() == []
    assert (await ben.post(f"/api/seeks/{made['id']}/accept", 410))["code"] == "gone"


async def test_the_seek_of_a_guest_ends_when_they_register(anna, ben):
    await seek(anna, clock=DAYS)
    assert await register(anna, "Anna") == "/?registered"
    assert (await ben.get("/api/seeks"))["seeks"] == []


@pytest.mark.usefixtures("clock")
async def test_reading_the_list_of_all_seeks_is_limited(anna, server):
    for _ in range(server.app[SITE].limits.reads.amount):
        await anna.get("/api/seeks")
    async with anna.http.get("/api/seeks") as answer:
        assert answer.status == 429


async def taken(maker, by):
    """The game of a seek that `by` takes from the list, as whoever has just played its maker can at once."""
    made = (await seek(maker))["seek"]
    return (await by.post(f"/api/seeks/{made['id']}/accept"))["game"]


async def test_after_three_aborts_a_guest_sees_how_long_to_wait_and_may_play_by_link(anna, ben):
    for _ in range(3):
        game = await taken(anna, by=ben)
        async with ben.follow({"id": game}) as socket:
            await socket.send({"t": "abort", "id": 1})
            await socket.until("ok")
    waiting = (await seek(anna))["seek"]
    refused = await ben.post(f"/api/seeks/{waiting['id']}/accept", 429)
    assert (refused["code"], "5 minutes" in refused["message"]) == ("paused_after_aborts", True)
    async with ben.http.post(
        "/api/seeks", json={"variants": ["grand"], "clock": BLITZ}, headers={"Accept-Language": "es"}
    ) as answer:
        assert (answer.status, answer.headers["Retry-After"]) == (429, "300")
        assert "5 minutos" in (await answer.json())["message"]
    await anna.join(await ben.challenge())


async def test_a_guest_with_a_new_cookie_waits_for_what_others_of_their_network_aborted(anna, visitor):
    for games in (2, 2, 1):
        other = await visitor()
        for _ in range(games):
            game = await taken(anna, by=other)
            async with other.follow({"id": game}) as socket:
                await socket.send({"t": "abort", "id": 1})
                await socket.until("ok")
    refused = await seek(await visitor(), 429)
    assert refused["code"] == "paused_after_aborts"
    await seek(anna)
