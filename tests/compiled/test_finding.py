"""Compiled code runs only in place of the very sources it was made of, and in the Python it was made for."""

from importlib.machinery import EXTENSION_SUFFIXES

import pytest

from server.compiled import finding
from server.compiled.finding import Build, CompiledFinder, build_in_use, judge, read_compiled, write_made_of

MODULES = ["server.rules.endings", "server.rules.movegen.legal"]


@pytest.fixture
def sources(tmp_path):
    folder = tmp_path / "rules"
    (folder / "movegen").mkdir(parents=True)
    (folder / "endings.py").write_text("OVER = 1\n")
    (folder / "movegen" / "legal.py").write_text("MOVES = 2\n")
    return folder


@pytest.fixture
def made(tmp_path, sources):
    """The folder of a finished compilation, whose modules nobody loads."""
    folder = tmp_path / "made"
    (folder / "server" / "rules" / "movegen").mkdir(parents=True)
    for name in ("endings", "movegen/legal"):
        (folder / "server" / "rules" / f"{name}{EXTENSION_SUFFIXES[0]}").write_bytes(b"")
    write_made_of(folder, sources, MODULES)
    return folder


def test_without_a_compilation_python_runs(tmp_path, sources):
    assert judge(read_compiled(tmp_path / "nothing"), sources) is Build.PLAIN


def test_what_was_made_of_the_sources_runs(made, sources):
    assert judge(read_compiled(made), sources) is Build.COMPILED


@pytest.mark.parametrize("name", ["endings.py", "movegen/legal.py"])
def test_after_an_edit_python_runs_and_it_shows(made, sources, name):
    (sources / name).write_text("EDITED = 3\n")
    assert judge(read_compiled(made), sources) is Build.OUTDATED


def test_so_it_does_after_a_file_came_or_went(made, sources):
    (sources / "new.py").write_text("")
    assert judge(read_compiled(made), sources) is Build.OUTDATED
    (sources / "new.py").unlink()
    (sources / "endings.py").unlink()
    assert judge(read_compiled(made), sources) is Build.OUTDATED


def test_so_it_does_in_another_python(made, sources):
    for file in made.rglob(f"*{EXTENSION_SUFFIXES[0]}"):
        file.rename(file.with_name(file.name.replace(EXTENSION_SUFFIXES[0], ".cpython-38-pdp11.so")))
    assert judge(read_compiled(made), sources) is Build.OUTDATED


def test_a_damaged_list_counts_as_no_compilation(made, sources):
    (made / finding.MADE_OF).write_bytes(b"")
    assert judge(read_compiled(made), sources) is Build.PLAIN
    (made / finding.MADE_OF).write_bytes(b"\xff\xfe")
    assert judge(read_compiled(made), sources) is Build.PLAIN


def test_python_is_given_the_compiled_modules_and_no_others(made):
    compiled = CompiledFinder(read_compiled(made))
    found = compiled.find_spec("server.rules.movegen.legal", None)
    assert found.origin == str(made / "server" / "rules" / "movegen" / f"legal{EXTENSION_SUFFIXES[0]}")
    assert compiled.find_spec("server.rules.catalogue", None) is None


def test_a_variable_has_the_sources_run_in_any_case(monkeypatch, made):
    monkeypatch.setattr(finding, "BUILT", made)
    monkeypatch.setenv("PLAIN_PYTHON", "1")
    assert build_in_use.__wrapped__() is Build.PLAIN


@pytest.mark.parametrize(
    ("rules", "said"),
    [(Build.PLAIN, []), (Build.COMPILED, ["INFO"]), (Build.OUTDATED, ["WARNING"])],
)
def test_a_server_says_at_its_start_that_they_are_compiled_or_outdated(monkeypatch, caplog, rules, said):
    monkeypatch.setattr(finding, "build_in_use", lambda: rules)
    with caplog.at_level("INFO"):
        finding.log_build()
    assert [record.levelname for record in caplog.records] == said
