"""Calls to MongoDB as this site makes them: the driver's errors become ours. Knows no collection, and not motor."""

from collections.abc import Awaitable, Mapping
from typing import Any

from pymongo.errors import DuplicateKeyError, PyMongoError

from server.storage.errors import Duplicate, Unavailable


async def checked(answer: Awaitable[Any]) -> Any:
    """What the database answers. Raises Unavailable."""
    try:
        return await answer
    except PyMongoError as error:
        raise unavailable(error) from error


async def insert(collection: Any, document: Mapping[str, Any]) -> None:
    """Stores a new document. Raises Duplicate when its `_id` (or another unique value) exists; Unavailable."""
    try:
        await collection.insert_one(document)
    except DuplicateKeyError as error:
        raise Duplicate("This id exists already.") from error
    except PyMongoError as error:
        # It may have arrived though the answer was lost.
        if await checked(collection.find_one({"_id": document["_id"]})) != document:
            raise unavailable(error) from error


def unavailable(error: PyMongoError) -> Unavailable:
    return Unavailable(f"The server cannot store anything at the moment ({type(error).__name__}).")
