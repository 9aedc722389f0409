"""The gatherer of questions finds one that no index answers, by itself and by what the database explains.

The store suite asks both after each test on MongoDB.
"""

from types import SimpleNamespace

import pytest
from pymongo import IndexModel, MongoClient

from server.storage.mongo.table import INDEXES, keys_of
from tests.support.storage.mongo_explained import UNLIKE_MONGODB, Explained
from tests.support.storage.mongo_plans import DURABLE, MongoPlans


def find(collection, wanted, sort=None, limit=0):
    return {"find": collection, "filter": wanted, "sort": sort or {}, "limit": limit}


def told(command):
    plans = MongoPlans()
    plans.started(SimpleNamespace(command_name=next(iter(command)), command=command, database_name="site"))
    return plans


@pytest.mark.parametrize(
    ("command", "wasteful"),
    [
        (find("games", {"_id": "a"}), False),
        (find("games", {"_id": {"$in": ["a", "b"]}, "status": "over"}), False),
        (find("games", {"white": "a"}, {"created": -1}, 5), False),
        (find("games", {"white": "a", "status": {"$in": ["live"]}}, {"created": -1}, 5), False),
        (find("games", {"deadline": {"$gte": 0, "$lt": 9}}, {"deadline": 1}, 5), False),
        (find("games", {"$or": [{"white": "a"}, {"black": "a"}]}), False),
        (find("games", {}, {"_id": 1}, 5), False),
        (find("ties", {"owner": "a"}, {"at": 1}), False),
        (find("puzzles", {"variant": "a", "chess960": 0, "_id": {"$nin": ["b"]}, "rating": {"$lt": 5}}), False),
        (find("accounts", {"user": "a", "held_until": 0}), False),
        (find("games", {"token": "a"}), True),
        (find("games", {"$or": [{"white": "a"}, {"token": "a"}]}), True),
        (find("games", {"white": "a"}, {"token": 1}, 5), True),
        (find("games", {"white": "a", "reason": "resign"}), True),
        (find("games", {"white": {"$ne": "a"}}), True),
        (find("puzzles", {"variant": "a", "chess960": 0, "rating": {"$lt": 5}}, {"rating": 1, "_id": 1}, 5), True),
        ({"aggregate": "games", "pipeline": [{"$match": {"token": "a"}}, {"$group": {"_id": 1}}]}, True),
        ({"update": "games", "updates": [{"q": {"_id": "a"}, "u": {}}, {"q": {"token": "a"}, "u": {}}]}, True),
        ({"delete": "sessions", "deletes": [{"q": {"seen": {"$lt": 5}}, "limit": 0}]}, False),
        ({"delete": "sessions", "deletes": [{"q": {"other": {"$lt": 5}}, "limit": 0}]}, True),
    ],
)
def test_a_question_that_reads_more_than_it_returns_is_found(command, wasteful):
    assert bool(told(command).wasteful("site")) is wasteful


@pytest.mark.slow
@pytest.mark.parametrize("there", [True, False])
def test_a_question_whose_index_is_not_in_the_database_is_found(secantus, there):
    """It is reckoned from the table of indexes, and explained from those that are there."""
    with MongoClient(secantus.uri) as client:
        site = client["explained" if there else "unexplained"]
        site["games"].insert_one({"_id": "a", "white": "anna", "status": "live", "created": 1})
        if there:
            site["games"].create_indexes([IndexModel(keys_of(index)) for index in INDEXES["games"]])
        plans = told(find("games", {"white": "anna", "status": "live"}, {"created": -1}, 5))
        assert plans.wasteful("site") == []
        explained = Explained(site, UNLIKE_MONGODB)
        asked = "find games: status= white= by created- limited (explained)"
        assert explained.scans(plans.asked("site")) == ([] if there else [asked])
        assert explained.scans(plans.asked("site")) == [], "once is enough"


@pytest.mark.parametrize("concern", [None, {"w": 1}, {"w": "majority"}, {**DURABLE, "j": False}])
def test_a_write_that_does_not_wait_for_a_majority_and_its_journals_is_found(concern):
    command = {"insert": "games", "documents": [], **({"writeConcern": concern} if concern else {})}
    assert told(command).hasty("site") == ["insert games"]
    assert told({**command, "writeConcern": DURABLE}).hasty("site") == []
