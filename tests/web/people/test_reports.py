"""Telling the host about somebody by the form of the site, and how the host reads it."""

import asyncio

import pytest

from server.games.people import LONGEST_REPORT, MAX_TIES, TieKind
from server.games.player import DELETED_NAME, Player
from server.storage.admin_commands import CloseReport, ListReports
from server.web.operation import housekeeping
from server.web.operation.host_commands import MOST_REPORTS, report_list
from server.web.site import SITE
from tests.support.web.accounts import PASSWORD, go, page_of, register
from tests.support.web.budgets import BUDGETS


@pytest.fixture
async def ben_is_known(ben):
    assert await register(ben, "Ben") == "/?registered"


async def tell(person, text="They insulted me.", kind="insults", **whom):
    return await go(person, "/report", kind=kind, text=text, **(whom or {"name": "Ben"}))


async def open_reports(server):
    return list(await server.app[SITE].store.reports.open(MOST_REPORTS))


async def host_asks(server, command):
    """What a command of the host is answered by the running server."""
    answers = asyncio.Queue()

    class Orders:
        def reply(self, _, text):
            answers.put_nowait(text)

    await housekeeping.answer_command(server.app[SITE], Orders(), "1", command)
    return await answers.get()


@pytest.mark.usefixtures("ben_is_known")
async def test_the_host_reads_what_somebody_tells_until_it_is_closed(anna, server):
    await register(anna, "Anna")
    page = await page_of(anna, "/report?name=Ben")
    assert "Report Ben" in page
    assert await tell(anna, "First.\r\n<b>Second.</b>\x1b[31m") == "/report?sent"
    assert "Thank you." in await page_of(anna, "/report?sent")
    (stored,) = await open_reports(server)
    listed = await host_asks(server, ListReports())
    assert f"{stored.id}  " in listed
    assert "about Ben" in listed
    assert "/@/Ben\n  by Anna (" in listed
    assert "  | First.\n  | <b>Second.</b> [31m\n" in listed
    assert await host_asks(server, CloseReport(stored.id)) == "yes"
    assert await host_asks(server, CloseReport(stored.id)) == ""
    assert await host_asks(server, ListReports()) == report_list([], "") == "There are no open reports.\n"


async def test_a_guest_in_a_game_can_be_reported_and_blocked_by_a_guest(anna, ben, server):
    game = await anna.challenge()
    await ben.join(game)
    guest = await ben.get("/api/me")
    link = f'href="/report?game={game["id"]}&amp;side=black"'
    assert link in await page_of(anna, f"/{game['id']}")
    assert link not in await page_of(ben, f"/{game['id']}")
    assert f"Report {guest['name']}" in await page_of(anna, f"/report?game={game['id']}&side=black")
    assert await tell(anna, game=game["id"], side="black", also_block="yes") == "/report?sent"
    (stored,) = await open_reports(server)
    assert (stored.about.id, stored.game) == (guest["id"], game["id"])
    assert game["id"] in await host_asks(server, ListReports())
    annas = (await anna.get("/api/me"))["id"]
    (tie,) = await server.app[SITE].store.ties.of(annas)
    assert (tie.kind, tie.other.id) == (TieKind.BLOCKS, guest["id"])


@pytest.mark.usefixtures("ben_is_known")
@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"text": "x" * (LONGEST_REPORT + 1)}, 400),
        ({"text": " \u200b \n "}, 403),
        ({"kind": "gossip"}, 400),
        ({"name": "Nobody"}, 404),
        ({"name": "", "game": "0123456789", "side": "white"}, 404),
        ({"name": ""}, 404),
    ],
)
async def test_what_says_nothing_or_too_much_or_is_about_nobody_is_refused(anna, server, wrong, status):
    sent = {"name": "Ben", "kind": "other", "text": "Text", **wrong}
    assert (await go(anna, "/report", **sent))[0] == status
    assert await open_reports(server) == []


@pytest.mark.usefixtures("ben_is_known")
async def test_what_was_written_is_shown_again_as_text_when_it_is_refused(ben):
    status, page = await tell(ben, "</textarea><b>me</b>")
    assert status == 403
    assert "You cannot report yourself." in page
    assert "&lt;/textarea&gt;&lt;b&gt;me&lt;/b&gt;" in page


@pytest.mark.usefixtures("ben_is_known")
async def test_nobody_is_offered_to_block_whom_they_have_blocked(anna):
    block = 'name="also_block"'
    assert block in await page_of(anna, "/report?name=Ben")
    assert await go(anna, "/@/Ben/block") == "/@/Ben"
    assert block not in await page_of(anna, "/report?name=Ben")
    assert await go(anna, "/@/Ben/unblock") == "/@/Ben"
    assert block in await page_of(anna, "/report?name=Ben")


@pytest.mark.usefixtures("ben_is_known")
async def test_nothing_is_told_unless_all_of_the_form_was_done(anna, server, monkeypatch):
    monkeypatch.setitem(MAX_TIES, TieKind.BLOCKS, 0)
    status, page = await tell(anna, name="Ben", also_block="yes")
    assert (status, "Unblock somebody first." in page) == (403, True)
    assert await open_reports(server) == []
    assert await tell(anna) == "/report?sent"


@pytest.mark.usefixtures("clock")
async def test_games_are_guessed_by_the_form_no_faster_than_by_their_pages(anna):
    ids = [f"{number:010}" for number in range(60)]
    for game in ids:
        async with anna.http.get("/report", params={"game": game, "side": "white"}) as answer:
            assert answer.status == 404
    for path in (f"/report?game={ids[0]}&side=black", f"/{ids[0]}"):
        async with anna.http.get(path) as answer:
            assert answer.status == 429
    assert BUDGETS["GET /report"].address == BUDGETS["GET /{game}"].address == BUDGETS["POST /report"].address


@pytest.mark.usefixtures("ben_is_known")
async def test_a_thousand_characters_of_any_kind_are_taken(anna, server):
    assert await tell(anna, "é" * LONGEST_REPORT) == "/report?sent"
    assert (await open_reports(server))[0].text == "é" * LONGEST_REPORT


@pytest.mark.usefixtures("ben_is_known")
async def test_somebody_reports_ten_times_a_day_and_an_address_thirty_times(visitor, anna, server):
    for number, status in enumerate((*["/report?sent"] * 10, 429)):
        told = await tell(anna, f"They insulted me, {number}.")
        assert (told if isinstance(told, str) else told[0]) == status
    for _ in range(2):
        other = await visitor()
        for number in range(10):
            assert await tell(other, f"They insulted me, {number // 2}.") == "/report?sent"
    assert (await tell(await visitor()))[0] == 429
    assert len(await open_reports(server)) == 10 + 2 * 5, "what is sent twice is one report"


@pytest.mark.usefixtures("ben_is_known")
async def test_reports_are_in_the_data_of_whoever_made_them_and_stay_without_a_name(anna, ben, server):
    await register(anna, "Anna")
    await tell(anna)
    assert [one["text"] for one in (await anna.get("/account/export"))["reports"]] == ["They insulted me."]
    assert (await ben.get("/account/export"))["reports"] == []
    assert await go(anna, "/account/delete", password=PASSWORD) == "/sign-in?deleted"
    (left,) = await open_reports(server)
    assert (left.by, left.text) == (Player("", DELETED_NAME), "They insulted me.")
    assert "  by somebody whose account is deleted\n" in report_list([left], "https://chess.example.org")
