"""Whatever strangers ask for, from however many accounts and networks: one person gets few mails of it a day, whichever
way they spell the mailbox.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import server.web as web
from server.games.clocks.time_control import DAY_MS
from server.games.joining import Answer, Guests, Joining, SignUp
from server.games.player import Player
from server.realtime.services.joining import answer_request, choose_joining
from server.storage.tables.addresses import MailAddress
from server.web.budgets.buckets import RateLimit
from server.web.joining import mail_answers
from server.web.site import SITE
from tests.support.web.accounts import PASSWORD, go, register

VICTIM = "victim@example.org"
OWN_PART = re.compile(r"\+[^@]*")
"""What whoever has the mailbox may write into its address as they like."""
MOST_A_DAY = {"confirmation": 8, "invitation": 4, "recovery": 24, "join": 6}
"""What a limit lets in at once, and once more within the day after."""
TRIES = 40
POSTS = re.compile(r"\.post_letter\(")
KINDS_OF = {
    "server/web/accounts/mail_addresses.py": {"confirmation", "recovery"},
    "server/web/games/invitations.py": {"invitation"},
    "server/web/joining.py": {"join"},
    "server/web/site_room.py": set(),
}
"""Where letters to one mailbox are posted; the last goes to a host's own, by their password. News of games has a limit
of its own (`told_later/test_digests`).
"""


def test_every_module_that_posts_letters_is_here():
    root = Path(web.__file__).parent
    found = {one: one.read_text() for one in root.rglob("*.py")}
    assert {f"server/web/{one.relative_to(root)}" for one, text in found.items() if POSTS.search(text)} == {*KINDS_OF}
    assert set().union(*KINDS_OF.values()) == {*WAYS} == {*MOST_A_DAY}


def spelt(number):
    """Ever other addresses, each read by the same person."""
    return ("victim@example.org", "VICTIM@example.org", f"victim+{number}@example.org")[number % 3]


async def sender(visitor, number):
    """Somebody new with an account."""
    person = await visitor()
    await register(person, f"Troll{number}")
    return person


async def confirmed(site, name, address):
    user = (await site.store.accounts.find(name)).user
    await site.store.addresses.add(MailAddress(user, address, "en", site.now(), confirmed=site.now()))


async def asks_for_confirmation(site, visitor, number, **_):
    person = await sender(visitor, number)
    return await go(person, "/account/mail", address=spelt(number), password=PASSWORD)


async def invites(site, visitor, number, **_):
    person = await sender(visitor, number)
    await confirmed(site, f"Troll{number}", f"troll{number}@example.net")
    game = await person.challenge()
    body = {"address": spelt(number), "fragment": game["secret"]}
    async with person.http.post(f"/api/games/{game['id']}/mail", json=body) as answer:
        return answer.status


async def forgets(site, visitor, number, clock):
    person = await visitor()
    if not number:
        await register(person, "Victim")
        await confirmed(site, "Victim", VICTIM)
    clock.turn(DAY_MS // TRIES)
    answer = await go(person, "/forgotten", name="Victim")
    await site.live.services.background.finish(5)
    return answer


async def asks_to_join(site, visitor, number, **_):
    await choose_joining(site.store, Joining(SignUp.ASKED, Guests.ALL, ""), Player("", "root"), site.now())
    person = await visitor()
    await person.post("/api/guest")
    form = {"name": f"Troll{number}", "password": PASSWORD, "words": "Let me in", "mailbox": spelt(number)}
    answer = await go(person, "/register", **form)
    if await site.store.joining.request(f"troll{number}") is not None:
        await answer_request(site.store, f"troll{number}", Answer.REFUSED, Player("", "root"), site.now(), "No.")
    return answer


WAYS = {"confirmation": asks_for_confirmation, "invitation": invites, "recovery": forgets, "join": asks_to_join}


@pytest.fixture
def from_everywhere(server):
    """Nothing is limited by the networks that requests come from: a flood has as many as it likes."""
    limits = server.app[SITE].limits
    for name in ("pages", "session", "registrations", "guests", "create", "guests_in_all"):
        setattr(limits, name, RateLimit(100_000, 1))
    limits.recoveries = replace(limits.recoveries, shared=100_000)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.usefixtures("from_everywhere")
async def test_nobody_is_flooded(server, visitor, clock, monkeypatch, way):
    site, sent = server.app[SITE], []
    put = site.store.outbox.put

    async def noted(mail):
        sent.append(mail.address)
        return await put(mail)

    monkeypatch.setattr(site.store.outbox, "put", noted)
    for number in range(TRIES):
        await WAYS[way](site, visitor, number, clock=clock)
    await mail_answers(server.app)
    got = [one for one in sent if OWN_PART.sub("", one.lower()) == VICTIM]
    assert 0 < len(got) <= MOST_A_DAY[way]
