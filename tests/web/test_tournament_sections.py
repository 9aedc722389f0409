"""Sections of everyone against everyone on their page: what each reader is told there, and what they can do."""

import csv
import io

import pytest

from server.games.changes.ending import Resign
from server.games.changes.playing import PlayMove
from server.games.tournaments.tournament import Standing
from server.rules.variant.pieces import Color
from server.web.site import SITE
from server.web.tournament_sections import half_words, quarter_words
from tests.support.web.accounts import go, page_of, register

TERMS = {
    "key": "abcdefgh12",
    "format": "robin",
    "variant": "chess",
    "clock": "180+2",
    "starts": "5",
    "lasts": "30",
    "days": "3",
    "size": "4",
    "name": "Mail <cup>",
}
NAMES = ("Anna", "Ben", "Carla", "Dora")


class Section:
    """A section that Anna has announced, and four people who may enter."""

    def __init__(self, server, path, people):
        self.path, self.people = path, people
        self.id = path.rpartition("/")[2]
        self.site = server.app[SITE]
        self.live = self.site.live.tournaments

    async def settle(self):
        """What the server does by itself within a few seconds."""
        for _ in range(3):
            await self.live.tick_sections()
            await self.live._services.background.finish(1)

    async def fill(self):
        for person in self.people:
            assert await go(person, f"{self.path}/join") == self.path
        await self.settle()

    async def view(self):
        return await self.live.look(self.id)

    async def play(self, number, winner):
        pairing = (await self.live.look(self.id)).under_way[number]
        found = await self.site.rounds.get(pairing.game)
        for ply, move in enumerate(("e2e4", "e7e5")):
            await found.submit(PlayMove(found.game.to_move, move, ply), self.site.now())
        await found.submit(Resign(winner.other), self.site.now())
        await self.settle()
        return pairing


@pytest.fixture
async def section(server, visitor):
    people = [await visitor() for _ in NAMES]
    for person, name in zip(people, NAMES, strict=True):
        await register(person, name)
    path = await go(people[0], "/tournaments", **TERMS, go_on="yes")
    assert path.startswith("/tournament/")
    return Section(server, path, people)


async def test_a_section_is_announced_listed_and_entered_until_it_is_full(section, visitor):
    anna, ben, *_ = section.people
    stranger = await visitor()
    page = await page_of(stranger, "/tournaments")
    assert "Everyone against everyone, by correspondence" in page
    assert "Mail &lt;cup&gt;, section 1" in page
    assert "0 of 4 have entered" in page
    page = await page_of(stranger, section.path)
    assert "Sign in to join" in page
    assert f'action="{section.path}/join"' not in page
    page = await page_of(ben, section.path)
    assert "when 4 have entered: then all of your 3 games begin at once, with 3 days for each move" in page
    assert await go(ben, f"{section.path}/join") == section.path
    page = await page_of(ben, section.path)
    assert "3 players are missing" in page
    assert "3 free places" in page
    assert await go(ben, f"{section.path}/leave") == section.path
    assert "Will you play?" in await page_of(ben, section.path)
    status, page = await go(anna, f"{section.path}/pause")
    assert status == 403
    await go(anna, f"{section.path}/join")
    status, page = await go(anna, f"{section.path}/pause")
    assert (status, "take a vacation, or withdraw" in page) == (403, True)


async def test_once_it_is_full_each_reader_sees_whose_move_it_is_and_who_comes_later_is_led_on(section, visitor):
    await section.fill()
    white = {pairing.white for pairing in (await section.view()).under_way}
    pages = {}
    for person, name in zip(section.people, NAMES, strict=True):
        pages[name] = await page_of(person, section.path)
        assert "0 of 6" in pages[name]
        assert "Yes, withdraw" in pages[name]
    ids = {one.person.name: id for id, one in (await section.view()).entrants.items()}
    for name, page in pages.items():
        assert ("It is your move in" in page) == (ids[name] in white)
    late = await visitor()
    await register(late, "Emil")
    page = await page_of(late, section.path)
    assert "This section has begun" in page
    assert "To the open section" in page
    status, page = await go(late, f"{section.path}/join")
    assert (status, "Enter the one that is open." in page) == (403, True)
    second = (await section.live.sections_of((await section.view()).tournament))[1]
    assert f'href="/tournament/{second.id}"' in page
    assert await go(late, f"/tournament/{second.id}/join") == f"/tournament/{second.id}"
    listed = await page_of(late, "/tournaments")
    assert "1 of 4 have entered" in listed
    assert "in play" in listed


async def test_the_table_says_who_has_beaten_whom_and_the_winner_is_led_on(section):
    await section.fill()
    pairing = await section.play(0, Color.WHITE)
    names = {id: one.person.name for id, one in (await section.view()).entrants.items()}
    winner, loser = names[pairing.white], names[pairing.black]
    page = await page_of(section.people[2], section.path)
    assert f"{winner} against {loser}: won" in page
    assert f"{loser} against {winner}: lost" in page
    assert f'href="/{pairing.game}"' in page
    assert "1 of 6" in page
    rows = list(csv.reader(io.StringIO(await page_of(section.people[0], f"{section.path}.csv"))))
    assert rows[0] == [
        *("Rank", "Number", "Name", "Rating", "Points"),
        *("Sonneborn-Berger", "Direct encounter", "Wins", "Koya", "Performance", "Games"),
    ]
    assert rows[1][2:5:2] == [winner, "1"]
    while (view := await section.view()).under_way:
        best = view.under_way[0]
        await section.play(0, Color.WHITE if names[best.white] < names[best.black] else Color.BLACK)
    view = await section.view()
    assert view.tournament.winner is not None
    at = NAMES.index(view.tournament.winner.name)
    page = await page_of(section.people[at], section.path)
    assert "You have won, and go on" in page
    assert f'href="/tournament/{view.tournament.led_to}"' in page
    final = await page_of(section.people[at], f"/tournament/{view.tournament.led_to}")
    assert "stage 2, section 1" in final
    assert "You have entered" in final
    other = section.people[(at + 1) % 4]
    assert "Winners play here" in await page_of(other, f"/tournament/{view.tournament.led_to}")
    assert "You came" in await page_of(other, section.path)
    # Who has left it before it begins can come back.
    there = f"/tournament/{view.tournament.led_to}"
    assert await go(section.people[at], f"{there}/leave") == there
    assert f'action="{there}/join"' in await page_of(section.people[at], there)
    assert await go(section.people[at], f"{there}/join") == there
    assert "You have entered" in await page_of(section.people[at], there)


async def test_a_winner_who_has_left_the_next_stage_before_it_began_can_come_back(section):
    await section.fill()
    while (view := await section.view()).under_way:
        best, names = view.under_way[0], {id: one.person.name for id, one in view.entrants.items()}
        await section.play(0, Color.WHITE if names[best.white] < names[best.black] else Color.BLACK)
    view = await section.view()
    winner = section.people[NAMES.index(view.tournament.winner.name)]
    final = f"/tournament/{view.tournament.led_to}"
    assert await go(winner, f"{final}/leave") == final
    page = await page_of(winner, final)
    assert "You have entered" not in page
    assert f'action="{final}/join"' in page
    assert await go(winner, f"{final}/join") == final
    assert "You have entered" in await page_of(winner, final)


async def test_who_wins_and_has_withdrawn_is_not_told_that_they_go_on(section):
    anna, *_, dora = section.people
    await section.fill()
    names = {id: one.person.name for id, one in (await section.view()).entrants.items()}

    async def win(winner, loser):
        at, pairing = next(
            (at, one)
            for at, one in enumerate((await section.view()).under_way)
            if {names[one.white], names[one.black]} == {winner, loser}
        )
        await section.play(at, Color.WHITE if names[pairing.white] == winner else Color.BLACK)

    for loser in ("Anna", "Ben"):
        await win("Dora", loser)
    assert await go(dora, f"{section.path}/leave", sure="yes") == section.path
    await section.settle()
    for winner, loser in (("Anna", "Ben"), ("Anna", "Carla"), ("Ben", "Carla")):
        await win(winner, loser)
    assert (await section.view()).tournament.winner.name == "Dora"
    page = await page_of(dora, section.path)
    assert "You came" in page
    assert "You have won, and go on" not in page
    page = await page_of(anna, section.path)
    assert "You are entered for the next stage." in page
    assert "To your next section" in page


async def test_who_withdraws_is_named_and_the_organiser_takes_out_and_closes(section):
    anna, ben, carla, dora = section.people
    await section.fill()
    # The button of a page from before it began ends no games.
    status, page = await go(dora, f"{section.path}/leave")
    assert (status, "all your games end" in page) == (409, True)
    assert "Yes, withdraw" in page
    assert await go(dora, f"{section.path}/leave", sure="yes") == section.path
    assert (await go(ben, f"{section.path}/out", name="Carla"))[0] == 403
    assert await go(anna, f"{section.path}/out", name="Carla") == section.path
    await section.settle()
    page = await page_of(dora, section.path)
    assert "You have withdrawn" in page
    assert "none of their games counts: Carla, Dora." in page
    assert "The organiser has taken you out" in await page_of(carla, section.path)
    standing = {one.person.name: one.standing for one in (await section.view()).entrants.values()}
    assert (standing["Dora"], standing["Carla"]) == (Standing.LEFT, Standing.OUT)
    second = (await section.live.sections_of((await section.view()).tournament))[1]
    assert "Take no more entries" in await page_of(anna, f"/tournament/{second.id}")
    assert await go(anna, f"/tournament/{second.id}/end") == f"/tournament/{second.id}"
    assert "No other one is open." in await page_of(dora, section.path)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"size": "3"}, "from 4 to 7 players"),
        ({"size": ""}, "from 4 to 7 players"),
        ({"days": ""}, "days"),
        ({"days": "4"}, "days"),
    ],
)
async def test_what_is_no_section_is_refused(server, anna, changed, words):
    await register(anna, "Anna")
    status, page = await go(anna, "/tournaments", **{**TERMS, **changed})
    assert (status, words in page) == (400, True)


async def test_the_page_reads_in_spanish(section):
    async with section.people[0].http.get(section.path, headers={"Accept-Language": "es"}) as answer:
        page = await answer.text()
    assert "4 jugadores" in page
    assert "Quien se retira pierde" in page


def test_parts_of_a_point():
    assert [quarter_words(n) for n in (0, 1, 2, 3, 4, 26)] == ["0", "¼", "½", "¾", "1", "6½"]
    assert [half_words(n) for n in range(4)] == ["0", "½", "1", "1½"]
