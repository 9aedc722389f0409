"""What holds of each mail of the site, whichever part of it writes it: it is composed as all are, and nothing in it
is ever a command, whatever a mail program does to it.
"""

import ast
import re
from pathlib import Path
from textwrap import wrap

import pytest

from server.language import load_words
from server.mail.composing import compose
from server.mail.inbound.received_mail import text_of_html
from server.mail.inbound.written_lines import OWN_AREAS, RUN, written_lines
from tests.support.mail.letters import HEAD, LETTERS, every_letter, letter_makers

ROOT = Path(__file__).parents[2]
ABOVE = ("On Mon, Nov 23, 2026 at 9:58 AM The Club <play+token@mail.example.com> wrote:", "> The Club wrote:", "")
WIDTHS = range(60, 81)
SPEAKS_IN_MAILS = (
    *sorted((ROOT / "server/mail").rglob("*.py")),
    *(ROOT / "server/web" / name for name in ("clock_words.py", "variant_words.py", "pictures/text_board.py")),
    ROOT / "server/web/notifications/letters.py",
)
"""What writes sentences of mails, besides the functions that make letters."""
LABELS = ("mail_words.", "pictures.")
"""Words of commands, which are examples; and what only stands above a game that is shown to anybody."""
WRITTEN = {}


def mails(code):
    """All mails of a language, by name, as text and as HTML; composed once."""
    if code not in WRITTEN:
        made = {name: (letter, compose(letter, HEAD)) for name, letter in every_letter(code)}
        WRITTEN[code] = {
            name: (letter, *(mail.get_body((kind,)).get_content() for kind in ("plain", "html")))
            for name, (letter, mail) in made.items()
        }
    return WRITTEN[code]


def hard_wrapped(text, width, depth, mark):
    """`text` quoted `depth` deep by a program that wraps it again, and marks only the first row of each line."""
    rows = [row for line in text.split("\n") for row in wrap(mark * depth + line, width, break_long_words=False)]
    return "\n".join(rows)


def test_there_are_examples_of_all_letters():
    assert set(LETTERS) == letter_makers()


@pytest.mark.parametrize("code", load_words())
def test_each_maker_has_made_some(code):
    assert len(mails(code)) > 60
    assert len({name.partition(" ")[0] for name in mails(code)}) >= len(LETTERS)


@pytest.mark.parametrize("code", load_words())
def test_each_begins_with_the_name_of_the_site_and_what_it_is_about(code):
    for name, (letter, text, html) in mails(code).items():
        about = letter.subject.removeprefix("Re: ")
        assert text.startswith("The Club · "), name
        assert " ".join(text.split()).startswith(f"The Club · {' '.join(about.split())}"), name
        assert "Fairyhouse" not in text + html, name
        assert html.count("<h1 ") == 1, name
        assert "{" not in re.sub(r"style=\"[^\"]*\"", "", text), name


@pytest.mark.parametrize("code", load_words())
@pytest.mark.parametrize("depth", range(5))
def test_nothing_in_any_of_them_is_obeyed_however_it_is_quoted_and_wrapped(code, depth):
    tried = 0
    for name, (_, text, html) in mails(code).items():
        assert written_lines(text_of_html(f"{'<blockquote>' * depth}{html}"), "The Club") == (), name
        for body in (text, text_of_html(html)):
            for nth, mark in enumerate(("> ", ">", "")):
                width = WIDTHS[(len(body) + 7 * nth + 3 * depth) % len(WIDTHS)]
                quoted = hard_wrapped(body, width, depth, mark)
                for above in ABOVE:
                    assert written_lines(f"{above}\n\n{quoted}", "The Club") == (), (name, width, mark, above)
                    assert written_lines(f"Nf3\n\n{above}\n{quoted}", "The Club") == ("Nf3",), (name, width, mark)
                    tried += 2
    assert tried > 1_500


@pytest.mark.parametrize("code", load_words())
def test_nothing_in_any_of_them_is_obeyed_where_only_a_part_is_quoted(code):
    for name, (_, text, _html) in mails(code).items():
        lines = text.split("\n")
        for begin in range(0, len(lines), 4):
            for part in (lines[begin:], lines[begin : begin + 5]):
                quoted = "\n".join(f"> {line}".rstrip() for line in part)
                assert written_lines(quoted, "The Club") == (), (name, begin)
                assert written_lines(f"{ABOVE[0]}\n{quoted}", "The Club") == (), (name, begin)


def test_the_sentences_of_all_mails_are_known_as_ours():
    areas = {key.partition(".")[0] for key in load_words()["en"].texts}
    said = set()
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in SPEAKS_IN_MAILS]
    for maker in letter_makers():
        path, _, name = maker.partition(":")
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        trees += [one for one in ast.walk(tree) if getattr(one, "name", "") == name]
    for constant in (one for tree in trees for one in ast.walk(tree) if isinstance(one, ast.Constant)):
        area, dot, _ = str(constant.value).partition(".")
        if isinstance(constant.value, str) and dot and area in areas and " " not in constant.value:
            said.add(constant.value)
    assert len(said) > 150
    begins = tuple(said)
    for language in load_words().values():
        for key, forms in language.texts.items():
            if key.startswith(begins) and any(len(form.split()) > RUN for form in forms):
                assert key.startswith((*OWN_AREAS, *LABELS)), key
