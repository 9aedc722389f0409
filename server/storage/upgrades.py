"""The steps from the stored documents of earlier releases to today's. Knows no game: a step adds or renames fields."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from server.storage.documents import NONE, Document, Head
from server.storage.fields import number

Step = Callable[[Document], Document]


def _with_adjournment(document: Document) -> Document:
    """In schema 1 no game could be adjourned."""
    return replace(document, head={**document.head, "s": 2, "adjourns": "0 0", "adjourned": ""})


def _with_origin(document: Document) -> Document:
    """In schema 2 every game had been played here."""
    nowhere: Head = {"imported": 0, "origin_event": "", "origin_site": "", "origin_date": ""}
    return replace(document, head={**document.head, "s": 3, **nowhere})


def _with_busy(document: Document) -> Document:
    """In schema 3 time given back because the server was overloaded was not counted."""
    return replace(document, head={**document.head, "s": 4, "busy": "0 0"})


def _with_tags(document: Document) -> Document:
    """In schema 4 three tags of an imported game were stored, in fields of their own."""
    names = {"Event": "origin_event", "Site": "origin_site", "Date": "origin_date"}
    head = dict(document.head)
    said = [(name, value) for name, field in names.items() if (value := head.pop(field))]
    if head["imported"]:
        said += [("White", head["white_name"]), ("Black", head["black_name"])]
    tags = json.dumps(said, ensure_ascii=False)
    return replace(document, head={**head, "s": 5, "origin_tags": tags, "origin_movetext": ""})


def _with_unhurried(document: Document) -> Document:
    """In schema 5 players new to a variant got no extra time for the first move."""
    return replace(document, head={**document.head, "s": 6, "unhurried": 0})


def _with_reminded(document: Document) -> Document:
    """In schema 6 nobody was reminded of a move."""
    return replace(document, head={**document.head, "s": 7, "reminded": 0})


def _with_conditional(document: Document) -> Document:
    """In schema 7 there were no conditional moves."""
    return replace(document, head={**document.head, "s": 8, "if_white": "", "if_black": ""})


def _with_cap(document: Document) -> Document:
    """In schema 8 there were no time banks."""
    return replace(document, head={**document.head, "s": 9, "cap": NONE})


def _with_away(document: Document) -> Document:
    """In schema 9 nobody could go on vacation."""
    return replace(document, head={**document.head, "s": 10, "away": "0 0"})


def _with_pause_ended(document: Document) -> Document:
    """In schema 10 no correspondence game could be paused."""
    return replace(document, head={**document.head, "s": 11, "pause_ended": NONE})


def _with_by_hand(document: Document) -> Document:
    """In schema 11 every fallen flag ended the game."""
    return replace(document, head={**document.head, "s": 12, "by_hand": "0 0"})


def _with_proposer(document: Document) -> Document:
    """In schema 12 nobody was told who had proposed a game."""
    return replace(document, head={**document.head, "s": 13, "proposer": ""})


def _with_levels(document: Document) -> Document:
    """In schema 13 the computer had no seat."""
    return replace(document, head={**document.head, "s": 14, "white_level": 0, "black_level": 0})


STEPS: Sequence[Step] = (
    _with_adjournment,
    _with_origin,
    _with_busy,
    _with_tags,
    _with_unhurried,
    _with_reminded,
    _with_conditional,
    _with_cap,
    _with_away,
    _with_pause_ended,
    _with_by_hand,
    _with_proposer,
    _with_levels,
)
"""STEPS[n] turns a document of schema n + 1 into one of n + 2. Only ever append to it."""


def upgrade(document: Document, steps: Sequence[Step]) -> Document:
    """`document` after all of `steps` that it needs. Raises ValueError for an unknown schema."""
    schema = number(document.head, "s")
    if schema < 1:
        raise ValueError(f"there is no schema {schema}")
    if schema > len(steps) + 1:
        raise ValueError(f"schema {schema} is of a later release of this server")
    for step in steps[schema - 1 :]:
        document = step(document)
    return document
