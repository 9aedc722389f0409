"""The text of the answer to a mail, as lines: what was done, or why nothing was, and the board."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, assert_never

from server.games.changes.beginning import player_for
from server.games.clocks.time_control import RATED_SPEEDS, for_color
from server.games.clocks.vacations import last_day
from server.games.rating import Rating
from server.games.state import Game
from server.games.status import Status
from server.games.tournaments.tournament import Sheet, Tournament
from server.language import Language, name_in_form
from server.mail.inbound.command_words import TERMS, THEIR_WORDS
from server.mail.inbound.intended_moves import lines_of
from server.mail.inbound.mail_report import (
    EnquiryResult,
    GamesInProgress,
    GamesOf,
    HelpOn,
    Leaders,
    MailReport,
    OpenSections,
    OtherGame,
    OwnGames,
    RatingsOf,
    SectionTable,
    Sentence,
)
from server.pictures.text_board import letter_board
from server.rules.errors import Refusal
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.position import Position
from server.rules.notation.letters import OWN, Letters, letters_of
from server.rules.notation.san import format_san
from server.rules.variant.pieces import Color
from server.storage.protocols.archive import GameSummary
from server.storage.protocols.ratings import Category
from server.storage.running import RunningGame

CHOICES: Final = ("moves", "near")
"""Params that list what may have been meant."""
SANS: Final = ("move", "moves")
"""Params that are SAN."""


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """The reader of an answer: their language, what variants are called there by id, and where the site is.

    `stands` gives the lines that show how a game stands, from the side of the player of a colour, None: to anybody;
    `reply_to` the address where the reader writes to play it, "" if they have no seat. `personal`: where they write to
    the site, "" if they cannot. `rules`: what is said about those that were asked about, by the topic. `tradition`:
    whose letters the pieces have (`letters_of`). `terms` gives what a game is played for: variant, time and rating.
    """

    language: Language
    variants: Mapping[str, str]
    site: str
    stands: Callable[[Game, Color | None], Iterator[str]]
    reply_to: Callable[[Game], str]
    personal: str = ""
    rules: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tradition: str = ""
    terms: Callable[[Game], str] = lambda game: game.terms.variant.id


def answer_lines(context: AnswerContext, game: Game, color: Color, report: MailReport) -> Iterator[str]:
    """The lines of the answer to the player of `color`, about their game."""
    language, letters = context.language, letters_of(game.terms.variant, context.tradition)
    yield from report_lines(context, report, letters, color)
    yield from offer_lines(game, color, language)
    yield from _conditional_lines(language, game, color, letters)
    yield ""
    yield from context.stands(game, color)


def report_lines(
    context: AnswerContext, report: MailReport, letters: Letters = OWN, color: Color = Color.WHITE
) -> Iterator[str]:
    """The outcome of a mail. `letters`: of the pieces in moves that were played; `color`: the side that sees boards."""
    language = context.language
    for sentence in report.done:
        yield _sentence_line(language, sentence, letters, context)
    if report.refused is not None:
        why = f"{_reason(language, report.refused)} {language.advice(report.refused)}".strip()
        if report.line:
            why = language.plain("mail_answers.in_line", line=_conditional_line(language, report.line), why=why)
        yield language.plain("mail_answers.rest_not_done" if report.done else "mail_answers.not_done", why=why)
    if report.near and report.refused is not None and report.refused.id != "ambiguous":
        yield language.plain("mail_answers.near", moves=_with_or(language, ", ".join(report.near)))
    if report.is_last:
        yield language.plain("mail_answers.last_refusal")
    for told in report.told:
        yield from enquiry_lines(context, told)
    for sentence, position in report.boards:
        yield ""
        yield _sentence_line(language, sentence, letters)
        yield ""
        yield from board_lines(position, language, letters_of(position.variant, context.tradition), color)


def _colors_text(language: Language, sentence: Sentence, game: Game) -> str:
    """Who has which colour in a game that the reader asks for, for themselves or for others."""
    name = str(sentence.params["name"])
    white = player_for(game, Color.WHITE)
    named_is_white = white is not None and white.name.casefold() == name.casefold()
    if "other" in sentence.params:
        return language.plain("mail_answers.they_white" if named_is_white else "mail_answers.they_black", name=name)
    return language.plain("mail_answers.you_black" if named_is_white else "mail_answers.you_white")


def _reason(language: Language, refusal: Refusal) -> str:
    """The reason for a refusal, in the words of a mail."""
    params = {name: _with_or(language, str(value)) for name, value in refusal.params.items() if name in CHOICES}
    if refusal.id == "elsewhere_as":
        here = language.plain(f"mail_words.{refusal.params['here']}").split()[0]
        return language.plain(refusal.key, word=refusal.params["word"], here=here)
    if refusal.id == "ambiguous":
        return language.plain("mail_answers.could_be", **(refusal.params | params))
    if refusal.id == "unreadable":
        return language.plain("mail_answers.neither", **refusal.params)
    return language.plain(refusal.key, **(refusal.params | params))


def _with_or(language: Language, listed: str) -> str:
    """ "Rae1, Rbe1, Rce1" as "Rae1, Rbe1 or Rce1"."""
    *others, last = listed.split(", ")
    return f"{', '.join(others)} {language.plain('mail_answers.or')} {last}" if others else last


def how_to_answer(game: Game, color: Color, language: Language, letters: Letters = OWN) -> tuple[str, ...]:
    """How the player of `color` answers a mail about the game; with a move that can be played as the example."""
    if game.status is Status.LIVE and game.has_the_move(color):
        example = letters.san(format_san(game.position, legal_moves(game.position)[0]))
        how = language.plain("mail_answers.how", example=example)
        return how, "", _of_game(language, "mail_answers.how_more", game)
    if game.status is Status.OVER and len(game.players) < len(Color):
        # Nobody can be asked to play it again.
        return ()
    return (_how_without_move(game, color, language),)


def _how_without_move(game: Game, color: Color, language: Language) -> str:
    has_the_move = game.has_the_move(color)
    if game.status is Status.OPEN and game.player(color) is not None:
        return language.plain("mail_answers.how_asking")
    if game.status is Status.OPEN or (game.offers_to(color) and not has_the_move):
        return language.plain("mail_answers.how_offer")
    if game.status is Status.OVER and _is_of_section(game):
        return language.plain("mail_answers.how_over_section", section=game.tournament)
    if game.status is Status.OVER:
        return language.plain("mail_answers.how_over" if game.next is None else "mail_answers.how_next", game=game.next)
    if game.status is Status.ADJOURNED:
        return language.plain("mail_answers.how_paused", game=game.id)
    return _of_game(language, "mail_answers.how_waiting", game)


def _is_of_section(game: Game) -> bool:
    """Is it a game of a section of everyone against everyone? Only such are played by days in a tournament."""
    return bool(game.tournament) and game.terms.control.by_days


def _of_game(language: Language, key: str, game: Game) -> str:
    """The sentence about what else can be written, which in a game of a section is something else."""
    if _is_of_section(game):
        return language.plain(f"{key}_section", game=game.id, section=game.tournament)
    return language.plain(key, game=game.id)


def board_lines(position: Position, language: Language, letters: Letters, color: Color) -> Iterator[str]:
    """The board drawn in letters, a line for each rank, as the player of `color` sees it."""
    white, black = language.plain("terms.white"), language.plain("terms.black")
    return letter_board(position, white, black, letters, flipped=color is Color.BLACK)


def _sentence_line(
    language: Language, sentence: Sentence, letters: Letters, context: AnswerContext | None = None
) -> str:
    if context is not None and (game := sentence.game) is not None:
        about = {"terms": f"{context.terms(game)}, {_colors_text(language, sentence, game)}", "game": game.id}
        return language.plain(sentence.key, **(sentence.params | about), link=f"{context.site}/{game.id}")
    moves = {name: letters.san(str(sentence.params[name])) for name in SANS if name in sentence.params}
    return language.plain(sentence.key, **(sentence.params | moves))


def offer_lines(game: Game, color: Color, language: Language) -> Iterator[str]:
    """What the player of `color` is offered."""
    opponent = game.player(color.other)
    if opponent is None:
        return
    for offer in game.offers_to(color):
        yield language.plain(f"notifications.offers_{offer.kind}", name=language.person(opponent.name))


def _conditional_lines(language: Language, game: Game, color: Color, letters: Letters) -> Iterator[str]:
    """The conditional moves that the player of `color` has prepared."""
    tree = for_color(game.conditional, color)
    if not tree:
        return
    yield ""
    yield language.plain("mail_answers.conditional")
    for line in lines_of(game.position, tree):
        yield f"  {_conditional_line(language, [letters.san(san) for san in line], own=game.to_move is color)}"


def _conditional_line(language: Language, line: Sequence[str], *, own: bool = False) -> str:
    """ "if e5 then Nf3 if Nc6 then Bb5"; `own`: the first move is an answer."""
    words = ["mail_answers.then", "mail_answers.if"]
    return " ".join(language.plain(words[(nth + own + 1) % 2], move=move) for nth, move in enumerate(line))


def enquiry_lines(context: AnswerContext, told: EnquiryResult) -> Iterator[str]:
    """The result of an enquiry."""
    match told:
        case HelpOn(topic):
            yield from help_lines(context, topic)
        case OtherGame(game, color):
            yield ""
            yield f"{context.site}/{game.id}"
            if color is not None:
                yield context.terms(game)
            yield from context.stands(game, color)
            if address := context.reply_to(game):
                yield ""
                yield context.language.plain("mail.digest_reply", address=address)
        case OpenSections(sections, own):
            yield from _section_list(context, sections, own)
        case SectionTable(section, rows, has_begun):
            yield from _section_table(context, section, rows, has_begun)
        case _:
            yield from list_lines(context, told)


PARTS_OF_HELP: Final[Mapping[str, Sequence[str]]] = {
    "play": ("move", "if"),
    "offers": ("draw", "accept", "takeback", "rematch", "pause"),
    "end": ("resign", "claim", "abort"),
    "look": ("say", "preview", "show", "games"),
    "site": ("challenge", "pair", "robin", "enter", "withdraw", "standings", "ratings", "history", "vacation"),
}
TOPICS: Final = tuple(topic for part in PARTS_OF_HELP.values() for topic in part)
TOPIC_OF: Final[Mapping[str, str]] = {
    "decline": "accept",
    "off": "if",
    "all": "show",
    "then": "if",
    "resume": "pause",
    "until": "vacation",
    "sure": "withdraw",
    **dict.fromkeys(TERMS, "challenge"),
    **dict.fromkeys(RATED_SPEEDS, "standings"),
}
"""Words that are explained with another."""
ELSEWHERE: Final = "pbmserv"
"""The topic of those who know the play-by-mail servers: which of their commands do not exist here, and why."""
MISSING: Final = (
    "accounts",
    "confirm",
    "queue",
    "offers",
    "challenge",
    "letters",
    "words",
    "lists",
    "multiple",
    "everybody",
)


def help_lines(context: AnswerContext, topic: str) -> Iterator[str]:
    """Help on `topic`; on all commands if it is "" or unknown."""
    say = context.language.plain
    topic = ELSEWHERE if topic in THEIR_WORDS else TOPIC_OF.get(topic, topic)
    if topic in TOPICS:
        yield say(f"mail_answers.help_{topic}")
    elif topic == ELSEWHERE:
        yield say("mail_answers.pbmserv")
        for one in MISSING:
            yield say(f"mail_answers.pbmserv_{one}")
    elif topic in context.rules:
        yield from context.rules[topic]
    else:
        yield say("mail_answers.help")
        for part, topics in PARTS_OF_HELP.items():
            yield ""
            yield say(f"mail_answers.help_part_{part}")
            for one in topics:
                yield say(f"mail_answers.short_{one}")
        yield ""
        yield say("mail_answers.help_more", variants=", ".join(context.variants))
    if context.personal:
        yield ""
        yield say("mail_answers.write_to", address=context.personal)


List = OwnGames | GamesInProgress | Leaders | RatingsOf | GamesOf


def list_lines(context: AnswerContext, told: List) -> Iterator[str]:
    """The list with a sentence above it, or a sentence that it is empty."""
    say = context.language.plain
    match told:
        case OwnGames(games):
            yield say("mail_answers.games" if games else "mail_answers.no_games")
            yield from (_running_line(context, game) for game in games)
        case GamesInProgress(name, games):
            yield say("mail_answers.games_of" if games else "mail_answers.no_games_of", name=name)
            yield from (_played_by_line(context, name, game) for game in games)
        case Leaders(category, leaders):
            kind = _category_name(context, category)
            yield say("mail_answers.standings" if leaders else "mail_answers.no_standings", kind=kind)
            for nth, (name, rating) in enumerate(leaders, 1):
                yield f"  {nth:>2}  {name:<20}  {_rating_text(rating):<5}  {rating.games:>4}"
        case RatingsOf(name, ratings):
            yield say("mail_answers.ratings" if ratings else "mail_answers.no_ratings", name=name)
            for one, rating in ratings:
                yield f"  {_rating_text(rating):<5}  {rating.games:>4}  {_category_name(context, one)}"
        case GamesOf(name, finished):
            yield say("mail_answers.history" if finished else "mail_answers.no_history", name=name)
            yield from (_finished_line(context, game) for game in finished)
        case _:
            assert_never(told)


def section_title(language: Language, section: Tournament) -> str:
    """What a section is called, with its number."""
    key = "tournaments.section_stage" if section.stage > 1 else "tournaments.section_of"
    return language.plain(key, name=section.terms.name, stage=section.stage, n=section.section)


def _section_line(context: AnswerContext, section: Tournament) -> str:
    """ "Club, section 3: Grand Chess, 3 days a move, 5 players"."""
    terms, say = section.terms, context.language.plain
    variant = _variant_name(context, terms.variant, terms.chess960)
    days, players = say("terms.days", n=terms.control.days), say("tournaments.section_players", n=terms.size)
    return f"{section_title(context.language, section)}: {variant}, {days}, {players}"


def _section_list(
    context: AnswerContext, sections: Sequence[tuple[Tournament, int]], own: Sequence[Tournament]
) -> Iterator[str]:
    say = context.language.plain
    yield say("mail_answers.sections" if sections else "mail_answers.no_sections")
    for section, joined in sections:
        yield f"  {section.id}  {_section_line(context, section)}"
        yield f"              {say('tournaments.entered_of', n=joined, of=section.terms.size)}"
    if own:
        yield say("mail_answers.own_sections")
        yield from (f"  {section.id}  {_section_line(context, section)}" for section in own)


def _section_table(
    context: AnswerContext, section: Tournament, rows: Sequence[Sheet], has_begun: bool
) -> Iterator[str]:
    say = context.language.plain
    yield ""
    yield _section_line(context, section)
    yield f"{context.site}/tournament/{section.id}"
    for place, sheet in enumerate(rows, 1):
        name = context.language.person(sheet.entrant.person.name)
        if not has_begun:
            yield f"  {place}  {name}"
            continue
        points = f"{sheet.points // 2 or ''}{'½' if sheet.points % 2 else ''}" or "0"
        over = say("tournaments.n_of", n=len(sheet.played), of=section.terms.games_each)
        yield f"  {place}  {name:<20}  {points:<4}  {over}"
    if section.winner is not None:
        yield say("tournaments.over_winner", name=context.language.person(section.winner.name))
    elif not has_begun and not section.over:
        yield say("tournaments.entered_of", n=len(rows), of=section.terms.size)


def _running_line(context: AnswerContext, game: RunningGame) -> str:
    """One line: the opponent and the variant, whose turn it is, the game's address, and their absence."""
    line = context.language.plain(
        "mail_answers.your_turn"
        if game.waits
        else "mail_answers.asked_them"
        if game.status == Status.OPEN
        else "mail_answers.their_turn",
        game=f"{context.site}/{game.id}",
        name=context.language.person(game.opponent or game.asked or "?"),
        variant=_variant_name(context, game.variant, game.chess960),
    )
    if not game.opponent_away:
        return line
    day = context.language.day(last_day(game.opponent_away))
    return f"{line} ({context.language.plain('vacation.away_until', day=day)})"


def _played_by_line(context: AnswerContext, name: str, game: RunningGame) -> str:
    """One line: who plays whom, White first, the variant, and the game's address."""
    players = [context.language.person(one) for one in (name, game.opponent or "?")]
    white, black = players if game.color is Color.WHITE else reversed(players)
    return context.language.plain(
        "mail_answers.playing",
        white=white,
        black=black,
        variant=_variant_name(context, game.variant, game.chess960),
        game=f"{context.site}/{game.id}",
    )


def _finished_line(context: AnswerContext, game: GameSummary) -> str:
    """ "2026-11-23 https://…: Anna against Ben, Grand: 1-0"."""
    ended = datetime.fromtimestamp((game.created if game.ended is None else game.ended) / 1000, UTC)
    return context.language.plain(
        "mail_answers.finished",
        day=ended.date().isoformat(),
        game=f"{context.site}/{game.id}",
        white=context.language.person(game.white or "?"),
        black=context.language.person(game.black or "?"),
        variant=_variant_name(context, game.variant, game.chess960),
        result=game.result or "*",
    )


def _category_name(context: AnswerContext, one: Category) -> str:
    """ "Capablanca Chess 960, Blitz"."""
    return f"{_variant_name(context, one.variant, one.chess960)}, {context.language.plain(f'terms.{one.speed}')}"


def _variant_name(context: AnswerContext, variant: str, chess960: bool) -> str:
    return name_in_form(context.variants.get(variant, variant), chess960)


def _rating_text(rating: Rating) -> str:
    """ "1650", or "1650?" while it is provisional."""
    return f"{rating.rounded}{'?' if rating.provisional else ''}"
