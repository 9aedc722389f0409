"""No program can make a command of what we have written, however it wraps, marks and repeats it; nor can an opponent
whose words we pass on.
"""

from functools import cache
from itertools import islice
from textwrap import wrap

import pytest

from server.language import PLACE, load_words
from server.mail.inbound.command_words import command_words
from server.mail.inbound.written_lines import OWN_AREAS, written_lines

WIDTHS = range(60, 81)
DEPTHS = range(1, 5)
MARKS = ("", *("> " * depth for depth in DEPTHS))
"""What stands before each line of a quotation, from a program that marks none to one that marks four."""
SHORTEST = 50
"""Characters of a text that may be broken."""
VALUES = {"name": "Boris", "game": "0123456789", "link": "https://play.example.org/0123456789", "move": "12... Rac8"}
ABOVE = "On Mon, Nov 23, 2026 at 9:58 AM Fairyhouse <play+token@mail.example.com> wrote:"
LANGUAGES = load_words()


def texts(code):
    """All texts of a language, with something in each place."""
    for forms in LANGUAGES[code].texts.values():
        for form in forms:
            yield PLACE.sub(lambda place: VALUES.get(place[1], "accept"), form)


@cache
def as_sent(text):
    """Its rows, as our mails wrap them."""
    return [row for line in text.split("\n") for row in wrap(line, 76, break_long_words=False) or [""]]


def hard_wrapped(text, width, mark):
    """`text` quoted by a program that then wraps it again, and marks only the first row of each line."""
    rows = []
    for row in as_sent(text):
        rows += wrap(mark + row, width, break_long_words=False) or [""]
    return "\n".join(rows)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("mark", MARKS)
def test_no_text_of_ours_is_obeyed_wherever_it_is_broken(code, mark):
    written = 0
    for text in texts(code):
        if len(text) < SHORTEST:
            continue
        for width in islice(WIDTHS, len(text) % 5, None, 5):
            quoted = hard_wrapped(text, width, mark)
            assert written_lines(f"{ABOVE}\n\n{quoted}\n") == ()
            assert written_lines(f"Nf3\n\n{ABOVE}\n{quoted}\n\n{quoted}") == ("Nf3",)
            written += 2
    assert written > 2_000


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_our_mails_say_is_not_obeyed_where_nothing_says_that_it_is_quoted(code):
    for key, forms in LANGUAGES[code].texts.items():
        for form in forms:
            if not key.startswith(OWN_AREAS):
                continue
            text = PLACE.sub(lambda place: VALUES.get(place[1], "accept"), form)
            for width in islice(WIDTHS, len(text) % 5, None, 5):
                broken = "\n".join(wrap(text, width))
                assert written_lines(f"Fairyhouse\n\n{broken}") == ()
                assert written_lines(hard_wrapped(text, width, "> ")) == ()


@pytest.mark.parametrize("word", [*sorted(command_words()), "e4", "O-O", "say resign", "resign 0123456789", "if off"])
def test_an_opponent_cannot_choose_what_a_program_breaks_off(word):
    """For each width there is a message whose last word a program breaks off, and leaves without a mark."""
    for width in WIDTHS:
        for length in range(width - 12, width + 3, 2):
            filler = "".join(char for char, _ in zip("so I ask " * 20, range(length), strict=False)).rstrip()
            for depth in DEPTHS:
                quoted = "\n".join(wrap(f"{'> ' * depth}Boris: {filler} {word}", width, break_long_words=False))
                for mail in (f"{ABOVE}\n\n{quoted}", quoted, f"{ABOVE}\n{quoted}\n\n{quoted}\n"):
                    assert written_lines(mail) == ()


def test_a_line_of_ours_ends_what_is_written_also_without_a_mark():
    quoted = "How to answer: write your move, such as e4, on the first line and\ndraw\nresign 0123456789"
    assert written_lines(f"Nf3\n\n{quoted}") == ("Nf3",)
    assert written_lines(quoted) == ()


NAMES = ("Club de Ajedrez Ñandú", "Chess", "say", "draw", "Say it", "Nf3", "A (b) · c*", "accept", "move e4")
"""What hosts may call their sites."""


@pytest.mark.parametrize("site", NAMES)
def test_a_site_may_have_any_name(site):
    head = f"{site} · Chess against Boris (0123456789)"
    for above in (f"{site} wrote:", f"23 Nov {site}:", f"From {site} at noon:", head, f"{site} · draw", site):
        for quoted in ("accept\n\ndraw", f"{head}\n\naccept"):
            is_told = above == site
            below = f"{head}\n\n{quoted}" if is_told else quoted
            assert written_lines(f"Nf3\n\n{above}\n{below}" if not is_told else f"Nf3\n\n{below}", site) == ("Nf3",)
            assert written_lines(f"{above}\n{below}" if not is_told else below, site) == ()


@pytest.mark.parametrize("site", NAMES)
def test_a_name_of_a_site_takes_no_word_from_anybody(site):
    for lines in (
        ("Nf3",),
        ("draw",),
        ("accept",),
        ("say Nf3 is what I like", "Chess is hard"),
        ("say draw",),
        ("move e4",),
        ("say good luck at Chess", "", "e4"),
        ("challenge Boris grand 5 days",),
        ("say accept my thanks", "draw breath"),
    ):
        assert written_lines("\n".join(lines), site) == lines


@pytest.mark.parametrize("site", ["", *NAMES])
def test_what_was_written_under_an_older_name_is_known_by_its_head(site):
    assert written_lines("Nf3\n\nThe Old Name · Chess against Boris (0123456789)\n\naccept\n", site) == ("Nf3",)
