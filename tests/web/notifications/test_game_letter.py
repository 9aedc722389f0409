"""What letters say of the end of a game, and of words: a sentence for every way a game can end, in every language."""

import pytest

from server.games.changes.beginning import RefuseChallenge, new_game
from server.games.changes.claiming import ChooseFlagging
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.reminders import Remind
from server.games.state import DECLINE_REASONS
from server.language import load_words
from server.mail.wishes import CHALLENGE
from server.rules.endings import Outcome, Reason
from server.storage.stores import ChatLine
from server.web.notifications.game_news import GameNews, unanswered_in
from server.web.notifications.letters import LetterLinks, Recipient, ending_words, game_letter, headline, lead
from server.web.notifications.notifier import message_about
from server.web.variant_words import names_in
from tests.support.games import BLACK, BORIS, START, WANDA, WHITE, after, joined, over_game, proposed_game, running_game
from tests.support.rules.built_in import VARIANTS

LOST = (
    Reason.CHECKMATE,
    Reason.STALEMATE,
    Reason.BARE_KING,
    Reason.GOAL,
    Reason.CHECKS,
    Reason.EXTINCTION,
    Reason.EXPLOSION,
    "resign",
    "time",
    "left",
)
DRAWN = (
    Reason.STALEMATE,
    Reason.INSUFFICIENT,
    Reason.REPETITION,
    Reason.MOVE_RULE,
    Reason.GOAL,
    "agreement",
    "time",
    "left",
    "forgiven",
)
VOID = ("abort", "expired", "declined")
LANGUAGES = load_words()


def test_every_reason_of_the_rules_is_among_them():
    assert {*Reason} <= {*LOST, *DRAWN}


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_each_ending_reads_otherwise_for_winner_and_loser_and_no_two_alike(language):
    said = [
        ending_words(Outcome(winner, reason), "1-0", WHITE, language) for reason in LOST for winner in (WHITE, BLACK)
    ]
    said += [ending_words(Outcome(None, reason), "1/2-1/2", WHITE, language) for reason in DRAWN]
    said += [ending_words(Outcome(None, reason), "*", WHITE, language) for reason in VOID]
    assert len(set(said)) == len(said)
    assert not any("{" in sentence for sentence in said)


@pytest.mark.parametrize(
    ("outcome", "result", "words"),
    [
        (Outcome(BLACK, "resign"), "0-1", "0-1. White resigned. You lost."),
        (
            Outcome(WHITE, Reason.STALEMATE),
            "1-0",
            "1-0. Stalemate: Black has no legal move, which loses here. You won.",
        ),
        (Outcome(None, "time"), "1/2-1/2", "½-½. Time ran out, but the opponent cannot give mate."),
        (Outcome(None, "expired"), "*", "The game did not begin in time. It does not count."),
    ],
)
def test_it_is_told_from_the_readers_side(outcome, result, words):
    assert ending_words(outcome, result, WHITE, LANGUAGES["en"]) == words


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_only_who_can_claim_reads_that_the_others_time_is_over(language):
    game = after(running_game(control=TimeControl.correspondence(3)), ChooseFlagging(BLACK, True))
    over = START + 3 * DAY_MS
    called = names_in(language.code, VARIANTS)["chess"]
    readers = {WHITE: Recipient(WANDA, language, called), BLACK: Recipient(BORIS, language, called)}
    told = after(game, Remind(), now=over)
    up = language.plain("mail.time_up", name="Wanda")
    for stands, expected in ((game, False), (told, True)):
        assert (up in lead(stands, BLACK, readers[BLACK], over)) is expected
        assert up not in lead(stands, WHITE, readers[WHITE], over)
    assert headline(told, BLACK, readers[BLACK], over) == language.plain(
        "mail.time_up_headline", name="Wanda", variant=called.name
    )


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_each_of_two_who_are_asked_to_play_by_a_third_reads_who_it_is(language):
    called = names_in(language.code, VARIANTS)["chess"]
    asked = proposed_game(control=TimeControl.correspondence(3))
    accepted = joined(asked, WANDA)
    for game, color, player, name in ((asked, WHITE, WANDA, "Boris"), (accepted, BLACK, BORIS, "Wanda")):
        reader = Recipient(player, language, called)
        first, *_ = lead(game, color, reader, START)
        pushed = message_about(GameNews(game, player, (), [CHALLENGE]), START).said(language, {"chess": called})[
            "title"
        ]
        assert "Carla" in first
        assert "Carla" in pushed
        assert name in first
        assert name in pushed
        assert headline(game, color, reader, START) == language.plain(
            "mail.proposed_headline", name=name, variant=called.name
        )


def said(*lines):
    return [ChatLine("game", room, player.id, player.name, text, at) for at, (room, player, text) in enumerate(lines)]


def test_what_was_said_since_one_spoke_is_heard_and_nothing_of_watchers():
    lines = said(("players", BORIS, "a"), ("players", WANDA, "b"), ("watchers", BORIS, "c"), ("players", BORIS, "d"))
    assert unanswered_in(lines, WANDA) == ["d"]
    assert unanswered_in(lines[:3], WANDA) == []
    assert unanswered_in(said(*[("players", BORIS, str(n)) for n in range(9)]), WANDA) == ["6", "7", "8"]
    assert unanswered_in(lines, WANDA, {BORIS.id}) == []


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_whoever_is_declined_reads_why(language):
    called = names_in(language.code, VARIANTS)["chess"]
    asked = new_game("declined", running_game().terms, START, white=WANDA, invites=(None, BORIS))
    told = {
        tuple(lead(after(asked, RefuseChallenge(BORIS, reason)), WHITE, Recipient(WANDA, language, called), START))
        for reason in ("", *DECLINE_REASONS)
    }
    assert len({lines[-1] for lines in told}) == len(DECLINE_REASONS) + 1


def test_a_letter_about_a_game_that_is_over_says_its_moves_once():
    reader = Recipient(WANDA, LANGUAGES["en"], names_in("en", VARIANTS)["chess"])
    told = game_letter(
        over_game(), "l", "wanda@example.org", reader, START, LetterLinks("/g", "/rules/chess", "/u"), None
    )
    assert "\n".join(map(str, told.lines)).count("Qh4#") == 1
