"""The first line of a mail as people type, dictate and decorate it: it is the move that they mean, or no move at all,
and then the answer says what they may have meant.
"""

import random

import pytest

from server.games.clocks.time_control import TimeControl
from server.games.errors import BadMove
from server.language import load_words
from server.mail.inbound.answer_text import AnswerContext, report_lines
from server.mail.inbound.command_words import NotACommand, joined_move
from server.mail.inbound.grammar import read_commands, words_within
from server.mail.inbound.intended_moves import move_typed, moves_meant, moves_within
from server.mail.inbound.mail_commands import MakeOffer, TypedMove
from server.mail.inbound.mail_report import MailReport
from server.mail.inbound.received_mail import read_mail
from server.rules.catalogue import load_catalogue
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.making import play_trusted
from server.rules.notation.fen import parse_fen
from server.rules.notation.san import format_san
from server.rules.variant.pieces import Color
from tests.support.games import live_game, moved

ENGLISH = load_words()["en"]
GAME = moved(live_game(control=TimeControl.correspondence(3)), "e2e4 e7e5")
VARIANTS = load_catalogue()


def commands_in(text):
    return read_commands(read_mail(f"Message-ID: <a@example.org>\n\n{text}\n".encode()).lines)


@pytest.mark.parametrize(
    ("uci", "texts"),
    [
        (
            "g1f3",
            (
                *("Nf3.", "nf3!", "NF3", "Nf3 !", "Nf3 ?!", "N f3", "n F3", "Nf 3", "N-f3", "Ng1-f3", "Ng1 f3", "Nf3="),
                *("Ng1 to f3", "g1 to f3", "G1 TO F3", "g1 f3", "2. Nf3", "2.Nf3", "2 Nf3", "2) Nf3", "2... Nf3"),
                *(
                    "... Nf3",
                    "…Nf3",
                    "- Nf3",
                    "* Nf3",
                    "• Nf3",
                    "**Nf3**",
                    "__Nf3__",
                    "*Nf3*",
                    "`Nf3`",
                    "“Nf3”",
                    "(Nf3)",
                ),
                *("♘f3", "Move Nf3", "Play: nf3", "Juego Nf3", "move 2 Nf3", "Hi\nNf3", "Nf3\nBen", "Nf3\nThanks, Ben"),
                *("Nf3\n\nPlease think of the trees before you print this email.", "Nf3\nBest\nBen", "Ｎｆ３"),
                "Nf3\n\nThis email has been checked for viruses by Avast antivirus software.\nwww.avast.com",
                "Nf3\n\nEste correo electrónico ha sido comprobado en busca de virus por AVG.",
                "Nf3\n\nAntes de imprimir este mensaje, asegúrese de que es necesario.",
            ),
        ),
        ("d2d4", ("d4.", "D4", "d 4", "d2 to d4", "d2 d4", "d2-d4", "Pd4", "P-d4", "d4!", "d4 !?", "d4ep", "2 d4")),
        ("f1c4", ("B c4", "b c4", "BC4", "bc4")),
        ("d1h5", ("Qh5 mate", "Qh5 ch", "Qh5+", "Q h5")),
    ],
)
def test_the_move_that_is_meant_is_played(uci, texts):
    for text in texts:
        assert moves_meant(GAME, Color.WHITE, commands_in(text), MailReport()).uci == uci, text


@pytest.mark.parametrize(
    "text",
    [
        *(
            "I play Nf3",
            "Nf3 thanks",
            "Nf3, draw",
            "Nf3 or Nc3",
            "Not Nf3",
            "Nf3? No, Nc3",
            "Knight to f3",
            "knight f3",
        ),
        *("Night to f3", "My move: Nf3", "Nf3 Nc6", "1. e4 e5 2. Nf3", "no draw, Nf3", "Nf3\nNc3", "Nf3\n\nGood luck"),
        *(
            "Nf3\nben",
            "E4",
            "e4",
            "Cf3",
            "Nf3 (=)",
            "d4 thanks",
            "pawn to d4",
            "castle kingside",
            "Nf3/Nc3",
            "Nf3 - d4",
        ),
        *(
            "resign?",
            "I resign",
            "don't resign",
            "accept?",
            "I accept",
            "accepted",
            "yes",
            "no draw",
            "offer draw",
            "?",
        ),
        *("Nf3 :)", "d4 👍", "White: Nf3", "move\nNf3", "h4 h5", "e4 e5", "f3 f4", "4 pm", "me 2", "Room 2 B 4"),
    ],
)
def test_nothing_else_is_ever_played(text):
    with pytest.raises((NotACommand, BadMove)):
        moves_meant(GAME, Color.WHITE, commands_in(text), MailReport())


@pytest.mark.parametrize("text", ["draw?", "Draw ?", "DRAW??", "tablas?", "¿tablas?", "¿Tablas ?"])
def test_a_draw_may_be_offered_as_a_question(text):
    assert commands_in(text) == commands_in("draw")
    (offer,) = commands_in(text)
    assert isinstance(offer, MakeOffer)
    typed, offer = commands_in(f"Nf3\n{text}")
    assert (isinstance(typed, TypedMove), isinstance(offer, MakeOffer)) == (True, True)


@pytest.mark.parametrize(
    ("line", "within"),
    [
        ("I play Nf3", ["Nf3"]),
        ("Knight to f3, please", ["Nf3"]),
        ("pawn to d4", ["d4"]),
        ("Hi Ana, Nf3", ["Nf3"]),
        ("Nf3 or Nc3", ["Nf3", "Nc3"]),
        ("1. e4 e5 2. Nf3", ["Nf3"]),
        ("bishop c4 thanks", ["Bc4"]),
        ("Good luck", []),
    ],
)
def test_an_answer_names_the_moves_in_a_sentence(line, within):
    assert moves_within(GAME.position, line) == within


@pytest.mark.parametrize(
    ("said", "meant"),
    [("I play Nf3", "Nf3"), ("Knight to f3", "Nf3"), ("I offer a draw", "draw"), ("Yes, I accept!", "accept")],
)
async def test_whoever_writes_a_sentence_is_told_what_to_write(post, begun, said, meant):
    report = await post.reply(begun, Color.WHITE, said)
    context = AnswerContext(ENGLISH, {}, "https://play.example.org", lambda _game, _color: iter(()), lambda _game: "")
    assert f"Do you mean {meant}?" in list(report_lines(context, report))
    assert len(post.now(begun).plies) == 2


@pytest.mark.parametrize(("said", "command"), [("¡tablas!", "draw"), ("¿ayuda?", "help"), ("¡Acepto!", "accept")])
def test_spanish_marks_before_a_word_change_nothing(said, command):
    assert commands_in(said) == commands_in(command)


def test_a_command_with_spanish_marks_is_told_to_nobody():
    with pytest.raises(NotACommand) as refused:
        commands_in("decir Buena partida\n¡Acepto!")
    assert refused.value.id == "say_goes_on"


def test_several_commands_may_be_meant():
    assert words_within("I accept the draw") == ["accept", "draw"]
    assert words_within("Te ofrezco, ¿tablas?") == ["tablas"]
    assert words_within("if I had time") == []


def spellings(san, uci):
    """How people space and mark a move."""
    number = len(san) % 40 + 1
    yield from (f"{san} !", f"- {san}", f"{number}) {san}", f"{number} {san}", f"**{san}**", f"... {san}")
    if san[0].isupper() and len(san) < 6:
        yield f"{san[0]} {san[1:]}"
    yield f"{uci[:2]} to {uci[2:]}"


@pytest.mark.parametrize("name", VARIANTS)
def test_however_a_move_is_spaced_it_means_that_move_or_none(name, seed):
    draw, understood = random.Random(f"{seed} {name}"), 0
    position = parse_fen(VARIANTS[name], VARIANTS[name].start_fen)
    for _ in range(20):
        move = draw.choice(legal_moves(position))
        for text in spellings(format_san(position, move), move.uci):
            try:
                (typed,) = commands_in(text)
            except NotACommand:
                continue
            if not isinstance(typed, TypedMove):
                continue
            try:
                assert move_typed(position, typed.text).uci == move.uci, text
            except BadMove:
                continue
            understood += 1
        position = play_trusted(position, move)
    assert understood >= 60


def test_nothing_is_joined_that_could_be_two_moves():
    for text in ("e4 e5", "Nf3 Nc6", "g1 f3", "h4 h5", "e7 e8=Q"):
        assert joined_move(text) == text
