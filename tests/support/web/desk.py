"""People at the host's desk."""

from server.games.desk import Role
from server.games.player import Player
from server.realtime.services.desk import give_role
from tests.support.web.accounts import PASSWORD, go, register

ROOT = Player("", "root")
"""Who gives a command on the server's own command line."""


async def person_called(site, name):
    account = await site.store.accounts.find(name)
    return Player(account.user, account.name)


async def appoint(site, name, role=Role.HOST):
    """Gives a role to the account of that name, and returns its owner."""
    person = await person_called(site, name)
    await give_role(site.store.desk, person, role, ROOT, site.now())
    return person


async def open_desk(person):
    """Gives the password again, which the desk asks for."""
    assert await go(person, "/host/password", password=PASSWORD) == "/host"


async def seat_at_desk(site, person, name, role=Role.HOST):
    """Makes an account of that name, gives it the role and opens the desk."""
    await register(person, name)
    await appoint(site, name, role)
    await open_desk(person)
