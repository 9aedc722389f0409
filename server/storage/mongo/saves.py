"""Changes of games as MongoDB writes them, and the outcome of a write."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pymongo import UpdateOne
from pymongo.errors import PyMongoError

from server.storage.documents import Append, GameUpdate, Replace, in_full
from server.storage.errors import Conflict, StoreError
from server.storage.mongo.client import unavailable

TOKENS_KEPT = 8
"""A game keeps the tokens of its last writes; after that the outcome of a write is uncertain."""


@dataclass(frozen=True, slots=True)
class Save:
    """One change of a game, with the token that identifies its write."""

    update: GameUpdate
    token: str
    marks: Mapping[str, int]
    """Marks of what remains to be done for the game after this write."""


def update_of(save: Save) -> UpdateOne:
    """The write of one change, which does nothing unless the stored revision is the one before."""
    # In full: a field that is left out would keep its old value.
    head: dict[str, Any] = {key: value for key, value in in_full(save.update.head).items() if key != "_id"}
    head.update(save.marks)
    push: dict[str, Any] = {"tokens": {"$each": [save.token], "$slice": -TOKENS_KEPT}}
    match save.update.moves:
        case Append(_, ()):
            pass
        case Append(_, (move,)):
            push["moves"] = move
        case Append(_, moves):
            push["moves"] = {"$each": list(moves)}
        case Replace(moves):
            head["moves"] = list(moves)
    return UpdateOne({"_id": save.update.id, "rev": save.update.rev}, {"$set": head, "$push": push})


def settle(save: Save, stored: Mapping[str, Any] | None, failure: PyMongoError | None) -> StoreError | None:
    """The outcome of `save` by the document as stored now; None: it was written. `failure`: the write got no answer.

    The token decides, not the last move: the opponent may already have replied through another server.
    """
    if stored is not None and save.token in stored["tokens"]:
        return None
    if stored is not None and failure is not None:
        since = stored["rev"] - save.update.rev
        if since == 0 or since > TOKENS_KEPT:
            return unavailable(failure)
    return Conflict(f"The game {save.update.id} has gone on meanwhile.")
