"""Files, functions and folders stay small enough to be taken in at one look, as CONTRIBUTING.md promises."""

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
KINDS = {".py", ".js", ".mjs", ".css", ".html"}
LINES = 300
LINES_OF_A_FUNCTION = 40
MODULES = 20
"""Side by side in one folder, besides the one that is the folder's own."""
BUILT = ROOT / "static" / "dist"


def sources(*folders):
    for folder in folders:
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix in KINDS and BUILT not in path.parents:
                yield path


def test_every_file_has_less_than_three_hundred_lines():
    lengths = {path: len(path.read_text().splitlines()) for path in sources("server", "static", "templates", "tests")}
    assert len(lengths) > 1_000
    assert {str(path.relative_to(ROOT)): n for path, n in lengths.items() if n >= LINES} == {}


def test_no_function_of_the_server_has_more_than_forty_lines():
    long = []
    for path in sources("server"):
        for node in ast.walk(ast.parse(path.read_text())) if path.suffix == ".py" else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = node.end_lineno - node.lineno + 1
                if length > LINES_OF_A_FUNCTION:
                    long.append(f"{path.relative_to(ROOT)} {node.name}: {length}")
    assert long == []


def test_no_folder_has_more_than_twenty_modules():
    modules = Counter(
        path.parent
        for path in sources("server", "static", "templates", "tests")
        if path.stem not in ("__init__", "conftest")
    )
    assert {str(folder.relative_to(ROOT)): n for folder, n in modules.items() if n > MODULES} == {}
