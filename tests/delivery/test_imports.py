"""What tests import is there, also in folders that `make quick` leaves out, where nobody would see it break; and the
server uses nothing that is private to a package.

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
    # Not by the folder itself: one whose files are gone may still have what Python has compiled of them.
    is_package = (folder / "__init__.py").exists()
    file = folder / "__init__.py" if is_package else folder.with_suffix(".py")
    if not file.exists():
        return None
    symbols = symtable.symtable(file.read_text(encoding="utf-8"), str(file), "exec").get_symbols()
    names = {one.get_name() for one in symbols if one.is_assigned() or one.is_imported() or one.is_namespace()}
    inside = {path.stem for path in folder.iterdir()} if is_package else set()
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


PUBLIC = {"_exit"}
"""`os._exit`, which is documented."""


def defined_and_used(tree):
    """The names of attributes that a module gives to something, and those beginning with _ that it reads or imports."""
    defined, used = set(), set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                defined.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                defined.add(name)
            case ast.Attribute(attr=name):
                used.add(name)
            case ast.ImportFrom(module=str(module), names=names) if module.partition(".")[0] != "server":
                used.update(one.name for one in names)
                used.update(module.split("."))
    return defined, {name for name in used if name.startswith("_") and not name.startswith("__")}


def test_the_server_uses_nothing_that_is_private_to_a_package():
    """Or the package's next minor release could break it: whatever begins with _ is defined in the server itself."""
    defined, used = set(), {}
    for file in ROOT.joinpath("server").rglob("*.py"):
        names, private = defined_and_used(ast.parse(file.read_text(encoding="utf-8")))
        defined |= names
        for name in private:
            used.setdefault(name, []).append(str(file.relative_to(ROOT)))
    assert len(used) > 100
    assert {name: files for name, files in used.items() if name not in defined | PUBLIC} == {}
