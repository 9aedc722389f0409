"""What opens doors, and what is private, is nowhere but with its owner (A13, A19).

Every secret of a busy little site is looked for in every answer that others get, in the log, and on every socket.
"""

import logging

import pytest

from server.realtime.runtime.ids import digest
from server.web.operation.logs import JsonFormatter
from server.web.operation.metrics import metrics_of
from server.web.site import SITE
from tests.faults.access.addresses import addresses
from tests.support.web.accounts import PASSWORD, go, register, token_of
from tests.support.web.people import FOOLS_MATE, play

pytestmark = pytest.mark.usefixtures("unlimited")

PRIVATE_LINE = "our own canary"


@pytest.fixture
async def log(server):
    """Everything that is logged, as the host reads it."""
    lines, handler = [], logging.Handler()
    handler.setFormatter(JsonFormatter())
    handler.emit = lambda record: lines.append(handler.format(record))
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield lines
    root.removeHandler(handler)
    root.setLevel(level)


async def secrets_of_a_busy_site(server, anna, ben):
    """Lives a little: accounts, challenges of every kind, a game with chat, things that go wrong. What nobody else
    may learn, by what it is.
    """
    await register(anna, "Anna")
    await register(ben, "Ben")
    link, others = (
        await anna.challenge(),
        await anna.post(
            "/api/games", 201, variant="chess", clock={"kind": "correspondence", "days": 3}, players="others"
        ),
    )
    game = await anna.challenge()
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await white.send({"t": "chat", "id": 900, "text": PRIVATE_LINE})
        await play((white, black), FOOLS_MATE[:2])
    wrong = "my mistyped canary"
    assert (await go(ben, "/sign-in", name="Anna", password=wrong))[0] == 403
    assert (await go(anna, "/register", name="admin", password=wrong))[0] == 400
    accounts = server.app[SITE].store.accounts
    tokens = {f"session of {who}": token_of(person) for who, person in (("anna", anna), ("ben", ben))}
    invitations = {
        "invitation": link["secret"],
        "used invitation": game["secret"],
        **{f"invitation of {side}": each.split("#")[1].split(".")[0] for side, each in others["links"].items()},
    }
    digests = {f"digest of {what}": digest(secret) for what, secret in {**tokens, **invitations}.items()}
    hashes = {name: (await accounts.find(name)).password for name in ("anna", "ben")}
    typed = {"password": PASSWORD, "mistyped password": wrong}
    return game, {**tokens, **invitations, **digests, **hashes, **typed}


async def everything_shown(person, server, game):
    """(path, text) of every answer to somebody who only reads, headers and all."""
    for method, path in addresses(server, "GET", game=game["id"]):
        async with person.http.request(method, path, allow_redirects=False) as answer:
            yield path, f"{answer.headers}{(await answer.read()).decode('latin-1')}"


@pytest.mark.row("A13", "A19")
async def test_no_secret_is_shown_logged_or_sent_to_anybody(server, anna, ben, carla, visitor, log, counted):
    game, hidden = await secrets_of_a_busy_site(server, anna, ben)
    await register(carla, "Carla")
    looked = 0
    for person in (await visitor(), carla, ben):
        own = token_of(person) if person is ben else None
        async for path, text in everything_shown(person, server, game):
            looked += 1
            for what, secret in hidden.items():
                assert secret not in text or secret == own, f"{what} at {path}"
            assert PRIVATE_LINE not in text or person is ben, path
    for line in log:
        for what, secret in hidden.items():
            assert secret not in line, f"{what} in the log: {line[:300]}"
    assert metrics_of(server.app).text().decode().isascii()
    counted("answers", looked)
    counted("secrets", len(hidden))


@pytest.mark.row("A13")
async def test_what_the_players_say_is_not_sent_to_watchers(server, anna, ben, carla, counted):
    game, hidden = await secrets_of_a_busy_site(server, anna, ben)
    async with carla.follow(game) as watching, anna.follow(game) as white:
        await white.next()
        await watching.next()
        for number in range(4):
            await white.send({"t": "chat", "id": 901 + number, "text": f"{PRIVATE_LINE} {number}"})
            await watching.until("nothing")
        assert PRIVATE_LINE not in str(watching.seen)
        assert not [what for what, secret in hidden.items() if secret in str(watching.seen)]
    async with carla.follow(game) as later:
        assert PRIVATE_LINE not in str(await later.next())
    counted("lines", 4)
