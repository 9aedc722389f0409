"""What a host is told when there is no MongoDB at the address: a sentence, not what the driver knows of the cluster."""

import pytest
from pymongo.errors import PyMongoError

from server.storage.mongo import client
from tests.support.free_port import free_port


async def test_a_mongodb_that_is_away_is_told_of_in_one_sentence(monkeypatch):
    monkeypatch.setattr(client, "OPTIONS", {**client.OPTIONS, "serverSelectionTimeoutMS": 50})
    port = free_port()
    mongo = client.connect_client(f"mongodb://anna:secret@127.0.0.1:{port}/x")
    with pytest.raises(PyMongoError) as failed:
        await mongo.admin.command("hello")
    await client.close_client(mongo)
    assert "TopologyDescription" in str(failed.value)
    told = client.reason(failed.value)
    assert told.startswith(f"127.0.0.1:{port}: ")
    assert len(told) < 100
    assert "configured" not in told
