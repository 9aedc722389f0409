"""Every text that is asked for is there, and every text that is there is asked for."""

import re
from html.parser import HTMLParser
from pathlib import Path

import jinja2

from server.language import load_words
from server.web.rules_pages.drawing import FIRST_WORDS, WORDS

ROOT = Path(__file__).parents[3]
ENVIRONMENT = jinja2.Environment()
TEXTS = load_words()["en"].texts
AREAS = {key.split(".")[0] for key in TEXTS}
WHOLE = re.compile(r"""["'`]([a-z_]+)\.([a-z0-9_]+)["'`](?! *~)""")
BUILT = re.compile(r"""["'`]([a-z_]+\.[a-z0-9_]*)(?:["'] *~|\$?\{)""")
"""A key that is put together: its beginning."""
ENDINGS = {"js", "css", "html", "txt", "json", "png", "toml", "svg", "gif", "pgn", "xml"}
"""What makes of such a text the name of a file."""


def read(*patterns):
    return {path.relative_to(ROOT): path.read_text() for pattern in patterns for path in ROOT.glob(pattern)}


SOURCES = read("templates/**/*.html", "static/js/**/*.js", "server/**/*.py")
ASKED = {
    f"{area}.{key}": path
    for path, text in SOURCES.items()
    for area, key in WHOLE.findall(text)
    if area in AREAS and (key not in ENDINGS or f"{area}.{key}" in TEXTS)
}
BEGINNINGS = {start for text in SOURCES.values() for start in BUILT.findall(text) if start.split(".")[0] in AREAS}
REFUSING = {"refusals", "decisions", "problems", "fen", "pgn", "replies"}
"""Whose keys are put together from the ids of refusals."""


def test_every_text_that_is_asked_for_is_there():
    assert {key: str(path) for key, path in ASKED.items() if key not in TEXTS} == {}
    assert {start for start in BEGINNINGS if not any(key.startswith(start) for key in TEXTS)} == set()


MADE = re.compile(r"""["'`]([a-z_]+)\.((?:\w|\$?\{[^{}]*\})*)["'`]((?: *~ *(?:"\w*"|[\w.]+))*)""")
HOLE = re.compile(r"""\$?\{[^{}]*\}| *~ *"(\w*)"| *~ *[\w.]+""")
SHAPES = {
    (area, HOLE.sub(lambda hole: hole[1] or r"(\w+?)", key + rest))
    for text in SOURCES.values()
    for area, key, rest in MADE.findall(text)
    if rest or "{" in key
}
"""How keys are put together: an area, and what its keys look like."""
LATE_ENDS = {end for text in SOURCES.values() for end in re.findall(r"""(?:["']\{\w+\}|\+= ["'])(_\w+)["']""", text)}
"""What some keys get at their end when all else is there."""
NAMED = "\n".join([*SOURCES.values(), *read("server/pictures/*.json", "static/pieces/*.mjs").values()])
NAMES = {"".join(pair) for pair in re.findall(r"""["'`]([a-z0-9_]+)["'`]|^  ([a-z]+): \{""", NAMED, re.M)}


def is_asked_for(key):
    """Of a key that is put together from its very beginning, all that it is made of must stand in some source."""
    area, _, name = key.partition(".")
    if key in ASKED or area in REFUSING or key.startswith(tuple(one for one in BEGINNINGS if not one.endswith("."))):
        return True
    if any(key.endswith(end) and is_asked_for(key.removesuffix(end)) for end in LATE_ENDS):
        return True
    found = (re.fullmatch(shape, name) for its_area, shape in SHAPES if its_area == area)
    return any(made and NAMES.issuperset(made.groups()) for made in found)


def test_every_text_that_is_there_is_asked_for():
    assert sorted(key for key in TEXTS if not is_asked_for(key)) == []


def test_each_mark_in_a_diagram_has_its_words_and_no_mark_that_is_gone_has_any():
    assert {key for key in TEXTS if key.startswith("rules.mark_")} == {*WORDS.values(), *FIRST_WORDS}


READ_ALOUD = ("aria-label", "placeholder", "title", "alt", "content", "label")
IN_EVERY_LANGUAGE = {"Fairyhouse", "PGN", "FEN", "JSON", "Schema", "OpenAPI", "UTC", "min"}
ATTRIBUTE = re.compile(r'[\w-]+="[^"]*"')
"""A macro may give an attribute alone."""
NO_WORDS = re.compile(r"{% block body_class %}.*?{% endblock %}|<code.*?</code>", re.S)
"""Names for styles, and examples of code."""


class Literal(HTMLParser):
    """Collects what a template says in words of its own. What Jinja fills in stands there as a digit."""

    def __init__(self):
        super().__init__()
        self.text = ""

    def handle_starttag(self, tag, attrs):
        said = [value for name, value in attrs if name in READ_ALOUD and value and tag not in ("meta", "link")]
        self.text += f" {' '.join(said)} "

    def handle_data(self, text):
        self.text += text


def literals(text):
    reader = Literal()
    depth = 0
    for _, kind, value in ENVIRONMENT.lex(NO_WORDS.sub("", text)):
        depth += kind.endswith("_begin") - kind.endswith("_end")
        if depth == 0:
            reader.feed("0" if kind.endswith("_end") else value)
    return set(re.findall(r"[^\W\d_]{2,}", ATTRIBUTE.sub("", reader.text))) - IN_EVERY_LANGUAGE


def test_no_template_has_words_of_its_own():
    found = {str(path): literals(text) for path, text in read("templates/**/*.html").items()}
    assert {path: words for path, words in found.items() if words} == {}


def test_words_in_a_template_would_be_found():
    text = '{# note #}<p class="quiet">{{ t("a.b") }} Hello</p><i title="{{ x }} there">{% if y %}1{% endif %}</i>'
    assert literals(text) == {"Hello", "there"}


COMMENT = re.compile(r"/\*.*?\*/|(?<![:'])//[^\n]*|new Error\([^\n]*", re.S)
SENTENCE = re.compile(r"""['"`][A-Z][\w']* [a-z][^'"`\n]*['"`]""")


def test_no_script_has_sentences_of_its_own():
    found = {str(path): SENTENCE.findall(COMMENT.sub("", text)) for path, text in read("static/js/**/*.js").items()}
    assert {path: sentences for path, sentences in found.items() if sentences} == {}


def test_a_sentence_in_a_script_would_be_found():
    script = "/* Says 'Come in' */ say('Come in'); // 'Not this'\nthrow new Error(`Nor this`);\nsay(`I see ${n}`);"
    assert SENTENCE.findall(COMMENT.sub("", script)) == ["'Come in'", "`I see ${n}`"]
