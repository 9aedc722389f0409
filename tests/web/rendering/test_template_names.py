"""A template names a field or property by a text that no type checker sees, so renaming one must be noticed here.

A page shows some of them in few cases only, so rendering it would not tell. What is checked is less than a type: that
something on this server still has that name.
"""

import ast
from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes

ROOT = Path(__file__).parents[3]
TEMPLATES = ROOT / "templates"
OF_JINJA_AND_TEXTS = {"index", "first", "last", "items", "startswith"}


def named_in_classes():
    """Every field, property and method, and every key of a dict that is written out."""
    for path in (ROOT / "server").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.ClassDef(body=body):
                    for one in body:
                        yield from named_by(one)
                case ast.Dict(keys=keys):
                    yield from (key.value for key in keys if isinstance(key, ast.Constant))
                case _:
                    pass


def named_by(statement):
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=[ast.Name(id=name)]):
            yield name
        case _:
            pass


@pytest.fixture(scope="module")
def known():
    return OF_JINJA_AND_TEXTS | set(named_in_classes())


@pytest.mark.parametrize("name", sorted(str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html")))
def test_what_a_template_reads_is_there(name, known):
    tree = jinja2.Environment().parse((TEMPLATES / name).read_text())
    read = {(one.attr, one.lineno) for one in tree.find_all(nodes.Getattr)}
    assert {(attribute, line) for attribute, line in read if attribute not in known} == set()
