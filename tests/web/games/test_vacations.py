"""Going on vacation and coming back, by the form and by the API, and who reads of it where."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from server.games.clocks.time_control import TimeControl
from server.games.clocks.vacations import Vacation, day_at, end_of
from server.games.player import DELETED_NAME, Player
from server.language import load_words
from server.realtime.services.account_merges import SETTLES_MS
from server.storage.tables.vacations import TakenVacation
from server.web.accounts.accounts import ACCOUNTS
from server.web.site import SITE
from tests.support.games import live_game, moved
from tests.support.web.accounts import PASSWORD, go, page_of, register

DAYS = TimeControl.correspondence(3)
ANNAS = "abcdefghij"


@pytest.fixture
def settings(settings, request):
    return settings.model_copy(update={"vacation_days": getattr(request, "param", 28)})


@pytest.fixture
async def members(anna, ben, server):
    """Two with accounts, who play a correspondence game in which Anna is to move."""
    await register(anna, "Annabel")
    await register(ben, "Benedict")
    white, black = [Player(me["id"], me["name"]) for me in [await one.get("/api/me") for one in (anna, ben)]]
    now = server.app[SITE].now()
    game = moved(replace(live_game(control=DAYS), id=ANNAS, white=white, black=black), "e2e4 e7e5", now=now)
    await server.app[SITE].store.create(game)
    return anna, ben


def today(server):
    return day_at(server.app[SITE].now())


async def ask(person, method, path="/api/me/vacation", **body):
    """The status and the answer."""
    more = {"json": body} if method == "POST" else {}
    async with person.http.request(method, path, **more) as answer:
        return answer.status, await answer.json()


async def game_of(server):
    return await server.app[SITE].store.load(ANNAS)


async def test_programs_go_away_change_the_day_and_come_back(members, server):
    anna, _ = members
    last = today(server) + timedelta(4)
    latest = (await ask(anna, "GET"))[1]["latest"]
    assert await ask(anna, "GET") == (200, {"until": None, "latest": latest, "days": 28, "left": 28})
    taken = {"until": last.isoformat(), "latest": latest, "days": 28, "left": 23}
    status, told = await ask(anna, "POST", until=last.isoformat())
    # Near New Year some of the days lie in the next one.
    assert (status, told | {"left": 23}) == (200, taken)
    assert (await game_of(server)).away == (end_of(last), 0)
    assert (await ask(anna, "POST", until=today(server).isoformat()))[1]["left"] == 27
    assert (await game_of(server)).away == (end_of(today(server)), 0)
    assert (await ask(anna, "DELETE"))[1] == {"until": None, "latest": latest, "days": 28, "left": 27}
    assert not (await game_of(server)).on_vacation


@pytest.mark.parametrize(
    ("until", "refusal"),
    [("2020-01-01", "vacation_in_the_past"), ("2999-01-01", "vacation_too_long"), ("soon......", "bad_request"),
     ("2030-02-30", "bad_request"), ("", "bad_request")],
)  # fmt: skip
async def test_another_day_is_refused_and_changes_nothing(members, server, until, refusal):
    anna, _ = members
    status, told = await ask(anna, "POST", until=until)
    assert (status, told["refusal"]) == (400, refusal)
    assert (await ask(anna, "GET"))[1]["until"] is None
    assert not (await game_of(server)).on_vacation


async def test_only_accounts_have_vacations(anna):
    for guest in (False, True):
        if guest:
            await anna.post("/api/guest")
        for method in ("GET", "POST", "DELETE"):
            status, told = await ask(anna, method, until="2030-01-01")
            assert (status, told["refusal"]) == (403, "not_registered")
        assert "Vacation" not in await page_of(anna, "/games/mine")


async def test_the_form_goes_away_and_comes_back(members, server):
    anna, _ = members
    assert "Go on vacation" in await page_of(anna, "/games/mine")
    last = today(server) + timedelta(4)
    assert await go(anna, "/games/mine/vacation", until=last.isoformat()) == "/games/mine"
    page = await page_of(anna, "/games/mine")
    english = load_words()["en"]
    assert f"You are away until {english.day(last)}" in page
    assert (await game_of(server)).on_vacation
    assert await go(anna, "/games/mine/vacation/end") == "/games/mine"
    assert "Go on vacation" in await page_of(anna, "/games/mine")
    assert not (await game_of(server)).on_vacation


async def test_a_form_that_is_refused_says_how_many_days_are_left_and_until_when(members):
    anna, _ = members
    latest = (await ask(anna, "GET"))[1]["latest"]
    status, page = await go(anna, "/games/mine/vacation", until="2999-01-01")
    assert status == 400
    assert "You have 28 days left" in page
    assert f"your last day away can be no later than {latest}." in page
    assert re.search("Chess against <a [^>]+>Benedict<", page)


async def test_everybody_who_sees_the_game_or_the_player_reads_until_when(members, carla, server):
    anna, ben = members
    last = today(server) + timedelta(4)
    await ask(anna, "POST", until=last.isoformat())
    said = f"away until {load_words()['en'].day(last)}"
    for path in ("/", "/games/mine", "/@/Annabel", "/@/Benedict"):
        assert said in await page_of(ben, path), path
    assert said in await page_of(carla, "/@/Annabel")
    assert said in await page_of(anna, "/@/Annabel")
    (listed,) = (await ben.get("/api/me/games"))["games"]
    assert (listed["away"], listed["left"]) == ({"white": end_of(last), "black": None}, None)
    async with carla.http.get(f"/{ANNAS}.txt") as answer:
        assert f"Annabel is {said}." in await answer.text()


async def test_ones_own_data_hold_the_vacations_and_a_deleted_account_has_none(members, server):
    anna, _ = members
    owner = (await anna.get("/api/me"))["id"]
    await ask(anna, "POST", until=today(server).isoformat())
    async with anna.http.get("/account/export") as answer:
        ((one),) = (await answer.json())["vacations"]
    assert one["until"].startswith((today(server) + timedelta(1)).isoformat())
    assert await go(anna, "/account/delete", password=PASSWORD) == "/sign-in?deleted"
    store = server.app[SITE].store
    await server.app[SITE].live.services.background.finish(5)
    assert await store.vacations.of(owner) == []
    assert (await game_of(server)).outcome is not None


async def test_what_another_process_let_in_before_a_deletion_is_forgotten_too(members, server, clock):
    """It may store a vacation, a game or a session after everything of theirs was forgotten."""
    anna, _ = members
    owner = (await anna.get("/api/me"))["id"]
    assert await go(anna, "/account/delete", password=PASSWORD) == "/sign-in?deleted"
    store, merges = server.app[SITE].store, server.app[ACCOUNTS].merges
    await server.app[SITE].live.services.background.finish(5)
    game = live_game(control=DAYS)
    await store.create(replace(game, id="written-la", white=Player(owner, "Annabel")))
    assert await store.vacations.begin(TakenVacation(owner, Vacation(clock(), clock() + 1)))
    clock.turn(SETTLES_MS - 1)
    await merges.carry_out_all()
    assert [merge.user for merge in await store.accounts.merges()] == [owner]
    clock.turn(1)
    await merges.carry_out_all()
    assert await store.accounts.merges() == []
    assert await store.vacations.of(owner) == []
    assert (await store.load("written-la")).white.name == DELETED_NAME


async def test_nobody_goes_away_and_comes_back_all_day(members):
    anna, _ = members
    asked = [(await ask(anna, "DELETE"))[0] for _ in range(31)]
    assert asked == [200] * 30 + [429]


@pytest.mark.parametrize("settings", [0], indirect=True)
async def test_a_site_whose_host_wants_no_vacations_shows_none(anna):
    await register(anna, "Annabel")
    assert "Vacation" not in await page_of(anna, "/games/mine")
    assert "vacation" not in await page_of(anna, "/protocol")
    for method in ("GET", "POST", "DELETE"):
        assert (await ask(anna, method, until="2030-01-01"))[0] == 404
