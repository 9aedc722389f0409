"""What the answers to replies say."""

import pytest

from server.games.commands import MakeOffer
from server.games.state import OfferKind
from server.language import load_words
from server.mail.inbound.answer_text import Reader, answer_lines
from server.mail.inbound.report import NotDone, Report, Sentence
from server.rules.variant.pieces import Color
from tests.support.games import after, running_game

WORDS = load_words()


@pytest.fixture
def reader():
    return Reader(
        WORDS["en"], {"chess": "Chess", "grand": "Grand Chess"}, "https://x.org", lambda game: iter(["BOARD"])
    )


def said(reader, report, game=None):
    return list(answer_lines(reader, game or running_game(), Color.WHITE, report))


def test_what_was_done_comes_first_and_the_board_after_it(reader):
    lines = said(reader, Report(done=[Sentence("mail_answers.played", {"move": "Nf3"})]))
    assert lines[:3] == ["You have played Nf3.", "", "BOARD"]
    assert lines[-1].startswith("How to answer: write your move, such as ")


def test_why_nothing_was_done_is_said_with_advice_and_near_moves(reader):
    lines = said(reader, Report(refused=NotDone("outdated"), near=["Nf3", "Nc3"]))
    assert lines[0].startswith("Nothing was done. The game has changed since the mail that you answered. Look at")
    assert lines[1] == "Moves that look like it: Nf3, Nc3"


def test_what_was_done_before_something_was_refused_is_not_denied(reader):
    lines = said(reader, Report(done=[Sentence("mail_answers.said")], refused=NotDone("no_offer")))
    assert lines[:2] == ["Your opponent can read your message.", "The rest was not done. There is no offer to answer."]


@pytest.mark.parametrize("kind", [OfferKind.DRAW, OfferKind.TAKEBACK])
def test_the_opponents_offer_is_shown(reader, kind):
    game = after(running_game(), MakeOffer(Color.BLACK, kind))
    assert any(line.startswith("Boris") for line in said(reader, Report(), game))
    assert not any(line.startswith("Boris") for line in answer_lines(reader, game, Color.BLACK, Report()))


@pytest.mark.parametrize(
    ("topic", "first"),
    [
        ("", "Answer a mail about a game with one command a line"),
        ("say", "say and some words"),
        ("grand", "The rules of Grand Chess: https://x.org/rules/grand"),
        ("grand chess", "The rules of Grand Chess: https://x.org/rules/grand"),
        ("nothing of ours", "Answer a mail about a game with one command a line"),
    ],
)
def test_help_is_given_by_topic(reader, topic, first):
    assert said(reader, Report(help=topic))[0].startswith(first)
