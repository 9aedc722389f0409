"""What mypyc is given: the same module, line for line, with classes that it can lay out."""

import ast
from pathlib import Path

import pytest

from server.compiled.adapting import adapted
from server.compiled.making import COMPILED

SERVER = Path(__file__).parents[2] / "server"
FILES = [f"{folder}/{name}.py" for folder, names in COMPILED.items() for name in names.split()]


def statements(source):
    return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(source)))


@pytest.mark.parametrize("file", FILES)
def test_a_module_stays_as_it_is_line_for_line_but_for_slots_and_metaclasses(file):
    source = (SERVER / file).read_text()
    given = adapted(source)
    assert statements(given) == statements(source)
    for before, after in zip(source.splitlines(), given.splitlines(), strict=True):
        assert before == after or "metaclass=type" in after or after.strip() in ("", "pass")


@pytest.mark.parametrize("file", FILES)
def test_no_module_has_what_would_be_compiled_into_something_else(file):
    source = (SERVER / file).read_text()
    assert "ClassVar" not in source
    assert ".__new__" not in source or file == "games/frozen.py"


def test_a_class_without_bases_loses_its_slots():
    assert (
        adapted('class A:\n    __slots__ = (\n        "x",\n    )\n\n    x = 1\n')
        == "class A:\n    pass\n\n\n\n    x = 1\n"
    )


def test_a_class_with_bases_stays_python():
    assert adapted("class A(B):\n    __slots__ = ()\n") == "class A(B, metaclass=type):\n    __slots__ = ()\n"


def test_kinds_that_mypyc_knows_are_left_alone():
    source = "class A(Protocol):\n    x: int\n\n\nclass B(StrEnum):\n    X = 'x'\n"
    assert adapted(source) == source
