"""An id names nothing that does not exist yet: whatever the same people do on two sites, the ids of no kind of record
are the same, so none follows from what others can know.
"""

import secrets
from collections import defaultdict
from contextlib import ExitStack, suppress

import pytest

from server.cli.transfer import everything
from server.games.game_id import OFFLINE
from server.rules.errors import Refusal
from server.storage.errors import StoreError
from server.storage.record_kinds import GAMES
from server.storage.sqlite.file import SqliteFile
from server.storage.tables.stores import KINDS
from tests.storage.repeated import site as site_module
from tests.storage.repeated.actions import ACTIONS, Hand, made_world
from tests.storage.repeated.fault_store import SqliteContent
from tests.storage.repeated.site import PlainHashing, Sites
from tests.support.storage.sqlite_file import NO_WAITING

KNOWN = {
    "accounts": "the name that somebody chooses",
    "devices": "the address that a push service gave to a browser, which tells it nobody else",
    "imports": "what follows from a game in a file: whoever imports the same gets the same",
    "secrets": "the name of a key",
    "desk": "the only record, which the first start of a site makes",
    "desk_log": "how often the desk was changed, and what was done, which only the server writes",
    "site_settings": "the only record",
    "invitations": "a code that is drawn, and made to be given to others",
    "invited": "that code, and a number",
    "join_requests": "the name that somebody wants, which nobody else can have meanwhile",
    "held_words": "the only record",
    "notices": "the only record",
    "sanctions": "what the desk's form made at random, which here is the same form twice",
    "puzzles": "made by the test itself, as one follows from an id of a game",
    "puzzle_games": "made by the test itself",
}
"""Kinds of records whose ids may be known beforehand, and what they are."""
UNSEEN = frozenset(
    {
        "chat",
        "changes",
        "handovers",
        "lessons",
        "blocked_networks",
        "calls",
        "guest_networks",
        "received_mail",
        "report_cases",
    }
)
"""Kinds without keys, those whose keys begin with the id of a person, hashes of networks, and notes of
mails: their keys are digests with a signed address, and by then Anna has removed hers.
"""
LAST = ("delete", "DELETE", "Delete", "Remove", "sign-out", "password", "revoke")
"""In the names of actions after which less can be done."""


class SaltedHashing(PlainHashing):
    """As the real one: nobody knows what a password's hash will be."""

    async def hash(self, password, *_, **__):
        return f"{await super().hash(password)} {secrets.token_hex()}"

    async def matches(self, password, stored, *_, **__):
        return await super().matches(password, stored.rpartition(" ")[0])


async def ids_of_a_site(folder):
    """Of each kind of record: the keys of all that were stored when everybody had done everything."""
    folder.mkdir()
    file = await SqliteFile.open(folder / "games.sqlite3", 100)
    await file.read(lambda connection: connection.execute(NO_WAITING))
    found = defaultdict(set)

    async def note(site):
        async for kind, record in everything(site.store.records):
            key = ("_id",) if kind == GAMES else KINDS[kind].key
            if key:
                found[kind].add(" ".join(str(record[name]) for name in key))

    with pytest.MonkeyPatch.context() as patch, ExitStack() as kept:
        patch.setattr(site_module, "PlainHashing", SaltedHashing)
        sites = Sites(SqliteContent(file, kept), folder, patch)
        site = await sites.start()
        hand = Hand(site, await made_world(site))
        done = [name for name in ACTIONS if not name.startswith("chore")]
        ends = [name for name in done if any(word in name for word in LAST)]
        for name in [*(name for name in done if name not in ends), *ends]:
            if name in ends[:1]:
                await note(site)
            # What one has done another cannot do any more; each of them is tested elsewhere.
            with suppress(Refusal, StoreError, LookupError):
                await ACTIONS[name](hand)
        await site.quiet()
        await note(site)
        await site.stop()
    await file.close()
    return found


async def test_no_kind_of_record_has_ids_that_others_can_know_beforehand(tmp_path):
    one, other = [await ids_of_a_site(tmp_path / name) for name in ("one", "other")]
    assert KINDS.keys() - UNSEEN <= one.keys(), "a new kind that no action leaves"
    known = {kind: both for kind in one if kind not in KNOWN and (both := one[kind] & other[kind])}
    games = known.pop(GAMES)
    assert {game for game in games - one["imports"] if game[-1] != OFFLINE} == set(), "browsers name only theirs"
    assert known == {}
