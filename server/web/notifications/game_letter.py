"""The letter that tells somebody how a game of theirs stands: what waits for them, or how it ended. Pure.

All letters about a game are one thread.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from server.games.changes.beginning import is_proposed, player_for
from server.games.player import Player
from server.games.reminders import time_is_up
from server.games.state import Game
from server.games.status import Status
from server.language import Language
from server.mail.composing import Letter, ReplyTo
from server.mail.game_subject import game_subject
from server.mail.inbound.answer_text import offer_lines
from server.mail.wishes import CHALLENGE, REMINDER, RESULT, TURN
from server.rules.endings import Outcome
from server.rules.notation.letters import OWN, Letters
from server.rules.variant.pieces import Color
from server.web.clock_words import clock_words
from server.web.notifications.messages import proposer_of, time_left
from server.web.pictures.text_board import last_moves, text_of
from server.web.variant_words import Names

RESULTS: Final = {
    ("stalemate", True): "results.stalemate_loss",
    ("time", False): "results.time_draw",
    ("left", False): "results.left_draw",
}
"""The sentences that are not called as their reason is, by reason and whether somebody has won."""


ANSWERS: Final = {Status.OVER: "mail.over_see", Status.ADJOURNED: "mail.paused_answer"}
"""What the link to the game is for, where it is not to move."""


@dataclass(frozen=True, slots=True)
class LetterLinks:
    """Addresses of pages: the game, and where one POST, or one button, ends such mail."""

    game: str
    unsubscribe: str


@dataclass(frozen=True, slots=True)
class Recipient:
    """To whom a letter goes: `player`, in `language`, where `called` are the names of the game's variant.

    `heard`: what the opponent has said to them last. `letters`: those that the pieces have for them. `only_said`: what
    they heard is all that is new.
    """

    player: Player
    language: Language
    called: Names
    heard: Sequence[str] = ()
    letters: Letters = OWN
    only_said: bool = False


def kind_of(game: Game) -> str:
    """What a letter about `game` tells as it stands, one of `wishes.KINDS`."""
    if game.status is Status.OPEN:
        return CHALLENGE
    # Also with the offer of a rematch, as that letter may take the place of one that said how the game ended.
    if game.status is Status.OVER:
        return RESULT
    # An offer since the reminder is news of its own; the reminder of a move in between has gone with that.
    return REMINDER if game.clock.reminded and not game.offers else TURN


def seat_of(game: Game, player: Player) -> Color:
    """The colour that `player` has, or is challenged to take. Raises ValueError if they have nothing to do with it."""
    for color in Color:
        if (one := player_for(game, color)) is not None and one.id == player.id:
            return color
    raise ValueError(f"The player has no seat in game {game.id}.")


def game_letter(
    game: Game, id: str, to: str, recipient: Recipient, now: int, links: LetterLinks, reply: ReplyTo | None
) -> Letter:
    """A letter to the mailbox `to` that says how the game stands for its reader."""
    language = recipient.language
    color = seat_of(game, recipient.player)
    return Letter(
        to=to,
        subject=game_subject(game, color, language, recipient.called.of_form(game.terms.chess960).name),
        lines=tuple(_lines(game, color, recipient, now, links)),
        id=id,
        at=now,
        language=language.code,
        thread=game.id,
        unsubscribe=links.unsubscribe,
        reply=_saying(reply, game, color, recipient),
    )


def _saying(reply: ReplyTo | None, game: Game, color: Color, recipient: Recipient) -> ReplyTo | None:
    """How to answer what was said, before how to answer the game, if that waits for them."""
    if reply is None or not recipient.only_said:
        return reply
    say = recipient.language.plain("mail.message_say")
    return replace(reply, lines=(say, *(reply.lines if _is_asked(game, color) else ())))


def _is_asked(game: Game, color: Color) -> bool:
    """Is there anything to tell the player of `color` of the game itself? Not of their own challenge."""
    return game.status is not Status.OPEN or game.player(color) is None


def opponent_of(game: Game, color: Color, language: Language) -> str:
    """The name of whoever sits there or is asked to, "?" for nobody."""
    opponent: Player | None = player_for(game, color.other)
    return language.person(opponent.name) if opponent else "?"


def headline(game: Game, color: Color, recipient: Recipient, now: int) -> str:
    """The game in a few words: which one it is, and what waits there, or for how long."""
    language = recipient.language
    return language.plain(
        "mail.message_headline" if recipient.only_said else _headline_key(game, color),
        name=opponent_of(game, color, language),
        variant=recipient.called.of_form(game.terms.chess960).name,
        left=_left(game, now, language),
    )


def _headline_key(game: Game, color: Color) -> str:
    if game.status is Status.OPEN:
        is_own = game.proposer is None and not is_proposed(game)
        return "mail.challenge_headline" if is_own else "mail.proposed_headline"
    if game.offers_to(color) and not game.has_the_move(color):
        return "mail.offer_headline"
    if game.status is Status.OVER:
        return "mail.over_headline" if game.player(color.other) else "mail.unplayed_subject"
    if game.status is Status.ADJOURNED:
        return "mail.paused_headline"
    if _is_reminder(game, color):
        return "mail.reminder_headline"
    if time_is_up(game):
        return "mail.time_up_headline"
    if game.goes_on_again:
        return "mail.resumed_headline"
    return "mail.turn_headline" if game.has_the_move(color) else "mail.begun_headline"


def _lines(game: Game, color: Color, recipient: Recipient, now: int, links: LetterLinks) -> Iterator[str]:
    language = recipient.language
    said = [line for lines in heard_lines(game, color, recipient) for line in ("", *lines)]
    if recipient.only_said:
        yield from (*said[1:], "")
    if _is_asked(game, color):
        yield from lead(game, color, recipient, now)
    yield from offer_lines(game, color, language)
    if not recipient.only_said:
        yield from said
    yield ""
    yield from text_of(game, language, recipient.called, now, recipient.letters)
    yield ""
    answer = "mail.message_see" if recipient.only_said else ANSWERS.get(game.status, "mail.turn_answer")
    yield language.plain(answer, link=links.game)
    yield language.plain("mail.turn_end", link=links.unsubscribe)


def heard_lines(game: Game, color: Color, recipient: Recipient) -> Iterator[Sequence[str]]:
    """The lines of each thing that the opponent has said to the recipient."""
    for text in recipient.heard:
        first, *more = text.split("\n")
        name = opponent_of(game, color, recipient.language)
        yield recipient.language.plain("mail.heard", name=name, text=first), *more


def terms_words(game: Game, called: Names, language: Language) -> str:
    """ "Grand Chess, 3 days a move, rated"."""
    terms = [called.of_form(game.terms.chess960).name, clock_words(game.terms.control, language)]
    if game.terms.rated:
        terms.append(language.plain("terms.rated"))
    return ", ".join(terms)


def lead(game: Game, color: Color, recipient: Recipient, now: int) -> Iterator[str]:
    """What has happened in the game, and how long the reader has for their move."""
    language, name = recipient.language, opponent_of(game, color, recipient.language)
    time_for_move = language.plain("mail.turn_left", left=_left(game, now, language))
    if reminds := _is_reminder(game, color):
        yield time_for_move
    if game.goes_on_again:
        yield language.plain("mail.resumed")
    if game.status is Status.OPEN:
        white = "mail.challenge_white" if color is Color.WHITE else "mail.challenge_black"
        terms, by = terms_words(game, recipient.called, language), proposer_of(game)
        yield language.plain(_lead_key(game), name=name, terms=terms, by=by)
        yield language.plain(white)
    elif game.outcome is not None:
        yield ending_words(game.outcome, game.result, color, language)
        if moves := last_moves(game, len(game.plies), recipient.letters):
            yield ""
            yield f"{moves} {game.result}"
    elif game.status is Status.ADJOURNED:
        yield language.plain("mail.paused", name=name)
    elif move := last_moves(game, 1, recipient.letters):
        mover = "mail.turn_played" if game.has_the_move(color) else "mail.turn_theirs"
        yield language.plain(mover, name=name, move=move)
    else:
        yield language.plain("mail.turn_begun" if game.has_the_move(color) else "mail.begun", name=name)
    if game.status is Status.LIVE and time_is_up(game) and not game.has_the_move(color):
        yield language.plain("mail.time_up", name=name)
    if game.has_the_move(color) and game.move_due is not None and not reminds:
        yield time_for_move


def _is_reminder(game: Game, color: Color) -> bool:
    """Is the player of `color` told that their time for a move is short?"""
    return bool(game.clock.reminded) and game.has_the_move(color) and game.move_due is not None


def _lead_key(game: Game) -> str:
    """Of the sentence that says who asks for the game."""
    if game.proposer is None:
        return "mail.proposed_lead" if is_proposed(game) else "mail.challenge_lead"
    return "mail.proposed_by_lead" if is_proposed(game) else "mail.proposed_accepted_lead"


def _left(game: Game, now: int, language: Language) -> str:
    return "" if game.move_due is None else time_left(max(0, game.move_due - now), language)


def ending_words(outcome: Outcome, result: str, color: Color, language: Language) -> str:
    """How the game ended, for the player of `color`: "1-0. Black resigned. You won."."""
    key = RESULTS.get((outcome.reason, outcome.winner is not None), f"results.{outcome.reason.replace('-', '_')}")
    if outcome.winner is None:
        drawn = "results.void" if result == "*" else "results.drawn"
        return language.plain(drawn, how=language.plain(key))
    loser = language.plain("results.white" if outcome.winner is Color.BLACK else "results.black")
    won = "results.you_won" if outcome.winner is color else "results.you_lost"
    return language.plain(won, result=result, how=language.plain(key, loser=loser))
