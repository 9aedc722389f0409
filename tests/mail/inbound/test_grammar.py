"""The commands that a reply can have, and that nothing else is taken for one."""

from datetime import date
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.state import OfferKind
from server.mail.inbound.command_words import NotACommand
from server.mail.inbound.grammar import read_commands
from server.mail.inbound.mail_commands import (
    Abort,
    AnswerOffer,
    AskVacation,
    Challenge,
    ClaimTime,
    Conditional,
    EndPause,
    EnterSection,
    Help,
    History,
    ListGames,
    ListSections,
    MakeOffer,
    Preview,
    Ratings,
    Resign,
    Say,
    Show,
    ShowAll,
    ShowGame,
    ShowSection,
    Standings,
    TakeVacation,
    TypedMove,
    WithdrawFrom,
)
from server.mail.inbound.written_lines import MAX_LINES
from tests.support.machine_speed import costs_at_most


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("Nf3", TypedMove("Nf3")),
        ("12. Nf3", TypedMove("Nf3")),
        ("12... Nf6", TypedMove("Nf6")),
        ("12…Nf6", TypedMove("Nf6")),
        ("move Nf3", TypedMove("Nf3")),
        ("Play e2 e4", TypedMove("e2 e4")),
        ("e2 - e4", TypedMove("e2 - e4")),
        ("if e5 then Nf3", Conditional((("e5", "Nf3"),))),
        ("If 12... e7-e5 then 13. Nf3, if Nc6 then Bb5.", Conditional((("e7-e5", "Nf3", "Nc6", "Bb5."),))),
        ("if off", Conditional(())),
        ("If: N@f7 then Nc3/H", Conditional((("N@f7", "Nc3/H"),))),
        ("Draw.", MakeOffer(OfferKind.DRAW)),
        ("takeback", MakeOffer(OfferKind.TAKEBACK)),
        ("pause", MakeOffer(OfferKind.PAUSE)),
        ("Resume.", EndPause()),
        ("claim", ClaimTime(as_draw=False)),
        ("Claim draw.", ClaimTime(as_draw=True)),
        ("reclamar tablas", ClaimTime(as_draw=True)),
        ("Abort.", Abort()),
        ("anular", Abort()),
        ("ACCEPT", AnswerOffer(accepts=True)),
        ("decline", AnswerOffer(accepts=False)),
        ("resign 0aB3456789", Resign("0aB3456789")),
        ("say Good luck. Bye.", Say("Good luck. Bye.")),
        ("Say: good luck", Say("good luck")),
        ("preview Nf3 Nf6 g3", Preview(("Nf3", "Nf6", "g3"))),
        ("preview 3. Nf3 Nf6 4. g3", Preview(("Nf3", "Nf6", "g3"))),
        ("show", Show(None)),
        ("show #12", Show(12)),
        *((text, ListGames()) for text in ("games", "games all", "all games", "todas partidas")),
        *((text, ShowAll()) for text in ("show all", "All show", "mostrar todas")),
        ("games Boris", ListGames("Boris")),
        ("show 0123456789", ShowGame("0123456789", None)),
        ("show 0aB3456789#12", ShowGame("0aB3456789", 12)),
        ("show 0aB3456789 12", ShowGame("0aB3456789", 12)),
        ("standings grand chess blitz", Standings("grand chess blitz")),
        ("ratings Boris", Ratings("Boris")),
        ("history B-oris_2.", History("B-oris_2")),
        ("challenge Boris grand", Challenge("Boris", "grand", 3, "random", rated=False)),
        ("challenge Boris chess 960 5 days white rated", Challenge("Boris", "chess 960", 5, "white", rated=True)),
        (
            "Challenge Boris rated black 14d, Grant Acedrex",
            Challenge("Boris", "Grant Acedrex", 14, "black", rated=True),
        ),
        ("challenge Boris grand 10+1", Challenge("Boris", "grand", 3, "random", rated=False, bank=(10, 1, 0))),
        ("challenge Boris grand 10+1/30d", Challenge("Boris", "grand", 3, "random", rated=False, bank=(10, 1, 30))),
        ("pair Anna Boris grand 5 days", Challenge("Anna", "grand", 5, "random", rated=False, other="Boris")),
        ("emparejar Anna Boris grand blancas", Challenge("Anna", "grand", 3, "white", rated=False, other="Boris")),
        ("vacation until 2026-08-03", TakeVacation(date(2026, 8, 3))),
        ("Vacation: 2026-08-03.", TakeVacation(date(2026, 8, 3))),
        ("vacaciones nada", TakeVacation(None)),
        ("vacation", AskVacation()),
        ("retar Boris grand 5 días blancas puntuada", Challenge("Boris", "grand", 5, "white", rated=True)),
        ("desafiar Boris grand 5 días negras amistosa", Challenge("Boris", "grand", 5, "black", rated=False)),
        ("si e5 entonces Nf3, si Nc6 entonces Bb5", Conditional((("e5", "Nf3", "Nc6", "Bb5"),))),
        ("si nada", Conditional(())),
        ("Tablas.", MakeOffer(OfferKind.DRAW)),
        ("Acepto", AnswerOffer(accepts=True)),
        ("abandonar 0aB3456789", Resign("0aB3456789")),
        ("decir: suerte", Say("suerte")),
        ("say :-) good move", Say(":-) good move")),
        ("say: :-)", Say(":-)")),
        ("jugar Nf3", TypedMove("Nf3")),
        ("ayuda tablas", Help("draw")),
        ("help", Help("")),
        ("help Grand", Help("grand")),
    ],
)
def test_a_line_is_a_command(line, command):
    assert read_commands([line]) == (command,)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([], "says_nothing"),
        (["", ""], "says_nothing"),
        (["I think I shall play the knight"], "not_understood"),
        (["draw, please"], "not_understood"),
        (["draw accept"], "not_understood"),
        (["resign"], "resign_which"),
        (["resign me now"], "resign_which"),
        (["preview"], "preview_which"),
        (["show me"], "show_which"),
        (["Nf3", "Nc3"], "two_moves"),
        (["Nf3", "draw", "Nc3"], "two_moves"),
        (["standings"], "standings_which"),
        (["ratings"], "about_whom"),
        (["history of Boris"], "about_whom"),
        (["challenge"], "challenge_which"),
        (["challenge Boris"], "challenge_which"),
        (["challenge Boris 3 days rated"], "challenge_which"),
        (["challenge Boris grand white black"], "challenge_which"),
        (["challenge Boris grand 3 5"], "challenge_which"),
        (["challenge Boris grand rated casual"], "challenge_which"),
        (["challenge Boris grand 10+1 3 days"], "challenge_which"),
        (["pair Anna"], "pair_which"),
        (["pair Anna Boris"], "pair_which"),
        (["pair Anna Boris grand white black"], "pair_which"),
        (["vacation until"], "vacation_which"),
        (["vacation until Monday"], "vacation_which"),
        (["vacation until 2026-02-30"], "vacation_which"),
        (["vacation off until 2026-08-03"], "vacation_which"),
        (["show 12345"], "show_which"),
        (["if"], "if_which"),
        (["if e5"], "if_which"),
        (["if e5 Nf3"], "if_which"),
        (["if e5 then"], "if_which"),
        (["if then Nf3"], "if_which"),
        (["if e5 then Nf3 then Nc3"], "if_which"),
        (["if e5 then Nf3 if Nc6"], "if_which"),
        (["if he takes then I take back"], "if_which"),
        (["if e5 then Nf3", "if off"], "if_off_and_on"),
        (["if e5 then Nf3"] * 31, "if_too_many"),
        (["draw"] * 11, "too_many_commands"),
        (["say that was", "Nf3"], "say_goes_on"),
        (["say that was", "draw"], "say_goes_on"),
        (["say that was", "12. e4"], "say_goes_on"),
        (["say that was", "o-o"], "say_goes_on"),
    ],
)
def test_what_is_not_clear_is_refused_as_a_whole(lines, why):
    with pytest.raises(NotACommand) as refused:
        read_commands(lines)
    assert refused.value.id == why


@pytest.mark.parametrize(
    ("line", "why", "here"),
    [
        ("undo", "elsewhere_as", "takeback"),
        ("list", "elsewhere_as", "games"),
        ("Propose draw", "elsewhere_as", "draw"),
        ("queue d6", "elsewhere_as", "if"),
        ("chat hello", "elsewhere_say", None),
        ("message Boris hello", "elsewhere_say", None),
        ("submit", "elsewhere", None),
    ],
)
def test_commands_of_the_servers_of_old_are_told_what_they_are_called_here(line, why, here):
    with pytest.raises(NotACommand) as refused:
        read_commands([line])
    assert (refused.value.id, refused.value.params.get("here")) == (why, here)


def test_what_is_said_ends_with_an_empty_line():
    assert read_commands(["say good luck", "and have fun", "", "Nf3"]) == (
        Say("good luck\nand have fun"),
        TypedMove("Nf3"),
    )


def test_lines_of_conditional_moves_are_one_command():
    lines = ["if e5 then Nf3", "Nc3", "if c5 then f4", "say have fun"]
    assert read_commands(lines) == (Conditional((("e5", "Nf3"), ("c5", "f4"))), TypedMove("Nc3"), Say("have fun"))
    assert len(read_commands(["if e5 then Nf3"] * 30)) == 1


LONG = "if e5 then Nf3 if Nc6 then Bb5 if a6 then Ba4 if Nf6 then O-O if Be7"


def test_a_line_of_conditional_moves_that_was_broken_is_one():
    whole = (Conditional((tuple(move for move in f"{LONG} then Re1".split() if move not in ("if", "then")),)),)
    assert read_commands([LONG, "then Re1"]) == whole
    assert read_commands([f"{LONG} then", "Re1"]) == whole
    assert read_commands([f"{LONG} then", "Re1", "", "d4"]) == (*whole, TypedMove("d4"))


def test_where_a_line_may_have_been_broken_before_another_if_nothing_is_guessed():
    longest = LONG.removesuffix(" if Be7")
    with pytest.raises(NotACommand, match="if_broken"):
        read_commands([longest, "if Be7 then Re1"])
    ((one,), (other,)) = (command.lines for command in (*read_commands([longest]), *read_commands(["if c5 then d4"])))
    assert read_commands([longest, "", "if c5 then d4"]) == (Conditional((one, other)),)
    assert read_commands(["if c5 then d4", "if e5 then Nf3"]) == (Conditional((other, ("e5", "Nf3"))),)


def test_words_of_a_message_are_no_conditional_moves():
    said = ["say if you see what I mean, and I hope that you do see it, my friend", "if it rains then", "we stay in"]
    assert read_commands(said) == (Say("\n".join([said[0].removeprefix("say "), *said[1:]])),)


def test_what_is_asked_twice_is_answered_once():
    assert read_commands(["help grand", "games", "help grand", "draw", "draw"]) == (
        *(Help("grand"), ListGames(), MakeOffer(OfferKind.DRAW), MakeOffer(OfferKind.DRAW)),
    )


@pytest.mark.parametrize(
    "lines",
    [[f"show {nth:010d}" for nth in range(4 * MAX_LINES)], ["if e5 then Nf3", "then"] * (2 * MAX_LINES)],
    ids=["questions", "broken lines"],
)
def test_thousands_of_lines_are_refused_soon(lines):
    began = thread_time()
    with pytest.raises(NotACommand):
        read_commands(lines)
    assert costs_at_most(thread_time() - began, 1000)


@given(st.lists(st.text(max_size=80), max_size=20))
def test_no_text_makes_two_moves_or_raises_anything_else(lines):
    try:
        commands = read_commands([line for text in lines for line in text.splitlines()])
    except NotACommand:
        return
    assert commands
    assert sum(isinstance(command, TypedMove) for command in commands) <= 1


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("robin", ListSections()),
        ("robin Abcdefgh12", ShowSection("Abcdefgh12")),
        ("liga Abcdefgh12.", ShowSection("Abcdefgh12")),
        ("enter Abcdefgh12", EnterSection("Abcdefgh12")),
        ("Enter robin grand", EnterSection("grand")),
        ("apuntar liga Abcdefgh12", EnterSection("Abcdefgh12")),
        ("withdraw Abcdefgh12", WithdrawFrom("Abcdefgh12")),
        ("withdraw Abcdefgh12 sure", WithdrawFrom("Abcdefgh12", sure=True)),
        ("retirar Abcdefgh12 seguro", WithdrawFrom("Abcdefgh12", sure=True)),
    ],
)
def test_sections_are_entered_followed_and_left(line, command):
    assert read_commands([line]) == (command,)


@pytest.mark.parametrize("line", ["robin Club", "enter", "enter robin", "withdraw", "withdraw Abcdefgh12 please"])
def test_a_section_has_to_be_named(line):
    with pytest.raises(NotACommand):
        read_commands([line])
