"""Upgrades stored documents of earlier releases to today's. Knows no game: an upgrade adds or renames fields."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from server.storage.documents import NONE, Document, Head
from server.storage.fields import number

Upgrade = Callable[[Head], Head]


def _adding(**fields: int | str) -> Upgrade:
    return lambda head: {**head, **fields}


def _with_tags(head: Head) -> Head:
    names = {"Event": "origin_event", "Site": "origin_site", "Date": "origin_date"}
    kept = dict(head)
    said = [(name, value) for name, field in names.items() if (value := kept.pop(field))]
    if head["imported"]:
        said += [("White", head["white_name"]), ("Black", head["black_name"])]
    return {**kept, "origin_tags": json.dumps(said, ensure_ascii=False), "origin_movetext": ""}


UPGRADES: Sequence[Upgrade] = (
    # In schema 1 no game could be adjourned.
    _adding(adjourns="0 0", adjourned=""),
    # In schema 2 every game had been played here.
    _adding(imported=0, origin_event="", origin_site="", origin_date=""),
    # In schema 3 time given back because the server was overloaded was not counted.
    _adding(busy="0 0"),
    # In schema 4 three tags of an imported game were stored, in fields of their own.
    _with_tags,
    # In schema 5 players new to a variant got no extra time for the first move.
    _adding(unhurried=0),
    # In schema 6 nobody was reminded of a move.
    _adding(reminded=0),
    # In schema 7 there were no conditional moves.
    _adding(if_white="", if_black=""),
    # In schema 8 there were no time banks.
    _adding(cap=NONE),
    # In schema 9 nobody could go on vacation.
    _adding(away="0 0"),
    # In schema 10 no correspondence game could be paused.
    _adding(pause_ended=NONE),
    # In schema 11 every fallen flag ended the game.
    _adding(by_hand="0 0"),
    # In schema 12 nobody was told who had proposed a game.
    _adding(proposer=""),
    # In schema 13 the computer had no seat.
    _adding(white_level=0, black_level=0),
    # In schema 14 a move earned its increment anew each time it had been taken back.
    _adding(replaced="0 0"),
    # In schema 15 nobody was told who had aborted a game.
    _adding(aborted_by=""),
    # In schema 16 a head left nothing out; what reads a shorter one of a later schema completes it.
    _adding(),
)
"""UPGRADES[n] turns the head of a document of schema n + 1 into one of n + 2. Only ever append to it."""


def upgrade(document: Document, upgrades: Sequence[Upgrade]) -> Document:
    """`document` after all of `upgrades` that it needs. Raises ValueError for an unknown schema."""
    schema = number(document.head, "s")
    if schema < 1:
        raise ValueError(f"there is no schema {schema}")
    if schema > len(upgrades) + 1:
        raise ValueError(f"schema {schema} is of a later release of this server")
    head, due = document.head, upgrades[schema - 1 :]
    for change in due:
        head = change(head)
    return replace(document, head={**head, "s": len(upgrades) + 1}) if due else document
