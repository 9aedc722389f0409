"""A faster `dataclasses.replace`, which inspects every field on each call: that was half the cost of copying a game."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

Value = TypeVar("Value")
Write = Callable[[Any, Any], None]
Layout = tuple[Callable[[Any], Iterable[Any]], Mapping[str, Write]]
"""What reads all fields of a value in order, and what writes each of them, in the same order."""

_layouts: dict[type[Any], Layout] = {}


def replace(value: Value, **changes: Any) -> Value:
    """A copy of `value` with `changes`: a dataclass with slots, at least two fields and no checks of its own.

    Raises KeyError for an unknown field.
    """
    kind = type(value)
    read, writes = _layouts.get(kind) or _layout(kind)
    copy: Value = kind.__new__(kind)
    for write, old in zip(writes.values(), read(value), strict=True):
        write(copy, old)
    for name, new in changes.items():
        writes[name](copy, new)
    return copy


def _layout(kind: type[Any]) -> Layout:
    names = [field.name for field in fields(kind)]
    _layouts[kind] = layout = attrgetter(*names), {name: getattr(kind, name).__set__ for name in names}
    return layout
