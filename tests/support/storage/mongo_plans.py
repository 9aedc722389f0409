"""What a MongoDB store asks of its collections, and whether an index answers it: gathered while its tests run.

A question may read what its filter says through an index, or in the order of one up to its limit; it may sort what it
returns. All else reads more than it returns, and has its reason here. This is reckoned from the indexes
themselves; `mongo_explained` asks the database, too.
"""

import functools
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from pymongo import monitoring

from server.storage.mongo.table import INDEXES, keys_of

DURABLE = {"w": "majority", "j": True, "wtimeout": 5_000}
SINGLE = defaultdict(lambda: {"_id"}, accounts={"_id", "user"})
"""Fields of which each value is there once: whatever else is asked then is asked of one document."""
EXACT = {"$eq", "$in"}
RANGE = {"$gt", "$gte", "$lt", "$lte"}
EXCUSED = {
    r"(find|update) games: (result= )?status=$": "once, when a site of an earlier release is upgraded",
    r"update (accounts|users): \w+\?$": "when a server starts, for those that an earlier release has written",
    r"find games: uncounted\? unexplored= limited": "as long as it is, the first few that it holds are wanted",
    r"find archive: .*by_\w+< .*by by_": "the narrowest facet of a search is read, and each reading has an end",
    r"\w+ seeks: ": "holds only the seeks that stand, some hundreds",
    r"(find|delete) alive: ": "a document for each server",
    r"delete (calls|challenges|vacations): ": "old documents, swept in the background",
    r"find accounts: _id< held_until= by _id": "all accounts are gone through; a name that is kept free is passed over",
    r"find accounts: alike= held_until=": "those whose names look alike",
    r"find alerts: owner\? registered< speeds\? until<": "alerts that stand are looked through until enough are found",
    r"find standings: board< sure_until< by board-": "passed over are those who have not played for months",
    r"find standings: player= rated<": "one person's",
    r"find desk_log: .* by at- _id- limited": "a host looks through two years of the log",
    r"find ties: kind= (other|owner)=": "one person's",
    r"find tournaments: \$or= (created<|over=) owner= by created _id": "one person's, of a day or not over",
    r"update counted: chart\? player=": "one person's",
    r"(find|update) chat: at< game= player= untold=": "the chat of one game",
    r"find chat: untold= by _id": "holds only what was said just now",
    r"(find|update|delete) held: ": "what is held of one game, or for one mailbox",
    r"delete outbox: owner\? topic=": "mails about one game",
    r"find outbox: next_try< by next_try _id": "mails of one moment are sorted by their ids; the outbox has a bound",
    r"find reports: closed= by at _id": "holds only what the host has not closed",
    r"find puzzles: _id< variant= by _id|delete puzzle_games: ": "the host lists or removes puzzles",
}
"""Part of a question, and why it may read more than it returns."""


@dataclass(frozen=True)
class Question:
    """`fields`: how the filter binds each of them: `=`, `<` for a range, or `?` for what no index answers."""

    kind: str
    collection: str
    fields: tuple[tuple[str, str], ...]
    sort: tuple[tuple[str, int], ...] = ()
    limited: bool = False

    def __str__(self):
        said = " ".join(f"{name}{how}" for name, how in self.fields)
        order = " ".join(f"{name}{'-' if way < 0 else ''}" for name, way in self.sort)
        return f"{self.kind} {self.collection}: {said}" + f" by {order}" * bool(order) + " limited" * self.limited


def bound(name, condition):
    """How an index can use a condition on a field; "" if it may be left out of account."""
    if name == "_id" and isinstance(condition, dict) and set(condition) <= {"$nin", "$ne"}:
        # At most as many more are read as are named.
        return ""
    if not isinstance(condition, dict) or not any(name.startswith("$") for name in condition):
        return "="
    names = set(condition)
    if names <= EXACT:
        return "="
    return "<" if names <= RANGE else "?"


def alternatives(wanted):
    """The filter as several without `$or`: each of them is to be answered by an index."""
    rest = {name: value for name, value in wanted.items() if name not in ("$or", "$and")}
    for part in wanted.get("$and", ()):
        rest |= part
    if "$or" not in wanted:
        return [rest]
    return [{**rest, **one} for branch in wanted["$or"] for one in alternatives(branch)]


def questions(command_name: str, command: Any):
    """All that one command asks, and its filter; each branch of an `$or` by itself."""
    match command_name:
        case "find":
            asked = [(command.get("filter", {}), command.get("sort", {}), bool(command.get("limit")))]
        case "count":
            asked = [(command.get("query", {}), {}, False)]
        case "aggregate":
            first = command["pipeline"][0] if command["pipeline"] else {}
            asked = [(first.get("$match", {}), {}, False)]
        case "update":
            asked = [(one["q"], {}, False) for one in command["updates"]]
        case "delete":
            asked = [(one["q"], {}, False) for one in command["deletes"]]
        case _:
            return
    for wanted, sort, limited in asked:
        for one in alternatives(wanted):
            how = ((name, bound(name, condition)) for name, condition in one.items())
            fields = tuple(sorted((name, said) for name, said in how if said))
            order = tuple((name, int(way)) for name, way in dict(sort).items())
            yield Question(command_name, command[command_name], fields, order, limited), one


def answered(question: Question) -> bool:
    """Does an index lead to just what is returned?"""
    if not question.fields and not question.limited:
        return True
    return any(_answers([("_id", 1)] if index == "_id" else keys_of(index), question) for index in _indexes(question))


def _indexes(question):
    return ("_id", *INDEXES.get(question.collection, ()))


def _answers(keys, question):
    how, used = dict(question.fields), set()
    exact = 0
    for name, _ in keys:
        if how.get(name) != "=":
            break
        exact += 1
        used.add(name)
    if used & SINGLE[question.collection]:
        return True
    if exact < len(keys) and how.get(keys[exact][0]) == "<":
        used.add(keys[exact][0])
    if set(how) - used:
        return False
    if not (question.limited and question.sort):
        return True
    order = [(name, way) for name, way in question.sort if how.get(name) != "="]
    there = keys[exact : exact + len(order)]
    return there == order or [(name, -way) for name, way in there] == order


class MongoPlans(monitoring.CommandListener):
    """The questions of all stores of this process, by database."""

    def __init__(self) -> None:
        self._asked = defaultdict(dict)
        self._hasty = defaultdict(set)
        self._written = defaultdict(set)

    def started(self, event):
        if event.command_name in ("insert", "update", "delete") and event.command.get("writeConcern") != DURABLE:
            self._hasty[event.database_name].add(f"{event.command_name} {event.command[event.command_name]}")
        if event.command_name in ("insert", "update"):
            self._written[event.database_name].add(event.command[event.command_name])
        for question, wanted in questions(event.command_name, event.command):
            self._asked[event.database_name].setdefault(question, wanted)

    def succeeded(self, event):
        """Says nothing of what was asked."""

    def failed(self, event):
        """Says nothing of what was asked."""

    def wasteful(self, database: str):
        """Every question that reads more than it returns, without a reason."""
        asked = [one for one in self._asked[database] if not any(re.search(part, str(one)) for part in EXCUSED)]
        return sorted(str(one) for one in asked if not answered(one))

    def forget(self, database: str):
        """Whatever was asked there was asked by others."""
        self._asked.pop(database, None)
        self._hasty.pop(database, None)
        self._written.pop(database, None)

    def written(self, database: str):
        """The collections to which something may have been added."""
        return self._written[database]

    def asked(self, database: str):
        """Every question, and an example of its filter."""
        return list(self._asked[database].items())

    def hasty(self, database: str):
        """Every write that did not ask for a majority and its journals."""
        return sorted(self._hasty[database])


PLANS = MongoPlans()


@functools.cache
def watch():
    """From now on each new client of this process is listened to."""
    monitoring.register(PLANS)
