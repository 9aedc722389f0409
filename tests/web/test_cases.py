"""The queue of reports at the desk: who is first, who looks into it, and what a verdict does."""

import re

import pytest

from server.games.desk import Role
from server.games.errors import NotAllowed
from server.games.people import Outcome, Report, ReportKind, weight_of
from server.games.player import Player
from server.storage.tables.reports import TAKEN_MS
from server.web.case_pages import SHOWN
from server.web.chat_pages import SHOWN_MS
from server.web.site import SITE
from tests.support.web.accounts import PASSWORD, go, page_of, register
from tests.support.web.desk import person_called, seat_at_desk

pytestmark = pytest.mark.usefixtures("unlimited")


@pytest.fixture
async def site(server, anna, ben):
    """Anna is its host, and Ben a moderator."""
    site = server.app[SITE]
    await seat_at_desk(site, anna, "Anna")
    await seat_at_desk(site, ben, "Ben", Role.MODERATOR)
    return site


async def reported(site, name, by="Ida", kind=ReportKind.INSULTS):
    about = await person_called(site, name)
    number = len(await site.store.reports.open(99))
    await site.store.reports.add(Report(f"r{number}{by}", Player(by, by), about, kind, "", f"Says {by}.", site.now()))
    return about.id


def test_more_people_and_those_who_were_right_weigh_more():
    def told(by, kind=ReportKind.INSULTS):
        return Report(f"{by}{kind}", Player(by, by), Player("k", "Kito"), kind, "", "Rude.", 1)

    one = weight_of([told("a")], {}, {})
    assert weight_of([told("a"), told("a", ReportKind.OTHER)], {}, {}) == one, "one person counts once"
    assert weight_of([told("a"), told("b")], {}, {}) > one
    assert weight_of([told("a")], {"a": (9, 9)}, {}) > one > weight_of([told("a")], {"a": (0, 9)}, {}) > 0
    assert weight_of([told(str(number)) for number in range(99)], {}, {}) == 100
    assert weight_of([told("a")], {}, {"a": 2}) == one > weight_of([told("a")], {}, {"a": 3}) > 0


async def test_of_two_who_take_a_case_one_has_it_for_a_while(site, anna, ben, carla, clock):
    await register(carla, "Carla")
    about = await reported(site, "Carla")
    for person in (anna, ben):
        assert await go(person, "/host/reports/take", about=about) == f"/host/reports?about={about}"
    assert "Yours until" in await page_of(anna, f"/host/reports?about={about}")
    assert "Anna looks into it" in await page_of(ben, f"/host/reports?about={about}")
    verdict = {"about": about, "read": str(site.now()), "outcome": "upheld"}
    assert (await go(ben, "/host/reports/close", **verdict))[0] == 409
    muted = {"id": "mute1", "person": about, "measure": "mute", "reason": "insult", "length": "1d", "sure": "yes"}
    assert (await go(ben, "/host/people", **muted, upheld=verdict["read"]))[0] == 409
    clock.turn(TAKEN_MS)
    assert await go(ben, "/host/reports/take", about=about) == f"/host/reports?about={about}"
    assert (await go(anna, "/host/reports/close", **verdict))[0] == 409
    assert await go(ben, "/host/reports/leave", about=about) == "/host/reports"
    assert await go(anna, "/host/reports/close", **verdict) == "/host/reports?done"


async def test_a_decision_closes_what_was_read_and_counts_for_who_reported(site, anna, carla, clock):
    await register(carla, "Carla")
    about = await reported(site, "Carla")
    read = site.now()
    clock.turn(1)
    await reported(site, "Carla", by="Late")
    muted = {"id": "mute1", "person": about, "measure": "mute", "reason": "insult", "length": "1d", "sure": "yes"}
    for _ in range(2):
        assert await go(anna, "/host/people", **muted, upheld=str(read)) == "/host/reports?done"
    assert [one.by.id for one in await site.store.reports.open(9)] == ["Late"], "which nobody has read yet"
    assert await site.store.reports.records_of({"Ida"}) == {"Ida": (1, 1)}
    verdict = {"about": about, "read": str(site.now()), "outcome": "not_upheld"}
    for _ in range(2):
        assert await go(anna, "/host/reports/close", **verdict) == "/host/reports?done"
    assert await site.store.reports.records_of({"Late", "Ida"}) == {"Late": (0, 1), "Ida": (1, 1)}
    (closed,) = await site.store.reports.by("Late")
    assert closed.outcome is Outcome.NOT_UPHELD
    assert {one.deed for one in await site.store.desk.log(site.now(), 2)} == {"report", "sanction"}


async def test_a_case_shows_what_somebody_told_who_has_deleted_their_account_since(site, anna, carla):
    await register(carla, "Carla")
    about = await reported(site, "Carla")
    await site.store.reports.forget("Ida")
    page = await page_of(anna, f"/host/reports?about={about}")
    assert "(deleted)" in page
    assert "Says Ida." in page, "what they wrote themselves is left as it is"


async def test_a_flood_of_reports_buries_none_of_somebody_who_reports_one_person(site, anna, carla, clock):
    await register(carla, "Carla")
    for number in range(SHOWN + 50):
        by, whom = Player(f"troll{number % 10}", "Troll"), Player(f"victim{number}", f"Victim{number}")
        told = Report(f"flood{number}", by, whom, ReportKind.CHEATING, "", "Cheats", site.now())
        await site.store.reports.add(told)
    clock.turn(1)
    await reported(site, "Carla")
    page = await page_of(anna, "/host/reports")
    assert page.count("?about=") == SHOWN
    assert page.index("Carla") < page.index("Victim")


async def test_a_case_weighs_the_same_on_its_own_page(site, anna):
    """What else its reporters have reported was left out there."""
    for number in range(5):
        told = Report(f"one{number}", Player("t", "Troll"), Player(f"v{number}", "V"), ReportKind.CHEATING, "", "x", 1)
        await site.store.reports.add(told)
    pages = [await page_of(anna, path) for path in ("/host/reports", "/host/reports?about=v0")]
    assert [set(re.findall(r"weight \d+", page)) for page in pages] == [{"weight 12"}] * 2


async def test_a_report_takes_along_what_was_said_in_the_game(site, anna, ben, carla):
    await register(carla, "Carla")
    clock = {"kind": "correspondence", "days": 3}
    made = await ben.post("/api/games", status=201, variant="chess", clock=clock, color="white")
    await carla.post(f"/api/games/{made['id']}/join", secret=made["secret"])
    found, speaker = await site.rounds.get(made["id"]), await person_called(site, "Carla")
    await site.rounds.post_message(found, speaker, "players", "You <b>patzer</b>!", site.now())
    await go(ben, "/report", game=made["id"], side="black", kind="insults", text="Rude.")
    await site.store.deletion.delete_games([made["id"]])
    assert "You &lt;b&gt;patzer&lt;/b&gt;!" in await page_of(anna, f"/host/reports?about={speaker.id}")


async def test_what_was_said_is_shown_for_a_week_with_the_way_to_a_decision(site, anna, ben, carla, clock):
    await register(carla, "Carla")
    days = {"kind": "correspondence", "days": 14}
    made = await ben.post("/api/games", status=201, variant="chess", clock=days, color="white")
    await carla.post(f"/api/games/{made['id']}/join", secret=made["secret"])
    found, speaker = await site.rounds.get(made["id"]), await person_called(site, "Carla")
    await site.rounds.post_message(found, speaker, "players", "You <b>patzer</b>!", site.now())
    page = await page_of(anna, "/host/chats")
    assert "You &lt;b&gt;patzer&lt;/b&gt;!" in page
    assert f"/host/people?person={speaker.id}&amp;place={made['id']}" in page
    assert 'value="mute_here"' in await page_of(anna, f"/host/people?person={speaker.id}&place={made['id']}")
    clock.turn(SHOWN_MS + 1)
    assert await go(anna, "/host/password", password=PASSWORD) == "/host"
    assert "patzer" not in await page_of(anna, "/host/chats")


async def test_a_word_that_is_held_back_is_said_nowhere_and_its_sayer_is_told(site, anna, ben, carla):
    await register(carla, "Carla")
    for _ in range(2):
        assert await go(anna, "/host/chats/words", words="Darn\r\nold  Goat\r\n", rev="0") == "/host/chats?done"
    assert (await go(ben, "/host/chats/words", words="other", rev="0"))[0] == 409, "Anna's would be lost"
    assert (await go(anna, "/host/chats/words", words="x" * 41, rev="1"))[0] == 403
    status, page = await go(carla, "/account/profile", text="You OLD GOAT!")
    assert (status, "“old goat”" in page) == (403, True)
    assert await go(carla, "/account/profile", text="Darning socks.") == "/@/Carla", "that is another word"
    made = await carla.post(
        "/api/games", status=201, variant="chess", clock={"kind": "correspondence", "days": 3}, color="white"
    )
    found, speaker = await site.rounds.get(made["id"]), await person_called(site, "Carla")
    with pytest.raises(NotAllowed, match="word_held"):
        await site.rounds.post_message(found, speaker, "players", "darn.", site.now())
    assert await go(anna, "/host/chats/words", words="", rev="1") == "/host/chats?done"
    await site.rounds.post_message(found, speaker, "players", "darn.", site.now())
    assert [one.detail for one in await site.store.desk.log(site.now(), 2)] == ["0", "2"]
