"""The driver's client: the only module that imports motor, how every connection writes and waits, and how it ends.

Motor only gets critical fixes now. So we only use calls that PyMongo's own asyncio client has too: insert_one,
find_one, find with sort, limit and to_list, count_documents, update_one and update_many, delete_one and delete_many,
bulk_write, create_indexes, and the command hello. `limit` and `to_list` are never given a zero, which each reads in its
own way. To change the driver, change `DRIVER`: `make stores` does so, and runs the store suite through PyMongo's, too.
"""

from collections.abc import Callable, Mapping
from inspect import isawaitable
from typing import Any

from motor.motor_asyncio import AsyncIOMotorClient
from pymongo.errors import PyMongoError

from server.storage.errors import Unavailable

DRIVER: Callable[..., Any] = AsyncIOMotorClient
# They override the address, so that a host cannot weaken writes by accident.
OPTIONS: Mapping[str, Any] = {
    "w": "majority",
    "journal": True,
    "wTimeoutMS": 5_000,
    "readConcernLevel": "majority",
    "readPreference": "primary",
    "retryWrites": True,
    "serverSelectionTimeoutMS": 3_000,
    "connectTimeoutMS": 3_000,
    "socketTimeoutMS": 8_000,
    "maxPoolSize": 20,
}


def connect_client(uri: str) -> Any:
    """The driver's client, which connects on first use. Raises ConfigurationError, ValueError."""
    return DRIVER(uri, **OPTIONS)


async def close_client(client: Any) -> None:
    """Ends all connections. PyMongo's client has to be awaited for that, motor's cannot be."""
    closing = client.close()
    if isawaitable(closing):
        await closing


async def check_replica_set(client: Any) -> None:
    """Raises Unavailable, for the host, if the server is outside a replica set: it has no majority writes."""
    hello = await client.admin.command("hello")
    if not ("setName" in hello or hello.get("msg") == "isdbgrid"):
        raise Unavailable(
            "This MongoDB server is not a member of a replica set. Make it one, of one member if there is no other"
            " (start it with --replSet and call rs.initiate()), or set MONGODB_STANDALONE=true to do without."
        )


def reason(error: PyMongoError) -> str:
    """What the driver says of a failure, cut short for a message to the host."""
    return str(error)[:300]
