"""Whoever calls a function reads what it promises: only what is plain, or promised elsewhere, says nothing."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROMISED_BY_PROTOCOLS = ("server/storage/mongo", "server/storage/sqlite")
"""Here every store does what `server.storage.protocols` says, so nothing is said again."""


def test_every_public_function_says_what_it_promises():
    classes = {name: node for tree in trees("server").values() for name, node in classes_of(tree)}
    promised = {
        name for path in trees("server/storage/protocols", "server/storage/stores.py") for name in said_in(path)
    }
    silent = [
        f"{path}:{function.lineno} {function.name}"
        for path, tree in trees("server").items()
        for function, owner in public_functions(tree)
        if not ast.get_docstring(function)
        and not (owner and (is_plain(function) or is_promised(function.name, owner, classes)))
        and not (owner and path.startswith(PROMISED_BY_PROTOCOLS) and function.name in promised)
    ]
    assert silent == []


def trees(*places):
    """Path and syntax tree of each module."""
    files = [
        file for place in places for file in ((ROOT / place).rglob("*.py") if "." not in place else [ROOT / place])
    ]
    return {str(file.relative_to(ROOT)): ast.parse(file.read_text()) for file in sorted(files)}


def said_in(path):
    """The names of the documented methods of a module."""
    tree = ast.parse((ROOT / path).read_text())
    return {function.name for function, owner in public_functions(tree) if owner and ast.get_docstring(function)}


def classes_of(tree):
    return [(node.name, node) for node in tree.body if isinstance(node, ast.ClassDef)]


def public_functions(tree):
    """Each public function with the class that it is a method of, or None."""
    for owner in (None, *(node for _, node in classes_of(tree) if not node.name.startswith("_"))):
        for node in (owner or tree).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                yield node, owner


def is_plain(function):
    """Is it no more than one statement, whose name says it all?"""
    return len(function.body) == 1 and function.body[0].lineno == function.body[0].end_lineno


def is_promised(name, owner, classes):
    """Does a base class say it, of ours or of a library?"""
    for base in (ast.unparse(base).split("[")[0].split(".")[-1] for base in owner.bases):
        if base not in classes:
            return base not in ("Protocol", "TypedDict", "NamedTuple")
        methods = {
            one.name: one for one, _ in public_functions(ast.Module([classes[base]], [])) if isinstance(one, ast.AST)
        }
        if (name in methods and ast.get_docstring(methods[name])) or is_promised(name, classes[base], classes):
            return True
    return False
