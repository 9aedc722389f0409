"""Accounts and sessions as the tests of stores keep them."""

from server.storage.tables.accounts import (
    Account,
    Session,
    User,
)
from tests.support.games import START

ANNA = Account("anna", "id-anna", "Anna", "hash one", START)


def session(token_hash, user="id-anna", **times):
    return Session(token_hash, user, **{"created": START, "seen": START, **times})


async def guest(store, user="id-anna", token_hash="guest"):
    await store.add_guest(User(user, "SwiftOwl42", guest=True, created=START), session(token_hash, user))
