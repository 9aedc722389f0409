"""What the answers to replies say."""

from dataclasses import replace
from datetime import date

import pytest

from server.games.changes.ending import Resign
from server.games.changes.offers import MakeOffer
from server.games.clocks.speed import Speed
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.rating import Rating
from server.games.state import OfferKind
from server.language import load_words
from server.mail.inbound.answer_text import AnswerContext, answer_lines
from server.mail.inbound.help_text import TOPIC_OF, TOPICS
from server.mail.inbound.list_text import Lists, list_lines
from server.mail.inbound.mail_report import (
    GamesOf,
    HelpOn,
    Leaders,
    MailReport,
    NotDone,
    OwnGames,
    RatingsOf,
    Sentence,
)
from server.mail.inbound.reading.command_words import COMMANDS, PARTS
from server.rules.variant.pieces import Color
from server.storage.documents import to_head
from server.storage.protocols.archive import GameSummary
from server.storage.protocols.ratings import Category
from server.storage.running import running_game as summed_up
from tests.support.games import START, WANDA, after, running_game

WORDS = load_words()
SUMMARY = GameSummary(
    *("0123456789", "chess", False, "Anna", "Boris", True, TimeControl.correspondence(3), "over", "1-0", "resign"),
    *(40, START, START, False, ""),
)


@pytest.fixture
def reader():
    return AnswerContext(
        WORDS["en"],
        {"chess": "Chess", "grand": "Grand Chess"},
        "https://x.org",
        lambda game: iter(["BOARD"]),
        lambda game: "",
    )


def said(reader, report, game=None):
    return list(answer_lines(reader, game or running_game(), Color.WHITE, report))


def test_what_was_done_comes_first_and_the_board_after_it(reader):
    lines = said(reader, MailReport(done=[Sentence("mail_answers.played", {"move": "Nf3"})]))
    assert lines[:3] == ["You have played Nf3.", "", "BOARD"]
    assert lines[-1].startswith("How to answer: write your move, such as ")


def test_why_nothing_was_done_is_said_with_advice_and_near_moves(reader):
    lines = said(reader, MailReport(refused=NotDone("outdated"), near=["Nf3", "Nc3"]))
    assert lines[0].startswith("Nothing was done. The game has changed since the email that you answered. Look at")
    assert lines[1] == "Moves that look like it: Nf3, Nc3"


def test_the_last_answer_to_mails_that_do_nothing_says_so(reader):
    lines = said(reader, MailReport(refused=NotDone("outdated"), is_last=True))
    assert lines[1].startswith("This is the last answer of this kind")


def test_nobody_who_plays_again_already_is_told_to_ask_for_it(reader):
    over = after(running_game(), Resign(Color.BLACK))
    assert "“rematch”" in said(reader, MailReport(), over)[-1]
    assert "“show 9876543210”" in said(reader, MailReport(), replace(over, next="9876543210"))[-1]


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
        assert said(reader, MailReport(told=[HelpOn(topic)]))[0] in everything


def test_every_help_names_where_its_reader_writes_to_the_site(reader):
    for topic in ("", "draw", "pbmserv", "grand"):
        lines = said(replace(reader, personal="me+abc@x.org"), MailReport(told=[HelpOn(topic)]))
        assert any("me+abc@x.org" in line for line in lines)


@pytest.mark.parametrize("language", WORDS.values(), ids=lambda language: language.code)
def test_lists_have_a_line_for_each_entry_and_say_when_they_are_empty(language):
    lists = Lists(language, {"chess": "Chess"}, "https://x.org")
    category = Category("chess", True, Speed.CORRESPONDENCE)
    full = (
        Leaders(category, [("Anna", Rating()), ("Boris", Rating())]),
        RatingsOf("Anna", [(category, Rating())]),
        GamesOf("Anna", [SUMMARY]),
    )
    empty = (Leaders(category, []), RatingsOf("Anna", []), GamesOf("Anna", []), OwnGames([]))
    assert [len(list(list_lines(lists, told))) for told in full] == [3, 2, 2]
    assert [len(list(list_lines(lists, told))) for told in empty] == [1] * 4
    assert "2023-11-14: Anna" in list(list_lines(lists, full[2]))[1]


@pytest.mark.parametrize("language", WORDS.values(), ids=lambda language: language.code)
def test_the_list_of_games_says_which_opponent_is_away(language):
    lists = Lists(language, {"chess": "Chess"}, "https://x.org")
    game = summed_up(to_head(running_game(control=TimeControl.correspondence(3))), WANDA.id)
    here, away = list(list_lines(lists, OwnGames([game, replace(game, away=(0, START + DAY_MS))])))[1:]
    assert away == f"{here} ({language.plain('vacation.away_until', day=language.day(date(2023, 11, 15)))})"


@pytest.mark.parametrize("language", WORDS.values(), ids=lambda language: language.code)
def test_the_list_of_games_names_whoever_is_challenged(language):
    lists = Lists(language, {"chess": "Chess"}, "https://x.org")
    game = summed_up(to_head(running_game(control=TimeControl.correspondence(3))), WANDA.id)
    (line,) = list(list_lines(lists, OwnGames([replace(game, opponent=None, asked="Carla")])))[1:]
    assert "Carla" in line
