"""A section of everyone against everyone by mail alone: entered, played, followed and won by four people who never open
the site.
"""

import re

import pytest

from server.web.site import SITE
from tests.support.mail.handing_over import hand_over, reply, written
from tests.support.mail.mail_server import text_of
from tests.support.mail.told import told_by_mail
from tests.support.web.accounts import go

NAMES = ("Anna", "Ben", "Carla", "Dora")
TERMS = {
    "key": "abcdefgh12",
    "format": "robin",
    "variant": "chess",
    "clock": "180+2",
    "starts": "5",
    "lasts": "30",
    "days": "3",
    "size": "4",
    "name": "Club",
}
MATE = ("f3", "e5", "g4", "Qh4#")
TOLD = ("has played 1. f3", "has played 1... e5", "has played 2. g4")


class Members:
    """Four people with an address each, and the section that the first of them has announced."""

    def __init__(self, server, people, post_office, port, section):
        self.site, self.people, self.post_office, self.port = server.app[SITE], people, post_office, port
        self.section, self.written, self.own = section, 0, {}

    async def mail_with(self, name, *parts):
        """The first mail to that person that has all these in its text, once it has come."""
        box = f"{name.lower()}@example.org"

        def found():
            mails = [(mail, " ".join(text_of(mail).split())) for mail in self.post_office.to(box)]
            return next((mail for mail, text in mails if all(part in text for part in parts)), None)

        await self.post_office.until(lambda: found() is not None)
        return found()

    async def write(self, name, text, *parts):
        """Writes to that person's own address here; the text of the answer, which has these in it."""
        self.written += 1
        own = self.own[name]
        assert (await hand_over(self.port, own, written(own, text, f"<{self.written}.{name}>"))).startswith("250")
        return text_of(await self.mail_with(name, *parts))

    async def settle(self):
        for _ in range(3):
            await self.site.live.tournaments.tick_sections()
            await self.site.live.services.background.finish(5)


@pytest.fixture
async def members(server, visitor, post_office, port):
    people = {}
    for name in NAMES:
        people[name] = await visitor()
        await told_by_mail(people[name], post_office, name, f"{name.lower()}@example.org")
    path = await go(people["Anna"], "/tournaments", **TERMS)
    made = Members(server, people, post_office, port, path.rpartition("/")[2])
    for name, person in people.items():
        async with person.http.get(f"{person.site}/account") as page:
            made.own[name] = (await page.text()).partition('href="mailto:')[2].partition("?")[0]
    return made


async def test_a_section_is_entered_played_and_won_by_mail_alone(members):
    section = members.section
    listed = await members.write("Ben", "robin", "Open sections", section)
    assert "0 of 4 have entered" in listed
    for missing, name in zip((3, 2, 1), NAMES, strict=False):
        what = f"enter {section}" if name != "Ben" else "enter robin chess"
        await members.write(name, what, f"You have entered section {section}. {missing} ")
    await members.write("Dora", f"enter {section}", "It is full")
    await members.settle()
    view = await members.site.live.tournaments.look(section)
    called = {id: one.person.name for id, one in view.entrants.items()}
    for pairing in view.under_way:
        game, white, black = pairing.game, called[pairing.white], called[pairing.black]
        for ply, move in enumerate(MATE):
            mover = (white, black)[ply % 2]
            mail = await members.mail_with(mover, f"/{game}", *TOLD[:ply][-1:])
            assert (await reply(members.port, mail, move)).startswith("250")
        await members.mail_with(black, f"/{game}", "You have played Qh4#.")
    await members.settle()
    table = await members.write("Dora", f"robin {section}", "Club, section 1: Chess", "3 of 3")
    # Black has won every game, and FIDE's table gives it twice to two of them.
    assert re.search(r"1  \w+ +2 +3 of 3", table)
    winner = (await members.site.store.tournaments.find_tournament(section)).winner.name
    assert f"{winner} has won." in table


async def test_by_mail_one_leaves_and_withdraws_once_one_is_sure(members):
    section = members.section
    await members.write("Anna", f"enter {section}", "You have entered")
    await members.write("Anna", f"withdraw {section}", f"You have left section {section}.")
    for name in NAMES:
        await members.write(name, f"enter {section}", "You have entered")
    await members.settle()
    await members.write("Dora", f"withdraw {section}", "Do you mean to withdraw?")
    await members.settle()
    assert len((await members.site.live.tournaments.look(section)).under_way) == 6
    await members.write("Dora", f"withdraw {section} sure", f"You have left section {section}.")
    await members.settle()
    assert len((await members.site.live.tournaments.look(section)).under_way) == 3


async def test_what_cannot_be_entered_is_refused_with_the_reason(members):
    for line, why in (
        ("enter", "After “enter” write the id of a section, or a variant."),
        ("enter grand", "No section of grand is open."),
        ("enter nothing", "No variant is called nothing."),
        ("robin 0000000000", "There is no section 0000000000."),
        ("withdraw 0000000000", "There is no section 0000000000."),
        (f"withdraw {members.section}", "You have not joined this tournament."),
        ("withdraw Club", "After “withdraw” write the id of a section"),
    ):
        await members.write("Ben", line, "Nothing was done.", why)
