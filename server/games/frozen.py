"""A faster `dataclasses.replace`: copying a game with that takes 20 µs, and each move makes several copies.

A frozen dataclass writes its fields through `object.__setattr__`, one slow call for each. So the copy is made as an
instance of a twin, a class with the same slots that is not frozen, by statements that assign field after field; then
it becomes what it copies. That takes a fifth of the time of `__set__` of each slot, which is the next best.
"""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

Value = TypeVar("Value")

_copiers: dict[type[Any], Callable[[Any], Any]] = {}


def replace(value: Value, **changes: Any) -> Value:
    """A copy of `value`, a dataclass with slots and no checks of its own, with `changes`.

    Raises AttributeError for an unknown field.
    """
    kind = type(value)
    copy = (_copiers.get(kind) or _make_copier(kind))(value)
    for name, new in changes.items():
        setattr(copy, name, new)
    copy.__class__ = kind
    return copy  # type: ignore[no-any-return]


def _make_copier(kind: type[Any]) -> Callable[[Any], Any]:
    """What copies a `kind` into an instance of its twin."""
    slots = {"__slots__": kind.__slots__, "__setattr__": object.__setattr__}
    twin = type(kind.__name__, kind.__bases__, slots)
    lines = [f"    copy.{field.name} = value.{field.name}" for field in fields(kind)]
    made: dict[str, Callable[[Any], Any]] = {"twin": twin}
    exec("\n".join(("def copied(value):", "    copy = twin.__new__(twin)", *lines, "    return copy")), made)
    _copiers[kind] = made["copied"]
    return made["copied"]
