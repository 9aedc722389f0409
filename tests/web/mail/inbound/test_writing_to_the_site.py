"""Mails to one's own address at the site: challenges, what everybody may see, and help with the rules."""

import re
from datetime import timedelta

import pytest

from server.games.clocks.vacations import day_at
from server.rules.catalogue import load_catalogue
from server.web.budgets.buckets import RateLimit
from server.web.games import challenges
from server.web.site import SITE
from tests.support.mail.handing_over import hand_over, reply, written
from tests.support.mail.mail_server import text_of
from tests.support.mail.told import BOX, told_by_mail
from tests.support.web.accounts import PASSWORD, go, page_of, register

STAYS = "keeps working until you remove your own"


class Writer:
    """Somebody with a confirmed address, who writes to the site and reads what comes."""

    def __init__(self, person, name, post_office, port):
        self.person, self.post_office, self.port = person, post_office, port
        self.box, self.seen, self.own, self.written = f"{name.lower()}@example.org", 0, "", 0

    async def next_mail(self):
        self.seen += 1
        return await self.post_office.mail_to(self.box, self.seen - 1)

    async def write(self, text):
        """Sends a mail to their own address here, and reads the answer."""
        self.written += 1
        mail = written(self.own, text, f"<{self.written}.{self.box}>")
        assert (await hand_over(self.port, self.own, mail)).startswith("250")
        return text_of(await self.next_mail()).replace("\r\n", "\n")


@pytest.fixture
async def writers(anna, ben, post_office, port):
    found = []
    for person, name in ((anna, "Anna"), (ben, "Ben")):
        await told_by_mail(person, post_office, name, f"{name.lower()}@example.org")
        writer = Writer(person, name, post_office, port)
        async with person.http.get(f"{person.site}/account") as page:
            shown = await page.text()
        writer.own = shown.partition('href="mailto:')[2].partition("?")[0]
        assert writer.own.startswith("me+")
        found.append(writer)
    for writer in found:
        writer.seen = len(post_office.to(writer.box))
    return found


async def test_two_people_meet_and_play_without_opening_the_site(writers, port):
    anna, ben = writers
    answer = await anna.write("challenge Ben grand 5 days white rated")
    terms = "Grand Chess, 5 days a move, rated, you have White"
    (game,) = (await anna.person.get("/api/me/games"))["games"]
    said = " ".join(answer.split())
    assert f"You have challenged Ben: {terms}. " in said
    assert f" Game {game['id']}: http" in said
    assert f"Against Ben, Grand Chess: not accepted yet. http://localhost:8080/{game['id']}" in await anna.write(
        "games"
    )
    asked = await ben.next_mail()
    assert "Anna challenges you: Grand Chess, 5 days a move, rated." in " ".join(text_of(asked).split())
    assert (await reply(port, asked, "accept")).startswith("250")
    assert "the game has begun" in text_of(await ben.next_mail())
    turn = await anna.next_mail()
    assert (await reply(port, turn, "e4")).startswith("250")
    assert "You have played e4." in text_of(await anna.next_mail())
    assert "Anna has played 1. e4." in text_of(await ben.next_mail())


async def test_a_challenge_that_cannot_be_is_refused_with_the_reason(writers):
    anna, ben = writers
    for line, why in (
        ("challenge Ben grnd", "No variant is called grnd. Do you mean grand?"),
        ("challenge Nobody99 grand", "There is no player with that name here."),
        ("challenge Anna grand", "yourself"),
        ("challenge Ben grand 4 days", "A correspondence game allows 1, 2, 3, 5, 7, 10, 14 days per move."),
        ("challenge Ben grand 99 days", "A correspondence game allows"),
        ("challenge Ben grand 99+9", "10+1/30, 30+1/45, 30+3/60"),
        ("pair Anna Ben grand", "To play yourself, challenge your opponent by name."),
    ):
        answer = " ".join((await anna.write(line)).split())
        assert "Nothing was done." in answer
        assert why in answer
    assert (await ben.person.get("/api/me/games"))["games"] == []


async def test_a_game_for_two_others_is_proposed_by_mail_and_begins_when_both_accept(writers, carla, post_office, port):
    anna, ben = writers
    await told_by_mail(carla, post_office, "Carla", "carla@example.org")
    await anna.write("pair Ben Carla grand 10+1 white rated")
    asked = " ".join(text_of(mail := await ben.next_mail()).split())
    assert "Anna proposes that you play Carla: Grand Chess, 10+1 days, up to 30, rated." in asked
    assert "You would have White." in asked
    assert post_office.to("carla@example.org") == []
    await reply(port, mail, "accept")
    invited = await post_office.mail_to("carla@example.org", 0)
    assert "Anna proposes that you play Ben, who has accepted: Grand Chess" in text_of(invited)
    await reply(port, invited, "accept")
    (game,) = (await carla.get("/api/me/games"))["games"]
    assert (game["status"], game["opponent"], game["rated"]) == ("live", "Ben", True)


async def test_what_somebody_blocked_asks_by_mail_is_confirmed_and_reaches_nobody(writers, carla):
    anna, ben = writers
    await register(carla, "Carla")
    await go(ben.person, "/@/Anna/block")
    assert "Nothing was done." not in await anna.write("challenge Ben chess")
    assert "Nothing was done." not in await anna.write("pair Ben Carla chess")
    assert "You have blocked Anna." in await ben.write("challenge Anna chess")
    for person in (ben.person, carla):
        assert (await person.get("/api/me/challenges"))["challenges"] == []


async def test_a_game_of_others_is_not_taken_for_the_challenge_of_a_mail(writers, carla, monkeypatch):
    """It would be a fault of ours; the mail waits, and nobody is told that they have challenged whom they have not."""
    anna, _ = writers
    await register(carla, "Carla")
    made = await carla.challenge(to="Ben")
    mail = written(anna.own, "challenge Ben chess", "<1.anna>")
    with monkeypatch.context() as patch:
        patch.setattr(challenges, "game_of_mail", lambda key, mail: made["id"])
        assert (await hand_over(anna.port, anna.own, mail)).startswith("4")
    assert (await hand_over(anna.port, anna.own, mail)).startswith("250")
    assert "You have challenged Ben: " in " ".join(text_of(await anna.next_mail()).split())


async def test_a_vacation_by_mail_is_one_on_the_site(writers, server):
    anna, _ = writers
    today = day_at(server.app[SITE].now())
    last = today + timedelta(days=1)
    assert f"You are away until {last}" in await anna.write(f"vacation until {last}")
    assert (await anna.person.get("/api/me/vacation"))["until"] == last.isoformat()
    assert "You are back" in await anna.write("vacation off")
    assert (await anna.person.get("/api/me/vacation"))["until"] is None
    assert "Nothing was done. That is too long." in await anna.write(f"vacation until {today + timedelta(days=99)}")
    server.app[SITE].limits.vacations = RateLimit(1, 3600)
    await anna.write("vacation off")
    assert "Nothing was done." in await anna.write("vacation off")


async def test_challenges_by_mail_count_as_those_on_the_site(writers, server):
    anna, _ = writers
    server.app[SITE].limits.challenges = RateLimit(2, 3600)
    for _ in range(2):
        assert "You have challenged Ben: Chess" in await anna.write("challenge Ben chess")
    assert "Nothing was done." in await anna.write("challenge Ben chess")


async def test_what_everybody_may_see_is_told_by_mail(writers, port):
    anna, ben = writers
    assert "Nobody has played a rated game of this kind yet: Grand Chess, Correspondence." in " ".join(
        (await anna.write("standings grand")).split()
    )
    await anna.write("challenge Ben chess rated white")
    await reply(port, await ben.next_mail(), "accept")
    await ben.next_mail()
    mail = await anna.next_mail()
    await reply(port, mail, "f3")
    await anna.next_mail()
    for writer, move in ((ben, "e5"), (anna, "g4"), (ben, "Qh4")):
        await reply(port, await writer.next_mail(), move)
        await writer.next_mail()
    ended = text_of(await anna.next_mail())
    assert "0-1" in ended
    assert "Anna against Ben, Chess: 0-1." in " ".join((await anna.write("history ben")).split())
    assert "The ratings of Ben" in await anna.write("ratings ben")
    assert "Ben" in await anna.write("standings chess")


@pytest.mark.parametrize("variant", load_catalogue().values(), ids=lambda variant: variant.id)
async def test_the_rules_of_every_variant_come_by_mail(writers, variant):
    anna, _ = writers
    answer = await anna.write(f"help {variant.id}")
    assert answer.startswith(f"{variant.name.upper()}\n==")
    assert "  8 |" in answer
    assert "me+" in answer
    assert max(map(len, answer.splitlines())) <= 120


async def test_a_mail_gets_the_rules_of_one_variant_and_where_the_others_are(writers):
    anna, _ = writers
    answer = await anna.write("\n".join(f"help {variant}" for variant in ("grand", "chess 960", "shogun", "grand")))
    assert answer.count("GRAND CHESS") == 1
    assert answer.count("SHOGUN") == 0
    assert "/rules/chess960" in answer
    assert len(answer) < 50_000


async def test_spanish_readers_write_and_read_spanish(writers, post_office):
    anna, ben = writers
    async with ben.person.http.post(f"{ben.person.site}/language", data={"language": "es", "next": "/"}) as answer:
        assert answer.ok
    await told_again(ben, post_office)
    answer = " ".join((await ben.write("ayuda tablas")).split())
    assert "tablas: ofrecer tablas o aceptarlas." in answer
    answer = " ".join((await ben.write("desafiar Anna grand 5 días negras")).split())
    assert "Has desafiado a Anna: Grand Chess, 5 días por jugada, llevas negras." in answer
    assert "Anna" not in text_of(await anna.next_mail()).partition("Black")[0].partition("(")[2]
    answer = " ".join((await ben.write("help shogun")).split())
    assert "SHOGUN" in answer.upper()


async def told_again(writer, post_office):
    """Their address again, in the language that they have chosen since."""
    before = len(post_office.to(writer.box))
    await go(writer.person, "/account/mail", address=writer.box, password=PASSWORD, turns="on", challenges="on")
    assert len(post_office.to(writer.box)) == before


async def test_who_has_lost_every_mail_about_a_game_asks_where_to_answer(writers, post_office, port):
    anna, ben = writers
    await anna.write("challenge Ben grand white")
    await reply(port, await ben.next_mail(), "accept")
    await ben.next_mail()
    lost = await anna.next_mail()
    game = lost["References"].partition("@")[0].strip("<")
    shown = await anna.write(f"show {game}")
    address = re.search(r"To answer by email, write to\s+(\S+)", shown)[1]
    assert (await hand_over(port, address, written(address, "e4"))).startswith("250")
    assert "You have played e4." in text_of(await anna.next_mail())


async def test_nobody_is_told_where_to_answer_games_of_others(writers, carla, post_office, port):
    anna, ben = writers
    await told_by_mail(carla, post_office, "Carla", "carla@example.org")
    anna.seen = ben.seen = 0
    await anna.write("challenge Carla chess")
    asked = await post_office.mail_to("carla@example.org", 0)
    game = asked["References"].partition("@")[0].strip("<")
    assert "To answer by email" in await anna.write(f"show {game}")
    shown = await ben.write(f"show {game}")
    assert f"/{game}" in shown
    assert "To answer by email" not in shown


async def test_that_the_own_address_outlives_a_session_and_a_password_is_said_where_they_are_changed(
    anna, ben, post_office
):
    await told_by_mail(anna, post_office, "Anna", BOX)
    assert await register(ben, "Ben") == "/?registered"
    assert (await page_of(anna)).count(STAYS) == 2
    assert STAYS not in await page_of(ben)
