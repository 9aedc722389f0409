"""How a mail is written: nothing in it can become a header, a line or an address of its own."""

import email
import email.policy
import re

import pytest

from server.mail.composing import Letter, Letterhead, ReplyTo, compose_text
from tests.support.mail.mail_server import text_of

NOW = 1_700_000_000_000
HEAD = Letterhead("games@chess.example.org", "chess.example.org")
LETTER = Letter("anna@example.org", "Chess against Ben (abcdefghij)", ("Hello", ""), "game.1.2.anna", NOW, "en")
HOSTILE = (
    "a\nBcc: b@example.net",
    "a\r\n\r\nbody",
    "a\u2028b",
    "a\u0085b",
    "a\0b",
    "\u202eabc",
    "=?utf-8?q?a=0ABcc:_b?=",
    "\ud800",
)


def read(**changes):
    """The mail as a mail program reads it, and as it goes over the wire."""
    letter = Letter(**{name: getattr(LETTER, name) for name in LETTER.__slots__} | changes)
    wire = compose_text(letter, HEAD)
    return email.message_from_string(wire.replace("\r\n", "\n"), policy=email.policy.default), wire


def test_it_says_from_whom_to_whom_when_and_that_a_machine_wrote_it():
    mail, wire = read()
    assert (mail["From"], mail["To"]) == ("Fairyhouse <games@chess.example.org>", "anna@example.org")
    assert (mail["Subject"], mail["Content-Language"]) == ("Chess against Ben (abcdefghij)", "en")
    assert mail["Date"].datetime.timestamp() == NOW / 1000
    assert (mail["Message-ID"], mail["Auto-Submitted"]) == ("<game.1.2.anna@chess.example.org>", "auto-generated")
    for name in ("Reply-To", "In-Reply-To", "References", "List-Unsubscribe", "List-Unsubscribe-Post"):
        assert mail[name] is None
    assert all(line.endswith("\r") for line in wire.split("\n")[:-1])
    assert read()[1] == wire


def test_a_thread_an_answer_and_an_end_of_it_have_their_headers():
    mail, wire = read(
        thread="game",
        unsubscribe=f"https://chess.example.org/mail/unsubscribe/{'x' * 120}",
        reply=ReplyTo("play+token@chess.example.org", ("Answer with your move.",)),
    )
    assert mail["In-Reply-To"] == mail["References"] == "<game@chess.example.org>"
    assert mail["Reply-To"] == "play+token@chess.example.org"
    # In the clear: not every mail program decodes this header.
    assert f"\nList-Unsubscribe: <https://chess.example.org/mail/unsubscribe/{'x' * 120}>\r\n" in wire
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert text_of(mail).endswith("Hello\n\n\nAnswer with your move.\n")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_a_header_or_a_line_of_its_own(text):
    plain, _ = read()
    mail, _ = read(subject=text, lines=(text,))
    assert mail.keys() == plain.keys()
    assert len(mail.get_all("Subject")) == 1
    assert len(text_of(mail).splitlines()) == 1


def test_other_scripts_arrive_as_they_were_and_all_of_it_is_ascii():
    mail, wire = read(subject="Ajedrez contra Núñez: te toca — 白", lines=("Ñandú ♞ ×2", ".", "From me"))
    assert wire.isascii()
    assert mail["Subject"] == "Ajedrez contra Núñez: te toca — 白"
    assert text_of(mail) == "Ñandú ♞ ×2\n.\nFrom me\n"


def test_long_sentences_are_wrapped_and_boards_and_links_are_not():
    board = "     +" + "---+" * 30
    link = "https://chess.example.org/mail/confirm#" + "x" * 200
    mail, _ = read(lines=("word " * 40, board, link))
    *sentence, drawn, linked = text_of(mail).splitlines()
    assert (drawn, linked) == (board, link)
    assert len(sentence) == 3
    assert max(map(len, sentence)) <= 76


def test_a_mail_program_that_shows_html_shows_the_board_in_one_width_and_no_text_as_markup():
    board = ("     +---+", "   1 |:<:|")
    mail, _ = read(lines=("Ben & <b>Anna</b>", *board, "", "Open https://chess.example.org/game", "=_game.1.2.anna"))
    assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"]
    html = mail.get_body(("html",)).get_content()
    assert ">Ben &amp; &lt;b&gt;Anna&lt;/b&gt;</p>" in html
    assert ">\n     +---+\n   1 |:&lt;:|\n</pre>" in html
    assert re.search(r'<a href="https://chess.example.org/game" [^>]*>https://chess.example.org/game</a>', html)


def test_a_list_of_commands_and_a_table_can_be_read_on_a_telephone():
    rows = ("  “draw”, “accept”          offer a draw & wait", "  “vacation until 2026-08-03”", "  1  Anna   2½")
    html = read(lines=("OFFERS", *rows))[0].get_body(("html",)).get_content()
    assert "<b>“draw”, “accept”</b>&nbsp; offer a draw &amp; wait</p>" in html
    assert "<b>“vacation until 2026-08-03”</b>" in html
    assert "white-space:pre-wrap" in html
    assert "<pre" not in html


def test_headings_stand_out_and_a_mailbox_is_a_link():
    lines = (
        "Chess against <Ben>: your move",
        "Ben has played e4.",
        "To answer by email, write to play+ab@x.example.org",
    )
    html = read(lines=lines, headings=frozenset(lines[:1]))[0].get_body(("html",)).get_content()
    assert "<b>Chess against &lt;Ben&gt;: your move</b><br>" in html
    assert html.count("<b>") == 1
    assert 'href="mailto:play+ab@x.example.org"' in html


def test_a_page_is_dark_for_whoever_wants_that():
    html = read()[0].get_body(("html",)).get_content()
    assert "prefers-color-scheme:dark" in html
    for name in re.findall(r"\.([a-z]+)", re.search(r"<style>(.*?)</style>", html)[1]):
        assert f'class="{name}"' in html or name in ("answer", "foot")


def test_the_site_has_the_name_that_its_host_has_chosen():
    for name in ("Club de Ajedrez Ñandú", 'A "b" <c@d.org>, e', "=?utf-8?q?x?=", "Two\r\nBcc: a@b.org"):
        mail = email.message_from_string(
            compose_text(LETTER, Letterhead("games@chess.example.org", "chess.example.org", name)).replace(
                "\r\n", "\n"
            ),
            policy=email.policy.default,
        )
        assert mail["Bcc"] is None
        (sender,) = mail["From"].addresses
        assert sender.addr_spec == "games@chess.example.org"
        assert sender.display_name.replace("= ?", "=?") == " ".join(name.split())
        shown = " ".join(mail.get_body(("plain",)).get_content().split())
        assert shown.startswith(" ".join(name.split()) + " · Chess against Ben")


def test_the_head_comes_first_then_the_news_how_to_answer_and_last_how_to_end_such_mail():
    mail, _ = read(
        subject="Re: Chess against Ben (abcdefghij)",
        lines=("Ben has played e4.", "", " +---+ board"),
        reply=ReplyTo("play+token@chess.example.org", ("Answer with your move.",)),
        picture=b"png",
        picture_words='The "board"',
        links=(("Open the game", "https://x.org/abc"),),
        foot=(("Stop <these>", f"https://x.org/{'y' * 150}"),),
    )
    parts = ["Fairyhouse", "Chess against Ben (abcdefghij)", "has played", "board", "Answer with", "Open the", "Stop"]
    for kind in ("plain", "html"):
        text = mail.get_body((kind,)).get_content()
        places = [text.index(part) for part in parts]
        assert places == sorted(places)
    assert 'alt="The &quot;board&quot;"' in text
    assert ">Stop &lt;these&gt;</a>" in text
    assert ">https://x.org/yyy" not in text
    assert "<pre" not in text


@pytest.mark.parametrize("text", ["--=_game.1.2.anna", "--=_game.1.2.anna--"])
def test_no_text_ends_a_part(text):
    mail, _ = read(lines=(text, "after"))
    assert text_of(mail) == f"{text}\nafter\n"
    assert len(list(mail.iter_parts())) == 2


@pytest.mark.parametrize("picture", [b"", b"\x89PNG\r\n\x1a\n--=_game.1.2.anna--\r\n.\r\n" + bytes(range(256))])
def test_a_picture_is_shown_by_programs_that_show_html(picture):
    mail, wire = read(lines=("Hello", "", " +---+ drawn"), picture=picture)
    shown = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    html = mail.get_body(("html",)).get_content()
    assert [part.get_content() for part in shown] == ([picture] if picture else [])
    assert [f'src="cid:{part["Content-ID"].strip("<>")}"' in html for part in shown] == [True] * len(shown)
    assert ("<img" in html) == bool(picture)
    assert "drawn" in text_of(mail)
    assert read(lines=("Hello", "", " +---+ drawn"), picture=picture)[1] == wire
