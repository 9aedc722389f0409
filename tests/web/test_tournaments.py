"""Tournaments by their forms: who may do what, what is refused and why, and what the page is told."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count

import pytest

from server.games.clocks.time_control import TimeControl
from server.games.desk import Role
from server.games.player import Player
from server.games.sanctions import Measure, Reason, Sanction
from server.games.tournaments.tournament import (
    MINUTE_MS,
    MOST_OPEN,
    NEVER,
    Entrant,
    Placing,
    Standing,
    Tournament,
    TournamentTerms,
)
from server.realtime.services.desk import give_role
from server.realtime.tournaments import NEXT_MS, NextTournament
from server.storage.errors import Unavailable
from server.web.site import SITE
from server.web.tournaments import MOST_LISTED, NewTournament, asked_dates
from tests.support.games import START
from tests.support.web.accounts import go, page_of, register
from tests.support.web.desk import ROOT, appoint

TERMS = {"key": "abcdefgh12", "variant": "chess", "clock": "180+2", "starts": "5", "lasts": "30"}
DATES = "2027-01-15 19:30\n\n2027-01-22T20:00"
BLITZ, DAYS = TimeControl.realtime(180_000, 2_000), TimeControl.correspondence(3)
ACTS = ("join", "pause", "leave", "again", "berserk", "end", "out")


async def unavailable(*_):
    raise Unavailable("the store is away")


@pytest.fixture
async def cup(server, anna):
    """The path of a tournament that Anna has announced."""
    await register(anna, "Anna")
    return await go(anna, "/tournaments", **TERMS, rated="yes")


async def standing_of(server, cup, name):
    view = await server.app[SITE].live.tournaments.look(cup.rpartition("/")[2])
    return next((one.standing for one in view.entrants.values() if one.person.name == name), None)


async def test_a_profile_says_what_somebody_has_come_to_by_format(server, cup, anna, ben):
    store, live = server.app[SITE].store.tournaments, server.app[SITE].live
    assert 'id="tournaments"' not in await page_of(ben, "/@/Anna")
    view = await live.tournaments.look(cup.rpartition("/")[2])
    organiser = view.tournament.organiser
    for number, format in enumerate(("arena", "swiss", *["robin"] * 6)):
        terms = replace(view.tournament.terms, format=format, name=f"<{format} {number}>")
        made = replace(view.tournament, id=f"done{number}", terms=terms, event=f"done{number}", over=START + number)
        await store.open_section(made)
        await store.keep_entrant(made.id, None, Entrant(organiser, 1500, False, START))
        await store.keep_placings(made, {organiser.id: Placing(number + 1, 12, 7, START + number)})
    page = await page_of(ben, "/@/Anna")
    assert all(words in page for words in ("&lt;arena 0&gt;", "&lt;swiss 1&gt;", "1/12", "2/12"))
    robins = re.findall(r"&lt;robin (\d)&gt;", page)
    assert robins == ["7", "6", "5", "4", "3"]
    hidden = Sanction("s", organiser, Measure.HIDE, Reason.SPAM, "", "", ROOT, live.services.now())
    live.services.sanctions.replace_all([hidden], [])
    assert "&lt;arena 0&gt;" not in await page_of(ben, "/@/Anna")


SWISS = {**TERMS, "key": "swiss12345", "format": "swiss", "rounds": "3", "name": "Cup"}


async def test_rounds_at_dates_ties_in_an_order_and_who_are_kept_apart_are_announced_and_told(server, anna, ben):
    await register(anna, "Anna")
    await register(ben, "Ben")
    path = await go(
        anna, "/tournaments", **SWISS, rest="weekly", tie1="sonneborn", tie2="won", apart="BEN, anna\nzoe,anna"
    )
    for one in (anna, ben):
        await go(one, f"{path}/join")
    terms = (await server.app[SITE].live.tournaments.look(path.rpartition("/")[2])).tournament.terms
    week = 7 * 24 * 60 * MINUTE_MS
    assert terms.dates == (terms.starts + week, terms.starts + 2 * week)
    assert (terms.ties, terms.apart) == (("sonneborn", "won"), (("ben", "anna"), ("zoe", "anna")))
    page = await page_of(ben, path)
    assert "The rounds after the first begin (UTC): " in page
    assert "Equal points: Sonneborn-Berger, games won; then the higher rating." in page
    assert "Never paired, as the organiser has it: Ben – Anna." in page
    assert "zoe" not in page  # nobody is named who has not joined
    assert "S.-B." in page
    table = json.loads(await page_of(ben, f"{path}.json"))
    assert table["dates"] == list(terms.dates)
    assert [sorted(one["ties"]) for one in table["table"]] == [["sonneborn", "won"]] * 2
    written = await go(anna, "/tournaments", **{**SWISS, "key": "swiss22222"}, rest="dates", dates=DATES)
    assert written.startswith("/tournament/")


def test_rounds_begin_at_the_same_time_by_the_organiser_s_clock_also_when_summer_time_has_begun():
    friday = datetime(2027, 3, 26, 18, tzinfo=UTC)  # 19:00 in Madrid, where summer time begins on Sunday
    starts, hour = round(friday.timestamp() * 1000), 60 * MINUTE_MS
    form = NewTournament.model_validate({**SWISS, "zone": "-60", "zones": "-60 -120 -120"})
    daily, weekly = (asked_dates(form.model_copy(update={"rest": one}), starts, 4) for one in ("daily", "weekly"))
    assert [at - starts for at in daily] == [24 * hour, 47 * hour, 71 * hour]
    assert weekly[1] - weekly[0] == 7 * 24 * hour - hour
    lines = form.model_copy(update={"rest": "dates", "dates": "2027-03-27 19:00\n2027-03-28 19:00\n2027-03-29 19:00"})
    assert asked_dates(lines, starts, 4) == daily
    assert asked_dates(lines.model_copy(update={"zone": "0", "zones": ""}), starts, 2)[0] == starts + 25 * hour


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"rest": "dates"}, "in a line of its own"),
        ({"rest": "dates", "dates": "2027-13-15 19:30"}, "in a line of its own"),
        ({"rest": "dates", "dates": "2027-01-15 19:30+02:00\n2027-01-16 19:30Z"}, "in a line of its own"),
        ({"rest": "dates", "dates": "2027-01-15 19:30"}, "a date each"),
        ({"rest": "dates", "dates": "2027-01-15 19:30\n2027-01-15 19:35"}, "a date each"),
        ({"rest": "dates", "dates": "2027-01-15 19:30\n2028-01-15 19:35"}, "a date each"),
        ({"tie1": "won", "tie2": "won"}, "each once"),
        ({"apart": "Anna"}, "two people or more"),
        ({"apart": "anna Anna"}, "two people or more"),
    ],
)
async def test_a_swiss_is_refused_with_the_reason(anna, changed, words):
    await register(anna, "Anna")
    status, page = await go(anna, "/tournaments", **{**SWISS, **changed})
    assert (status, words in page) == (400, True)


PARTS = {"running": -900_000, "coming": 900_000, "finished": -3_600_000, "sections": 0}
"""Where a tournament is listed, and when such a one begins from now."""


async def announce_stored(kept, part, number, organiser, now):
    """One more in that part of the list, below those with a lower number."""
    after = -number if part in ("finished", "sections") else number
    starts, over = now + PARTS[part] + after, now + after - 1_000 if part == "finished" else 0
    arena = TournamentTerms("Cup", "arena", "chess", False, BLITZ, False, starts, 60)
    made = Tournament(f"many{number:06}", organiser, arena, now, starts + 3_600_000, over)
    if part == "sections":
        terms = replace(arena, format="robin", control=DAYS, starts=NEVER, minutes=0, size=4)
        made = replace(made, terms=terms, created=now + after, ends=NEVER, event=made.id, stage=1, section=1)
    assert await kept.open_section(made)
    return made


@pytest.mark.parametrize("part", PARTS)
async def test_whoever_announces_many_hides_nobody_else_s(server, part):
    """All that six people can announce comes before what one other person has, whoever reads the list."""
    site = server.app[SITE]
    kept, tournaments, now = site.store.tournaments, site.live.tournaments, site.now()
    trolls = [Player(f"troll{number}", f"Troll{number}") for number in range(6)]
    for number in range(MOST_OPEN * len(trolls)):
        await announce_stored(kept, part, number, trolls[number % len(trolls)], now)
    only = await announce_stored(kept, part, 99, Player("zoe", "Zoe"), now)
    for name in ("Ben", "Carla"):
        await kept.keep_entrant(only.id, None, Entrant(Player(name.lower(), name), 1500, False, now))
    for reader in ("", "zoe", "ben", "troll1"):
        found = getattr(await tournaments.listed(MOST_LISTED, reader), part)
        assert len(found) == MOST_LISTED
        assert found[-1].id == only.id, reader
    if part in ("running", "coming"):
        assert (await tournaments.next_up()).tournament.id == only.id


async def test_pressing_twice_announces_one_and_nobody_else_s_key_is_the_same(server, cup, anna, ben):
    assert cup == await go(anna, "/tournaments", **TERMS, rated="yes")
    await register(ben, "Ben")
    assert cup != await go(ben, "/tournaments", **TERMS)
    listed = await server.app[SITE].live.tournaments.listed(9)
    assert len(listed.coming) == 2


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"clock": "own", "minutes": "30", "lasts": "own", "length": "20"}, "must fit into the tournament"),
        ({"starts": "at"}, "which date and time"),
        ({"starts": "at", "at": "2020-01-01T20:00"}, "at least one minute from now"),
        ({"starts": "at", "at": "2026-02-30T12:00"}, "which date and time"),
        ({"starts": "0"}, "at least one minute from now"),
        ({"lasts": "5"}, "lasts from 10 to"),
        ({"lasts": "own", "length": ""}, "lasts from 10 to"),
        ({"variant": "nothing"}, "variant"),
        ({"clock": "own", "minutes": "", "seconds": ""}, "clock"),
        ({"lowest": "2000", "highest": "1000"}, "rating"),
    ],
)
async def test_what_cannot_be_announced_is_refused_with_a_sentence_and_the_form_as_it_was(anna, changed, words):
    await register(anna, "Anna")
    status, page = await go(anna, "/tournaments", **{**TERMS, "name": "Thursday", **changed})
    assert status in (400, 409)
    assert words in page
    assert 'value="Thursday"' in page


async def test_a_name_is_text_on_one_line(anna):
    await register(anna, "Anna")
    cup = await go(anna, "/tournaments", **TERMS, name="<b>Bold\u202e\n cup</b>")
    page = await page_of(anna, cup)
    assert "&lt;b&gt;Bold cup&lt;/b&gt;" in page
    assert "<b>Bold" not in page


@pytest.mark.parametrize("act", ACTS)
async def test_only_accounts_act_and_only_the_organiser_manages(server, cup, anna, ben, carla, act):
    said = {"name": "Ben"} if act == "out" else {}
    assert (await go(carla, f"{cup}/{act}", **said)).startswith("/sign-in")
    await register(ben, "Ben")
    assert await go(ben, f"{cup}/join") == cup
    if act in ("end", "out"):
        assert (await go(ben, f"{cup}/{act}", **said))[0] == 403
        assert await standing_of(server, cup, "Ben") is Standing.IN
        assert await go(anna, f"{cup}/{act}", **said) == cup
    elif act == "berserk":
        assert (await go(ben, f"{cup}/{act}"))[0] == 403
    else:
        assert await go(ben, f"{cup}/{act}") == cup
    expected = {"pause": Standing.PAUSED, "leave": Standing.LEFT, "out": Standing.OUT}
    assert await standing_of(server, cup, "Ben") is expected.get(act, Standing.IN)


async def test_organisers_of_the_site_end_what_others_have_announced(server, cup, ben):
    site = server.app[SITE]
    await register(ben, "Ben")
    await give_role(site.store.desk, Player("root-id", "Root"), Role.HOST, ROOT, site.now())
    await appoint(site, "Ben", Role.ORGANISER)
    assert await go(ben, f"{cup}/end") == cup
    assert "The tournament was cancelled" in await page_of(ben, cup)
    assert (await go(ben, f"{cup}/join"))[0] == 403


async def test_who_is_taken_out_stays_out_and_reads_so(cup, anna, ben):
    await register(ben, "Ben")
    await go(ben, f"{cup}/join")
    assert (await go(anna, f"{cup}/out", name="Nobody"))[0] == 404
    assert await go(anna, f"{cup}/out", name="ben") == cup
    status, page = await go(ben, f"{cup}/join")
    assert status == 403
    assert "The organiser has taken you out" in page


async def test_there_is_nothing_at_an_id_that_nobody_has(anna):
    await register(anna, "Anna")
    for path in ("/tournament/0000000000", "/tournament/0000000000/now"):
        async with anna.http.get(path) as answer:
            assert answer.status == 404
    for act in ACTS:
        assert (await go(anna, f"/tournament/0000000000/{act}", **({"name": "x"} if act == "out" else {})))[0] == 404


async def test_the_script_is_told_what_the_page_shows(server, cup, anna, ben):
    await register(ben, "Ben")
    await go(ben, f"{cup}/join")
    async with ben.http.get(f"{cup}/now") as answer:
        told = await answer.json()
    assert [row["name"] for row in told["table"]["rows"]] == ["Ben"]
    assert told["mine"]["acts"] == ["leave"]
    assert told["mine"]["title"] in await page_of(ben, cup)
    async with anna.http.get(f"{cup}/now?page=7") as answer:
        assert (await answer.json())["table"]["page"] == 1
    async with anna.http.get(f"{cup}/now?page=x") as answer:
        assert answer.status == 400


async def test_the_front_page_names_the_tournament_that_is_played_or_begins_within_a_day(
    server, clock, anna, ben, carla, monkeypatch
):
    assert "next-cup" not in await page_of(carla, "/")
    for person, name in ((anna, "Anna"), (ben, "Ben")):
        await register(person, name)
    cup = await go(anna, "/tournaments", **TERMS, name="<i>Friday</i>")
    clock.turn(NEXT_MS)
    for reader in (carla, anna):
        page = await page_of(reader, "/")
        assert f'href="{cup}"' in page
        assert "&lt;i&gt;Friday&lt;/i&gt;" in page
        assert "0 joined" in page
    await go(ben, f"{cup}/join")
    clock.turn(NEXT_MS)
    assert "1 joined" in await page_of(carla, "/")
    clock.turn(5 * 60_000)
    assert "next-cup" not in await page_of(carla, "/")  # nobody to play with
    await go(anna, f"{cup}/join")
    clock.turn(NEXT_MS)
    page = await page_of(carla, "/")
    assert "data-ms" not in page.partition("next-cup")[2].partition("</a>")[0]
    live = server.app[SITE].live.tournaments
    monkeypatch.setattr(live._services.store.tournaments, "all_begun", unavailable)
    clock.turn(NEXT_MS)
    assert "next-cup" not in await page_of(carla, "/")


async def test_the_front_page_is_kept_under_the_tournament_that_it_names(server, clock, anna, carla, monkeypatch):
    await register(anna, "Anna")
    cups = [await go(anna, "/tournaments", **{**TERMS, "key": f"abcdefgh{n}", "name": f"Cup {n}"}) for n in range(2)]
    found = [await server.app[SITE].store.tournaments.find_tournament(one.rpartition("/")[2]) for one in cups]
    live, turn = server.app[SITE].live.tournaments, count()

    async def another_each_time():
        return NextTournament(found[next(turn) % 2], 0, False)

    monkeypatch.setattr(live, "next_up", another_each_time)
    for n in (0, 1, 0, 1):
        assert f"Cup {n}" in await page_of(carla, "/")


async def test_your_data_have_what_you_announced_joined_and_did(cup, anna, ben):
    await register(ben, "Ben")
    id = cup.rpartition("/")[2]
    await go(ben, f"{cup}/join")
    await go(anna, f"{cup}/out", name="Ben")
    async with anna.http.get("/account/export") as answer:
        hers = (await answer.json())["tournaments"]
    async with ben.http.get("/account/export") as answer:
        his = (await answer.json())["tournaments"]
    assert [one["id"] for one in hers["announced"]] == [id]
    assert [(one["id"], one["kind"], one["about"]) for one in hers["acts"]] == [(id, "out", "Ben")]
    assert [(one["id"], one["standing"]) for one in his["joined"]] == [(id, "out")]
    assert (hers["joined"], his["announced"], his["acts"]) == ([], [], [])


async def test_a_tournament_of_next_week_is_not_on_the_front_page(clock, anna):
    await register(anna, "Anna")
    day = datetime.fromtimestamp(clock.at / 1_000 + 8 * 86_400, UTC)
    await go(anna, "/tournaments", **{**TERMS, "starts": "at", "at": f"{day:%Y-%m-%dT%H:%M}"})
    clock.turn(NEXT_MS)
    assert "next-cup" not in await page_of(anna, "/")
