"""Templates name what they show by texts that no type checker sees, so a changed name must be noticed here.

A page shows some of it in few cases only, so rendering it would not tell. What is checked is less than a type: that a
field or property of that name is somewhere on this server, and that the module of a page gives it each name it uses.
"""

import ast
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jinja2
from jinja2 import meta, nodes

from server.language import name_in_form, with_code

ROOT = Path(__file__).parents[3]
TEMPLATES = ROOT / "templates"
OF_JINJA_AND_TEXTS = {"index", "index0", "first", "last", "items", "startswith", "cycle"}
GIVEN_TO_ALL = {
    "t",
    "names",
    "language",
    "languages",
    "page_path",
    "here",
    "visitor",
    "notice",
    "restarts_in",
    "chosen",
    "decided",
    "site_name",
    "site_accent",
    "asset",
    "site",
    "has_mail",
    "host_contact",
    "day",
    "vacation_days",
    "has_push",
    "zone_names",
    "look",
    "piece_sheets",
    "has_page",
    "is_bot",
    "release",
    "source",
    "can_be_embedded",
}
"""By `languages.speak`, `template_context` and `app.add_templates`."""
ENVIRONMENT = jinja2.Environment()
ENVIRONMENT.filters["code"] = with_code
ENVIRONMENT.filters["in_form"] = name_in_form
ALL = sorted(str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html"))
PAGES = [name for name in ALL if not name.startswith(("partials/", "base.")) and "/_" not in name]


@dataclass(frozen=True)
class Names:
    """What a piece of the server writes out: texts, keys of dicts, keyword arguments, and the functions it calls."""

    texts: frozenset
    keys: frozenset
    keywords: frozenset
    called: frozenset


def names_in(piece):
    texts, keys, keywords, called = set(), set(), set(), set()
    for node in piece:
        match node:
            case ast.Constant(value=str(text)):
                texts.add(text)
            case ast.Dict(keys=written):
                keys |= {key.value for key in written if isinstance(key, ast.Constant)}
            case ast.keyword(arg=str(name)):
                keywords.add(name)
            case ast.Call(func=ast.Name(id=name)):
                called.add(name)
    return Names(frozenset(texts), frozenset(keys), frozenset(keywords), frozenset(called))


@cache
def modules():
    """Everything that stands in each module of the server, and its names; not read by who only collects these tests."""
    pieces = [tuple(ast.walk(ast.parse(path.read_text()))) for path in (ROOT / "server").rglob("*.py")]
    return [(piece, names_in(piece)) for piece in pieces]


@cache
def parsed(name):
    return ENVIRONMENT.parse((TEMPLATES / name).read_text())


def named_in_classes():
    """Every field, property and method, and every key of a dict that is written out."""
    for module, names in modules():
        yield from names.keys
        for node in module:
            if isinstance(node, ast.ClassDef):
                for one in node.body:
                    yield from named_by(one)


def named_by(statement):
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=[ast.Name(id=name)]):
            yield name
        case _:
            pass


def test_what_a_template_reads_is_there():
    known = OF_JINJA_AND_TEXTS | set(named_in_classes())
    read = {(name, one.lineno, one.attr) for name in ALL for one in parsed(name).find_all(nodes.Getattr)}
    assert sorted((name, line, attribute) for name, line, attribute in read if attribute not in known) == []


@cache
def used_by(name):
    """The names that a template and its parts take from their context, but for those that they may do without."""
    tree = parsed(name)
    used = meta.find_undeclared_variables(tree)
    for part in filter(None, meta.find_referenced_templates(tree)):
        used = used | used_by(part)
    tested = [test.node for test in tree.find_all(nodes.Test) if test.name == "defined"]
    may_lack = {node.name for node in tested if isinstance(node, nodes.Name)}
    set_here = {one.target.name for one in tree.find_all((nodes.Assign, nodes.AssignBlock))}
    set_here |= {target.name for one in tree.find_all(nodes.With) for target in one.targets}
    macros = {macro.name for macro in tree.find_all(nodes.Macro)}
    imported = {name for statement in tree.find_all(nodes.FromImport) for name in statement.names}
    return used - may_lack - set_here - macros - imported


def given_to(page):
    """The names that the module of a page gives to a template, itself or by a function that hands on what it is given.

    They are keyword arguments, and keys that it writes out.
    """
    for module, names in modules():
        if page in names.texts:
            yield from names.keywords | names.keys
            for function in names.called & handing_on().keys():
                yield from handing_on()[function].keywords | handing_on()[function].keys
            for function in {node.name for node in module if hands_on(node)}:
                yield from keywords_of_calls().get(function, ())


def hands_on(node):
    """Is it a function that takes any keyword arguments?"""
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.args.kwarg is not None


@cache
def handing_on():
    """What stands in each function that takes any keyword arguments, by its name."""
    return {node.name: names_in(ast.walk(node)) for module, _ in modules() for node in module if hands_on(node)}


@cache
def keywords_of_calls():
    """The keyword arguments with which any module calls each function."""
    found = defaultdict(set)
    for module, _ in modules():
        for node in module:
            match node:
                case ast.Call(func=ast.Name(id=name), keywords=keywords):
                    found[name] |= {keyword.arg for keyword in keywords if keyword.arg}
    return found


def test_a_page_gets_every_name_that_it_uses():
    lacking = {page: used_by(page) - GIVEN_TO_ALL - set(given_to(page)) for page in PAGES}
    assert {page: names for page, names in lacking.items() if names} == {}
