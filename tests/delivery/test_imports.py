"""What tests import is there: also in folders that `make quick` leaves out, where nobody would see it break.

Files are read and not run: that takes a second for all of them.
"""

import ast
import symtable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
OURS = ("server", "tests")


@cache
def names_of(module):
    """What can be imported from one of our modules; None if there is no such module."""
    folder = ROOT.joinpath(*module.split("."))
    file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    if not file.exists():
        return None
    symbols = symtable.symtable(file.read_text(encoding="utf-8"), str(file), "exec").get_symbols()
    names = {one.get_name() for one in symbols if one.is_assigned() or one.is_imported() or one.is_namespace()}
    inside = {path.stem for path in folder.iterdir()} if folder.is_dir() else set()
    return names | inside


def imports_in(source):
    """(module, name) for each name that is imported from a module of ours."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in OURS:
            yield from ((node.module, one.name) for one in node.names)


@cache
def imports_of_tests():
    """The same of every file of the tests."""
    files = sorted(ROOT.joinpath("tests").rglob("*.py"))
    return {str(file.relative_to(ROOT)): tuple(imports_in(file.read_text(encoding="utf-8"))) for file in files}


def missing(imports):
    return [(module, name) for module, name in imports if name not in (names_of(module) or ())]


def test_every_name_that_a_test_imports_is_there():
    assert len(imports_of_tests()) > 100
    lost = {file: missing(imports) for file, imports in imports_of_tests().items()}
    assert {file: names for file, names in lost.items() if names} == {}


def test_no_test_imports_another_test():
    """What two of them need is in `tests/support`, or in a plain module beside them."""
    taken = {
        (file, module)
        for file, imports in imports_of_tests().items()
        for module, _ in imports
        if module.rpartition(".")[2].startswith(("test_", "conftest"))
    }
    assert taken == set()


def test_a_module_or_name_that_is_gone_is_found():
    source = (
        "def late():\n    from tests.support.gone import a\n    from server.games.clocks.clock import TimeControl, Gone"
    )
    assert missing(imports_in(source)) == [("tests.support.gone", "a"), ("server.games.clocks.clock", "Gone")]
