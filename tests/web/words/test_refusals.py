"""Each reason for which something is refused has a sentence in every language, and each such sentence a reason."""

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest

from server.language import english, load_words, places
from server.rules.errors import InvalidPgn, Refusal
from server.web.rendering.problems import Problem

ROOT = Path(__file__).parents[3]
LANGUAGES = load_words()
OPTIONS = {"code", "detail", "retry_after", "ply"}
"""What is given beside an id, and is no part of its sentence."""
PASSED_ON = re.compile(r"\w+\.id")
"""The id of another refusal: of the same sentence, but where a PGN has its own for what can be wrong with a move."""
WRONG_WITH_A_MOVE = ["unreadable", "illegal", "ambiguous"]


def raised():
    """Each place where a refusal is made: (its class, the id, what is given for its sentence, the place)."""
    for path in sorted((ROOT / "server").rglob("*.py")):
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id=name), args=args, keywords=given):
                    pass
                case ast.Raise(exc=ast.Name(id=name)):
                    args, given = [], []
                case _:
                    continue
            kind = getattr(module, name, None)
            if inspect.isclass(kind) and issubclass(kind, Refusal):
                at = f"{path.relative_to(ROOT)}:{node.lineno}"
                params = {keyword.arg for keyword in given} - OPTIONS
                yield from ((kind, one, params, at) for one in ids(kind, args, at))


def ids(kind, args, at):
    """The ids that a call gives, which must stand there as they are, or the code of the class if it gives none."""
    order = [*inspect.signature(kind).parameters]
    if "id" not in order or len(args) <= order.index("id"):
        return [kind.code]
    match args[order.index("id")]:
        case ast.Constant(value=str() as one):
            return [one]
        case ast.IfExp(body=ast.Constant(value=one), orelse=ast.Constant(value=other)):
            return [one, other]
        case node if PASSED_ON.fullmatch(ast.unparse(node)):
            return WRONG_WITH_A_MOVE if kind is InvalidPgn else []
        case node:
            raise AssertionError(f"{at}: nobody can look up {ast.unparse(node)}")


SAID_WITH_ANOTHER = {"problems.illegal_line"}
"""The beginning of a sentence whose end is a refusal."""


@pytest.fixture(scope="module")
def made():
    """The whole server is read for it, so only where it is asked for."""
    return list(raised())


@pytest.fixture(scope="module")
def made_ids(made):
    return {f"{kind.area}.{one}" for kind, one, *_ in made}


def needs(language, key):
    """The names in a sentence, and in the one that says what to do next."""
    texts = [language.texts[one] for one in (key, f"{key}_next") if one in language.texts]
    counted = any(len(forms) > 1 or "{n}" in forms[0] for forms in texts)
    return set().union(*map(places, texts)) | ({"n"} if counted else set())


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_refusal_has_a_sentence_and_gives_what_it_needs(code, made):
    assert len(made) > 150, "the places where something is refused are no longer found"
    for kind, one, given, at in made:
        key = f"{kind.area}.{one}"
        assert key in LANGUAGES[code].texts, at
        assert needs(LANGUAGES[code], key) == given, f"{at}: {key}"


def test_every_sentence_of_a_refusal_belongs_to_one_that_is_made(made, made_ids):
    areas = {kind.area for kind, *_ in made}
    said = {key.removesuffix("_next") for key in english().texts if key.split(".")[0] in areas}
    assert said - made_ids == SAID_WITH_ANOTHER


def test_ids_are_names_and_not_sentences(made_ids):
    assert [key for key in made_ids if not re.fullmatch(r"[a-z]+\.[a-z0-9]+(_[a-z0-9]+){0,4}", key)] == []


def test_a_sentence_takes_its_values_and_its_plural_form():
    refusal = Refusal("paused_after_aborts", n=1)
    assert LANGUAGES["es"].said(refusal) != LANGUAGES["es"].said(Refusal("paused_after_aborts", n=2))
    assert english().said(Problem(404, "no_ply", plies=7)).endswith("half-move 7.")
    assert english().advice(Problem(404, "no_ply", plies=7)).startswith("Ask for an earlier one")
    assert english().advice(Problem(403, "name_taken")) == ""


def test_a_refusal_in_a_log_says_what_it_is_about():
    assert str(Refusal("illegal", move="e2e5")) == "illegal move='e2e5'"
