"""What the answer to a reply says, as the lines of a plain text: what was done, or why nothing was, and the board."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from server.games.clocks.time_control import for_color
from server.games.state import Game
from server.games.status import Status
from server.language import Language
from server.mail.inbound.help_text import HelpTexts, help_lines
from server.mail.inbound.list_text import Lists, list_lines
from server.mail.inbound.mail_report import EnquiryResult, HelpOn, MailReport, OtherGame, Sentence
from server.mail.inbound.reading.conditional_lines import lines_of
from server.pictures.text_board import letter_board
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.position import Position
from server.rules.notation.letters import OWN, Letters, letters_of
from server.rules.notation.san import format_san
from server.rules.variant.pieces import Color

SANS: Final = ("move", "moves")
"""What goes into sentences as SAN."""


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """Whoever reads the answer: in which language, what variants are called there by id, and where the site is.

    `stands` gives the lines of a mail about a game, with the board as it stands; `reply_to` the address where the
    reader writes to play it, "" if they have no seat. `personal` and `rules` as
    `HelpTexts` says. `tradition`: whose letters the pieces have (`letters_of`).
    """

    language: Language
    variants: Mapping[str, str]
    site: str
    stands: Callable[[Game], Iterator[str]]
    reply_to: Callable[[Game], str]
    personal: str = ""
    rules: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tradition: str = ""


def answer_lines(context: AnswerContext, game: Game, color: Color, report: MailReport) -> Iterator[str]:
    """The lines of the answer to the player of `color`, about their game."""
    language, letters = context.language, letters_of(game.terms.variant, context.tradition)
    yield from report_lines(context, report, letters)
    yield from offer_lines(game, color, language)
    yield from _conditional(language, game, color, letters)
    yield ""
    yield from context.stands(game)
    yield ""
    yield how_to_answer(game, color, language, letters)


def personal_lines(context: AnswerContext, report: MailReport) -> Iterator[str]:
    """The lines of the answer to somebody who wrote to the site."""
    yield from report_lines(context, report)
    yield ""
    yield context.language.plain("mail_answers.how_site")


def report_lines(context: AnswerContext, report: MailReport, letters: Letters = OWN) -> Iterator[str]:
    """What came of a mail. `letters`: of the pieces in the moves that it says were played."""
    language = context.language
    for sentence in report.done:
        yield _said(language, sentence, letters)
    if report.refused is not None:
        why = f"{language.said(report.refused)} {language.advice(report.refused)}".strip()
        if report.line:
            why = language.plain("mail_answers.in_line", line=_line(language, report.line), why=why)
        yield language.plain("mail_answers.rest_not_done" if report.done else "mail_answers.not_done", why=why)
    if report.near:
        yield language.plain("mail_answers.near", moves=", ".join(report.near))
    if report.is_last:
        yield language.plain("mail_answers.last_refusal")
    for told in report.told:
        yield from told_lines(context, told)
    for sentence, position in report.boards:
        yield ""
        yield _said(language, sentence, letters)
        yield ""
        yield from board_lines(position, language, letters_of(position.variant, context.tradition))


def how_to_answer(game: Game, color: Color, language: Language, letters: Letters = OWN) -> str:
    """How the player of `color` answers a mail about the game; with a move that can be played as the example."""
    has_the_move = game.has_the_move(color)
    if game.status is Status.OPEN and game.player(color) is not None:
        return language.plain("mail_answers.how_asking")
    if game.status is Status.OPEN or (game.offers_to(color) and not has_the_move):
        return language.plain("mail_answers.how_offer")
    if game.status is Status.OVER:
        return language.plain("mail_answers.how_over" if game.next is None else "mail_answers.how_next", game=game.next)
    if game.status is Status.ADJOURNED:
        return language.plain("mail_answers.how_paused", game=game.id)
    if not has_the_move:
        return language.plain("mail_answers.how_waiting", game=game.id)
    example = letters.san(format_san(game.position, legal_moves(game.position)[0]))
    return language.plain("mail_answers.how", game=game.id, example=example)


def board_lines(position: Position, language: Language, letters: Letters) -> Iterator[str]:
    """The board drawn in letters, a line for each rank, with both pockets where there are any."""
    return letter_board(position, language.plain("terms.white"), language.plain("terms.black"), letters)


def _said(language: Language, sentence: Sentence, letters: Letters) -> str:
    moves = {name: letters.san(str(sentence.params[name])) for name in SANS if name in sentence.params}
    return language.plain(sentence.key, **(sentence.params | moves))


def offer_lines(game: Game, color: Color, language: Language) -> Iterator[str]:
    """What the player of `color` is offered."""
    opponent = game.player(color.other)
    if opponent is None:
        return
    for offer in game.offers_to(color):
        yield language.plain(f"notifications.offers_{offer.kind}", name=language.person(opponent.name))


def _conditional(language: Language, game: Game, color: Color, letters: Letters) -> Iterator[str]:
    """The conditional moves that the player of `color` has prepared."""
    tree = for_color(game.conditional, color)
    if not tree:
        return
    yield ""
    yield language.plain("mail_answers.conditional")
    for line in lines_of(game.position, tree):
        yield f"  {_line(language, [letters.san(san) for san in line], own=game.to_move is color)}"


def _line(language: Language, line: Sequence[str], *, own: bool = False) -> str:
    """ "if e5 then Nf3 if Nc6 then Bb5"; `own`: the first move is an answer."""
    words = ["mail_answers.then", "mail_answers.if"]
    return " ".join(language.plain(words[(nth + own + 1) % 2], move=move) for nth, move in enumerate(line))


def told_lines(context: AnswerContext, told: EnquiryResult) -> Iterator[str]:
    """What somebody has asked for."""
    match told:
        case HelpOn(topic):
            yield from help_lines(HelpTexts(context.language, context.variants, context.rules, context.personal), topic)
        case OtherGame(game):
            yield f"{context.site}/{game.id}"
            yield from context.stands(game)
            if address := context.reply_to(game):
                yield ""
                yield context.language.plain("mail.digest_reply", address=address)
        case _:
            yield from list_lines(Lists(context.language, context.variants, context.site), told)
