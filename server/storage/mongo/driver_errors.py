"""Turns the errors of MongoDB's driver into those of a store."""

from collections.abc import Awaitable, Mapping
from typing import Any

from pymongo.errors import DuplicateKeyError, PyMongoError

from server.storage.errors import Duplicate, Unavailable


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
