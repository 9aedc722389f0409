"""The engine knows nothing of pages, sockets or boards on a screen, and its rules nothing of the search."""

import re
from pathlib import Path

ENGINE = Path(__file__).parents[2] / "static/js/engine"
IMPORTED = re.compile(r"""(?:^\s*(?:import|export)\b[^;]*?from |\bimport\()\s*['"]([^'"]+)['"]""", re.MULTILINE)


def imports_of(folder):
    """(file, imported file) for each import in the scripts of a folder and of the folders in it."""
    for file in folder.rglob("*.js"):
        for name in IMPORTED.findall(file.read_text()):
            yield file, (file.parent / name).resolve()


def test_the_engine_imports_only_what_is_its_own():
    imports = list(imports_of(ENGINE))
    assert len(imports) > 40
    assert [pair for pair in imports if not pair[1].is_relative_to(ENGINE)] == []
    assert [pair for pair in imports if not pair[1].exists()] == []


def test_the_engines_rules_know_nothing_of_the_search():
    assert [pair for pair in imports_of(ENGINE / "rules") if not pair[1].is_relative_to(ENGINE / "rules")] == []
