"""What the answers to replies say."""

import re
from dataclasses import replace
from datetime import date

import pytest

from server.games.changes.ending import Resign
from server.games.changes.offers import MakeOffer
from server.games.clocks.time_control import DAY_MS, Speed, TimeControl
from server.games.errors import BadMove
from server.games.rating import Rating
from server.games.state import OfferKind
from server.language import load_words
from server.mail.composing import WIDTH
from server.mail.inbound.answer_text import (
    TOPIC_OF,
    TOPICS,
    AnswerContext,
    answer_lines,
    how_to_answer,
    list_lines,
)
from server.mail.inbound.command_words import COMMANDS, PARTS, NotACommand
from server.mail.inbound.mail_report import (
    GamesInProgress,
    GamesOf,
    HelpOn,
    Leaders,
    MailReport,
    NotDone,
    OwnGames,
    RatingsOf,
    Sentence,
)
from server.rules.variant.pieces import Color
from server.storage.documents import to_head
from server.storage.protocols.archive import GameSummary
from server.storage.protocols.ratings import Category
from server.storage.running import running_game as summed_up
from tests.support.games import BORIS, START, WANDA, after, open_game, running_game

WORDS = load_words()
SUMMARY = GameSummary(
    *("0123456789", "chess", False, "Anna", "Boris", True, TimeControl.correspondence(3), "over", "1-0", "resign"),
    *(40, START, START, False, ""),
)


def reader_of(language):
    return AnswerContext(
        language,
        {"chess": "Chess", "grand": "Grand Chess"},
        "https://x.org",
        lambda game, color: iter(["BOARD"]),
        lambda game: "",
    )


@pytest.fixture
def reader():
    return reader_of(WORDS["en"])


def said(reader, report, game=None):
    return list(answer_lines(reader, game or running_game(), Color.WHITE, report))


def test_what_was_done_comes_first_and_the_board_after_it(reader):
    lines = said(reader, MailReport(done=[Sentence("mail_answers.played", {"move": "Nf3"})]))
    assert lines == ["You have played Nf3.", "", "BOARD"]


def test_why_nothing_was_done_is_said_with_advice_and_near_moves(reader):
    lines = said(reader, MailReport(refused=NotDone("outdated"), near=["Nf3", "Nc3"]))
    assert lines[0].startswith("Nothing was done. The game has changed since the email that you answered. Look at")
    assert lines[1] == "Do you mean Nf3 or Nc3?"


def test_the_last_answer_to_mails_that_do_nothing_says_so(reader):
    lines = said(reader, MailReport(refused=NotDone("outdated"), is_last=True))
    assert lines[1].startswith("This is the last answer of this kind")


def test_nobody_who_plays_again_already_is_told_to_ask_for_it(reader):
    over = after(running_game(), Resign(Color.BLACK))
    assert "“rematch”" in how_to_answer(over, Color.WHITE, reader.language)[0]
    assert "“show 9876543210”" in how_to_answer(replace(over, next="9876543210"), Color.WHITE, reader.language)[0]


@pytest.mark.parametrize("code", WORDS)
def test_what_commands_do_stands_in_one_column(code):
    rows = [WORDS[code].plain(f"mail_answers.short_{topic}") for topic in TOPICS]
    columns = {found.start(1) for row in rows if (found := re.search(r"[”»] +([^ “«].*)$", row))}
    assert len(columns) == 1
    assert max(map(len, rows)) <= WIDTH


@pytest.mark.parametrize("code", WORDS)
def test_nobody_is_told_to_ask_for_what_a_section_does_not_allow(code):
    begun = replace(running_game(control=TimeControl.correspondence(3)), tournament="9876543210")
    for game in (begun, after(begun, Resign(Color.BLACK))):
        for color in Color:
            said = " ".join(how_to_answer(game, color, WORDS[code]))
            for kind in set(OfferKind) - {OfferKind.DRAW, OfferKind.ADJOURN}:
                assert WORDS[code].plain(f"mail_words.{kind}").split()[0] not in said
            assert f"{WORDS[code].plain('mail_words.robin')} 9876543210" in said
    assert "{" not in said


def test_nobody_is_told_to_ask_for_a_rematch_where_there_is_no_opponent(reader):
    alone = replace(after(running_game(), Resign(Color.BLACK)), black=None)
    assert how_to_answer(alone, Color.WHITE, reader.language) == ()
    assert how_to_answer(open_game(), Color.WHITE, reader.language) != ()


def test_what_was_done_before_something_was_refused_is_not_denied(reader):
    lines = said(reader, MailReport(done=[Sentence("mail_answers.said")], refused=NotDone("no_offer")))
    assert lines[:2] == ["Your opponent can read your message.", "The rest was not done. There is no offer to answer."]


@pytest.mark.parametrize("kind", [OfferKind.DRAW, OfferKind.TAKEBACK])
def test_the_opponents_offer_is_shown(reader, kind):
    game = after(running_game(), MakeOffer(Color.BLACK, kind))
    assert any(line.startswith("Boris") for line in said(reader, MailReport(), game))
    assert not any(line.startswith("Boris") for line in answer_lines(reader, game, Color.BLACK, MailReport()))


@pytest.mark.parametrize(
    ("topic", "first"),
    [
        ("", "Answer an email about a game with one command a line"),
        ("say", "say and some words"),
        ("decline", "accept, decline"),
        ("nothing of ours", "Answer an email about a game with one command a line"),
        ("queue", "If you know Richard's play-by-mail server"),
        ("pbmserv", "If you know Richard's play-by-mail server"),
    ],
)
def test_help_is_given_by_topic(reader, topic, first):
    assert said(reader, MailReport(told=[HelpOn(topic)]))[0].startswith(first)


def test_the_rules_of_a_variant_are_help_too(reader):
    lines = said(replace(reader, rules={"grand": ["GRAND", "Ten by ten."]}), MailReport(told=[HelpOn("grand")]))
    assert lines[:2] == ["GRAND", "Ten by ten."]


def test_every_command_has_help(reader):
    assert {*COMMANDS, *PARTS} - {*TOPICS} - {*TOPIC_OF} == {"help"}
    everything = said(reader, MailReport(told=[HelpOn("")]))
    for topic in TOPICS:
        assert said(reader, MailReport(told=[HelpOn(topic)]))[0] == reader.language.plain(f"mail_answers.help_{topic}")
        assert reader.language.plain(f"mail_answers.short_{topic}") in everything


def test_every_help_names_where_its_reader_writes_to_the_site(reader):
    for topic in ("", "draw", "pbmserv", "grand"):
        lines = said(replace(reader, personal="me+abc@x.org"), MailReport(told=[HelpOn(topic)]))
        assert any("me+abc@x.org" in line for line in lines)


@pytest.mark.parametrize("language", WORDS.values(), ids=lambda language: language.code)
def test_lists_have_a_line_for_each_entry_and_say_when_they_are_empty(language):
    reader = reader_of(language)
    category = Category("chess", True, Speed.CORRESPONDENCE)
    full = (
        Leaders(category, [("Anna", Rating()), ("Boris", Rating())]),
        RatingsOf("Anna", [(category, Rating())]),
        GamesOf("Anna", [SUMMARY]),
        GamesInProgress("Boris", [summed_up(to_head(running_game()), BORIS.id)]),
    )
    empty = (Leaders(category, []), RatingsOf("Anna", []), GamesOf("Anna", []), OwnGames([]), GamesInProgress("B", []))
    assert [len(list(list_lines(reader, told))) for told in full] == [3, 2, 2, 2]
    assert [len(list(list_lines(reader, told))) for told in empty] == [1] * 5
    assert list(list_lines(reader, full[3]))[1].startswith(
        ("Wanda against Boris, Chess.", "Wanda contra Boris, Chess.")
    )
    assert "2023-11-14: Anna" in list(list_lines(reader, full[2]))[1]


@pytest.mark.parametrize("language", WORDS.values(), ids=lambda language: language.code)
def test_the_list_of_games_says_which_opponent_is_away(language):
    reader = reader_of(language)
    game = summed_up(to_head(running_game(control=TimeControl.correspondence(3))), WANDA.id)
    here, away = list(list_lines(reader, OwnGames([game, replace(game, away=(0, START + DAY_MS))])))[1:]
    assert away == f"{here} ({language.plain('vacation.away_until', day=language.day(date(2023, 11, 15)))})"


@pytest.mark.parametrize("language", WORDS.values(), ids=lambda language: language.code)
def test_the_list_of_games_names_whoever_is_challenged(language):
    reader = reader_of(language)
    game = summed_up(to_head(running_game(control=TimeControl.correspondence(3))), WANDA.id)
    (line,) = list(list_lines(reader, OwnGames([replace(game, opponent=None, asked="Carla")])))[1:]
    assert "Carla" in line


@pytest.mark.parametrize(
    ("refused", "said_so"),
    [
        (BadMove("unreadable", move="ok"), "“ok” is neither a move nor a command."),
        (BadMove("ambiguous", move="Re1", moves="Rae1, Rje1"), "Re1 could be Rae1 or Rje1."),
        (NotDone("variant_unknown", variant="grnd", near="grand, grandhouse"), "Do you mean grand or grandhouse?"),
        (NotACommand("elsewhere_as", word="undo", here="takeback"), "Here “undo” is called “takeback”."),
    ],
)
def test_refusals_are_said_in_the_words_of_a_mail(reader, refused, said_so):
    lines = said(reader, MailReport(refused=refused, near=["Rd1"] if refused.id == "ambiguous" else []))
    assert said_so in lines[0]
    assert not any("Do you mean Rd1" in line for line in lines)


async def test_whoever_has_answered_at_once_is_named(post, begun):
    await post.reply(begun, Color.BLACK, "if Nf3 then Nc6")
    report = await post.reply(begun, Color.WHITE, "Nf3")
    assert report.done[1] == Sentence("mail_answers.answered", {"name": "Boris", "move": "2... Nc6"})
