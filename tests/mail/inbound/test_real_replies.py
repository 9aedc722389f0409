"""What mail programs put around a move, in many languages: the move is found, and nothing below it is obeyed.

`attributions.txt`: what stands above what is quoted. `signatures.txt`: what stands below what is written. Both of our
own making, after what programs write; a blank line divides them.
"""

from pathlib import Path
from textwrap import wrap

import pytest

from server.mail.inbound.addresses import PersonalAddresses, ReplyAddresses, ReplyToken, mark_of
from server.mail.inbound.received_mail import text_of_html
from server.mail.inbound.written_lines import written_lines
from server.rules.variant.pieces import Color
from server.storage.tables.addresses import MailAddress

HERE = Path(__file__).parent
OWN_ADDRESS = ReplyAddresses("mail.example.com", b"key").write_address(
    ReplyToken("0123456789", Color.WHITE, 4, 0, mark_of("wanda@example.org"), confirms=True)
)
PERSONAL = PersonalAddresses("mail.example.com", b"key").write_address(
    "Wanda", MailAddress("0123456789", "wanda@example.org", "en", 1, 2)
)
ATTRIBUTIONS = [
    above.replace("play+token@mail.example.com", OWN_ADDRESS)
    for above in (HERE / "attributions.txt").read_text().strip().split("\n\n")
]
SIGNATURES = (HERE / "signatures.txt").read_text().strip().split("\n\n")
OURS = "Ana has played 11... Rac8.\nthat was long, so\naccept\n\ndraw\nresign 0123456789\n\ne4"
MARKED = "\n".join(f"> {line}" for line in OURS.splitlines())
UNLUCKY = MARKED.replace("> accept", "accept").replace("> draw", "draw")


def test_there_are_as_many_kinds_as_there_should_be():
    assert len(set(ATTRIBUTIONS)) + len(set(SIGNATURES)) >= 145


@pytest.mark.parametrize("quoted", [OURS, MARKED, UNLUCKY], ids=["unmarked", "marked", "marks lost"])
@pytest.mark.parametrize("gap", ["\n\n", "\n"], ids=["a line between", "no line between"])
@pytest.mark.parametrize("above", ATTRIBUTIONS)
def test_the_move_is_found_above_an_attribution(above, gap, quoted):
    assert written_lines(f"Nf3{gap}{above}\n{gap.strip(chr(10))}\n{quoted}") == ("Nf3",)
    assert written_lines(f"say well done\nand thank you, Ana{gap}{above}{gap}{quoted}") == (
        *("say well done", "and thank you, Ana"),
    )


@pytest.mark.parametrize("width", [30, 45, 60, 76, 200])
@pytest.mark.parametrize("above", [*ATTRIBUTIONS, "{address}", "x ({address}) y", "To: {address}", "mailto:{address}"])
def test_an_opponent_is_never_told_the_address_that_gives_a_seat(above, width):
    """It stands in most attributions, and below a message without a gap these would be passed on with it."""
    for address in (OWN_ADDRESS, OWN_ADDRESS.upper(), OWN_ADDRESS.replace("+", "%2b"), PERSONAL):
        text = above.replace("{address}", address).replace(OWN_ADDRESS, address)
        broken = "\n".join(wrap(" ".join(text.split()), width, break_long_words=False, break_on_hyphens=False))
        for begun in ("say thank you", "Nf3\nsay thank you", "say thank you, and", "say", "say:"):
            for mail in (f"{begun}\n{broken}\n{MARKED}", f"{begun} {broken}", f"{begun} {text}\n\n{OURS}"):
                written = "\n".join(written_lines(mail)).lower()
                assert address.partition("@")[0].lower()[6:] not in written


@pytest.mark.parametrize("quoted", [OURS, MARKED, UNLUCKY], ids=["unmarked", "marked", "marks lost"])
@pytest.mark.parametrize("above", ATTRIBUTIONS)
def test_nothing_below_an_attribution_is_a_command(above, quoted):
    assert written_lines(f"{above}\n{quoted}") == ()
    assert written_lines(f"{above}\n\n{quoted}\n\ndraw") == ()


@pytest.mark.parametrize("above", ATTRIBUTIONS)
def test_a_move_at_the_very_end_counts_below_a_quotation_that_is_marked_throughout(above):
    assert written_lines(f"{above}\n{MARKED}\n\nNf3\n") in (("Nf3",), ())
    assert written_lines(f"{above}\n{UNLUCKY}\n\nNf3\n") == ()
    assert written_lines(f"{above}\n{MARKED}\nNf3\n") == ()


def test_whoever_answers_below_what_they_quote_is_understood():
    above = "On Mon, Nov 23, 2026 at 09:58:00AM +0100, Fairyhouse wrote:"
    assert written_lines(f"{above}\n{MARKED}\n\nNf3\n\n-- \nBen") == ("Nf3",)
    assert written_lines(f"{above}\n{MARKED}\n\nHi Ana,\n\nNf3\n\nBen") == ("Nf3",)


@pytest.mark.parametrize("gap", ["\n\n", "\n\n\n"])
@pytest.mark.parametrize("below", SIGNATURES)
def test_the_move_is_found_above_a_signature(below, gap):
    assert written_lines(f"Nf3{gap}{below}") == ("Nf3",)
    assert written_lines(f"Nf3{gap}{below}\n\n{ATTRIBUTIONS[0]}\n{MARKED}") == ("Nf3",)


@pytest.mark.parametrize(
    "greeting",
    [
        *("Hi,", "Hi Ana,", "Hello Ana!", "Dear Ana,", "Ana,", "Hola Ana:", "Hola,", "Hallo Ana,", "Liebe Ana,"),
        *("Bonjour,", "Salut Ana !", "Ciao Ana,", "Olá Ana,", "Hoi,", "Hei Ana,", "Hej!", "Cześć,", "Привет,", "你好,"),
    ],
)
def test_the_move_is_found_below_a_greeting(greeting):
    assert written_lines(f"{greeting}\n\nNc7\n\nCarla") == ("Nc7",)
    assert written_lines(f"{greeting}\nNc7") == ("Nc7",)


@pytest.mark.parametrize("thanks", ["Thanks!", "Thanks Anna,", "Gracias!", "Danke", "Merci,", "Have a nice day"])
def test_the_move_is_found_below_thanks(thanks):
    assert written_lines(f"{thanks}\n\nNc7\n\nCarla") == ("Nc7",)
    assert written_lines(f"{thanks}\ndraw") == ("draw",)
    assert written_lines(f"{thanks}\nCarla") == ()


@pytest.mark.parametrize(
    "answer",
    ["Yes", "No", "Draw", "Accept", "Resign", "Remis", "Undo", "O-O", "OO", "Tablas", "Rxe4", "Ba5", "Queue", "Si"],
)
def test_a_word_that_means_something_is_not_taken_for_a_name(answer):
    assert written_lines(f"Nc7\n\n{answer}") == ("Nc7", "", answer)


@pytest.mark.parametrize("letter", "ABCEIMSZ")
def test_an_initial_below_a_move_is_a_name(letter):
    assert written_lines(f"Nc7\n\n{letter}") == ("Nc7",)


@pytest.mark.parametrize(
    "lines",
    [
        ("say well played", "Carla"),
        ("say Thanks", "Carla"),
        ("say On Monday I wrote: good luck",),
        ("say On Monday Anna wrote:", "good luck"),
        ("Nf3", "say in 2024 you wrote:", "that you would win", "", "draw"),
        ("say the pawns of 19:30 were better because:", "there were more of them"),
        ("say: good luck", "PS: I am away", "NB: until Monday"),
        ("decir el lunes Ana escribió:", "suerte"),
        ("say write me at ben@example.org",),
        ("challenge Boris grand 5 days white rated",),
        ("if e5 then Nf3 if Nc6 then Bb5",),
        ("vacation until 2026-08-03",),
        ("preview Nf3 Nc6 Bb5", "show 12"),
        ("In reply to your message of 10:30 I play Nf3", "Thanks for the nice game"),
        ("In reply to your message of Fri 27 Nov 2026, 10:30 a.m., here is my move", "Nf3"),
        ("In reply to your message (sent 27/11/2026), Nf3",),
        ("En respuesta a tu mensaje de las 10:30 juego Cf3",),
        ("Als Antwort auf deine Nachricht von 10:30: Sf3",),
    ],
)
def test_what_people_may_well_write_is_kept(lines):
    assert written_lines("\n".join(lines)) == lines


@pytest.mark.parametrize("above", ["Say Lee <say@example.org> wrote:", "Say Lee wrote:"])
def test_somebody_who_is_called_like_a_command_is_still_quoted(above):
    assert written_lines(f"{above}\n> accept\n> draw") == ()
    assert written_lines(f"Nf3\n\n{above}\n\n> accept\n\ndraw") == ("Nf3",)


def test_what_html_quotes_is_told_from_what_stands_below_it():
    html = "<p>On Mon, Nov 23, 2026 at 9:58 AM Fairyhouse wrote:</p><blockquote><p>accept</p></blockquote><p>Nf3</p>"
    assert written_lines(text_of_html(html)) == ("Nf3",)
    assert written_lines(text_of_html(html.replace("Nf3", "draw"))) == ()
