"""Rewrites a module as mypyc wants its classes, line for line, so that a traceback still names the right ones.

mypyc lays out a class itself and accepts no `__slots__`. A class that inherits from one that stays Python has to stay
Python, too; a metaclass makes mypyc do that. Knows no module of this server, and changes no file.
"""

import ast
from collections.abc import Iterator
from typing import Final

LEFT_ALONE: Final = frozenset({"Enum", "IntEnum", "NamedTuple", "Protocol", "StrEnum", "TypedDict"})
"""Bases that tell mypyc by themselves that it cannot lay out the class."""


def adapted(source: str) -> str:
    """The module `source` with the same lines, for mypyc."""
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.ClassDef):
            continue
        bases = {ast.unparse(base) for base in node.bases}
        if bases and bases.isdisjoint(LEFT_ALONE):
            lines[node.lineno - 1] = lines[node.lineno - 1].replace("):", ", metaclass=type):")
        elif not bases:
            for slots in _slots(node):
                last = slots.end_lineno or slots.lineno
                lines[slots.lineno - 1 : last] = ["    pass\n", *["\n"] * (last - slots.lineno)]
    return "".join(lines)


def _slots(node: ast.ClassDef) -> Iterator[ast.Assign]:
    for statement in node.body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__slots__":
            yield statement
