"""A faster `dataclasses.replace`, which inspects every field on each call: that was half the cost of copying a game."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

Value = TypeVar("Value")
Layout = tuple[Callable[[Any], Iterable[Any]], Mapping[str, int]]
"""What reads all fields of a value in order, and the index of each field."""

_layouts: dict[type[Any], Layout] = {}


def replace(value: Value, **changes: Any) -> Value:
    """A copy of the dataclass `value` (of at least two fields) with `changes`. Raises KeyError for an unknown field."""
    kind: type[Any] = type(value)
    read, places = _layouts.get(kind) or _layout(kind)
    values = list(read(value))
    for name, new in changes.items():
        values[places[name]] = new
    copy: Value = kind(*values)
    return copy


def _layout(kind: type[Any]) -> Layout:
    names = [field.name for field in fields(kind)]
    _layouts[kind] = layout = attrgetter(*names), {name: place for place, name in enumerate(names)}
    return layout
