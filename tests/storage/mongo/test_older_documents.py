"""Documents of earlier releases lack fields that were added since; to every question they have the default."""

from itertools import product

import pytest

from server.storage.damage import Damage
from server.storage.mongo.client import close_client, connect_client
from server.storage.mongo.table import MongoTables
from server.storage.tables.stores import KINDS
from server.storage.tables.table import Table
from tests.support.storage.engines import with_database

OTHER = {int: 7, str: "other"}


def conditions(default):
    """All forms of a condition, of the default and of something else; and whether a field with the default suits."""
    other = OTHER[type(default)]
    yield from ((default, True), (other, False))
    if isinstance(default, int):
        yield from ((range(default, other), True), (range(default + 1, other), False), (range(default), False))
    else:
        yield from ((frozenset({default, other}), True), (frozenset({other}), False), (frozenset(), False))


@pytest.mark.slow
async def test_a_document_without_a_field_is_found_and_changed_as_one_with_its_default(secantus):
    client = connect_client(with_database(secantus.uri, "older_documents"))
    database = client.get_default_database()
    wrong, asked = [], 0
    for kind in (one for one in KINDS.values() if one.added):
        table = Table(MongoTables(database), Damage(), kind)
        older = {"_id": "older"}
        whole = {"_id": "whole", **kind.added}
        for (name, default), both in product(kind.added.items(), (False, True)):
            for condition, suits in conditions(default):
                await database[kind.name].delete_many({})
                await database[kind.name].insert_many([dict(older), dict(whole)])
                # A second condition that every document lacks as well.
                where = {**(kind.added if both else {}), name: condition}
                found = {one["_id"] for one in await table.find(**where)}
                changed = [await table.set({"changed": 1}, _id=one, **where) for one in ("older", "whole")]
                asked += 1
                if found != ({"older", "whole"} if suits else set()) or changed != [suits, suits]:
                    wrong.append((kind.name, where, found, changed))
    await client.drop_database(database.name)
    await close_client(client)
    assert asked
    assert wrong == []
