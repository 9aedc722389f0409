"""The driver's client: the only module that imports motor, how every connection writes and waits, how it ends, and how
the driver's errors become those of a store.

Motor only gets critical fixes now. So we only use calls that PyMongo's own asyncio client has too: insert_one,
find_one, find with sort, limit and to_list, count_documents, update_one and update_many, delete_one and delete_many,
bulk_write, create_indexes, and the command hello. `limit` and `to_list` are never given a zero, which each reads in its
own way. To change the driver, change `DRIVER`: `make stores` does so, and runs the store suite through PyMongo's, too.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from inspect import isawaitable
from typing import Any

from motor.motor_asyncio import AsyncIOMotorClient
from pymongo.errors import DuplicateKeyError, PyMongoError

from server.storage.errors import Duplicate, Unavailable

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
            " (start it with --replSet and call rs.initiate()), or set FAIRYHOUSE_MONGODB_STANDALONE=true to do"
            " without."
        )


def reason(error: PyMongoError) -> str:
    """What the driver says of a failure, for a message to the host: without its timeouts and all that it knows."""
    said = str(error).partition(", Topology Description:")[0]
    return re.sub(r" \(configured timeouts: [^)]*\)", "", said)[:300]


async def checked(answer: Awaitable[Any]) -> Any:
    """The database's answer. Raises Unavailable for any error of the driver."""
    try:
        return await answer
    except PyMongoError as error:
        raise unavailable(error) from error


async def insert(collection: Any, document: Mapping[str, Any]) -> None:
    """Inserts a document. Raises Duplicate if its `_id` (or another unique value) exists, Unavailable."""
    try:
        await collection.insert_one(document)
    except DuplicateKeyError as error:
        raise Duplicate("This id exists already.") from error
    except PyMongoError as error:
        # It may have arrived, and only the answer was lost.
        if await checked(collection.find_one({"_id": document["_id"]})) != document:
            raise unavailable(error) from error


async def upsert(collection: Any, document: Mapping[str, Any], how: str = "$set") -> None:
    """Stores the fields of a document under its `_id`, whether that exists or not. Raises Unavailable.

    `how`: with `$setOnInsert` a document that exists stays as it is.
    """
    fields = dict(document)
    await checked(collection.update_one({"_id": fields.pop("_id")}, {how: fields}, upsert=True))


def unavailable(error: PyMongoError) -> Unavailable:
    """What to raise instead of it. The driver's text stays out, as it may name hosts."""
    return Unavailable(f"The server cannot store anything at the moment ({type(error).__name__}).")
