"""Personal tokens, on every engine."""

from dataclasses import replace

import pytest

from server.games.people import ApiToken, Scope
from server.storage.errors import Duplicate

BOT = ApiToken("f00d", "anna", "my bot", frozenset({Scope.BOT_PLAY, Scope.CHALLENGE_READ}), 1_700_000_000_000)
LATER = replace(BOT, hashed="beef", name="é\n<b>", scopes=frozenset(Scope), created=BOT.created + 1)


async def test_a_token_is_found_by_its_hash_until_it_is_revoked_by_its_owner_or_they_leave(place):
    store = await place.open()
    assert await store.tokens.find("f00d") is None
    await store.tokens.add(LATER)
    await store.tokens.add(BOT)
    await store.tokens.add(replace(BOT, hashed="cafe", owner="ben"))
    with pytest.raises(Duplicate):
        await store.tokens.add(replace(BOT, owner="ben"))
    await store.tokens.note_use("f00d", BOT.created + 9)
    await store.tokens.note_use("gone", BOT.created + 9)
    await store.close()
    store = await place.open()
    used = replace(BOT, used=BOT.created + 9)
    assert await store.tokens.find("f00d") == used
    assert await store.tokens.of("anna") == [used, LATER]
    assert not await store.tokens.revoke("ben", "f00d"), "somebody else's"
    assert await store.tokens.revoke("anna", "f00d")
    assert not await store.tokens.revoke("anna", "f00d")
    assert await store.tokens.find("f00d") is None
    await store.tokens.forget("anna")
    assert await store.tokens.of("anna") == []
    assert await store.tokens.find("cafe") is not None
