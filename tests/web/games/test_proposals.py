"""Games that somebody proposes to two others by name: both must accept, one after the other, and nobody is pestered."""

import json
import re

import pytest

from server.games.clocks.time_control import DAY_MS
from server.realtime.play.meetings import MAX_OF_ONE
from server.web.accounts.accounts import ACCOUNTS
from server.web.budgets.buckets import RateLimit
from server.web.site import SITE
from tests.support.web.accounts import PASSWORD, go, page_of, register
from tests.support.web.lobby_socket import lobby_of

DAYS = {"kind": "correspondence", "days": 3}


async def propose(person, first="Anna", second="Ben", status=201, **more):
    terms = {"variant": "chess", "clock": DAYS, "players": "others", "between": [first, second]} | more
    return await person.post("/api/games", status, **terms)


@pytest.fixture
async def members(anna, ben, carla):
    for person, name in ((anna, "Anna"), (ben, "Ben"), (carla, "Carla")):
        await register(person, name)
    return anna, ben, carla


async def asked(person):
    """The games that the front page offers this person to accept."""
    async with person.http.get(f"{person.site}/") as answer:
        shown = (await answer.text()).partition('id="challenges-list"')[2].partition("</ul>")[0]
    return [part[:10] for part in shown.split('href="/')[1:]]


async def test_the_second_is_asked_once_the_first_has_accepted_and_then_it_begins(members):
    anna, ben, carla = members
    made = await propose(carla, color="white")
    assert made == {"id": made["id"], "url": f"/{made['id']}", "asked": ["Anna", "Ben"]}
    assert (await asked(anna), await asked(ben), await asked(carla)) == ([made["id"]], [], [])
    assert (await anna.post(f"/api/games/{made['id']}/join"))["color"] == "white"
    assert (await anna.get(f"/api/games/{made['id']}"))["status"] == "open"
    assert (await asked(anna), await asked(ben)) == ([], [made["id"]])
    assert (await ben.post(f"/api/games/{made['id']}/join"))["color"] == "black"
    record = await carla.get(f"/api/games/{made['id']}")
    assert (record["status"], record["white"]["name"], record["black"]["name"]) == ("live", "Anna", "Ben")


async def test_either_may_decline_and_the_second_is_not_asked_then(members):
    anna, ben, carla = members
    made = await propose(carla, color="white")
    await anna.post(f"/api/games/{made['id']}/refuse")
    assert (await asked(anna), await asked(ben)) == ([], [])
    assert (await ben.post(f"/api/games/{made['id']}/join", 403))["code"] == "over"
    again = await propose(carla, color="black")
    assert await asked(ben) == [again["id"]]
    await ben.post(f"/api/games/{again['id']}/join")
    await anna.post(f"/api/games/{again['id']}/refuse")
    assert (await ben.get(f"/api/games/{again['id']}"))["reason"] == "declined"


async def test_nobody_else_takes_a_seat_nor_declines(members):
    _, _, carla = members
    made = await propose(carla)
    assert (await carla.post(f"/api/games/{made['id']}/join", 403))["code"] == "wrong_invitation"
    assert (await carla.post(f"/api/games/{made['id']}/refuse", 403))["code"] == "wrong_invitation"


async def test_a_note_that_a_crash_left_with_the_first_goes_to_the_second(members, server):
    anna, ben, carla = members
    made = await propose(carla, color="white")
    await anna.post(f"/api/games/{made['id']}/join")
    account = await server.app[SITE].store.accounts.find("Anna")
    await server.app[SITE].store.challenges.pass_on(made["id"], account.user, 1)
    for _ in range(MAX_OF_ONE):
        await ben.post("/api/games", 201, variant="chess", clock=DAYS, to="Anna")
    await carla.post("/api/games", 201, variant="chess", clock=DAYS, to="Anna")
    assert await asked(ben) == []
    assert made["id"] not in await asked(anna)
    assert await asked(ben) == [made["id"]]


async def test_nobody_waits_for_a_second_who_has_left(members, server):
    anna, ben, carla = members
    made = await propose(carla, color="white")
    await go(ben, "/account/delete", password=PASSWORD)
    await server.app[ACCOUNTS].merges.carry_out_all()
    await anna.post(f"/api/games/{made['id']}/join")
    record = await anna.get(f"/api/games/{made['id']}")
    assert (record["status"], record["reason"]) == ("over", "declined")


async def test_who_may_propose_what(members, visitor):
    _, _, carla = members
    assert (await propose(carla, "Anna", "anna", 400))["refusal"] == "pair_alike"
    assert (await propose(carla, "Anna", "Carla", 400))["refusal"] == "pair_oneself"
    assert (await propose(carla, "Anna", "Nobody99", 400))["refusal"] == "nobody_called"
    assert (await propose(carla, status=400, to="Anna"))["code"] == "bad_request"
    assert (await propose(carla, status=400, move="e2e4"))["code"] == "bad_request"
    assert (await propose(carla, status=400, players="me"))["code"] == "bad_request"
    guest = await visitor()
    await guest.post("/api/guest")
    assert (await propose(guest, status=403))["refusal"] == "challenge_registered"


@pytest.mark.parametrize("which", ["by one", "to two", "to one"])
async def test_nobody_is_pestered(members, server, which):
    _, _, carla = members
    limits = server.app[SITE].limits
    by_one, to_two, to_one = (2 if one == which else 10**6 for one in ("by one", "to two", "to one"))
    limits.proposals = RateLimit(by_one, DAY_MS // 1000, shared=to_one)
    limits.proposals_to_two = RateLimit(to_two, DAY_MS // 1000)
    for first, second in (("Anna", "Ben"), ("Ben", "Anna")):
        await propose(carla, first, second)
    assert (await propose(carla, status=429))["refusal"] == "rate"


async def shown(person, game, path=""):
    async with person.http.get(f"{person.site}/{game['id']}{path}") as answer:
        return await answer.text()


async def names_told(person, game):
    """The names that the page of a game and its socket give: who is asked, and who next. Both say the same."""
    block = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', await shown(person, game), re.S)
    async with person.follow(game) as socket:
        sent = await socket.until("snapshot")
    first = json.loads(block[1])["snapshot"]
    told = [[snapshot.get(key, {}).get("name") for key in ("asked", "asked_next")] for snapshot in (first, sent)]
    assert told[0] == told[1]
    assert "asked" in first
    return told[0]


@pytest.mark.parametrize("accepted", [False, True])
async def test_only_the_two_read_their_names_until_one_has_agreed(members, visitor, accepted):
    anna, ben, carla = members
    made = await propose(carla, color="white")
    if accepted:
        # Ben is challenged by name then, as anybody is.
        await anna.post(f"/api/games/{made['id']}/join")
    names = ["Ben", None] if accepted else ["Anna", "Ben"]
    for person in (anna, ben):
        assert await names_told(person, made) == names
    for person in (carla, await visitor()):
        assert await names_told(person, made) == (names if accepted else [None, None])
        assert ("Anna" in await shown(person, made)) == accepted


@pytest.mark.parametrize("path", ["", ".txt"])
async def test_nobody_else_is_told_to_take_a_seat(members, path):
    made = await propose(members[2])
    said = await shown(members[2], made, path)
    assert "take a seat" not in said
    assert "proposed to two people" in said


async def proposer_told(person, game):
    """Who proposes the game, as its page and its socket tell this person; both say the same."""
    block = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', await shown(person, game), re.S)
    async with person.follow(game) as socket:
        sent = (await socket.until("snapshot")).get("proposed_by")
    assert json.loads(block[1])["snapshot"].get("proposed_by") == sent
    return sent


async def test_each_of_the_two_reads_who_proposes_the_game_and_nobody_else(members):
    anna, ben, carla = members
    made = await propose(carla, color="white")
    assert [await proposer_told(person, made) for person in members] == ["Carla", "Carla", None]
    assert "proposed by Carla" in await page_of(anna, "/")
    await anna.post(f"/api/games/{made['id']}/join")
    assert [await proposer_told(person, made) for person in (ben, carla)] == ["Carla", None]
    assert "proposed by Carla" in await page_of(ben, "/")
    await ben.post(f"/api/games/{made['id']}/join")
    assert [await proposer_told(person, made) for person in members] == [None] * 3


async def test_open_pages_of_each_are_told_who_proposes_the_game(members):
    anna, ben, carla = members
    async with lobby_of(anna) as hers, lobby_of(ben) as his:
        for page in (hers, his):
            await page.next()
        made = await propose(carla, color="white")
        told = {"t": "challenged", "game": made["id"], "proposer": "Carla"}
        assert await hers.next() == {**told, "by": "Ben", "proposed": True}
        await anna.post(f"/api/games/{made['id']}/join")
        assert await his.next() == {**told, "by": "Anna"}


async def test_who_has_left_the_site_is_not_named_any_more(members, server):
    anna, _, carla = members
    made = await propose(carla, color="white")
    await go(carla, "/account/delete", password=PASSWORD)
    await server.app[ACCOUNTS].merges.carry_out_all()
    assert await proposer_told(anna, made) is None
    assert "Carla" not in str(await server.app[SITE].store.load(made["id"]))
    assert await asked(anna) == [made["id"]]


async def test_nothing_that_somebody_proposes_waits_for_whoever_has_blocked_them(members):
    anna, _, carla = members
    await propose(carla, color="white")
    await go(anna, "/@/Carla/block")
    assert await asked(anna) == []
